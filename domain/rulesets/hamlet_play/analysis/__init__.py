"""Proofs and trials of card sets, for their authors: no game that is played needs them."""
