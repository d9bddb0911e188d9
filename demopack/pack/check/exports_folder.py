"""Check of an exported folder: its kind is detected, and the rules of that kind are applied."""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.domain.words import counted
from demopack.errors import BadInputError, PackError
from demopack.file_names import is_portable
from demopack.json_text import as_list, as_rows, object_in
from demopack.pack.check.cache import CheckCache
from demopack.pack.check.exports import ENDINGS, LOG, ExportedFile, ExportedFolder, check_log
from demopack.pack.check.exports_answers import ExportedAnswers
from demopack.pack.check.exports_boxes import check_coco, check_own_coco, check_own_yolo, check_yolo
from demopack.pack.check.exports_chats import (
    check_anthropic,
    check_data_sets,
    check_gemini,
    check_json_chats,
    check_openai,
    check_rows,
)
from demopack.pack.check.exports_demos import check_atif, check_openadapt, check_shards
from demopack.pack.check.exports_tables import check_answers
from demopack.pack.check.exports_texts import check_texts
from demopack.pack.check.files import MAX_FILE_BYTES, check_special, read_small
from demopack.pack.check.pack_check import report_on
from demopack.pack.check.private import PrivateScan, scan_file
from demopack.pack.manifest import DEMOS, MANIFEST, STEPS
from demopack.pack.rules import RULES, CheckReport, Findings
from demopack.pack.source import FolderSource

_ALWAYS = {"H02", "H06", "P01", "P02", "P03", "P04", "I01", "I04", "Z01"}
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
    "huggingface": {"A01", "A04", "A07", "G01", "G02", "H03", "H04", "S01"},
    **{name: {"G01", "H03", "H04", "S01"} for name in ("caap", "pyautogui", "skill", "tutorial", "ufo")},
    "webdataset": {"A01", "A04", "A07", "G01", "H03", "H04", "S01"},
}
_OURS = {"A01", "A04", "A05", "A07", "G01", "G02", "H03", "H04", "I05", "S01", "X02", "X03", "X05"}
"""Of a folder whose log says that we wrote it."""
_KIND_OF: Final = {
    **{name: name for name in ("caap", "pyautogui", "skill", "tutorial", "ufo", "coco", "yolo", "openai", "anthropic",
                               "gemini", "atif", "openadapt", "huggingface", "webdataset", "sharegpt")},
    **dict.fromkeys(("agentnet", "llmresponse", "osworld", "uipath"), "jsonl"),
    **dict.fromkeys(("grounding", "lam", "openai-chat", "qwen", "qwen2.5-vl", "swift", "trl-messages", "ui-tars",
                     "ui-tars-1.5"), "sharegpt"),
    **dict.fromkeys(("trl", "pix2struct"), "imagefolder"),
    "rl": "huggingface",
}  # fmt: skip
"""Format -> what its folder is, also where its files cannot be read; of other formats their files tell."""
_DOCUMENTS: dict[str, Callable[[dict[str, Any], ExportedFile], None]] = {
    "openai": check_openai,
    "anthropic": check_anthropic,
    "gemini": check_gemini,
    "atif": check_atif,
    "openadapt": check_openadapt,
}
"""What checks a file that is one demo."""
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
        BadInputError: it holds exports of several formats; or parquet, and pyarrow is not installed.
    """
    # A damaged pack is no folder of another format: what lost its manifest is told as such.
    if not path.is_dir() or os.path.lexists(path / MANIFEST) or all((path / name).exists() for name in (DEMOS, STEPS)):
        return report_on(path, publish=publish, names=names, cache=cache)
    source = FolderSource(path)
    log = _log_of(source)
    named = str(log.get("format"))
    kind = _KIND_OF.get(named) or _kind_of(source)
    if kind is None:
        return report_on(path)  # says that it is no pack
    logs = {name: _log_of(source, name) for name in source.names() if posixpath.basename(name) == LOG}
    if len({str(one.get("format")) for one in logs.values()}) > 1:
        raise BadInputError(
            f"{path} holds {counted(len(logs), 'export')}, each with rules of its own.",
            hint=f"Check each by itself: {', '.join(sorted(posixpath.dirname(name) or '.' for name in logs))}.",
        )
    kept = {digest for one in logs.values() for digest in as_list(one.get("kept_digests"))}
    folder = ExportedFolder(source, Findings(), PrivateScan(map(str, kept), names=names))
    answers = ExportedAnswers(
        exporter(named) if named in NAMES else None,
        whole=log.get("left_out") == [],
        empty=log.get("rows_out") == 0,
    )
    if log and not answers.name:
        ExportedFile(folder, LOG).broken("X02", f"It names the format {log.get('format')!r}, which is none.")
    samples = _check_kind(kind, folder, answers)
    for one in logs:
        own = [name for name in folder.names if name.startswith(one.removesuffix(LOG))]
        folder.findings.add(*check_log(source, one, own, samples=samples if list(logs) == [LOG] else None))
    for name in folder.names:
        if not is_portable(name):
            ExportedFile(folder, name).broken("H02", f"The name {name!r} is not portable.")
        size = source.size(name) or 0
        if size > MAX_FILE_BYTES:
            ExportedFile(folder, name).broken("Z01", f"It has {size / 1e6:.0f} MB.")
    folder.findings.add(*folder.scan.findings())
    folder.check_pictures(orphans="I03" in _APPLIED[kind])
    if answers.name:
        _check_ours(folder, log, answers)
    applied = (
        _ALWAYS
        | _APPLIED[kind]
        | (_OURS if answers.name else set[str]())
        | ({"X02"} if logs else set[str]())
        | ({"P06"} if names else set[str]())
    )
    return CheckReport(
        kind=kind,
        findings=folder.findings.all(publish=publish),
        checked=sorted(applied),
        skipped={r.id: _OTHER_KIND if r.folders else _NO_CONTRACT for r in RULES.values() if r.id not in applied},
        files=len(folder.names),
    )


def _log_of(source: FolderSource, name: str = LOG) -> dict[str, Any]:
    """The log of an export; empty without one, or where it cannot be read, which is told with the logs."""
    try:
        return object_in(json.loads(read_small(source, name)))
    except (PackError, ValueError, RecursionError):
        return {}


def _check_ours(folder: ExportedFolder, log: dict[str, Any], answers: ExportedAnswers) -> None:
    """I01, I05 and X02: the files are those that the log lists, and the answers as many as its rows."""
    answers.finish()
    listed = {name for name in as_list(log.get("files")) if isinstance(name, str)}
    found = folder.findings.all()
    for name in sorted(listed.difference(folder.names)) if listed else ():
        # A picture that a row names is told there.
        if not any(posixpath.basename(name) in one.message for one in found):
            ExportedFile(folder, name).broken("X02", f"{LOG} lists it, but it is missing.")
    unnamed = {one.file for one in found if one.rule == "I03"}
    for name in folder.names if listed else ():
        if name not in listed and name != LOG and name not in unnamed:
            ExportedFile(folder, name).broken("I05", f"It is no part of the export: {LOG} does not list it.")
    folder.findings.add(*check_special(folder.source))
    rows = log.get("rows_out")
    # Where rows are missing or cannot be read, that is told.
    if answers.counted not in {None, rows} and not any(one.rule in {"H03", "H04", "S01", "X02"} for one in found):
        message = f"It says {rows} rows; there are {answers.counted} answers."
        ExportedFile(folder, LOG).broken("X02", message)


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
    return _kind_of_document(row) or ("sharegpt" if _is_chat(next(iter(as_list(value)), None)) else None)


def _kind_of_document(row: dict[str, Any]) -> str | None:
    """Which of the forms a file has that is one demo; None for none of them."""
    if isinstance(row.get("steps"), list):
        if str(row.get("schema_version", "")).startswith("ATIF"):
            return "atif"
        if "episode_id" in row:
            return "openadapt"
    if isinstance(row.get("contents"), list) and all("parts" in turn for turn in as_rows(row["contents"])):
        return "gemini"
    if isinstance(row.get("input"), list) and any("type" in item or "role" in item for item in as_rows(row["input"])):
        return "openai"
    return "anthropic" if isinstance(row.get("messages"), list) and "tools" in row else None


def _is_chat(row: object) -> bool:
    return isinstance(row, dict) and ("messages" in row or "conversations" in row)


def _first_row(source: FolderSource, name: str) -> object:
    try:
        with source.open(name) as stream:
            return cast("object", json.loads(stream.readline(1 << 20)))
    except (PackError, OSError, ValueError, RecursionError):
        return None


def _check_kind(kind: str, folder: ExportedFolder, answers: ExportedAnswers) -> int | None:
    """Look through every text, and apply the rules of one kind.

    Returns:
        How many samples there are in containers; None where there are no such.
    """
    in_shards = kind in {"huggingface", "webdataset"}
    samples = check_shards(kind, folder, answers) if in_shards else None
    for file in (ExportedFile(folder, name) for name in folder.names):
        if file.name.endswith(".jsonl") and not in_shards:
            check_rows(file, partial(check_answers, answers))
            continue
        scan_file(folder.source, file.name, folder.scan)
        if file.name.endswith(".json") and not in_shards and posixpath.basename(file.name) != LOG:
            _check_json(kind, file, answers)
    if kind == "yolo":
        check_yolo(folder, empty=answers.empty)
    if answers.name == "yolo":
        check_own_yolo(folder)
    check_texts(answers.name, folder)
    return samples


def _check_json(kind: str, file: ExportedFile, answers: ExportedAnswers) -> None:
    value = file.value()
    if value is None:
        return
    row = object_in(value)
    if kind == "coco":
        check_coco(value, file)
        if answers.name:
            check_own_coco(value, file)
    elif kind == "sharegpt" and posixpath.basename(file.name) == "dataset_info.json":
        check_data_sets(value, file)
    elif kind == "sharegpt":
        check_json_chats(value, file)
    elif kind in _DOCUMENTS:
        if _kind_of_document(row) == kind:  # a file of another form beside it is passed over
            _DOCUMENTS[kind](row, file)
        elif answers.name and row:
            file.broken("H03", "It has not the fields that a file of this format has.")
    check_answers(answers, row, file)
