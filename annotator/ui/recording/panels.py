"""Panels under the bar: the steps so far, the health of the recording, and a prompt for a note or a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QLabel, QLineEdit, QListView, QStyleOptionViewItem

from annotator.step_words import describe_step, doubt_words
from annotator.ui.controls import column, discard, label, on_escape, show_words
from annotator.ui.icons import paint_icon
from annotator.ui.painting import RowDelegate, draw_line
from annotator.ui.recording.floating import Floating, borrow_focus
from annotator.ui.recording.recording_words import typed_in
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, SPACE
from annotator.words import tr
from demopack.clock import now_ns
from demopack.domain.steps import Step
from demopack.domain.words import variable_name
from recorder.event_filter import OwnWindows

if TYPE_CHECKING:
    from recorder.backends.x11.windows import X11Focus

_WIDTH = 360
_OK = (tr("All is well"), "", tr("Pictures of the screen and your input arrive, and every step so far is on the disk."))


class HealthPanel(Floating):
    """Opened by the health light; follows while it is open."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, name="Health of the recording", radius=10)
        self._column = column(of=self, spacing=SPACE.xs, margins=(SPACE.l, SPACE.m, SPACE.l, SPACE.m))
        self.parts: list[QLabel] = []
        self.show_problems([])

    def show_problems(self, problems: Sequence[str]) -> None:
        """Show each problem: the first sentence says what is wrong, the rest how to mend it."""
        discard(self.parts)
        self.parts = []
        for words, dot, hint in [problem.partition(". ") for problem in problems] or [_OK]:
            self.parts.append(label(words + dot.strip(), role="words", wraps=True))
            if hint:
                self.parts.append(label(hint, role="muted", wraps=True))
        inner = _WIDTH - 2 * SPACE.l
        high = 2 * SPACE.m + SPACE.xs * (len(self.parts) - 1)
        for part in self.parts:
            self._column.addWidget(part)
            part.ensurePolished()
            part.setFixedSize(inner, part.heightForWidth(inner))
            high += part.height()
        self.setFixedSize(_WIDTH, high)


StepRole = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex
_ROW, _UNDER = 26, 16
_MAX_HEIGHT = 10 * _ROW
_NOTHING = tr("Nothing has been done yet.")


class RecordedSteps(QStandardItemModel):
    """The steps so far as Qt reads them."""

    @property
    def steps(self) -> list[Step]:
        """The steps so far, newest last."""
        return [self.item(row).data(StepRole) for row in range(self.rowCount())]

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's variant
        """Qt's hook: a facet of a step."""
        step = super().data(index, StepRole)
        if role == StepRole or not isinstance(step, Step):
            return step
        words = describe_step(step)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ". ".join([f"{index.row() + 1} {words}", *_doubts(step), *([step.note] if step.note else [])])
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join([words, *_doubts(step)])
        return words if role == Qt.ItemDataRole.DisplayRole else None

    def add(self, step: Step) -> None:
        """One more step."""
        item = QStandardItem()
        item.setData(step, StepRole)
        self.appendRow(item)

    def change(self, step: Step) -> None:
        """A saved step is another now."""
        for row, old in enumerate(self.steps):
            if old.id == step.id:
                self.item(row).setData(step, StepRole)

    def remove(self, ids: Sequence[str]) -> None:
        """These are gone for good."""
        for row, step in reversed(list(enumerate(self.steps))):
            if step.id in ids:
                self.removeRow(row)


def _doubts(step: Step) -> list[str]:
    return [doubt_words(doubt) for doubt in step.doubts(parsed=False)]


class _Painter(RowDelegate):
    """Number, words, the variable's name; a sign of doubt at the edge; the note below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Qt's hook: a second line where there is a note."""
        del option
        return QSize(100, _ROW + (_UNDER if index.data(StepRole).note else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Qt's hook: paint one line."""
        step: Step = index.data(StepRole)
        palette, doubtful = self._theme.palette, bool(step.doubts(parsed=False))
        box = QRect(option.rect).adjusted(SPACE.m, 0, -SPACE.m, 0)  # pyright: ignore[reportAttributeAccessIssue]
        first = QRect(box.left(), box.top(), box.width(), _ROW)
        painter.save()
        painter.setPen(QColor(palette.warning if doubtful else palette.muted))
        painter.drawText(first, Qt.AlignmentFlag.AlignVCenter, str(index.row() + 1))
        room = first.adjusted(28, 0, 0, 0)
        if doubtful:
            paint_icon(painter, "warning", QRect(room.right() - 15, room.top() + 5, 16, 16), palette.warning)
            room.setRight(room.right() - 20)
        if step.variable:
            name = f"{{{step.variable}}}"
            width = min(painter.fontMetrics().horizontalAdvance(name), room.width() // 2)
            painter.setPen(QColor(palette.accent))
            place = QRect(room.right() + 1 - width, room.top(), width, room.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, name)
            room.setRight(room.right() - width - SPACE.s)
        draw_line(painter, room, index.data(), size=FONT.base, colour=palette.text)
        if step.note:
            under = QRect(room.left(), first.bottom() - 3, box.right() - room.left(), _UNDER)
            paint_icon(painter, "note", QRect(under.left(), under.top() + 2, 12, 12), palette.muted)
            draw_line(painter, under.adjusted(16, 0, 0, 0), step.note, size=FONT.caption, colour=palette.muted)
        painter.restore()


class StepsPanel(Floating):
    """Follows the recording; a click on it changes nothing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, name="Steps so far", radius=10)
        self.model = RecordedSteps()
        self._view = QListView()
        self._view.setModel(self.model)
        _Painter(self._view, tr("Steps so far"), theme)
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self._view.setProperty("role", "plain")
        self._nothing = label(_NOTHING, role="muted")
        self._nothing.setContentsMargins(SPACE.m, 0, SPACE.m, 0)
        column(self._view, self._nothing, of=self, spacing=-1, margins=(1, SPACE.s, 1, SPACE.s))
        self._hangs_above = False
        for changed in (self.model.rowsInserted, self.model.rowsRemoved, self.model.dataChanged, self.model.modelReset):
            changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self._view.setVisible(bool(self.model.steps))
        self._nothing.setVisible(not self.model.steps)
        high = sum(_ROW + (_UNDER if step.note else 0) for step in self.model.steps)
        bottom = self.y() + self.height()
        above = self.isVisible() and self._hangs_above
        self.setFixedSize(_WIDTH, min(max(high, _ROW), _MAX_HEIGHT) + 2 * SPACE.s)
        if above:
            self.move(self.x(), bottom - self.height())
        self._view.scrollToBottom()

    def show_beside(self, anchor: QRect) -> None:
        """See :class:`Floating`; where it hangs above the bar, it grows upwards."""
        super().show_beside(anchor)
        self._hangs_above = self.y() < anchor.top()
        self._view.scrollToBottom()


class PlanPanel(Floating):
    """How the task that is recorded can be done."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, name="Plan", radius=10)
        self.words = label("", wraps=True)
        self.note = label("", role="muted", wraps=True)
        margins = (SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        column(label(tr("Plan"), role="heading"), self.words, self.note, of=self, margins=margins)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.words.text() and not self.note.text()

    def show_plan(self, steps: Sequence[str], note: str = "") -> None:
        """Show other steps, and a note below them."""
        show_words(self.words, "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1)))
        show_words(self.note, note)
        inner = _WIDTH - 2 * SPACE.l
        for part in (self.words, self.note):
            part.ensurePolished()
            part.setFixedSize(inner, max(0, part.heightForWidth(inner)))  # none has a height of -1
        self.setFixedWidth(_WIDTH)


PromptKind = Literal["note", "variable"]
_KEYS = tr("Enter keeps it, Esc leaves it; it becomes no step.")


class LinePrompt(Floating):
    """One line near the bar.

    Signals:
        kept: ``note`` or ``variable``, and the note on the last step, or the variable's name, made fit.
    """

    kept = Signal(str, str)

    def __init__(self, theme: Theme, own: OwnWindows) -> None:
        super().__init__(theme, name="Note", radius=10, takes_focus=True)
        self._own = own
        self._loan: X11Focus | None = None
        self._kind: PromptKind = "note"
        self.title = label("", role="words")
        self.field = QLineEdit()
        self.field.returnPressed.connect(self._keep)
        self.field.textEdited.connect(self._on_edited)
        self._hint = label(_KEYS, role="caption")
        self._touched = False
        layout = column(
            self.title,
            self.field,
            self._hint,
            of=self,
            spacing=SPACE.xs + 2,
            margins=(SPACE.l, SPACE.m, SPACE.l, SPACE.m),
        )
        self.setFixedSize(_WIDTH, layout.sizeHint().height())
        on_escape(self, self.hide)

    def ask(self, kind: PromptKind, *, anchor: QRect, number: int, step: Step | None) -> None:
        """Open it beside the bar's box, or change the question; ``number`` is that of the last step, 0 for none."""
        self._own.begin_input(now_ns())
        if self._loan is None:
            self._loan = borrow_focus()
        self._kind = kind
        self._touched = False
        self.field.clear()
        self.follow(number, step)
        self.field.setAccessibleName(tr("Note") if kind == "note" else tr("Name of the variable"))
        self.field.setPlaceholderText(tr("What matters here?") if kind == "note" else tr("For instance last_name"))
        self.show_beside(anchor)
        self.raise_()
        self.activateWindow()
        if self._loan is not None:
            self._loan.take(int(self.winId()))
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def follow(self, number: int, step: Step | None) -> None:
        """Another step is the last one now: the question, and what is suggested, are about that."""
        if self._kind == "note":
            words = "" if step is None else describe_step(step)
            title = (
                tr("Note on step {number}: {words}").format(number=number, words=words)
                if number
                else tr("Note on the last step")
            )
            suggested = "" if step is None else step.note
        elif step is None or not typed_in(step):
            title, suggested = tr("Name of a variable"), ""
        else:
            title = tr("Name for what was typed: “{typed}”").format(typed=typed_in(step))
            from player.variables import field_name

            suggested = step.variable or field_name(step) or variable_name(typed_in(step))
        room = _WIDTH - 2 * SPACE.l
        self.title.setText(self.title.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room))
        if not self._touched:
            self.field.setText(suggested)
            self.field.selectAll()

    def _on_edited(self) -> None:
        self._touched = True
        self._hint.setText(_KEYS)

    def _keep(self) -> None:
        text = self.field.text().strip()
        if self._kind == "variable":
            text = variable_name(text)
            if not text:
                self._hint.setText(tr("A name needs letters or digits, for instance last_name."))
                return
        self.hide()
        if text:
            self.kept.emit(self._kind, text)

    def changeEvent(self, event: QEvent) -> None:
        """Qt's hook: somebody turns to another program and back."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isVisible():
            (self._own.begin_input if self.isActiveWindow() else self._own.end_input)(now_ns())

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt's hook: the input goes back to the program that had it."""
        super().hideEvent(event)
        self._own.end_input(now_ns())
        loan, self._loan = self._loan, None
        if loan is not None:
            loan.give_back()
