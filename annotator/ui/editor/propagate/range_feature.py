"""Copying the selected boxes over a range of steps, or taking them away there; with the bar that asks for the range."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSpinBox

from annotator.propagate.spreading import CopyOver, RemoveOver, Where, frames_between, where_same, wherever
from annotator.ui.controls import Bar, Segments, check_box, column, flat_button, label, on_escape, push_button, row
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.fitting import Fitting, hiding, stacking
from annotator.ui.keys.key import Key
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr


class RangeBar(Bar):
    """Two rows under the picture: which steps, under which condition, and what to do there with the selection."""

    def __init__(self, context: EditorContext) -> None:
        super().__init__("footer")
        self._context, theme = context, context.theme
        self.setAccessibleName(tr("Copy boxes over steps"))
        self._words = label("", role="words")
        self._way = Segments(
            tr("Direction"),
            (tr("Back"), tr("On")),
            tips=(tr("All steps before this one"), tr("All steps after this one")),
        )
        self._way.chosen.connect(self._choose_way)
        self._first, self._last = _step_field(tr("First step")), _step_field(tr("Last step"))
        same = tr("Leave out pictures that show something else in the place of a box")
        self.same = check_box(tr("Only where it looks the same"), same, on=True)
        copies, removes = tr("Copy the selected boxes to these steps"), tr("Take the same boxes away from these steps")
        self._copy = push_button(
            tr("Copy"), copies, theme, role="main", keys="Return", call=lambda: self._start(removes=False)
        )
        self._remove = push_button(tr("Remove"), removes, theme, call=lambda: self._start(removes=True))
        close = flat_button("close", tr("Close"), theme, keys="Esc", call=self.close_bar)
        steps, to = label(tr("Steps"), role="muted"), label(tr("to"), role="muted")
        # Two rows or four: between two panels there is not much room.
        which = row(row(self._words, self._way, None), row(steps, self._first, to, self._last, None, close))
        what = row(self.same, row(None, self._copy, self._remove))
        column(which, what, of=self, spacing=SPACE.xs, margins=(SPACE.m, SPACE.xs, SPACE.s, SPACE.s))
        self._fitting = Fitting(self, (stacking(what), stacking(which), hiding(self._way)), says=self._words.text)
        on_escape(self, self.close_bar)
        context.view.selection_changed.connect(self._show_selection)
        self.hide()

    @property
    def steps(self) -> tuple[int, int]:
        """The range: numbers of its first and last step, from 1."""
        return self._first.value(), self._last.value()

    def open_for_step(self) -> None:
        """Show the bar, set to all that follows the current step."""
        self._show_selection()
        index, count = self._context.view.index, len(self._context.document.steps)
        for field in (self._first, self._last):
            field.setRange(1, max(count, 1))
        self._way.button(0).setEnabled(index > 0)
        self._way.button(1).setEnabled(index + 1 < count)
        self._way.set_current(1 if index + 1 < count else 0)
        self._choose_way(self._way.current)
        self.show()
        self._last.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._last.selectAll()

    def _show_selection(self, *, running: bool = False) -> None:
        """How many boxes are meant; a job that runs cannot be started again."""
        count = len(self._context.view.selection)
        words = tr("1 selected box") if count == 1 else tr("{count} selected boxes").format(count=count)
        self._words.setText(words if count else tr("Select boxes first"))
        for button in (self._copy, self._remove):
            button.setEnabled(bool(count) and not running)

    def close_bar(self) -> None:
        """Put it away."""
        self.hide()
        self._context.canvas.setFocus()

    def _choose_way(self, place: int) -> None:
        index = self._context.view.index
        first, last = (index + 2, len(self._context.document.steps)) if place else (1, index)
        self._first.setValue(first)
        self._last.setValue(last)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Enter copies, or removes with the focus on that button."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._copy.isEnabled():
            self._start(removes=self._remove.hasFocus())
        else:
            super().keyPressEvent(event)

    def _start(self, *, removes: bool) -> None:
        context = self._context
        context.leave()
        uids, source = context.view.selection, context.view.frame
        elements = context.view.selected
        if source is None or not elements:
            return
        frames = frames_between(context.document, *self.steps)

        finish = partial(self._finish, uids, removes=removes)
        if not self.same.isChecked():
            finish(wherever(elements, frames))
            return
        read = context.session.library.get_image
        self._show_selection(running=True)
        context.operations.run(
            tr("Comparing the pictures"),
            lambda control: where_same(elements, source, frames, read, control),
            on_result=finish,
            on_end=self._show_selection,
        )

    def _finish(self, uids: tuple[str, ...], where: Where, *, removes: bool) -> None:
        command = RemoveOver(uids=uids, where=where) if removes else CopyOver(uids=uids, where=where)
        if command.edit(self._context.document) is not None:
            self._context.do(command)
        elif removes:
            self._context.say(tr("There is nothing to remove on these steps."))
        else:
            self._context.say(
                tr("On these steps the boxes are there already, or the pictures show something else in their place.")
            )


def _step_field(name: str) -> QSpinBox:
    field = QSpinBox()
    field.setAccessibleName(name)
    field.setToolTip(tr("{name} of the range").format(name=name))
    field.setFixedWidth(52)
    return field


class RangeFeature(Feature):
    """The key and the bar.

    Attributes:
        bar: asks for the range.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.bar = RangeBar(context)
        context.foot_rows.addWidget(self.bar)

    def toggle(self) -> None:
        """Show the bar, or put it away."""
        if not self.bar.isHidden():
            self.bar.close_bar()
            return
        self.context.leave()
        self.bar.open_for_step()

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("copy_over", tr("Copy the selected boxes over a range of steps, or remove them there"),
            ("Shift+G",), "From step to step", call=toggle),
    )  # fmt: skip
