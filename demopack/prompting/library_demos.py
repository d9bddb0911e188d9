"""Demos of a library as examples, without exporting a pack first; the app builds its prompts from these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from demopack.codecs.recorded_demo import RecordedDemo, recorded_demo
from demopack.errors import PackError
from demopack.pack.convert import frame_files, pruned
from demopack.store import Library


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
    """Satisfies :class:`demopack.codecs.recorded_demo.DemoSource`. A demo is as it stands, its redaction included.

    Args:
        library: where the demos are.
        demos: ids; None for all that are complete.
        progress: told before each demo how many were read, and of how many; may raise to end it.
    """

    licence = ""
    kept_digests: Sequence[str] = ()

    def __init__(
        self,
        library: Library,
        demos: Sequence[str] | None = None,
        *,
        progress: Callable[[int, int], object] | None = None,
    ) -> None:
        self._library = library
        self._progress = progress
        every = [summary.head.id for summary in library.demos() if summary.head.status == "complete"]
        self._ids = list(dict.fromkeys(demos)) if demos is not None else every

    @property
    def total(self) -> int:
        """How many demos there are."""
        return len(self._ids)

    def demos(self) -> Iterator[RecordedDemo]:
        """Every demo, read when it is asked for.

        Raises:
            BadInputError: an id is not in the library.
        """
        for done, key in enumerate(self._ids):
            if self._progress is not None:
                self._progress(done, len(self._ids))
            demo = pruned(self._library.demo(key))
            files = frame_files(demo)
            yield recorded_demo(demo, files, _LibraryPictures(self._library, files))
