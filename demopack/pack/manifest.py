"""``pack.json``: what the pack is, what may be done with it, how its numbers are meant, and the sum of every file."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Annotated, Final, Literal

from pydantic import Field

from demopack import __version__
from demopack.domain.records import Moment, Record
from demopack.errors import BadInputError

FORMAT: Final = "demopack"
SCHEMA_VERSION: Final = 4
"""The layout that is written; earlier ones are read."""
MANIFEST, DEMOS, STEPS, ELEMENTS = "pack.json", "demos.jsonl", "steps.jsonl", "elements.jsonl"
TREES: Final = "trees.jsonl"
TABLES: Final = (DEMOS, STEPS, ELEMENTS, TREES)
LABELS_SINCE: Final = 3
"""The layout since which boxes to tick hold their labels."""
TREES_SINCE: Final = 3
"""The layout since which a pack has its table of accessibility trees."""

_SPDX = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+:-]*(?: (?:AND|OR|WITH) [A-Za-z0-9][A-Za-z0-9.+:-]*)*")


class Generator(Record):
    """The program that wrote the pack."""

    name: str = "demopack"
    version: str = __version__


class Coordinates(Record):
    """How every number for a place is meant; the texts are for people, the names for programs."""

    pixel_boxes: Literal["xyxy"] = "xyxy"
    normalised_boxes: Literal["xywh"] = "xywh"
    origin: Literal["top_left"] = "top_left"
    pixel_meaning: str = (
        "target_box, end_box and box are [x1, y1, x2, y2] in pixels of the stored picture; x2 and y2 are exclusive, "
        "so the width is x2 - x1. A box of size zero is a point."
    )
    normalised_meaning: str = (
        "bbox is [x, y, width, height] as fractions 0..1 of the stored picture: x and width of its width, y and height "
        "of its height."
    )


class Counts(Record):
    """How many rows and pictures there are."""

    demos: int = Field(ge=0)
    steps: int = Field(ge=0)
    elements: int = Field(ge=0)
    trees: int = Field(default=0, ge=0)
    frames: int = Field(ge=0)
    rationales: int = Field(ge=0)


class Redaction(Record):
    """What was hidden, what a person decided to keep, and what nobody has decided about: values, by their kind.

    Attributes:
        replaced: values that gave way to a placeholder, in every text and picture.
        kept: values that may be private and that a person kept.
        open: values that may be private and that nobody decided about.
        kept_digests: SHA-256 of each kept value's normal form (no case, numbers without gaps), the first 24 hex digits;
            the check does not ask about these again.
        secrets_hidden: typed secrets that were hidden while recording; they were never stored.
        frames_covered: pictures of which a part was painted over, while recording or afterwards.
        meaning: of these numbers, for people.
    """

    replaced: dict[str, Annotated[int, Field(gt=0)]] = Field(default_factory=dict[str, int])
    kept: dict[str, Annotated[int, Field(gt=0)]] = Field(default_factory=dict[str, int])
    open: dict[str, Annotated[int, Field(gt=0)]] = Field(default_factory=dict[str, int])
    kept_digests: list[str] = Field(default_factory=list[str])
    secrets_hidden: int = Field(default=0, ge=0)
    frames_covered: int = Field(default=0, ge=0)
    meaning: str = (
        "replaced, kept and open count different values by kind: found by patterns and checksums, so names and "
        "pictures that nobody looked through are not among them."
    )


class FileEntry(Record):
    """One file of the pack.

    Attributes:
        path: relative, with forward slashes.
        size: bytes.
        sha256: hex.
    """

    path: str
    size: int = Field(ge=0)
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Manifest(Record):
    """The content of ``pack.json``.

    Attributes:
        format: always ``demopack``.
        schema_version: of the pack's layout, with the fields of its rows.
        generator: who wrote it.
        created_at: when, UTC; the one thing that differs between two exports of the same demos.
        licence: SPDX expression; empty means not to be published.
        consent: what the recorded person agreed to; may be empty.
        observation: the picture of a step shows the screen *before* its action.
        coordinates: how places are meant.
        counts: rows and pictures.
        redaction: what was hidden.
        files: every file but ``pack.json``, sorted by path.
    """

    format: Literal["demopack"] = FORMAT
    schema_version: Literal[1, 2, 3, 4] = SCHEMA_VERSION
    generator: Generator = Generator()
    created_at: Moment
    licence: str
    consent: str
    observation: Literal["before"] = "before"
    coordinates: Coordinates = Coordinates()
    counts: Counts
    redaction: Redaction = Redaction()
    files: list[FileEntry]


def is_licence(text: str) -> bool:
    """Whether a text is an SPDX expression."""
    return bool(_SPDX.fullmatch(text))


def check_licence(text: str) -> str:
    """A licence as given, stripped.

    Raises:
        BadInputError: it is not an SPDX expression.
    """
    text = text.strip()
    if text and not is_licence(text):
        raise BadInputError(
            f"“{text}” is not an SPDX licence identifier.",
            hint="Write for instance CC-BY-4.0, CC0-1.0, MIT or LicenseRef-Internal.",
        )
    return text


def is_foreign(name: str, listed: Collection[str]) -> bool:
    """Whether a file of the folder is no part of the pack.

    A picture among the pack's pictures counts as part of it in any case: it may show what was left out on purpose.
    """
    return name not in listed and name != MANIFEST and not (name.startswith("frames/") and name.endswith(".png"))
