"""Migrations of a library to version 4, which has accessibility trees, and whose boxes to tick own their labels.

Version 3 says rule or carried over where version 2 said OCR or detector. Sources are told apart as far as is certain.

Until version 2 outlines of marks and lone signs were stored as read by OCR, and what rules found, and boxes that were
carried to where something had changed, as found by the detector. Most of it can be told apart by what no detector or
OCR ever writes: a detector never reads, OCR has no opinion of types, parts of scroll bars come from pixels alone. What
looks like both stays as it is (``docs/adr/0035-honest-sources.md`` lists it).

Each record is rewritten by what it says itself and by what the log says of its uid, everywhere in the same way, so that
undo still finds what it expects.
"""

from __future__ import annotations

import contextlib
import copy
import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pydantic import ValidationError

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.marks import certain_labels
from demopack.errors import DemopackError
from demopack.store.schema import CREATE

if TYPE_CHECKING:
    from demopack.store.history import History

_Json: TypeAlias = dict[str, Any]

_BATCH_ROWS: Final = 500
"""Rows that are read before those of them that change are written."""
_DAMAGED: Final = (ValueError, TypeError, AttributeError, KeyError, RecursionError)
"""What a record that is none raises; it is left as it is."""
_MARKS: Final = frozenset({"checkbox", "radio"})
_PARTS: Final = frozenset(
    {
        "scrollbar_up_button", "scrollbar_down_button", "scrollbar_left_button", "scrollbar_right_button",
        "scrollbar_thumb",
    }
)  # fmt: skip
_OUTLINE_CONFIDENCE: Final = 0.98
_CARRIED_CONFIDENCE: Final = 0.3
_LINE_CONFIDENCE: Final = 0.6
_LINE_SOURCES: Final[Mapping[str, str | None]] = {
    # Two rules made text areas; which of them it was is not known.
    "text_area": None,
    "list_item": "list_rows",
    "button": "framed_control",
    "input_field": "framed_control",
    "spinner": "framed_control",
    "dropdown": "framed_control",
}
"""What rules found with confidence 0.6 and with its text, which a detector never has."""
_OF_SHAPES: Final[Mapping[float, str]] = {
    0.4: "closed_shape", 0.5: "row_of_circles", 0.6: "framed_control", 0.7: "labelled_mark",
}  # fmt: skip
"""What was found where there was no detector at all, by confidence."""
_SIGNS: Final[Mapping[float, str]] = {0.4: "lone_sign", 0.6: "close_cross"}
_NO_DETECTOR: Final = re.compile(r"rapidocr-[^+]+\+parse-\d+(#\w+)?")
"""The name of a finder that had OCR alone."""


@dataclass(slots=True)
class _Known:
    """What the log of one demo says of its elements, by uid.

    Attributes:
        parsed: first stored by a search.
        alone: those of them whose search had no detector.
        carried: the source under which it was carried over to where something had changed.
        tracks: the frames on which each track ever was.
        found_tracks: tracks of what a search found.
    """

    parsed: set[str] = field(default_factory=set[str])
    alone: set[str] = field(default_factory=set[str])
    carried: dict[str, str] = field(default_factory=dict[str, str])
    tracks: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    found_tracks: set[str] = field(default_factory=set[str])


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Bring a library of an earlier version to this one; part of a transaction, and twice does no harm."""
    if version < _SOURCES:
        tell_sources_apart(db)
    own_labels(db)
    if not db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'trees'").fetchone():
        db.execute(CREATE["trees"].format("trees"))


_SOURCES: Final = 3
"""The version since which elements say who found them."""


def tell_sources_apart(db: sqlite3.Connection) -> None:
    """Rewrite elements as they are, as they were recorded, and in the log of edits; part of a transaction."""
    known: defaultdict[str, _Known] = defaultdict(_Known)
    for table in ("originals", "entities"):
        for _, demo, text in _rows(db, table, "json"):
            with contextlib.suppress(*_DAMAGED):
                _learn_track(known[demo], json.loads(text))
    for _, demo, text in _rows(db, "log", "edit"):
        with contextlib.suppress(*_DAMAGED):
            _learn(known[demo], json.loads(text))
    for table, column in (("entities", "json"), ("originals", "json"), ("log", "edit")):
        tell = _edit_told if column == "edit" else _correct_element
        query = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"  # noqa: S608 - literals of this function
        for row, demo, text in _rows(db, table, column):
            with contextlib.suppress(*_DAMAGED):
                data = json.loads(text)
                if tell(data, known[demo]):
                    db.execute(query, (_text(data, sort=column == "json"), row))


def own_labels(db: sqlite3.Connection) -> None:
    """Join boxes to tick with their labels, where that is certain; part of a transaction.

    Both are joined in every version that is kept of them, and steps bound to the label are bound to the control, so
    that undo still finds what it expects. What was ever moved, renamed or retyped stays as it is.
    """
    from demopack.store.history import load_history, save_history

    for (demo,) in db.execute("SELECT id FROM demos").fetchall():
        try:
            old = load_history(db, demo)
            owned = _certain_labels(old)
        except (*_DAMAGED, DemopackError, ValidationError):
            continue  # a damaged demo is left to a repair
        if owned:
            new = copy.deepcopy(old)
            _join_labels(new, owned)
            save_history(db, old, new)


def _certain_labels(history: History) -> dict[str, str]:
    """The uids of marks and of their labels, neither of which was ever at another place or something else."""
    looks: defaultdict[str, set[str]] = defaultdict(set)
    for kind, key, data in history.versions():
        if kind == "element":
            looks[key].add(json.dumps([data.get("type"), data.get("box"), data.get("text")]))
    frames: defaultdict[str, list[Element]] = defaultdict(list)
    for (kind, _), data in history.now.items():
        if kind == "element":
            one = Element.model_validate(data)
            frames[one.frame].append(one)
    owned: dict[str, str] = {}
    for found in frames.values():
        owned |= certain_labels(found)
    return {mark: label for mark, label in owned.items() if len(looks[mark]) == len(looks[label]) == 1}


def _join_labels(history: History, owned: Mapping[str, str]) -> None:
    control = {label: mark for mark, label in owned.items()}
    boxes = {key: Rect(*data["box"]) for (kind, key), data in history.now.items() if kind == "element"}

    def whole(element: _Json) -> _Json:
        label = owned.get(element["uid"])
        if label is None:
            return element
        mark = boxes[element["uid"]]
        return {**element, "box": list(mark.union(boxes[label]).corners), "mark_box": list(mark.corners)}

    def rebound(step: _Json) -> _Json:
        named = [step.get("target_uid"), step.get("end_uid"), *(step.get("alternatives") or ())]
        if not control.keys() & set(named):
            return step
        bound = {name: control.get(uid, uid) for name in ("target_uid", "end_uid") if (uid := step.get(name))}
        others = dict.fromkeys(control.get(uid, uid) for uid in step.get("alternatives") or ())
        return {**step, **bound, "alternatives": list(others)}

    history.replace("element", whole)
    history.replace("step", rebound)
    for table in (history.now, history.recorded):
        for label in control:
            table.pop(("element", label), None)
    for name, edit in history.edits.items():
        kept = [one for one in edit["changes"] if one["kind"] != "element" or one["key"] not in control]
        if len(kept) < len(edit["changes"]):
            edit["changes"] = kept
            history.touched.add(name)


def _rows(db: sqlite3.Connection, table: str, column: str) -> Iterator[tuple[int, str, bytes]]:
    """Row id, demo and bytes of the rows that speak of elements; they may be written meanwhile."""
    what = "kind = 'element'" if column == "json" else f"instr({column}, '\"element\"')"
    # As bytes: a text that is no UTF-8 is that record's fault, and none of the others'.
    shown = f"SELECT rowid, demo, CAST({column} AS BLOB) FROM {table}"  # noqa: S608 - as above
    query = f"{shown} WHERE rowid > ? AND {what} ORDER BY rowid LIMIT ?"
    last = -1
    while rows := db.execute(query, (last, _BATCH_ROWS)).fetchall():
        yield from rows
        last = rows[-1][0]


def _text(data: _Json, *, sort: bool) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=sort)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(data, separators=(",", ":"), sort_keys=sort)
    return text


# What the log says ------------------------------------------------------------------------------------------------


def _learn(known: _Known, edit: _Json) -> None:
    provenance: _Json = edit.get("provenance") or {}
    by_search = provenance.get("kind") == "model" and provenance.get("reason") == "parse"
    by_person = provenance.get("kind") == "human"
    alone = bool(_NO_DETECTOR.fullmatch(str(provenance.get("name"))))
    for _, after in _elements(edit):
        _learn_track(known, after)
    for before, after in _elements(edit):
        if after is None:
            continue
        uid, track = str(after.get("uid")), after.get("track_id")
        if by_search:
            if before is None:
                known.parsed.add(uid)
                if track is not None:
                    known.found_tracks.add(track)
            if before is None and alone:
                known.alone.add(uid)
            elif not alone:
                known.alone.discard(uid)
        elif before is None and by_person and _looks_carried(after) and _is_elsewhere(known, after):
            known.carried[uid] = str(after.get("source"))


def _is_elsewhere(known: _Known, element: _Json) -> bool:
    """Whether what it was carried from is on another picture."""
    return bool(known.tracks.get(str(element.get("track_id")), set()) - {str(element.get("frame"))})


def _learn_track(known: _Known, element: _Json | None) -> None:
    if element is not None and element.get("track_id") is not None:
        known.tracks.setdefault(str(element["track_id"]), set()).add(str(element.get("frame")))


def _elements(edit: _Json) -> Iterator[tuple[_Json | None, _Json | None]]:
    for change in edit.get("changes") or ():
        if change.get("kind") == "element":
            yield change.get("before"), change.get("after")


def _evidence(element: _Json) -> list[_Json]:
    return cast("list[_Json]", element.get("evidence") or [])


def _looks_carried(element: _Json) -> bool:
    evidence, source = _evidence(element), element.get("source")
    alone = all(said.get("source") == source and said.get("confidence") == _CARRIED_CONFIDENCE for said in evidence)
    return source != "human" and element.get("confidence") == _CARRIED_CONFIDENCE and len(evidence) <= 1 and alone


# What a record says -----------------------------------------------------------------------------------------------


def _edit_told(edit: _Json, known: _Known) -> bool:
    sides = [side for both in _elements(edit) for side in both if side is not None]
    changed = [_correct_element(side, known) for side in sides]
    return any(changed)


def _correct_element(element: _Json, known: _Known) -> bool:
    """Correct the sources of an element; whether anything was wrong."""
    if known.carried.get(str(element.get("uid"))) == element.get("source") and _looks_carried(element):
        element["source"] = "propagated"
        element["evidence"] = [{**said, "source": "propagated", "rule": None} for said in _evidence(element)]
        return True
    evidence = _evidence(element)
    told = [_corrected_statement(one, element, known) for one in evidence]
    if not evidence:
        itself = {name: element.get(name) for name in ("source", "type", "box", "text", "confidence")}
        one = _corrected_statement(itself, element, known)
        if one is not None:
            element["source"], element["evidence"] = "rule", [one]
        return one is not None
    if told[0] is not None and evidence[0].get("source") == element.get("source"):
        element["source"] = "rule"
    element["evidence"] = [new or old for new, old in zip(told, evidence, strict=True)]
    return any(one is not None for one in told)


def _corrected_statement(said: _Json, element: _Json, known: _Known) -> _Json | None:
    """A statement as that of a rule; None where it is what it says, or may be."""
    source, kind, text = said.get("source"), said.get("type"), said.get("text")
    sure = float(said.get("confidence") or 0.0)
    if source == "ocr" and kind in _MARKS and text is None and sure == _OUTLINE_CONFIDENCE:
        return {**said, "source": "rule", "rule": "mark_outline"}
    if source == "ocr" and text is None and kind in {None, "icon"} and sure in _SIGNS:
        # OCR that read nothing has found nothing.
        return {**said, "source": "rule", "rule": _SIGNS[sure], "type": "icon"}
    # A search found it, or what a copy was made of.
    found = element.get("uid") in known.parsed or element.get("track_id") in known.found_tracks
    if source != "detector" or not found:
        return None
    if kind in _PARTS:
        return {**said, "source": "rule", "rule": "scrollbar_part"}
    if element.get("uid") in known.alone:
        return {**said, "source": "rule", "rule": _OF_SHAPES.get(sure)}
    if text is not None and sure == _LINE_CONFIDENCE and str(kind) in _LINE_SOURCES:
        return {**said, "source": "rule", "rule": _LINE_SOURCES[str(kind)]}
    return None
