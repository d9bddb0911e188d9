"""Fields to write in, drop-downs, sliders, scroll bars and bars of progress."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDateTimeEdit,
    QDial,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QScrollBar,
    QSlider,
    QStyle,
    QStyleOptionComplex,
    QStyleOptionProgressBar,
    QStyleOptionSlider,
    QTextEdit,
    QToolButton,
    QWidget,
)

from demopack.domain.elements import ElementType, State
from lab.screens.qt.probe.buttons import tool_button
from lab.screens.qt.probe.lines import document_lines, shown_in_edit, shown_in_plain
from lab.screens.qt.probe.mark import Mark, Place, style_sheet, words_in


def _active(widget: QWidget, *, focused: bool | None = None) -> dict[State, bool]:
    return {"focused": widget.hasFocus() if focused is None else focused, "disabled": not widget.isEnabled()}


def _field(
    widget: QWidget, place: Place, kind: ElementType, text: str | None, states: dict[State, bool] | None = None
) -> Mark:
    rect = place.rect(widget.rect())
    words = None if kind == "text_area" else words_in(rect, text or "", widget.font(), indent=6)
    return Mark(
        type=kind,
        rough=rect,
        clip=place.clip,
        way="frame",
        text=text or None,
        words=words,
        states=states or _active(widget),
    )


def line_edit(widget: QLineEdit, place: Place) -> Iterator[Mark]:
    """A line to write in; a hint counts as its text, the dots of a password do not."""
    shown = _shown(widget)
    yield _field(widget, place, "input_field", shown)
    for tool in widget.findChildren(QToolButton):
        # A sign before the words belongs to them; one behind can be pressed.
        if tool.isVisible() and (not shown or tool.x() > widget.width() / 2):
            yield from tool_button(tool, place.of(tool))


def _shown(edit: QLineEdit) -> str:
    if edit.echoMode() != QLineEdit.EchoMode.Normal:
        return "" if edit.text() else edit.placeholderText()
    if not edit.text():
        return edit.placeholderText()
    middle = edit.height() // 2
    first = edit.cursorPositionAt(QPoint(1, middle))
    last = edit.cursorPositionAt(QPoint(edit.width() - 2, middle))
    return edit.displayText()[first:last].strip()


def text_edit(widget: QTextEdit, place: Place) -> Iterator[Mark]:
    """An editor owns its text; what can only be read is lines on a page."""
    if not widget.isReadOnly():
        shown = shown_in_edit(widget)
        yield _field(widget, place, "text_area", shown or widget.placeholderText())
        return
    view = widget.viewport()
    inner = place.of(view)
    scrolled = QPoint(-widget.horizontalScrollBar().value(), -widget.verticalScrollBar().value())
    yield from document_lines(widget.document(), inner, scrolled.toPointF())


def plain_edit(widget: QPlainTextEdit, place: Place) -> Iterator[Mark]:
    """An editor of plain text; it owns its text."""
    shown = shown_in_plain(widget)
    yield _field(widget, place, "text_area", shown or widget.placeholderText())


def spin_box(widget: QAbstractSpinBox, place: Place) -> Iterator[Mark]:
    """A number with steps; one that opens a calendar looks like a drop-down and is one."""
    text = widget.text()
    focused = widget.hasFocus() or widget.lineEdit().hasFocus()
    if isinstance(widget, QDateTimeEdit) and widget.calendarPopup():
        yield _field(widget, place, "dropdown", text, {**_active(widget, focused=focused), "expanded": False})
        return
    if widget.buttonSymbols() == QAbstractSpinBox.ButtonSymbols.NoButtons:
        yield _field(widget, place, "input_field", text, _active(widget, focused=focused))
        return
    yield _field(widget, place, "spinner", text, _active(widget, focused=focused))


def combo(widget: QComboBox, place: Place) -> Iterator[Mark]:
    """A drop-down list, closed or open."""
    edit = widget.lineEdit() if widget.isEditable() else None
    text = widget.currentText() or widget.placeholderText() if edit is None else _shown(edit)
    focused = widget.hasFocus() or (edit is not None and edit.hasFocus())
    states: dict[State, bool] = {**_active(widget, focused=focused), "expanded": widget.view().isVisible()}
    yield _field(widget, place, "dropdown", text, states)


def slider(widget: QAbstractSlider, place: Place) -> Iterator[Mark]:
    """Track and handle."""
    rect = widget.rect()
    if isinstance(widget, QSlider):
        option = _slider_option(widget)
        groove = _part(widget, QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderGroove)
        handle = _part(widget, QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle)
        rect = groove.united(handle)
    round_one = isinstance(widget, QDial)
    states: dict[State, bool] = {"focused": widget.hasFocus()}
    # Hardly a style of Qt's own draws a slider that cannot be moved in another way; a sheet says so.
    if widget.isEnabled() or "QSlider::handle:disabled" in style_sheet():
        states["disabled"] = not widget.isEnabled()
    yield Mark(
        type="slider",
        rough=place.rect(rect),
        clip=place.clip,
        way="ink" if round_one else "tight",
        states=states,
    )


def scroll_bar(widget: QScrollBar, place: Place) -> Iterator[Mark]:
    """The track, its thumb and its buttons, where they are drawn."""
    across = widget.orientation() == Qt.Orientation.Horizontal
    yield Mark(
        type="scrollbar", rough=place.rect(widget.rect()), clip=place.clip, states={"disabled": not widget.isEnabled()}
    )
    option = _slider_option(widget)
    parts: list[tuple[ElementType, QStyle.SubControl]] = [
        ("scrollbar_thumb", QStyle.SubControl.SC_ScrollBarSlider),
        ("scrollbar_left_button" if across else "scrollbar_up_button", QStyle.SubControl.SC_ScrollBarSubLine),
        ("scrollbar_right_button" if across else "scrollbar_down_button", QStyle.SubControl.SC_ScrollBarAddLine),
    ]
    for kind, part in parts:
        rect = _part(widget, QStyle.ComplexControl.CC_ScrollBar, option, part)
        if rect.isEmpty() or (kind == "scrollbar_thumb" and widget.minimum() == widget.maximum()):
            continue
        yield Mark(type=kind, rough=place.rect(rect), clip=place.clip, way="frame")


def _slider_option(widget: QAbstractSlider) -> QStyleOptionSlider:
    option = QStyleOptionSlider()
    option.initFrom(widget)
    option.orientation = widget.orientation()
    option.minimum, option.maximum = widget.minimum(), widget.maximum()
    option.sliderPosition = option.sliderValue = widget.sliderPosition()
    option.singleStep, option.pageStep = widget.singleStep(), widget.pageStep()
    across = widget.orientation() == Qt.Orientation.Horizontal
    if across:
        option.state |= QStyle.StateFlag.State_Horizontal
    if isinstance(widget, QSlider):
        option.upsideDown = widget.invertedAppearance() if across else not widget.invertedAppearance()
        option.tickPosition = widget.tickPosition()
        option.tickInterval = widget.tickInterval()
    else:
        option.upsideDown = widget.invertedAppearance()
    return option


def _part(
    widget: QWidget, control: QStyle.ComplexControl, option: QStyleOptionComplex, part: QStyle.SubControl
) -> QRect:
    return widget.style().subControlRect(control, option, part, widget)


def _progress_label(widget: QProgressBar) -> QRect:
    """Some styles put the words beside the bar."""
    option = QStyleOptionProgressBar()
    widget.initStyleOption(option)
    return widget.style().subElementRect(QStyle.SubElement.SE_ProgressBarLabel, option, widget)


def progress(widget: QProgressBar, place: Place) -> Iterator[Mark]:
    """A bar of progress is no type of its own; its words are a line."""
    yield Mark(
        type="other",
        rough=place.rect(widget.rect()),
        clip=place.clip,
        way="frame",
        subtype="progress",
        states={"disabled": not widget.isEnabled()},
    )
    if widget.isTextVisible():
        metrics = QFontMetricsF(widget.font())
        size = QSizeF(metrics.horizontalAdvance(widget.text()), metrics.height())
        line = QRectF(QPointF(0, 0), size)
        line.moveCenter(QRectF(_progress_label(widget)).center())
        yield from place.text(line, widget.text(), widget.font(), baseline=line.y() + metrics.ascent())
