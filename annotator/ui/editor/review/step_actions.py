"""Actions on steps and the recording as a whole, as commands on the session; the menu of the steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from annotator.editing import EditSession
from annotator.frame_sequence import FrameSequence
from annotator.step_commands import AcceptDemo, SetOutcome
from annotator.step_order import DeleteSteps, InsertStep, MoveSteps
from annotator.step_shape import MergeSteps, ReplaceFrame, SplitStep, parts_of, split_time
from annotator.step_words import doubts_of
from annotator.view_state import ViewState
from demopack.domain.actions import ExtractDataAction
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.domain.words import name_element


class StepActions:
    """What the step list, its menu, the review strip and their keys call; each acts on the selected steps."""

    def __init__(
        self,
        session: EditSession,
        view: ViewState,
        *,
        selected: Callable[[], tuple[str, ...]],
        reel: Callable[[], FrameSequence],
        ask_split: Callable[[Step], None],
    ) -> None:
        """Make the actions of one page.

        Args:
            session: carries commands out.
            view: where the user is.
            selected: ids of the selected steps, in the demo's order.
            reel: every picture of the demo.
            ask_split: called with a step that can be cut at more than one place.
        """
        self._ask_split = ask_split
        self._session = session
        self._view = view
        self._selected = selected
        self._reel = reel

    # Which steps ----------------------------------------------------------------------------------------------

    def delete(self) -> None:
        """Delete the selected steps."""
        self._view.leaving.emit()
        self._session.do(DeleteSteps(step_ids=self._selected()))

    def move(self, offset: int) -> None:
        """Move the selected steps up or down by one."""
        ids = self._selected()
        places = [i for step_id in ids if (i := self._session.document.index_of(step_id)) is not None]
        if places:
            self.move_to(ids, min(places) - 1 if offset < 0 else max(places) + 2)

    def move_to(self, step_ids: tuple[str, ...], index: int) -> None:
        """Put steps before another one."""
        if index >= 0:
            self._session.do(MoveSteps(step_ids=step_ids, index=index))

    def merge(self) -> None:
        """Make one of the selected steps; of one alone and the next."""
        ids, document = self._selected(), self._session.document
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
            self._ask_split(step)
        else:
            self.split(step.id, 1)

    def split(self, step_id: str, at: int) -> None:
        """Cut a step; where the film knows how the screen looked then, it becomes the picture between the two."""
        step = self._session.document.step(step_id)
        if step is None:
            return
        self._view.leaving.emit()
        when = split_time(step, at) if 0 < at < parts_of(step) else None
        between = None if when is None else self._reel().frame_at(when)
        fresh = between is not None and between.grab_ended_ns > step.started_ns
        self._session.do(SplitStep(step_id=step_id, at=at, new_id=new_id("step"), between=between if fresh else None))

    def insert(self) -> None:
        """Add a step after the current one that reads what is shown: the selected element, or the screen."""
        element, frame = self._view.element, self._view.frame
        what = (
            name_element(element) if element is not None else "what is on the screen"
        )  # goes into the demo: not translated
        action = ExtractDataAction(description=what)
        step_id, index = new_id("step"), self._view.index + 1
        uid = None if element is None else element.uid
        self._session.do(InsertStep(step_id=step_id, index=index, action=action, frame=frame, target_uid=uid))
        place = self._session.document.index_of(step_id)
        if place is not None:
            self._view.go_to(place)

    def use_frame(self, side: str) -> None:
        """Use the picture that is looked at as the step's picture before or after."""
        step, frame = self._view.step, self._view.frame
        if step is None or frame is None:
            return
        where: Literal["before", "after"] = "after" if side == "after" else "before"
        self._session.do(ReplaceFrame(step_id=step.id, side=where, frame=frame))
        now = self._view.step
        if now is not None and (now.before if where == "before" else now.after) != (
            step.before if where == "before" else step.after
        ):
            self._view.set_side(where)

    def next_doubt(self) -> None:
        """Show the next step that should be looked at; after the last one the first."""
        document = self._session.document
        doubtful = [i for i, step in enumerate(document.steps) if doubts_of(document, step)]
        if doubtful:
            self._view.go_to(next((i for i in doubtful if i > self._view.index), doubtful[0]))

    # The recording --------------------------------------------------------------------------------------------

    def set_outcome(self, outcome: Literal["success", "failure"] | None, reason: str) -> None:
        """Say how the task ended."""
        self._session.do(SetOutcome(outcome=outcome, reason=reason))

    def accept(self) -> None:
        """Accept the recording."""
        self._view.leaving.emit()
        self._session.do(AcceptDemo())


MENU: Final = (
    ("approve", "edit_note", "edit_variable"),
    ("move_up", "move_down", "split_step", "merge_steps", "insert_step"),
    ("use_before", "use_after"),
    ("rerecord",),
    ("delete_in_list",),
)
"""Names of the editor's actions, with a line between the groups."""


def step_menu(parent: QWidget, actions: Mapping[str, QAction], view: ViewState, *, selected: int) -> QMenu:
    """A menu that deletes itself when it is closed.

    Args:
        parent: whose menu it is.
        actions: by name, as the table of keys has them.
        view: where the user is.
        selected: how many steps are selected.

    Raises:
        KeyError: an action is missing.
    """
    menu = QMenu(parent)
    step = view.step
    one = selected <= 1
    possible = {
        "approve": one,
        "edit_note": one,
        "edit_variable": one and step is not None and step.action.action_type == "type",
        "split_step": one and step is not None and parts_of(step) > 1,
        "insert_step": one,
        "use_before": one and view.peeked is not None,
        "use_after": one and view.peeked is not None,
        "rerecord": one,
    }
    for group in MENU:
        shown = [actions[name] for name in group if possible.get(name, True)]
        if shown and not menu.isEmpty():
            menu.addSeparator()
        menu.addActions(shown)
    return menu
