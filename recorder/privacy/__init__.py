"""Privacy of a recording: what it must never hold, and how it forgets."""
