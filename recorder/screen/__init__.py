"""What was on the screen, and when."""
