"""Review of a recording: strips and film, what is done with steps, their menu, and where a step is to be split."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QSlider, QWidget

from annotator.frame_sequence import FrameSequence
from annotator.step_commands import AcceptDemo
from annotator.step_order import DeleteSteps, InsertStep, MoveSteps
from annotator.step_shape import MergeSteps, ReplaceFrame, SplitStep, parts_of, split_time
from annotator.step_words import doubts_of
from annotator.ui.controls import column, label, push_button, row
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.editor.panels.panel_section import Overlay
from annotator.ui.editor.review.film_strip import FilmStrip
from annotator.ui.editor.review.review_strip import PrepareStrip, ReviewStrip
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import Side, ViewState
from annotator.words import tr
from demopack.domain.actions import ExtractDataAction
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.domain.words import name_element, shorten
from demopack.store.retakes import timeline_of
from demopack.store.timeline import Keyframe

_PARTS: Final = {
    "scroll": (tr("1 notch"), tr("{count} notches")),
    "press_key": (tr("1 press"), tr("{count} presses")),
    "click": (tr("1 click"), tr("{count} clicks")),
}


class SplitPanel(Overlay):
    """A slider over the parts of a step, and what the two steps will do."""

    def __init__(self, context: EditorContext, *, split: Callable[[str, int], None]) -> None:
        """Make it, hidden; ``split`` is called with the id of the step, and how many parts the first one gets."""
        super().__init__(context.page, tr("Split the step"), keeps_keys=True)
        self._call, self._view, theme = split, context.view, context.theme
        self._step: Step | None = None
        self._first = label("", role="words")
        self._second = label("", role="words")
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setAccessibleName(tr("Where to cut"))
        self._slider.setToolTip(tr("Where to cut (left and right arrow, Enter splits)"))
        self._slider.valueChanged.connect(self._show_parts)
        cut = push_button(tr("Split"), tr("Make two steps of it"), theme, role="main", keys="Return", call=self._split)
        cancel = push_button(tr("Cancel"), tr("Leave the step whole"), theme, keys="Esc", call=self.close_overlay)
        column(
            label(tr("SPLIT THE STEP"), role="heading"),
            self._first,
            self._second,
            self._slider,
            row(None, cut, cancel),
            of=self,
            margins=(SPACE.l, SPACE.m, SPACE.l, SPACE.m),
        )
        self.setFixedWidth(340)
        context.view.step_changed.connect(self._on_step)

    def ask(self, step: Step, *, at: QPoint) -> None:
        """Show it beside a point of the parent."""
        self._step = step
        count = parts_of(step)
        self._slider.setRange(1, count - 1)
        self._slider.setValue(count // 2)
        self._show_parts()
        self.adjustSize()
        self.open_at(at.x(), at.y(), self._slider)

    def _on_step(self) -> None:
        """Whoever went to another step, or changed this one, is not asked about it any more."""
        if not self.isHidden() and self._view.step != self._step:
            self.close_overlay()

    def _show_parts(self) -> None:
        if self._step is None:
            return
        at, count = self._slider.value(), parts_of(self._step)
        text = self._step.action.typed_text
        if text is not None:
            first, second = f"“{shorten(text[:at], 36)}”", f"“{shorten(text[at:], 36)}”"
        else:
            one, several = _PARTS[self._step.action.action_type]
            first, second = ((one if n == 1 else several).format(count=n) for n in (at, count - at))
        self._first.setText(f"1  {first}")
        self._second.setText(f"2  {second}")

    def _split(self) -> None:
        step = self._step
        self.close_overlay()
        if step is not None:
            self._call(step.id, self._slider.value())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Enter splits, Esc does not."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_overlay()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._split()
        else:
            event.accept()


class ReviewRoom(QObject):
    """Ties the parts together; the page only lays them out.

    Signals:
        join_wanted: join this take to its demo.
        take_wanted: id of the step after which to record again; empty for the beginning.
    """

    join_wanted = Signal()
    take_wanted = Signal(str)

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context.page)
        self._context, self._session, self._view = context, context.session, context.view
        self._steps = context.steps
        self._film: tuple[Keyframe, ...] = ()
        self.strip = ReviewStrip(context)
        self.prepare = PrepareStrip(context, self)
        self.film = FilmStrip(context)
        self.split_panel = SplitPanel(context, split=self.split)
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._show_reel)
        document = context.document
        context.steps.move_wanted.connect(self._drop)
        for changed in (document.step_changed, document.step_inserted, document.step_removed):
            changed.connect(lambda _: self._soon.start())
        document.head_changed.connect(self._soon.start)
        self._show_reel()
        self.read_film()

    def open_menu(self, at: QPoint) -> None:
        """The menu of the selected steps."""
        selected = len(self._steps.selected_ids)
        step_menu(self._steps, self._context.keyring.actions, self._view, selected=selected).popup(at)

    def accept(self) -> None:
        """Accept the recording; a take is joined to its demo."""
        self._view.leaving.emit()
        if self._session.document.head.take_of:
            self.join_wanted.emit()
        else:
            self._session.do(AcceptDemo())

    # Recording again ------------------------------------------------------------------------------------------

    def prepare_take(self) -> None:
        """Show to what the screen has to be brought before the current step can be recorded again."""
        index, steps = self._view.index, self._session.document.steps
        if self._session.document.head.take_of or not steps:
            return
        self._view.leaving.emit()
        self._view.set_side("before")
        self._view.peek(None)
        self.strip.set_aside(aside=True)
        self.prepare.ask(steps, index)

    def end_prepare(self, *, after: str | None = None) -> None:
        """Leave everything as it is; or record again after a step, empty for the beginning."""
        self.prepare.hide()
        self.strip.set_aside(aside=False)
        self._steps.setFocus()
        if after is not None:
            self.take_wanted.emit(after)

    # Steps ----------------------------------------------------------------------------------------------------

    def delete(self) -> None:
        """Delete the selected steps."""
        self._view.leaving.emit()
        self._session.do(DeleteSteps(step_ids=self._steps.selected_ids))

    def move(self, offset: int) -> None:
        """Move the selected steps up or down by one; they stay selected."""
        ids = self._steps.selected_ids
        places = [i for step_id in ids if (i := self._session.document.index_of(step_id)) is not None]
        if places:
            self._drop(ids, min(places) - 1 if offset < 0 else max(places) + 2)

    def _drop(self, step_ids: tuple[str, ...], index: int) -> None:
        if index >= 0:
            self._session.do(MoveSteps(step_ids=step_ids, index=index))
        self._steps.select_ids(step_ids)

    def merge(self) -> None:
        """Make one of the selected steps; of one alone and the next."""
        ids, document = self._steps.selected_ids, self._session.document
        if len(ids) == 1:
            index = document.index_of(ids[0])
            ids = tuple(step.id for step in document.steps[index : index + 2]) if index is not None else ids
        self._view.leaving.emit()
        self._session.do(MergeSteps(step_ids=ids))
        kept = [place for step_id in ids if (place := document.index_of(step_id)) is not None]
        if kept:
            self._view.go_to(min(kept))

    def ask_to_split(self) -> None:
        """Cut the current step; where there is a choice, ask."""
        step = self._view.step
        if step is None:
            return
        if parts_of(step) > 2:
            row = self._steps.visualRect(self._steps.currentIndex())
            self.split_panel.ask(step, at=self._steps.viewport().mapTo(self._context.page, row.topRight()))
        else:
            self.split(step.id, 1)

    def split(self, step_id: str, at: int) -> None:
        """Cut a step; where the film knows how the screen looked then, it becomes the picture between the two."""
        step = self._session.document.step(step_id)
        if step is None:
            return
        self._view.leaving.emit()
        when = split_time(step, at) if 0 < at < parts_of(step) else None
        place = None if when is None else self.film.reel.place_at(when)
        between = None if place is None else self.film.reel[place].frame
        fresh = between is not None and between.grab_ended_ns > step.started_ns
        self._session.do(SplitStep(step_id=step_id, at=at, new_id=new_id("step"), between=between if fresh else None))

    def insert(self) -> None:
        """Add a step after the current one that reads what is shown: the selected element, or the screen."""
        element, frame = self._view.element, self._view.frame
        # Goes into the demo: not translated.
        what = "what is on the screen" if element is None else name_element(element)
        action = ExtractDataAction(description=what)
        step_id, index = new_id("step"), self._view.index + 1
        uid = None if element is None else element.uid
        self._session.do(InsertStep(step_id=step_id, index=index, action=action, frame=frame, target_uid=uid))
        place = self._session.document.index_of(step_id)
        if place is not None:
            self._view.go_to(place)

    def use_frame(self, side: Side) -> None:
        """Use the picture that is looked at as the step's picture before or after."""
        step, frame = self._view.step, self._view.frame
        if step is None or frame is None:
            return
        self._session.do(ReplaceFrame(step_id=step.id, side=side, frame=frame))
        if (now := self._view.step) is not None and getattr(now, side) != getattr(step, side):
            self._view.set_side(side)

    def next_doubt(self) -> None:
        """Show the next step that should be looked at; after the last one the first."""
        document = self._session.document
        doubtful = [i for i, step in enumerate(document.steps) if doubts_of(document, step)]
        if doubtful:
            self._view.go_to(next((i for i in doubtful if i > self._view.index), doubtful[0]))

    # The film -------------------------------------------------------------------------------------------------

    def read_film(self) -> None:
        """Read the film again, in the background; it is shown as soon as it is there."""
        session = self._session

        def show(film: list[Keyframe]) -> None:
            self._film = tuple(film)
            self._show_reel()

        self._context.operations.start(
            lambda: timeline_of(session.library, session.demo_id),
            on_result=show,
            on_error=session.failed.emit,
            lane="library",
        )

    def _show_reel(self) -> None:
        document = self._session.document
        self.film.show_reel(FrameSequence.of(document.head, document.steps, self._film))


MENU: Final = (
    ("approve", "edit_note", "edit_variable"),
    ("move_up", "move_down", "split_step", "merge_steps", "insert_step"),
    ("use_before", "use_after"),
    ("rerecord",),
    ("delete_in_list",),
)
"""Names of the editor's actions, with a line between the groups."""


def step_menu(parent: QWidget, actions: Mapping[str, QAction], view: ViewState, *, selected: int) -> QMenu:
    """A menu of the selected steps that deletes itself when it is closed; ``actions`` as the table of keys names them.

    Raises:
        KeyError: an action is missing.
    """
    menu = QMenu(parent)
    step = view.step
    one = selected <= 1
    possible = {
        **dict.fromkeys(("approve", "edit_note", "insert_step", "rerecord"), one),
        **dict.fromkeys(("use_before", "use_after"), one and view.peeked is not None),
        "edit_variable": one and step is not None and step.action.action_type == "type",
        "split_step": one and step is not None and parts_of(step) > 1,
    }
    for group in MENU:
        shown = [actions[name] for name in group if possible.get(name, True)]
        if shown and not menu.isEmpty():
            menu.addSeparator()
        menu.addActions(shown)
    return menu
