"""Compares the open demo with another person's work: a tab with every difference, and who was right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

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
from annotator.ui.controls import LineField, column, combo_box, label, line, push_button, row
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import Lines, part
from annotator.ui.keys.key import Key
from annotator.ui.painting import font_of, is_chosen, row_ground
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.view_state import show_frame
from annotator.words import capital, tr
from demopack.errors import DemopackError

_Index = QModelIndex | QPersistentModelIndex
_DIFFERENCE: Final = Qt.ItemDataRole.UserRole
_TEXT_FLAGS: Final = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class DifferenceDelegate(QStyledItemDelegate):
    """Words in the text's size, the place as a caption under them."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Qt's hook: as high as its lines are at this width."""
        del option
        width = self._view.viewport().width()
        words, _, place = str(index.data()).partition("\n")
        height = sum(self._height(text, size, width) for text, size in ((words, FONT.base), (place, FONT.caption)))
        return QSize(width, height + 2 * SPACE.s)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Qt's hook: ground, words, place."""
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


class DifferenceList(QListWidget):
    """Differences; arrows and clicks show one, Enter takes theirs, Shift+Enter keeps mine."""

    def __init__(self, theme: Theme, decide: Callable[[Choice], None]) -> None:
        super().__init__()
        self._decide = decide
        self.setItemDelegate(DifferenceDelegate(theme, self))
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Differences"))
        self.setToolTip(tr("Enter takes theirs, Shift+Enter keeps mine"))
        self.setLayoutMode(QListWidget.LayoutMode.Batched)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListWidget.EditTrigger.NoEditTriggers)

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


def _call(decide: Callable[[Choice], None], choice: Choice, *_: object) -> None:
    decide(choice)


class SecondAnnotatorPanel(QWidget):
    """Whose opinion, how far both agree, every difference, and who was right; the feature decides.

    Attributes:
        path: where the other one's work is.
        said: how far both agree.
        kinds: which kind of differences is listed.
        list: the differences.
        none: says that there is no difference.
    """

    def __init__(self, theme: Theme, feature: SecondAnnotatorFeature) -> None:
        super().__init__()
        self._feature = feature
        self.path = LineField(tr("Whose work"), placeholder=tr("Library, pack or annotations"))
        self.path.setToolTip(tr("Another person's library, a pack, or annotations of the same pictures"))
        self.path.committed.connect(feature.compare)
        folder = tr("Choose the folder of the other one's work")
        pick = push_button(tr("Choose …"), folder, theme, name="folder", call=feature.pick)
        self.said = Lines(tr("Agreement"), tr("How far both agree"))
        which = tr("Which differences are listed")
        self.kinds = combo_box(tr("Kind of differences"), which, call=feature.show_differences)
        self.list = DifferenceList(theme, feature.decide)
        self.none = label("", role="caption", wraps=True)
        self._differences, self._rest = QWidget(), QWidget()
        inside = part(tr("Differences"), self.kinds, self.none, self.list, self._button_rows(theme))
        inside.setStretch(inside.indexOf(self.list), 1)
        self._differences.setLayout(inside)
        source = part(tr("Second opinion"), row((self.path, 1), pick))
        column(source, self.said, line(), (self._differences, 1), (self._rest, 1), of=self, spacing=0)
        self.list.currentItemChanged.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        self._show_list(shown=False)

    def _button_rows(self, theme: Theme) -> QVBoxLayout:
        listed = tr("For every difference that is listed, in one edit")
        keep = tr("Approve mine and do not ask again (Shift+Enter)")
        decide, decide_all = self._feature.decide, self._feature.decide_all
        choices: tuple[tuple[str, str, str, Callable[[Choice], None], Choice], ...] = (
            (tr("Take theirs"), tr("Make mine like theirs (Enter)"), "main", decide, "theirs"),
            (tr("Keep mine"), keep, "", decide, "mine"),
            (tr("Take all of theirs"), listed, "", decide_all, "theirs"),
            (tr("Keep all of mine"), listed, "", decide_all, "mine"),
        )
        self._buttons = [
            push_button(words, tip, theme, role=role, call=partial(_call, call, choice))
            for words, tip, role, call, choice in choices
        ]
        single, every = self._buttons[:2], self._buttons[2:]
        return column(row(*((one, 1) for one in single)), row(*((one, 1) for one in every)))

    # Showing --------------------------------------------------------------------------------------------------

    @property
    def source(self) -> Path | None:
        """The other one's work; None while there is none."""
        text = self.path.text().strip()
        return Path(text).expanduser() if text else None

    @property
    def kind(self) -> Kind | None:
        """Which kind is listed; None for all."""
        name = self.kinds.currentData()
        return next((kind for kind in KINDS if kind == name), None)

    @property
    def chosen(self) -> Difference | None:
        """The difference that is looked at; None for none."""
        found: Difference | None = self.list.currentIndex().data(_DIFFERENCE)
        return found

    def show_nothing(self, lines: Sequence[str], *, wrong: bool = False) -> None:
        """There is no opinion to compare with."""
        self.said.show_lines(lines, role="error" if wrong else "fact")
        self.list.clear()
        self._show_list(shown=False)

    def show_differences(
        self, found: Sequence[Difference], counts: Mapping[Kind, int], place: Callable[[str], str]
    ) -> None:
        """List differences; the row that was chosen stays at its place.

        Args:
            found: those of the kind that is listed.
            counts: of every kind.
            place: where in the demo a picture is, in words.
        """
        row = max(self.list.currentRow(), 0)
        self._show_kinds(counts)
        with QSignalBlocker(self.list):
            self.list.clear()
            for one in found:
                item = QListWidgetItem(f"{one.words}\n{place(one.frame)}", self.list)
                item.setToolTip(item.text())
                item.setData(_DIFFERENCE, one)
        self._show_list(shown=True)
        self.none.setText("" if found else tr("There is no difference."))
        self.none.setVisible(not found)
        for button in self._buttons:
            button.setEnabled(bool(found))
        if found:
            self.list.setCurrentRow(min(row, len(found) - 1))
        else:
            self._feature.look_at(None)

    def _show_kinds(self, counts: Mapping[Kind, int]) -> None:
        chosen = self.kind
        with QSignalBlocker(self.kinds):
            self.kinds.clear()
            self.kinds.addItem(tr("All differences ({number})").format(number=sum(counts.values())), None)
            for kind in KINDS:
                if counts.get(kind) or kind == chosen:
                    self.kinds.addItem(f"{capital(KIND_WORDS[kind])} ({counts.get(kind, 0)})", kind)
            self.kinds.setCurrentIndex(max(self.kinds.findData(chosen), 0))

    def _show_list(self, *, shown: bool) -> None:
        self._differences.setVisible(shown)
        self._rest.setVisible(not shown)

    def _choose(self, *_: object) -> None:
        self._feature.look_at(self.chosen)


_TAB = "opinion"
_PAUSE_MS = 300


def _style(theme: Theme) -> OutlineStyle:
    """A dashed box in the colour of doubt."""
    colours = theme.palette
    dashed = QPen(QColor(colours.warning), 2, Qt.PenStyle.DashLine)
    return OutlineStyle(pens=(QPen(QColor(colours.window), 4), dashed))


class SecondAnnotatorFeature(Feature):
    """The tab with the differences, and the other one's box on the picture.

    Attributes:
        panel: the tab.
        layer: the other one's box.
        differences: every difference; None until two are compared.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.differences: DifferenceTable | None = None
        self.panel = SecondAnnotatorPanel(context.theme, self)
        self.layer = OutlineLayer(partial(_style, context.theme))
        self._looked: Difference | None = None
        context.panel.add_tab(_TAB, tr("Second opinion"), self.panel, stays=False)
        context.head.add_job(
            "second_opinion",
            tr("Compare with another person"),
            self._open,
            tip=tr("Where their work on the same pictures differs, and who was right"),
        )
        context.canvas.add_layer(self.layer)
        # Many pictures may change in one edit; the list is made once, when all have.
        self._later = QTimer(self.panel, interval=0, singleShot=True)
        self._later.timeout.connect(self.show_differences)
        # The figures are about all pictures: they may come a moment after the list.
        self._figures = QTimer(self.panel, interval=_PAUSE_MS, singleShot=True)
        self._figures.timeout.connect(self._show_figures)
        context.document.elements_changed.connect(self._on_elements)
        context.view.frame_changed.connect(self._on_frame)

    # Comparing ------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.context.leave()
        self.context.panel.show_tab(_TAB)
        self.panel.path.setFocus()

    def pick(self) -> None:
        """Let the user choose the folder of the other one's work, and compare with it."""
        chosen = self.context.services.pick_folder(self.context.page.window(), tr("Whose work should be compared?"))
        if chosen is not None:
            self.panel.path.show_text(str(chosen))
            self.compare()

    def compare(self) -> None:
        """Compare with what the panel names."""
        source, session = self.panel.source, self.context.session
        self.differences = None
        self.panel.show_nothing(())
        if source is None:
            return
        demo = session.document.demo()

        def show(second: SecondAnnotator) -> None:
            self.differences = DifferenceTable(second, session.document.elements)
            self._show_figures()
            self.show_differences()
            self.panel.list.setFocus()

        def fail(error: Exception) -> None:
            if isinstance(error, DemopackError):
                self.panel.show_nothing([error.user_message, error.hint], wrong=True)
            else:
                self.context.messages.show_error(error)

        self.context.operations.run(
            tr("Comparing"),
            lambda control: read_second_annotator(source, demo, control=control),
            on_result=show,
            on_error=fail,
            newest="opinion",
        )

    def show_differences(self, *_: object) -> None:
        """List the differences of the chosen kind."""
        found = self.differences
        if found is not None:
            self.panel.show_differences(found.all(self.panel.kind), found.counts(), self._place)

    def _show_figures(self) -> None:
        found = self.differences
        if found is not None:
            self.panel.said.show_lines([f"{found.second.name}.", *agreement_lines(found.agreement())])

    def _on_elements(self, frame_id: str) -> None:
        if self.differences is not None and self.differences.refresh(frame_id):
            self._later.start()
            self._figures.start()

    def _place(self, frame_id: str) -> str:
        shown = moments_of(self.context.document.steps, frame_id)
        return capital(shown) or tr("On the last picture")

    # One difference -------------------------------------------------------------------------------------------

    def look_at(self, one: Difference | None) -> None:
        """Show the picture, my element selected and theirs drawn over it."""
        self._looked = one
        context = self.context
        if one is None:
            self.layer.show(())
            context.canvas.update()
            return
        show_frame(context.view, one.frame)
        context.view.select(() if one.mine is None else (one.mine.uid,))
        self._on_frame()

    def _on_frame(self) -> None:
        one, frame = self._looked, self.context.view.frame
        theirs = one.theirs if one is not None and frame is not None and frame.id == one.frame else None
        self.layer.show(() if theirs is None else (theirs.box,))
        self.context.canvas.update()

    def decide(self, choice: Choice) -> None:
        """Say who was right about the difference that is looked at."""
        one = self.panel.chosen
        if one is not None:
            self.context.do(Adjudicate(differences=[one], choice=choice))

    def decide_all(self, choice: Choice) -> None:
        """Say who was right about all that are listed, in one edit."""
        if self.differences is not None:
            self.context.do(Adjudicate(differences=self.differences.all(self.panel.kind), choice=choice))

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("take_theirs", tr("Take their opinion, in the list"), ("Return",), "Find and review", "shown"),
        Key("keep_mine", tr("Keep my opinion, in the list"), ("Shift+Return",), "Find and review", "shown"),
    )
