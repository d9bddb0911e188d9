"""What the recorder and the player need of an operating system; small enough that each system can answer it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from demopack.domain.events import InputEvent
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.steps import WindowInfo

__all__ = ["Grab", "InputSource", "OsTimings", "ScreenSource", "WindowSource"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grab:
    """One screenshot in memory.

    Attributes:
        image: shape (height, width, 3), uint8, RGB; never written to after the grab.
        started_ns: monotonic clock before the first pixel was read.
        ended_ns: monotonic clock after the last pixel was read.
        origin_x: left edge on the virtual desktop, pixels.
        origin_y: top edge on the virtual desktop, pixels.
        scale_factor: physical pixels per logical pixel.
        raw: the same pixels as the OS gave them, four bytes each (blue, green, red, one without meaning), to be
            compared quickly; None where the source has nothing of the kind.
    """

    image: RgbImage
    started_ns: int
    ended_ns: int
    origin_x: int = 0
    origin_y: int = 0
    scale_factor: float = 1.0
    raw: bytes | bytearray | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OsTimings:
    """What the OS says about clicks; None where it does not tell, then the settings count."""

    double_click_ms: int | None = None
    double_click_px: int | None = None
    drag_px: int | None = None


class ScreenSource(ABC):
    """Takes screenshots. Used from one thread at a time; the owner sees to that."""

    @abstractmethod
    def grab(self) -> Grab:
        """The screen now.

        Raises:
            CaptureError: the screen cannot be read; says why and what to do.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the display; calling it twice is harmless."""


class InputSource(ABC):
    """Delivers raw input events. The callback runs in the hook's thread and must only enqueue."""

    @abstractmethod
    def start(self, callback: Callable[[InputEvent], None]) -> None:
        """Begin to listen; returns once events arrive.

        Raises:
            CaptureError: input cannot be watched in this session; says why and what to do.
        """

    @abstractmethod
    def stop(self) -> None:
        """Stop listening and join the hook's threads; calling it twice is harmless."""

    @abstractmethod
    def timings(self) -> OsTimings:
        """The OS's own constants."""


class WindowSource(ABC):
    """Knows the windows of the desktop."""

    @abstractmethod
    def active(self) -> WindowInfo | None:
        """The window that has the input; None when unknown."""

    @abstractmethod
    def own_windows(self) -> list[Rect]:
        """Where windows of this process can be seen, in pixels of the virtual desktop; clicks there are not recorded.

        Parts that another program's window covers do not count: a click there is meant for that program.
        """

    def owns_active(self) -> bool:
        """Whether the window that has the input belongs to this process; what is typed then is not recorded."""
        return False

    @abstractmethod
    def close(self) -> None:
        """Let go of the display; calling it twice is harmless."""
