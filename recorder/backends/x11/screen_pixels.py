"""Pixels of X11 drawables: through memory shared with the server, or over the connection where that is refused."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect
from demopack.errors import CaptureError
from recorder.backends.x11.xlib import new_request, reply_head, xlib

Pixels = npt.NDArray[np.uint32]
"""Shape (height, width); red, green and blue in the lower three bytes, the highest byte has no meaning."""

_IPC_PRIVATE, _IPC_RMID, _MODE = 0, 0, 0o1600  # a new segment that only this user may open
_Z_PIXMAP = 2
_BAND_ROWS = 32
_BAND_BYTES = 1 << 18  # python-xlib is slow with long answers


class PixelReader:
    """Reads drawables over one connection, so that what is read has its place among that connection's events."""

    def __init__(self, display: Any) -> None:  # noqa: ANN401 - an untyped library
        _check_format(display)
        rq: Any = xlib("protocol.rq")
        self._display = display.display
        self._x = xlib("X")
        self._memory: _Memory | None = None
        found = display.query_extension("MIT-SHM")  # python-xlib lacks it, and has_extension knows only what that has
        self._shared = found is not None
        self._opcode = 0 if found is None else int(found.major_opcode)
        self._attach = new_request(rq, 1, rq.Card32("segment"), rq.Card32("shm_id"), rq.Bool("read_only"), rq.Pad(3))
        self._detach = new_request(rq, 2, rq.Card32("segment"))
        self._get_image = new_request(
            rq,
            4,
            *(rq.Card32("drawable"), rq.Int16("x"), rq.Int16("y"), rq.Card16("width"), rq.Card16("height")),
            *(rq.Card32("planes"), rq.Card8("format"), rq.Pad(3), rq.Card32("segment"), rq.Card32("offset")),
            reply=(rq.Card8("depth"), *reply_head(rq), rq.Card32("visual"), rq.Card32("size"), rq.Pad(16)),
        )

    def read(self, drawable: Any, box: Rect) -> tuple[Pixels, int]:  # noqa: ANN401 - an untyped library
        """The pixels of ``box``, in the drawable's own coordinates.

        Returns:
            The pixels, valid until the next call, and the lowest 16 bits of the number of the request that read them.

        Raises:
            XError: the drawable has gone, is smaller, or is not on the screen.
        """
        size = box.width * box.height * 4
        if self._shared and (self._memory is None or self._memory.size < size):
            self._renew(size)
        if self._memory is None:
            return self._read_bands(drawable, box)
        reply = self._get_image(
            display=self._display,
            opcode=self._opcode,
            drawable=drawable.id,
            x=box.x1,
            y=box.y1,
            width=box.width,
            height=box.height,
            planes=0xFFFFFFFF,
            format=_Z_PIXMAP,
            segment=self._memory.segment,
            offset=0,
        )
        pixels = self._memory.pixels[: size // 4].reshape(box.height, box.width)
        return pixels, int(reply.sequence_number) & 0xFFFF

    def close(self) -> None:
        """Give the memory back; calling it twice is harmless. The connection may be dead."""
        if self._memory is not None:
            self._memory.free()
            self._memory = None

    def _renew(self, size: int) -> None:
        if self._memory is not None:
            self._detach(display=self._display, opcode=self._opcode, segment=self._memory.segment)
            self.close()
        with contextlib.suppress(OSError):
            memory = _Memory(size)
            memory.segment = self._show(memory.shm_id)
            # From here on the system frees it when both sides have let go, however we end.
            memory.disown()
            if memory.segment:
                self._memory = memory
                return
            memory.free()
        self._shared = False  # a server on another machine, or behind a wall of containers

    def _show(self, shm_id: int) -> int:
        """Show a System V segment to the server; returns the server's id of it, 0 when it refuses."""
        segment, caught = int(self._display.allocate_resource_id()), xlib("error").CatchError()
        self._attach(
            display=self._display, onerror=caught, opcode=self._opcode, segment=segment, shm_id=shm_id, read_only=False
        )
        # Any request with an answer tells whether the one before it failed.
        xlib("protocol.request").GetInputFocus(display=self._display)
        return 0 if caught.get_error() else segment

    def _read_bands(self, drawable: Any, box: Rect) -> tuple[Pixels, int]:  # noqa: ANN401 - an untyped library
        pixels = np.empty((box.height, box.width), dtype=np.uint32)
        rows = max(1, _BAND_BYTES // (4 * box.width))
        serial = 0
        for top in range(0, box.height, rows):
            height = min(rows, box.height - top)
            reply = drawable.get_image(box.x1, box.y1 + top, box.width, height, self._x.ZPixmap, 0xFFFFFFFF)
            pixels[top : top + height] = np.frombuffer(reply.data, dtype="<u4").reshape(height, box.width)
            # What changes after the first band may be missing, so only what came before that is surely on it.
            serial = serial or int(reply.sequence_number)
        return pixels, serial & 0xFFFF


class _Memory:
    """A System V segment in our address space."""

    def __init__(self, size: int) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.shmat.restype = ctypes.c_void_p
        self._libc.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
        self._libc.shmdt.argtypes = (ctypes.c_void_p,)
        self.size = size
        self.segment = 0
        self.shm_id = int(self._libc.shmget(_IPC_PRIVATE, ctypes.c_size_t(size), _MODE))
        if self.shm_id < 0:
            raise OSError(ctypes.get_errno(), "shmget")
        address = self._libc.shmat(self.shm_id, None, 0)
        if address in {None, ctypes.c_void_p(-1).value}:
            self.disown()
            raise OSError(ctypes.get_errno(), "shmat")
        self._address: int | None = address
        block = (ctypes.c_uint32 * (size // 4)).from_address(address)
        self.pixels: npt.NDArray[np.uint32] = np.frombuffer(memoryview(block).cast("B"), dtype=np.uint32)

    def disown(self) -> None:
        """Have the system free the segment as soon as nobody is attached to it."""
        self._libc.shmctl(self.shm_id, _IPC_RMID, None)

    def free(self) -> None:
        """Detach; what :attr:`pixels` gave out must not be used any more."""
        address, self._address = self._address, None
        if address is not None:
            self.pixels = np.empty(0, dtype=np.uint32)
            self._libc.shmdt(address)


def _check_format(display: Any) -> None:  # noqa: ANN401 - an untyped library
    """Refuse screens whose pixels are not four bytes of eight bits a colour.

    Raises:
        CaptureError: they are not.
    """
    screen = display.screen()
    formats = {f.depth: f.bits_per_pixel for f in display.display.info.pixmap_formats}
    visuals = [v for depth in screen.allowed_depths for v in depth.visuals if v.visual_id == screen.root_visual]
    masks = (visuals[0].red_mask, visuals[0].green_mask, visuals[0].blue_mask) if visuals else ()
    little = display.display.info.image_byte_order == xlib("X").LSBFirst
    if little and formats.get(screen.root_depth) == 32 and masks == (0xFF0000, 0xFF00, 0xFF):
        return
    raise CaptureError(
        f"This screen has {screen.root_depth} bits per pixel; only true colour with 24 can be recorded.",
        hint="Set the X server to a depth of 24.",
    )


def differ(a: Pixels, b: Pixels) -> bool:
    """Whether two blocks of the same shape show different colours; the first band that does decides."""
    for top in range(0, a.shape[0], _BAND_ROWS):
        one, other = a[top : top + _BAND_ROWS], b[top : top + _BAND_ROWS]
        # The highest byte has no meaning; some programs write it.
        if not np.array_equal(one, other) and bool(np.any((one ^ other) & np.uint32(0x00FFFFFF))):
            return True
    return False
