"""Rules for samples in containers: Hugging Face's parquet files and WebDataset's tar files, one sample at a time."""

from __future__ import annotations

import importlib
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from demopack.domain.actions import parse_response
from demopack.errors import ActionError, BadInputError, PackError
from demopack.pack.check.collect import Findings
from demopack.pack.check.files import LARGEST_FILE
from demopack.pack.check.inline import check_bytes, size_of
from demopack.pack.check.plain import as_list, as_row
from demopack.pack.check.private import PrivateScan
from demopack.pack.check.scale import box_problem
from demopack.pack.findings import Finding
from demopack.pack.lines import parse_object
from demopack.pack.names import is_portable, is_safe
from demopack.pack.rules import RULES
from demopack.pack.source import FolderSource

__all__ = ["check_shards"]

Row = dict[str, Any]
_BATCH: Final = 16
_BROKEN: Final = (OSError, EOFError, ValueError, tarfile.TarError)


@dataclass(kw_only=True)
class _Samples:
    """What is looked at over all files.

    Attributes:
        findings: where to.
        scan: looks through their texts.
        whole: whether no step of a demo may be missing.
        count: how many there were.
    """

    findings: Findings
    scan: PrivateScan
    whole: bool
    count: int = 0
    _last: dict[str, int] = field(default_factory=dict[str, int])

    def sample(self, row: Row, picture: bytes | None, file: str, number: int, called: str) -> None:
        """One sample: its row, and the bytes of its picture where it has one."""
        self.count += 1
        self.scan.row(file, number, row)
        size = as_list(row.get("image_size"))
        if picture is not None:
            self.findings.add(*check_bytes(picture, "image/png", file, number, f"The picture of {called}"))
            real = size_of(picture)
            if real is not None and size and list(real) != size:
                message = f"The picture of {called} is {real[0]} x {real[1]}, not {size}."
                self.findings.add(RULES["G02"].broken(file, number, message))
            size = list(real or size)
        self.findings.add(*_boxes(row, size, file, number, called), *self._order(row, file, number))
        self.findings.add(*_response(row.get("response"), file, number, called))

    def _order(self, row: Row, file: str, number: int) -> Iterator[Finding]:
        demo, index = str(row.get("demo", "")), row.get("index")
        if not isinstance(index, int):
            yield RULES["H03"].broken(file, number, "The sample has no index.")
            return
        last = self._last.get(demo, -1)
        if index != last + 1 if self.whole else index <= last:
            yield RULES["S01"].broken(file, number, f"Step {index} of {demo} comes after step {last}.")
        self._last[demo] = index


def _boxes(row: Row, size: list[object], file: str, number: int, called: str) -> Iterator[Finding]:
    sides = [float(side) for side in size if isinstance(side, (int, float))]
    for name in ("target_box", "end_box"):
        corners = [float(one) for one in as_list(row.get(name)) if isinstance(one, (int, float))]
        if row.get(name) is None or len(sides) != 2:
            continue
        if len(corners) != 4:
            yield RULES["H03"].broken(file, number, f"{name} of {called} is no box of four numbers.")
        elif (problem := box_problem(corners, sides, may_be_point=True)) is not None:
            yield RULES["G01"].broken(file, number, f"{name} of {called} {problem}.")


def _response(value: object, file: str, number: int, called: str) -> Iterator[Finding]:
    try:
        parse_response(parse_object(value) if isinstance(value, str) else as_row(value) or {})
    except ActionError as error:
        rule = "A01" if error.field.endswith("scroll_direction") else "A04"
        yield RULES[rule].broken(file, number, f"The response of {called}: {error} ({error.code})")
    except (ValueError, RecursionError) as error:
        yield RULES["H04"].broken(file, number, f"The response of {called} is no JSON: {error}.")


def check_shards(kind: str, source: FolderSource, findings: Findings, scan: PrivateScan) -> int | None:
    """A01, A04, G01, G02, H03, H04, I01, I04, P01, P04 and S01; returns how many samples there are.

    Args:
        kind: ``huggingface`` or ``webdataset``.
        source: the folder.
        findings: what is wrong goes here.
        scan: looks through the texts.

    Returns:
        The number of samples; None where a file could not be read to its end.

    Raises:
        BadInputError: parquet cannot be read, because pyarrow is not installed.
    """
    samples = _Samples(findings=findings, scan=scan, whole=kind == "huggingface")
    whole = True
    for name in source.names():
        try:
            if kind == "huggingface" and name.endswith(".parquet"):
                _parquet(source, name, samples)
            elif kind == "webdataset" and name.endswith(".tar"):
                _tar(source, name, samples)
        except (PackError, *_BROKEN) as error:
            whole = False
            findings.add(RULES["H04"].broken(name, None, f"It cannot be read to its end: {error}."))
    return samples.count if whole else None


def _parquet(source: FolderSource, name: str, samples: _Samples) -> None:
    try:
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise BadInputError(
            f"{name} cannot be checked, because pyarrow is not installed; nothing was changed.",
            hint="Install it: pip install 'demopack[formats]'",
        ) from error
    number = 0
    with source.open(name) as stream, parquet.ParquetFile(stream) as file:
        steps = "response" in file.schema_arrow.names
        for batch in file.iter_batches(batch_size=_BATCH):
            for row in batch.to_pylist():
                number += 1
                if not steps:
                    samples.scan.row(name, number, row)
                    continue
                image = as_row(row.pop("image", None))
                if image is not None and not is_safe(str(image.get("path") or "x")):
                    message = f"The path {image['path']!r} leaves the folder."
                    samples.findings.add(RULES["P01"].broken(name, number, message))
                data = None if image is None else image.get("bytes") or b""
                samples.sample(row, data, name, number, f"row {number}")


def _tar(source: FolderSource, name: str, samples: _Samples) -> None:
    key, held = "", dict[str, bytes]()
    number = 0
    with source.open(name) as stream, tarfile.open(fileobj=stream, mode="r:") as tar:
        for number, member in enumerate(tar, start=1):
            if not member.isfile() or not is_safe(member.name):
                message = f"{member.name!r} is no file inside the folder."
                samples.findings.add(RULES["P01"].broken(name, number, message))
                continue
            if not is_portable(member.name):
                samples.findings.add(RULES["H02"].broken(name, number, f"The name {member.name!r} is not portable."))
            own, _, ending = member.name.partition(".")
            if own != key:
                _sample(key, held, name, number, samples)
                key, held = own, {}
            if member.size <= LARGEST_FILE:
                inside = tar.extractfile(member)
                held[ending] = b"" if inside is None else inside.read()
        _sample(key, held, name, number, samples)


def _sample(key: str, held: dict[str, bytes], name: str, number: int, samples: _Samples) -> None:
    """A sample is all files in a row that have the same name up to the first dot."""
    if not held:
        return
    text = held.get("json")
    if text is None or "png" not in held:
        lacks = "json" if text is None else "picture"
        samples.findings.add(RULES["H03"].broken(name, number, f"The sample {key} has no {lacks}."))
        return
    try:
        row = as_row(json.loads(text))
    except (ValueError, RecursionError) as error:
        samples.findings.add(RULES["H04"].broken(name, number, f"The JSON of {key} cannot be read: {error}."))
        return
    samples.sample(row or {}, held["png"], name, number, key)
