"""Where slips go: USB, serial, network, file, a virtual printer."""
