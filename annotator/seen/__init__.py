"""What a person could mean by pointing at a place of a picture: words, lines, controls, rows, panels. Pixels alone."""
