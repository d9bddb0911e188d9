"""A GTK 4 window with an entry and a secure one; run as a program. Called from C's side, as ``gtk_window.py`` is."""

from __future__ import annotations

import ctypes
import sys


def main(title: str, order: str = "entry secure") -> None:
    """Show the window, with its fields in this order, until the program is ended."""
    gtk = ctypes.CDLL("libgtk-4.so.1")
    for name in ("gtk_window_new", "gtk_box_new", "gtk_entry_new", "gtk_password_entry_new"):
        getattr(gtk, name).restype = ctypes.c_void_p
    gtk.gtk_init()
    window = ctypes.c_void_p(gtk.gtk_window_new())
    gtk.gtk_window_set_title(window, title.encode())
    box = ctypes.c_void_p(gtk.gtk_box_new(1, 20))
    gtk.gtk_window_set_child(window, box)
    gtk.gtk_window_set_default_size(window, 360, 60)  # no higher than its fields
    new = {"entry": gtk.gtk_entry_new, "secure": gtk.gtk_password_entry_new}
    for name in order.split():
        gtk.gtk_box_append(box, ctypes.c_void_p(new[name]()))
    gtk.gtk_window_present(window)
    while True:
        gtk.g_main_context_iteration(None, 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
