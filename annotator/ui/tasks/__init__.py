"""The models page: what is in use, training with curves, comparing on pictures, what to correct first."""
