"""Which demos are shown as examples: the most similar ones, not all alike, the same every time."""
