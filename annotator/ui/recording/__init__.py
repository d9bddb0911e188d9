"""Recording from the app: the floating bar and what drives it."""
