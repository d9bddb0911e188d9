"""Requests that python-xlib lacks: pictures through shared memory (MIT-SHM), and regions (XFIXES)."""

from __future__ import annotations

from typing import Any

from demopack.domain.geometry import Rect
from recorder.backends.x11.xlib import xlib

_SHM, _XFIXES = "MIT-SHM", "XFIXES"
_Z_PIXMAP = 2
_ALL_PLANES = 0xFFFFFFFF


class ShmRequests:
    """MIT-SHM over one connection."""

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        rq: Any = xlib("protocol.rq")
        self._display = display.display
        found = display.query_extension(_SHM)  # has_extension knows only what python-xlib itself implements
        self._opcode = 0 if found is None else int(found.major_opcode)

        self._attach = _request(rq, 1, rq.Card32("segment"), rq.Card32("shm_id"), rq.Bool("read_only"), rq.Pad(3))
        self._detach = _request(rq, 2, rq.Card32("segment"))
        self._get_image = _request(
            rq,
            4,
            *(rq.Card32("drawable"), rq.Int16("x"), rq.Int16("y"), rq.Card16("width"), rq.Card16("height")),
            *(rq.Card32("planes"), rq.Card8("format"), rq.Pad(3), rq.Card32("segment"), rq.Card32("offset")),
            reply=(rq.Card8("depth"), *_reply_head(rq), rq.Card32("visual"), rq.Card32("size"), rq.Pad(16)),
        )

    @property
    def present(self) -> bool:
        """Whether the server has the extension; it may still refuse a segment."""
        return self._opcode != 0

    def attach(self, shm_id: int) -> int:
        """Show a System V segment to the server; returns the server's id of it, 0 when it refuses."""
        errors: Any = xlib("error")
        segment = int(self._display.allocate_resource_id())
        caught = errors.CatchError()
        self._attach(
            display=self._display, onerror=caught, opcode=self._opcode, segment=segment, shm_id=shm_id, read_only=False
        )
        # Any request with an answer tells whether the one before it failed.
        xlib("protocol.request").GetInputFocus(display=self._display)
        return 0 if caught.get_error() else segment

    def detach(self, segment: int) -> None:
        """Let the server forget a segment."""
        self._detach(display=self._display, opcode=self._opcode, segment=segment)

    def get_image(self, drawable: int, box: Rect, segment: int) -> int:
        """Have the server write the pixels of ``box`` into a segment; returns the request's number.

        Raises:
            XError: the drawable has gone or is smaller.
        """
        reply = self._get_image(
            display=self._display,
            opcode=self._opcode,
            drawable=drawable,
            x=box.x1,
            y=box.y1,
            width=box.width,
            height=box.height,
            planes=_ALL_PLANES,
            format=_Z_PIXMAP,
            segment=segment,
            offset=0,
        )
        return int(reply.sequence_number)


class Regions:
    """Sets of pixels that the server keeps; one of them is enough."""

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        rq: Any = xlib("protocol.rq")
        structs: Any = xlib("protocol.structs")
        self._display = display.display
        # The server wants to hear which version we speak before it answers anything else.
        display.xfixes_query_version()
        self._opcode = int(display.query_extension(_XFIXES).major_opcode)

        create = _request(rq, 5, rq.Card32("region"))
        boxes = (rq.Object("extents", structs.Rectangle), rq.Pad(16), rq.List("rectangles", structs.Rectangle, pad=0))
        self._fetch = _request(rq, 19, rq.Card32("region"), reply=(rq.Pad(1), *_reply_head(rq), *boxes))
        self.id = int(self._display.allocate_resource_id())
        create(display=self._display, opcode=self._opcode, region=self.id)

    def fetch(self) -> list[Rect]:
        """The region as disjoint boxes."""
        reply = self._fetch(display=self._display, opcode=self._opcode, region=self.id)
        return [Rect(r.x, r.y, r.x + r.width, r.y + r.height) for r in reply.rectangles]


def _request(rq: Any, number: int, *fields: Any, reply: tuple[Any, ...] = ()) -> Any:  # noqa: ANN401 - an untyped library
    """A class of requests, as python-xlib's own modules define them."""
    body: dict[str, Any] = {"_request": rq.Struct(rq.Card8("opcode"), rq.Opcode(number), rq.RequestLength(), *fields)}
    if reply:
        body["_reply"] = rq.Struct(rq.ReplyCode(), *reply)
    return type(f"Request{number}", (rq.ReplyRequest if reply else rq.Request,), body)


def _reply_head(rq: Any) -> tuple[Any, Any]:  # noqa: ANN401 - an untyped library
    return (rq.Card16("sequence_number"), rq.ReplyLength())
