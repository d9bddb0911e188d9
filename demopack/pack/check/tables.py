"""Goes through the three tables together, demo by demo: never more than one demo's rows are in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from demopack.domain.actions import LLMResponse
from demopack.pack.check.elements import Pointers, Scale, check_boxes, check_covered, check_numbers
from demopack.pack.check.lines import CheckedLine, checked_lines, own_schema
from demopack.pack.check.order import PictureOrderCheck, check_order
from demopack.pack.check.pictures import PictureReference, PictureReferences
from demopack.pack.check.private import PrivateScan
from demopack.pack.check.targets import check_bound, check_places, check_reasonings, read_response
from demopack.pack.findings import Finding, Findings
from demopack.pack.manifest import DEMOS, ELEMENTS, MANIFEST, STEPS, Manifest
from demopack.pack.rows import DemoRow, ElementRow, PixelBox, StepRow
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource


class _AnyElement(ElementRow):
    box: PixelBox  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride] # G01 looks at it


_MODELS: Final[dict[str, type[DemoRow] | type[StepRow] | type[ElementRow]]] = {
    DEMOS: DemoRow,
    STEPS: StepRow,
    ELEMENTS: _AnyElement,
}


def check_tables(
    source: PackSource, manifest: Manifest, findings: Findings, scan: PrivateScan, named: PictureReferences
) -> Iterator[PictureReference]:
    """Every rule that looks at rows; yields the pictures they name, so that these are looked at meanwhile."""
    listed = {entry.path for entry in manifest.files}
    for name in _MODELS:
        if name not in listed:
            findings.torn = True
            findings.add(RULES["I02"].broken(MANIFEST, None, f"{name} is not listed."))
        elif source.size(name) is None:
            findings.torn = True  # reported with the listing
    readable = [name for name in _MODELS if name in listed and source.size(name) is not None]

    def rows(name: str) -> Iterator[CheckedLine]:
        if name not in readable:
            return iter(())
        return checked_lines(source, name, _MODELS[name], findings, scan, schema=own_schema(source, name))

    demos = list(rows(DEMOS))
    changes = PictureOrderCheck(source, {entry.path: entry.size for entry in manifest.files})
    yield from _Walk(demos, findings, named, changes).through(rows(STEPS), rows(ELEMENTS), manifest)


class _Walk:
    """One way through the tables."""

    def __init__(
        self, demos: Sequence[CheckedLine], findings: Findings, named: PictureReferences, changes: PictureOrderCheck
    ) -> None:
        self._demos = demos
        self._changes = changes
        self._findings = findings
        self._total = dict.fromkeys(("demos", "steps", "elements", "rationales"), 0)
        self._of_demo: dict[str, dict[str, int]] = {"steps": {}, "elements": {}}
        self._named = named
        self._pointers, self._scale = Pointers(), Scale()

    def through(
        self, steps: Iterator[CheckedLine], elements: Iterator[CheckedLine], manifest: Manifest
    ) -> Iterator[PictureReference]:
        order = [line.data["demo"] for line in self._demos]
        if len(set(order)) != len(order):
            self._mix(RULES["S03"].broken(DEMOS, None, "A demo stands there twice."))
        step_groups = _Groups(STEPS, steps, order, self._mix)
        element_groups = _Groups(ELEMENTS, elements, order, self._mix)
        for demo in self._demos:
            self._demo(demo, step_groups.of(demo.data["demo"]), element_groups.of(demo.data["demo"]))
            yield from self._named.taken()
        for groups in (step_groups, element_groups):
            for rows in groups.rest():
                # Rows that belong to no demo, or stand in the wrong place, name pictures all the same.
                self._rows(*((rows, ()) if groups is step_groups else ((), rows)))
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
                findings.add(*check_places(line, response, self._pointers))
                findings.count(check_bound(line, response, by_frame))
        findings.add(*check_reasonings(answered))

    def _on_pictures(self, demo: CheckedLine, elements: list[CheckedLine]) -> list[CheckedLine]:
        """The elements that lie on a picture of their demo; the others are told once, not wherever they are missed."""
        known = {frame["id"] for frame in demo.data["frames"]}
        for line in elements:
            if line.data["frame"] not in known:
                self._total["elements"] += 1
                message = f"frame {line.data['frame'][:12]!r} is no picture of {demo.data['demo']}."
                self._findings.add(RULES["I01"].broken(ELEMENTS, line.number, message))
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
                    yield RULES["X01"].broken(DEMOS, line.number, message)


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
        self._lines = lines
        self._ahead = next(lines, None)
        self._place = {demo: number for number, demo in reversed(list(enumerate(order)))}
        self._mix = mix
        self._stray: list[list[CheckedLine]] = []

    def of(self, demo: str) -> list[CheckedLine]:
        """The rows of a demo, which must be the next that stand there; empty where there are none."""
        while self._ahead is not None and self._place.get(self._ahead.data["demo"], -1) < self._place[demo]:
            self._complain(self._ahead.data["demo"])
        return self._take(demo)

    def _take(self, demo: str) -> list[CheckedLine]:
        found: list[CheckedLine] = []
        while self._ahead is not None and self._ahead.data["demo"] == demo:
            found.append(self._ahead)
            self._ahead = next(self._lines, None)
        return found

    def _complain(self, demo: str) -> None:
        """The next rows belong to nobody, or to a demo that is done with."""
        rows = self._take(demo)
        known = demo in self._place
        message = f"The rows of {demo} do not stand together." if known else f"The demo {demo} is not in {DEMOS}."
        self._mix(RULES["S03"].broken(self.name, rows[0].number, message))
        self._stray.append(rows)

    def rest(self) -> Iterator[list[CheckedLine]]:
        """The rows that no demo took."""
        while self._ahead is not None:
            self._complain(self._ahead.data["demo"])
        yield from self._stray
