"""Damage of the screen since it was last read, and its time, through the DAMAGE extension."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from demopack.domain.geometry import Rect, subtract
from recorder.backends.x11.windows import TopLevel
from recorder.backends.x11.xlib import ServerClock, new_request, reply_head, xlib

_BOUNDING_BOX = 2


@dataclass(slots=True, kw_only=True)
class CoveredWindow:
    """A window beneath one of ours, drawn on where nobody sees it.

    Attributes:
        top: the window, as it is known now.
        damage: the server's record of what was drawn.
        stale: parts of it, in its own pixels, that nothing has been drawn on since they were uncovered.
    """

    top: TopLevel
    damage: int
    stale: list[Rect]


class DamageWatch:
    """Counts only changes inside ``area`` and outside ``hidden``.

    The server reports each time the box around everything that was drawn grows, so a busy program costs a few events
    between two grabs and not one for each line it draws. A box that lies partly outside is looked into by its region.

    Attributes:
        area: what counts; None for everything.
        hidden: where our own windows are.
        covered: the windows beneath ours that are watched, by their numbers.
        first_ns: when the first change that counts came after the last reading; 0: none has come.
        extent: a box around everything that has changed since.
        torn: whether something changed in the very moment of reading: it may be on the picture, and what is drawn later
            inside its box is not reported, so ``first_ns`` says only that the picture must be taken again.
        read_serial: number (its lower 16 bits) of the request that read the pixels, while the events that came with the
            answer are handed over; None otherwise.
    """

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        self.first_ns = 0
        self.extent: Rect | None = None
        self.torn = False
        self.read_serial: int | None = None
        self._display = display
        self._clock = ServerClock.measured(display)
        rq: Any = xlib("protocol.rq")
        structs: Any = xlib("protocol.structs")
        # A set of pixels that the server keeps (XFIXES), which python-xlib lacks; the server wants to hear our version
        # before it answers anything else.
        display.xfixes_query_version()
        xfixes = int(display.query_extension("XFIXES").major_opcode)
        self._region = int(display.display.allocate_resource_id())
        self._of_region = {"display": display.display, "opcode": xfixes, "region": self._region}
        new_request(rq, 5, rq.Card32("region"))(**self._of_region)
        boxes = (rq.Object("extents", structs.Rectangle), rq.Pad(16), rq.List("rectangles", structs.Rectangle, pad=0))
        self._fetch = new_request(rq, 19, rq.Card32("region"), reply=(rq.Pad(1), *reply_head(rq), *boxes))
        display.damage_query_version()
        self._type = int(display.query_extension("DAMAGE").first_event)
        self._root_damage = int(display.screen().root.damage_create(_BOUNDING_BOX))
        self.area: Rect | None = None
        self.hidden: Sequence[Rect] = ()
        self.covered: dict[int, CoveredWindow] = {}

    def note(self, event: Any) -> bool:  # noqa: ANN401 - an untyped library
        """Take in an event; returns whether it is one of damage.

        Args:
            event: any event of the connection.
        """
        if event.type != self._type:
            return False
        box = Rect(event.area.x, event.area.y, event.area.x + event.area.width, event.area.y + event.area.height)
        if event.damage == self._root_damage:
            self._note_root(event, box)
        else:
            self._note_covered(event, box)
        return True

    def reset(self) -> None:
        """From here on count anew; to be followed at once by the request that reads the pixels."""
        self.first_ns = 0
        self.extent = None
        self.torn = False
        for damage in (self._root_damage, *(entry.damage for entry in self.covered.values())):
            self._display.damage_subtract(damage)

    def _note_root(self, event: Any, box: Rect) -> None:  # noqa: ANN401 - an untyped library
        parts = self._counting(box)
        if not parts:
            return  # as soon as something is drawn elsewhere, the box grows, and we hear of it
        if parts == [box] or self.first_ns:
            # All of it counts, or it is known already that something has changed; then more than that may be read.
            for part in parts:
                self._count(event, part)
            return
        for drawn in self._take(self._root_damage):
            for part in self._counting(drawn):
                self._count(event, part)

    def _counting(self, box: Rect) -> list[Rect]:
        common = box if self.area is None else box.intersection(self.area)
        return [] if common is None else subtract(common, self.hidden)

    def _count(self, event: Any, box: Rect) -> None:  # noqa: ANN401 - an untyped library
        if not self.first_ns:
            self.first_ns = self._clock.to_ns(event.timestamp, time.monotonic_ns())
        if self.read_serial is not None and (event.sequence_number - self.read_serial) & 0x8000:
            self.torn = True
        self.extent = box if self.extent is None else self.extent.union(box)

    def _take(self, damage: int) -> list[Rect]:
        """What has been drawn, to the pixel; the server counts anew."""
        self._display.damage_subtract(damage, 0, self._region)
        found = self._fetch(**self._of_region).rectangles
        return [Rect(r.x, r.y, r.x + r.width, r.y + r.height) for r in found]

    # What lies beneath our windows --------------------------------------------------------------------------------

    def cover(self, top: TopLevel, stale: list[Rect]) -> None:
        """Watch a window that one of ours covers.

        Args:
            top: the window; from now on it is drawn on even where it is covered.
            stale: parts, on the virtual desktop, that it will have to draw first.
        """
        damage = int(top.window.damage_create(_BOUNDING_BOX))
        left = [part.moved(-top.box.x1, -top.box.y1) for part in stale]
        self.covered[top.window.id] = CoveredWindow(top=top, damage=damage, stale=left)

    def uncover(self, window_id: int) -> None:
        """No longer watch it; it may have gone."""
        self._display.damage_destroy(self.covered.pop(window_id).damage)

    def _note_covered(self, event: Any, box: Rect) -> None:  # noqa: ANN401 - an untyped library
        entry = self.covered.get(event.drawable.id)
        if entry is None:
            return  # of a window that is no longer watched
        dx, dy = entry.top.box.x1 + entry.top.border, entry.top.box.y1 + entry.top.border
        if entry.stale:
            shift = entry.top.border
            drawn = [part.moved(shift, shift) for part in self._take(entry.damage)]
            entry.stale = [left for part in entry.stale for left in subtract(part, drawn)]
        on_screen = box.moved(dx, dy)
        for hidden in self.hidden:
            part = hidden.intersection(on_screen)
            if part is not None:
                self._count(event, part)
