"""What a recording must never hold, and how it forgets."""
