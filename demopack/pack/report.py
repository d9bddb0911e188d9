"""Findings as text for people, as JSON for programs, as SARIF for code-review tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from demopack import __version__
from demopack.pack.rules import RULES, CheckReport, Finding

_MAX_SHOWN_FINDINGS = 10

KINDS: Final = {
    "demopack": "a demo pack",
    "coco": "a folder with boxes in COCO's form",
    "yolo": "a folder with boxes in YOLO's form",
    "sharegpt": "a folder of conversations with pictures",
    "imagefolder": "a folder of pictures with a table",
    "jsonl": "a folder of JSON Lines",
    "openai": "a folder of examples with computer calls in OpenAI's form",
    "anthropic": "a folder of examples with computer calls in Anthropic's form",
    "gemini": "a folder of examples with computer calls in Gemini's form",
    "atif": "a folder of ATIF trajectories",
    "openadapt": "a folder of openadapt-types episodes",
    "huggingface": "a Hugging Face data set in parquet",
    "webdataset": "a WebDataset",
    "caap": "a folder of CAAP demonstrations",
    "pyautogui": "a folder of PyAutoGUI scripts",
    "skill": "a folder of skills",
    "tutorial": "a folder of tutorials",
    "ufo": "a folder of UFO's dataflow results",
}
"""What a folder may be, in words."""


def _count(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def findings_text(path: Path, findings: Sequence[Finding]) -> Iterator[str]:
    """Lines for a terminal: grouped by rule, the first few places of each, and what to do."""
    errors = sum(finding.severity == "error" for finding in findings)
    yield f"{path}: {_count(errors, 'error')}, {_count(len(findings) - errors, 'warning')}"
    for rule, group in groupby(findings, key=lambda f: f.rule):
        found = list(group)
        times = f" ({len(found)} times)" if len(found) > 1 else ""
        yield f"\n{found[0].severity} {rule}: {RULES[rule].what}{times}"
        for finding in found[:_MAX_SHOWN_FINDINGS]:
            where = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
            yield f"  {where}  {finding.message}"
        if len(found) > _MAX_SHOWN_FINDINGS:
            yield f"  ... and {len(found) - _MAX_SHOWN_FINDINGS} more; --json lists all"
        yield f"  -> {found[0].fix}"
        if RULES[rule].mends:
            yield f"  -> --fix {RULES[rule].mends}"


def report_text(path: Path, report: CheckReport, *, mended: Sequence[str] = ()) -> Iterator[str]:
    """Lines for a terminal: what was mended, what was found, and what could not be checked."""
    for one in mended:
        yield f"mended: {one}"
    yield from findings_text(path, report.findings)
    if report.skipped:
        yield f"\nThis is not a pack but {KINDS[report.kind]}; rules applied: {', '.join(report.checked)}."
        for why, group in groupby(sorted(report.skipped.items(), key=lambda pair: pair[1]), key=lambda pair: pair[1]):
            yield f"Not checked, {why}: {', '.join(sorted(rule for rule, _ in group))}."


def report_json(path: Path, report: CheckReport, *, mended: Sequence[str] = ()) -> dict[str, Any]:
    """Everything, for programs."""
    errors = sum(finding.severity == "error" for finding in report.findings)
    return {
        "pack": path.name,
        "kind": report.kind,
        "ok": report.ok,
        "errors": errors,
        "warnings": len(report.findings) - errors,
        "files": report.files,
        "unchanged": report.unchanged,
        "checked": list(report.checked),
        "skipped": report.skipped,
        "mended": list(mended),
        "findings": [finding.to_json() for finding in report.findings],
    }


def report_sarif(report: CheckReport) -> dict[str, Any]:
    """SARIF 2.1.0, paths relative to the pack."""
    rules = [
        {
            "id": rule.id,
            "shortDescription": {"text": rule.what},
            "help": {"text": f"{rule.fix} See {rule.anchor}."},
            "defaultConfiguration": {"level": rule.severity},
        }
        for rule in RULES.values()
    ]
    driver = {"name": "demopack check", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_sarif_result(finding) for finding in report.findings]}],
    }


def _sarif_result(finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(finding.file)}}
    if finding.line is not None:
        place["region"] = {"startLine": max(1, finding.line)}
    return {
        "ruleId": finding.rule,
        "ruleIndex": list(RULES).index(finding.rule),
        "level": finding.severity,
        "message": {"text": f"{finding.message} {finding.fix}"},
        "locations": [{"physicalLocation": place}],
    }
