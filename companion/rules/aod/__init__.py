"""Age of Dogfights: WWII."""
