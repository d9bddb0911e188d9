"""Checks a pack against the rules, whoever wrote it: from its files alone, without anything of the writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from demopack.pack.check_files import Line, Picture, check_listing, check_picture, check_rows, load_manifest
from demopack.pack.check_private import check_private
from demopack.pack.check_steps import ElementIndex, check_elements, check_responses, check_sequence
from demopack.pack.findings import Finding
from demopack.pack.manifest import DEMOS, ELEMENTS, MANIFEST, STEPS, Manifest
from demopack.pack.names import UnsafePathError
from demopack.pack.rows import DemoRow, ElementRow, StepRow
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource, open_source

__all__ = ["check_pack"]


def check_pack(path: Path) -> list[Finding]:
    """Everything that is wrong with a pack, errors first, then by file and line; empty for a perfect one.

    Raises:
        PackError: it is not a pack at all.
    """
    try:
        source = open_source(path)
    except UnsafePathError as error:
        return [RULES["P01"].broken(path.name, None, error.user_message)]
    with source:
        findings = _check(source)
    return sorted(findings, key=lambda f: (f.severity != "error", f.rule, f.file, f.line or 0))


def _check(source: PackSource) -> list[Finding]:
    findings: list[Finding] = []
    manifest = load_manifest(source, findings)
    if manifest is None:
        return findings
    findings += check_listing(source, manifest)
    before = len(findings)
    demos = check_rows(source, manifest, DEMOS, DemoRow, findings)
    steps = check_rows(source, manifest, STEPS, StepRow, findings)
    elements = check_rows(source, manifest, ELEMENTS, ElementRow, findings)
    whole = len(findings) == before and all(source.size(name) is not None for name in (DEMOS, STEPS, ELEMENTS))
    findings += _check_pictures(source, manifest, demos, steps, elements)
    # Where rows are missing or belong to nobody, everything that counts or joins them would only repeat that.
    if whole:
        findings += check_sequence(demos, steps, elements)
        whole = all(finding.rule != "S03" for finding in findings)
    if whole:
        findings += _check_counts(manifest, demos, steps, elements)
    index: ElementIndex = {}
    for line in elements:
        index.setdefault((line.data["demo"], line.data["frame"]), []).append(line.data)
    findings += check_responses(steps, index, with_elements=whole)
    findings += check_elements(elements, whole=whole)
    findings += check_private(source, manifest)
    if not manifest.licence:
        findings.append(RULES["L01"].broken(MANIFEST, None, "licence is empty."))
    return findings


def _check_pictures(
    source: PackSource, manifest: Manifest, demos: Sequence[Line], steps: Sequence[Line], elements: Sequence[Line]
) -> Iterator[Finding]:
    sizes = {entry.path: entry.size for entry in manifest.files}
    checked: dict[str, Picture] = {}
    for picture in _named(demos, steps, elements):
        first = checked.setdefault(picture.file, picture)
        if first is picture:
            yield from check_picture(source, picture, sizes.get(picture.file, 1 << 30))
        elif first.size != picture.size:
            here, there = (f"{p.size[0]} x {p.size[1]}" for p in (picture, first))
            message = f"{picture.file} is {here} pixels here and {there} in {first.named_in[0]}."
            yield RULES["G02"].broken(*picture.named_in, message)
        elif first.id != picture.id:
            yield RULES["I02"].broken(*picture.named_in, f"{picture.file} has two ids.")
    for line in steps:
        row = line.data
        if len({value is None for value in (row["before"], row["image"], row["image_size"])}) > 1:
            message = "Of before, image and image_size some are null and some are not."
            yield RULES["I01"].broken(STEPS, line.number, message)
    for name in source.names():
        if name.startswith("frames/") and name not in checked:
            yield RULES["I03"].broken(name, None, "No demo uses this picture.")


def _named(demos: Sequence[Line], steps: Sequence[Line], elements: Sequence[Line]) -> Iterator[Picture]:
    """Every picture each time it is named, the lists of the demos first."""
    for line in demos:
        for frame in [*line.data["frames"], line.data["final_frame"]]:
            if frame is not None:
                yield _picture(frame, (DEMOS, line.number))
    for line in steps:
        for frame in (line.data["before"], line.data["after"]):
            if frame is not None:
                yield _picture(frame, (STEPS, line.number))
        if line.data["before"] is not None and line.data["image"] is not None and line.data["image_size"] is not None:
            width, height = line.data["image_size"]
            row = {**line.data["before"], "file": line.data["image"], "width": width, "height": height}
            yield _picture(row, (STEPS, line.number))
    for line in elements:
        width, height = line.data["image_size"]
        row = {"file": line.data["image"], "id": line.data["frame"], "width": width, "height": height}
        yield _picture(row, (ELEMENTS, line.number))


def _picture(frame: dict[str, Any], named_in: tuple[str, int]) -> Picture:
    return Picture(file=frame["file"], id=frame["id"], size=(frame["width"], frame["height"]), named_in=named_in)


def _check_counts(
    manifest: Manifest, demos: Sequence[Line], steps: Sequence[Line], elements: Sequence[Line]
) -> Iterator[Finding]:
    counted = {
        "demos": len(demos),
        "steps": len(steps),
        "elements": len(elements),
        "frames": sum(len(line.data["frames"]) for line in demos),
        "rationales": sum(line.data["rationale"] is not None for line in steps),
    }
    said = manifest.counts.to_json()
    for name, count in counted.items():
        if said[name] != count:
            yield RULES["X01"].broken(MANIFEST, None, f"counts.{name} is {said[name]}, but there are {count}.")
    per_demo = {
        "steps": Counter(row.data["demo"] for row in steps),
        "elements": Counter(row.data["demo"] for row in elements),
    }
    for line in demos:
        for name, rows in per_demo.items():
            count = rows[line.data["demo"]]
            if line.data[name] != count:
                message = f"{name} is {line.data[name]}, but {name}.jsonl has {count} rows of {line.data['demo']}."
                yield RULES["X01"].broken(DEMOS, line.number, message)
