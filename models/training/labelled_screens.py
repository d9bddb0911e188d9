"""Labelled screens: one screen with its truth, and a folder of them.

A folder holds ``<name>.png`` and ``<name>.json`` for each screen, in one subfolder for each group. The JSON is written
last, so a screen is there when its JSON is. What the truth must say is laid down in ``docs/formats/screens.md``.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from PIL import Image
from pydantic import Field, SerializerFunctionWrapHandler, ValidationError, model_serializer

from demopack.atomic import write_bytes_atomic, write_text_atomic
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.marks import owned_labels
from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.json_lines import first_problem
from demopack.regular_files import open_regular, read_regular
from models.registry import Lineage

SourceName = Literal["miniwob", "web", "qt", "apps", "library"]
Split: TypeAlias = Literal["train", "val", "test", "frozen"]
_MAX_TRUTH_BYTES: Final = 64 << 20
"""Bytes of a truth; thousands of elements take less than one of these megabytes."""
_MAX_PICTURE_BYTES: Final = 1 << 30
_STORED: Final = frozenset({"type", "box", "text", "subtype", "states", "leaf"})
"""What is stored of an element; the rest is about libraries and finders."""


class GroundTruth(Element):
    """An element as it really is, on a screen of no library; a state that the picture does not show is left out.

    Attributes:
        leaf: whether nothing smaller lies in it that is an element itself.
    """

    uid: str = ""
    frame: str = ""
    leaf: bool = True

    @model_serializer(mode="wrap")
    def _stored(self, all_fields: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in all_fields(self).items() if name in _STORED}


class LabelledScreen(Record):
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
    side: Split
    seed: int
    variant: dict[str, str] = Field(default_factory=dict[str, str])
    width: int = Field(gt=0)
    height: int = Field(gt=0)
    elements: tuple[GroundTruth, ...] = ()

    @property
    def size(self) -> Size:
        """Of the picture."""
        return Size(self.width, self.height)


@dataclass(frozen=True, slots=True)
class LabelledScreenSet:
    """A folder of screens; reading it needs nothing but the folder."""

    folder: Path

    def picture_path(self, screen: LabelledScreen) -> Path:
        """Where its picture lies."""
        return self.folder / screen.group / f"{screen.name}.png"

    def has(self, group: str, name: str) -> bool:
        """Whether this screen is there, whole."""
        return (self.folder / group / f"{name}.json").exists()

    def put(self, screen: LabelledScreen, image: RgbImage) -> None:
        """Store a screen; the picture first, so that what has a JSON is whole.

        Raises:
            DiskFullError: nothing usable was written.
        """
        data = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(image)).save(data, "PNG", compress_level=3)
        picture = self.picture_path(screen)
        picture.parent.mkdir(parents=True, exist_ok=True)
        write_bytes_atomic(picture, data.getvalue())
        text = json.dumps(screen.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False)
        write_text_atomic(picture.with_suffix(".json"), text)

    def picture(self, screen: LabelledScreen) -> bytes:
        """Its picture as it lies there, a PNG.

        Raises:
            BadInputError: it is missing, or a FIFO or device.
        """
        path = self.picture_path(screen)
        try:
            return read_regular(path, limit=_MAX_PICTURE_BYTES)
        except OSError as error:
            raise BadInputError(f"The picture {path} cannot be read ({error.strerror}).") from error

    def image(self, screen: LabelledScreen) -> RgbImage:
        """The pixels, shape (height, width, 3), uint8.

        Raises:
            BadInputError: the picture is missing, damaged, or of another size than the truth says.
        """
        path = self.picture_path(screen)
        pixels = read_picture(path)
        if pixels.shape[:2] != (screen.height, screen.width):
            raise BadInputError(
                f"The picture {path} is {pixels.shape[1]} x {pixels.shape[0]} pixels, "
                f"but its truth was made for {screen.width} x {screen.height}."
            )
        return pixels

    def screens(self, *, sides: Sequence[Split] = (), labels_apart: bool = False) -> Iterator[LabelledScreen]:
        """Every whole screen, by group and name.

        Args:
            sides: of these only; of all when empty.
            labels_apart: boxes to tick and the lines of their labels as two elements, as they are stored and as models
                learn them. Otherwise as one, as a finished parse has them.

        Raises:
            BadInputError: a JSON is damaged, or a FIFO or device; the error names the file and the field.
        """
        for path in sorted(self.folder.glob("*/*.json")):
            try:
                screen = LabelledScreen.model_validate_json(read_regular(path, limit=_MAX_TRUTH_BYTES))
            except ValidationError as error:
                raise BadInputError(f"{path} is no screen: {first_problem(error)}.") from error
            except OSError as error:
                raise BadInputError(f"{path} cannot be read ({error.strerror}).") from error
            if not sides or screen.side in sides:
                yield screen if labels_apart else with_labels(screen)


def read_picture(path: Path) -> RgbImage:
    """The pixels of a picture file of any usual kind, shape (height, width, 3), uint8.

    Raises:
        BadInputError: it cannot be read.
    """
    try:
        with open_regular(path) as stream, Image.open(stream) as opened:
            return np.asarray(opened.convert("RGB"), dtype=np.uint8)
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise BadInputError(f"The picture {path} cannot be read.", details=str(error)) from error


def with_labels(screen: LabelledScreen) -> LabelledScreen:
    """A screen whose boxes to tick hold their labels; their truth is kept apart, as it is drawn."""
    owned = owned_labels(screen.elements)
    if not owned:
        return screen
    lines = {line for label in owned.values() for line in label}
    whole = {
        mark: one.but(
            box=reduce(Rect.union, [screen.elements[line].box for line in label], one.box), mark_box=one.box, leaf=True
        )
        for mark, label in owned.items()
        for one in (screen.elements[mark],)
    }
    return screen.but(elements=tuple(whole.get(i, one) for i, one in enumerate(screen.elements) if i not in lines))


def lineage_of(screens: Iterable[tuple[LabelledScreen, int]]) -> tuple[Lineage, ...]:
    """What a model has seen that saw some screens, by source and side.

    Args:
        screens: each with the number of its elements that were shown.
    """
    parts: dict[tuple[str, str], list[tuple[LabelledScreen, int]]] = {}
    for screen, elements in screens:
        parts.setdefault((screen.source, screen.side), []).append((screen, elements))
    return tuple(
        Lineage(
            source=source,
            side=side,
            groups=len({screen.group for screen, _ in some}),
            screens=len(some),
            elements=sum(elements for _, elements in some),
            digest=hashlib.sha256(
                "\n".join(sorted(f"{screen.group}/{screen.name}" for screen, _ in some)).encode()
            ).hexdigest(),
        )
        for (source, side), some in sorted(parts.items())
    )
