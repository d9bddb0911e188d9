"""PNG files: decoded with care, and written without anything but pixels."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PIL import Image

from demopack.domain.frames import RgbImage, frame_id

PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
_MAX_PIXELS = 40_000_000
PIXEL_CHUNKS = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A picture file as it was found.

    Attributes:
        image: its pixels, shape (height, width, 3).
        id: what a frame with these pixels is called.
        mode: Pillow's name of the colour mode in the file, for instance ``RGB``.
    """

    image: RgbImage
    id: str
    mode: str


def decode(data: bytes, *, size: tuple[int, int] | None = None) -> Decoded:
    """The pixels of a PNG.

    Args:
        data: the whole file.
        size: width and height that the picture must have; nothing is unpacked when it has others.

    Raises:
        ValueError: it is no PNG, it is damaged, or it has another size; the message says which.
    """
    try:
        # Pillow only warns of the smaller bombs, and how warnings are taken is not for one thread to say.
        if pixels_of(data) > _MAX_PIXELS:
            raise ValueError(f"it unpacks to {pixels_of(data)} pixels")
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            if size is not None and picture.size != size:
                raise ValueError(f"it is {picture.width} x {picture.height} pixels, not {size[0]} x {size[1]}")
            plain = picture if picture.mode == "RGB" else picture.convert("RGB")
            image = np.asarray(plain, dtype=np.uint8)
            return Decoded(image=image, id=frame_id(image), mode=picture.mode)
    except (OSError, SyntaxError, EOFError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError(str(error)) from error


def pixels_of(data: bytes) -> int:
    """How many pixels a PNG says it has; 0 for something else."""
    if not data.startswith(PNG_MAGIC) or len(data) < 24:
        return 0
    width, height = struct.unpack_from(">II", data, 16)
    return int(width * height)


def encode_png(image: RgbImage) -> bytes:
    """A picture of shape (height, width, 3) as a PNG of nothing but pixels."""
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, format="PNG", compress_level=6)
    return buffer.getvalue()


def png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and bytes of each chunk of a PNG, in order; what is too short for a chunk has an empty name."""
    position = len(PNG_MAGIC)
    while position + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, position)
        yield name, data[position : position + 12 + length]
        position += 12 + length
    if position < len(data):
        yield b"", data[position:]


def only_pixels(data: bytes) -> bool:
    """Whether a PNG carries no text, time, EXIF or any other chunk beside its pixels, and nothing after its end."""
    names = [name for name, _ in png_chunks(data)]
    return data.startswith(PNG_MAGIC) and set(names) <= PIXEL_CHUNKS and names[-1:] == [b"IEND"]


def is_whole(data: bytes) -> bool:
    """Whether no byte of a PNG's chunks was changed or cut off, by the sum that each of them carries."""
    chunks = list(png_chunks(data))
    return any(name == b"IEND" for name, _ in chunks) and all(
        zlib.crc32(chunk[4:-4]) == int.from_bytes(chunk[-4:], "big") for name, chunk in chunks if name
    )
