"""Reads packs demo by demo: never more than one demo is in memory, however large the pack is."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from pydantic import ValidationError

from demopack.errors import BadInputError, PackError
from demopack.pack.lines import first_problem, read_row
from demopack.pack.manifest import DEMOS, ELEMENTS, STEPS, Manifest
from demopack.pack.names import UnsafePathError
from demopack.pack.reader import read_manifest
from demopack.pack.rows import DemoRow, ElementRow, StepRow
from demopack.pack.sides import side_of
from demopack.pack.source import PackSource, open_source, raw_lines

__all__ = ["DemoRows", "DemoSource", "PackStream", "Pictures", "named", "open_streams"]

_R = TypeVar("_R", bound="DemoRow | StepRow | ElementRow")


class Pictures(Protocol):
    """Where the pictures of a demo are."""

    def read(self, name: str) -> bytes:
        """The bytes of a picture.

        Raises:
            PackError: it is missing, or larger than the pack says.
        """
        ...

    def file(self, name: str) -> Path | None:
        """Where it lies on the disk, so that it can be linked; None where it does not, as in a zip."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoRows:
    """One demo as the pack's tables tell it.

    Attributes:
        head: its line of ``demos.jsonl``.
        steps: its lines of ``steps.jsonl``, in order.
        elements: its lines of ``elements.jsonl`` by frame id, in reading order; rejected ones are left out.
        pictures: where its pictures are.
        side: of a division that it is on, for instance ``test``; empty where nobody divided.
    """

    head: DemoRow
    steps: Sequence[StepRow]
    elements: Mapping[str, Sequence[ElementRow]]
    pictures: Pictures
    side: str = ""

    def on(self, step: StepRow) -> Sequence[ElementRow]:
        """The elements on a step's picture; empty where it has none."""
        return () if step.before is None else self.elements.get(step.before.id, ())

    def element(self, step: StepRow, uid: str | None) -> ElementRow | None:
        """The element with this uid on a step's picture."""
        return next((row for row in self.on(step) if row.uid == uid), None) if uid else None


def named(row: StepRow) -> str:
    """Which step it is, for people, for instance ``step 3 of demo_5a3b1e0c77``."""
    return f"step {row.index + 1} of {row.demo}"


class DemoSource(Protocol):
    """Something that demos can be read from, one after the other, as often as one likes."""

    @property
    def licence(self) -> str:
        """SPDX expression; empty when not to be published."""
        ...

    @property
    def total(self) -> int:
        """How many demos there are."""
        ...

    def demos(self) -> Iterator[DemoRows]:
        """Every demo.

        Raises:
            PackError: a line cannot be read; file, line and way out are named.
        """
        ...


class PackStream:
    """One open pack; close it, or use :func:`open_streams`."""

    def __init__(self, path: Path) -> None:
        self._source: PackSource = open_source(path)
        try:
            self.manifest: Manifest = read_manifest(self._source)
        except BaseException:
            self._source.close()
            raise
        self._sizes = {entry.path: entry.size for entry in self.manifest.files}
        self._side = side_of(path)

    @property
    def licence(self) -> str:
        """The pack's licence."""
        return self.manifest.licence

    @property
    def total(self) -> int:
        """How many demos the manifest counts."""
        return self.manifest.counts.demos

    def read(self, name: str) -> bytes:
        """The bytes of a picture."""
        return self._source.read(name, limit=self._sizes.get(name, 0))

    def file(self, name: str) -> Path | None:
        """Where a picture lies on the disk; None in a zip."""
        return self._source.file(name)

    def demos(self) -> Iterator[DemoRows]:
        """Every demo; its rows must stand together in each table, in the order of the demos."""
        with contextlib.ExitStack() as stack:
            heads = stack.enter_context(self._table(DEMOS, DemoRow))
            steps = stack.enter_context(self._table(STEPS, StepRow))
            elements = stack.enter_context(self._table(ELEMENTS, ElementRow))
            for head in heads.rest():
                yield self._demo(head, steps, elements)
            for table in (steps, elements):
                table.expect_end()

    def _demo(self, head: DemoRow, steps: _Table[StepRow], elements: _Table[ElementRow]) -> DemoRows:
        found: dict[str, list[ElementRow]] = {}
        for row in elements.of(head.demo, head.elements):
            if row.element_id is not None:
                found.setdefault(row.frame, []).append(row)
        for rows in found.values():
            rows.sort(key=lambda row: row.element_id or 0)
        ordered = sorted(steps.of(head.demo, head.steps), key=lambda row: row.index)
        return DemoRows(head=head, steps=ordered, elements=found, pictures=self, side=self._side)

    @contextlib.contextmanager
    def _table(self, name: str, model: type[_R]) -> Generator[_Table[_R]]:
        with contextlib.closing(raw_lines(self._source, name, limit=self._sizes.get(name))) as lines:
            yield _Table(self._source.path, name, lines, model)

    def close(self) -> None:
        """Let go of the files; calling it twice is harmless."""
        self._source.close()


class _Table(Generic[_R]):
    """The rows of one file, one at a time, with one row of looking ahead."""

    def __init__(self, path: Path, name: str, lines: Iterator[bytes], model: type[_R]) -> None:
        self._path, self._name = path, name
        self._lines, self._model = lines, model
        self._number = 0
        self._ahead: _R | None = self._next()

    def _next(self) -> _R | None:
        try:
            for line in self._lines:
                self._number += 1
                if line.strip():
                    return read_row(line, self._model)
        except ValidationError as error:
            raise self._wrong(first_problem(error)) from error
        except ValueError as error:
            raise self._wrong(str(error)) from error
        except UnsafePathError:
            raise
        except PackError as error:
            raise error if error.hint else self._wrong(error.user_message) from error
        return None

    def rest(self) -> Iterator[_R]:
        while self._ahead is not None:
            row, self._ahead = self._ahead, self._next()
            yield row

    def of(self, demo: str, count: int) -> list[_R]:
        rows: list[_R] = []
        while self._ahead is not None and self._ahead.demo == demo:
            rows.append(self._ahead)
            self._ahead = self._next()
        if len(rows) != count:
            raise self._wrong(f"{len(rows)} rows of {demo} stand together here, but {DEMOS} counts {count}")
        return rows

    def expect_end(self) -> None:
        if self._ahead is not None:
            raise self._wrong(f"a row of {self._ahead.demo} stands apart from the others, or has no demo")

    def _wrong(self, why: str) -> PackError:
        return PackError(
            f"{self._name}, line {self._number}, in the pack {self._path} cannot be read: {why}.",
            hint="Correct it, get the pack again, or export it again; `demopack check` lists everything that is wrong.",
        )


class _Chain:
    """Several packs as one."""

    def __init__(self, packs: Sequence[PackStream]) -> None:
        self._packs = packs

    @property
    def licence(self) -> str:
        licences = {pack.licence for pack in self._packs}
        return licences.pop() if len(licences) == 1 else ""

    @property
    def total(self) -> int:
        return sum(pack.total for pack in self._packs)

    def demos(self) -> Iterator[DemoRows]:
        seen: set[str] = set()
        for pack in self._packs:
            for demo in pack.demos():
                if demo.head.demo in seen:
                    raise BadInputError(
                        f"The demo {demo.head.demo} is in several of the packs.", hint="Name each demo once."
                    )
                seen.add(demo.head.demo)
                yield demo


@contextlib.contextmanager
def open_streams(paths: Sequence[Path]) -> Generator[DemoSource]:
    """Packs to be read as one, in this order.

    Raises:
        PackError: one of them is not a pack.
        NewerVersionError: a newer demopack wrote one of them.
    """
    with contextlib.ExitStack() as stack:
        packs: list[PackStream] = []
        for path in paths:
            pack = PackStream(path)
            stack.callback(pack.close)
            packs.append(pack)
        yield packs[0] if len(packs) == 1 else _Chain(packs)
