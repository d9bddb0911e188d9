"""Looks at the live screen, and at what was recorded."""

from __future__ import annotations

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.ports import ElementFinder, FrameStore
from demopack.domain.steps import WindowInfo
from demopack.jobs import JobControl
from demopack.settings import PlayerSettings
from player.compare import Comparison, compare, looks_alike
from recorder.backends.base import Grab, ScreenSource
from recorder.screen.settle import wait_until_settled

__all__ = ["Eyes", "View"]


class View:
    """One look at the screen, compared with a recorded frame where there is one.

    Attributes:
        grab: what was seen.
        recorded: the recorded picture; None where there is none.
        comparison: of the two.
    """

    def __init__(self, grab: Grab, recorded: RgbImage | None) -> None:
        self.grab = grab
        self.recorded = recorded
        self.comparison: Comparison | None = None if recorded is None else compare(recorded, grab.image)

    @property
    def image(self) -> RgbImage:
        """The pixels of the live frame."""
        return self.grab.image

    @property
    def size(self) -> Size:
        """Of the live frame."""
        return self.grab.size

    @property
    def same(self) -> bool:
        """Whether it is the recorded screen, a blinking text cursor aside."""
        return self.comparison is not None and self.comparison.same

    @property
    def share(self) -> float | None:
        """Share of equal pixels; None when there is nothing to compare with."""
        return None if self.comparison is None else self.comparison.share

    def alike(self, box: Rect, at: Point | None) -> float | None:
        """How much a recorded place looks as recorded, at a point of the live frame; None when nothing was recorded."""
        return None if self.recorded is None else looks_alike(self.recorded, self.image, box, at=at)

    def to_desktop(self, point: Point) -> Point:
        """A pixel of the live frame as a position of the desktop."""
        return self.grab.space.to_desktop(point)

    def local(self, window: WindowInfo | None) -> Rect | None:
        """Where a window of the desktop lies on the live frame; None where that is not known."""
        return None if window is None or window.box is None else self.grab.space.to_pixels(window.box)


class Eyes:
    """The screen, the finder and the recorded pictures in one place."""

    def __init__(
        self,
        screen: ScreenSource,
        *,
        finder: ElementFinder,
        images: FrameStore,
        settings: PlayerSettings,
        control: JobControl,
    ) -> None:
        self._screen = screen
        self._finder = finder
        self._images = images
        self._settings = settings
        self._control = control
        self._found: tuple[str, list[Element]] = ("", [])
        self._read: dict[str, list[Element]] = {}

    def look(self, frame: Frame | None) -> View:
        """The screen as it is at this moment, compared with a recorded frame."""
        return View(self._screen.grab(), self.picture(frame))

    def settled(self, frame: Frame | None) -> View:
        """The screen when it has come to rest, or after the time-out; at once where it looks as recorded."""
        view = self.look(frame)
        if view.same:
            return view
        grab, _ = wait_until_settled(self._screen, timeout_s=self._settings.settle_timeout_s, control=self._control)
        return View(grab, self.picture(frame))

    def elements(self, view: View) -> list[Element]:
        """The elements on the live screen, without track ids; a screen is parsed once."""
        image = view.grab.image
        frame = Frame(
            id=frame_id(image),
            width=view.size.width,
            height=view.size.height,
            origin_x=view.grab.space.origin_x,
            origin_y=view.grab.space.origin_y,
            pixels_per_unit=view.grab.space.pixels_per_unit,
            scale_factor=view.grab.scale_factor,
        )
        if self._found[0] != frame.id:
            self._found = (frame.id, self._finder.find(image, frame, control=self._control))
        return self._found[1]

    def elements_of(self, frame: Frame) -> list[Element]:
        """The elements on a recorded frame that nobody has looked through yet; it is parsed once."""
        if frame.id not in self._read:
            self._read[frame.id] = self._finder.find(self._images.get_image(frame.id), frame, control=self._control)
        return self._read[frame.id]

    def picture(self, frame: Frame | None) -> RgbImage | None:
        """The pixels of a recorded frame."""
        return None if frame is None else self._images.get_image(frame.id)
