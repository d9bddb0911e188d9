"""X servers of our own: a hidden one for tests and proofs, and a window to record in."""
