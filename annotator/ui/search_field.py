"""A field for searches: completes keys and values, and says under itself what cannot be understood and where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from annotator.finding.query import QueryError
from annotator.finding.search_keys import Completion, CompletionItem, SearchKey, completion_at
from annotator.ui.controls import column, label, set_tip
from annotator.ui.icons import icon
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from models.language.check.text_spans import TextSpan

_TextRole = Qt.ItemDataRole.UserRole + 1
_WAVE_PX = 2.0
_MAX_WIDTH = 460
_MAX_ROWS = 10


class _Offers(QListWidget):
    """What can be written, in a list under the field; a part of the window, so it takes no focus and grabs no keys."""

    def __init__(self, field: QLineEdit) -> None:
        super().__init__(field.window())
        self.setObjectName("offers")
        self.setAccessibleName(tr("What can be written here"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self._field = field
        self.hide()

    def show_offers(self, offers: Sequence[CompletionItem]) -> None:
        """Fill the list and put it where there is room for it."""
        self.setParent(self._field.window())
        self.clear()
        for one in offers:
            item = QListWidgetItem(f"{one.text}   {one.words}" if one.words else one.text)
            item.setData(_TextRole, one.text)
            self.addItem(item)
        self.setCurrentRow(-1)
        window = self._field.window()
        place = self._field.mapTo(window, self._field.rect().bottomLeft())
        wanted = max(self._field.width(), min(self.sizeHintForColumn(0) + 2 * SPACE.l, _MAX_WIDTH))
        height = min(self.count(), _MAX_ROWS) * max(self.sizeHintForRow(0), 1) + 2 * SPACE.xs
        left = max(0, min(place.x(), window.width() - wanted - SPACE.s))
        self.setGeometry(left, place.y() + 2, wanted, min(height, window.height() - place.y() - SPACE.s))
        self.show()
        self.raise_()

    def step(self, offset: int) -> None:
        """Go up or down; before the first and after the last nothing is chosen."""
        row = self.currentRow() + offset
        self.setCurrentRow(row if -1 <= row < self.count() else -1 if offset > 0 else self.count() - 1)

    @property
    def chosen(self) -> str:
        """The text of the row that was gone to; empty for none."""
        row = self.currentRow()
        return self.texts[row] if row >= 0 else ""

    @property
    def texts(self) -> list[str]:
        """What is offered."""
        return [str(self.item(row).data(_TextRole)) for row in range(self.count())]


class SearchField(QLineEdit):
    """One line that offers what can be written at the cursor, and underlines what is wrong.

    Attributes:
        texts: where the values of ``text:`` come from.

    Signals:
        left: Esc was pressed in an empty field.
        entered: Enter was pressed, and nothing was offered.
        down: the Down key was pressed, and nothing was offered.
    """

    left = Signal()
    entered = Signal()
    down = Signal()

    def __init__(self, name: str, theme: Theme, *, keys: Mapping[str, SearchKey[Any]]) -> None:
        super().__init__()
        self._theme = theme
        self._keys = keys
        self.texts: Callable[[], Sequence[str]] = tuple
        self._wrong: TextSpan | None = None
        self._completion = Completion(start=0, end=0)
        self.setAccessibleName(name)
        self.setPlaceholderText(name)
        self.setClearButtonEnabled(True)
        self.addAction(icon("search", theme, tint="muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._offers = _Offers(self)
        self._offers.itemClicked.connect(lambda: self.choose(self._offers.chosen))
        # It is a child of the window, which may outlive the field.
        self.destroyed.connect(self._offers.deleteLater)
        self.textEdited.connect(self._on_edited)

    def mark(self, span: TextSpan | None) -> None:
        """Underline a piece; None for nothing."""
        if span != self._wrong:
            self._wrong = span
            self.update()

    @property
    def marked(self) -> str:
        """The piece that is underlined; empty for none."""
        return "" if self._wrong is None else self.text()[self._wrong.start : self._wrong.end]

    # Completing -----------------------------------------------------------------------------------------------

    @property
    def offered(self) -> list[str]:
        """What is offered just now; empty while nothing is."""
        return [] if self._offers.isHidden() else self._offers.texts

    def offer(self) -> None:
        """Show what can be written at the cursor."""
        found = completion_at(self.text(), self.cursorPosition(), self._keys, texts=self.texts())
        if not found.offered:
            self._offers.hide()
            return
        self._completion = found
        self._offers.show_offers(found.offered)

    def choose(self, text: str) -> None:
        """Write one of the offers; after a key its values are offered."""
        self._offers.hide()
        found, ended = self._completion, not text.endswith(":")
        before, after = self.text()[: found.start], self.text()[found.end :]
        written = f"{text} " if ended else text
        self.setText(before + written + (after.lstrip() if ended else after))
        self.setCursorPosition(len(before) + len(written))
        if not ended:
            self.offer()

    def _on_edited(self, text: str) -> None:
        """Offer while a word is written, not after a space: there Enter and arrows have another meaning."""
        at = self.cursorPosition()
        if at and not text[at - 1].isspace():
            self.offer()
        else:
            self._offers.hide()

    # Keys -----------------------------------------------------------------------------------------------------

    def _on_escape(self) -> None:
        if not self._offers.isHidden():
            self._offers.hide()
        elif self.text():
            self.clear()
        else:
            self.left.emit()

    def _on_arrow(self, offset: int) -> None:
        if not self._offers.isHidden():
            self._offers.step(offset)
        elif offset > 0:
            self.down.emit()

    def _on_enter(self) -> None:
        chosen = "" if self._offers.isHidden() else self._offers.chosen
        if chosen:
            self.choose(chosen)
        else:
            self._offers.hide()
            self.entered.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc clears, then leaves; arrows and Enter choose; Ctrl+Space offers everything."""
        key = event.key()
        if key == Qt.Key.Key_Space and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.offer()
        elif key == Qt.Key.Key_Escape:
            self._on_escape()
        elif key in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            self._on_arrow(1 if key == Qt.Key.Key_Down else -1)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._on_enter()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Qt's hook: Tab takes the only offer, or the one that was gone to."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Tab:
            offered = self.offered
            chosen = self._offers.chosen if offered else ""
            if chosen or len(offered) == 1:
                self.choose(chosen or offered[0])
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's hook: nothing is offered any more."""
        self._offers.hide()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: a wave under what is wrong."""
        super().paintEvent(event)
        if self._wrong is None:
            return
        metrics, cursor = self.fontMetrics(), self.cursorRect()
        # The field scrolls by itself; where its text begins follows from where its cursor is.
        origin = cursor.center().x() - metrics.horizontalAdvance(self.text()[: self.cursorPosition()])
        start = origin + metrics.horizontalAdvance(self.text()[: self._wrong.start])
        end = origin + metrics.horizontalAdvance(self.text()[: self._wrong.end])
        y = cursor.center().y() + metrics.height() / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self.contentsRect().adjusted(SPACE.s, 0, -SPACE.s, 0))
        painter.setPen(QPen(QColor(self._theme.palette.danger), 1.4))
        steps = range(int(max(end - start, 6) // _WAVE_PX) + 1)
        painter.drawPolyline(QPolygonF([QPointF(start + i * _WAVE_PX, y + (i % 2) * _WAVE_PX) for i in steps]))


class SearchBox(QWidget):
    """The field, and under it what is said about what stands in it.

    Signals:
        searched: another search that can be understood.
    """

    searched = Signal(str)

    def __init__(
        self,
        name: str,
        theme: Theme,
        *,
        keys: Mapping[str, SearchKey[Any]],
        check: Callable[[str], object],
        tip: str,
    ) -> None:
        super().__init__()
        self._check = check
        self.text = ""
        self.field = SearchField(name, theme, keys=keys)
        set_tip(self.field, tip)
        self.field.textChanged.connect(self._on_text)
        self.error = label("", role="error", wraps=True)
        self.unfinished = label("", role="caption", wraps=True)
        layout = column(self.field, of=self, spacing=SPACE.xs)
        for words in (self.error, self.unfinished):
            layout.addWidget(words)
            words.hide()

    def _on_text(self, text: str) -> None:
        try:
            self._check(text)
        except QueryError as error:
            self._tell(error)
            return
        self._tell(None)
        if text != self.text:
            self.text = text
            self.searched.emit(text)

    def _tell(self, error: QueryError | None) -> None:
        """What is merely not written to its end is said quietly."""
        wrong = error is not None and not error.unfinished
        for words, shown in ((self.error, wrong), (self.unfinished, error is not None and not wrong)):
            words.setText(error.user_message if error is not None and shown else "")
            words.setVisible(shown)
        self.field.mark(error.span if error is not None and wrong else None)
