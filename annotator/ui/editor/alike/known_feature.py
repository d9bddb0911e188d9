"""Learns what icons are called here, and names suggestions of the same look, on this picture and on later ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer

from annotator.alike.known import KnownLooks, Name, load_looks, looks_path, save_looks
from annotator.alike.naming import PROGRAM, NameKnown, learn_from, names_for, rebuilt
from annotator.attributes.habits import read_reviewed
from annotator.editing import EditKind
from annotator.ui.editor.feature import Desk, Feature
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.errors import CorruptFrameError
from demopack.store import Library

__all__ = ["KnownLooksFeature"]

_SOON_MS: Final = 250
"""Whoever walks through the steps is not interested in each picture."""
_AT_ONCE: Final = 60
"""Of an edit of thousands of elements no more are learned from: they look alike."""


class KnownLooksFeature(Feature):
    """Works beside the user: looks are compared in the background, and names come as one edit that undo takes back."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.looks = KnownLooks()
        self._path = looks_path(desk.session.library.folder)
        self._parent = QObject()
        self._soon = QTimer(self._parent, interval=_SOON_MS, singleShot=True)
        self._soon.timeout.connect(self._look)
        self._ready = self._dirty = self._busy = self._back = False
        self._given: dict[str, Name] = {}
        self._tried: dict[str, Name] = {}
        self._ends = [
            desk.view.frame_changed.connect(self._soon.start),
            desk.document.elements_changed.connect(lambda _: self._soon.start()),
            desk.session.edited.connect(self._on_edited),
        ]
        desk.pictures.frame_ready.connect(self._on_picture)
        self._read()

    def close_view(self) -> None:
        """See :class:`Feature`."""
        for end in self._ends:
            end()
        self._soon.stop()
        self.desk.pictures.frame_ready.disconnect(self._on_picture)
        if self._dirty:
            self._save()

    @property
    def on(self) -> bool:
        """Whether suggestions are named."""
        return self.desk.services.settings.ui.known_looks

    @property
    def busy(self) -> bool:
        """Whether something is still to be compared."""
        return self._busy or self._soon.isActive() or not self._ready

    # The table ------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        library, demo_id, path = self.desk.session.library, self.desk.session.demo_id, self._path
        self.desk.runner.background(
            lambda: _table(library, demo_id, load_looks(path)), on_result=self._use, on_error=self._do_without
        )

    def _use(self, looks: KnownLooks) -> None:
        if not self.desk.session.closed:
            self.looks, self._ready = looks, True
            self._soon.start()

    def _do_without(self, error: Exception) -> None:
        """Names are a help: a library that cannot be read says so where it is read for its own sake."""
        del error
        self._use(KnownLooks())

    def _save(self) -> None:
        data, path, self._dirty = self.looks.to_json(), self._path, False
        self.desk.runner.background(
            lambda: save_looks(data, path), on_result=lambda _: None, on_error=self._do_not_keep
        )

    def _do_not_keep(self, error: Exception) -> None:
        """The file is a cache: without it the table is made anew."""
        del error

    # Following ------------------------------------------------------------------------------------------------

    def _on_picture(self, frame_id: str) -> None:
        frame = self.desk.view.frame
        if frame is not None and frame.id == frame_id:
            self._soon.start()

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        # Whoever goes back in the history wants nothing new at its end.
        self._back = kind == "undone"
        if edit.provenance.name == PROGRAM and kind == "undone":
            self.looks.refused.update(change.key for change in edit.changes)
            self._dirty = True
        elif kind == "done" and edit.provenance.kind == "human":
            keys = [change.key for change in edit.changes if change.kind == "element"][:_AT_ONCE]
            self._learn([e for key in keys if (e := self.desk.document.element(key)) is not None])

    def _learn(self, elements: Sequence[Element]) -> None:
        frame, pixels = self.desk.view.frame, self.desk.canvas.pixels
        if frame is not None and pixels is not None and self._ready:
            here = [element for element in elements if element.frame == frame.id]
            self._dirty = learn_from(self.looks, pixels, here) or self._dirty

    def _look(self) -> None:
        """Compare the suggestions of the picture that is shown with what is known."""
        frame, pixels = self.desk.view.frame, self.desk.canvas.pixels
        if self._dirty:
            self._save()
        if not self.on or not self._ready or self._back or frame is None or pixels is None or not len(self.looks):
            return
        if self._busy:
            self._soon.start()
            return
        self._busy = True
        shown = [element for element in self.desk.document.elements(frame.id) if element.review == "unreviewed"]
        looks, given, image = self.looks.copy(), dict(self._given), pixels
        self.desk.runner.background(
            lambda: names_for(looks, image, shown, ours=given),
            on_result=lambda names: self._name(names, shown),
            on_error=self._stop,
        )

    def _stop(self, error: Exception) -> None:
        self._busy = False
        raise error

    def _name(self, names: Mapping[str, Name], seen: Sequence[Element]) -> None:
        self._busy = False
        fresh = {uid: name for uid, name in names.items() if self._tried.get(uid) != name}
        if not fresh or self._back or self.desk.session.closed:
            return
        self._tried.update(fresh)
        self._given.update(fresh)
        self.desk.session.do(NameKnown(names=fresh, seen={element.uid: element for element in seen}))


def _table(library: Library, demo_id: str, kept: KnownLooks | None) -> KnownLooks:
    """On another thread: the table as it was kept, or a new one from what was approved lately."""
    if kept is not None:
        return kept

    def pixels(frame_id: str) -> RgbImage | None:
        try:
            return library.get_image(frame_id)
        except CorruptFrameError:
            return None

    return rebuilt(read_reviewed(library, first=demo_id), pixels)
