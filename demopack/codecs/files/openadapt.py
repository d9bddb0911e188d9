"""OpenAdapt's ``Episode``: a state with its nodes and an action for each step."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from demopack.codecs.files.base import SkippedDemos, json_lines, json_object
from demopack.codecs.files.builder import DemoBuilder, demo_id, file_importer
from demopack.codecs.files.json_object import JsonObject
from demopack.codecs.files.openadapt_actions import NOTED, Nodes, decode_action, own_action
from demopack.codecs.files.source import SourceFiles
from demopack.domain.actions import TypeAction
from demopack.domain.frames import Frame
from demopack.domain.steps import CaptureQuality, WindowInfo
from demopack.json_text import as_list, object_in

_LOST: Final = ("final_reward", "goal", "agent_model", "environment", "tags", "metadata", "task_id", "source_file")
_STATE_LOST: Final = ("a11y_tree", "accessibility_tree_raw", "dom", "url", "focused_element")
_SECONDS_OF_A_CLOCK: Final = 1e8
"""Fewer are no wall clock: that was in 1973."""


def _is_ours(files: SourceFiles, name: str) -> bool:
    """Whether it is an episode, or holds episodes; also where it cannot be read, and is refused with what is wrong."""
    if not name.endswith((".json", ".jsonl")):
        return False
    value = files.peek(name)
    if value is None:
        return files.holds(name, (b'"episode_id"',))
    several = as_list(object_in(value).get("episodes")) or as_list(value) or [value]
    return any(_is_episode(object_in(item)) for item in several)


def _is_episode(row: dict[str, Any]) -> bool:
    steps = as_list(row.get("steps"))
    return {"observation", "action"} <= object_in(steps[0]).keys() if steps else "episode_id" in row


def _rows(files: SourceFiles, name: str, skipped: SkippedDemos) -> Iterator[JsonObject]:
    if name.endswith(".jsonl"):
        yield from json_lines(files, name, skipped)
        return
    value = files.json(name)
    several, before = object_in(value).get("episodes", value), "episodes" if "episodes" in object_in(value) else ""
    if not isinstance(several, list):
        yield json_object(value, file=name)
        return
    for number, item in enumerate(as_list(several)):
        at = f"{before}[{number}]"
        with skipped.guarding(f"{name}, {at}"):
            yield json_object(item, file=name, at=at)


def _demo(row: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    builder.demo = demo_id("openadapt", row.text("episode_id"), repr(sorted(row.data.items())))
    log = builder.log
    steps = row.rows("steps")
    builder.note_gaps(steps, "step_index")
    first = next((found for step in steps if (found := step.seconds("timestamp")) is not None), None)
    for group in _groups(steps):
        log.rows_in += len(group)
        with builder.guarded(group[0].place, rows=len(group)):
            _step(group, builder, first)
    builder.follow()
    for name in _LOST:
        if row.get(name) is not None:
            log.lose(name, f"{name}: a demo has no field for it", row.place)
    done = row.flag("success")
    return {
        "task": row.text("instruction"),
        "created": _created(row, first),
        "platform": next((words for step in steps if (words := _platform(step))), ""),
        "app": next((step.window.app for step in builder.steps if step.window is not None), ""),
        "outcome": None if done is None else "success" if done else "failure",
    }


def _created(row: JsonObject, first: float | None) -> datetime | None:
    # The moment of the first step is surer: the episode's own is that of writing it, where nobody set it.
    # openadapt-ml counts from the recording's begin.
    if first is not None and first > _SECONDS_OF_A_CLOCK:
        return row.moment("steps", first)
    text = row.text("created_at")
    try:
        made = datetime.fromisoformat(text) if text else None
    except ValueError as error:
        raise row.wrong("created_at", f"{text!r} is no time") from error
    return None if made is None else row.moment("created_at", made)


def _platform(step: JsonObject) -> str:
    state = step.row("observation")
    return "" if state is None else state.text("platform")


def _groups(steps: Sequence[JsonObject]) -> list[list[JsonObject]]:
    """Steps one by one; those that our own exporter made of one step are together again."""
    groups: list[list[JsonObject]] = []
    for step in steps:
        if groups and _own_step(step) is not None and _own_step(step) == _own_step(groups[-1][-1]):
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups


def _own_step(step: JsonObject) -> str | None:
    action = step.row("action")
    raw = None if action is None else action.row("raw")
    return None if raw is None or own_action(raw) is None else raw.text("step") or None


def _step(group: Sequence[JsonObject], builder: DemoBuilder, first: float | None) -> None:
    row, log = group[0], builder.log
    state, action = row.row("observation"), row.row("action")
    if state is None or action is None:
        name = "observation" if state is None else "action"
        raise row.wrong(name, "it is missing", code="missing_field")
    before = _screen(state, builder)
    nodes = Nodes(state, before, builder)
    kind = action.text("type", default=None)
    if kind in NOTED:
        app = action.text("app_name") or action.text("window_title")
        builder.note(NOTED[kind].format(url=action.text("url"), app=app).strip(), row.place)
        return
    done, given = decode_action(action, nodes, builder, group=len(group))
    time = row.seconds("timestamp")
    if before is not None and nodes.found:
        builder.elements.setdefault(before.id, nodes.found)
    thought = row.text("reasoning") or action.text("reasoning")
    builder.add(
        done,
        before=before,
        where=row.place,
        # Seconds since 1970 as a float are no finer than that.
        seconds=None if time is None or first is None else round(time - first, 6),
        lasted=(row.number("duration_ms") or 0.0) / 1000,
        rationale=builder.rationale(thought),
        window=_window(state),
        note=_failed(row),
        **given,
    )
    if kind == "click_and_type":
        why = "a click and typing in one step became two: the second shows the screen before the first"
        log.assume("several", why, row.place)
        text = TypeAction(text_to_type=action.text("text", default=None))
        builder.add(text, before=before, where=row.place, quality=CaptureQuality(changed_before_event=True))
    for name in _STATE_LOST:
        if state.get(name):
            log.lose(name, f"{name} of the state: a step has no field for it", row.place)
    if row.number("reward") is not None:
        log.lose("reward", "rewards of steps: a demo has no field for them", row.place)


def _failed(row: JsonObject) -> str:
    result = row.row("result")
    if result is None or result.flag("success") is not False:
        return ""
    return f"OpenAdapt says that this step failed: {result.text('error') or 'no reason given'}."


def _window(state: JsonObject) -> WindowInfo | None:
    window = state.row("active_window")
    if window is None:
        title, app = state.text("window_title"), state.text("app_name")
        return WindowInfo(title=title, app=app) if title or app else None
    return WindowInfo(title=window.text("window_title"), app=window.text("app_name"))


def _screen(state: JsonObject, builder: DemoBuilder) -> Frame | None:
    if state.text("screenshot_path"):
        return builder.picture(state, "screenshot_path")
    for name in ("screenshot_base64", "screenshot_png"):
        text = state.text(name)
        if text:
            return builder.frames.bytes(f"{state.place}, {name}", partial(_decoded, state, name, text))
    return None


def _decoded(state: JsonObject, name: str, text: str) -> bytes:
    try:
        return base64.b64decode(text.rpartition("base64,")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise state.wrong(name, "it is not base64", code="damaged_picture") from error


IMPORTER: Final = file_importer(
    name="openadapt",
    title="OpenAdapt Episode",
    files="*.json with episodes of openadapt-types or openadapt-ml, or *.jsonl; pictures beside it or inside",
    before="the picture of each step's observation",
    is_ours=_is_ours,
    rows=_rows,
    demo=_demo,
)
