"""What every form needs that sets are written in: the screens, and their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from demopack.errors import BadInputError
from models.training.labelled_screens import LabelledScreen, LabelledScreenSet, Split


def walk(sets: Sequence[Path], sides: Sequence[Split]) -> Iterator[tuple[LabelledScreenSet, LabelledScreen]]:
    """Every screen of some sides.

    Raises:
        BadInputError: a folder is missing, a truth is damaged, or there is no screen at all.
    """
    found = False
    for folder in sets:
        if not folder.is_dir():
            raise BadInputError(f"There is no folder {folder}.", hint="Name a folder of screens with truth.")
        origin = LabelledScreenSet(folder)
        for screen in origin.screens(sides=sides):
            found = True
            yield origin, screen
    if not found:
        raise BadInputError(
            f"There are no screens in {', '.join(str(folder) for folder in sets)}.",
            hint=f"Screens of the sides {', '.join(sides)} were looked for.",
        )


def file_stem(screen: LabelledScreen) -> str:
    """A name that is unique over sets and groups, and that :func:`split_stem` takes apart again."""
    return f"{screen.source}@{screen.group}@{screen.name}"
