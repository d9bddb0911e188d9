"""The window's pages: each lies over the one it was opened from, and only the one that is seen has the keyboard."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget


class PageStack(QStackedWidget):
    """A way there and back over pages; every page is on the way at most once, so that back always comes to an end."""

    def __init__(self, first: QWidget) -> None:
        super().__init__()
        self.addWidget(first)
        self._way = [first]
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    def open(self, page: QWidget) -> None:
        """Show a page over the one that is shown; what lies over it already is left."""
        if self.indexOf(page) < 0:
            self.addWidget(page)
        if page in self._way:
            del self._way[self._way.index(page) + 1 :]
        else:
            self._way.append(page)
        self.setCurrentWidget(page)

    def open_first(self, page: QWidget) -> None:
        """Show a page over the first one; all others are left."""
        del self._way[1:]
        self.open(page)

    def back(self) -> None:
        """Show what the page that is shown lies over."""
        if len(self._way) > 1:
            self._way.pop()
        self._show_last()

    def remove(self, page: QWidget) -> None:
        """Take a page out for good, wherever on the way it is."""
        if page in self._way:
            self._way.remove(page)
        self._show_last()
        self.removeWidget(page)

    def _show_last(self) -> None:
        page = self._way[-1]
        self.setCurrentWidget(page)
        self._listener(page).setFocus()

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        """Qt gives the focus to whatever asks for it, seen or not: a job that ends, a list that is filled."""
        shown = self.currentWidget()
        if new is None or shown is None or new.isVisible() or not self.isAncestorOf(new):
            return
        stays = old is not None and old.isVisible() and shown.isAncestorOf(old)
        (old if stays and old is not None else self._listener(shown)).setFocus()

    def _listener(self, page: QWidget) -> QWidget:
        """What had the keyboard on a page last, as far as that is seen."""
        last = cast("QWidget | None", page.focusWidget())
        return page if last is None or not last.isVisibleTo(page) else last
