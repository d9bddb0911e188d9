"""What is done to many screens at once: searched, tightened, cleared of duplicates, filled from accessibility."""
