"""Knows which elements the sentence at the cursor speaks of."""

from __future__ import annotations

from annotator.rationales.evidence import Named, named_in, sentence_at
from annotator.ui.editor.feature import Desk
from annotator.ui.editor.rationales.evidence_layer import EvidenceLayer
from demopack.domain.geometry import Rect

__all__ = ["Evidence"]


class Evidence:
    """Follows the cursor in the rationale, and has what it reads about marked on the picture."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._names: tuple[str, list[Named]] = ("", [])
        self._uids: tuple[str, ...] = ()
        desk.canvas.add_layer(EvidenceLayer(desk.theme, boxes=self.boxes))
        desk.panel.rationale.place_changed.connect(self._follow)

    def forget(self) -> None:
        """Another step is shown: nothing is read about it yet."""
        self._uids = ()

    def forget_names(self) -> None:
        """Elements may have other texts now."""
        self._names = ("", [])

    def boxes(self) -> tuple[Rect, ...]:
        """Where the elements lie on the picture that is shown."""
        frame = self._desk.view.frame
        found = (self._desk.document.element(uid) for uid in self._uids)
        return tuple(one.box for one in found if one is not None and frame is not None and one.frame == frame.id)

    def _follow(self, place: int) -> None:
        found: tuple[str, ...] = ()
        step = self._desk.view.step
        frame = None if step is None else step.before
        if place >= 0 and frame is not None:
            text = self._desk.panel.rationale.text
            if self._names[0] != frame.id + text:
                self._names = (frame.id + text, named_in(text, self._desk.document.elements(frame.id)))
            around = sentence_at(text, place)
            named = [one for one in self._names[1] if around.start <= one.start and one.end <= around.end]
            found = tuple(dict.fromkeys(uid for one in named for uid in one.uids))
        if found != self._uids:
            self._uids = found
            self._desk.canvas.update()
