"""Editor of one demo: steps, canvas, properties."""
