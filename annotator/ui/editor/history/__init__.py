"""The history of the open demo: a tab that shows every edit, goes back to any of them, and says what changed."""
