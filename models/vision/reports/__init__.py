"""What programs report about their windows: as elements, held against the pixels, joined with what these show."""
