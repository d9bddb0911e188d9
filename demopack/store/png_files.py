"""The ``frames`` folder of a library of version 1: one PNG file for each picture, ``frames/ab/abcdef….png``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demopack.domain.frames import RgbImage

__all__ = ["PngFiles"]


class PngFiles:
    """Pictures that an older version stored; they are read and forgotten, and none is ever added."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, key: str) -> Path:
        """Where the picture with this id lies, whether it is there or not."""
        return self._folder / key[:2] / f"{key}.png"

    def has(self, key: str) -> bool:
        """Whether there is a file for this picture.

        Raises:
            PermissionError: the folder may not be read.
        """
        return self.path(key).is_file()

    def read(self, key: str) -> RgbImage:
        """The pixels, not yet checked against the id.

        Raises:
            ValueError: the file is damaged.
            PermissionError: the file may not be read.
        """
        import numpy as np
        from PIL import Image

        try:
            with Image.open(self.path(key)) as picture:
                return np.asarray(picture.convert("RGB"), dtype=np.uint8)
        except PermissionError:
            raise
        except (OSError, SyntaxError) as error:
            raise ValueError(str(error)) from error

    def remove(self, key: str) -> None:
        """Delete the picture's file; harmless where there is none."""
        self.path(key).unlink(missing_ok=True)

    def size(self, key: str) -> int:
        """Bytes of the picture's file; 0 where there is none."""
        return self.path(key).stat().st_size if self.has(key) else 0
