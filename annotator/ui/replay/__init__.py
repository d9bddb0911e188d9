"""A demo done again: what is read before, the bar meanwhile, and what came of it."""
