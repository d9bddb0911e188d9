"""A GTK 4 window with a field for a password and another one; run as a program, see ``gtk_window.py``."""

from __future__ import annotations

import ctypes
import sys


def main(title: str) -> None:
    """Show the window until the program is ended."""
    gtk = ctypes.CDLL("libgtk-4.so.1")
    for name in ("gtk_window_new", "gtk_box_new", "gtk_entry_new", "gtk_password_entry_new", "g_main_loop_new"):
        getattr(gtk, name).restype = ctypes.c_void_p
    gtk.gtk_init()
    window = ctypes.c_void_p(gtk.gtk_window_new())
    gtk.gtk_window_set_title(window, title.encode())
    gtk.gtk_window_set_default_size(window, 320, 60)
    box = ctypes.c_void_p(gtk.gtk_box_new(1, 20))
    for new in (gtk.gtk_password_entry_new, gtk.gtk_entry_new):
        gtk.gtk_box_append(box, ctypes.c_void_p(new()))
    gtk.gtk_window_set_child(window, box)
    gtk.gtk_window_present(window)
    gtk.g_main_loop_run(ctypes.c_void_p(gtk.g_main_loop_new(None, 0)))


if __name__ == "__main__":
    main(sys.argv[1])
