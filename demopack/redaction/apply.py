"""Replaces values in a demo: one edit that can be undone, over every record and every picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from demopack.domain.demos import Demo, PrivateValue
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import iou
from demopack.domain.provenance import by_human
from demopack.domain.records import Record, new_id
from demopack.domain.words import counted
from demopack.errors import BadInputError
from demopack.redaction.pixels import covers_of, painted_frames
from demopack.redaction.rewrite import Rewriter, renamed_tracks
from demopack.redaction.scan import Found
from demopack.redaction.values import Value, ValueFinder
from demopack.store import Library

__all__ = ["plan_redaction", "redact"]


def redact(library: Library, demo_id: str, findings: Sequence[Found]) -> Edit:
    """Carry out what was decided: one edit in the demo's history, undone like any other.

    Every value with the decision ``replace`` gives way to its placeholder in all texts, typed keys and track ids; what
    shows it on a picture is painted over. ``keep`` is remembered, so that it is asked once. Open findings stay.

    What was recorded stays in the library, for undo; ``demopack forget`` is for what must not be there at all.

    Raises:
        BadInputError: nothing was decided, or there is no such demo.
        CorruptFrameError: a picture is damaged; nothing was changed.
        LibraryError: the demo was changed elsewhere meanwhile; nothing was changed.
        DiskFullError: nothing was changed.
    """
    edit = plan_redaction(library, library.demo(demo_id), findings)
    library.commit(demo_id, edit)
    return edit


def plan_redaction(library: Library, demo: Demo, findings: Sequence[Found]) -> Edit:
    """The edit of :func:`redact`, not yet applied; the pictures that were painted over are stored already.

    Raises:
        BadInputError: nothing was decided that is not so already.
        CorruptFrameError: a picture is damaged.
        DiskFullError: a picture could not be stored.
    """
    replaced = [found for found in findings if found.decision == "replace"]
    kept = [found for found in findings if found.decision == "keep"]
    values = [Value(kind=found.kind, text=found.value) for found in replaced]
    finder = ValueFinder(values)
    names = {found.digest: found.placeholder for found in replaced}
    frames = painted_frames(demo, covers_of(demo, finder, names), library)
    merged = _merged_elements(demo, frames)
    rewriter = Rewriter(
        finder=finder,
        names=names,
        frames=frames,
        tracks=renamed_tracks(demo, values),
        uids=merged,
    )
    changes = [_head_change(demo, rewriter, [*replaced, *kept])]
    changes += [_change("step", step.id, step, rewriter.step(step)) for step in demo.steps]
    for found in demo.elements.values():
        for element in found:
            changed = None if element.uid in merged else rewriter.element(element)
            changes.append(_change("element", element.uid, element, changed))
    changes += _parsed_changes(demo, frames)
    real = tuple(change for change in changes if change.before != change.after)
    if not real:
        raise BadInputError("Nothing was decided, so nothing was changed.", hint="Say what to replace or keep.")
    return Edit(id=new_id("edit"), label=_label(replaced, kept), changes=real, provenance=by_human(reason="redaction"))


def _label(replaced: Sequence[Found], kept: Sequence[Found]) -> str:
    if not replaced:
        return f"Keep {counted(len(kept), 'private value')}"
    return f"Replace {counted(len(replaced), 'private value')}"


def _change(kind: Any, key: str, before: Record, after: Record | None) -> Change:  # noqa: ANN401 - pydantic checks it
    return Change(kind=kind, key=key, before=before.to_json(), after=None if after is None else after.to_json())


def _head_change(demo: Demo, rewriter: Rewriter, decided: Sequence[Found]) -> Change:
    notes = {
        found.digest: PrivateValue(kind=found.kind, placeholder=found.placeholder, decision=found.decision)
        for found in decided
        if found.decision != "open"
    }
    head = rewriter.head(demo.head)
    new = head.model_copy(update={"redaction": {**head.redaction, **notes}})
    return _change("head", demo.head.id, demo.head, new)


def _merged_elements(demo: Demo, frames: dict[str, Frame]) -> dict[str, str]:
    """Pictures that differed only in what was painted over are one now: elements of the later -> those of the first."""
    first: dict[str, list[Element]] = {frame.id: list(demo.elements.get(frame.id, ())) for frame in demo.frames()}
    for old in frames:
        first.pop(old, None)
    merged: dict[str, str] = {}
    for old, new in frames.items():
        own = demo.elements.get(old, ())
        there = first.setdefault(new.id, [])
        for element in own:
            twin = next((e for e in there if e.type == element.type and iou(e.box, element.box) >= _TWINS), None)
            if twin is not None:
                merged[element.uid] = twin.uid
        there.extend(element for element in own if element.uid not in merged)
    return merged


_TWINS = 0.8  # share of their area that two boxes of one thing have in common


def _parsed_changes(demo: Demo, frames: dict[str, Frame]) -> list[Change]:
    """What was looked through stays looked through under its new id."""
    gone = sorted(old for old in frames if old in demo.parsed)
    made = sorted({frames[old].id for old in gone} - demo.parsed)
    return [
        *(Change(kind="parsed", key=old, before={}, after=None) for old in gone),
        *(Change(kind="parsed", key=new, before=None, after={}) for new in made),
    ]
