"""Where the screens of a library came from, and what was left out; written beside them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from demopack.domain.elements import Box
from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.regular_files import read_regular

__all__ = ["LINEAGE", "LibraryLineage", "LibraryScreen", "read_lineage"]

LINEAGE = "lineage.json"
_LARGEST: Final = 512 << 20


class LibraryScreen(Record):
    """Where one screen came from.

    Attributes:
        name: of the screen.
        group: its group of look-alikes.
        side: train or val.
        demo: id.
        frame: id.
        elements: how many are true.
        approved: of these, approved one by one; the others came with an approved step.
        rejected: boxes that a person rejected: nothing stands there.
    """

    name: str
    group: str
    side: Literal["train", "val"]
    demo: str
    frame: str
    elements: int
    approved: int
    rejected: tuple[Box, ...] = ()


class LibraryLineage(Record):
    """Where a set of screens came from.

    Attributes:
        schema_version: of this form.
        created: wall clock, UTC.
        seed: of the split.
        demos: ids of the demos that were looked through.
        screens: what was taken.
        left_out: why a frame was not taken -> how many.
    """

    schema_version: Literal[1] = 1
    created: datetime
    seed: int
    demos: tuple[str, ...]
    screens: tuple[LibraryScreen, ...]
    left_out: dict[str, int] = Field(default_factory=dict[str, int])


def read_lineage(folder: Path) -> LibraryLineage | None:
    """The lineage of a folder; None where there is none.

    Raises:
        BadInputError: the file is damaged.
    """
    path = folder / LINEAGE
    if not path.exists():
        return None
    try:
        return LibraryLineage.model_validate_json(read_regular(path, limit=_LARGEST))
    except (OSError, ValidationError) as error:
        raise BadInputError(
            f"{path} cannot be read as the lineage of a set.", details=str(error), hint="Choose another folder."
        ) from error
