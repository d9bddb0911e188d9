"""One demo: steps, canvas, properties."""
