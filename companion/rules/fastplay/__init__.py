"""Fast-Play WWII."""
