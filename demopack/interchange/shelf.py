"""Finds the pictures that files name: beside them, in ``images``, or in a folder for each part of a data set."""

from __future__ import annotations

from pathlib import Path

from demopack.interchange.reading import find_picture, picture_files

__all__ = ["Shelf"]


class Shelf:
    """The pictures below the folder that is imported; it is looked through once, and only when a name asks for it."""

    def __init__(self) -> None:
        self._below: dict[Path, dict[str, list[Path]]] = {}

    def find(self, name: str, *folders: Path, root: Path | None, side: str = "") -> Path | None:
        """A picture by the name that a file gives it.

        Args:
            name: as the file has it; backslashes count as slashes.
            folders: where it lies, or has a folder ``images``.
            root: of the data set: everything below it is looked through; None where that could be a whole disk.
            side: the part of the data set, such as ``train``; it decides between equal names.

        Returns:
            None where there is no such picture, or where two could be meant.
        """
        found = find_picture(name, *folders)
        if found is not None or root is None:
            return found
        parts = Path(name.replace("\\", "/")).parts
        ranked = sorted(
            ((side in path.parts, _common(path.parts, parts)), path)
            for path in self._named(root).get(parts[-1] if parts else "", ())
        )
        if not ranked or (len(ranked) > 1 and ranked[-1][0] == ranked[-2][0]):
            return None
        return ranked[-1][1]

    def _named(self, root: Path) -> dict[str, list[Path]]:
        if root not in self._below:
            self._below[root] = {}
            for path in picture_files(root):
                self._below[root].setdefault(path.name, []).append(path)
        return self._below[root]


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """How many names at the end are equal."""
    count = 0
    for one, other in zip(reversed(a), reversed(b), strict=False):
        if one != other:
            break
        count += 1
    return count
