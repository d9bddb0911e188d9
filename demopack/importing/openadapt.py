"""OpenAdapt's ``Episode``: a state with its nodes and an action for each step."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.steps import WindowInfo
from demopack.importing.building import Builder, Imported, ImportOptions, demo_id
from demopack.importing.errors import BadRowError
from demopack.importing.files import Files
from demopack.importing.importer import Importer, Skipped, row_of, rows_of_lines
from demopack.importing.openadapt_actions import NOTED, Said, own_action, say
from demopack.importing.openadapt_nodes import Nodes
from demopack.importing.pictures import Shelf
from demopack.importing.reading import guarded, look_at_numbers, note_twice, picture_of
from demopack.importing.report import Ledger
from demopack.importing.values import Row, list_in, object_in
from demopack.json_text import parse_json

__all__ = ["IMPORTER"]


def sniff(files: Files) -> bool:
    """Whether a JSON file is an episode, or holds episodes."""
    return any(_is_ours(files, name) for name in files.tables)


def _is_ours(files: Files, name: str) -> bool:
    try:
        if name.endswith(".jsonl"):
            value: Any = parse_json(next(files.lines(name), (0, "null"))[1])
        elif name.endswith(".json"):
            value = files.json(name)
        else:
            return False
    except (BadRowError, ValueError):
        return False
    first = object_in((list_in(value) or [value])[0])
    steps = list_in(first.get("steps"))
    return {"observation", "action"} <= object_in(steps[0]).keys() if steps else "episode_id" in first


def read(files: Files, options: ImportOptions, skipped: Skipped) -> Iterator[Imported]:
    """Every episode.

    Raises:
        BadRowError: an episode, a step or a picture is bad; with ``skip_bad`` it is counted instead.
    """
    for name in files.tables:
        if not (files.only or _is_ours(files, name)):
            continue
        files.taken.add(name)
        rows = rows_of_lines(files, name, skipped) if name.endswith(".jsonl") else _rows(files, name)
        for row in rows:
            with skipped.guarding(row.place):
                yield _demo(row, files, options)


def _rows(files: Files, name: str) -> Iterator[Row]:
    value = files.json(name)
    if not isinstance(value, list):
        yield row_of(value, file=name)
        return
    for number, item in enumerate(list_in(value)):
        yield row_of(item, file=name, at=f"[{number}]")


def _demo(row: Row, files: Files, options: ImportOptions) -> Imported:
    shelf = Shelf(files)
    ident = demo_id("openadapt", row.text("episode_id"), repr(sorted(row.data.items())))
    ledger = Ledger(row.place)
    builder = Builder(title=IMPORTER.title, demo=ident, ledger=ledger, options=options)
    steps = row.rows("steps")
    look_at_numbers(steps, "step_index", ledger)
    first = next((found for step in steps if (found := step.number("timestamp")) is not None), None)
    for group in _groups(steps):
        ledger.rows_in += len(group)
        with guarded(builder, group[0].place, rows=len(group)):
            _step(group, shelf, builder, first)
    note_twice(row, ledger)
    builder.follow()
    for name in ("final_reward", "goal", "agent_model", "environment", "tags", "metadata"):
        if row.get(name) is not None:
            ledger.lose(name, f"{name}: a demo has no field for it", row.place)
    done = row.flag("success")
    return builder.finish(
        shelf.image,
        task=builder.task(row.text("instruction")),
        created_at=builder.untimed(_created(row, first)),
        platform=_platform(steps),
        app=next((step.window.app for step in builder.steps if step.window is not None), ""),
        outcome=None if done is None else "success" if done else "failure",
    )


def _created(row: Row, first: float | None) -> datetime | None:
    # The moment of the first step is surer: the episode's own is that of writing it, where nobody set it.
    if first is not None:
        return datetime.fromtimestamp(first, tz=UTC)
    text = row.text("created_at")
    try:
        made = datetime.fromisoformat(text) if text else None
    except ValueError as error:
        raise row.wrong("created_at", f"{text!r} is no time") from error
    return made if made is None or made.tzinfo else made.replace(tzinfo=UTC)


def _platform(steps: Sequence[Row]) -> str:
    for step in steps:
        state = step.row("observation")
        if state is not None and state.text("platform"):
            return state.text("platform")
    return ""


def _groups(steps: Sequence[Row]) -> list[list[Row]]:
    """Steps one by one; those that our own exporter made of one step are together again."""
    groups: list[list[Row]] = []
    for step in steps:
        if groups and _own_step(step) is not None and _own_step(step) == _own_step(groups[-1][-1]):
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups


def _own_step(step: Row) -> str | None:
    action = step.row("action")
    raw = None if action is None else action.row("raw")
    return None if raw is None or own_action(raw) is None else raw.text("step") or None


def _step(group: Sequence[Row], shelf: Shelf, builder: Builder, first: float | None) -> None:
    row, ledger = group[0], builder.ledger
    state, action = row.row("observation"), row.row("action")
    if state is None or action is None:
        name = "observation" if state is None else "action"
        raise row.wrong(name, "it is missing", code="missing_field")
    before = _screen(state, shelf, builder)
    nodes = Nodes(state, before, builder)
    kind = action.text("type", default=None)
    if kind in NOTED:
        builder.note(NOTED[kind].format(url=action.text("url"), app=action.text("app_name")).strip(), row.place)
        return
    said: Said = say(action, nodes, builder, group=len(group))
    time = row.number("timestamp")
    if before is not None and nodes.found:
        builder.elements.setdefault(before.id, nodes.found)
    thought = row.text("reasoning") or action.text("reasoning")
    builder.add(
        said.action,
        before=before,
        where=row.place,
        # Seconds since 1970 as a float are no finer than that.
        seconds=None if time is None or first is None else round(time - first, 6),
        lasted=(row.number("duration_ms") or 0.0) / 1000,
        rationale=builder.rationale(thought),
        window=_window(state),
        note=_failed(row),
        target_uid=_uid(said.target),
        end_uid=_uid(said.end),
        **({} if said.pointer is None else {"pointer": said.pointer}),
    )
    if row.number("reward") is not None:
        ledger.lose("reward", "rewards of steps: a demo has no field for them", row.place)


def _uid(element: Element | None) -> str | None:
    return None if element is None else element.uid


def _failed(row: Row) -> str:
    result = row.row("result")
    if result is None or result.flag("success") is not False:
        return ""
    return f"OpenAdapt says that this step failed: {result.text('error') or 'no reason given'}."


def _window(state: Row) -> WindowInfo | None:
    window = state.row("active_window")
    if window is None:
        return None
    return WindowInfo(title=window.text("window_title"), app=window.text("app_name"))


def _screen(state: Row, shelf: Shelf, builder: Builder) -> Frame | None:
    path = state.text("screenshot_path")
    if path:
        return picture_of(shelf, state, "screenshot_path", path, builder)
    for name in ("screenshot_base64", "screenshot_png"):
        text = state.text(name)
        if text:
            return _inside(state, name, text, shelf)
    return None


def _inside(state: Row, name: str, text: str, shelf: Shelf) -> Frame:
    """A picture that stands in the file itself."""
    return shelf.bytes(f"{state.place}, {name}", lambda: _decoded(state, name, text))


def _decoded(state: Row, name: str, text: str) -> bytes:
    try:
        return base64.b64decode(text.rpartition("base64,")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise state.wrong(name, "it is not base64", code="damaged_picture") from error


IMPORTER: Final = Importer(
    name="openadapt",
    title="OpenAdapt Episode",
    files="*.json with an episode or a list of them, or *.jsonl; pictures beside it or inside",
    before="the picture of each step's observation",
    sniff=sniff,
    read=read,
)
