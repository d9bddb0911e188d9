"""Takes: a demo recorded again from one of its steps on.

A take is recorded as a demo of its own, so it is as safe as any recording. Joining it replaces the old end by the
take's steps in one edit of the demo's log: the old end stays in the history, and one undo brings it back. The take then
leaves the list; like every deleted demo it can be restored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from demopack.domain.binding import bind
from demopack.domain.demos import CaptureCounters, Demo, DemoHead, DemoSummary
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.errors import BadInputError
from demopack.store.library import Library
from demopack.store.recording import lost_after

__all__ = ["free_take", "join_edit", "join_take", "shifted", "takes_of"]

_GAP = 1024


def takes_of(summaries: Iterable[DemoSummary], demo_id: str) -> list[DemoSummary]:
    """The takes of a demo that have not been joined."""
    return [summary for summary in summaries if summary.head.take_of == demo_id]


def join_take(library: Library, take_id: str) -> Edit:
    """Replace the end of a demo by its take, in one edit, and take the take off the list.

    Joining again what was joined before a crash only takes it off the list.

    Raises:
        BadInputError: it is no take, nothing was recorded in it, or the step after which it goes on is gone.
        LibraryError: the demo was changed elsewhere meanwhile; nothing was applied.
    """
    take = library.demo(take_id)
    if not take.head.take_of:
        raise BadInputError("This demo is no take of another one.", hint="Only takes can be joined.")
    demo = library.demo(take.head.take_of)
    edit = _joined_before(library, demo, take)
    if edit is None:
        edit = join_edit(demo, take)
        library.commit(demo.head.id, edit)
    library.delete_demo(take_id)
    return edit


def free_take(library: Library, take_id: str) -> Edit:
    """Make a take a demo of its own, for instance because the demo that it belonged to is gone.

    Raises:
        BadInputError: it is no take.
    """
    head = library.demo(take_id).head
    if not head.take_of:
        raise BadInputError("This demo is no take of another one.", hint="Nothing was changed.")
    new = head.model_copy(update={"take_of": "", "take_after": ""})
    edit = Edit(
        id=new_id("edit"), label="Keep the take as a demo", changes=(_head_change(head, new),), provenance=by_human()
    )
    library.commit(take_id, edit)
    return edit


def join_edit(demo: Demo, take: Demo) -> Edit:
    """The edit that joins a take: pure.

    The take's clock is set to go on where the kept steps ended, so that the demo's times never run backwards, whatever
    happened between the two recordings. Elements of a picture that the demo knows already stay the demo's.

    Raises:
        BadInputError: nothing was recorded in the take, it is still being recorded, or its place is gone.
    """
    if take.head.status == "recording":
        raise BadInputError("This take is still being recorded.", hint="Stop it first.")
    if all(step.action.action_type == "finish_goal" for step in take.steps):
        raise BadInputError("Nothing was recorded in this take; the demo is as it was.", hint="Discard the take.")
    kept, gone = _cut(demo, take.head.take_after)
    shift = _shift(demo, kept, take)
    added, uids = _elements(demo, take)
    steps = _steps(demo, take, kept, shift=shift, uids=uids)
    changes = [Change(kind="step", key=step.id, before=step.to_json(), after=None) for step in gone]
    changes += [Change(kind="element", key=e.uid, before=None, after=e.to_json()) for e in added]
    known = demo.parsed | set(demo.elements)
    changes += [Change(kind="parsed", key=f, before=None, after={}) for f in sorted(take.parsed - known)]
    changes += [Change(kind="step", key=step.id, before=None, after=step.to_json()) for step in steps]
    # The take counts its own steps; in the demo the same moment has another number.
    missing = take.head.missing.replace(lost_after(len(take.steps)), lost_after(len(kept) + len(take.steps)))
    ending = take.head.model_copy(update={"missing": missing})
    changes.append(_head_change(demo.head, _head(demo.head, ending, shift=shift)))
    label = f"Re-record from step {len(kept) + 1}"
    return Edit(
        id=new_id("edit"), label=label, changes=tuple(changes), provenance=by_human(reason=f"take {take.head.id}")
    )


def shifted(frame: Frame | None, by_ns: int) -> Frame | None:
    """The reference to a picture with its times moved; unknown times stay unknown."""
    if frame is None or not by_ns:
        return frame
    return frame.model_copy(
        update={
            "grab_started_ns": frame.grab_started_ns and frame.grab_started_ns + by_ns,
            "grab_ended_ns": frame.grab_ended_ns and frame.grab_ended_ns + by_ns,
        }
    )


# Parts ----------------------------------------------------------------------------------------------------------------


def _joined_before(library: Library, demo: Demo, take: Demo) -> Edit | None:
    """The edit that joined this take, if it is in force."""
    ids = {step.id for step in take.steps}
    if not ids & {step.id for step in demo.steps}:
        return None
    for entry in reversed(library.history(demo.head.id)):
        if any(c.key in ids and c.before is None for c in entry.edit.changes if c.kind == "step"):
            return entry.edit
    return None


def _cut(demo: Demo, after: str) -> tuple[list[Step], list[Step]]:
    """The steps that stay and those that are replaced; the end of the task is always replaced."""
    places = {step.id: place for place, step in enumerate(demo.steps)}
    if after and after not in places:
        raise BadInputError(
            "The step after which this take goes on was deleted meanwhile; demo and take are both safe.",
            hint="Undo the deletion in the demo and join again, or keep the take as a demo of its own.",
        )
    end = places[after] + 1 if after else 0
    kept = [step for step in demo.steps[:end] if step.action.action_type != "finish_goal"]
    ids = {step.id for step in kept}
    return kept, [step for step in demo.steps if step.id not in ids]


def _shift(demo: Demo, kept: Sequence[Step], take: Demo) -> int:
    """Nanoseconds by which the take's clock is moved."""
    ends = [step.ended_ns for step in kept]
    ends += [step.after.grab_ended_ns for step in kept if step.after is not None]
    base = max(ends, default=0) or demo.head.started_ns
    begins = [take.head.started_ns, *(step.started_ns for step in take.steps)]
    begins += [frame.grab_started_ns for frame in take.frames()]
    begins += [event.t_ns for step in take.steps for event in step.events]
    return base - min((t for t in begins if t > 0), default=base)


def _elements(demo: Demo, take: Demo) -> tuple[list[Element], set[str]]:
    """The take's elements that the demo gets, and all uids that its steps may then point at."""
    known = demo.parsed | {frame for frame, found in demo.elements.items() if found}
    tracks = {e.track_id: e for found in demo.elements.values() for e in found if e.track_id is not None}
    taken = {e.uid for found in demo.elements.values() for e in found}
    added: list[Element] = []
    for frame, found in take.elements.items():
        if frame in known:
            continue
        for element in found:
            if element.uid in taken:
                continue
            other = tracks.get(element.track_id or "")
            same = other is None or (other.type, other.text) == (element.type, element.text)
            # A track id that means another element over there would make two things one.
            added.append(element if same else element.changed(track_id=None))
    return added, taken | {element.uid for element in added}


def _steps(demo: Demo, take: Demo, kept: Sequence[Step], *, shift: int, uids: set[str]) -> list[Step]:
    last = kept[-1].position if kept else 0
    result: list[Step] = []
    for number, step in enumerate(take.steps, start=1):
        moved = step.model_copy(update=_times(step, shift) | {"position": last + _GAP * number})
        frame = moved.before.id if moved.before is not None else ""
        lost = any(uid is not None and uid not in uids for uid in (moved.target_uid, moved.end_uid))
        if lost:
            moved = moved.model_copy(update={"target_uid": None, "end_uid": None})
        if any(uid not in uids for uid in moved.alternatives):
            known = tuple(uid for uid in moved.alternatives if uid in uids)
            moved = moved.model_copy(update={"alternatives": known})
        if demo.elements.get(frame):
            moved = bind(moved, demo.elements[frame])
        result.append(moved)
    return result


def _times(step: Step, shift: int) -> dict[str, Any]:
    return {
        "started_ns": step.started_ns and step.started_ns + shift,
        "ended_ns": step.ended_ns and step.ended_ns + shift,
        "before": shifted(step.before, shift),
        "after": shifted(step.after, shift),
        "events": tuple(replace(event, t_ns=event.t_ns + shift) for event in step.events),
    }


def _head(old: DemoHead, take: DemoHead, *, shift: int) -> DemoHead:
    """How the demo ends is what the take says; a person has to look at it again."""
    counters = CaptureCounters(
        **{name: getattr(old.counters, name) + getattr(take.counters, name) for name in CaptureCounters.model_fields}
    )
    return old.model_copy(
        update={
            "status": take.status,
            "missing": take.missing,
            "outcome": take.outcome,
            "outcome_reason": take.outcome_reason,
            "final_frame": shifted(take.final_frame, shift),
            "counters": counters,
            "accepted": False,
        }
    )


def _head_change(old: DemoHead, new: DemoHead) -> Change:
    return Change(kind="head", key=old.id, before=old.to_json(), after=new.to_json())
