"""Removal of steps from a history: all versions of them, and whatever else still tells what was in them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from demopack.store.history import History, Json

_OPEN_NS: Final = 1 << 62
Stretch: TypeAlias = tuple[int, int]
"""A time of which the timeline is forgotten, monotonic nanoseconds, both ends excluded."""


def forget(history: History, ids: Collection[str], *, since_ns: int | None = None) -> list[Stretch]:
    """Take steps out of a demo's history.

    A step may have been split off another one, or merged from several: then versions of those others hold a part of
    it. Such versions go too; where the other step is no longer in the demo, it goes whole.

    Args:
        history: changed in place.
        ids: of the steps.
        since_ns: pictures grabbed at this time or later go also where a step shows them that stays.

    Returns:
        Of which times the timeline has to be forgotten.
    """
    before = frames_of(history)
    gone = _closure(history, set(ids))
    spans = _spans(history, gone)
    parts = _parts(history, gone)
    shown = {f for kind, key, data in history.versions() if kind == "step" and key in gone for f in _shown(data)}
    history.drop(lambda kind, key, _: kind == "step" and key in gone)

    def tells(kind: str, key: str, data: Json | None) -> bool:
        """Whether a former version of another step holds a part of one that is gone."""
        return kind == "step" and data is not None and any(part.tells(key, data) for part in parts)

    for place, data in history.recorded.items():
        if place in history.now and tells(*place, data):
            history.recorded[place] = history.now[place]
    history.drop_changes(tells)
    kept = {frame for (kind, _), data in history.now.items() if kind == "step" for frame in _shown(data)}
    lost = shown - kept
    history.replace("head", lambda head: _without(head, ["final_frame"], lambda frame: frame["id"] in lost))
    if since_ns is not None:
        spans.append((since_ns - 1, _OPEN_NS))

        def is_late(frame: Json) -> bool:
            return bool(frame["grab_ended_ns"] >= since_ns)

        history.replace("head", lambda head: _without(head, ["final_frame"], is_late))
        history.replace("step", lambda step: _without(step, ["before", "after"], is_late))
    dead = before - frames_of(history)

    def on_dead_frame(kind: str, key: str, data: Json | None) -> bool:
        return (kind == "parsed" and key in dead) or (kind == "element" and data is not None and data["frame"] in dead)

    history.drop(on_dead_frame)
    return spans


def related(history: History, ids: Collection[str]) -> set[str]:
    """Steps that these were split off, merged from or made into, and those of these in turn."""
    found: set[str] = set()
    new = set(ids)
    while new:
        found |= new
        new = {kin for key in new for kin in _kin(history, key)} - found
    return found - set(ids)


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
        parts = _parts(history, new)
        new = {
            key
            for kind, key, data in history.versions()
            if kind == "step" and key not in gone and ("step", key) not in history.now
            if any(part.tells(key, data) for part in parts)
        }
    return gone


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What may be found again in other steps.

    Attributes:
        events: raw events of the step.
        text: what was typed in it.
        kin: steps that came out of it or went into it, by an edit that made or removed one of both.
    """

    events: frozenset[tuple[Any, ...]]
    text: str
    kin: frozenset[str]

    def tells(self, key: str, other: Json) -> bool:
        """Whether a version of another step was made of some of the same raw events, or of the same typing."""
        events = {_event(event) for event in other["events"]}
        if events & self.events:
            return True
        # Where a cut could not follow the events, the second part has none; its text is all there is to go by.
        text = _typed(other)
        guess = key in self.kin and not (events and self.events) and bool(text and self.text)
        return guess and (text in self.text or self.text in text)


def _parts(history: History, keys: set[str]) -> list[_Part]:
    """The steps as they stand, or as they were recorded where they are in the demo no more."""
    found: list[_Part] = []
    for key in keys:
        data = history.now.get(("step", key)) or history.recorded.get(("step", key))
        if data is not None:
            events = frozenset(_event(event) for event in data["events"])
            found.append(_Part(events=events, text=_typed(data), kin=_kin(history, key)))
    return found


def _kin(history: History, key: str) -> frozenset[str]:
    found: set[str] = set()
    for edit in history.edits.values():
        steps = [change for change in edit["changes"] if change["kind"] == "step"]
        made_or_removed = any(None in (change["before"], change["after"]) for change in steps)
        if made_or_removed and any(change["key"] == key for change in steps):
            found.update(change["key"] for change in steps)
    return frozenset(found - {key})


def _event(event: Json) -> tuple[Any, ...]:
    return (event["t_ns"], event["kind"], event.get("key"), event.get("button"))


def _typed(step: Json) -> str:
    return str(step["action"]["parameters"].get("text_to_type", ""))


def _without(data: Json, names: Collection[str], gone: Callable[[Json], bool]) -> Json:
    """A step or a head without those of these frames that are gone; itself where none is."""
    lost = [name for name in names if data.get(name) and gone(data[name])]
    return {**data, **dict.fromkeys(lost)} if lost else data


def _spans(history: History, gone: set[str]) -> list[Stretch]:
    """The times from the beginning of each forgotten step to that of the next one that stays."""
    steps = {key: data for (kind, key), data in {**history.recorded, **history.now}.items() if kind == "step"}
    kept = [data["started_ns"] for key, data in steps.items() if key not in gone and data["started_ns"]]
    spans: list[Stretch] = []
    for key in gone & steps.keys():
        start, end = steps[key]["started_ns"], steps[key]["ended_ns"]
        if start:
            following = min((begin for begin in kept if begin >= end), default=_OPEN_NS)
            spans.append((start - 1, following))
    return spans
