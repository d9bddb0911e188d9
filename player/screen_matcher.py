"""Views of the live screen, compared with recorded frames."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from demopack.clock import now_ns
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.ports import ElementFinder, FrameStore
from demopack.domain.screenshots import Screenshot, Snapshot
from demopack.domain.steps import WindowInfo
from demopack.domain.trees import TreeReading, WindowTree
from demopack.jobs import JobControl
from demopack.pixels.masks import crop
from demopack.reduction.steps import frame_of
from demopack.settings import PlayerSettings
from models.vision.reports.elements import reported_elements
from player.compare import FrameComparison, area_alike, compare, exact_move, looks_alike, same_shapes_move
from player.reported_targets import HiddenTarget, ReportedPlace, ReportedTarget, find_around, find_hidden, find_reported
from player.text_places import ReadWord, find_place, place_at, read_words
from player.windows_in_front import WindowsInFront, boxes_on
from recorder.backends.base import AccessSource, ScreenSource, SeenWindow, WindowSource
from recorder.screen.snapshots import wait_until_settled

_REPORT_S: Final = 2.0
"""So long programs are waited for that are asked what they show."""
_READ_ON: Final = 2
"""How often more of a large tree is asked for."""
_LINE_X_PX, _LINE_Y_PX = 80, 10
"""Around a place in a text: what has to look as it did there for the place to be the same."""
_SAME_LINE: Final = 0.95
_MIN_LETTERS_PX: Final = 30
_LINES_PX: Final = 120
"""So far above and below a place in a text words are read that tell where it is."""


class ScreenView:
    """One look at the screen, compared with a recorded frame where there is one.

    Attributes:
        grab: what was seen.
        recorded: the recorded picture; None where there is none.
        covered: parts of the recorded picture that say nothing about the live one.
        comparison: of the two, but for what was painted over on the recorded one.
    """

    def __init__(self, grab: Screenshot, recorded: RgbImage | None, *, covered: Sequence[Rect] = ()) -> None:
        self.grab = grab
        self.recorded = recorded
        self.covered = tuple(covered)
        self.comparison: FrameComparison | None = (
            None if recorded is None else compare(recorded, grab.image, ignore=covered)
        )

    @property
    def image(self) -> RgbImage:
        """The pixels of the live frame."""
        return self.grab.image

    @property
    def size(self) -> Size:
        """Of the live frame."""
        return self.grab.size

    @property
    def matches(self) -> bool:
        """Whether it is the recorded screen, a blinking text cursor aside."""
        return self.comparison is not None and self.comparison.same

    @property
    def share(self) -> float | None:
        """Share of equal pixels; None when there is nothing to compare with."""
        return None if self.comparison is None else self.comparison.share

    def scale_from(self, frame: Frame | None) -> float:
        """How much larger programs draw here than on a recorded frame."""
        return 1.0 if frame is None else self.grab.scale_factor / frame.scale_factor

    def similarity(self, box: Rect, at: Point | None) -> float | None:
        """How much a recorded place looks as recorded, at a point of the live frame; None when nothing was recorded."""
        return None if self.recorded is None else looks_alike(self.recorded, self.image, box, at=at)

    def to_desktop(self, point: Point) -> Point:
        """A pixel of the live frame as a position of the desktop."""
        return self.grab.space.to_desktop(point)

    def window_box(self, window: WindowInfo | None) -> Rect | None:
        """Where a window of the desktop lies on the live frame; None where that is not known."""
        return None if window is None or window.box is None else self.grab.space.to_pixels(window.box)


@dataclass(slots=True, kw_only=True)
class ScreenMatcher:
    """The screen, the finder, what programs report and what was recorded in one place."""

    demo: Demo
    screen: ScreenSource
    finder: ElementFinder
    images: FrameStore
    settings: PlayerSettings
    control: JobControl
    access: AccessSource = field(default_factory=AccessSource)
    windows: WindowSource = field(default_factory=WindowSource)
    in_front: WindowsInFront = field(default_factory=WindowsInFront)
    new_text: Callable[[str], str] = str
    """What a text of the recording should read now; another one where it is the value of a variable."""
    _found: tuple[str, list[Element]] = ("", [])
    _read: dict[str, list[Element]] = field(default_factory=dict[str, list[Element]])

    def capture(self, frame: Frame | None) -> ScreenView:
        """The screen as it is at this moment, compared with a recorded frame."""
        return self.view(self.screen.grab(), frame)

    def capture_settled(self, frame: Frame | None) -> ScreenView:
        """The screen when it has come to rest, or after the time-out; at once where it looks as recorded."""
        view = self.capture(frame)
        if view.matches:
            return view
        grab, _ = wait_until_settled(self.screen, timeout_s=self.settings.settle_timeout_s, control=self.control)
        return self.view(grab, frame)

    def view(self, grab: Screenshot, frame: Frame | None) -> ScreenView:
        """A look at the screen, compared with a recorded frame."""
        covered = () if frame is None else frame.covered
        own = boxes_on(grab, self.in_front.boxes())
        return ScreenView(grab, self.recorded_image(frame), covered=(*covered, *own))

    def find_elements(self, view: ScreenView) -> list[Element]:
        """The elements on the live screen, without track ids; a screen is parsed once."""
        frame = frame_of_grab(view.grab, view.image)
        if self._found[0] != frame.id:
            self._found = (frame.id, self.finder.find(view.image, frame, control=self.control))
        return self._found[1]

    def find_reported(self, target: ReportedTarget, view: ScreenView) -> ReportedPlace | str:
        """Where the target's program reports it to be now; or why that is not known."""
        reports = self.read_reports()
        return (
            "programs report nothing"
            if reports is None
            else find_reported(target, reports, frame_of_grab(view.grab, view.image))
        )

    def find_hidden(self, target: ReportedTarget, view: ScreenView) -> HiddenTarget | None:
        """The target, where its program reports it, but it is scrolled out of sight."""
        reports = self.read_reports()
        return None if reports is None else find_hidden(target, reports, frame_of_grab(view.grab, view.image))

    def find_around(self, target: ReportedTarget, view: ScreenView) -> Rect | None:
        """What can be seen of the page or list in which the target was, pixels of the live frame."""
        reports = self.read_reports()
        return None if reports is None else find_around(target, reports, frame_of_grab(view.grab, view.image))

    def read_reports(self) -> list[tuple[TreeReading, WindowTree]] | None:
        """What programs report now about the windows that are seen, topmost first; None where they report nothing."""
        if not self.access.available:
            return None
        seen = [window for window in self.windows.read().stack if isinstance(window, SeenWindow)]
        asked_ns = now_ns()
        read = self.access.trees_now(seen, timeout_s=_REPORT_S)
        for _ in range(_READ_ON):
            if all(one.tree.complete and one.started_ns >= asked_ns for one in read):
                break
            read = self.access.trees_now(seen, timeout_s=_REPORT_S)
        return [
            (
                TreeReading(tree="", started_ns=one.started_ns, ended_ns=one.ended_ns, proved=True),
                one.tree if one.started_ns >= asked_ns else one.tree.but(nodes=()),
            )
            for one in read
        ]

    def find_reported_texts(self, view: ScreenView) -> list[tuple[str, Rect]]:
        """The texts that programs report just now, each with its place on the live frame; empty where none do."""
        reports = self.read_reports()
        reported = [] if reports is None else reported_elements(reports, frame_of_grab(view.grab, view.image))
        return [(text, one.box) for one in reported if one.box is not None and (text := one.text or one.name)]

    def find_in_text(
        self, point: Point, source: Rect, frame: Frame, view: ScreenView, live: Rect
    ) -> Point | str | None:
        """Where a place in a text is now, in pixels of the live frame.

        Args:
            point: in pixels of the recorded frame.
            source: box of the text there.
            frame: the recorded frame.
            view: the screen now.
            live: box of the text there.

        Returns:
            Why it is not known where words were read at the place; None where nothing is written there.
        """
        recorded = self.recorded_image(frame)
        if recorded is None:
            return None
        near = Rect(point.x - _LINE_X_PX, point.y - _LINE_Y_PX, point.x + _LINE_X_PX, point.y + _LINE_Y_PX)
        line = near.intersection(source)
        if line is not None and view.scale_from(frame) == 1:
            dx, dy = live.x1 - source.x1, live.y1 - source.y1
            dx, dy = exact_move(recorded, view.image, line, dx=dx, dy=dy)
            share, drawn = area_alike(recorded, view.image, line, dx=dx, dy=dy, ignore=frame.covered)
            there = Point(point.x + dx, point.y + dy)
            if share >= _SAME_LINE and drawn >= _MIN_LETTERS_PX and live.contains(there):
                return there
        lines = Rect(source.x1, point.y - _LINES_PX, source.x2, point.y + _LINES_PX).intersection(source)
        place = None if lines is None else place_at(point, self._words_in(recorded, lines))
        if place is None:
            return None
        found = find_place(place, self._words_in(view.image, live))
        if found is not None and line is not None and view.scale_from(frame) == 1:
            # The edges of letters are blurred, so a word begins at another pixel in another theme.
            dx, dy = found.x - point.x, found.y + place.below - point.y
            exact = same_shapes_move(recorded, view.image, line, dx=dx, dy=dy)
            if exact is not None:
                return Point(point.x + exact[0], point.y + exact[1])
        return f"the place in the text at “{place.word}” was not found" if found is None else found

    def _words_in(self, image: RgbImage, box: Rect) -> list[ReadWord]:
        """The words that can be read in a part of a picture, in pixels of the picture."""
        part = np.ascontiguousarray(crop(image, box))
        if not part.size:
            return []
        frame = Frame(id=frame_id(part), width=part.shape[1], height=part.shape[0])
        if frame.id not in self._read:
            self._read[frame.id] = self.finder.find(part, frame, control=self.control)
        return [
            ReadWord(text=word.text, box=word.box.moved(box.x1, box.y1), line=word.line)
            for word in read_words(self._read[frame.id], part)
        ]

    def find_recorded_elements(self, frame: Frame) -> Sequence[Element]:
        """The elements on a recorded frame; one that nobody has looked through yet is parsed, once."""
        if not (known := self.demo.elements.get(frame.id)) and frame.id not in self._read:
            read = self.finder.find(self.images.get_image(frame.id), frame, control=self.control)
            self._read[frame.id] = [e.but(text=self.new_text(e.text)) if e.text else e for e in read]
        return known or self._read[frame.id]

    def recorded_image(self, frame: Frame | None) -> RgbImage | None:
        """The pixels of a recorded frame."""
        return None if frame is None else self.images.get_image(frame.id)


def frame_of_grab(grab: Screenshot, image: RgbImage) -> Frame:
    """The frame of a picture of the live screen, which shows what was grabbed, if not all of it."""
    seen = Snapshot(started_ns=grab.started_ns, ended_ns=grab.ended_ns, screenshot=grab)
    return frame_of(seen, frame_id(image))


class LazyFinder(contextlib.ExitStack):
    """Satisfies the ``ElementFinder`` port; use it in a ``with`` block.

    Args:
        opener: opens the real finder, for instance ``lambda: open_finder(settings.vision)``.
    """

    def __init__(self, opener: Callable[[], AbstractContextManager[ElementFinder]]) -> None:
        super().__init__()
        self._opener = opener
        self._finder: ElementFinder | None = None

    @property
    def name(self) -> str:
        """Of the real finder; opens it."""
        return self._open().name

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:
        """As the real finder."""
        return self._open().find(image, frame, control=control, near=near)

    def _open(self) -> ElementFinder:
        if self._finder is None:
            self._finder = self.enter_context(self._opener())
        return self._finder
