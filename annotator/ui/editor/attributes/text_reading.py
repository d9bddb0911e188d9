"""Texts and icon meanings, read in the background for what is looked at, and for boxes that were changed."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QImage

from annotator.attributes.text_updates import (
    FollowName,
    FollowText,
    ReadableEdit,
    icons_to_name,
    offered_text,
    same_foreground,
    texts_to_read,
)
from annotator.editing import EditKind
from annotator.ui.canvas.picture_view import pixels_of
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.operations import Operations
from annotator.ui.services import Services
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.records import new_id
from demopack.errors import DemopackError
from demopack.settings import VisionSettings
from models.vision.description import IconGuesses, surroundings

if TYPE_CHECKING:
    from models.vision.box_reader import WorkerBoxReader

_SELECTION_PAUSE_MS: Final = 200
"""The selection has to rest this long: who walks along the elements does not want each of them read."""
_ICON_PAUSE_MS: Final = 40
"""The pause for icons: naming one takes milliseconds, and digits should not mean something else a moment later."""
_MAX_KEPT_READINGS: Final = 200
_IDLE_MS: Final = 120_000
"""A reader that nobody asked for so long ends: it takes a few hundred megabytes, and starts in a few seconds."""

_Answer: TypeAlias = str | IconGuesses
"""What is written in a box, empty where nothing is; or what the icon there may mean."""


class ReadingTask(NamedTuple):
    """One box of a picture to be read: what is written in it, or what the icon there means.

    Attributes:
        frame_id: which picture.
        box: pixels of it.
        icon: whether the meaning is asked for.
    """

    frame_id: str
    box: Rect
    icon: bool = False


_Heard = Callable[[_Answer | None], None]


class ElementReader(QObject):
    """Asks the reader for one box at a time, and remembers what it said."""

    def __init__(
        self, parent: QObject, services: Services, operations: Operations, *, tell: Callable[[], None]
    ) -> None:
        """Open nothing before the first wish; ``tell`` is called when something was said."""
        super().__init__(parent)
        self._services, self._operations, self._tell = services, operations, tell
        self._reader: WorkerBoxReader | None = None
        self._vision: VisionSettings = services.settings.vision
        self._cannot = False
        self._known: OrderedDict[ReadingTask, _Answer] = OrderedDict()
        self._wanted: tuple[ReadingTask, QImage] | None = None
        self._asked: deque[tuple[ReadingTask, QImage, _Heard]] = deque()
        self._busy = False
        self._closed = False
        self._pause = QTimer(self, interval=_SELECTION_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._start)
        self._idle = QTimer(self, interval=_IDLE_MS, singleShot=True)
        self._idle.timeout.connect(self._end_reader)

    def text_of(self, frame_id: str, box: Rect) -> str:
        """What was read there; empty while nothing was."""
        return _words(self._known.get(ReadingTask(frame_id, box)))

    def names_of(self, frame_id: str, box: Rect) -> list[str]:
        """What the icon there may mean, the likeliest first; nothing while it was not looked at."""
        return [name for name, _ in _guesses(self._known.get(ReadingTask(frame_id, box, icon=True))).likely]

    @property
    def given_up(self) -> bool:
        """Whether nothing can be read with the settings as they are."""
        return self._cannot and self._vision == self._services.settings.vision

    def want(self, task: ReadingTask, image: QImage) -> None:
        """Read a box of a picture soon, unless that was done, or another wish comes first."""
        self._follow_settings()
        if self._cannot or self._closed or task in self._known:
            self._wanted = None
            return
        self._wanted = (task, image)
        self._pause.start(_ICON_PAUSE_MS if task.icon else _SELECTION_PAUSE_MS)

    def ask(self, task: ReadingTask, image: QImage, heard: _Heard) -> None:
        """Read a box in any case, after those that were asked for before.

        Args:
            task: what is read.
            image: the picture.
            heard: called with the answer, None where the box cannot be read; never at once, and not at all where
                nothing can be read.
        """
        self._follow_settings()
        if not self._cannot and not self._closed:
            self._asked.append((task, image, heard))
            QTimer.singleShot(0, self, self._start)

    def forget_wish(self) -> None:
        """What was only looked at is not to be read any more."""
        self._wanted = None

    def forget_asked(self) -> None:
        """What was asked for is not to be read any more."""
        self._asked.clear()

    def close(self) -> None:
        """End the reader; what it still says is not heard."""
        self._closed = True
        self._asked.clear()
        self._end_reader()

    def _follow_settings(self) -> None:
        """What was said by other models is forgotten; with these it may be possible to read, or no longer."""
        vision = self._services.settings.vision
        if vision != self._vision and not self._busy:
            self._vision, self._cannot = vision, False
            self._known.clear()
            self._end_reader()

    def _end_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()

    def _start(self) -> None:
        while not self._busy and not self._closed:
            if self._wanted is not None and not self._pause.isActive():
                (key, image), self._wanted = self._wanted, None
            elif self._asked:
                key, image, _ = self._asked[0]
            else:
                return
            crop = None if key in self._known else crop_of(key, image)
            if crop is None:
                self._answer(key)
                continue
            self._busy = True
            self._idle.stop()
            self._operations.start(
                partial(self._read, key, crop),
                on_result=partial(self._keep, key),
                on_error=partial(self._give_up, key),
            )

    def _answer(self, key: ReadingTask) -> None:
        """Tell all who asked about a box."""
        heard = [one for asked, _, one in self._asked if asked == key]
        self._asked = deque(one for one in self._asked if one[0] != key)
        for one in heard:
            one(self._known.get(key))

    def _read(self, key: ReadingTask, crop: tuple[RgbImage, Rect]) -> _Answer:
        """On another thread; only one of these runs at a time."""
        reader = self._reader
        if reader is None:
            reader = self._reader = self._services.open_reader(self._services.settings)
        if self._closed:
            # It was opened after everything else was closed.
            self._end_reader()
        if reader is None or self._closed:
            self._cannot = True
            return IconGuesses() if key.icon else ""
        pixels, inside = crop
        return reader.meanings(pixels, inside) if key.icon else reader.read(pixels)

    def _keep(self, key: ReadingTask, answer: _Answer) -> None:
        self._busy = False
        self._known[key] = answer
        while len(self._known) > _MAX_KEPT_READINGS:
            self._known.popitem(last=False)
        self._idle.start()
        self._answer(key)
        if self._cannot:
            self._asked.clear()
        self._tell()
        self._start()

    def _give_up(self, key: ReadingTask, error: Exception) -> None:
        """A reader that cannot be had, or that died, is done without: the text is written by hand as before."""
        self._busy = False
        if isinstance(error, DemopackError):
            self._cannot = True
            self._asked.clear()
            return
        # One box that it stumbles over is no reason to read none of the others.
        self._answer(key)
        QTimer.singleShot(0, self, self._start)
        raise error


def _words(answer: _Answer | None) -> str:
    return answer if isinstance(answer, str) else ""


def _guesses(answer: _Answer | None) -> IconGuesses:
    return answer if isinstance(answer, IconGuesses) else IconGuesses()


def crop_of(task: ReadingTask, image: QImage) -> tuple[RgbImage, Rect] | None:
    """What the reader is shown, shape (height, width, 3), and the box on it; None where it lies beside the picture."""
    size = Size(image.width(), image.height())
    if not task.box.area or not task.box.inside(size):
        return None
    part = surroundings(task.box, size) if task.icon else task.box
    pixels = pixels_of(image)[part.y1 : part.y2, part.x1 : part.x2, 2::-1].copy()
    return pixels, task.box.moved(-part.x1, -part.y1)


_EDIT_PAUSE_MS: Final = 150
"""Boxes that are nudged or dragged again at once are read where they end."""


@dataclass(slots=True)
class _Batch:
    """The elements of one edit by uid, as they were then, and what was read on them; no name where it is not sure."""

    seen: Mapping[str, Element]
    open: set[str]
    edit: Edit
    texts: dict[str, str] = field(default_factory=dict[str, str])
    names: dict[str, str | None] = field(default_factory=dict[str, str | None])


class TextFollowing(QObject):
    """Listens to edits; on the picture that is shown it asks the reader, and writes when all of an edit is read."""

    def __init__(self, context: EditorContext, reading: ElementReader) -> None:
        super().__init__(context.page)
        self._context, self._reading = context, reading
        self._edits: list[Edit] = []
        self._newest: dict[str, _Batch] = {}
        context.session.set_rewrite(
            "reading", lambda command: ReadableEdit(command=command, key=new_id("read")) if self.on else command
        )
        context.session.edited.connect(self._on_edited)
        self._pause = QTimer(self, interval=_EDIT_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._ask)

    @property
    def on(self) -> bool:
        """Whether texts are read at all."""
        return self._context.services.settings.ui.read_texts and not self._reading.given_up

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
        frame = self._context.view.frame
        image = None if frame is None else self._context.pictures.frame(frame.id)
        if frame is None or not isinstance(image, QImage):
            return
        taken: set[str] = set()
        for edit in reversed(edits):
            wanted = (*texts_to_read(edit), *icons_to_name(edit))
            found = [one for one in wanted if one.uid not in taken and one.frame == frame.id]
            taken.update(one.uid for one in found)
            now = self._context.document.present(one.uid for one in found)
            there = [one for one in now if not self._holds_the_same(one, edits)]
            if there:
                self._ask_for(there, image, edit)

    def _holds_the_same(self, element: Element, edits: Sequence[Edit]) -> bool:
        """Whether an element has a text, and its box still holds what it held before all these edits."""
        pixels = self._context.canvas.pixels
        first = next((c.was for edit in edits for c in edit.changes if c.key == element.uid), None)
        if not isinstance(first, Element) or pixels is None or not element.text or element.text != first.text:
            return False
        return same_foreground(pixels, first.box, element.box)

    def _ask_for(self, elements: Sequence[Element], image: QImage, edit: Edit) -> None:
        seen = {one.uid: one for one in elements}
        batch = _Batch(seen=seen, open=set(seen), edit=edit)
        here = self._context.document.elements(elements[0].frame)
        for one in elements:
            self._newest[one.uid] = batch
            if one.type == "icon":
                task = ReadingTask(one.frame, one.box, icon=True)
                self._reading.ask(task, image, partial(self._receive, batch, one))
                continue
            offer = offered_text(one, here, self._context.canvas.pixels)
            if isinstance(offer, Rect):
                self._reading.ask(ReadingTask(one.frame, offer), image, partial(self._receive, batch, one))
            else:
                self._receive(batch, one, offer)

    def _receive(self, batch: _Batch, element: Element, answer: _Answer | None) -> None:
        uid = element.uid
        batch.open.discard(uid)
        if self._newest.get(uid) is batch:
            del self._newest[uid]
            if element.type == "icon":
                batch.names[uid] = _guesses(answer).name
            else:
                batch.texts[uid] = _words(answer)
        if batch.open:
            return
        # All that was said about an edit is written together.
        session, edit, key = self._context.session, batch.edit, batch.edit.merge_key
        if batch.texts:
            made = any(change.before is None for change in edit.changes)
            session.do(FollowText(texts=batch.texts, seen=batch.seen, drawn=made, merge_key=key))
        if batch.names:
            drawn = edit.drawn is not None
            session.do(FollowName(names=batch.names, seen=batch.seen, drawn=drawn, merge_key=key))
