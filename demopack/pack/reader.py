"""Reads packs demo by demo: never more than one demo is in memory, however large the pack is.

Exports, sets, prompts, scores and imports read tables by an open :class:`Pack`, which refuses what it cannot read; the
check looks closer, notes it and goes on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, TypeVar, cast

from pydantic import ValidationError

from demopack.codecs.recorded_demo import RecordedDemo
from demopack.domain.demos import Demo
from demopack.domain.frames import RgbImage
from demopack.errors import BadInputError, CorruptFrameError, DemopackError, NewerVersionError, PackError
from demopack.file_names import UnsafePathError
from demopack.json_lines import LineError, first_problem, parse_line, parse_object, parse_row
from demopack.pack.convert import build_demo, recorded
from demopack.pack.manifest import (
    DEMOS,
    ELEMENTS,
    FORMAT,
    MANIFEST,
    SCHEMA_VERSION,
    STEPS,
    TREES,
    TREES_SINCE,
    Manifest,
)
from demopack.pack.picture import decode
from demopack.pack.rows import DemoRow, ElementRow, FrameRow, StepRow, TreeRow
from demopack.pack.source import PackSource, open_source, raw_lines

SPLITS: Final = "SPLITS.json"
"""What ``demopack pack split`` leaves beside the packs of the sides."""
_MAX_SPLITS_BYTES: Final = 64 << 20


def side_of(pack: Path) -> str:
    """Which side of a division a pack is, for instance ``test``; empty for a pack that nobody divided."""
    pack = pack.absolute()
    return pack.name if pack.name in _sides(pack.parent) else ""


def parts_of(path: Path) -> list[Path]:
    """The packs of a folder that holds a division, in its order; any other path is itself."""
    found = [path / side for side in _sides(path) if (path / side).is_dir()] if path.is_dir() else []
    return found or [path]


def _sides(folder: Path) -> list[str]:
    """The sides that a folder says it holds; what is no such file holds none."""
    file = folder / SPLITS
    try:
        if file.stat().st_size > _MAX_SPLITS_BYTES:
            return []
        said: object = parse_object(file.read_text(encoding="utf-8")).get("sides")
    except (OSError, ValueError, RecursionError):
        return []
    # The names become folders and files of exports.
    names = cast("dict[str, object]", said) if isinstance(said, dict) else {}
    return [name for name in names if name.isidentifier() and name.isascii()]


_R = TypeVar("_R", bound="DemoRow | StepRow | ElementRow | TreeRow")
_D = TypeVar("_D", Demo, RecordedDemo)


class _Table(Generic[_R]):
    """The rows of a table, demo by demo, with one of looking ahead.

    Attributes:
        ahead: the next row; None at the end.
        number: of its line, from 1; at the end that of the last one.
    """

    def __init__(self, lines: Iterator[tuple[int, bytes, _R]]) -> None:
        self._lines = lines
        self.ahead: _R | None
        self.number, self._raw, self.ahead = next(lines, (0, b"", None))

    def take(self, demo: str) -> tuple[list[_R], list[bytes]]:
        """The next rows, as far as they are of this demo, and their lines."""
        rows: list[_R] = []
        raws: list[bytes] = []
        if self.ahead is None or self.ahead.demo != demo:
            return rows, raws
        rows.append(self.ahead)
        raws.append(self._raw)
        self.ahead, lines = None, self._lines
        for self.number, raw, row in lines:
            if row.demo != demo:
                self._raw, self.ahead = raw, row
                break
            rows.append(row)
            raws.append(raw)
        return rows, raws


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoLines:
    """The rows of one demo, in the order of the files.

    Attributes:
        number: of its line in ``demos.jsonl``, from 1.
        head: that line.
        steps: its lines of ``steps.jsonl``.
        elements: its lines of ``elements.jsonl``.
        trees: its lines of ``trees.jsonl``, where these were asked for.
        raw: name of a table -> the same lines as they stand there.
    """

    number: int
    head: DemoRow
    steps: Sequence[StepRow]
    elements: Sequence[ElementRow]
    trees: Sequence[TreeRow]
    raw: Mapping[str, Sequence[bytes]]


# Packs ---------------------------------------------------------------------------------------------------------------


class Pack:
    """An open pack; satisfies the ``FrameStore`` port. Close it, or use ``with``.

    Attributes:
        path: the folder or the zip.
        manifest: the content of ``pack.json``.
        source: its files.
    """

    def __init__(self, source: PackSource, manifest: Manifest) -> None:
        self.path = source.path
        self.manifest = manifest
        self.source = source
        self._sizes = {entry.path: entry.size for entry in manifest.files}
        self._side = side_of(source.path)

    @property
    def licence(self) -> str:
        """The pack's licence."""
        return self.manifest.licence

    @property
    def kept_digests(self) -> list[str]:
        """Digests of the values that may be private and that a person kept."""
        return self.manifest.redaction.kept_digests

    @property
    def total(self) -> int:
        """How many demos the manifest counts."""
        return self.manifest.counts.demos

    def demos(self) -> Iterator[RecordedDemo]:
        """Every demo without its rejected elements.

        Its rows must stand together in each table, in the order of the demos.

        Raises:
            PackError: a line cannot be read, or rows that can be read make no demo; file, line and way out are named.
            NewerVersionError: a newer demopack wrote a line.
        """
        return map(self.recorded, self.lines())

    def recorded(self, lines: DemoLines) -> RecordedDemo:
        """The demo of some lines, as :meth:`demos`."""
        return self._made_of(
            lines,
            lambda head, steps, elements: recorded(head, steps, elements, self, trees=lines.trees, side=self._side),
        )

    def whole_demos(self) -> Iterator[Demo]:
        """Every demo as it was exported, rejected elements included.

        Raises:
            PackError: as :meth:`demos`.
            NewerVersionError: as :meth:`demos`.
        """
        return map(self.whole, self.lines(trees=True))

    def whole(self, lines: DemoLines) -> Demo:
        """The demo of some lines, as :meth:`whole_demos`."""
        return self._made_of(lines, lambda head, steps, elements: build_demo(head, steps, elements, lines.trees))

    def _made_of(self, lines: DemoLines, make: Callable[[DemoRow, Sequence[StepRow], Sequence[ElementRow]], _D]) -> _D:
        try:
            return make(lines.head, lines.steps, lines.elements)
        except (DemopackError, ValidationError) as error:
            why = first_problem(error) if isinstance(error, ValidationError) else str(error).rstrip(".")
            raise _bad(self.path, DEMOS, lines.number, f"its steps or elements are wrong: {why}") from error

    def lines(self, *, trees: bool = False) -> Iterator[DemoLines]:
        """Every demo's lines, as :meth:`demos`; those of accessibility trees only where they are asked for."""
        with contextlib.ExitStack() as stack:
            trees = trees and self.manifest.schema_version >= TREES_SINCE
            heads, steps, elements = (
                stack.enter_context(contextlib.closing(self._table(DEMOS, DemoRow))),
                _Table(stack.enter_context(contextlib.closing(self._table(STEPS, StepRow)))),
                _Table(stack.enter_context(contextlib.closing(self._table(ELEMENTS, ElementRow)))),
            )
            reported = _Table(stack.enter_context(contextlib.closing(self._table(TREES, TreeRow)))) if trees else None
            for number, raw, head in heads:
                own_steps, raw_steps = self._of(STEPS, steps, head.demo, head.steps)
                own_elements, raw_elements = self._of(ELEMENTS, elements, head.demo, head.elements)
                own_trees, raw_trees = self._of(TREES, reported, head.demo, head.trees) if reported else ([], [])
                raws = {DEMOS: [raw], STEPS: raw_steps, ELEMENTS: raw_elements, TREES: raw_trees}
                yield DemoLines(
                    number=number, head=head, steps=own_steps, elements=own_elements, trees=own_trees, raw=raws
                )
            self._refuse_rest(STEPS, steps)
            self._refuse_rest(ELEMENTS, elements)
            if reported is not None:
                self._refuse_rest(TREES, reported)

    def _refuse_rest(self, name: str, table: _Table[_R]) -> None:
        if table.ahead is not None:
            why = f"a row of {table.ahead.demo} stands apart from the others, or is of no demo in {DEMOS}"
            raise _bad(self.path, name, table.number, why)

    def _of(self, name: str, table: _Table[_R], demo: str, count: int) -> tuple[list[_R], list[bytes]]:
        rows, raws = table.take(demo)
        if len(rows) != count:
            next_of = "" if table.ahead is None else f"; the next is of {table.ahead.demo}"
            why = f"{len(rows)} rows of {demo} stand together here, but {DEMOS} counts {count}{next_of}"
            raise _bad(self.path, name, table.number if rows or table.ahead is not None else None, why)
        return rows, raws

    def _table(self, name: str, model: type[_R]) -> Generator[tuple[int, bytes, _R]]:
        if name not in self._sizes:
            raise _bad(self.path, MANIFEST, None, f"it does not list {name}")
        try:
            for number, raw in enumerate(raw_lines(self.source, name, limit=self._sizes[name]), start=1):
                try:
                    # The few numbers of a demo have no bounds of their own.
                    row = parse_line(raw, model)[1] if name == DEMOS else parse_row(raw, model)
                except LineError as error:
                    if raw.strip():
                        newest = model.model_fields["schema_version"].default
                        raise self._refused(name, number, error, newest) from error
                else:
                    yield number, raw, row
        except UnsafePathError:
            raise
        except PackError as error:
            raise error if error.hint else _bad(self.path, name, None, error.user_message) from error

    def _refused(self, name: str, number: int, error: LineError, newest: int) -> DemopackError:
        version = (error.data or {}).get("schema_version")
        if isinstance(version, int) and version > newest:
            return NewerVersionError(
                f"Line {number} of {name} in the pack {self.path} was written by a newer demopack.",
                hint="Update demopack.",
            )
        why = {"text": "it is not UTF-8", "object": f"it is not JSON: {error.why}", "fields": f"the field {error.why}"}
        return _bad(self.path, name, number, why[error.kind])

    def read(self, name: str) -> bytes:
        """The bytes of a picture.

        Raises:
            PackError: it is missing, or larger than the pack says.
        """
        return self.source.read(name, limit=self._sizes.get(name, 0))

    def file(self, name: str) -> Path | None:
        """Where a picture lies on the disk; None in a zip."""
        return self.source.file(name)

    @cached_property
    def _frames(self) -> Mapping[str, FrameRow]:
        with contextlib.closing(self._table(DEMOS, DemoRow)) as heads:
            return {frame.id: frame for _, _, head in heads for frame in head.frames}

    def get_image(self, frame_id: str) -> RgbImage:
        """The pixels of a picture, shape (height, width, 3), checked against its id.

        Raises:
            CorruptFrameError: no demo of the pack has it, or the file is missing, damaged or another picture.
        """
        frame = self._frames.get(frame_id)
        if frame is None:
            raise CorruptFrameError(f"The pack {self.path} has no picture {frame_id[:12]}….")
        try:
            decoded = decode(self.read(frame.file), size=(frame.width, frame.height))
        except (PackError, ValueError) as error:
            raise self._damaged(frame.file, str(error)) from error
        if decoded.id != frame_id:
            raise self._damaged(frame.file, "The pixels do not match the picture's id.")
        return decoded.image

    def _damaged(self, name: str, details: str) -> CorruptFrameError:
        return CorruptFrameError(
            f"The picture {name} in the pack {self.path} is missing or damaged.",
            details=details,
            hint="Get the pack again, or export it again from the library.",
        )

    def close(self) -> None:
        """Let go of the files; calling it twice is harmless."""
        self.source.close()

    def __enter__(self) -> Pack:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Packs:
    """Several packs that are read as one, in this order; a source of demos for exports, prompts and scores."""

    def __init__(self, packs: Sequence[Pack], *, trees: bool = False, proven: bool = False) -> None:
        """Take the packs.

        Args:
            packs: in order.
            trees: whether what programs reported of their windows is read, too.
            proven: only demos that a replay has done again.
        """
        self._packs = packs
        self._trees = trees
        self._proven = proven

    @property
    def licence(self) -> str:
        """The licence of all; empty where they have several."""
        licences = {pack.licence for pack in self._packs}
        return licences.pop() if len(licences) == 1 else ""

    @property
    def kept_digests(self) -> set[str]:
        """The digests of all, as :attr:`Pack.kept_digests`."""
        return {digest for pack in self._packs for digest in pack.kept_digests}

    @property
    def total(self) -> int:
        """How many demos their manifests count."""
        return sum(pack.total for pack in self._packs)

    def demos(self) -> Iterator[RecordedDemo]:
        """Every demo, as :meth:`Pack.demos`.

        Raises:
            BadInputError: a demo is in several of the packs.
        """
        return starmap(Pack.recorded, self.lines())

    def lines(self) -> Iterator[tuple[Pack, DemoLines]]:
        """Every demo's lines, with the pack that they stand in; errors as :meth:`demos`."""
        pack_of: dict[str, Pack] = {}
        for pack in self._packs:
            for lines in pack.lines(trees=self._trees):
                demo = lines.head.demo
                if self._proven and lines.head.proof is None:
                    continue
                if pack_of.setdefault(demo, pack) is not pack:
                    raise BadInputError(f"The demo {demo} is in several of the packs.", hint="Name each demo once.")
                yield pack, lines


def open_pack(path: Path) -> Pack:
    """Open a pack, a folder or a zip. Its tables and pictures are read when they are asked for.

    Raises:
        PackError: it is not a pack, or its manifest cannot be read.
        NewerVersionError: a newer demopack wrote it.
    """
    source = open_source(path)
    try:
        return Pack(source, read_manifest(source))
    except BaseException:
        source.close()
        raise


@contextlib.contextmanager
def open_packs(paths: Sequence[Path], *, trees: bool = False, proven: bool = False) -> Generator[Packs]:
    """Packs to be read as one, in this order; the options are those of :class:`Packs`.

    Raises:
        PackError: one of them is not a pack.
        NewerVersionError: a newer demopack wrote one of them.
    """
    with contextlib.ExitStack() as stack:
        yield Packs([stack.enter_context(open_pack(path)) for path in paths], trees=trees, proven=proven)


def read_demos(path: Path) -> list[Demo]:
    """All demos of a pack, as they were exported, in that order.

    Raises:
        PackError: it is not a pack, a file is missing, or a line cannot be read; file, line and way out are named.
        NewerVersionError: a newer demopack wrote it.
    """
    with open_pack(path) as pack:
        return list(pack.whole_demos())


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


def _bad(path: Path, name: str, line: int | None, why: str) -> PackError:
    where = name if line is None else f"{name}, line {line},"
    return PackError(
        f"{where} in the pack {path} cannot be read: {why}.",
        hint="Correct it, get the pack again, or export it again; `demopack check` lists everything that is wrong.",
    )
