"""An X11 desktop: input, screen, windows, clipboard, keys."""
