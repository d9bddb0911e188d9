"""Times in which nothing is done: hovers and waits."""
