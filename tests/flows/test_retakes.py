"""A take replaces the end of its demo in one edit; nothing is lost, and times go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from demopack.domain.actions import PressKeyAction
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.errors import BadInputError
from demopack.store import Library
from demopack.store.retakes import (
    free_retake,
    join_edit,
    join_retake,
    recently_deleted,
    shifted,
    timeline_of,
)
from tests.support.demos import demo_head, tiny_demo
from tests.support.editing import SAMPLE, TINY, sample_library
from tests.support.pictures import noise_image

_SECOND = 1_000_000_000
TAKE = "demo_take000001"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path)) as opened:
        yield opened


def take(library: Library, *, after: int | None = 2, of: str = SAMPLE, seed: int = 50, **head: Any) -> Demo:
    """A take of three steps (click, type, finish) that goes on after a step, counted from 1."""
    step_id = "" if after is None else library.demo(of).steps[after - 1].id
    tiny_demo(library, demo_id=TAKE, seed=seed, take_of=of, take_after=step_id, **head)
    return library.demo(TAKE)


def test_a_take_replaces_the_end_in_one_edit(library: Library) -> None:
    before = library.demo(SAMPLE)
    made = take(library, started_ns=77, outcome="failure", outcome_reason="Sold out")
    edit = join_retake(library, TAKE)
    demo = library.demo(SAMPLE)
    assert edit.label == "Re-record from step 3"
    assert [s.id for s in demo.steps] == [s.id for s in (*before.steps[:2], *made.steps)]
    assert [s.action for s in demo.steps[2:]] == [s.action for s in made.steps]
    assert (demo.head.outcome, demo.head.outcome_reason, demo.head.accepted) == ("failure", "Sold out", False)
    assert demo.head.final_frame is not None
    assert demo.head.final_frame.id == made.head.final_frame.id  # type: ignore[union-attr]
    assert demo.head.take_of == ""
    assert demo.head.counters.frames_grabbed == 360
    assert [s.head.id for s in library.demos() if s.head.id == TAKE] == []
    # The old end is in the history: one undo brings all of it back.
    assert [e.edit.label for e in library.log.undo(SAMPLE)] == [edit.label]
    assert library.demo(SAMPLE) == before
    library.log.redo(SAMPLE)
    assert library.demo(SAMPLE) == demo


def at_another_time(made: Demo, by_ns: int) -> Demo:
    """The same take, recorded earlier or later."""
    steps = [
        s.model_copy(
            update={
                "started_ns": s.started_ns + by_ns,
                "ended_ns": s.ended_ns + by_ns,
                "before": shifted(s.before, by_ns),
                "after": shifted(s.after, by_ns),
                "events": tuple(replace(e, t_ns=e.t_ns + by_ns) for e in s.events),
            }
        )
        for s in made.steps
    ]
    head = made.head.model_copy(update={"started_ns": made.head.started_ns + by_ns})
    return replace(made, head=head, steps=tuple(steps))


@pytest.mark.parametrize("by_ns", [0, -4_900_000_000_000, 9_000_000_000_000])
def test_times_go_on_where_the_kept_steps_ended(library: Library, by_ns: int) -> None:
    made = at_another_time(take(library, after=4), by_ns)
    demo = library.demo(SAMPLE)
    library.commit(SAMPLE, join_edit(demo, made))
    steps = library.demo(SAMPLE).steps
    starts = [s.started_ns for s in steps if s.started_ns]
    assert starts == sorted(starts)
    assert all(s.before.grab_ended_ns <= s.started_ns for s in steps if s.before and s.started_ns)
    for old, new in zip(made.steps, steps[4:], strict=True):
        # All of the take moves by the same amount: what lies between two moments stays.
        assert new.ended_ns - new.started_ns == old.ended_ns - old.started_ns
        assert [e.t_ns - new.events[0].t_ns for e in new.events] == [e.t_ns - old.events[0].t_ns for e in old.events]
    assert steps[4].started_ns - steps[3].ended_ns < 60_000_000_000


def test_a_take_from_the_beginning_replaces_everything(library: Library) -> None:
    take(library, after=None)
    assert join_retake(library, TAKE).label == "Re-record from step 1"
    demo = library.demo(SAMPLE)
    assert len(demo.steps) == 3
    assert demo.steps[0].started_ns >= demo.head.started_ns


def test_a_take_after_the_end_of_the_task_replaces_that_end(library: Library) -> None:
    take(library, after=11)
    join_retake(library, TAKE)
    kinds = [s.action.action_type for s in library.demo(SAMPLE).steps]
    assert (len(kinds), kinds.count("finish_goal"), kinds[-1]) == (13, 1, "finish_goal")


def test_new_pictures_bring_their_elements_known_ones_keep_the_demos(library: Library) -> None:
    # The same pictures as the demo it goes on from: what a person corrected there must stay.
    take(library, of=TINY, after=1, seed=1)
    before = library.demo(TINY)
    join_retake(library, TAKE)
    demo = library.demo(TINY)
    assert demo.elements == before.elements
    assert demo.steps[1].target_uid == before.steps[0].target_uid  # bound to the demo's own element
    assert {e.uid for found in demo.elements.values() for e in found} == {f"{TINY}_button"}


def test_elements_come_along_and_no_track_means_two_things(library: Library) -> None:
    demo, made = library.demo(SAMPLE), take(library)
    frame = made.steps[0].before
    assert frame is not None
    extra = Element(uid="el_x", frame=frame.id, type="button", box=Rect(1, 1, 5, 5), track_id="full_name_0")
    made = replace(made, elements={frame.id: (*made.elements[frame.id], extra)})
    library.commit(SAMPLE, join_edit(demo, made))
    found = {e.uid: e for e in library.demo(SAMPLE).elements[frame.id]}
    assert (found[f"{TAKE}_button"].track_id, found["el_x"].track_id) == ("go_0", None)
    assert library.demo(SAMPLE).steps[2].target_uid == f"{TAKE}_button"
    assert frame.id in library.demo(SAMPLE).parsed


def test_a_take_that_was_cut_off_leaves_a_partial_demo(library: Library) -> None:
    made = take(library, status="partial", missing="The screen was lost.", outcome=None)
    library.commit(TAKE, _without_finish(made))
    join_retake(library, TAKE)
    head = library.demo(SAMPLE).head
    assert (head.status, head.missing, head.outcome) == ("partial", "The screen was lost.", None)


def _without_finish(made: Demo) -> Any:
    from annotator.document import Document
    from annotator.step_order import DeleteSteps

    return DeleteSteps(step_ids=(made.steps[-1].id,)).edit(Document(made))


def test_what_cannot_be_joined_says_why_and_nothing_is_lost(library: Library) -> None:
    with pytest.raises(BadInputError, match="no take"):
        join_retake(library, TINY)
    made = take(library)
    demo = library.demo(SAMPLE)
    without = replace(demo, steps=demo.steps[2:])
    with pytest.raises(BadInputError, match="deleted meanwhile"):
        join_edit(without, made)
    with pytest.raises(BadInputError, match="Nothing was recorded"):
        join_edit(demo, replace(made, steps=made.steps[2:]))
    running = replace(made, head=made.head.model_copy(update={"status": "recording"}))
    with pytest.raises(BadInputError, match="still being recorded"):
        join_edit(demo, running)
    assert library.demo(SAMPLE) == demo


def test_a_join_that_was_interrupted_is_finished(library: Library) -> None:
    made = take(library)
    library.commit(SAMPLE, join_edit(library.demo(SAMPLE), made))  # and then the power failed
    entries = len(library.log.entries(SAMPLE))
    assert [s.head.id for s in library.demos() if s.head.take_of == SAMPLE] == [TAKE]
    assert join_retake(library, TAKE).label == "Re-record from step 3"
    assert len(library.log.entries(SAMPLE)) == entries
    assert not any(s.head.take_of == SAMPLE for s in library.demos())


def test_a_restored_take_is_joined_again_after_an_undo(library: Library) -> None:
    take(library)
    join_retake(library, TAKE)
    joined = library.demo(SAMPLE)
    library.log.undo(SAMPLE)
    library.restore_demo(TAKE)
    join_retake(library, TAKE)
    assert library.demo(SAMPLE).steps == joined.steps


def test_a_take_can_be_kept_as_a_demo(library: Library) -> None:
    take(library)
    free_retake(library, TAKE)
    head: DemoHead = library.demo(TAKE).head
    assert (head.take_of, head.take_after) == ("", "")
    with pytest.raises(BadInputError, match="no take"):
        free_retake(library, TAKE)


# The film and the list ------------------------------------------------------------------------------------------------


def filmed(library: Library, demo_id: str, *, seed: int, count: int = 4) -> None:
    """A recording with a film: steps one second apart, a picture every half second."""
    frames = [library_frame(library, seed + n, at_ns=(n + 1) * _SECOND // 2) for n in range(2 * count)]
    head = demo_head(demo_id, status="recording", started_ns=1, outcome=None)
    if demo_id != "demo_filmed":
        head = head.model_copy(update={"take_of": "demo_filmed", "take_after": "demo_filmed_1"})
    with library.begin_recording(head) as recording:
        for number in range(count):
            start = number * _SECOND + _SECOND * 3 // 4
            recording.append_step(
                Step(
                    id=f"{demo_id}_{number}",
                    position=number * 1000,
                    action=PressKeyAction(key_info="Enter"),
                    before=frames[2 * number],
                    after=frames[2 * number + 1],
                    started_ns=start,
                    ended_ns=start,
                )
            )
        for frame in frames:
            recording.add_keyframe(frame, shown_ns=frame.grab_ended_ns)
        recording.finish()


def library_frame(library: Library, seed: int, *, at_ns: int) -> Frame:
    image = noise_image(16, 16, seed=seed)
    return Frame(id=library.put_image(image), width=16, height=16, grab_started_ns=at_ns - 1, grab_ended_ns=at_ns)


def test_the_film_follows_the_steps_over_join_and_undo(library: Library) -> None:
    filmed(library, "demo_filmed", seed=1)
    filmed(library, TAKE, seed=100)
    own = [one.frame.id for one in library.timeline("demo_filmed")]
    new = [one.frame.id for one in library.timeline(TAKE)]
    assert [one.frame.id for one in timeline_of(library, "demo_filmed")] == own
    join_retake(library, TAKE)
    film = timeline_of(library, "demo_filmed")
    assert [one.frame.id for one in film] == own[:4] + new
    times = [one.shown_ns for one in film]
    assert times == sorted(set(times))
    # On the demo's clock: a picture of the film is where the step that shows it is.
    first = library.demo("demo_filmed").steps[2].before
    assert first is not None
    assert (first.id, first.grab_ended_ns) == (film[4].frame.id, film[4].frame.grab_ended_ns)
    library.log.undo("demo_filmed")
    assert [one.frame.id for one in timeline_of(library, "demo_filmed")] == own


def test_a_joined_take_is_not_among_the_deleted_until_the_join_is_undone(library: Library) -> None:
    take(library)
    library.delete_demo(TINY)
    join_retake(library, TAKE)
    assert [s.head.id for s in recently_deleted(library)] == [TINY]
    library.log.undo(SAMPLE)
    assert sorted(s.head.id for s in recently_deleted(library)) == [TINY, TAKE]
