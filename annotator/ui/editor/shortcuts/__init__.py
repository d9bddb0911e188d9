"""The editor's keys as the user wants them: looked up, taken from the keyboard, set back."""
