"""Retakes: a demo recorded again from one of its steps on.

A retake is recorded as a demo of its own, so it is as safe as any recording. Joining it replaces the old end by the
retake's steps in one edit of the demo's log: the old end stays in the history, and one undo brings it back. It then
leaves the list; like every deleted demo it can be restored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from demopack.domain.binding import bind
from demopack.domain.demos import CaptureCounters, Demo, DemoHead, DemoSummary
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.domain.steps import POSITION_GAP, Step
from demopack.errors import BadInputError
from demopack.store.library import Library
from demopack.store.recording import lost_after
from demopack.store.timeline import Keyframe


def join_retake(library: Library, take_id: str) -> Edit:
    """Replace the end of a demo by its retake, in one edit, and take the retake off the list.

    Joining again what was joined before a crash only takes it off the list.

    Raises:
        BadInputError: it is no retake, nothing was recorded in it, or the step after which it goes on is gone.
        LibraryError: the demo was changed elsewhere meanwhile; nothing was applied.
    """
    retake = library.demo(take_id)
    if not retake.head.take_of:
        raise BadInputError("This demo is no take of another one.", hint="Only takes can be joined.")
    demo = library.demo(retake.head.take_of)
    edit = _joined_before(library, demo, retake)
    if edit is None:
        edit = join_edit(demo, retake)
        library.commit(demo.head.id, edit)
    library.delete_demo(take_id)
    return edit


def free_retake(library: Library, take_id: str) -> Edit:
    """Make a retake a demo of its own, for instance because the demo that it belonged to is gone.

    Raises:
        BadInputError: it is no retake.
    """
    head = library.demo(take_id).head
    if not head.take_of:
        raise BadInputError("This demo is no take of another one.", hint="Nothing was changed.")
    new = head.model_copy(update={"take_of": "", "take_after": ""})
    changes = (Change.between(head, new),)
    edit = Edit(id=new_id("edit"), label="Keep the take as a demo", changes=changes, provenance=by_human())
    library.commit(take_id, edit)
    return edit


def join_edit(demo: Demo, retake: Demo) -> Edit:
    """The edit that joins a retake: pure.

    Its clock is set to go on where the kept steps ended, so that the demo's times never run backwards, whatever
    happened between the two recordings. Elements of a picture that the demo knows already stay the demo's.

    Raises:
        BadInputError: nothing was recorded in the retake, it is still being recorded, or its place is gone.
    """
    if retake.head.status == "recording":
        raise BadInputError("This take is still being recorded.", hint="Stop it first.")
    if all(step.action.action_type == "finish_goal" for step in retake.steps):
        raise BadInputError("Nothing was recorded in this take; the demo is as it was.", hint="Discard the take.")
    kept, gone = _cut(demo, retake.head.take_after)
    shift = _shift(demo, kept, retake)
    added, uids = _elements(demo, retake)
    steps = _steps(demo, retake, kept, shift=shift, uids=uids)
    changes = [Change.between(step, None) for step in gone] + [Change.between(None, element) for element in added]
    known = demo.parsed | set(demo.elements)
    changes += [Change.of_parsed(frame, parsed=True) for frame in sorted(retake.parsed - known)]
    changes += [Change.between(None, step) for step in steps]
    # The retake counts its own steps; in the demo the same moment has another number.
    missing = retake.head.missing.replace(lost_after(len(retake.steps)), lost_after(len(kept) + len(retake.steps)))
    ending = retake.head.model_copy(update={"missing": missing})
    changes.append(Change.between(demo.head, _head(demo.head, ending, shift=shift)))
    label = f"Re-record from step {len(kept) + 1}"
    return Edit(
        id=new_id("edit"), label=label, changes=tuple(changes), provenance=by_human(reason=f"take {retake.head.id}")
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


def _joined_before(library: Library, demo: Demo, retake: Demo) -> Edit | None:
    """The edit that joined this retake, if it is in force."""
    ids = {step.id for step in retake.steps}
    if not ids & {step.id for step in demo.steps}:
        return None
    for entry in reversed(library.log.entries(demo.head.id)):
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


def _shift(demo: Demo, kept: Sequence[Step], retake: Demo) -> int:
    """Nanoseconds by which the retake's clock is moved."""
    ends = [step.ended_ns for step in kept]
    ends += [step.after.grab_ended_ns for step in kept if step.after is not None]
    base = max(ends, default=0) or demo.head.started_ns
    begins = [retake.head.started_ns, *(step.started_ns for step in retake.steps)]
    begins += [frame.grab_started_ns for frame in retake.frames()]
    begins += [event.t_ns for step in retake.steps for event in step.events]
    return base - min((t for t in begins if t > 0), default=base)


def _elements(demo: Demo, retake: Demo) -> tuple[list[Element], set[str]]:
    """The retake's elements that the demo gets, and all uids that its steps may then point at."""
    known = demo.parsed | {frame for frame, found in demo.elements.items() if found}
    tracks = {e.track_id: e for found in demo.elements.values() for e in found if e.track_id is not None}
    taken = {e.uid for found in demo.elements.values() for e in found}
    added: list[Element] = []
    for frame, found in retake.elements.items():
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


def _steps(demo: Demo, retake: Demo, kept: Sequence[Step], *, shift: int, uids: set[str]) -> list[Step]:
    last = kept[-1].position if kept else 0
    result: list[Step] = []
    for number, step in enumerate(retake.steps, start=1):
        update: dict[str, Any] = {
            "position": last + POSITION_GAP * number,
            "started_ns": step.started_ns and step.started_ns + shift,
            "ended_ns": step.ended_ns and step.ended_ns + shift,
            "before": shifted(step.before, shift),
            "after": shifted(step.after, shift),
            "events": tuple(replace(event, t_ns=event.t_ns + shift) for event in step.events),
            "alternatives": tuple(uid for uid in step.alternatives if uid in uids),
        }
        if any(uid is not None and uid not in uids for uid in (step.target_uid, step.end_uid)):
            update |= {"target_uid": None, "end_uid": None}
        moved = step.model_copy(update=update)
        known = () if step.before is None else demo.elements.get(step.before.id, ())
        result.append(bind(moved, known) if known else moved)
    return result


def _head(old: DemoHead, retake: DemoHead, *, shift: int) -> DemoHead:
    """How the demo ends is what the retake says; a person has to look at it again."""
    counters = CaptureCounters(
        **{name: getattr(old.counters, name) + getattr(retake.counters, name) for name in CaptureCounters.model_fields}
    )
    return old.model_copy(
        update={
            "status": retake.status,
            "missing": retake.missing,
            "outcome": retake.outcome,
            "outcome_reason": retake.outcome_reason,
            "final_frame": shifted(retake.final_frame, shift),
            "counters": counters,
            "accepted": False,
        }
    )


def recently_deleted(library: Library) -> list[DemoSummary]:
    """The deleted demos, newest first, without the retakes whose steps are in their demo."""
    deleted = library.demos(deleted=True, damaged=True)
    retakes = [summary.head for summary in deleted if summary.head.take_of and not summary.damage]
    demos = {summary.head.id for summary in [*library.demos(deleted=True), *library.demos()]}
    steps = {of: _step_ids(library.demo(of)) for of in {head.take_of for head in retakes} & demos}
    joined = {head.id for head in retakes if steps.get(head.take_of, set()) & _step_ids(library.demo(head.id))}
    return [summary for summary in deleted if summary.head.id not in joined]


def timeline_of(library: Library, demo_id: str) -> list[Keyframe]:
    """The timeline of a demo as it stands: where a retake was joined, the retake's timeline on the demo's clock.

    Timelines are no part of the log. The steps decide which one is shown, so undoing a join shows the old timeline.
    """
    demo = library.demo(demo_id)
    timelines = {"": library.timeline(demo_id)}
    source = {step.id: "" for step in demo.steps}
    starts = {step.id: step.started_ns for step in demo.steps if step.started_ns}
    retakes = [summary.head.id for summary in library.demos(deleted=True) if summary.head.take_of == demo_id]
    for take_id in reversed(retakes):  # the oldest first
        retake = library.demo(take_id)
        # By how much its clock was moved when it was joined; one that was not has no step in the demo.
        shift = next((starts[s.id] - s.started_ns for s in retake.steps if s.started_ns and s.id in starts), None)
        if shift is not None:
            timelines[take_id] = [
                Keyframe(shown_ns=one.shown_ns + shift, frame=shifted(one.frame, shift) or one.frame)
                for one in library.timeline(take_id)
            ]
            source |= {step.id: take_id for step in retake.steps if step.id in source}
    timed = [step for step in demo.steps if step.started_ns]
    runs = [(name, list(run)) for name, run in groupby(timed, key=lambda step: source[step.id])]
    shown: list[Keyframe] = []
    for number, (name, run) in enumerate(runs):
        first = _begin(run[0]) if number else 0
        last = _end(run[-1]) if number + 1 < len(runs) else None
        shown += [one for one in timelines[name] if one.shown_ns >= first and (last is None or one.shown_ns <= last)]
    return shown if runs else timelines[""]


def _step_ids(demo: Demo) -> set[str]:
    return {step.id for step in demo.steps}


def _begin(step: Step) -> int:
    return min(step.started_ns, (step.before and step.before.grab_started_ns) or step.started_ns)


def _end(step: Step) -> int:
    return max(step.ended_ns, (step.after and step.after.grab_ended_ns) or 0)
