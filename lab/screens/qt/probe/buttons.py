"""Buttons, boxes to tick and switches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QMenu,
    QPushButton,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QToolButton,
)

from demopack.domain.elements import State
from lab.screens.qt.probe.mark import Mark, Place, inked_part, plain, words_in


def button(widget: QAbstractButton, place: Place) -> Iterator[Mark]:
    """A push button; without words it is an icon."""
    if not plain(widget.text()).strip():
        yield _icon(widget, place)
        return
    states = _pressable(widget)
    opened = own_menu(widget)
    if opened is not None:
        states["expanded"] = opened.isVisible()
    yield _button(widget, place, states)


def own_menu(widget: QAbstractButton) -> QMenu | None:
    """The menu that a button opens; None when it opens none."""
    return cast("QMenu | None", widget.menu()) if isinstance(widget, (QPushButton, QToolButton)) else None


def tool_button(widget: QToolButton, place: Place) -> Iterator[Mark]:
    """A tool button: with words a button, without them an icon."""
    style = widget.toolButtonStyle()
    if not plain(widget.text()).strip() or (
        style == Qt.ToolButtonStyle.ToolButtonIconOnly and (not widget.icon().isNull() or widget.arrowType().value)
    ):
        yield _icon(widget, place)
        return
    states = _pressable(widget)
    opened = own_menu(widget)
    if opened is not None:
        states["expanded"] = opened.isVisible()
    yield _button(widget, place, states)


def _button(widget: QAbstractButton, place: Place, states: dict[State, bool]) -> Mark:
    rect, text = place.rect(widget.rect()), words_of(widget.text())
    words = words_in(rect, text, widget.font(), centred=True)
    return Mark(type="button", rough=rect, clip=place.clip, way="tool", text=text, words=words, states=states)


def _icon(widget: QAbstractButton, place: Place) -> Mark:
    states: dict[State, bool] = {"disabled": not widget.isEnabled()}
    if widget.isCheckable():
        states["checked"] = widget.isChecked()
    subtype = widget.property("subtype")
    action = cast("QAction | None", widget.defaultAction()) if isinstance(widget, QToolButton) else None
    if action is not None and not subtype:
        subtype = action.property("subtype")
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
    if widget.icon().isNull() or own_menu(widget) is not None:
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


def words_of(text: str) -> str:
    """A label as it is shown, on one line."""
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
    words = words_of(widget.text())
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
