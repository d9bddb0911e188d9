"""Two models of one kind: figures side by side, and what they see differently on a demo's screens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from annotator.model_shelf import KINDS, FrameChanges, KnownModel, ModelShelf, Shelf
from annotator.model_words import name_words
from annotator.ui.controls import Segments, label, push_button
from annotator.ui.job_runner import Job, JobRunner
from annotator.ui.messages import Messages
from annotator.ui.models.change_picture import FIRST_HUE, SECOND_HUE, ChangePicture
from annotator.ui.models.figure_table import FigureTable
from annotator.ui.models.rows import Row, RowList
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr
from demopack.domain.demos import DemoSummary
from demopack.jobs import Progress
from demopack.store import Library
from models.registry import ModelKind

__all__ = ["CompareView"]

_LEAST, _MOST = 370, 420
_NAME = 150
_ASK = tr("Choose a demo and press Show what changed: both models look at its screens.")


class CompareView(QWidget):
    """Compares.

    Signals:
        open_wanted: id of a demo and of one of its frames.
    """

    open_wanted = Signal(str, str)

    def __init__(
        self, theme: Theme, *, library: Library, shelf: ModelShelf, runner: JobRunner, messages: Messages,
        pictures: Pictures,
    ) -> None:  # fmt: skip
        super().__init__()
        self._library = library
        self._service = shelf
        self._runner = runner
        self._messages = messages
        self._shelf: Shelf | None = None
        self._found: dict[str, FrameChanges] = {}
        self._demo = ""
        self._job: Job | None = None
        self.kind = Segments(tr("Kind"), (tr("Detectors"), tr("Describers"), tr("Icons")))
        self.kind.set_current(0)
        self.kind.chosen.connect(self._fill_models)
        self.first, self.second, self.demos = _combo(tr("First model")), _combo(tr("Second model")), _combo(tr("Demo"))
        for box in (self.first, self.second):
            box.activated.connect(self._compare_figures)
        self.go = push_button(
            tr("Show what changed"),
            tr("Both models look at every screen of the demo"),
            theme,
            name="find",
            role="main",
            tint="on_accent",
        )
        self.go.clicked.connect(self._show_changes)
        self.cancel = push_button(tr("Cancel"), tr("Stop comparing"), theme)
        self.cancel.clicked.connect(self._cancel)
        self.cancel.hide()
        self.table = FigureTable()
        self.screens = RowList(tr("Screens with changes"), theme, pictures=pictures)
        self.screens.current_changed.connect(self._show_screen)
        self.screens.opened.connect(self._open)
        self.picture = ChangePicture(pictures, theme)
        self._told = label("", role="muted", wraps=True)
        self._keys = _Keys(theme)
        self._lay_out()

    def show_shelf(self, shelf: Shelf) -> None:
        """Offer these models."""
        self._shelf = shelf
        self._fill_models()

    def show_demos(self, demos: Sequence[DemoSummary]) -> None:
        """Offer these demos."""
        wanted = self.demos.currentData()
        self.demos.clear()
        for demo in demos:
            self.demos.addItem(demo.head.task or tr("No task written"), demo.head.id)
        self.demos.setCurrentIndex(max(0, self.demos.findData(wanted)))
        self.go.setEnabled(bool(demos) and self._pair() is not None)

    # ----------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        chosen = QHBoxLayout()
        chosen.setSpacing(SPACE.s)
        chosen.addWidget(self.kind)
        chosen.addWidget(self.first, 1)
        chosen.addWidget(label(tr("and"), role="muted"))
        chosen.addWidget(self.second, 1)
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 0, SPACE.m)
        left.setSpacing(SPACE.s)
        left.addWidget(self.table, 3)
        left.addWidget(self.screens, 2)
        self.screens.hide()
        asked = QHBoxLayout()
        asked.setSpacing(SPACE.s)
        asked.addWidget(self.demos, 1)
        asked.addWidget(self.go)
        asked.addWidget(self.cancel)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, SPACE.l, SPACE.m)
        right.setSpacing(SPACE.s)
        right.addLayout(asked)
        right.addWidget(self.picture, 1)
        right.addWidget(self._keys)
        right.addWidget(self._told)
        sides = QHBoxLayout()
        sides.setSpacing(SPACE.l)
        holder = QWidget()
        holder.setMinimumWidth(_LEAST)
        holder.setMaximumWidth(_MOST)
        holder.setLayout(left)
        sides.addWidget(holder, 1)
        sides.addLayout(right, 2)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(SPACE.l, SPACE.m, 0, 0)
        whole.setSpacing(SPACE.m)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, SPACE.l, 0)
        top.addLayout(chosen)
        whole.addLayout(top)
        whole.addLayout(sides, 1)

    @property
    def _kind(self) -> ModelKind:
        return KINDS[self.kind.current]

    def _fill_models(self) -> None:
        known = [] if self._shelf is None else self._shelf.of(self._kind)
        wanted = [self.first.currentData(), self.second.currentData()]
        used = next((one.name for one in known if one.used), None)
        newest = max(known, key=lambda one: one.model.card.created if one.model else "", default=None)
        defaults = (used, newest.name if newest else None)
        for box, before, default in zip((self.first, self.second), wanted, defaults, strict=True):
            box.clear()
            for one in known:
                box.addItem(name_words(one) + (tr(" (in use)") if one.used else ""), one.name)
            place = box.findData(before)
            box.setCurrentIndex(place if place >= 0 else max(0, box.findData(default)))
        if len(known) > 1 and self.first.currentIndex() == self.second.currentIndex():
            self.second.setCurrentIndex(1 if self.first.currentIndex() == 0 else 0)
        self._compare_figures()

    def _pair(self) -> tuple[KnownModel, KnownModel] | None:
        known = {} if self._shelf is None else {one.name: one for one in self._shelf.of(self._kind)}
        first, second = (known.get(str(box.currentData())) for box in (self.first, self.second))
        return None if first is None or second is None or first is second else (first, second)

    def _compare_figures(self) -> None:
        pair = self._pair()
        self.go.setEnabled(pair is not None and self.demos.count() > 0)
        self._found = {}
        self.screens.hide()
        self._told.setText("")
        if pair is None:
            self.table.show_nothing(tr("Two models of one kind are needed. Train one, or add a folder."))
            self.picture.show_changes(None, message=tr("There are not two models to compare yet."))
            return
        cards = [one.model.card for one in pair if one.model is not None]
        self.table.show_cards(cards[0], cards[1], names=(name_words(pair[0]), name_words(pair[1])))
        self._keys.show_names(name_words(pair[0]), name_words(pair[1]))
        self.picture.show_changes(None, message=_ASK)

    def _show_changes(self) -> None:
        pair, demo = self._pair(), str(self.demos.currentData() or "")
        if pair is None or not demo:
            return
        names = (pair[0].name, pair[1].name)
        self.go.setEnabled(False)
        self.cancel.show()
        self._told.setText(tr("Waking the models …"))

        def progress(told: Progress) -> None:
            self._told.setText(tr("Looking at screen {value} …").format(value=told.done + 1))

        def end() -> None:
            self._job = None
            self.cancel.hide()
            self.go.setEnabled(self._pair() is not None)
            if not self._found:
                self._told.setText("")

        self._job = self._runner.run(
            tr("Comparing models"),
            lambda control: self._service.differences(
                self._library, demo, kind=pair[0].kind, names=names, control=control
            ),
            on_result=partial(self._take, demo, pair),
            on_error=self._messages.show_error,
            on_progress=progress,
            on_end=end,
        )

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _take(self, demo: str, pair: tuple[KnownModel, KnownModel], found: list[FrameChanges]) -> None:
        if self._pair() != pair:
            return
        self._demo = demo
        self._found = {one.frame.id: one for one in found}
        rows = [
            Row(key=one.frame.id, title=capital(one.shown), caption=_counted(one), frame=one.frame.id) for one in found
        ]
        self.screens.setVisible(bool(rows))
        self.screens.show_rows(rows)
        changes = sum(len(one.changes.changes) for one in found)
        same = sum(one.changes.same for one in found)
        screens = tr("1 screen") if len(found) == 1 else tr("{found} screens").format(found=len(found))
        self._told.setText(
            tr("{screens}: {changes} changes, {same} elements alike. ← → go through the changes.").format(
                screens=screens, changes=changes, same=same
            )
        )
        self._show_screen(self.screens.current)

    def _open(self, frame: str) -> None:
        self.open_wanted.emit(self._demo, frame)

    def _show_screen(self, frame: str) -> None:
        found = self._found.get(frame)
        if found is not None:
            self.picture.show_changes(found)


def _combo(name: str) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setMinimumWidth(140)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


def _counted(found: FrameChanges) -> str:
    counts = Counter(change.kind for change in found.changes.changes)
    words = {"appeared": tr("only in the second"), "vanished": tr("only in the first"), "type": tr("of another type"),
             "text": tr("with another text"), "states": tr("with other states")}  # fmt: skip
    return ", ".join(f"{count} {words[kind]}" for kind, count in counts.most_common()) or tr("Both see the same")


class _Keys(QWidget):
    """Which hue and line is whose."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._names = (tr("First"), tr("Second"))
        self.setFixedHeight(22)
        theme.changed.connect(self.update)

    def show_names(self, first: str, second: str) -> None:
        """Whose they are."""
        metrics = self.fontMetrics()
        kept = [metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, _NAME) for name in (first, second)]
        self._names = (kept[0], kept[1])
        self.setToolTip(
            tr("Dashed: {first}\nSolid: {second}\nBoth: they see it differently").format(first=first, second=second)
        )
        self.setFixedWidth(sum(metrics.horizontalAdvance(name) + 28 + SPACE.l for name in self._names))
        self.setAccessibleName(
            tr("Dashed: {first}. Solid: {second}. Both: they see it differently.").format(first=first, second=second)
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: a line and a name each."""
        del event
        painter = QPainter(self)
        x, y = 0, self.height() // 2
        for name, hue, style in zip(
            self._names, (FIRST_HUE, SECOND_HUE), (Qt.PenStyle.DashLine, Qt.PenStyle.SolidLine), strict=True
        ):
            painter.setPen(QPen(QColor(hue), 3, style))
            painter.drawLine(x, y, x + 22, y)
            painter.setPen(QColor(self._theme.palette.text))
            painter.drawText(x + 28, y + self.fontMetrics().ascent() // 2 - 1, name)
            x += 28 + self.fontMetrics().horizontalAdvance(name) + SPACE.l
