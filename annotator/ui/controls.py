"""Small controls that every window shares, each with an accessible name and a tooltip."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import (
    QAction,
    QColor,
    QFocusEvent,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.finding.review import ReviewProgress
from annotator.ui.icons import Tint, icon
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

_PAUSE_MS = 700

_B = TypeVar("_B", bound=QAbstractButton)
_L = TypeVar("_L", bound=QBoxLayout)
_Margins: TypeAlias = int | tuple[int, int, int, int]
Call: TypeAlias = Callable[..., object] | SignalInstance
"""Called, or emitted, when a control is used; it may take the signal's own arguments too."""
LayoutPart: TypeAlias = (
    QWidget | QLayout | tuple[QWidget | QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag] | int | None
)
"""A widget or layout, perhaps with its stretch and alignment; a number for so many free pixels, None for what room is
left."""


ACTION, CLICKS, KEY, _WORDS = "keyAction", "keyClicks", "keyText", "keyWords"
"""Properties of a widget that shows the key of an action; the ``KeyRing`` of its page fills in which key that is."""


def native(text: str) -> str:
    """A key as the platform writes it."""
    return QKeySequence(text).toString(QKeySequence.SequenceFormat.NativeText)


def shortcut_tip(text: str, keys: str = "") -> str:
    """A tooltip with its shortcut, in the words of the platform."""
    return f"{text} ({native(keys)})" if keys else text


def set_tip(widget: QWidget | QAction, words: str = "", *, action: str = "", clicks: bool = False) -> None:
    """Give a widget a tooltip that ends with the key of an action, whichever that is.

    Args:
        widget: a control, or an entry of a menu.
        words: before the key; empty for the same as before.
        action: name of a ``Key``, or several names with spaces between; empty for the same as before.
        clicks: whether a click triggers the action.
    """
    if words:
        widget.setProperty(_WORDS, words)
    if action:
        widget.setProperty(ACTION, action)
        widget.setProperty(CLICKS, clicks)
    widget.setToolTip(shortcut_tip(str(widget.property(_WORDS)), str(widget.property(KEY) or "")))


def label(text: str, *, role: str = "", wraps: bool = False) -> QLabel:
    """A label that looks as its role says; see the style sheet."""
    made = QLabel(text)
    if role:
        made.setProperty("role", role)
    if wraps:
        made.setWordWrap(True)
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    made.setTextFormat(Qt.TextFormat.PlainText)
    return made


def show_words(of: QLabel, words: str) -> None:
    """Show words on a label; none hides it."""
    of.setText(words)
    of.setVisible(bool(words))


def figure(text: str, *, role: str = "") -> QLabel:
    """A label at the right edge of its cell, as numbers under each other stand."""
    made = label(text, role=role)
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made


def flat_button(
    name: str,
    tip: str,
    theme: Theme,
    *,
    keys: str = "",
    action: str = "",
    tint: Tint = "text",
    call: Call | None = None,
) -> QToolButton:
    """A button that is only an icon; a click triggers the ``action`` of the page, or does the ``call``."""
    made = QToolButton()
    made.setProperty("role", "flat")
    made.setAccessibleName(tip)
    return _dressed(made, icon(name, theme, tint=tint), tip, keys=keys, action=action, call=call)


def push_button(
    text: str,
    tip: str,
    theme: Theme,
    *,
    name: str = "",
    keys: str = "",
    action: str = "",
    role: str = "",
    tint: Tint = "text",
    call: Call | None = None,
) -> QPushButton:
    """A button with words and perhaps an icon; a click triggers the ``action`` of the page, or does the ``call``."""
    made = QPushButton(text)
    if role:
        made.setProperty("role", role)
    made.setAccessibleName(text)
    made.setAccessibleDescription(tip)
    picture = icon(name, theme, tint="on_accent" if role == "main" else tint) if name else QIcon()
    return _dressed(made, picture, tip, keys=keys, action=action, call=call)


def _dressed(made: _B, picture: QIcon, tip: str, *, keys: str, action: str, call: Call | None) -> _B:
    made.setIcon(picture)
    made.setIconSize(QSize(16, 16))
    made.setToolTip(shortcut_tip(tip, keys))
    if action:
        set_tip(made, tip, action=action, clicks=True)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if call is not None:
        made.clicked.connect(call)
    return made


class Bar(QWidget):
    """A widget with a ground of its own: that of its name in the style sheet."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def page_bar(title: str, back: SignalInstance, theme: Theme, *parts: LayoutPart) -> QWidget:
    """The bar over a page: the way back, what the page is called, and more parts."""
    made = Bar("bar")
    leave = flat_button("back", tr("Back"), theme, keys="Esc", call=back)
    row(leave, label(title, role="title"), SPACE.m, *parts, of=made, margins=(SPACE.m, SPACE.m, SPACE.xl, SPACE.m))
    return made


def check_box(text: str, tip: str, *, on: bool = False, call: Callable[[bool], object] | None = None) -> QCheckBox:
    """A box to tick, with words; a change by the user is told to ``call``."""
    made = QCheckBox(text)
    made.setToolTip(tip)
    made.setAccessibleName(text)
    made.setAccessibleDescription(tip)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setChecked(on)
    if call is not None:
        made.clicked.connect(lambda: call(made.isChecked()))
    return made


def combo_box(
    name: str,
    tip: str,
    entries: Iterable[tuple[str, object]] = (),
    *,
    call: Call | None = None,
    focus: Qt.FocusPolicy = Qt.FocusPolicy.TabFocus,
) -> QComboBox:
    """A list to choose from: words with their data; another choice does the ``call``.

    In the editor a click leaves the keyboard where it is: letters are shortcuts there. Forms take another ``focus``.
    """
    made = QComboBox()
    made.setAccessibleName(name)
    made.setToolTip(tip)
    made.setFocusPolicy(focus)
    for words, data in entries:
        made.addItem(words, data)
    if call is not None:
        made.currentIndexChanged.connect(call)
    return made


def row(
    *parts: LayoutPart,
    of: QWidget | None = None,
    spacing: int = SPACE.s,
    margins: _Margins = 0,
) -> QHBoxLayout:
    """Parts beside each other; ``of`` is the widget that they fill.

    Spacing and margins are pixels: one number for all sides, or left, top, right, bottom;
    -1 for what the style has.
    """
    return _filled(QHBoxLayout() if of is None else QHBoxLayout(of), parts, spacing, margins)


def column(
    *parts: LayoutPart,
    of: QWidget | None = None,
    spacing: int = SPACE.s,
    margins: _Margins = 0,
) -> QVBoxLayout:
    """Parts under each other; otherwise as :func:`row`."""
    return _filled(QVBoxLayout() if of is None else QVBoxLayout(of), parts, spacing, margins)


def _filled(made: _L, parts: Iterable[LayoutPart], spacing: int, margins: _Margins) -> _L:
    made.setSpacing(spacing)
    made.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    for part in parts:
        if part is None:
            made.addStretch(1)
            continue
        if isinstance(part, int):
            made.addSpacing(part)
            continue
        one, stretch, *aligned = part if isinstance(part, tuple) else (part, 0)
        if isinstance(one, QWidget):
            made.addWidget(one, stretch, *aligned)
        else:
            made.addLayout(one, stretch)
    return made


def table(rows: Iterable[Sequence[QWidget]], *, spacing: int = SPACE.l, below: int = 2) -> QGridLayout:
    """Cells in rows and columns, with so many pixels between the columns, and between the rows."""
    made = QGridLayout()
    made.setHorizontalSpacing(spacing)
    made.setVerticalSpacing(below)
    for at, cells in enumerate(rows):
        for place, cell in enumerate(cells):
            made.addWidget(cell, at, place)
    return made


def scroll_area(inside: QWidget, name: str) -> QScrollArea:
    """An area that scrolls a widget, which takes all its width."""
    made = QScrollArea()
    made.setWidgetResizable(True)
    made.setWidget(inside)
    made.setAccessibleName(name)
    return made


def discard(parts: Iterable[QWidget]) -> None:
    """Take widgets off the screen at once, and delete them soon."""
    for part in parts:
        part.hide()
        part.deleteLater()


class _EventHook(QObject):
    """Shows the events of a widget to a call, until its owner ends; the widget does not get what the call takes."""

    def __init__(self, owner: QObject, watched: QObject, call: Callable[[QEvent], bool]) -> None:
        super().__init__(owner)
        self._call = call
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook."""
        return self._call(event) or super().eventFilter(watched, event)


def on_resize(owner: QObject, watched: QWidget, call: Callable[[], object]) -> None:
    """Call something of an owner whenever a widget has another size."""

    def look(event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            call()
        return False

    _EventHook(owner, watched, look)


def on_escape(widget: QWidget, call: Callable[[], object], *, always: bool = False) -> None:
    """Call something when Esc arrives at a widget; ``always`` also where Esc is a shortcut of what lies around it."""

    def look(event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return False
        if event.type() == QEvent.Type.KeyPress:
            call()
        elif event.type() == QEvent.Type.ShortcutOverride and always:
            event.accept()
        else:
            return False
        return True

    _EventHook(widget, widget, look)


def line() -> QFrame:
    """A thin separator."""
    made = QFrame()
    made.setObjectName("line")
    return made


class Segments(QWidget):
    """A few choices side by side, or in more lines, one of them taken.

    Signals:
        chosen: the index that the user took.
    """

    chosen = Signal(int)

    def __init__(
        self,
        name: str,
        choices: Sequence[str],
        *,
        tips: Sequence[str] = (),
        actions: Sequence[str] = (),
        fills: bool = False,
    ) -> None:
        """Make the buttons, wide if it ``fills``; ``actions`` name the ``Key`` that each tip ends with."""
        super().__init__()
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._grid = QGridLayout(self)
        self._grid.setSpacing(0)
        self._grid.setContentsMargins(0, 0, 0, 0)
        for i, text in enumerate(choices):
            button = QToolButton()
            button.setText(text)
            button.setCheckable(True)
            button.setProperty("role", "segment")
            button.setAccessibleName(f"{name}: {text}")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if fills:
                button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            set_tip(button, tips[i] if tips else f"{name}: {text}", action=actions[i] if actions else "")
            self._group.addButton(button, i)
        self.set_lines(1)
        self._group.idClicked.connect(self.chosen)

    def set_lines(self, lines: int) -> None:
        """Put the choices into so many lines."""
        columns = -(-len(self._group.buttons()) // lines)
        for i, button in enumerate(self._group.buttons()):
            down, across = divmod(i, columns)
            button.setProperty("place", "first" if across == 0 else "last" if across == columns - 1 else "middle")
            button.style().unpolish(button)
            button.style().polish(button)
            self._grid.addWidget(button, down, across)
        # At once: whoever asks how wide it is now does not wait for Qt to be told.
        self.updateGeometry()

    def set_current(self, index: int) -> None:
        """Show which one is taken, without telling anybody."""
        self._group.button(index).setChecked(True)

    def set_none(self) -> None:
        """Show that none of them is taken."""
        self._group.setExclusive(False)
        for button in self._group.buttons():
            button.setChecked(False)
        self._group.setExclusive(True)

    @property
    def current(self) -> int:
        """Which one is taken; -1 for none."""
        return self._group.checkedId()

    def button(self, index: int) -> QToolButton:
        """One of the choices."""
        made = self._group.button(index)
        if not isinstance(made, QToolButton):
            raise IndexError(index)
        return made


def _keeps_key(edited: QLineEdit | QTextDocument, event: QEvent) -> bool:
    """False for undo and redo where the text has nothing of the kind: the key is then left to the window."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return True
    undo = event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
    if undo and not (edited.isUndoAvailable() or edited.isRedoAvailable()):
        event.ignore()
        return False
    return True


class LineField(QLineEdit):
    """One line of text that is handed over when the user is done with it.

    Enter and leaving the field hand it over; Esc restores what it was. With nothing of its own left to undo it lets
    Ctrl+Z through to the document.

    Signals:
        committed: the new text; only when it differs.
    """

    committed = Signal(str)

    def __init__(self, name: str, *, placeholder: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self._shown = ""
        self.editingFinished.connect(self.flush)

    def show_text(self, text: str) -> None:
        """Show what the document says, unless the user is typing something else."""
        if text == self._shown and self.text() != text and self.hasFocus():
            return
        self._shown = text
        if self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)

    def flush(self) -> None:
        """Hand over what was typed."""
        if self.text() != self._shown:
            self._shown = self.text()
            self.committed.emit(self._shown)

    def event(self, event: QEvent) -> bool:
        """Qt's hook: which keys the field keeps for itself."""
        return super().event(event) if _keeps_key(self, event) else False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc takes back what was typed."""
        if event.key() == Qt.Key.Key_Escape and self.text() != self._shown:
            self.setText(self._shown)
            return
        super().keyPressEvent(event)


class TitleField(LineField):
    """A line that is cut with an ellipsis while nobody writes in it."""

    def __init__(self, name: str, *, placeholder: str = "") -> None:
        super().__init__(name, placeholder=placeholder)
        self.setProperty("role", "title")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: cut what does not fit."""
        room = self.contentsRect().adjusted(8, 0, -8, 0)
        metrics = self.fontMetrics()
        if self.hasFocus() or metrics.horizontalAdvance(self.text()) <= room.width():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        words = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words)


class TextField(QPlainTextEdit):
    """Several lines of text, handed over after a pause and when the field is left.

    Signals:
        committed: the new text; only when it differs.
    """

    committed = Signal(str)

    def __init__(self, name: str, *, placeholder: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self._shown = ""
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self.flush)
        self.textChanged.connect(self._pause.start)

    def show_text(self, text: str) -> None:
        """Show what the document says, unless the user is typing something else."""
        if text == self._shown and self.toPlainText() != text and self.hasFocus():
            return
        self._shown = text
        if self.toPlainText() != text:
            self.setPlainText(text)

    def flush(self) -> None:
        """Hand over what was typed."""
        self._pause.stop()
        text = self.toPlainText()
        if text != self._shown:
            self._shown = text
            self.committed.emit(text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's hook: leaving hands over."""
        self.flush()
        super().focusOutEvent(event)

    def event(self, event: QEvent) -> bool:
        """Qt's hook: which keys the field keeps for itself."""
        return super().event(event) if _keeps_key(self.document(), event) else False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc takes back what was typed, Ctrl+Enter hands it over."""
        if event.key() == Qt.Key.Key_Escape and self.toPlainText() != self._shown:
            self.setPlainText(self._shown)
            return
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.flush()
            return
        super().keyPressEvent(event)


class ProgressLine(QWidget):
    """Approved, doubtful, the rest; the words are its tool tip and its accessible description."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.progress = ReviewProgress()
        self.setAccessibleName(name)
        self.setFixedHeight(6)
        self.setMinimumWidth(48)

    def show_progress(self, progress: ReviewProgress) -> None:
        """Show another state."""
        self.progress = progress
        self.setToolTip(progress.words)
        self.setAccessibleDescription(progress.words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: three bars over each other."""
        del event
        shown, palette, painter = self.progress, self._theme.palette, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        total = max(shown.total, 1)
        for share, colour in (
            (total, palette.track),
            (shown.approved + shown.doubtful, palette.warning),
            (shown.approved, palette.success),
        ):
            if share:
                painter.setBrush(QColor(colour))
                painter.drawRoundedRect(0, 0, round(self.width() * share / total), self.height(), 3, 3)
