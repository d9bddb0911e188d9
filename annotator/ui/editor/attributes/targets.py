"""The target and what belongs to it: other right targets on the picture, the drag's end, steps that follow a box."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from PySide6.QtCore import QTimer

from annotator.attributes.followed import followed_words
from annotator.editing import EditKind
from annotator.step_commands_target import MarkAlternatives
from annotator.ui.editor.attributes.others_layer import OthersLayer
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.words import tr
from demopack.domain.edits import Edit

__all__ = ["TargetsFeature"]


class TargetsFeature(Feature):
    """Marks alternatives, and tells which steps an edit of boxes took along.

    Attributes:
        others: the alternatives on the picture.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="mark_alternative", words=tr("As right as the target"), keys=("Shift+U",), group="Boxes"),
        Key(name="pick_end", words=tr("Pick where the drag ends"), keys=("Shift+P",), group="Steps"),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.others = OthersLayer()
        desk.canvas.add_layer(self.others, under=True)
        desk.panel.element.alternative_wanted.connect(self.mark)
        desk.panel.action.alternative_dropped.connect(self._drop)
        view = desk.view
        self._ends = [
            view.frame_changed.connect(self._show),
            view.step_changed.connect(self._show),
            desk.document.elements_changed.connect(lambda _: self._show()),
            desk.session.edited.connect(self._on_edited),
        ]
        self._show()

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"mark_alternative": self.mark, "pick_end": self._pick_end}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        for end in self._ends:
            end()

    def mark(self) -> None:
        """Say that the selected elements would have been as right as the target, or no longer."""
        step, uids = self.desk.view.step, self.desk.view.selection
        if step is not None and uids:
            self.desk.do(MarkAlternatives(step_id=step.id, uids=uids))
        else:
            self.desk.say(tr("Select an element that would have been as right as the target, and press Shift+U."))

    def _drop(self, uid: str) -> None:
        step = self.desk.view.step
        if step is not None:
            self.desk.do(MarkAlternatives(step_id=step.id, uids=(uid,)))

    def _pick_end(self) -> None:
        step = self.desk.view.step
        if step is not None and step.action.action_type == "drag":
            self.desk.panel.action.pick_end()
        else:
            self.desk.say(tr("Only a drag ends on an element."))

    def _show(self) -> None:
        view = self.desk.view
        step, frame = view.step, view.frame
        uids = step.alternatives if step is not None and frame is not None and view.shows_before else ()
        found = [element for uid in uids if (element := self.desk.document.element(uid)) is not None]
        self.others.show([e.box for e in found if frame is not None and e.frame == frame.id and e.review != "rejected"])
        self.desk.canvas.update()

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        words = followed_words(edit, self.desk.document) if kind == "done" else ""
        if words:
            # After the status line has told the edit itself.
            QTimer.singleShot(
                0, self.desk.page, lambda: self._tell(tr("{done}. {more}").format(done=edit.label, more=words))
            )

    def _tell(self, words: str) -> None:
        if not self.desk.session.closed:
            self.desk.say(words)
