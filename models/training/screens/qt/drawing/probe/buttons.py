"""Buttons, boxes to tick, switches, tabs and menus."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QMenu,
    QMenuBar,
    QPushButton,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QTabBar,
    QToolButton,
)

from demopack.domain.elements import State
from models.training.screens.qt.drawing.probe.mark import Mark, Place, inked_part, plain, words_in

__all__ = ["button", "check_box", "menu_bar", "menu_rows", "radio_button", "switch", "tab_bar", "tool_button"]


def button(widget: QAbstractButton, place: Place) -> Iterator[Mark]:
    """A push button; without words it is an icon."""
    if not plain(widget.text()).strip():
        yield _icon(widget, place)
        return
    states = _pressable(widget)
    if isinstance(widget, QPushButton) and widget.menu() is not None:
        states["expanded"] = widget.menu().isVisible()
    yield _button(widget, place, states)


def tool_button(widget: QToolButton, place: Place) -> Iterator[Mark]:
    """A tool button: with words a button, without them an icon."""
    style = widget.toolButtonStyle()
    if not plain(widget.text()).strip() or (
        style == Qt.ToolButtonStyle.ToolButtonIconOnly and (not widget.icon().isNull() or widget.arrowType().value)
    ):
        yield _icon(widget, place)
        return
    states = _pressable(widget)
    if widget.menu() is not None:
        states["expanded"] = widget.menu().isVisible()
    yield _button(widget, place, states)


def _button(widget: QAbstractButton, place: Place, states: dict[State, bool]) -> Mark:
    rect, text = place.rect(widget.rect()), _words(widget.text())
    words = words_in(rect, text, widget.font(), centred=True)
    return Mark(type="button", rough=rect, clip=place.clip, way="tool", text=text, words=words, states=states)


def _icon(widget: QAbstractButton, place: Place) -> Mark:
    states: dict[State, bool] = {"disabled": not widget.isEnabled()}
    if widget.isCheckable():
        states["checked"] = widget.isChecked()
    subtype = widget.property("subtype")
    if isinstance(widget, QToolButton) and widget.defaultAction() is not None and not subtype:
        subtype = widget.defaultAction().property("subtype")
    if widget.metaObject().className() == "CloseButton":
        subtype = "close"
    return Mark(
        type="icon",
        rough=place.rect(widget.rect()),
        clip=place.clip,
        way="tool",
        exact=_drawn_icon(widget, place),
        subtype=str(subtype) if subtype else None,
        states=states,
    )


def _drawn_icon(widget: QAbstractButton, place: Place) -> QRectF | None:
    """Where the signs of an icon are drawn; None where the style draws something else."""
    if widget.icon().isNull() or (isinstance(widget, QToolButton) and widget.menu() is not None):
        return None
    pixmap = widget.icon().pixmap(widget.iconSize(), 2.0)
    spot = QRectF(QPointF(0, 0), pixmap.deviceIndependentSize())
    spot.moveCenter(QRectF(widget.rect()).center())
    drawn = inked_part(pixmap.toImage())
    scale = spot.width() / max(1, pixmap.width())
    part = QRectF(drawn.topLeft() * scale + spot.topLeft(), drawn.size() * scale)
    return place.rect(part)


def _pressable(widget: QAbstractButton) -> dict[State, bool]:
    states: dict[State, bool] = {"focused": widget.hasFocus(), "disabled": not widget.isEnabled()}
    if widget.isCheckable():
        states["checked"] = widget.isChecked()
    return states


def _words(text: str) -> str:
    return " ".join(plain(text).split())


def check_box(widget: QCheckBox, place: Place) -> Iterator[Mark]:
    """The mark, and its label's line."""
    yield from _marked(
        widget, place, "checkbox", QStyle.SubElement.SE_CheckBoxIndicator, QStyle.SubElement.SE_CheckBoxContents
    )


def radio_button(widget: QRadioButton, place: Place) -> Iterator[Mark]:
    """The mark, and its label's line."""
    yield from _marked(
        widget, place, "radio", QStyle.SubElement.SE_RadioButtonIndicator, QStyle.SubElement.SE_RadioButtonContents
    )


def _marked(
    widget: QAbstractButton, place: Place, kind: str, indicator: QStyle.SubElement, contents: QStyle.SubElement
) -> Iterator[Mark]:
    option = QStyleOptionButton()
    option.initFrom(widget)
    option.text = widget.text()
    style = widget.style()
    words = _words(widget.text())
    yield Mark(
        type="radio" if kind == "radio" else "checkbox",
        rough=place.rect(style.subElementRect(indicator, option, widget)),
        clip=place.clip,
        way="frame",
        text=words or None,
        states=_pressable(widget),
    )
    area = style.subElementRect(contents, option, widget)
    yield from _line_in(widget, place, area, words, Qt.AlignmentFlag.AlignLeft)


def _line_in(
    widget: QAbstractButton, place: Place, area: QRect, words: str, alignment: Qt.AlignmentFlag
) -> Iterator[Mark]:
    metrics = widget.fontMetrics()
    line = QStyle.alignedRect(
        widget.layoutDirection(),
        alignment | Qt.AlignmentFlag.AlignVCenter,
        metrics.size(Qt.TextFlag.TextSingleLine, words),
        area,
    )
    rect = QRectF(line.adjusted(0, -1, 1, 1))
    yield from place.text(rect, words, widget.font(), pen=line.x(), baseline=line.y() + metrics.ascent())


def switch(widget: QAbstractButton, place: Place) -> Iterator[Mark]:
    """A switch of our own; it has no label inside."""
    states = _pressable(widget)
    label = widget.property("label")
    yield Mark(
        type="toggle",
        rough=place.rect(widget.rect()),
        clip=place.clip,
        way="frame",
        text=str(label) if label else None,
        states=states,
    )


def tab_bar(bar: QTabBar, place: Place) -> Iterator[Mark]:
    """Each tab, as far as it is scrolled into view."""
    for number in range(bar.count()):
        if not bar.isTabVisible(number):
            continue
        current = number == bar.currentIndex()
        rect, text = place.rect(bar.tabRect(number)), _words(bar.tabText(number))
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
    for action in bar.actions():
        rect = bar.actionGeometry(action)
        if rect.isEmpty() or action.isSeparator() or not action.isVisible():
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
            text=_words(action.text()),
            words=words_in(place.rect(rect), _words(action.text()), bar.font(), centred=True),
            states=states,
        )


def menu_rows(menu: QMenu, place: Place) -> Iterator[Mark]:
    """The rows of an opened menu."""
    active = menu.activeAction()
    for action in menu.actions():
        if action.isSeparator() or not action.isVisible():
            continue
        states: dict[State, bool] = {"highlighted": action is active, "disabled": not action.isEnabled()}
        if action.isCheckable():
            states["checked"] = action.isChecked()
        inner = _menu_of(action)
        if inner is not None:
            states["expanded"] = inner.isVisible()
        keys = action.shortcut().toString()
        yield Mark(
            type="menu_item",
            rough=place.rect(menu.actionGeometry(action)),
            clip=place.clip,
            text=f"{_words(action.text())} {keys}".strip(),
            states=states,
        )


def _menu_of(action: QAction) -> QMenu | None:
    menu = action.menu()
    return menu if isinstance(menu, QMenu) else None
