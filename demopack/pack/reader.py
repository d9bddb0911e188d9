"""Reads packs: demos equal to those that were exported, and their pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from pydantic import ValidationError

from demopack.domain.demos import Demo
from demopack.domain.frames import RgbImage
from demopack.domain.records import Record
from demopack.errors import CorruptFrameError, DemopackError, NewerVersionError, PackError
from demopack.pack.convert import build_demo
from demopack.pack.lines import first_problem, parse_object, validated
from demopack.pack.manifest import DEMOS, ELEMENTS, FORMAT, MANIFEST, SCHEMA_VERSION, STEPS, Manifest
from demopack.pack.names import UnsafePathError
from demopack.pack.picture import decode
from demopack.pack.rows import DemoRow, ElementRow, FrameRow, StepRow
from demopack.pack.source import PackSource, open_source, raw_lines

__all__ = ["Pack", "read_manifest", "read_pack"]

_R = TypeVar("_R", bound=Record)


class Pack:
    """An open pack; satisfies the reading half of the ``FrameStore`` port. Close it, or use ``with``.

    Attributes:
        path: the folder or the zip.
        manifest: the content of ``pack.json``.
        demos: as they were exported, in that order.
    """

    def __init__(self, source: PackSource, manifest: Manifest, demos: list[Demo], frames: Sequence[FrameRow]) -> None:
        self.path = source.path
        self.manifest = manifest
        self.demos = demos
        self._source = source
        self._frames = {frame.id: frame for frame in frames}
        self._sizes = {entry.path: entry.size for entry in manifest.files}

    def get_image(self, frame_id: str) -> RgbImage:
        """The pixels of a picture, shape (height, width, 3), checked against its id.

        Raises:
            CorruptFrameError: no demo of the pack has it, or the file is missing, damaged or another picture.
        """
        frame = self._frames.get(frame_id)
        if frame is None:
            raise CorruptFrameError(f"The pack {self.path} has no picture {frame_id[:12]}….")
        name = frame.file
        try:
            decoded = decode(self._source.read(name, limit=self._sizes.get(name, 0)), size=(frame.width, frame.height))
        except (PackError, ValueError) as error:
            raise _damaged(name, self.path, str(error)) from error
        if decoded.id != frame_id:
            raise _damaged(name, self.path, "The pixels do not match the picture's id.")
        return decoded.image

    def put_image(self, image: RgbImage) -> str:
        """Packs are read-only.

        Raises:
            PackError: always.
        """
        raise PackError(
            f"A picture of {image.shape[1]} x {image.shape[0]} pixels cannot be added: packs are read-only.",
            hint="Import the pack into a library.",
        )

    def close(self) -> None:
        """Let go of the files; calling it twice is harmless."""
        self._source.close()

    def __enter__(self) -> Pack:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _damaged(name: str, path: Path, details: str) -> CorruptFrameError:
    return CorruptFrameError(
        f"The picture {name} in the pack {path} is missing or damaged.",
        details=details,
        hint="Get the pack again, or export it again from the library.",
    )


def read_pack(path: Path) -> Pack:
    """Open a pack, a folder or a zip. Its tables are read at once, its pictures when they are asked for.

    Raises:
        PackError: it is not a pack, a file is missing, or a line cannot be read; file, line and way out are named.
        NewerVersionError: a newer demopack wrote it.
    """
    source = open_source(path)
    try:
        manifest = read_manifest(source)
        demos = _read_rows(source, manifest, DEMOS, DemoRow)
        steps = _read_rows(source, manifest, STEPS, StepRow)
        elements = _read_rows(source, manifest, ELEMENTS, ElementRow)
        frames = [frame for _, row in demos for frame in row.frames]
        return Pack(source, manifest, _join(path, demos, steps, elements), frames)
    except BaseException:
        source.close()
        raise


def read_manifest(source: PackSource) -> Manifest:
    """The content of ``pack.json``.

    Raises:
        PackError: it is missing or cannot be read.
        NewerVersionError: a newer demopack wrote it.
    """
    try:
        data = parse_object(source.read_manifest().decode("utf-8"))
    except ValueError as error:
        raise _bad(source.path, MANIFEST, None, f"it is not JSON: {error}") from error
    _check_version(source.path, data)
    try:
        return Manifest.model_validate(data)
    except ValidationError as error:
        raise _bad(source.path, MANIFEST, None, f"the field {first_problem(error)}") from error


def _check_version(path: Path, data: dict[str, Any]) -> None:
    if data.get("format") != FORMAT:
        raise PackError(
            f"{path} is not a demo pack: its {MANIFEST} does not say format “{FORMAT}”.",
            hint="Name the folder or the zip that `demopack export` wrote.",
        )
    version = data.get("schema_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise NewerVersionError(
            f"The pack {path} was written by a newer demopack (layout {version}, this one reads {SCHEMA_VERSION}).",
            hint="Update demopack, then open it again.",
        )


def _read_rows(source: PackSource, manifest: Manifest, name: str, model: type[_R]) -> list[tuple[int, _R]]:
    size = next((entry.size for entry in manifest.files if entry.path == name), None)
    if size is None:
        raise _bad(source.path, MANIFEST, None, f"it does not list {name}")
    rows: list[tuple[int, _R]] = []
    try:
        for number, line in enumerate(raw_lines(source, name, limit=size), start=1):
            if line.strip():
                rows.append((number, _read_row(source.path, name, number, line, model)))
    except UnsafePathError:
        raise
    except PackError as error:
        raise error if error.hint else _bad(source.path, name, None, error.user_message) from error
    return rows


def _read_row(path: Path, name: str, number: int, line: bytes, model: type[_R]) -> _R:
    try:
        version = parse_object(line.decode("utf-8")).get("schema_version")
        if isinstance(version, int) and version > 1:
            raise NewerVersionError(
                f"Line {number} of {name} in the pack {path} was written by a newer demopack.", hint="Update demopack."
            )
        return validated(line, model)
    except ValidationError as error:
        raise _bad(path, name, number, f"the field {first_problem(error)}") from error
    except UnicodeDecodeError as error:
        raise _bad(path, name, number, "it is not UTF-8") from error
    except ValueError as error:
        raise _bad(path, name, number, f"it is not JSON: {error}") from error


def _bad(path: Path, name: str, line: int | None, why: str) -> PackError:
    where = name if line is None else f"{name}, line {line},"
    return PackError(
        f"{where} in the pack {path} cannot be read: {why}.",
        hint="Correct it, get the pack again, or export it again; `demopack check` lists everything that is wrong.",
    )


def _join(
    path: Path,
    demos: list[tuple[int, DemoRow]],
    steps: list[tuple[int, StepRow]],
    elements: list[tuple[int, ElementRow]],
) -> list[Demo]:
    known = {row.demo for _, row in demos}
    steps_of = _grouped(path, STEPS, steps, known, lambda row: row.demo)
    elements_of = _grouped(path, ELEMENTS, elements, known, lambda row: row.demo)
    joined: list[Demo] = []
    for number, row in demos:
        try:
            joined.append(build_demo(row, steps_of.get(row.demo, []), elements_of.get(row.demo, [])))
        except (DemopackError, ValidationError) as error:
            why = first_problem(error) if isinstance(error, ValidationError) else str(error).rstrip(".")
            raise _bad(path, DEMOS, number, f"its steps or elements are wrong: {why}") from error
    return joined


def _grouped(
    path: Path, name: str, rows: list[tuple[int, _R]], known: set[str], demo_of: Callable[[_R], str]
) -> dict[str, list[_R]]:
    groups: dict[str, list[_R]] = {}
    for number, row in rows:
        demo = demo_of(row)
        if demo not in known:
            raise _bad(path, name, number, f"it belongs to the demo {demo}, which is not in {DEMOS}")
        groups.setdefault(demo, []).append(row)
    return groups
