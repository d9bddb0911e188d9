"""Pictures of an import: each decoded once to be checked and named, and again when it is stored; none is kept."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demopack.domain.frames import Frame, frame_id
from demopack.importing.errors import bad_row
from demopack.importing.files import Files
from demopack.replacing import scratch_folder

if TYPE_CHECKING:
    from demopack.domain.frames import RgbImage

__all__ = ["MOST_PIXELS", "Shelf", "decode_picture"]

MOST_PIXELS: Final = 40_000_000
"""Of one picture; a desktop of five 4K monitors."""
_FORMATS: Final = ("PNG", "JPEG", "WEBP", "BMP")


def decode_picture(data: bytes) -> RgbImage:
    """The pixels of a picture file, shape (height, width, 3).

    Raises:
        ValueError: it is no picture, damaged, or has too many pixels; the message says which.
    """
    import numpy as np
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
                # Nothing is unpacked before this is known.
                if picture.width * picture.height > MOST_PIXELS:
                    raise ValueError(f"it has {picture.width} x {picture.height} pixels, more than are read")
                return np.asarray(picture.convert("RGB"), dtype=np.uint8)
    except (OSError, SyntaxError, EOFError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError("it is no picture that can be read") from error


class Shelf:
    """Knows every picture of one demo by its id, and how to get its pixels again.

    Attributes:
        files: where pictures are read from.
    """

    def __init__(self, files: Files) -> None:
        self.files = files
        self._loads: dict[str, Callable[[], RgbImage]] = {}
        self._known: dict[str, Frame] = {}
        self._folder: Path | None = None

    def file(self, name: str) -> Frame:
        """The picture in a file.

        Raises:
            BadRowError: it is missing or damaged.
        """
        return self.bytes(name, lambda: self.files.read(name))

    def bytes(self, name: str, read: Callable[[], bytes]) -> Frame:
        """The picture in some bytes that can be read again.

        Args:
            name: of it, for errors; equal names are the same picture.
            read: gives the bytes.

        Raises:
            BadRowError: it is damaged.
        """

        def load() -> RgbImage:
            try:
                return decode_picture(read())
            except ValueError as error:
                raise bad_row(str(error), file=name, code="damaged_picture") from error

        if name not in self._known:
            self._known[name] = self._named(load(), load)
        return self._known[name]

    def pixels(self, image: RgbImage) -> Frame:
        """A picture that was made, not read: it waits as a file of its own until it is stored."""
        from demopack.pack.picture import encode_png

        folder = self._folder
        if folder is None:
            folder = self._folder = Path(self.files.keep(scratch_folder()))
        key = frame_id(image)
        path = folder / f"{key}.png"
        if not path.exists():
            path.write_bytes(encode_png(image))
        return self._named(image, lambda: decode_picture(path.read_bytes()))

    def image(self, key: str) -> RgbImage:
        """The pixels of a picture by its id.

        Raises:
            BadRowError: the file has changed meanwhile.
        """
        image = self._loads[key]()
        if frame_id(image) != key:
            raise bad_row("a picture changed while it was imported", file=str(self.files.path))
        return image

    def _named(self, image: RgbImage, load: Callable[[], RgbImage]) -> Frame:
        key = frame_id(image)
        self._loads.setdefault(key, load)
        return Frame(id=key, width=image.shape[1], height=image.shape[0])
