"""The document tells its views exactly what changed, and never more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.document import Document
from demopack.domain.edits import Change
from demopack.store import Library
from tests.support.editing import SAMPLE, element, sample_library


@pytest.fixture
def document(tmp_path: Path) -> Iterator[Document]:
    with Library.open(sample_library(tmp_path)) as library:
        yield Document(library.demo(SAMPLE))


def listen(document: Document) -> list[tuple[str, object]]:
    heard: list[tuple[str, object]] = []
    for name in ("step_inserting", "step_inserted", "step_removing", "step_removed", "step_changed"):
        getattr(document, name).connect(lambda index, name=name: heard.append((name, index)))
    document.elements_changed.connect(lambda frame: heard.append(("elements_changed", frame)))
    document.head_changed.connect(lambda: heard.append(("head_changed", None)))
    return heard


def test_a_document_gives_back_the_demo_it_was_made_of(document: Document) -> None:
    demo = document.demo()
    assert Document(demo).demo() == demo
    assert [step.position for step in demo.steps] == sorted(step.position for step in demo.steps)


def test_removing_and_inserting_a_step_is_announced_before_and_after(document: Document) -> None:
    heard = listen(document)
    step = document.steps[2]
    document.remove(step)
    document.insert(step)
    assert heard == [("step_removing", 2), ("step_removed", 2), ("step_inserting", 2), ("step_inserted", 2)]
    assert document.steps[2] == step


def test_a_replaced_step_keeps_its_place_unless_its_position_changed(document: Document) -> None:
    heard = listen(document)
    step = document.steps[1]
    document.replace(step.model_copy(update={"note": "look"}))
    assert heard == [("step_changed", 1)]
    heard.clear()
    document.replace(step.model_copy(update={"position": 10**9}))
    assert [name for name, _ in heard] == ["step_removing", "step_removed", "step_inserting", "step_inserted"]
    assert document.steps[-1].id == step.id


def test_one_edit_of_many_elements_tells_the_frame_once(document: Document) -> None:
    heard = listen(document)
    frame = document.steps[0].before
    assert frame is not None
    many = [element(f"el_{i}", frame=frame.id) for i in range(50)]
    document.apply([Change.between(None, one) for one in many])
    assert heard == [("elements_changed", frame.id)]
    assert {one.uid for one in many} <= {e.uid for e in document.elements(frame.id)}


def test_changes_taken_back_in_reverse_restore_everything(document: Document) -> None:
    before = document.demo()
    frame = document.steps[0].before
    assert frame is not None
    first = document.elements(frame.id)[0]
    changes = [
        Change.between(first, first.changed(text="other")),
        Change.between(None, element("el_new", frame=frame.id)),
        Change.between(document.steps[3], None),
        Change.between(document.head, document.head.model_copy(update={"task": "other"})),
        Change(kind="parsed", key="somewhere", before=None, after={}),
    ]
    document.apply(changes)
    assert document.demo() != before
    assert document.is_parsed("somewhere")
    document.apply([change.reversed() for change in reversed(changes)])
    assert document.demo() == before


def test_reading_order_follows_the_elements(document: Document) -> None:
    frame = document.steps[0].before
    assert frame is not None
    first = document.ordered(frame.id)[0]
    assert document.ordered(frame.id) is document.ordered(frame.id)
    document.replace(first.changed(review="rejected"))
    assert first.uid not in {e.uid for e in document.ordered(frame.id)}


@pytest.mark.parametrize("what", ["step", "element"])
def test_what_does_not_fit_is_refused(document: Document, what: str) -> None:
    entity = document.steps[0] if what == "step" else element("el_1")
    if what == "element":
        document.insert(entity)
    with pytest.raises(KeyError):
        document.insert(entity)
    document.remove(entity)
    with pytest.raises(KeyError):
        document.remove(entity)


def test_loading_another_state_tells_only_what_differs(document: Document) -> None:
    demo = document.demo()
    step, frame = demo.steps[4], demo.steps[0].before
    assert frame is not None
    gone = demo.elements[frame.id][0]
    document.replace(step.model_copy(update={"note": "x"}))
    document.remove(gone)
    document.remove(demo.steps[6])
    heard = listen(document)
    document.load(demo)
    assert document.demo() == demo
    assert sorted(heard, key=str) == sorted(
        [("step_changed", 4), ("step_inserting", 6), ("step_inserted", 6), ("elements_changed", frame.id)], key=str
    )


def test_nobody_listens_to_a_closed_signal(document: Document) -> None:
    heard: list[int] = []
    document.step_changed.connect(heard.append)
    document.step_changed.close()
    document.replace(document.steps[0].model_copy(update={"note": "x"}))
    assert heard == []


def test_a_listener_that_fails_leaves_no_step_on_the_move(document: Document) -> None:
    def fail(_: int) -> None:
        raise ValueError("a view")

    document.step_inserted.connect(fail)
    step = document.steps[0]
    last = document.steps[-1].position
    with pytest.raises(ValueError, match="a view"):
        document.replace(step.model_copy(update={"position": last + 1}))
    assert document.moving is None
    assert document.steps[-1].id == step.id


def test_a_signal_that_is_closed_meanwhile_calls_nobody_else(document: Document) -> None:
    heard: list[str] = []

    def first() -> None:
        heard.append("first")
        document.head_changed.close()

    document.head_changed.connect(first)
    document.head_changed.connect(lambda: heard.append("second"))
    document.replace(document.head.model_copy(update={"task": "another"}))
    assert heard == ["first"]
