"""A GTK 4 window with nothing but a field for a password; run as a program, see ``gtk_window.py``."""

from __future__ import annotations

import ctypes
import sys


def main(title: str) -> None:
    """Show the window until the program is ended."""
    gtk = ctypes.CDLL("libgtk-4.so.1")
    for name in ("gtk_window_new", "gtk_password_entry_new", "g_main_loop_new"):
        getattr(gtk, name).restype = ctypes.c_void_p
    gtk.gtk_init()
    window = ctypes.c_void_p(gtk.gtk_window_new())
    gtk.gtk_window_set_title(window, title.encode())
    gtk.gtk_window_set_default_size(window, 320, 60)
    entry = ctypes.c_void_p(gtk.gtk_password_entry_new())
    for side in ("start", "end", "top", "bottom"):
        getattr(gtk, f"gtk_widget_set_margin_{side}")(entry, 12)
    gtk.gtk_window_set_child(window, entry)
    gtk.gtk_window_present(window)
    gtk.g_main_loop_run(ctypes.c_void_p(gtk.g_main_loop_new(None, 0)))


if __name__ == "__main__":
    main(sys.argv[1])
