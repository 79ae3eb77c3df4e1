"""The tests, a directory for each room."""
