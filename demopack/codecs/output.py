"""The folder that an export is written into: rows, texts, pictures by hard link, and the count of what was lost."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import IO, Any, Final, cast

from demopack.atomic import disk_errors
from demopack.codecs.base import Codec
from demopack.codecs.losses import EXPORT_LOG, LOSS_WORDS, LossCounts
from demopack.codecs.placed_action import EncodedAction
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.errors import BadInputError
from demopack.json_lines import dump_line, parse_object
from demopack.regular_files import file_names, open_regular
from demopack.replacing import made_beside, put_in_place

_MAX_LOG_BYTES: Final = 64 << 20


class Output:
    """Takes the files of one export.

    Attributes:
        folder: where to.
        rows_in: rows that were there to be written.
        rows_out: rows that were written.
        left_out: rows that were not, and why.
        lost: what was written less exactly than it is known, and why.
        notes: what else a reader should know.
        lines: how many lines each table has.
        licence: of the demos; known once they have all been read.
        side: of a division that the demo at hand is on; empty where nobody divided.
        at_end: closes, when the export is over, whatever a writer still has open.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows_in = 0
        self.rows_out = 0
        self.left_out = LossCounts()
        self.lost = LossCounts()
        self.notes: list[str] = []
        self.lines: dict[str, int] = {}
        self.licence = ""
        self.side = ""
        self.at_end = contextlib.ExitStack()
        self._open: dict[str, IO[str]] = {}
        self._linked: set[str] = set()
        self._folders: set[str] = set()

    @property
    def part(self) -> str:
        """Name of the table or folder that a demo's rows go to: its side; ``train`` where nobody divided."""
        return self.side or "train"

    def path(self, name: str) -> Path:
        """Where a file goes; its folder is made."""
        parent = name.rpartition("/")[0]
        if parent not in self._folders:
            (self.folder / parent).mkdir(parents=True, exist_ok=True)
            self._folders.add(parent)
        return self.folder / name

    def write(self, name: str, data: str | bytes) -> None:
        """A whole file; text as UTF-8 with LF."""
        self.path(name).write_bytes(data.encode() if isinstance(data, str) else data)

    def text(self, name: str) -> IO[str]:
        """A text file that stays open until the end."""
        stream = self._open.get(name)
        if stream is None:
            file = self.path(name).open("w", encoding="utf-8", newline="\n")
            stream = self._open[name] = self.at_end.enter_context(file)
        return stream

    def line(self, name: str, row: dict[str, Any]) -> None:
        """One more line of a JSON Lines file."""
        self.text(name).write(dump_line(row))
        self.lines[name] = self.lines.get(name, 0) + 1

    def scratch(self) -> IO[str]:
        """A file for what must be written later; it goes when the export is over."""
        return self.at_end.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n"))

    def json(self, name: str, value: object, *, compact: bool = False) -> None:
        """A whole JSON file, indented; ``compact`` for large ones, which are written ten times faster on one line."""
        self.write(name, json.dumps(value, ensure_ascii=False, indent=None if compact else 2, allow_nan=False) + "\n")

    def picture(self, demo: RecordedDemo, file: str, name: str) -> str:
        """Bring a picture of a demo here, by hard link where that can be; returns ``name``.

        Pictures that were brought before are not brought again, so a name must always mean the same picture.
        """
        if name in self._linked:
            return name
        to = self.path(name)
        source = demo.pictures.file(file)
        if source is None:
            to.write_bytes(demo.pictures.read(file))
        else:
            try:
                os.link(source, to)
            except FileExistsError:
                # Demos may share pictures; an earlier one brought it.
                pass
            except OSError:
                # Linking fails over file systems, and on some of them altogether.
                shutil.copyfile(source, to)
        self._linked.add(name)
        return name

    def has(self, name: str) -> bool:
        """Whether a picture of this name was brought or drawn already."""
        return name in self._linked

    def draw(self, name: str, data: bytes) -> str:
        """A picture that was made for this export; returns ``name``."""
        to = self.path(name)
        # What lies there may be a link: writing into it would change the demo's own picture.
        to.unlink(missing_ok=True)
        to.write_bytes(data)
        self._linked.add(name)
        return name

    def forget_pictures(self) -> None:
        """Forget which pictures were brought: a demo is done, and no later one names its pictures."""
        self._linked.clear()

    def files(self) -> list[str]:
        """Every file that was written so far, but the log; sorted, with forward slashes."""
        return [name for name in file_names(self.folder) if name != EXPORT_LOG]

    def close(self) -> None:
        """Close every file, and have the disk keep them."""
        for stream in self._open.values():
            stream.flush()
            os.fsync(stream.fileno())
            stream.close()
        self._open.clear()


@contextlib.contextmanager
def staged(
    folder: Path, *, what: str = "export", log: str = EXPORT_LOG, is_own: Callable[[str], bool] | None = None
) -> Generator[Path]:
    """A folder beside the target; when the block ends well, it takes the target's place.

    Of an earlier export only its own files are replaced.

    Args:
        folder: the target.
        what: is written, for people.
        log: the file by which an earlier one is known.
        is_own: whether a file of an earlier one is its own; by default the log says it.

    Raises:
        BadInputError: the target is something that no export wrote, or its folder cannot be written.
        DiskFullError: no space left.
    """
    folder = folder.resolve() if folder.is_symlink() else folder.absolute()
    is_ours = folder.is_dir() and ((folder / log).is_file() or not any(folder.iterdir()))
    if os.path.lexists(folder) and not is_ours:
        raise BadInputError(
            f"{folder} exists and is no earlier {what}; it was left as it is.",
            hint="Name a new folder with -o, or remove it yourself.",
        )
    is_own = is_own or _own_files(folder)
    try:
        with disk_errors(folder.parent), made_beside(folder) as work:
            new = work / "new"
            new.mkdir()
            yield new
            put_in_place(new, folder, work, is_own=is_own)
    except OSError as error:
        raise BadInputError(
            f"The {what} cannot be written to {folder}; nothing was changed.",
            details=str(error),
            hint="Check the folder's permissions, or name another place with -o.",
        ) from error


def _own_files(folder: Path) -> Callable[[str], bool]:
    """Which files of an earlier export its log tells of; what else lies there is somebody's own, and stays.

    Logs of earlier versions do not say it: there everything counts but what is hidden, as a version control is.
    """
    try:
        with open_regular(folder / EXPORT_LOG) as stream:
            files: object = parse_object(stream.read(_MAX_LOG_BYTES).decode("utf-8")).get("files")
    except (OSError, ValueError):
        files = None
    if not isinstance(files, list):
        return lambda name: not name.startswith(".")
    listed = {name for name in cast("list[object]", files) if isinstance(name, str)}
    return lambda name: name == EXPORT_LOG or name in listed


def encode_step(output: Output, codec: Codec, step: RecordedStep) -> EncodedAction | None:
    """The step in a vocabulary; None where it has no word for it, which is counted as left out."""
    encoded = codec.encode(step.placed)
    if encoded.is_empty:
        code = encoded.losses[0] if encoded.losses else "no_word"
        output.left_out.add(code, LOSS_WORDS[code], step.name)
        return None
    for code in encoded.losses:
        output.lost.add(code, LOSS_WORDS[code], step.name)
    return encoded
