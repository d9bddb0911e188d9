"""Pictures by content: ``frames/ab/abcdef….png``, lossless, each verified when it is read."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

from demopack.atomic import write_bytes_atomic
from demopack.domain.frames import RgbImage, frame_id
from demopack.errors import CorruptFrameError
from demopack.store.connection import explain

__all__ = ["Blobs"]


class Blobs:
    """The ``frames`` folder of a library; satisfies the ``FrameStore`` port.

    Safe between threads and processes: a file appears whole by rename, and equal content has an equal name.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, key: str) -> Path:
        """Where the picture with this id lies, whether it is there or not."""
        return self._folder / key[:2] / f"{key}.png"

    def put_image(self, image: RgbImage) -> str:
        """Store a picture of shape (height, width, 3), uint8; returns its id.

        Raises:
            DiskFullError: nothing was written.
            LibraryError: the folder may not be written.
        """
        key = frame_id(image)
        path = self.path(key)
        with explain(self._folder.parent):
            if not path.exists():
                buffer = io.BytesIO()
                # Level 1: three times faster than the default at about 15 % more bytes, and recording waits for it.
                Image.fromarray(image).save(buffer, format="PNG", compress_level=1)
                write_bytes_atomic(path, buffer.getvalue())
        return key

    def get_image(self, frame_id: str) -> RgbImage:
        """The pixels, checked against the id.

        Raises:
            CorruptFrameError: the file is missing or holds other pixels.
            LibraryError: the file may not be read.
        """
        path = self.path(frame_id)
        with explain(self._folder.parent):
            if not path.is_file():
                raise CorruptFrameError(
                    f"The picture {path.name} is missing from the library.",
                    frame_id=frame_id,
                    details=str(path),
                    hint="The demo's other steps are unharmed; restore the file from a backup or delete the step.",
                )
            try:
                with Image.open(path) as picture:
                    image = np.asarray(picture.convert("RGB"), dtype=np.uint8)
            except PermissionError:
                raise
            except (OSError, ValueError, SyntaxError) as error:
                raise _damaged(path, str(error)) from error
        if _id_of(image) != frame_id:
            raise _damaged(path, "The pixels do not match the name.")
        return image


def _id_of(image: RgbImage) -> str:
    return frame_id(image)


def _damaged(path: Path, details: str) -> CorruptFrameError:
    return CorruptFrameError(
        f"The picture {path.name} in the library is damaged.",
        frame_id=path.stem,
        details=f"{path}: {details}",
        hint="The demo's other steps are unharmed; restore the file from a backup or delete the step.",
    )
