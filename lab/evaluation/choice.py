"""Which screens of some sets are measured."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from demopack.domain.geometry import Size
from demopack.errors import BadInputError
from models.training.labelled_screens import LabelledScreen, LabelledScreenSet, SourceName, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A screen and the set that it lies in."""

    origin: LabelledScreenSet
    screen: LabelledScreen


def choose(
    sets: Sequence[Path],
    *,
    sides: Sequence[Split] = (),
    sources: Sequence[SourceName] = (),
    limit: int | None = None,
) -> list[Chosen]:
    """The screens of these sides and sources, all of them where none are named.

    Args:
        sets: folders; one that is given twice counts once.
        sides: train, val, test.
        sources: kinds of programs.
        limit: most screens of a group; which ones depends on their names alone.

    Raises:
        BadInputError: a folder is no set, a truth is damaged or leaves its picture, or nothing fits.
    """
    if limit is not None and limit < 1:
        raise BadInputError(f"{limit} screens of a group cannot be measured.", hint="Ask for at least one.")
    groups: dict[tuple[str, str], list[Chosen]] = {}
    seen: set[str] = set()
    for folder in dict.fromkeys(path.resolve() for path in sets):
        if not folder.is_dir():
            raise BadInputError(f"There is no folder {folder}.", hint="Name a folder of screens with truth.")
        origin = LabelledScreenSet(folder)
        for screen in origin.screens():
            seen.add(f"{screen.source} {screen.side}")
            if (not sides or screen.side in sides) and (not sources or screen.source in sources):
                _check(origin, screen)
                groups.setdefault((screen.source, screen.group), []).append(Chosen(origin=origin, screen=screen))
    if not groups:
        raise _nothing(sets, seen)
    for chosen in groups.values():
        chosen.sort(key=lambda one: (_rank(one.screen.name), one.screen.name))
    return [one for key in sorted(groups) for one in groups[key][:limit]]


def _rank(name: str) -> str:
    """Spreads the screens of a group: names that follow each other come from like seeds."""
    return hashlib.sha256(name.encode()).hexdigest()


def _check(origin: LabelledScreenSet, screen: LabelledScreen) -> None:
    size = Size(screen.width, screen.height)
    for number, truth in enumerate(screen.elements):
        if not truth.box.area or not truth.box.inside(size):
            box = truth.box
            path = origin.picture_path(screen).with_suffix(".json")
            raise BadInputError(
                f"{path} is no screen: elements.{number}.box: [{box.x1}, {box.y1}, {box.x2}, {box.y2}] "
                f"is empty or leaves the picture of {screen.width} x {screen.height}.",
                hint="Make the screen again, or remove it.",
            )


def _nothing(sets: Sequence[Path], seen: set[str]) -> BadInputError:
    folders = ", ".join(str(path) for path in sets)
    if not seen:
        return BadInputError(
            f"There are no screens in {folders}.",
            hint="A set has GROUP/NAME.png and GROUP/NAME.json for each screen (docs/formats/screens.md).",
        )
    return BadInputError(
        f"No screen in {folders} is of the wanted side and source.", hint=f"There are: {', '.join(sorted(seen))}."
    )
