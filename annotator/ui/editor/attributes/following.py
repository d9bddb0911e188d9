"""Reads the text of boxes that were drawn or changed, and names new icons, as part of the same history entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QImage

from annotator.attributes.follow_name import FollowName
from annotator.attributes.follow_text import FollowText, ReadableEdit, icons_to_name, texts_to_read
from annotator.attributes.offered import offered_text, same_ink
from annotator.commands import Command
from annotator.editing import EditKind
from annotator.ui.editor.attributes.reading import Reading
from annotator.ui.editor.feature import Desk
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.records import new_id
from models.vision.icons.guesses import IconGuesses

__all__ = ["TextFollowing"]

_PAUSE_MS: Final = 150
"""Boxes that are nudged or dragged again at once are read where they end."""


@dataclass(slots=True)
class _Batch:
    """The elements of one edit: what was read on them so far.

    Attributes:
        seen: uid -> the element as it was when it was read.
        open: uids that are not read yet.
        texts: uid -> what was read.
        names: uid -> what an icon means; None where that is not sure.
        drawn: whether the edit drew them.
        merge_key: of the edit.
    """

    seen: Mapping[str, Element]
    open: set[str]
    drawn: bool
    merge_key: str | None
    texts: dict[str, str] = field(default_factory=dict[str, str])
    names: dict[str, str | None] = field(default_factory=dict[str, str | None])


class TextFollowing(QObject):
    """Listens to edits; on the picture that is shown it asks the reader, and writes when all of an edit is read."""

    def __init__(self, desk: Desk, reading: Reading) -> None:
        """Begin to listen.

        Args:
            desk: the editor.
            reading: reads.
        """
        super().__init__()
        self._desk, self._reading = desk, reading
        self._edits: list[Edit] = []
        self._newest: dict[str, _Batch] = {}
        self._ends = [
            desk.session.set_rewrite("reading", self._keyed),
            desk.session.edited.connect(self._on_edited),
        ]
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._ask)

    def close(self) -> None:
        """Read nothing more."""
        self._pause.stop()
        for end in self._ends:
            end()

    @property
    def on(self) -> bool:
        """Whether texts are read at all."""
        return self._desk.services.settings.ui.read_texts and not self._reading.given_up

    @property
    def waits(self) -> bool:
        """Whether edits were made that nothing was asked about yet."""
        return bool(self._edits)

    @property
    def busy(self) -> bool:
        """Whether something is still to be read."""
        return self.waits or bool(self._newest)

    def _keyed(self, command: Command) -> Command:
        return ReadableEdit(command=command, key=new_id("read")) if self.on else command

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        if kind != "done":
            # Whoever goes back in the history wants nothing new at its end.
            self._edits.clear()
            self._newest.clear()
            self._reading.forget_asked()
        elif self.on and (texts_to_read(edit) or icons_to_name(edit)):
            self._edits.append(edit)
            self._pause.start()

    def _ask(self) -> None:
        """Ask for what the edits since the last time left to be read; the last one of each element counts."""
        edits, self._edits = self._edits, []
        frame = self._desk.view.frame
        image = None if frame is None else self._desk.pictures.frame(frame.id)
        if self._desk.session.closed or frame is None or not isinstance(image, QImage):
            return
        taken: set[str] = set()
        for edit in reversed(edits):
            wanted = (*texts_to_read(edit), *icons_to_name(edit))
            found = [one for one in wanted if one.uid not in taken and one.frame == frame.id]
            taken.update(one.uid for one in found)
            now = [self._desk.document.element(one.uid) for one in found]
            there = [one for one in now if one is not None and not self._holds_the_same(one, edits)]
            if there:
                self._ask_for(there, image, edit)

    def _holds_the_same(self, element: Element, edits: Sequence[Edit]) -> bool:
        """Whether an element has a text, and its box still holds what it held before all these edits."""
        pixels = self._desk.canvas.pixels
        first = next((c.was for edit in edits for c in edit.changes if c.key == element.uid), None)
        if not isinstance(first, Element) or pixels is None or not element.text or element.text != first.text:
            return False
        return same_ink(pixels, first.box, element.box)

    def _ask_for(self, elements: Sequence[Element], image: QImage, edit: Edit) -> None:
        seen = {one.uid: one for one in elements}
        drawn = any(change.before is None for change in edit.changes)
        batch = _Batch(seen=seen, open=set(seen), drawn=drawn, merge_key=edit.merge_key)
        here = self._desk.document.elements(elements[0].frame)
        for one in elements:
            self._newest[one.uid] = batch
            if one.type == "icon":
                self._reading.ask_meaning(one.frame, one.box, image, partial(self._hear_name, batch, one.uid))
                continue
            offer = offered_text(one, here, self._desk.canvas.pixels)
            if offer.place is None:
                self._hear(batch, one.uid, offer.text or "")
            else:
                self._reading.ask(one.frame, offer.place, image, partial(self._hear, batch, one.uid))

    def _hear(self, batch: _Batch, uid: str, text: str) -> None:
        batch.open.discard(uid)
        if self._newest.get(uid) is batch:
            del self._newest[uid]
            batch.texts[uid] = text
        self._write(batch)

    def _hear_name(self, batch: _Batch, uid: str, guesses: IconGuesses) -> None:
        batch.open.discard(uid)
        if self._newest.get(uid) is batch:
            del self._newest[uid]
            batch.names[uid] = guesses.name
        self._write(batch)

    def _write(self, batch: _Batch) -> None:
        """Write what was said about an edit, once all of it was."""
        session, key = self._desk.session, batch.merge_key
        if batch.open or session.closed:
            return
        if batch.texts:
            session.do(FollowText(texts=batch.texts, seen=batch.seen, drawn=batch.drawn, merge_key=key))
        if batch.names:
            gesture = (key or "").startswith("draw-")
            session.do(FollowName(names=batch.names, seen=batch.seen, drawn=gesture, merge_key=key))
