"""Windows by chance: one module for each kind of program."""
