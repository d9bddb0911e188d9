"""Screenshots: the reference that is stored in records, and the pixels that are not."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeAlias

from pydantic import Field

from demopack.domain.elements import Box
from demopack.domain.geometry import ScreenSpace, Size
from demopack.domain.records import MAX_PX, Nanoseconds, Pixels, Record

if TYPE_CHECKING:  # listing a library must not pay for numpy
    import numpy as np
    import numpy.typing as npt

RgbImage: TypeAlias = "npt.NDArray[np.uint8]"
"""Pixels of shape (height, width, 3), dtype uint8, order red, green, blue."""

MASK_COLOUR = (128, 128, 128)
"""Red, green and blue of what is painted over so that nobody sees it."""

_SCALE_MAX = 1000.0  # far more than any screen has


class Monitor(Record):
    """One monitor that can be seen on a frame.

    Attributes:
        name: as the system calls it, for instance ``HDMI-1``.
        box: where it lies, in units of the virtual desktop.
        scale_factor: how much larger than usual programs draw there; it moves nothing.
        primary: whether it is the main one.
    """

    name: str
    box: Box
    scale_factor: float = Field(default=1.0, gt=0, le=_SCALE_MAX)
    primary: bool = False


class Frame(Record):
    """One stored screenshot.

    Attributes:
        id: SHA-256 over size and pixels, hex; the address of the picture in the library.
        width: pixels.
        height: pixels.
        origin_x: where the picture's left edge lies on the virtual desktop, in units of the desktop.
        origin_y: as ``origin_x``, for the top edge.
        pixels_per_unit: pixels of the picture per unit of the desktop; see :attr:`space`. None, which counts as 1, in
            what early versions wrote and where pictures were not taken from a desktop.
        scale_factor: how much larger than usual programs draw on its main monitor (2.0 for 200 %); for information, it
            moves nothing.
        grab_started_ns: monotonic clock when the grab began.
        grab_ended_ns: monotonic clock when the last pixel had been read.
        monitors: the monitors that can be seen on it; empty where the system does not tell.
        covered: boxes in pixels of this picture that were painted over before it was stored: secure fields, blocked
            applications and regions.
    """

    id: str
    width: int = Field(gt=0, le=MAX_PX)
    height: int = Field(gt=0, le=MAX_PX)
    origin_x: Pixels = 0
    origin_y: Pixels = 0
    pixels_per_unit: float | None = Field(default=None, gt=0, le=_SCALE_MAX)
    scale_factor: float = Field(default=1.0, gt=0, le=_SCALE_MAX)
    grab_started_ns: Nanoseconds = 0
    grab_ended_ns: Nanoseconds = 0
    monitors: tuple[Monitor, ...] = ()
    covered: tuple[Box, ...] = ()

    @property
    def size(self) -> Size:
        """Width and height."""
        return Size(self.width, self.height)

    @property
    def space(self) -> ScreenSpace:
        """How its pixels and positions on the virtual desktop belong together."""
        return ScreenSpace(origin_x=self.origin_x, origin_y=self.origin_y, pixels_per_unit=self.pixels_per_unit or 1.0)


def frame_id(image: RgbImage) -> str:
    """The content address of a picture: SHA-256 over ``b"WxH:"`` and its RGB bytes, whatever the file format."""
    import numpy as np

    height, width = image.shape[:2]
    digest = hashlib.sha256(f"{width}x{height}:".encode())
    digest.update(np.ascontiguousarray(image).data)
    return digest.hexdigest()
