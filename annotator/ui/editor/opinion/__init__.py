"""A second opinion: a tab with every difference between two people's work on the same pictures."""
