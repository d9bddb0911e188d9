"""Screens of Qt programs, drawn offscreen in a process of their own, with truth from widgets and style rectangles."""
