"""macOS: its windows through Quartz, its elements through AX, its permissions. Never run on a real Mac."""
