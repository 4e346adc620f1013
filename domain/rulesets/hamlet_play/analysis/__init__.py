"""What may come of a table of Hamlet!: distances, lines of play, trials and proofs of card sets."""
