"""Box formats: one module for each, which encodes the elements of pictures and decodes the files of other programs."""
