"""Search: a small language over elements and demos, what is unsure, how far the review is, and figures about it."""
