"""What holds other widgets: groups, docks, tool bars, inner windows, status bars; and labels with pictures."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QGroupBox,
    QLabel,
    QSizeGrip,
    QStatusBar,
    QStyle,
    QStyleOptionDockWidget,
    QStyleOptionGroupBox,
    QToolBar,
    QWidget,
)

from demopack.domain.elements import ElementType
from lab.screens.qt.probe.lines import label_lines
from lab.screens.qt.probe.mark import Mark, Place, plain

_ICON_PX = 64


def label(widget: QLabel, place: Place) -> Iterator[Mark]:
    """A picture, or lines of text."""
    pixmap = widget.pixmap()
    if pixmap.isNull():
        if widget.text():
            yield from label_lines(widget, place)
        return
    size = pixmap.deviceIndependentSize().toSize()
    rect = QStyle.alignedRect(widget.layoutDirection(), widget.alignment(), size, widget.contentsRect())
    named = widget.property("truth")
    if named == "decoration":
        return
    kind: ElementType = "icon" if max(size.width(), size.height()) <= _ICON_PX else "image"
    if named in {"icon", "image", "shape"}:
        kind = named
    subtype = widget.property("subtype")
    yield Mark(
        type=kind,
        rough=place.rect(rect.intersected(widget.contentsRect())),
        clip=place.clip,
        way="ink" if kind == "icon" else "rect",
        subtype=str(subtype) if subtype else None,
        states={"disabled": not widget.isEnabled()} if kind == "icon" else {"highlighted": False},
    )


def group_box(widget: QGroupBox, place: Place) -> Iterator[Mark]:
    """The title, and the box to tick in it."""
    option = QStyleOptionGroupBox()
    option.initFrom(widget)
    widget.initStyleOption(option)
    style = widget.style()
    control = QStyle.ComplexControl.CC_GroupBox
    title = plain(widget.title())
    if widget.isCheckable():
        box = style.subControlRect(control, option, QStyle.SubControl.SC_GroupBoxCheckBox, widget)
        yield Mark(
            type="checkbox",
            rough=place.rect(box),
            clip=place.clip,
            way="frame",
            text=title or None,
            states={"checked": widget.isChecked(), "focused": widget.hasFocus(), "disabled": not widget.isEnabled()},
        )
    area = style.subControlRect(control, option, QStyle.SubControl.SC_GroupBoxLabel, widget)
    yield from place.text(QRectF(area.adjusted(0, 0, 1, 0)), title, widget.font())


def dock(widget: QDockWidget, place: Place) -> Iterator[Mark]:
    """The title; its buttons are widgets of their own."""
    option = QStyleOptionDockWidget()
    option.initFrom(widget)
    widget.initStyleOption(option)
    area = widget.style().subElementRect(QStyle.SubElement.SE_DockWidgetTitleBarText, option, widget)
    shown = widget.fontMetrics().elidedText(widget.windowTitle(), Qt.TextElideMode.ElideRight, area.width())
    yield from place.text(QRectF(area), shown, widget.font())


def tool_bar(widget: QToolBar, place: Place) -> Iterator[Mark]:
    """A strip with an edge or a ground of its own."""
    yield Mark(type="toolbar", rough=place.rect(widget.rect()), clip=place.clip, way="edge")


def panel(widget: QWidget, place: Place) -> Iterator[Mark]:
    """A frame that was made to be an element of a given type."""
    kind = widget.property("truth")
    subtype = widget.property("subtype")
    yield Mark(
        type=kind,
        rough=place.rect(widget.rect()),
        clip=place.clip,
        way="edge" if kind == "toolbar" else "rect",
        subtype=str(subtype) if subtype else None,
    )


def status_bar(widget: QStatusBar, place: Place) -> Iterator[Mark]:
    """The passing message; what stands there for good are labels."""
    message = widget.currentMessage()
    if message:
        metrics = widget.fontMetrics()
        area = QRect(6, 0, metrics.horizontalAdvance(message) + 2, widget.height())
        yield from place.text(QRectF(area.adjusted(0, 2, 0, -2)), message, widget.font())


def size_grip(widget: QSizeGrip, place: Place) -> Iterator[Mark]:
    """The grip in the corner, where the style draws one."""
    yield Mark(type="resize_handle", rough=place.rect(widget.rect()), clip=place.clip, way="ink")
