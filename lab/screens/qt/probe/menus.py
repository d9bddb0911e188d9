"""Tabs, menu bars and the rows of menus."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QTabBar, QToolButton

from demopack.domain.elements import State
from lab.screens.qt.probe.buttons import words_of
from lab.screens.qt.probe.mark import Mark, Place, style_sheet, words_in


def tab_bar(bar: QTabBar, place: Place) -> Iterator[Mark]:
    """Each tab, as far as it is scrolled into view."""
    for number in range(bar.count()):
        if not bar.isTabVisible(number):
            continue
        current = number == bar.currentIndex()
        rect, text = place.rect(bar.tabRect(number)), words_of(bar.tabText(number))
        yield Mark(
            type="tab",
            rough=rect,
            clip=_tab_clip(bar, place),
            text=text or None,
            words=words_in(rect, text, bar.font(), centred=True),
            states={
                "checked": current,
                "focused": current and bar.hasFocus(),
                "disabled": not (bar.isEnabled() and bar.isTabEnabled(number)),
            },
        )


def _tab_clip(bar: QTabBar, place: Place) -> QRectF:
    """Without what the scroll buttons cover."""
    buttons = [child for child in bar.children() if isinstance(child, QToolButton) and child.isVisible()]
    rect = bar.rect()
    for one in buttons:
        if one.width() and one.x() > bar.width() / 2 and one.arrowType() != Qt.ArrowType.NoArrow:
            rect.setRight(min(rect.right(), one.x()))
    return place.clip.intersected(place.rect(rect))


def menu_bar(bar: QMenuBar, place: Place) -> Iterator[Mark]:
    """The titles that fit in."""
    active = bar.activeAction()
    more = [child for child in bar.findChildren(QToolButton) if child.isVisible()]
    # Titles that have no room stand in the menu of a button at the end.
    last = min((child.x() for child in more), default=bar.width())
    for action in bar.actions():
        rect = bar.actionGeometry(action)
        if rect.isEmpty() or action.isSeparator() or not action.isVisible() or rect.right() > last:
            continue
        menu = _menu_of(action)
        opened = menu is not None and menu.isVisible()
        states: dict[State, bool] = {"disabled": not action.isEnabled(), "expanded": opened}
        if not opened:
            # The ground of an opened title does not tell whether it has the focus.
            states["focused"] = action is active
        yield Mark(
            type="menu",
            rough=place.rect(rect),
            clip=place.clip,
            text=words_of(action.text()),
            words=words_in(place.rect(rect), words_of(action.text()), bar.font(), centred=True),
            states=states,
        )


def menu_rows(menu: QMenu, place: Place) -> Iterator[Mark]:
    """The rows of an opened menu."""
    active = menu.activeAction()
    for action in menu.actions():
        if action.isSeparator() or not action.isVisible():
            continue
        states: dict[State, bool] = {"highlighted": action is active, "disabled": not action.isEnabled()}
        if action.isCheckable() and (action.icon().isNull() or not style_sheet()):
            # A style sheet puts the icon where the tick would stand, and draws nothing else.
            states["checked"] = action.isChecked()
        inner = _menu_of(action)
        if inner is not None:
            states["expanded"] = inner.isVisible()
        keys = action.shortcut().toString()
        yield Mark(
            type="menu_item",
            rough=place.rect(menu.actionGeometry(action)),
            clip=place.clip,
            text=f"{words_of(action.text())} {keys}".strip(),
            states=states,
        )


def _menu_of(action: QAction) -> QMenu | None:
    menu = action.menu()
    return menu if isinstance(menu, QMenu) else None
