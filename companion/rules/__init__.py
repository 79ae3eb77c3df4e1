"""A game each."""
