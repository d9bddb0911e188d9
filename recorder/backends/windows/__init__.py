"""Windows: its windows through user32, its elements through UI Automation. Never run on a real Windows."""
