"""Lines of text: as labels, documents and editors lay them out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QTextBlock, QTextDocument, QTextLayout, QTextLine, QTextOption
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTextEdit

from demopack.domain.elements import ElementType, State
from lab.screens.qt.probe.mark import Mark, Place


def label_lines(label: QLabel, place: Place) -> Iterator[Mark]:
    """One element for each line of a label; links are elements of their own."""
    area = _text_area(label)
    text = label.text()
    rich = label.textFormat() == Qt.TextFormat.RichText
    if rich:
        yield from _rich(label, place, area, text)
    else:
        yield from _plain(label, place, area, text)


def _text_area(label: QLabel) -> QRectF:
    margin = label.margin()
    area = QRectF(label.contentsRect().adjusted(margin, margin, -margin, -margin))
    indent = label.indent()
    if indent < 0:
        indent = label.fontMetrics().horizontalAdvance("x") // 2 - margin if label.frameWidth() > 0 else 0
    if indent > 0:
        if label.alignment() & Qt.AlignmentFlag.AlignLeft:
            area.setLeft(area.left() + indent)
        if label.alignment() & Qt.AlignmentFlag.AlignRight:
            area.setRight(area.right() - indent)
    return area


def _plain(label: QLabel, place: Place, area: QRectF, text: str) -> Iterator[Mark]:
    metrics = QFontMetricsF(label.font())
    lines = list(_wrapped(label, area.width(), text)) if label.wordWrap() else text.split("\n")
    height = metrics.lineSpacing()
    total = height * len(lines) - metrics.leading()
    top = area.y() + _offset(label.alignment(), area.height(), total)
    for number, line in enumerate(lines):
        width = metrics.horizontalAdvance(line)
        x = area.x() + _shift(label.alignment(), area.width(), width)
        y = top + number * height
        rect = QRectF(x - 1, y, width + 2, metrics.height())
        yield from place.text(rect, line, label.font(), pen=x, baseline=y + metrics.ascent())


def _wrapped(label: QLabel, width: float, text: str) -> Iterator[str]:
    for paragraph in text.split("\n"):
        layout = QTextLayout(paragraph, label.font())
        option = QTextOption(Qt.AlignmentFlag.AlignLeft)
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        layout.setTextOption(option)
        layout.beginLayout()
        while True:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(width)
            yield paragraph[line.textStart() : line.textStart() + line.textLength()].rstrip()
        layout.endLayout()


def _shift(alignment: Qt.AlignmentFlag, room: float, width: float) -> float:
    if alignment & Qt.AlignmentFlag.AlignRight:
        return room - width
    return (room - width) / 2 if alignment & Qt.AlignmentFlag.AlignHCenter else 0.0


def _offset(alignment: Qt.AlignmentFlag, room: float, height: float) -> float:
    if alignment & Qt.AlignmentFlag.AlignBottom:
        return room - height
    return 0.0 if alignment & Qt.AlignmentFlag.AlignTop else (room - height) / 2


def _rich(label: QLabel, place: Place, area: QRectF, html: str) -> Iterator[Mark]:
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setDefaultFont(label.font())
    option = QTextOption(label.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask)
    option.setWrapMode(QTextOption.WrapMode.WordWrap if label.wordWrap() else QTextOption.WrapMode.ManualWrap)
    document.setDefaultTextOption(option)
    document.setHtml(html)
    document.setTextWidth(area.width() if label.wordWrap() else max(area.width(), document.idealWidth()))
    top = area.y() + _offset(label.alignment(), area.height(), document.size().height())
    yield from document_lines(document, place, QPointF(area.x(), top))


def document_lines(document: QTextDocument, place: Place, origin: QPointF) -> Iterator[Mark]:
    """One element for each line of a document and each link in it."""
    layout = document.documentLayout()
    block = document.begin()
    while block.isValid():
        corner = layout.blockBoundingRect(block).topLeft() + origin
        for number in range(block.layout().lineCount()):
            yield from _document_line(block, block.layout().lineAt(number), place, corner)
        block = block.next()


def _document_line(block: QTextBlock, line: QTextLine, place: Place, corner: QPointF) -> Iterator[Mark]:
    for start, end, link in _runs(block, line):
        text = block.text()[start:end]
        first, last = _cursor(line, start), _cursor(line, end)
        rect = QRectF(corner.x() + first, corner.y() + line.y(), last - first, line.height())
        font = block.charFormat().font()
        kind: ElementType = "hyperlink" if link else "text"
        states: dict[State, bool] = {"highlighted": False}
        if link:
            states |= {"focused": False, "disabled": False}
        yield from place.text(rect, text.replace("\u2028", " "), font, type=kind, states=states)


def _cursor(line: QTextLine, position: int) -> float:
    # PySide6 gives back the position that was meant beside the place.
    at = cast("float | tuple[float, int]", line.cursorToX(position))
    return at[0] if isinstance(at, tuple) else at


def _runs(block: QTextBlock, line: QTextLine) -> Iterator[tuple[int, int, bool]]:
    """Start, end and whether it is a link, for each piece of a line."""
    begin, end = line.textStart(), line.textStart() + line.textLength()
    links = [
        (max(begin, span.start), min(end, span.start + span.length))
        for span in block.textFormats()
        if span.format.isAnchor() and span.start < end and span.start + span.length > begin
    ]
    at = begin
    for first, last in links:
        if first > at:
            yield at, first, False
        yield first, last, True
        at = last
    if at < end:
        yield at, end, False


def shown_in_edit(edit: QTextEdit) -> str:
    """What can be read in an editor of rich text."""
    view = QRectF(edit.viewport().rect()).translated(
        edit.horizontalScrollBar().value(), edit.verticalScrollBar().value()
    )
    layout = edit.document().documentLayout()
    lines: list[str] = []
    block = edit.document().begin()
    while block.isValid():
        lines.extend(_seen(block, layout.blockBoundingRect(block).topLeft(), view))
        block = block.next()
    return "\n".join(lines).strip("\n")


def shown_in_plain(edit: QPlainTextEdit) -> str:
    """What can be read in an editor of plain text."""
    offset = edit.contentOffset()
    view = QRectF(edit.viewport().rect())
    lines: list[str] = []
    block = edit.firstVisibleBlock()
    while block.isValid():
        corner = edit.blockBoundingGeometry(block).translated(offset).topLeft()
        if corner.y() > view.bottom():
            break
        lines.extend(_seen(block, corner, view))
        block = block.next()
    return "\n".join(lines).strip("\n")


def _seen(block: QTextBlock, corner: QPointF, view: QRectF) -> Iterator[str]:
    for number in range(block.layout().lineCount()):
        line = block.layout().lineAt(number)
        middle = corner.y() + line.y() + line.height() / 2
        if view.top() <= middle <= view.bottom():
            first = line.xToCursor(view.left() - corner.x(), QTextLine.CursorPosition.CursorOnCharacter)
            last = line.xToCursor(view.right() - corner.x(), QTextLine.CursorPosition.CursorBetweenCharacters)
            yield block.text()[first:last].rstrip()
