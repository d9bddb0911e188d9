"""MiniWoB++ pages as screens."""
