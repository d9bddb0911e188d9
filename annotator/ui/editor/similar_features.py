"""Selects elements that look like the selected one, and names suggestions by icons that are known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from PySide6.QtCore import QTimer

from annotator.attributes.type_defaults import read_reviewed
from annotator.editing import EditKind
from annotator.similar.known import (
    PROGRAM,
    KnownLooks,
    Name,
    NameKnown,
    learn_from,
    load_looks,
    looks_path,
    names_for,
    rebuilt,
    save_looks,
)
from annotator.similar.levels import Level, level_words, levels_of
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.keys.key import Key
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.errors import CorruptFrameError
from demopack.store import Library


class SelectSimilarFeature(Feature):
    """Whatever works on a selection then works on all of them, as one edit.

    What is like the element is made out at the first press and holds until something else is selected: an edit of what
    is selected does not change what the next press selects.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self._one = ""
        self._levels: tuple[Level, ...] = ()
        self._place = -1
        self._selecting = False
        context.view.selection_changed.connect(self._on_selection)

    @property
    def level(self) -> Level | None:
        """What is selected; None where this key did not select it."""
        return self._levels[self._place] if 0 <= self._place < len(self._levels) else None

    def widen(self) -> None:
        """Select the next level; after the widest the one element alone."""
        self.context.leave()
        if not self._levels and not self._begin():
            return
        self._place = self._place + 1 if self._place + 1 < len(self._levels) else -1
        level, following = self.level, self._levels[(self._place + 1) % len(self._levels)]
        # The one comes last, so that Tab, Y and Space go on from where one was.
        others = () if level is None else level.uids[1:]
        self._selecting = True
        self.context.view.select((*others, self._one))
        self._selecting = False
        last = self._place + 1 == len(self._levels)
        self.context.say(level_words(level, None if last else following))

    def _begin(self) -> bool:
        view, frame = self.context.view, self.context.view.frame
        if not view.selection or frame is None:
            self.context.say(tr("Select an element; then this key selects what is like it."))
            return False
        self._one = view.selection[-1]
        self._levels = levels_of(self.context.canvas.pixels, view.shown(frame.id), self._one)
        if not self._levels:
            self.context.say(tr("Nothing on this picture is like it."))
        return bool(self._levels)

    def _on_selection(self) -> None:
        if not self._selecting:
            self._levels, self._place = (), -1

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("select_alike", tr("Select what is like it; again: wider"), (";", "F7"), "Boxes", call=widen),
    )


_LOOKUP_DELAY_MS: Final = 250
"""Whoever walks through the steps is not interested in each picture."""
_MAX_LEARNED: Final = 60
"""Of an edit of thousands of elements no more are learned from: they look alike."""


class KnownLooksFeature(Feature):
    """Works beside the user: looks are compared in the background, and names come as one edit that undo takes back."""

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.looks = KnownLooks()
        self._path = looks_path(context.session.library.folder)
        self._soon = QTimer(self, interval=_LOOKUP_DELAY_MS, singleShot=True)
        self._soon.timeout.connect(self._look)
        self._ready = self._dirty = self._busy = self._back = False
        self._given: dict[str, Name] = {}
        context.view.frame_changed.connect(self._soon.start)
        context.document.elements_changed.connect(lambda _: self._soon.start())
        context.session.edited.connect(self._on_edited)
        context.canvas.loaded.connect(self._soon.start)
        library, demo_id, path = context.session.library, context.session.demo_id, self._path
        context.operations.start(
            lambda: _table(library, demo_id, load_looks(path)),
            on_result=self._use,
            # Names are a help: a library that cannot be read says so where it is read for its own sake.
            on_error=lambda _: self._use(KnownLooks()),
        )

    def close_view(self) -> None:
        """See :class:`Feature`."""
        if self._dirty:
            self._save()

    @property
    def on(self) -> bool:
        """Whether suggestions are named."""
        return self.context.services.settings.ui.known_looks

    # The table ------------------------------------------------------------------------------------------------

    def _use(self, looks: KnownLooks) -> None:
        self.looks, self._ready = looks, True
        self._soon.start()

    def _save(self) -> None:
        looks, path, self._dirty = self.looks.copy(), self._path, False
        # The file is a cache: without it the table is made anew.
        self.context.operations.start(lambda: save_looks(looks, path), on_error=lambda _: None)

    # Following ------------------------------------------------------------------------------------------------

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        # Whoever goes back in the history wants nothing new at its end.
        self._back = kind == "undone"
        if edit.provenance.name == PROGRAM and kind == "undone":
            self.looks.refused.update(change.key for change in edit.changes)
            self._dirty = True
        elif kind == "done" and edit.provenance.kind == "human":
            keys = [change.key for change in edit.changes if change.kind == "element"][:_MAX_LEARNED]
            here = [one for one in self.context.document.present(keys) if self.context.view.is_on(one.frame)]
            pixels = self.context.canvas.pixels
            if pixels is not None and self._ready:
                self._dirty = learn_from(self.looks, pixels, here) or self._dirty

    def _look(self) -> None:
        """Compare the suggestions of the picture that is shown with what is known."""
        frame, pixels = self.context.view.frame, self.context.canvas.pixels
        if self._dirty:
            self._save()
        if not self.on or not self._ready or self._back or frame is None or pixels is None or not len(self.looks):
            return
        if self._busy:
            self._soon.start()
            return
        self._busy = True
        shown = [element for element in self.context.document.elements(frame.id) if element.review == "unreviewed"]
        looks, given, image = self.looks.copy(), dict(self._given), pixels
        self.context.operations.start(
            lambda: names_for(looks, image, shown, ours=given),
            on_result=lambda names: self._name(names, shown),
            on_error=self._stop,
        )

    def _stop(self, error: Exception) -> None:
        self._busy = False
        raise error

    def _name(self, names: Mapping[str, Name], seen: Sequence[Element]) -> None:
        self._busy = False
        fresh = {uid: name for uid, name in names.items() if self._given.get(uid) != name}
        if not fresh or self._back:
            return
        self._given.update(fresh)
        self.context.session.do(NameKnown(names=fresh, seen={element.uid: element for element in seen}))


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
