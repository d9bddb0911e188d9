"""Check of an exported folder: its kind is detected, and the rules of that kind are applied."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from demopack.errors import PackError
from demopack.file_names import is_portable
from demopack.json_text import as_list, object_in
from demopack.pack.check.cache import CheckCache
from demopack.pack.check.exports import (
    ENDINGS,
    LOG,
    ReferencedPictures,
    check_count,
    check_files,
    check_log,
    read_value,
)
from demopack.pack.check.exports_boxes import check_coco, check_yolo
from demopack.pack.check.exports_chats import check_bundle, check_json_chats, check_rows, kind_of_bundle
from demopack.pack.check.exports_demos import check_atif, check_openadapt, check_shards, kind_of_episode
from demopack.pack.check.files import MAX_FILE_BYTES
from demopack.pack.check.pack_check import report_on
from demopack.pack.check.private import PrivateScan
from demopack.pack.check.texts import read_small, scan_file
from demopack.pack.findings import CheckReport, Findings
from demopack.pack.manifest import DEMOS, MANIFEST, STEPS
from demopack.pack.rules import RULES
from demopack.pack.source import FolderSource

_ALWAYS = {"H02", "P01", "P02", "P03", "P04", "I01", "I04", "Z01"}
_APPLIED = {
    "coco": {"G01", "G02", "G04", "H03", "H04", "I03"},
    "yolo": {"G01", "G04", "H03", "H04"},
    "sharegpt": {"H01", "H03", "H04", "X03", "X04"},
    "imagefolder": {"H01", "H03", "H04", "I03"},
    "jsonl": {"H01", "H03", "H04"},
    "openai": {"G01", "H03", "H04", "X03", "X04"},
    "anthropic": {"G01", "H03", "H04", "X04"},
    "gemini": {"G01", "H03", "H04", "X04"},
    "atif": {"G01", "G02", "H03", "H04", "I03", "S01", "S02", "X04"},
    "openadapt": {"G01", "G02", "H03", "H04", "I03", "S01", "S02"},
    "huggingface": {"A01", "A04", "G01", "G02", "H03", "H04", "S01"},
    "webdataset": {"A01", "A04", "G01", "H03", "H04", "S01"},
}
_DOCUMENTS = {"openai", "anthropic", "gemini", "atif", "openadapt"}
_NO_CONTRACT = "because only a demo pack holds what they look at"
_OTHER_KIND = "because this kind of folder has nothing of the kind"


def check_path(
    path: Path, *, publish: bool = False, names: Sequence[str] = (), cache: CheckCache | None = None
) -> CheckReport:
    """Check a pack, or a folder of another format as far as that goes.

    Args:
        path: a pack (folder or zip), or another folder.
        publish: see :func:`demopack.pack.check.report_on`.
        names: of this machine and its user.
        cache: remembers files of packs.

    Raises:
        PackError: it is neither.
        BadInputError: it holds parquet, and pyarrow is not installed.
    """
    # A damaged pack is no folder of another format: what lost its manifest is told as such.
    if not path.is_dir() or os.path.lexists(path / MANIFEST) or all((path / name).exists() for name in (DEMOS, STEPS)):
        return report_on(path, publish=publish, names=names, cache=cache)
    source = FolderSource(path)
    kind = _kind_of(source)
    if kind is None:
        return report_on(path)  # says that it is no pack
    findings = Findings()
    scan = PrivateScan(names=names)
    used, samples = _check_kind(kind, source, findings, scan)
    logs = [name for name in source.names() if name.rpartition("/")[2] == LOG]
    for log in logs:
        folder = log.removesuffix(LOG)
        findings.add(*check_log(source, log, [name for name in source.names() if name.startswith(folder)]))
    if samples is not None and logs == [LOG]:
        findings.add(*check_count(source, LOG, samples))
    _check_texts(source, findings, scan)
    findings.add(*check_files(source, used, orphans="I03" in _APPLIED[kind]))
    applied = _ALWAYS | _APPLIED[kind] | ({"X02"} if logs else set[str]()) | ({"P06"} if names else set[str]())
    found = findings.all()
    if publish:
        found = [one.as_error() if RULES[one.rule].publish else one for one in found]
    return CheckReport(
        kind=kind,
        findings=found,
        checked=sorted(applied),
        skipped={r.id: _OTHER_KIND if r.folders else _NO_CONTRACT for r in RULES.values() if r.id not in applied},
        files=len(source.names()),
    )


def _kind_of(source: FolderSource) -> str | None:
    """The kind of a folder; None for something that is not known here."""
    names = source.names()
    endings = {name.rpartition("/")[2] for name in names}
    if "data.yaml" in endings or any("labels/" in name and name.endswith(".txt") for name in names):
        return "yolo"
    tables = [name for name in names if name.endswith(".jsonl")]
    for ending, container in ((".parquet", "huggingface"), (".tar", "webdataset")):
        if any(name.endswith(ending) for name in names):
            return container
    for name in names:
        kind = _kind_of_json(source, name) if name.endswith(".json") and not name.endswith(LOG) else None
        if kind is not None:
            return kind
    if any(_is_chat(_first_row(source, name)) for name in tables):
        return "sharegpt"
    if "metadata.jsonl" in endings and any(name.lower().endswith(ENDINGS) for name in names):
        return "imagefolder"
    return "jsonl" if tables else None


def _kind_of_json(source: FolderSource, name: str) -> str | None:
    try:
        value: object = json.loads(read_small(source, name))
    except (PackError, ValueError, RecursionError):
        return None
    row = object_in(value)
    if isinstance(row.get("images"), list) and isinstance(row.get("annotations"), list):
        return "coco"
    known = kind_of_episode(row) or kind_of_bundle(row)
    if known is not None:
        return known
    return "sharegpt" if _is_chat(next(iter(as_list(value)), None)) else None


def _is_chat(row: object) -> bool:
    return isinstance(row, dict) and ("messages" in row or "conversations" in row)


def _first_row(source: FolderSource, name: str) -> object:
    try:
        with source.open(name) as stream:
            return cast("object", json.loads(stream.readline(1 << 20)))
    except (PackError, OSError, ValueError, RecursionError):
        return None


def _check_kind(
    kind: str, source: FolderSource, findings: Findings, scan: PrivateScan
) -> tuple[ReferencedPictures, int | None]:
    """The pictures that are named, and how many samples there are in containers; None where there are no such."""
    used = ReferencedPictures(source)
    if kind in {"huggingface", "webdataset"}:
        return used, check_shards(kind, source, findings, scan)
    for name in source.names():
        if name.endswith(LOG):
            continue
        if name.endswith(".jsonl"):
            check_rows(source, name, used, findings)
        elif name.endswith(".json") and kind == "coco":
            check_coco(source, name, used, findings)
        elif name.endswith(".json") and kind == "sharegpt":
            check_json_chats(source, name, used, findings)
        elif name.endswith(".json") and kind in _DOCUMENTS:
            _check_document(kind, source, name, used, findings)
    if kind == "yolo":
        check_yolo(source, used, findings)
    return used, None


def _check_document(kind: str, source: FolderSource, name: str, used: ReferencedPictures, findings: Findings) -> None:
    """A file that is one demo; a file of another form beside it is passed over."""
    row = object_in(read_value(source, name, findings))
    if kind == kind_of_episode(row):
        findings.add(*(check_atif if kind == "atif" else check_openadapt)(row, name, used))
    elif kind == kind_of_bundle(row):
        findings.add(*check_bundle(kind, row, name))


def _check_texts(source: FolderSource, findings: Findings, scan: PrivateScan) -> None:
    for name in source.names():
        scan_file(source, name, scan)
        if not is_portable(name):
            findings.add(RULES["H02"].broken(name, None, f"The name {name!r} is not portable."))
        size = source.size(name) or 0
        if size > MAX_FILE_BYTES:
            findings.add(RULES["Z01"].broken(name, None, f"It has {size / 1e6:.0f} MB."))
    findings.add(*scan.findings())
