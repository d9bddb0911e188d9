"""Compares the open demo with another person's work: a tab with every difference, and who was right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    QStringListModel,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyleOptionViewItem, QWidget

from annotator.second_annotator.agreement import agreement_lines
from annotator.second_annotator.differences import (
    KIND_WORDS,
    KINDS,
    Adjudicate,
    Choice,
    Difference,
    DifferenceTable,
    Kind,
)
from annotator.second_annotator.sources import SecondAnnotator, read_second_annotator
from annotator.step_words import moments_of
from annotator.ui.canvas.layers import OutlineLayer, OutlineStyle
from annotator.ui.controls import LineField, column, combo_box, label, line, push_button, row, show_words
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import Lines, part
from annotator.ui.keys.key import Key
from annotator.ui.painting import RowDelegate, font_of, is_chosen, row_ground
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.view_state import show_frame
from annotator.words import capital, tr

_Index = QModelIndex | QPersistentModelIndex
_TEXT_FLAGS: Final = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class _DifferenceDelegate(RowDelegate):
    """Words in the text's size, the place as a caption under them."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        del option
        width = self._view.viewport().width()
        words, _, place = str(index.data()).partition("\n")
        height = sum(self._height(text, size, width) for text, size in ((words, FONT.base), (place, FONT.caption)))
        return QSize(width, height + 2 * SPACE.s)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        palette = self._theme.palette
        painter.save()
        box = row_ground(painter, option, palette, edge=palette.accent if is_chosen(option) else "")
        inside = box.adjusted(SPACE.s, SPACE.s, -SPACE.s, -SPACE.s)
        words, _, place = str(index.data()).partition("\n")
        for text, size, colour in ((words, FONT.base, palette.text), (place, FONT.caption, palette.muted)):
            painter.setFont(font_of(self._view.font(), size=size))
            painter.setPen(QColor(colour))
            painter.drawText(inside, int(_TEXT_FLAGS), text)
            inside.setTop(inside.top() + self._height(text, size, box.width()))
        painter.restore()

    def _height(self, text: str, size: int, width: int) -> int:
        metrics = QFontMetrics(font_of(self._view.font(), size=size))
        return metrics.boundingRect(QRect(0, 0, width - 2 * SPACE.s, 1000), int(_TEXT_FLAGS), text).height()


_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class _DifferenceList(QListView):
    """Differences; arrows and clicks show one, Enter takes theirs, Shift+Enter keeps mine."""

    def __init__(self, theme: Theme, decide: Callable[[Choice], None]) -> None:
        super().__init__()
        self._decide = decide
        # Not a QListWidget: PySide empties one item by item, and each that goes makes another row the current one.
        self._words = QStringListModel(self)
        self.setModel(self._words)
        self._shown: Sequence[Difference] = ()
        _DifferenceDelegate(self, tr("Differences"), theme)
        self.setToolTip(tr("Enter takes theirs, Shift+Enter keeps mine"))
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setResizeMode(QListView.ResizeMode.Adjust)

    @property
    def current(self) -> Difference | None:
        """The chosen one."""
        row = self.currentIndex().row()
        return self._shown[row] if row >= 0 else None

    def show_differences(self, found: Sequence[Difference], words: Sequence[str]) -> None:
        """List these, in these words; none is chosen, and no signal tells of it."""
        self._shown = found
        self._words.setStringList(words)

    def choose(self, row: int) -> None:
        """Make a row the current one."""
        self.setCurrentIndex(self._words.index(row))

    def event(self, event: QEvent) -> bool:
        """Qt's hook: Enter belongs to the list while it has the focus."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _means(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: decide."""
        choice = _means(event)
        if choice is None:
            super().keyPressEvent(event)
        else:
            self._decide(choice)


def _means(event: QKeyEvent) -> Choice | None:
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if Qt.Key(event.key()) not in _ENTER:
        return None
    if held == Qt.KeyboardModifier.NoModifier:
        return "theirs"
    return "mine" if held == Qt.KeyboardModifier.ShiftModifier else None


_TAB = "opinion"
_PAUSE_MS = 300


def _style(theme: Theme) -> OutlineStyle:
    """A dashed box in the colour of doubt."""
    colours = theme.palette
    dashed = QPen(QColor(colours.warning), 2, Qt.PenStyle.DashLine)
    return OutlineStyle(pens=(QPen(QColor(colours.window), 4), dashed))


class SecondAnnotatorFeature(Feature):
    """The tab with whose opinion, how far both agree and every difference; the other one's box on the picture.

    Attributes:
        path: where the other one's work is.
        said: how far both agree.
        kinds: which kind of differences is listed.
        list: the differences.
        none: says that there is no difference.
        layer: the other one's box.
        differences: every difference; None until two are compared.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.differences: DifferenceTable | None = None
        self.layer = OutlineLayer(partial(_style, context.theme))
        self._looked: Difference | None = None
        self._differences, self._rest = QWidget(), QWidget()
        tab = self._make_tab(context.theme)
        context.panel.add_tab(_TAB, tr("Second opinion"), tab, stays=False)
        tip = tr("Where their work on the same pictures differs, and who was right")
        context.head.add_job("second_opinion", tr("Compare with another person"), self._open, tip=tip)
        context.canvas.add_layer(self.layer)
        # Many pictures may change in one edit; the list is made once, when all have.
        self._later = QTimer(tab, interval=0, singleShot=True)
        self._later.timeout.connect(self._show_differences)
        # The figures are about all pictures: they may come a moment after the list.
        self._figures = QTimer(tab, interval=_PAUSE_MS, singleShot=True)
        self._figures.timeout.connect(self._show_figures)
        context.document.elements_changed.connect(self._on_elements)
        context.view.frame_changed.connect(self._on_frame)
        self._show_list(shown=False)

    def _make_tab(self, theme: Theme) -> QWidget:
        self.path = LineField(tr("Whose work"), placeholder=tr("Library, pack or annotations"))
        self.path.setToolTip(tr("Another person's library, a pack, or annotations of the same pictures"))
        self.path.committed.connect(self._compare)
        folder = tr("Choose the folder of the other one's work")
        pick = push_button(tr("Choose …"), folder, theme, name="folder", call=self._pick)
        self.said = Lines(tr("Agreement"), tr("How far both agree"))
        which = tr("Which differences are listed")
        self.kinds = combo_box(tr("Kind of differences"), which, call=self._show_differences)
        self.list = _DifferenceList(theme, self._decide)
        self.list.selectionModel().currentChanged.connect(self._look_at_current)
        self.list.clicked.connect(self._look_at_current)
        self.none = label("", role="caption", wraps=True)
        listed = tr("For every difference that is listed, in one edit")
        keep = tr("Approve mine and do not ask again (Shift+Enter)")
        theirs = tr("Make mine like theirs (Enter)")
        self._buttons = (
            push_button(tr("Take theirs"), theirs, theme, role="main", call=lambda: self._decide("theirs")),
            push_button(tr("Keep mine"), keep, theme, call=lambda: self._decide("mine")),
            push_button(tr("Take all of theirs"), listed, theme, call=lambda: self._decide("theirs", every=True)),
            push_button(tr("Keep all of mine"), listed, theme, call=lambda: self._decide("mine", every=True)),
        )
        rows = [row(*((one, 1) for one in pair)) for pair in (self._buttons[:2], self._buttons[2:])]
        inside = part(tr("Differences"), self.kinds, self.none, self.list, column(*rows))
        inside.setStretch(inside.indexOf(self.list), 1)
        self._differences.setLayout(inside)
        source, tab = part(tr("Second opinion"), self.path, row(pick, None)), QWidget()
        column(source, self.said, line(), (self._differences, 1), (self._rest, 1), of=tab, spacing=0)
        return tab

    # Comparing ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.context.leave()
        self.context.panel.show_tab(_TAB)
        self.path.setFocus()

    def _pick(self) -> None:
        """Let the user choose the folder of the other one's work, and compare with it."""
        chosen = self.context.services.pick_folder(self.context.page.window(), tr("Whose work should be compared?"))
        if chosen is not None:
            self.path.show_text(str(chosen))
            self._compare()

    def _compare(self) -> None:
        text, session = self.path.text().strip(), self.context.session
        self.differences = None
        self.said.show_lines(())
        self.list.show_differences((), ())
        self._look_at_current()
        self._show_list(shown=False)
        if not text:
            return
        source, demo = Path(text).expanduser(), session.document.demo()

        def show(second: SecondAnnotator) -> None:
            self.differences = DifferenceTable(second, session.document.elements)
            self._show_figures()
            self._show_differences()
            self.list.setFocus()

        self.context.operations.run(
            tr("Comparing"),
            lambda control: read_second_annotator(source, demo, control=control),
            on_result=show,
            on_error=lambda error: self.said.show_error(error, self.context.messages),
            newest="opinion",
        )

    def _on_elements(self, frame_id: str) -> None:
        if self.differences is not None and self.differences.refresh(frame_id):
            self._later.start()
            self._figures.start()

    # Showing --------------------------------------------------------------------------------------------------

    @property
    def kind(self) -> Kind | None:
        """Which kind is listed; None for all."""
        name = self.kinds.currentData()
        return next((kind for kind in KINDS if kind == name), None)

    def _show_list(self, *, shown: bool) -> None:
        self._differences.setVisible(shown)
        self._rest.setVisible(not shown)

    def _show_figures(self) -> None:
        found = self.differences
        if found is not None:
            self.said.show_lines([f"{found.second.name}.", *agreement_lines(found.agreement())])

    def _show_differences(self, *_: object) -> None:
        """List the differences of the chosen kind; the row that was chosen stays at its place."""
        if self.differences is None:
            return
        self._show_kinds(self.differences.counts())
        found, row = self.differences.all(self.kind), max(self.list.currentIndex().row(), 0)
        self.list.show_differences(found, [self._words_of(one) for one in found])
        self._show_list(shown=True)
        show_words(self.none, "" if found else tr("There is no difference."))
        for button in self._buttons:
            button.setEnabled(bool(found))
        if found:
            self.list.choose(min(row, len(found) - 1))
        else:
            self._look_at_current()

    def _words_of(self, one: Difference) -> str:
        place = capital(moments_of(self.context.document.steps, one.frame)) or tr("On the last picture")
        return f"{one.words}\n{place}"

    def _show_kinds(self, counts: Mapping[Kind, int]) -> None:
        chosen = self.kind
        with QSignalBlocker(self.kinds):
            self.kinds.clear()
            self.kinds.addItem(tr("All differences ({number})").format(number=sum(counts.values())), None)
            for kind in KINDS:
                if counts.get(kind) or kind == chosen:
                    self.kinds.addItem(f"{capital(KIND_WORDS[kind])} ({counts.get(kind, 0)})", kind)
            self.kinds.setCurrentIndex(max(self.kinds.findData(chosen), 0))

    # One difference -------------------------------------------------------------------------------------------

    def _look_at_current(self, *_: object) -> None:
        """Show the picture of the chosen difference, my element selected and theirs drawn over it."""
        one = self._looked = self.list.current
        if one is not None:
            show_frame(self.context.view, one.frame)
            self.context.view.select(() if one.mine is None else (one.mine.uid,))
        self._on_frame()

    def _on_frame(self) -> None:
        one = self._looked
        theirs = one.theirs if one is not None and self.context.view.is_on(one.frame) else None
        self.layer.show(() if theirs is None else (theirs.box,))
        self.context.canvas.update()

    def _decide(self, choice: Choice, *, every: bool = False) -> None:
        """Say who was right about the difference that is looked at, or about all that are listed in one edit."""
        one = self.list.current
        if self.differences is not None and (every or one is not None):
            chosen = self.differences.all(self.kind) if every or one is None else [one]
            self.context.do(Adjudicate(differences=chosen, choice=choice))

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("take_theirs", tr("Take their opinion, in the list"), ("Return",), "Find and review", "shown"),
        Key("keep_mine", tr("Keep my opinion, in the list"), ("Shift+Return",), "Find and review", "shown"),
    )
