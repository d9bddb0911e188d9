"""The tab of the keys: looked up, taken from the keyboard, set back."""
