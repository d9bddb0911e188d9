"""The live screen as an agent gets it: its picture and its numbered elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from demopack.atomic import write_bytes_atomic, write_text_atomic
from demopack.clock import now_ns
from demopack.codecs.observation import Observation
from demopack.domain.elements import NumberedElement, numbered, reading_order
from demopack.domain.frames import MASK_COLOUR, Frame, RgbImage
from demopack.domain.geometry import Point, Rect, subtract
from demopack.domain.ports import ElementFinder
from demopack.domain.records import Record
from demopack.domain.screenshots import Screenshot, same_pixels
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.domain.text_likeness import plain_text
from demopack.domain.trees import TreeReading, WindowTree
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.pack.picture import decode, encode_png
from models.vision.appearance import descriptors_of
from models.vision.duplicates import duplicates_among
from models.vision.reports.elements import reported_elements
from models.vision.reports.joining import join_reports
from models.vision.reports.texts import without_caret
from models.vision.reports.unreported import grounds_of
from models.vision.tracker import Tracker
from player.compare import compare
from player.screen_matcher import frame_of_grab
from recorder.backends.base import AccessSource, ScreenSource, SeenWindow, WindowSource
from recorder.screen.snapshots import wait_until_settled

Eyes = Literal["all", "pixels", "picture"]
"""What an observation is made from: what programs report, and models for the rest; models alone, as in CAAP; the
picture without elements, for models that see."""
_REPORT_S: Final = 2.0
"""So long programs are waited for that are asked what they show."""
_NEWS_S: Final = 0.3
_TRIES: Final = 2
_SAVED: Final = "observation.json"
_PICTURE: Final = "screen.png"
_FIELD_MARGIN_NS: Final = 300_000_000
"""A secure field that was seen so shortly before may still be on the picture."""
_FIELD_FRAME_PX: Final = 2
"""Programs tell the inside of a field; its letters may reach into the frame around it."""

AllowedWindow = Callable[[WindowInfo], bool]
"""Whether an agent may see a window and act in it."""


EVERY_WINDOW: Final = "*"
"""The name that stands for all windows."""


def any_window(_window: WindowInfo) -> bool:
    """Allow every window."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveObservation:
    """The screen at a moment.

    Attributes:
        frame: the picture, by its content, with the time and place of the grab.
        image: its pixels, shape (height, width, 3), uint8; windows that are not allowed are painted over.
        elements: on it, in reading order, each with a track id that holds over the observations of one observer.
        window: the one that has the input; None where none has, or nobody tells.
        stack: the windows that can be seen, topmost first; empty where nobody tells.
        focused: the element that has the input; None where no program tells.
        hidden: what programs report beneath other windows, each by its text with the window over it.
        eyes: what it was made from.
    """

    frame: Frame
    image: RgbImage
    elements: tuple[NumberedElement, ...] = ()
    window: WindowInfo | None = None
    stack: tuple[WindowInfo, ...] = ()
    focused: AccessibleElement | None = None
    hidden: tuple[tuple[str, WindowInfo], ...] = ()
    eyes: Eyes = "all"

    def for_prompt(self, *, image: str = "") -> Observation:
        """The same for prompts and answers; ``image`` is the path or id under which the picture is sent along."""
        window = None if self.window is None or self.window.box is None else self.box_of(self.window)
        return Observation(size=self.frame.size, elements=self.elements, window=window, image=image)

    def box_of(self, window: WindowInfo) -> Rect | None:
        """Where a window lies on the picture, as far as it does; None where it does not."""
        whole = Rect(0, 0, self.frame.width, self.frame.height)
        return None if window.box is None else self.frame.space.to_pixels(window.box).intersection(whole)

    def cover_of(self, text: str) -> WindowInfo | None:
        """The window over what is called so; None where nothing of that name is beneath one."""
        wanted = plain_text(text)
        return next((over for name, over in self.hidden if wanted and plain_text(name) == wanted), None)

    def top_window(self, point: Point) -> WindowInfo | None:
        """The topmost window at a pixel of the picture; None on the bare desktop, or where nobody tells."""
        return top_window(self.stack, self.frame.space.to_desktop(point))


def top_window(stack: Sequence[WindowInfo], at: Point) -> WindowInfo | None:
    """The topmost window at a position of the desktop."""
    return next((one for one in stack if one.box is not None and one.box.contains(at)), None)


@dataclass(slots=True, kw_only=True)
class ScreenObserver:
    """Looks at the screen; elements keep their track ids from one observation to the next.

    Attributes:
        screen: the live screen.
        finder: finds elements on its picture; not asked where ``eyes`` is ``picture``.
        windows: knows the windows.
        access: knows what programs report; has to be started.
        eyes: what observations are made from.
        allowed: which windows may be seen.
        settle_s: longest wait for the screen to come to rest.
    """

    screen: ScreenSource
    finder: ElementFinder
    windows: WindowSource = field(default_factory=WindowSource)
    access: AccessSource = field(default_factory=AccessSource)
    eyes: Eyes = "all"
    allowed: AllowedWindow = any_window
    settle_s: float = 5.0
    _tracker: Tracker = field(default_factory=Tracker)
    _placeholders: dict[Rect, str] = field(default_factory=dict[Rect, str])
    _last: LiveObservation | None = None
    _rest: Screenshot | None = None

    def observe(self, *, control: JobControl | None = None) -> LiveObservation:
        """The screen when it has come to rest, or after the time-out.

        A screen that looks as at the last observation, a blinking text cursor aside, is not looked through again.

        Raises:
            CaptureError: the screen cannot be read.
            ModelError: the finder failed.
            CancelledError: it was stopped.
        """
        control = control or JobControl()
        for left in reversed(range(_TRIES)):
            grab = self.settled(control)
            seen = self.windows.read()
            # Of what may not be seen, the place alone is known.
            stack = tuple(one if self.allowed(one) else WindowInfo(box=one.box) for one in seen.stack)
            active = seen.active if seen.active is not None and self.allowed(seen.active) else None
            image, covered = self._painted(grab, stack)
            last = self._last
            if last is not None and last.stack == stack and compare(last.image, image).same:
                known = LiveObservation(
                    frame=last.frame, image=last.image, elements=last.elements, window=active, stack=stack,
                    focused=self._focused(active), hidden=last.hidden, eyes=self.eyes,
                )  # fmt: skip
                self._last = known
                return known
            frame = frame_of_grab(grab, image).but(covered=covered)
            reports = self._reports(stack, grab, is_last=not left)
            if reports is not None:
                break
        else:
            raise AssertionError
        elements = self._elements(image, frame, reports, control)
        self._last = LiveObservation(
            frame=frame,
            image=image,
            elements=elements,
            window=active,
            stack=stack,
            focused=self._focused(active),
            hidden=_hidden(reports, frame, stack),
            eyes=self.eyes,
        )
        return self._last

    def settled(self, control: JobControl, *, again: bool = False) -> Screenshot:
        """The screen when it has come to rest, or after the time-out.

        A screen that looks exactly as when it last had come to rest is not waited for once more.

        Args:
            control: cancels the wait.
            again: wait all the same: something may be about to happen.

        Raises:
            CaptureError: the screen cannot be read.
            CancelledError: it was stopped.
        """
        control.token.check()
        if self._rest is not None and not again:
            grab = self.screen.grab()
            if same_pixels(self._rest, grab):
                return grab
        grab, is_at_rest = wait_until_settled(self.screen, timeout_s=self.settle_s, control=control)
        self._rest = grab if is_at_rest else None
        return grab

    def _focused(self, window: WindowInfo | None) -> AccessibleElement | None:
        """The element with the input, unless it is that of a window that may not be seen."""
        if not self.access.available:
            return None
        if self.allowed is not any_window and (window is None or not self.allowed(window)):
            return None
        self.access.catch_up(timeout_s=_NEWS_S)
        return self.access.focused(now_ns())

    def _reports(
        self, stack: Sequence[WindowInfo], grab: Screenshot, *, is_last: bool
    ) -> list[tuple[TreeReading, WindowTree]] | None:
        """What the programs of allowed windows report; None where the screen changed meanwhile, but at the last try."""
        if self.eyes != "all" or not self.access.available:
            return []
        asked = [one for one in stack if isinstance(one, SeenWindow) and self.allowed(one)]
        read = self.access.trees_now(asked, timeout_s=_REPORT_S)
        now = self.screen.grab()
        proved = compare(grab.image, now.image).same
        if not proved and not is_last:
            return None
        return [
            (TreeReading(tree="", started_ns=one.started_ns, ended_ns=one.ended_ns, proved=proved), one.tree)
            for one in read
        ]

    def _elements(
        self, image: RgbImage, frame: Frame, reports: Sequence[tuple[TreeReading, WindowTree]], control: JobControl
    ) -> tuple[NumberedElement, ...]:
        if self.eyes == "picture":
            return ()
        found = self.finder.find(image, frame, control=control)
        joined = join_reports(
            found, reported_elements(reports, frame), image, frame, grounds=grounds_of(reports, frame)
        )
        again = duplicates_among(joined)
        once = without_caret([one for i, one in enumerate(joined) if i not in again], self._placeholders)
        tracked = self._tracker.track(once, descriptors_of(image, once))
        return tuple(numbered(reading_order(tracked)))

    def painted(self, grab: Screenshot) -> Screenshot:
        """A picture of the screen now as it may be seen, sent and stored; times and place stay."""
        return replace(grab, image=self._painted(grab, tuple(self.windows.read().stack))[0], raw=None)

    def _painted(self, grab: Screenshot, stack: Sequence[WindowInfo]) -> tuple[RgbImage, tuple[Rect, ...]]:
        """The picture with secure fields, and all that is no allowed window, painted over; and where that is."""
        whole = Rect(0, 0, grab.size.width, grab.size.height)
        boxes = [grab.space.to_pixels(box) for box in self._secure(grab)]
        covered = [part for box in boxes if (part := box.intersection(whole)) is not None]
        if self.allowed is not any_window:
            covered += subtract(whole, self._shown(grab, stack))
        if not covered:
            return grab.image, ()
        image = grab.image.copy()
        for box in covered:
            image[box.y1 : box.y2, box.x1 : box.x2] = MASK_COLOUR
        return image, tuple(covered)

    def _secure(self, grab: Screenshot) -> list[Rect]:
        """Where secure fields could be seen, with their frames, in units of the virtual desktop."""
        if not self.access.available:
            return []
        self.access.catch_up(timeout_s=_NEWS_S)
        found = self.access.secure_boxes(grab.started_ns - _FIELD_MARGIN_NS, now_ns())
        return [box.grown(math.ceil(_FIELD_FRAME_PX * grab.scale_factor)) for box in found if box.area]

    def _shown(self, grab: Screenshot, stack: Sequence[WindowInfo]) -> list[Rect]:
        """The parts of allowed windows that can be seen, pixels of the picture."""
        shown: list[Rect] = []
        above: list[Rect] = []
        for window in stack:
            if window.box is None:
                continue
            shown += subtract(window.box, above) if self.allowed(window) else []
            above.append(window.box)
        return [grab.space.to_pixels(box) for box in shown]


def _hidden(
    reports: Sequence[tuple[TreeReading, WindowTree]], frame: Frame, stack: Sequence[WindowInfo]
) -> tuple[tuple[str, WindowInfo], ...]:
    """What each window would show if no other lay over it: its text, and what lies over it."""
    found: list[tuple[str, WindowInfo]] = []
    for reading, tree in reports[1:]:
        for one in reported_elements([(reading, tree)], frame):
            text = one.text or one.name
            over = None if one.box is None else top_window(stack, frame.space.to_desktop(one.box.center))
            if text and over is not None and over.box != tree.box:
                found.append((text, over))
    return tuple(found)


def windows_named(names: Sequence[str]) -> AllowedWindow:
    """Allows the windows of these programs, and those in whose title one of these texts stands; case does not count.

    Args:
        names: programs or parts of titles; :data:`EVERY_WINDOW` for all.
    """
    if EVERY_WINDOW in names:
        return any_window
    wanted = [folded for name in names if (folded := name.strip().casefold())]

    def allowed(window: WindowInfo) -> bool:
        return any(name == window.app.casefold() or name in window.title.casefold() for name in wanted)

    return allowed


def name_of(window: WindowInfo) -> str:
    """What allows a window and others of its program: that one's name, else the title."""
    return window.app or window.title


def observation_json(seen: LiveObservation) -> dict[str, Any]:
    """An observation as plain JSON: the size of the picture in pixels, the window with the input, the elements."""
    size = seen.frame.size
    elements = [
        {
            "element_id": one.number,
            "track_id": one.track_id,
            "type": one.type,
            "text": one.text,
            "bbox": list(one.fractions(size)),
            "states": dict(one.states),
        }
        for one in seen.elements
    ]
    window = None if seen.window is None else {"app": seen.window.app, "title": seen.window.title}
    return {"width": size.width, "height": size.height, "window": window, "elements": elements}


class SavedObservation(Record):
    """An observation as it is kept in a folder, beside its picture ``screen.png``.

    Attributes:
        schema_version: of this record.
        frame: the picture.
        elements: on it, in reading order.
        window: the one that had the input.
        stack: the windows that could be seen, topmost first.
        focused: the element that had the input.
        eyes: what it was made from.
    """

    schema_version: Literal[1] = 1
    frame: Frame
    elements: tuple[NumberedElement, ...] = ()
    window: WindowInfo | None = None
    stack: tuple[WindowInfo, ...] = ()
    focused: AccessibleElement | None = None
    eyes: Eyes = "all"


def save_observation(observation: LiveObservation, folder: Path) -> None:
    """Write an observation into a folder, which is made: ``observation.json`` and ``screen.png``."""
    folder.mkdir(parents=True, exist_ok=True)
    write_bytes_atomic(folder / _PICTURE, encode_png(observation.image))
    saved = SavedObservation(
        frame=observation.frame,
        elements=observation.elements,
        window=None if observation.window is None else _plain(observation.window),
        stack=tuple(_plain(one) for one in observation.stack),
        focused=observation.focused,
        eyes=observation.eyes,
    )
    write_text_atomic(folder / _SAVED, saved.model_dump_json(indent=1) + "\n")


def _plain(window: WindowInfo) -> WindowInfo:
    return WindowInfo(title=window.title, app=window.app, box=window.box)


def load_observation(folder: Path) -> LiveObservation:
    """Read what :func:`save_observation` wrote.

    Raises:
        BadInputError: something is missing or not what it should be.
    """
    try:
        saved = SavedObservation.model_validate_json((folder / _SAVED).read_bytes())
        picture = decode((folder / _PICTURE).read_bytes(), size=saved.frame.size)
    except (OSError, ValueError) as error:
        raise BadInputError(
            f"{folder} holds no observation that can be read.",
            details=str(error),
            hint="Make one with: demopack observe -o FOLDER",
        ) from error
    if picture.id != saved.frame.id:
        raise BadInputError(
            f"{folder / _PICTURE} is not the picture that {folder / _SAVED} is about.",
            hint="Make both anew with: demopack observe -o FOLDER",
        )
    return LiveObservation(
        frame=saved.frame,
        image=picture.image,
        elements=saved.elements,
        window=saved.window,
        stack=saved.stack,
        focused=saved.focused,
        eyes=saved.eyes,
    )
