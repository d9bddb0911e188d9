"""What has to go when steps are forgotten: all versions of them, and whatever else still tells what was in them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from demopack.store.history import History, Json

__all__ = ["Span", "forget", "frames_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A time of which the film is forgotten, monotonic nanoseconds, both ends excluded; None is open."""

    after_ns: int
    before_ns: int | None


def forget(history: History, ids: Collection[str], *, since_ns: int | None = None) -> list[Span]:
    """Take steps out of a demo's history.

    A step may have been split off another one, or merged from several: then versions of those others hold a part of
    it. Such versions go too; where the other step is no longer in the demo, it goes whole.

    Args:
        history: changed in place.
        ids: of the steps.
        since_ns: pictures grabbed at this time or later go also where a step shows them that stays.

    Returns:
        Of which times the film has to be forgotten.
    """
    before = frames_of(history)
    gone = _closure(history, set(ids))
    spans = _spans(history, gone)
    if since_ns is not None:
        spans.append(Span(after_ns=since_ns - 1, before_ns=None))
    parts = [data for kind, key, data in history.versions() if kind == "step" and key in gone]
    shown = {frame for data in parts for frame in _shown(data)}
    _drop_steps(history, gone, parts)
    kept = {frame for (kind, _), data in history.now.items() if kind == "step" for frame in _shown(data)}
    history.replace("head", lambda head: _without_end(head, shown - kept, since_ns))
    if since_ns is not None:
        history.replace("step", lambda step: _without_late(step, since_ns))
    dead = before - frames_of(history)

    def on_dead_frame(kind: str, key: str, data: Json | None) -> bool:
        return (kind == "parsed" and key in dead) or (kind == "element" and data is not None and data["frame"] in dead)

    history.drop(on_dead_frame)
    return spans


def frames_of(history: History) -> set[str]:
    """The pictures that the steps and the head show, or ever showed."""
    found: set[str] = set()
    for kind, _, data in history.versions():
        if kind in {"step", "head"}:
            found.update(_shown(data))
    return found


def _shown(data: Json) -> list[str]:
    return [data[field]["id"] for field in ("before", "after", "final_frame") if data.get(field)]


def _closure(history: History, ids: set[str]) -> set[str]:
    """The steps that must go whole: the given ones, and former ones that hold a part of them."""
    gone: set[str] = set()
    new = set(ids)
    while new:
        gone |= new
        parts = [_current(history, key) for key in new]
        new = {
            key
            for kind, key, data in history.versions()
            if kind == "step" and key not in gone and ("step", key) not in history.now
            if any(_shares(part, data) for part in parts if part is not None)
        }
    return gone


def _current(history: History, key: str) -> Json | None:
    return history.now.get(("step", key)) or history.recorded.get(("step", key))


def _drop_steps(history: History, gone: set[str], parts: list[Json]) -> None:
    """Drop the steps, and the former versions of others that hold a part of one."""
    history.drop(lambda kind, key, _: kind == "step" and key in gone)

    def tells(data: Json | None) -> bool:
        return data is not None and any(_shares(part, data) for part in parts)

    for place, data in history.recorded.items():
        if place[0] == "step" and place in history.now and tells(data):
            history.recorded[place] = history.now[place]
    history.drop_changes(lambda kind, _, data: kind == "step" and tells(data))


def _shares(part: Json, other: Json) -> bool:
    """Whether another step, or another version, was made of some of the same raw events, or of the same typing."""
    mine = {_event(event) for event in part["events"]}
    if mine and any(_event(event) in mine for event in other["events"]):
        return True
    # A cut that the events could not follow leaves the second part without any; its text is all there is to go by.
    text, longer = _typed(part), _typed(other)
    return not mine and bool(text) and text in longer


def _event(event: Json) -> tuple[Any, ...]:
    return (event["t_ns"], event["kind"], event.get("key"), event.get("button"))


def _typed(step: Json) -> str:
    return str(step["action"]["parameters"].get("text_to_type", ""))


def _without_end(head: Json, dead: set[str], since_ns: int | None) -> Json:
    final = head.get("final_frame")
    if final is None or not (final["id"] in dead or _late(final, since_ns)):
        return head
    return {**head, "final_frame": None}


def _without_late(step: Json, since_ns: int) -> Json:
    late = [name for name in ("before", "after") if step.get(name) and _late(step[name], since_ns)]
    return {**step, **dict.fromkeys(late)} if late else step


def _late(frame: Json, since_ns: int | None) -> bool:
    return since_ns is not None and frame["grab_ended_ns"] >= since_ns


def _spans(history: History, gone: set[str]) -> list[Span]:
    """The times from the beginning of each forgotten step to that of the next one that stays."""
    steps = {key: data for (kind, key), data in {**history.recorded, **history.now}.items() if kind == "step"}
    kept = [data["started_ns"] for key, data in steps.items() if key not in gone and data["started_ns"]]
    spans: list[Span] = []
    for key in gone & steps.keys():
        start, end = steps[key]["started_ns"], steps[key]["ended_ns"]
        if start:
            following = min((begin for begin in kept if begin >= end), default=None)
            spans.append(Span(after_ns=start - 1, before_ns=following))
    return spans
