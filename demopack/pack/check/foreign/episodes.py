"""Rules for a demo in one JSON file with its pictures beside it: ATIF trajectories and openadapt-types episodes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from demopack.pack.check.foreign.pictures import Used
from demopack.pack.check.plain import as_list, as_row, as_rows
from demopack.pack.check.scale import box_problem
from demopack.pack.findings import Finding
from demopack.pack.rules import RULES

__all__ = ["check_atif", "check_openadapt", "kind_of_episode"]

Row = dict[str, Any]


def kind_of_episode(row: Row) -> str | None:
    """Which of the two forms a JSON file has; None for neither."""
    if not isinstance(row.get("steps"), list):
        return None
    if str(row.get("schema_version", "")).startswith("ATIF"):
        return "atif"
    return "openadapt" if "episode_id" in row else None


def check_atif(row: Row, file: str, used: Used) -> Iterator[Finding]:
    """G01, G02, H03, I01, P01, S01, S02 and X04 for one trajectory."""
    steps = as_rows(row["steps"])
    yield from _in_order([step.get("step_id") for step in steps], 1, "step_id", file)
    yield from _in_time([_moment(step.get("timestamp")) for step in steps], file)
    for number, step in enumerate(steps, start=1):
        observed = as_row(step.get("observation")) or {}
        results = as_rows(observed.get("results"))
        calls = {call.get("tool_call_id") for call in as_rows(step.get("tool_calls"))}
        for result in results:
            if result.get("source_call_id") is not None and result["source_call_id"] not in calls:
                what = f"Step {number} has a result of {result['source_call_id']!r}, which it did not call."
                yield RULES["X04"].broken(file, None, what)
        for content in [step.get("message"), *(result.get("content") for result in results)]:
            for part in as_rows(content):
                if part.get("type") == "image":
                    yield from _named(as_row(part.get("source")) or {}, "path", number, file, used)
        yield from _atif_box(as_row(step.get("extra")) or {}, number, file, used)


def _atif_box(extra: Row, number: int, file: str, used: Used) -> Iterator[Finding]:
    """What our own export adds: the picture before, its size, and where the target is on it."""
    size, box, before = as_list(extra.get("image_size")), as_list(extra.get("target_box")), extra.get("before")
    if isinstance(before, str):
        yield from used.name(before, file, None)
        yield from _same_size(before, size, number, file, used)
    if box:
        yield from _boxed(box, size, f"The target of step {number}", file)


def check_openadapt(row: Row, file: str, used: Used) -> Iterator[Finding]:
    """G01, G02, H03, I01, P01, S01 and S02 for one episode."""
    steps = as_rows(row["steps"])
    yield from _in_order([step.get("step_index") for step in steps], 0, "step_index", file)
    yield from _in_time([_number(step.get("timestamp")) for step in steps], file)
    for number, step in enumerate(steps):
        seen = as_row(step.get("observation")) or {}
        view = as_list(seen.get("viewport"))
        if seen.get("screenshot_path") is not None:
            yield from _named(seen, "screenshot_path", number, file, used)
            yield from _same_size(str(seen["screenshot_path"]), view, number, file, used)
        nodes = as_rows(seen.get("nodes"))
        for node in nodes:
            box = as_row(node.get("bbox"))
            if box is not None:
                x, y, width, height = (_number(box.get(name)) or 0 for name in ("x", "y", "width", "height"))
                corners: list[object] = [x, y, x + width, y + height]
                yield from _boxed(corners, view, f"The node {node.get('node_id')} of step {number}", file)
        action = as_row(step.get("action")) or {}
        if "type" not in action:
            yield RULES["H03"].broken(file, None, f"Step {number} has no action with a type.")
        yield from _aimed(as_row(action.get("target")) or {}, nodes, view, number, file)


def _aimed(target: Row, nodes: list[Row], view: list[object], number: int, file: str) -> Iterator[Finding]:
    x, y = _number(target.get("x")), _number(target.get("y"))
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


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _named(row: Row, name: str, number: int, file: str, used: Used) -> Iterator[Finding]:
    path = row.get(name)
    if isinstance(path, str):
        yield from used.name(path, file, None)
    else:
        yield RULES["H03"].broken(file, None, f"A picture of step {number} has no {name}.")


def _same_size(path: str, size: list[object], number: int, file: str, used: Used) -> Iterator[Finding]:
    found = used.find(path, file)
    real = None if found is None else used.size(found)
    if real is not None and size and list(real) != size:
        yield RULES["G02"].broken(file, None, f"The picture of step {number} is {real[0]} x {real[1]}, not {size}.")


def _boxed(box: list[object], size: list[object], what: str, file: str) -> Iterator[Finding]:
    numbers = [value for one in (*box, *size) if (value := _number(one)) is not None]
    if len(numbers) != 6:
        yield RULES["H03"].broken(file, None, f"{what} has no box of four numbers on a picture with a size.")
        return
    problem = box_problem(tuple(numbers[:4]), (numbers[4], numbers[5]), may_be_point=True)
    if problem is not None:
        yield RULES["G01"].broken(file, None, f"{what}: {problem}.")
