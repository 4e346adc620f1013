"""What may still come of a table of Hamlet!: what actions bring about, how far endings are."""
