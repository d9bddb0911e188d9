"""Rules for exported demos: ATIF and openadapt-types files, samples in parquet (Hugging Face) and tar (WebDataset)."""

from __future__ import annotations

import importlib
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from demopack.domain.actions import parse_response
from demopack.errors import ActionError, BadInputError, PackError
from demopack.file_names import is_portable, is_safe
from demopack.json_lines import parse_object
from demopack.json_text import as_list, as_row, as_rows, object_in
from demopack.pack.check.elements import box_problem
from demopack.pack.check.exports import ReferencedPictures, as_number
from demopack.pack.check.files import MAX_FILE_BYTES
from demopack.pack.check.inline import check_bytes, size_of
from demopack.pack.check.private import PrivateScan
from demopack.pack.findings import Finding, Findings
from demopack.pack.rules import RULES
from demopack.pack.source import FolderSource

Row = dict[str, Any]
_BATCH: Final = 16
_BROKEN: Final = (OSError, EOFError, ValueError, tarfile.TarError)


def kind_of_episode(row: Row) -> str | None:
    """Which of the two forms a JSON file has; None for neither."""
    if not isinstance(row.get("steps"), list):
        return None
    if str(row.get("schema_version", "")).startswith("ATIF"):
        return "atif"
    return "openadapt" if "episode_id" in row else None


def check_atif(row: Row, file: str, used: ReferencedPictures) -> Iterator[Finding]:
    """G01, G02, H03, I01, P01, S01, S02 and X04 for one trajectory."""
    steps = as_rows(row["steps"])
    yield from _in_order([step.get("step_id") for step in steps], 1, "step_id", file)
    yield from _in_time([_moment(step.get("timestamp")) for step in steps], file)
    for number, step in enumerate(steps, start=1):
        observed = object_in(step.get("observation"))
        results = as_rows(observed.get("results"))
        calls = {call.get("tool_call_id") for call in as_rows(step.get("tool_calls"))}
        for result in results:
            if result.get("source_call_id") is not None and result["source_call_id"] not in calls:
                what = f"Step {number} has a result of {result['source_call_id']!r}, which it did not call."
                yield RULES["X04"].broken(file, None, what)
        for content in [step.get("message"), *(result.get("content") for result in results)]:
            for part in as_rows(content):
                if part.get("type") == "image":
                    yield from _named(object_in(part.get("source")), "path", number, file, used)
        yield from _atif_box(object_in(step.get("extra")), number, file, used)


def _atif_box(extra: Row, number: int, file: str, used: ReferencedPictures) -> Iterator[Finding]:
    """Rules for what our own export adds: the picture before, its size, and where the target is on it."""
    size, box, before = as_list(extra.get("image_size")), as_list(extra.get("target_box")), extra.get("before")
    if isinstance(before, str):
        yield from used.name(before, file, None)
        yield from _same_size(before, size, number, file, used)
    if box:
        yield from _boxed(box, size, f"The target of step {number}", file)


def check_openadapt(row: Row, file: str, used: ReferencedPictures) -> Iterator[Finding]:
    """G01, G02, H03, I01, P01, S01 and S02 for one episode."""
    steps = as_rows(row["steps"])
    yield from _in_order([step.get("step_index") for step in steps], 0, "step_index", file)
    yield from _in_time([as_number(step.get("timestamp")) for step in steps], file)
    for number, step in enumerate(steps):
        seen = object_in(step.get("observation"))
        view = as_list(seen.get("viewport"))
        if seen.get("screenshot_path") is not None:
            yield from _named(seen, "screenshot_path", number, file, used)
            yield from _same_size(str(seen["screenshot_path"]), view, number, file, used)
        nodes = as_rows(seen.get("nodes"))
        for node in nodes:
            box = as_row(node.get("bbox"))
            if box is not None:
                x, y, width, height = (as_number(box.get(name)) or 0 for name in ("x", "y", "width", "height"))
                corners: list[object] = [x, y, x + width, y + height]
                yield from _boxed(corners, view, f"The node {node.get('node_id')} of step {number}", file)
        action = object_in(step.get("action"))
        if "type" not in action:
            yield RULES["H03"].broken(file, None, f"Step {number} has no action with a type.")
        yield from _aimed(object_in(action.get("target")), nodes, view, number, file)


def _aimed(target: Row, nodes: list[Row], view: list[object], number: int, file: str) -> Iterator[Finding]:
    x, y = as_number(target.get("x")), as_number(target.get("y"))
    if x is not None and y is not None and not target.get("is_normalized"):
        yield from _boxed([x, y, x, y], view, f"The target of step {number}", file)
    wanted = target.get("node_id")
    if wanted is not None and wanted not in {node.get("node_id") for node in nodes} and nodes:
        yield RULES["H03"].broken(file, None, f"Step {number} aims at the node {wanted!r}, which it does not show.")


def _in_order(numbers: list[object], first: int, name: str, file: str) -> Iterator[Finding]:
    expected = list(range(first, first + len(numbers)))
    if numbers != expected:
        wrong = next(at for at, (one, other) in enumerate(zip(numbers, expected, strict=True)) if one != other)
        yield RULES["S01"].broken(file, None, f"{name} is {numbers[wrong]!r} where {expected[wrong]} is due.")


def _in_time(times: list[float | None], file: str) -> Iterator[Finding]:
    known = [time for time in times if time is not None]
    back = next((one for one, last in zip(known[1:], known, strict=False) if one < last), None)
    if back is not None:
        yield RULES["S02"].broken(file, None, "A step begins before the one before it.")


def _moment(value: object) -> float | None:
    try:
        return datetime.fromisoformat(value).timestamp() if isinstance(value, str) else None
    except ValueError:
        return None


def _named(row: Row, name: str, number: int, file: str, used: ReferencedPictures) -> Iterator[Finding]:
    path = row.get(name)
    if isinstance(path, str):
        yield from used.name(path, file, None)
    else:
        yield RULES["H03"].broken(file, None, f"A picture of step {number} has no {name}.")


def _same_size(path: str, size: list[object], number: int, file: str, used: ReferencedPictures) -> Iterator[Finding]:
    found = used.find(path, file)
    real = None if found is None else used.size(found)
    if real is not None and size and list(real) != size:
        yield RULES["G02"].broken(file, None, f"The picture of step {number} is {real[0]} x {real[1]}, not {size}.")


def _boxed(box: list[object], size: list[object], what: str, file: str) -> Iterator[Finding]:
    numbers = [value for one in (*box, *size) if (value := as_number(one)) is not None]
    if len(numbers) != 6:
        yield RULES["H03"].broken(file, None, f"{what} has no box of four numbers on a picture with a size.")
        return
    problem = box_problem(tuple(numbers[:4]), (numbers[4], numbers[5]), may_be_point=True)
    if problem is not None:
        yield RULES["G01"].broken(file, None, f"{what}: {problem}.")


@dataclass(kw_only=True)
class _Samples:
    """Samples of all files, in order.

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
        parse_response(parse_object(value) if isinstance(value, str) else object_in(value))
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
            if member.size <= MAX_FILE_BYTES:
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
