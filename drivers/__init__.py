"""The edges to hardware; they know nothing of games."""
