"""The target and what belongs to it: other right targets on the picture, the drag's end, steps that follow a box."""

from __future__ import annotations

from typing import ClassVar, Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QPen

from annotator.attributes.target_check import followed_words
from annotator.editing import EditKind
from annotator.step_commands import MarkAlternatives
from annotator.ui.canvas.layers import OutlineLayer, OutlineStyle
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.keys.key import Key
from annotator.ui.painting import faded
from annotator.ui.theme.tokens import HALO, POINTER
from annotator.words import tr
from demopack.domain.edits import Edit

_DASHED = QPen(QColor(POINTER), 2)
_DASHED.setDashPattern([4, 3])
_ALTERNATIVE: Final = OutlineStyle(pens=(QPen(faded(HALO, 210), 4.5), _DASHED), margin=2, radius=4)


class TargetsFeature(Feature):
    """Marks alternatives, and tells which steps an edit of boxes took along.

    Attributes:
        others: the alternatives on the picture.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.others = OutlineLayer(lambda: _ALTERNATIVE)
        context.canvas.add_layer(self.others, under=True)
        view = context.view
        view.frame_changed.connect(self._show)
        view.step_changed.connect(self._show)
        context.document.elements_changed.connect(lambda _: self._show())
        context.session.edited.connect(self._on_edited)
        self._show()

    def mark(self) -> None:
        """Say that the selected elements would have been as right as the target, or no longer."""
        step, uids = self.context.view.step, self.context.view.selection
        if step is not None and uids:
            self.context.do(MarkAlternatives(step_id=step.id, uids=uids))
        else:
            self.context.say(tr("Select an element that would have been as right as the target, and press Shift+U."))

    def _pick_end(self) -> None:
        step = self.context.view.step
        if step is not None and step.action.action_type == "drag":
            self.context.commands.pick(end=True)
        else:
            self.context.say(tr("Only a drag ends on an element."))

    def _show(self) -> None:
        view = self.context.view
        step, frame = view.step, view.frame
        uids = step.alternatives if step is not None and frame is not None and view.shows_before else ()
        found = self.context.document.present(uids)
        self.others.show([e.box for e in found if view.is_on(e.frame) and e.review != "rejected"])
        self.context.canvas.update()
        if step is not None and step.alternatives:
            # The panel has made their rows anew.
            self.context.keyring.connect_buttons(self.context.panel.action)

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        words = followed_words(edit, self.context.document) if kind == "done" else ""
        if words:
            told = tr("{done}. {more}").format(done=edit.label, more=words)
            # After the status line has told the edit itself.
            QTimer.singleShot(0, self.context.page, lambda: self.context.say(told))

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("mark_alternative", tr("As right as the target"), ("Shift+U",), "Boxes", call=mark),
        Key("pick_end", tr("Pick where the drag ends"), ("Shift+P",), "Steps", call=_pick_end),
    )
