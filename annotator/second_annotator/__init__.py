"""A second opinion on the same pictures: where two people differ, how far they agree, and who is right."""
