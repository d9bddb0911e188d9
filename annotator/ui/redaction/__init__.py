"""Shows what may be private before it leaves the house, and lets a person replace or keep it."""
