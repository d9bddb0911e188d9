"""Part of the desktop that is captured."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from demopack.domain.geometry import Rect
from demopack.errors import BadInputError

_REGION = re.compile(r"(-?\d+),(-?\d+),(\d+)x(\d+)")
_WORDS = "Write all, monitor:NAME, window:TITLE or region:X,Y,WIDTHxHEIGHT."


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureArea:
    """All monitors, one of them, one window that may move, or a fixed region.

    Attributes:
        kind: which of the four.
        name: of the monitor, or the title of the window (a part of it is enough); empty otherwise.
        region: desktop units (``ScreenSpace``); for a monitor where it lies, if it is known by that and not by its
            name, which Qt and the capturing library do not agree on everywhere; None otherwise.
    """

    kind: Literal["all", "monitor", "window", "region"] = "all"
    name: str = ""
    region: Rect | None = None

    @classmethod
    def parse(cls, text: str) -> CaptureArea:
        """From ``all``, ``monitor:HDMI-1``, ``monitor:0,0,2560x1440``, ``window:Invoice`` or ``region:100,50,800x600``.

        Raises:
            BadInputError: it is none of these.
        """
        kind, _, rest = text.strip().partition(":")
        if kind == "all" and not rest:
            return cls()
        match = _REGION.fullmatch(rest.strip()) if kind in {"monitor", "region"} else None
        if match is not None and int(match[3]) and int(match[4]):
            x, y, width, height = map(int, match.groups())
            box = Rect(x, y, x + width, y + height)
            return cls(kind="monitor" if kind == "monitor" else "region", region=box)
        if kind in {"monitor", "window"} and rest.strip():
            return cls(kind="monitor" if kind == "monitor" else "window", name=rest.strip())
        raise BadInputError(f"{text!r} is not a part of the screen that can be captured.", hint=_WORDS)

    def __str__(self) -> str:
        """The text that :meth:`parse` reads."""
        if self.region is not None:
            r = self.region
            return f"{self.kind}:{r.x1},{r.y1},{r.width}x{r.height}"
        return f"{self.kind}:{self.name}" if self.name else self.kind


EVERYTHING = CaptureArea()
