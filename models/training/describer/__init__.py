"""Trains the describer: small Pix2Struct models that say what stands in a box, from screens with truth."""
