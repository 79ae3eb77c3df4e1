"""The daemon beside the table and what it knows."""
