"""Real programs on a private desktop, and what their accessibility tree says about them."""
