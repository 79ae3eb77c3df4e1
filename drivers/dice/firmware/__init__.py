"""The program of a tower: the half that talks is tested here, the half with the wires runs on the Pico."""
