"""The page with figures, shown for an open demo and for a whole library."""
