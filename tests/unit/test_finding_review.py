"""What comes next in a review, how far it is, and rows in every order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from annotator.document import Document
from annotator.finding.element_search import (
    COLUMNS,
    MAX_ORDERED_INLINE,
    DocumentFinder,
    sorted_by,
    states_in_words,
)
from annotator.finding.review import (
    DoubtCache,
    ReviewElements,
    ReviewProgress,
    by_doubt,
    is_open,
    library_progress,
    progress_of,
)
from annotator.suggestions.confidence_filter import next_after
from demopack.domain.actions import WaitAction
from demopack.domain.demos import Demo, DemoSummary
from demopack.domain.elements import Element, Evidence, reading_order
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from tests.support.demos import demo_head


def element(uid: str, x: int, y: int, **fields: Any) -> Element:
    base = {"uid": uid, "frame": "f", "type": "button", "box": Rect(x, y, x + 40, y + 20), "source": "detector"}
    return Element.model_validate({**base, **fields})


ELEMENTS = (
    element("c", 0, 0, text="beta", confidence=0.9),
    element("a", 100, 0, text="Alpha", confidence=0.3, states={"checked": True, "focused": False}),
    element("b", 0, 50, type="icon", subtype="search", review="approved", confidence=0.5),
    element("e", 100, 50, type="checkbox", review="doubtful", source="human", states={"checked": False}),
    element("d", 0, 100, text="ghost", review="rejected", confidence=0.1),
)


@pytest.fixture
def document() -> Document:
    action = WaitAction(wait_duration_s=1)
    step = Step(id="s", position=1, action=action, before=Frame(id="f", width=400, height=300))
    return Document(Demo(head=demo_head("demo"), steps=(step,), elements={"f": ELEMENTS}))


def uids(found: Iterable[Element]) -> str:
    return "".join(element.uid for element in found)


def test_rows_stand_in_the_order_of_any_column(document: Document) -> None:
    finder = DocumentFinder(document)
    found = finder.find(finder.understand(""), "f")
    assert (uids(found), [finder.number_of(e) for e in found], finder.step_of(found[0])) == ("cabe", [1, 2, 3, 4], 1)
    wanted = {
        "number": "cabe",
        "type": "caeb",
        "text": "acbe",
        "states": "aecb",
        "confidence": "abce",
        "review": "caeb",
    }
    assert {column: uids(sorted_by(found, column)) for column in COLUMNS} == wanted
    assert uids(sorted_by(found, "confidence", descending=True)) == "cbae"  # what has none stays last
    assert uids(sorted_by(found, "number", descending=True)) == "ebac"
    assert finder.number_of(ELEMENTS[4]) == 0


def test_rejected_ones_are_listed_when_the_search_is_about_the_review(document: Document) -> None:
    finder = DocumentFinder(document)

    def found(text: str, **more: Any) -> str:
        return uids(finder.find(finder.understand(text), "f", **more))

    assert (found("-review:approved"), found("ghost")) == ("caed", "")
    assert found("", shown=[e for e in ELEMENTS if e.source == "human"]) == "e"


def test_states_in_a_few_words() -> None:
    assert [states_in_words(e) for e in ELEMENTS[1:4]] == ["checked", "", "unchecked"]


def test_the_order_of_a_crowded_frame_comes_from_the_background() -> None:
    many = tuple(element(f"e{i:04}", i % 40 * 50, i // 40 * 30) for i in range(MAX_ORDERED_INLINE + 1))
    document = Document(Demo(head=demo_head("demo"), steps=(), elements={"f": many}))
    finder = DocumentFinder(document)
    assert finder.number_of(many[41]) == 0
    waiting = finder.unordered("f")
    assert waiting is document.elements("f")
    finder.put_order("f", waiting, reading_order(waiting))
    assert (finder.unordered("f"), finder.number_of(many[41])) == (None, 42)
    document.replace(many[0].changed(text="x"))
    assert finder.unordered("f") is document.elements("f")
    assert finder.number_of(many[41]) == 42  # the old order until the new one is there


def test_progress_in_words() -> None:
    found = progress_of(ELEMENTS)
    assert found == ReviewProgress(total=4, approved=1, doubtful=1, rejected=1)
    assert (found.todo, found.words) == (2, "1 of 4 approved, 1 doubtful")
    assert ReviewProgress().words == "Nothing to review"


def test_progress_of_a_library() -> None:
    def summary(**counts: int) -> DemoSummary:
        return DemoSummary(head=demo_head("demo"), rationales=0, first_frame=None, **counts)

    demos = [summary(steps=3, approved=1, elements=9, elements_approved=4), summary(steps=2, approved=2, doubtful=1)]
    assert library_progress(demos) == ReviewProgress(total=5, approved=3, doubtful=1)


def test_next_open_goes_on_and_around() -> None:
    def after(ordered: Sequence[Element], *uids: str) -> str | None:
        found = next_after(ordered, uids, waits=is_open)
        return None if found is None else found.uid

    ordered = ELEMENTS[:4]
    assert [after(ordered, *uids) for uids in ((), "c", "a", "e")] == ["c", "a", "c", "c"]
    assert after(ordered[2:], "b") is None
    assert after(ordered[:1], "c") is None


def test_the_least_sure_come_first() -> None:
    disputed = element("x", 0, 200, confidence=0.9, evidence=(Evidence(source="ocr", type="text", confidence=0.9),))
    assert [e.uid for e in by_doubt([*ELEMENTS, disputed], DoubtCache())] == ["e", "x", "a", "c"]


def test_several_are_reviewed_in_one_edit(document: Document) -> None:
    edit = ReviewElements(uids=("a", "c", "b", "gone"), review="approved").edit(document)
    assert edit is not None
    assert (edit.label, len(edit.changes)) == ("Approve 2 elements", 2)
    document.apply(edit.changes)
    assert {e.uid: e.review for e in document.elements("f")}["a"] == "approved"
    assert ReviewElements(uids=("a", "c"), review="approved").edit(document) is None
    one = ReviewElements(uids=("a",), review="unreviewed").edit(document)
    assert one is not None
    assert one.label == "Take back the review of “Alpha” (button)"


def test_what_a_person_drew_goes_when_it_is_rejected(document: Document) -> None:
    edit = ReviewElements(uids=("e", "c"), review="rejected").edit(document)
    assert edit is not None
    document.apply(edit.changes)
    kept = document.element("c")
    assert document.element("e") is None
    assert kept is not None
    assert kept.review == "rejected"
