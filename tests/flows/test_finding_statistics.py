"""Figures: counted as one would by hand, from the demo and from the store alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.commands import AddElement, DeleteElements
from annotator.editing import EditSession
from annotator.finding.review import ReviewElements, ReviewProgress
from annotator.finding.statistics import (
    AcceptanceCounts,
    ReviewTime,
    counts_of,
    demo_work,
    library_statistics,
    review_time,
    statistics,
)
from annotator.propagate.carry_commands import CarryAlong, carry_along
from annotator.propagate.tracks import hops_from
from annotator.step_commands import ReviewStep
from demopack.domain.geometry import Rect
from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl
from demopack.store import Library, LogLine
from tests.support.editing import SAMPLE, TINY, HandStore, sample_library

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


def lines(*seconds: float, **fields: Any) -> list[LogLine]:
    given: dict[str, Any] = {"seq": 1, "op": "do", "edit_id": "", "merge_key": None, "kind": "human", **fields}
    return [LogLine(at=START + timedelta(seconds=one), **given) for one in seconds]


def control(token: CancelToken | None = None) -> JobControl:
    return JobControl(token=token or CancelToken(), report=lambda _: None)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path)) as opened:
        yield opened


@pytest.fixture
def session(library: Library) -> EditSession:
    return EditSession(library, library.demo(SAMPLE), HandStore())


def worked(session: EditSession) -> list[str]:
    """Decide about six suggestions of the first picture; returns their uids."""
    frame = session.document.steps[0].before
    assert frame is not None
    found = [e for e in session.document.ordered(frame.id) if e.source != "human"][:6]
    uids = [e.uid for e in found]
    session.do(ReviewElements(uids=(uids[0], uids[1]), review="approved"))
    session.do(SetAttribute(uids=(uids[2],), name="text", value="Corrected"))
    session.do(SetAttribute(uids=(uids[3],), name="type", value="other"))
    session.do(DeleteElements(uids=(uids[4],)))
    session.do(ReviewElements(uids=(uids[5],), review="doubtful"))
    session.do(ReviewStep(step_id=session.document.steps[1].id, review="doubtful"))
    return uids


def test_time_is_what_lies_between_edits_without_a_pause() -> None:
    assert review_time([]) == ReviewTime()
    assert review_time(lines(0)) == ReviewTime(edits=1, sittings=1)
    assert review_time(lines(0, 10, 69, 200, 230)) == ReviewTime(seconds=99, edits=5, sittings=2)
    programs = lines(5, kind="model")
    undone = lines(20, op="undo", kind="")
    assert review_time([*lines(0), *programs, *undone]) == ReviewTime(seconds=20, edits=2, sittings=1)
    assert review_time(lines(50, 40, 45)) == ReviewTime(seconds=5, edits=3, sittings=1)  # the clock was set back


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (59.4, "59 s"), (60, "1 min"), (3599, "59 min"), (3900, "1 h 05 min")]
)
def test_time_in_words(seconds: float, words: str) -> None:
    assert ReviewTime(seconds=seconds).words == words


def test_what_became_of_suggestions(session: EditSession, library: Library) -> None:
    worked(session)
    counts, steps = counts_of(session.document.demo())
    made, time = demo_work(library, SAMPLE)
    found = statistics([counts], steps=steps, made=made, time=time)
    total = AcceptanceCounts()
    for one in found.by_source.values():
        total = AcceptanceCounts(
            accepted=total.accepted + one.accepted,
            fixed=total.fixed + one.fixed,
            rejected=total.rejected + one.rejected,
        )
    assert total == AcceptanceCounts(accepted=2, fixed=2, rejected=1)
    assert (total.decided, total.share) == (5, 0.4)
    assert found.fields == {"text": 1, "type": 1}
    assert found.steps == ReviewProgress(total=11, approved=1, doubtful=1)
    assert (found.elements.rejected, found.elements.doubtful, found.elements.approved) == (1, 1, 4)
    assert found.time.edits == 6
    assert sum(found.actions.values()) == 11


def test_taken_back_is_not_decided(session: EditSession, library: Library) -> None:
    worked(session)
    for _ in range(6):
        session.undo()
    made, _ = demo_work(library, SAMPLE)
    assert made == []


def test_the_store_counts_as_the_demo_does(session: EditSession, library: Library) -> None:
    worked(session)
    counts, _ = counts_of(session.document.demo())
    stored = library.counts()[SAMPLE]
    assert sorted(stored.elements) == sorted(counts.elements)
    assert sorted(stored.states) == sorted(counts.states)
    assert dict(stored.actions) == dict(counts.actions)


def test_a_library_is_the_sum_of_its_demos(session: EditSession, library: Library) -> None:
    worked(session)
    found = library_statistics(library, control=control())
    demos = [library.demo(one) for one in (SAMPLE, TINY)]
    everything = [e for demo in demos for here in demo.elements.values() for e in here if e.review != "rejected"]
    assert (found.demos, found.elements.total) == (2, len(everything))
    assert found.steps.total == sum(len(demo.steps) for demo in demos)
    assert found.types["button"].total == sum(e.type == "button" for e in everything)
    assert sum(found.actions.values()) == sum(len(demo.steps) for demo in demos)


def test_gathering_can_be_cancelled(library: Library) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        library_statistics(library, control=control(token))


def test_what_people_drew_was_missed(session: EditSession) -> None:
    frame = session.document.steps[0].before
    assert frame is not None
    first = session.document.ordered(frame.id)[0]
    session.document.replace(first.changed(source="human", type="slider", review="approved"))
    counts, steps = counts_of(session.document.demo())
    found = statistics([counts], steps=steps, made=[], time=ReviewTime())
    assert found.by_type["slider"] == AcceptanceCounts(missed=1)
    assert found.by_type["slider"].share is None


def test_what_was_drawn_once_and_carried_over_was_drawn_once(session: EditSession, library: Library) -> None:
    frame = session.document.steps[0].before
    assert frame is not None
    box = Rect(4, 4, 24, 16)
    session.do(AddElement.drawn(frame.id, "slider", box))
    hops = hops_from(session.document, frame, count=3)
    known = {one.id: session.document.elements(one.id) for hop in hops for one in (hop.source, hop.target)}
    session.do(CarryAlong(hops=tuple(carry_along(hops, known, library.get_image, control()))))
    copies = [e for here in session.document.demo().elements.values() for e in here if e.type == "slider"]
    assert sum(e.source == "human" and e.box == box for e in copies) > 1
    counts, steps = counts_of(session.document.demo())
    found = statistics([counts], steps=steps, made=[], time=ReviewTime())
    assert found.by_type["slider"].missed == 1
    assert sorted(library.counts()[SAMPLE].drawn) == sorted(counts.drawn)
    session.do(AddElement.drawn(frame.id, "slider", Rect(40, 4, 60, 16)))
    assert library_statistics(library, control=control()).by_type["slider"].missed == 2
