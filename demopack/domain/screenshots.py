"""Screenshots in memory, before anything of them is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from demopack.domain.frames import Monitor, RgbImage
from demopack.domain.geometry import Rect, ScreenSpace, Size
from demopack.domain.steps import WindowInfo

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Colours: TypeAlias = "npt.NDArray[np.uint32]"
COLOUR_BITS = 0x00FFFFFF
"""The fourth byte has no meaning; some programs write it."""
_BAND = 1 << 16  # pixels that are compared at once; the first that differ decide
_WHOLE = ScreenSpace()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Screenshot:
    """Pixels of the screen in memory, and when they were read; compared by identity.

    Attributes:
        image: shape (height, width, 3), uint8, RGB; never written to after the grab.
        started_ns: monotonic clock before the first pixel was read.
        ended_ns: monotonic clock after the last pixel was read.
        space: how its pixels and positions on the virtual desktop belong together; only the back end knows.
        scale_factor: how much larger than usual programs draw on its main monitor; it moves nothing.
        raw: the same pixels as the OS gave them, four bytes each (blue, green, red, one without meaning), to be
            compared quickly; None where the source has nothing of the kind.
        monitors: the monitors that can be seen on it.
        read: what of it was read anew, pixels; all else is as on the grab before this one. None for the whole.
        changed_ns: when the screen first changed between the grab before this one and this one; 0 when it did not, None
            where the system does not tell.
    """

    image: RgbImage
    started_ns: int
    ended_ns: int
    space: ScreenSpace = _WHOLE
    scale_factor: float = 1.0
    raw: bytes | bytearray | None = None
    monitors: tuple[Monitor, ...] = ()
    read: Rect | None = None
    changed_ns: int | None = None

    @property
    def size(self) -> Size:
        """Of the picture, pixels."""
        return Size(self.image.shape[1], self.image.shape[0])

    @property
    def desktop_box(self) -> Rect:
        """What it shows of the virtual desktop."""
        return self.space.desktop_box(self.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The screen at a time: its pixels and its windows.

    Attributes:
        started_ns: monotonic clock before the first pixel was read.
        ended_ns: monotonic clock after the last pixel was read.
        screenshot: what it showed; equal ones that follow each other are one object, the first.
        window: the window that had the input.
        own: where windows of ours could be seen.
        own_active: whether one of ours had the input.
        stack: the other windows that could be seen when the grab had ended, topmost first.
        stack_before: those that could be seen when it began; what is to be covered must be covered in both places.
    """

    started_ns: int
    ended_ns: int
    screenshot: Screenshot
    window: WindowInfo | None = None
    own: tuple[Rect, ...] = ()
    own_active: bool = False
    stack: tuple[WindowInfo, ...] = ()
    stack_before: tuple[WindowInfo, ...] = ()


def colours_of(screenshot: Screenshot) -> Colours:
    """The pixels of a picture as one number each, shape (height, width); only :data:`COLOUR_BITS` have a meaning."""
    import numpy as np

    height, width = screenshot.image.shape[:2]
    if screenshot.raw is not None:
        whole: Colours = np.frombuffer(screenshot.raw, dtype="<u4").reshape(height, width)
        return whole
    codes = np.zeros((height, width, 4), dtype=np.uint8)
    codes[:, :, :3] = screenshot.image
    joined: Colours = codes.view("<u4")[:, :, 0]
    return joined


def rgb_of(screenshot: Screenshot) -> RgbImage:
    """A copy of the pixels in memory of its own, shape (height, width, 3), uint8.

    What the OS gives is often a view of four bytes a pixel, read backwards; copied colour by colour, that takes a
    seventh of the time.
    """
    import numpy as np

    image: RgbImage = np.empty(screenshot.image.shape, dtype=np.uint8)
    for colour in range(3):
        image[:, :, colour] = screenshot.image[:, :, colour]
    return image


def same_pixels(a: Screenshot, b: Screenshot) -> bool:
    """Whether two grabs show the same, to the last bit of colour."""
    # Here, because the app's window stands before anything needs arrays.
    import numpy as np

    if a.image.shape != b.image.shape:
        return False
    if a.raw is None or b.raw is None:
        return bool(np.array_equal(a.image, b.image))
    if a.raw is b.raw:
        return True
    ours, theirs = np.frombuffer(a.raw, dtype="<u4"), np.frombuffer(b.raw, dtype="<u4")
    for start in range(0, ours.size, _BAND):
        one, other = ours[start : start + _BAND], theirs[start : start + _BAND]
        if not np.array_equal(one, other) and bool(np.any((one ^ other) & COLOUR_BITS)):
            return False
    return True


def same_place(a: Screenshot, b: Screenshot) -> bool:
    """Whether a position on the one is the same position of the desktop on the other."""
    return (a.space, a.scale_factor, a.monitors) == (b.space, b.scale_factor, b.monitors)
