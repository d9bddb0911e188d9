"""One screen with its truth, and a folder of them.

A folder holds ``<name>.png`` and ``<name>.json`` for each screen, in one subfolder for each group. The JSON is written
last, so a screen is there when its JSON is. What the truth must say is laid down in ``docs/formats/screens.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

import numpy as np
from PIL import Image
from pydantic import Field, ValidationError

from demopack.atomic import write_bytes_atomic, write_text_atomic
from demopack.domain.elements import Box, ElementType, State
from demopack.domain.frames import RgbImage
from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.regular_files import open_regular, read_regular

__all__ = ["Screen", "ScreenSet", "Side", "SourceName", "Truth"]

SourceName = Literal["miniwob", "web", "qt", "apps", "library"]
Side: TypeAlias = Literal["train", "val", "test"]
_LARGEST: Final = 64 << 20
"""Bytes of a truth; thousands of elements take less than one of these megabytes."""
_LARGEST_PICTURE: Final = 1 << 30


class Truth(Record):
    """One element as it really is.

    Attributes:
        type: what it is.
        box: integer pixels of the screen, half-open.
        text: what can be read on it; None when nothing can or the type has no text.
        subtype: for icons and shapes.
        states: true or false where a person could tell from the picture; left out where not.
        leaf: whether nothing smaller lies in it that is an element itself.
    """

    type: ElementType
    box: Box
    text: str | None = None
    subtype: str | None = None
    states: dict[State, bool] = Field(default_factory=dict[State, bool])
    leaf: bool = True


class Screen(Record):
    """One screen with its truth.

    Attributes:
        schema_version: of this form.
        name: unique in its set; letters, digits, ``-`` and ``_``.
        source: which kind of program drew it.
        group: what is held out as a whole: a task, a page template, a style, an application.
        side: what it may be used for.
        seed: what it was made from; equal seeds of one group give equal screens.
        variant: theme, font, scale, language and so on, for the report.
        width: pixels.
        height: pixels.
        elements: the truth, in no particular order.
    """

    schema_version: Literal[1] = 1
    name: str = Field(pattern=r"^[A-Za-z0-9_-]+$")
    source: SourceName
    group: str = Field(pattern=r"^[A-Za-z0-9_.-]+$")
    side: Side
    seed: int
    variant: dict[str, str] = Field(default_factory=dict[str, str])
    width: int = Field(gt=0)
    height: int = Field(gt=0)
    elements: tuple[Truth, ...] = ()


@dataclass(frozen=True, slots=True)
class ScreenSet:
    """A folder of screens; reading it needs nothing but the folder."""

    folder: Path

    def picture_path(self, screen: Screen) -> Path:
        """Where its picture lies."""
        return self.folder / screen.group / f"{screen.name}.png"

    def has(self, group: str, name: str) -> bool:
        """Whether this screen is there, whole."""
        return (self.folder / group / f"{name}.json").exists()

    def put(self, screen: Screen, image: RgbImage) -> None:
        """Store a screen; the picture first, so that what has a JSON is whole.

        Raises:
            DiskFullError: nothing usable was written.
        """
        import io

        data = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(image)).save(data, "PNG", compress_level=3)
        picture = self.picture_path(screen)
        picture.parent.mkdir(parents=True, exist_ok=True)
        write_bytes_atomic(picture, data.getvalue())
        text = json.dumps(screen.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False)
        write_text_atomic(picture.with_suffix(".json"), text)

    def picture(self, screen: Screen) -> bytes:
        """Its picture as it lies there, a PNG.

        Raises:
            BadInputError: it is missing, or a FIFO or device.
        """
        path = self.picture_path(screen)
        try:
            return read_regular(path, limit=_LARGEST_PICTURE)
        except OSError as error:
            raise BadInputError(f"The picture {path} cannot be read ({error.strerror}).") from error

    def image(self, screen: Screen) -> RgbImage:
        """The pixels, shape (height, width, 3), uint8.

        Raises:
            BadInputError: the picture is missing, damaged, or of another size than the truth says.
        """
        path = self.picture_path(screen)
        try:
            with open_regular(path) as stream, Image.open(stream) as opened:
                pixels = np.asarray(opened.convert("RGB"), dtype=np.uint8)
        except (OSError, ValueError, Image.DecompressionBombError) as error:
            raise BadInputError(f"The picture {path} cannot be read.", details=str(error)) from error
        if pixels.shape[:2] != (screen.height, screen.width):
            raise BadInputError(
                f"The picture {path} is {pixels.shape[1]} x {pixels.shape[0]} pixels, "
                f"but its truth was made for {screen.width} x {screen.height}."
            )
        return pixels

    def screens(self, *, sides: Sequence[Side] = (), sources: Sequence[SourceName] = ()) -> Iterator[Screen]:
        """Every whole screen, by group and name; of some sides and sources only where those are given.

        Raises:
            BadInputError: a JSON is damaged; it names the file and the field.
        """
        for path in sorted(self.folder.glob("*/*.json")):
            screen = read_screen(path)
            if (not sides or screen.side in sides) and (not sources or screen.source in sources):
                yield screen


def read_screen(path: Path) -> Screen:
    """The truth in a file.

    Raises:
        BadInputError: it is damaged, or a FIFO or device; the error names the file and the field.
    """
    try:
        return Screen.model_validate_json(read_regular(path, limit=_LARGEST))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInputError(f"{path} is no screen: {field or 'the file'}: {first['msg']}.") from error
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror}).") from error
