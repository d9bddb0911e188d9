"""A GTK 3 window that draws its own title bar and shadow, with an entry and a secure one; run as a program.

GTK has no Python binding that pip could install, so its C library is called: these few functions never change.
"""

from __future__ import annotations

import ctypes
import sys


def main(title: str) -> None:
    """Show the window until the program is ended."""
    gtk = ctypes.CDLL("libgtk-3.so.0")
    for name in ("gtk_window_new", "gtk_header_bar_new", "gtk_entry_new", "gtk_box_new"):
        getattr(gtk, name).restype = ctypes.c_void_p
    gtk.gtk_init(None, None)
    window, bar = (ctypes.c_void_p(gtk.gtk_window_new(0)), ctypes.c_void_p(gtk.gtk_header_bar_new()))
    gtk.gtk_header_bar_set_show_close_button(bar, 1)
    gtk.gtk_window_set_titlebar(window, bar)
    gtk.gtk_window_set_title(window, title.encode())
    gtk.gtk_window_set_default_size(window, 320, 160)
    box = ctypes.c_void_p(gtk.gtk_box_new(1, 20))
    gtk.gtk_container_add(window, box)
    for visible in (1, 0):
        entry = ctypes.c_void_p(gtk.gtk_entry_new())
        gtk.gtk_entry_set_visibility(entry, visible)
        gtk.gtk_container_add(box, entry)
    gtk.gtk_widget_show_all(window)
    gtk.gtk_main()


if __name__ == "__main__":
    main(sys.argv[1])
