"""A table of a million rows, for ``bench_beside_programs.py``: ``table.py gtk3|gtk4|qt``.

The GTK ones need the system's own Python with GObject introspection, so nothing of demopack is imported here.
"""

from __future__ import annotations

import sys

_ROWS = 1_000_000


def gtk3() -> None:
    """``Gtk.TreeView`` over a list store."""
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk

    store = Gtk.ListStore(str, int)
    for row in range(_ROWS):
        store.append([f"row {row}", row])
    view = Gtk.TreeView(model=store)
    for number, title in enumerate(("Name", "Number", "Name again", "Number again")):
        column = Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=number % 2)
        column.set_sizing(Gtk.TreeViewColumnSizing.FIXED)
        column.set_fixed_width(200)
        view.append_column(column)
    # Else it measures every row for minutes, whoever looks.
    view.set_fixed_height_mode(True)
    scrolled, window = Gtk.ScrolledWindow(), Gtk.Window(title="A million rows")
    scrolled.add(view)
    window.add(scrolled)
    window.set_default_size(900, 600)
    window.show_all()
    Gtk.main()


def gtk4() -> None:
    """``Gtk.ColumnView`` over a list of texts."""
    import gi

    gi.require_version("Gtk", "4.0")
    from gi.repository import Gtk

    rows = Gtk.StringList()
    rows.splice(0, 0, [f"row {row}" for row in range(_ROWS)])

    def show(app: object) -> None:
        view = Gtk.ColumnView(model=Gtk.SingleSelection(model=rows))
        for title in ("Name", "Name again", "And again"):
            factory = Gtk.SignalListItemFactory()
            factory.connect("setup", lambda _, item: item.set_child(Gtk.Label()))
            factory.connect("bind", lambda _, item: item.get_child().set_label(item.get_item().get_string()))
            view.append_column(Gtk.ColumnViewColumn(title=title, factory=factory))
        scrolled = Gtk.ScrolledWindow()
        scrolled.set_child(view)
        window = Gtk.ApplicationWindow(application=app, title="A million rows")
        window.set_child(scrolled)
        window.set_default_size(900, 600)
        window.present()

    app = Gtk.Application()
    app.connect("activate", show)
    app.run(None)


def qt() -> None:
    """``QTableView`` over a model that makes its cells up."""
    from PySide6.QtCore import QAbstractTableModel, Qt
    from PySide6.QtWidgets import QApplication, QTableView

    class Model(QAbstractTableModel):
        def rowCount(self, parent=None):  # noqa: N802, ANN001, ANN202, ARG002 - Qt's names
            return _ROWS

        def columnCount(self, parent=None):  # noqa: N802, ANN001, ANN202, ARG002 - Qt's names
            return 8

        def data(self, index, role=0):  # noqa: ANN001, ANN202
            return f"{index.row()}, {index.column()}" if role == Qt.ItemDataRole.DisplayRole else None

    app = QApplication([])
    model, view = Model(), QTableView()
    view.setModel(model)
    view.setWindowTitle("A million rows")
    view.resize(900, 600)
    view.show()
    app.exec()


if __name__ == "__main__":
    {"gtk3": gtk3, "gtk4": gtk4, "qt": qt}[sys.argv[1]]()
