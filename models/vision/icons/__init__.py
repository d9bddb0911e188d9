"""Says what icons mean: cuts them out, asks a small network, and leaves open what that is unsure of."""
