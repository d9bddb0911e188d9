"""Demos of a library as examples, without exporting a pack first; the app builds its prompts from these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from demopack.domain.demos import Demo
from demopack.errors import PackError
from demopack.pack.convert import demo_row, element_rows, frame_files, pruned, step_rows
from demopack.pack.rows import ElementRow
from demopack.pack.stream import DemoRows, Pictures
from demopack.store import Library

__all__ = ["LibraryDemos", "rows_of_demo"]


class _LibraryPictures:
    def __init__(self, library: Library, names: Mapping[str, str]) -> None:
        self._library = library
        self._ids = {name: frame for frame, name in names.items()}

    def read(self, name: str) -> bytes:
        """The bytes of a picture.

        Raises:
            PackError: the demo has no such picture.
            CorruptFrameError: it is damaged.
        """
        frame = self._ids.get(name)
        if frame is None:
            raise PackError(f"The demo has no picture {name}.")
        return self._library.png_bytes(frame)

    def file(self, name: str) -> Path | None:
        """A library keeps no picture as a file of its own."""
        del name
        return None


class LibraryDemos:
    """Satisfies :class:`demopack.pack.stream.DemoSource`. A demo is as it stands, its redaction included.

    Args:
        library: where the demos are.
        demos: ids; None for all that are complete.
    """

    licence = ""

    def __init__(self, library: Library, demos: Sequence[str] | None = None) -> None:
        self._library = library
        every = [summary.head.id for summary in library.demos() if summary.head.status == "complete"]
        self._ids = list(dict.fromkeys(demos)) if demos is not None else every

    @property
    def total(self) -> int:
        """How many demos there are."""
        return len(self._ids)

    def demos(self) -> Iterator[DemoRows]:
        """Every demo, read when it is asked for.

        Raises:
            BadInputError: an id is not in the library.
        """
        for key in self._ids:
            demo = pruned(self._library.demo(key))
            yield rows_of_demo(demo, _LibraryPictures(self._library, frame_files(demo)))


def rows_of_demo(demo: Demo, pictures: Pictures) -> DemoRows:
    """A demo as a pack would tell it."""
    files = frame_files(demo)
    found: dict[str, list[ElementRow]] = {}
    for row in element_rows(demo, files):
        if row.element_id is not None:
            found.setdefault(row.frame, []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: row.element_id or 0)
    return DemoRows(head=demo_row(demo, files), steps=step_rows(demo, files), elements=found, pictures=pictures)
