"""The page of tasks: the list of the bank, one task with what came of it, and its statistics."""
