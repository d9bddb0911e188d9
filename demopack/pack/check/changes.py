"""Whether two pictures differ by more than a blinking caret; looked up only where a rule would complain otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.errors import PackError
from demopack.pack.picture import decode
from demopack.pack.source import PackSource

__all__ = ["Changes"]

_CARET: Final = (6, 96)
"""Pixels: no caret is wider or higher, on a screen of twice the usual density either."""
_MOST: Final = 200
"""Pairs of pictures that are compared; of a pack in which more are alike, the rest counts as changed."""


class Changes:
    """Compares the pictures of one pack.

    Args:
        source: the pack.
        limits: the most bytes each picture may have.
    """

    def __init__(self, source: PackSource, limits: Mapping[str, int]) -> None:
        self._source = source
        self._limits = limits
        self._looked = 0

    def by_caret(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        """Whether one picture is the other but for a caret; False where one cannot be read.

        Args:
            before: a frame as a row tells it, with ``file``, ``width`` and ``height``.
            after: another.
        """
        self._looked += 1
        if self._looked > _MOST:
            return False
        first, second = self._image(before), self._image(after)
        if first is None or second is None or first.shape != second.shape:
            return False
        changed = (first != second).any(axis=2)
        ys, xs = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if not len(ys):
            return False
        width, height = int(xs[-1] - xs[0]) + 1, int(ys[-1] - ys[0]) + 1
        return width <= _CARET[0] and width < height <= _CARET[1]

    def _image(self, frame: Mapping[str, Any]) -> RgbImage | None:
        name = str(frame["file"])
        try:
            data = self._source.read(name, limit=self._limits.get(name, 0))
            return decode(data, size=(frame["width"], frame["height"])).image
        except (PackError, ValueError):
            return None
