"""MiniWoB++: its pages in Chromium, how a person solves each task, and agents measured on them."""
