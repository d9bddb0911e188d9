"""Goes through the tables together, demo by demo: never more than one demo's rows are in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from demopack.domain.actions import LLMResponse
from demopack.pack.check.elements import Pointers, Scale, check_boxes, check_covered, check_numbers
from demopack.pack.check.lines import CheckedLine, checked_lines, own_schema
from demopack.pack.check.pictures import PictureReference, PictureReferences
from demopack.pack.check.private import PrivateScan
from demopack.pack.check.steps import (
    PictureOrderCheck,
    check_bound,
    check_form,
    check_order,
    check_places,
    check_reasonings,
    check_typed,
    read_response,
)
from demopack.pack.check.trees import check_trees
from demopack.pack.manifest import DEMOS, ELEMENTS, MANIFEST, STEPS, TREES, TREES_SINCE, Manifest
from demopack.pack.rows import DemoRow, ElementRow, PixelBox, StepRow, TreeRow
from demopack.pack.rules import RULES, Finding, Findings
from demopack.pack.source import PackSource


class _AnyElement(ElementRow):
    box: PixelBox  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride] # G01 looks at it


_MODELS: Final[dict[str, type[DemoRow] | type[StepRow] | type[ElementRow] | type[TreeRow]]] = {
    DEMOS: DemoRow,
    STEPS: StepRow,
    ELEMENTS: _AnyElement,
    TREES: TreeRow,
}


def check_tables(
    source: PackSource, manifest: Manifest, findings: Findings, scan: PrivateScan, named: PictureReferences
) -> Iterator[PictureReference]:
    """Every rule that looks at rows; yields the pictures they name, so that these are looked at meanwhile."""
    listed = {entry.path for entry in manifest.files}
    tables = dict[str, Iterator[CheckedLine]]()
    for name, model in _MODELS.items():
        if name in listed and source.size(name) is not None:
            tables[name] = checked_lines(source, name, model, findings, scan, schema=own_schema(source, name))
            continue
        tables[name] = iter(())
        if name == TREES and manifest.schema_version < TREES_SINCE:
            continue
        findings.torn = True
        if name not in listed:  # one that is missing is reported with the listing
            findings.add(RULES["I02"].broken(MANIFEST, None, f"{name} is not listed."))
    changes = PictureOrderCheck(source, {entry.path: entry.size for entry in manifest.files})
    yield from _TableCheck(list(tables[DEMOS]), findings, named, changes).through(tables, manifest)


class _TableCheck:
    """One way through the tables."""

    def __init__(
        self, demos: Sequence[CheckedLine], findings: Findings, named: PictureReferences, changes: PictureOrderCheck
    ) -> None:
        self._demos = demos
        self._changes = changes
        self._findings = findings
        self._total = dict.fromkeys(("demos", "steps", "elements", "trees", "rationales"), 0)
        self._of_demo: dict[str, dict[str, int]] = {"steps": {}, "elements": {}, "trees": {}}
        self._named = named
        self._pointers, self._scale = Pointers(), Scale()

    def through(self, tables: Mapping[str, Iterator[CheckedLine]], manifest: Manifest) -> Iterator[PictureReference]:
        order = [line.data["demo"] for line in self._demos]
        if len(set(order)) != len(order):
            self._mix(RULES["S03"].broken(DEMOS, None, "A demo stands there twice."))
        steps, elements, trees = (_Groups(name, tables[name], order, self._mix) for name in (STEPS, ELEMENTS, TREES))
        for demo in self._demos:
            name = demo.data["demo"]
            own_steps = steps.of(name)
            self._demo(demo, own_steps, elements.of(name))
            self._trees(name, own_steps, trees.of(name))
            yield from self._named.taken()
        # Rows that belong to no demo, or stand in the wrong place, name pictures all the same.
        for rows in steps.rest():
            self._rows(rows, ())
        for rows in elements.rest():
            self._rows((), rows)
        self._total["trees"] += sum(map(len, trees.rest()))
        self._findings.add(*self._pointers.findings(), *self._scale.findings(ELEMENTS))
        self._findings.count(self._check_counts(manifest))
        yield from self._named.taken()

    def _mix(self, finding: Finding) -> None:
        self._findings.mixed = True
        self._findings.join([finding])

    def _demo(self, demo: CheckedLine, steps: list[CheckedLine], elements: list[CheckedLine]) -> None:
        findings = self._findings
        findings.add(*self._named.demo(demo))
        name = demo.data["demo"]
        self._total["demos"] += 1
        self._of_demo["steps"][name], self._of_demo["elements"][name] = len(steps), len(elements)
        findings.join(check_order(demo, steps, self._changes))
        elements = self._on_pictures(demo, elements)
        findings.add(*check_boxes(elements), *check_covered(elements, _covered(demo, steps)))
        if len(elements) == self._of_demo["elements"][name]:
            findings.join(check_numbers(elements))
        self._rows(steps, elements)
        by_frame: dict[str, list[dict[str, Any]]] = {}
        for line in elements:
            by_frame.setdefault(line.data["frame"], []).append(line.data)
        answered: list[tuple[CheckedLine, LLMResponse]] = []
        for line in steps:
            response = read_response(line, findings)
            if response is not None:
                answered.append((line, response))
                findings.add(*check_form(line, response, last=line is steps[-1]))
                findings.add(*check_places(line, response, self._pointers), *check_typed(line, response))
                findings.count(check_bound(line, response, by_frame))
        findings.add(*check_reasonings(answered))

    def _trees(self, demo: str, steps: Sequence[CheckedLine], trees: Sequence[CheckedLine]) -> None:
        self._total["trees"] += len(trees)
        self._of_demo["trees"][demo] = len(trees)
        self._findings.join(check_trees(steps, trees))

    def _on_pictures(self, demo: CheckedLine, elements: list[CheckedLine]) -> list[CheckedLine]:
        """The elements that lie on a picture of their demo; the others are told once, not wherever they are missed."""
        known = {frame["id"] for frame in demo.data["frames"]}
        for line in elements:
            if line.data["frame"] not in known:
                self._total["elements"] += 1
                message = f"frame {line.data['frame'][:12]!r} is no picture of {demo.data['demo']}."
                self._findings.add(line.broken("I01", message))
        return [line for line in elements if line.data["frame"] in known]

    def _rows(self, steps: Sequence[CheckedLine], elements: Sequence[CheckedLine]) -> None:
        """What every row is counted and looked at for, whichever demo it belongs to."""
        self._total["steps"] += len(steps)
        self._total["elements"] += len(elements)
        self._total["rationales"] += sum(line.data["rationale"] is not None for line in steps)
        for line in steps:
            self._findings.add(*self._named.step(line))
        for line in elements:
            self._findings.add(*self._named.element(line))
            self._scale.add(line.data["box"], line.data["image_size"])

    def _check_counts(self, manifest: Manifest) -> Iterator[Finding]:
        counted = {**self._total, "frames": sum(len(line.data["frames"]) for line in self._demos)}
        said = manifest.counts.to_json()
        for name, number in counted.items():
            if said[name] != number:
                yield RULES["X01"].broken(MANIFEST, None, f"counts.{name} is {said[name]}, but there are {number}.")
        for line in self._demos:
            demo = line.data["demo"]
            for name, numbers in self._of_demo.items():
                if line.data[name] != numbers[demo]:
                    message = f"{name} is {line.data[name]}, but {name}.jsonl has {numbers[demo]} rows of {demo}."
                    yield line.broken("X01", message)


def _covered(demo: CheckedLine, steps: Sequence[CheckedLine]) -> dict[str, list[list[int]]]:
    """Frame id -> boxes that were painted over."""
    frames = [frame for line in steps for frame in (line.data["before"], line.data["after"])]
    return {
        frame["id"]: frame["covered"] for frame in [*frames, demo.data["final_frame"]] if frame and frame["covered"]
    }


class _Groups:
    """The rows of a table, demo by demo, in the order of the demos, with one of looking ahead."""

    def __init__(
        self, name: str, lines: Iterator[CheckedLine], order: Sequence[str], mix: Callable[[Finding], None]
    ) -> None:
        self.name = name
        self._runs = groupby(lines, key=lambda line: str(line.data["demo"]))
        self._ahead = next(self._runs, None)
        self._place = {demo: number for number, demo in reversed(list(enumerate(order)))}
        self._mix = mix
        self._stray: list[list[CheckedLine]] = []

    def of(self, demo: str) -> list[CheckedLine]:
        """The rows of a demo, which must be the next that stand there; empty where there are none."""
        while self._ahead is not None and self._place.get(self._ahead[0], -1) < self._place[demo]:
            self._set_aside(*self._ahead)
        if self._ahead is None or self._ahead[0] != demo:
            return []
        found = list(self._ahead[1])
        self._ahead = next(self._runs, None)
        return found

    def _set_aside(self, demo: str, rows: Iterator[CheckedLine]) -> None:
        """The next rows belong to nobody, or to a demo that is done with."""
        self._stray.append(list(rows))
        known = demo in self._place
        message = f"The rows of {demo} do not stand together." if known else f"The demo {demo} is not in {DEMOS}."
        self._mix(RULES["S03"].broken(self.name, self._stray[-1][0].number, message))
        self._ahead = next(self._runs, None)

    def rest(self) -> list[list[CheckedLine]]:
        """The rows that no demo took."""
        while self._ahead is not None:
            self._set_aside(*self._ahead)
        return self._stray
