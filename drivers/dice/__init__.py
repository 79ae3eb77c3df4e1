"""Where faces come from: serial towers, GPIO, software, a virtual tower."""
