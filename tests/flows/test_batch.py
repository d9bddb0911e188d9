"""Many screens at once: ranges, duplicates, tightening, what the programs told, and searches that go on later."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.batch.batch_commands import AddAccessible, RemoveDuplicates, TightenAll, find_duplicates, tighten_all
from annotator.batch.parsing import (
    DemoOrder,
    ParseOrder,
    frames_of,
    load_order,
    save_order,
    search,
    searched_words,
    steps_in,
)
from annotator.document import Document
from demopack.clock import utc_now
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.records import new_id
from demopack.domain.steps import AccessibleElement, Step
from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.store import Library
from models.vision.demo_parsing import ParseReport
from tests.support.editing import element
from tests.support.small_demos import blank, click_step, painted, record

FRAMES = tuple(Frame(id=name, width=320, height=200) for name in "abcd")


def found(uid: str, box: tuple[int, int, int, int], sure: float = 0.5, **fields: object) -> Element:
    return element(uid, box, **{"source": "detector", "confidence": sure, "frame": "a", **fields})


def steps() -> tuple[Step, ...]:
    pairs = itertools.pairwise(FRAMES)
    return tuple(click_step(i, before, after, Point(5, 5)) for i, (before, after) in enumerate(pairs))


def document(*elements: Element, told: AccessibleElement | None = None) -> Document:
    first, *others = steps()
    head = DemoHead(id="demo_1", task="", created_at=utc_now(), final_frame=FRAMES[3])
    by_frame: dict[str, tuple[Element, ...]] = {}
    for one in elements:
        by_frame[one.frame] = (*by_frame.get(one.frame, ()), one)
    first = first.model_copy(update={"pointed": told})
    return Document(Demo(head=head, steps=(first, *others), elements=by_frame))


def do(doc: Document, command: Any) -> str:
    edit = command.edit(doc)
    assert edit is not None
    doc.apply(edit.changes)
    return str(edit.label)


# Ranges -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "numbers", "screens"),
    [("step", [1], "bc"), ("selected", [0, 2], "abcd"), ("onwards", [1, 2], "bcd"), ("demo", [0, 1, 2], "abcd")],
)
def test_a_scope_has_steps_and_screens(scope: Any, numbers: list[int], screens: str) -> None:
    doc = document()
    chosen = steps_in(doc, scope, current="step_1", selected={"step_0", "step_2"})
    assert [step.id for step in chosen] == [f"step_{n}" for n in numbers]
    assert "".join(frame.id for frame in frames_of(doc, chosen)) == screens


def test_an_empty_demo_has_no_steps_anywhere() -> None:
    assert steps_in(document(), "step", current=None) == ()
    assert steps_in(document(), "onwards", current=None) == ()


# Duplicates ---------------------------------------------------------------------------------------------------


def gone(*elements: Element) -> list[tuple[str, str, str]]:
    return [(d.uid, d.keep, d.reason) for d in find_duplicates(elements)]


def test_nearly_the_same_box_of_one_type_is_double() -> None:
    assert gone(found("a", (10, 10, 110, 40), 0.9), found("b", (10, 10, 109, 40), 0.5)) == [("b", "a", "same_box")]
    assert gone(found("a", (10, 10, 110, 40)), found("b", (10, 10, 109, 40), type="tab")) == []
    assert gone(found("a", (10, 10, 110, 40)), found("b", (10, 10, 82, 40))) == [("b", "a", "same_box")]
    assert gone(found("a", (10, 10, 110, 40)), found("b", (10, 10, 78, 40))) == []
    assert gone(found("a", (10, 10, 110, 40)), found("b", (10, 10, 110, 40), review="rejected")) == []


def test_a_box_inside_another_with_the_same_words_is_double() -> None:
    outer = found("a", (10, 10, 110, 40), text="Save all")
    assert gone(outer, found("b", (30, 15, 90, 35), 0.4, type="text", text="SAVE  all")) == [
        ("b", "a", "same_text_inside")
    ]
    assert gone(outer, found("b", (30, 15, 90, 35), type="text", text="Save")) == []
    assert gone(outer, found("b", (30, 15, 120, 35), type="text", text="Save all")) == []
    assert gone(found("a", (10, 10, 110, 40)), found("b", (30, 15, 90, 35))) == [], "no words are not the same words"


def test_what_a_person_decided_stays_and_nobody_goes_for_one_who_goes() -> None:
    box = (10, 10, 110, 40)
    mine = found("mine", box, source="human").changed(confidence=None)
    assert gone(found("sure", box, 0.99), mine) == [("sure", "mine", "same_box")]
    assert gone(found("sure", box, 0.99), found("seen", box, 0.1, review="approved")) == [("sure", "seen", "same_box")]
    chain = [found(f"c{i}", (10 + 15 * i, 10, 110 + 15 * i, 40), 0.9 - i / 10) for i in range(3)]
    assert gone(*chain) == [("c1", "c0", "same_box")], "the third is near the second only, and that one goes"


def test_what_a_step_is_bound_to_stays() -> None:
    small, large = (
        found("small", (30, 15, 90, 35), 0.2, text="List"),
        found("large", (10, 10, 110, 40), 0.9, text="List"),
    )
    assert gone(small, large) == [("small", "large", "same_text_inside")]
    found_here = find_duplicates([small, large], targets={"small"})
    assert [(d.uid, d.keep) for d in found_here] == [("large", "small")]
    assert find_duplicates([small, large], targets={"small", "large"}) == []


def test_a_word_in_a_text_area_is_no_double_of_it() -> None:
    for kind in ("text_area", "window", "dialog", "image"):
        area = found("area", (0, 0, 500, 300), 0.3, type=kind, text="Shopping list")
        assert gone(area, found("word", (10, 10, 90, 30), 0.9, type="text", text="Shopping list")) == []


def test_no_target_goes_whatever_was_ticked() -> None:
    doc = document(found("a", (1, 1, 9, 9)), found("b", (1, 1, 9, 8)))
    first = doc.steps[0]
    doc.replace(first.model_copy(update={"target_uid": "b"}))
    assert do(doc, RemoveDuplicates(uids=("a", "b"))) == "Remove the double of the button"
    assert [doc.element(uid).review for uid in "ab"] == ["rejected", "unreviewed"]  # type: ignore[union-attr]
    assert doc.steps[0].target_uid == "b"


def test_thousands_of_elements_are_compared() -> None:
    rows = [found(f"r{i}", (0, 4 * i, 50, 4 * i + 3)) for i in range(900)]
    assert gone(*rows, found("twin", (0, 8, 50, 11), 0.1)) == [("twin", "r2", "same_box")]


def test_doubles_go_in_one_edit_and_are_remembered() -> None:
    doc = document(found("a", (1, 1, 9, 9)), found("b", (1, 1, 9, 9), frame="b"), element("m", frame="a"))
    assert do(doc, RemoveDuplicates(uids=("a", "b", "m"))) == "Remove 3 doubles on 2 screens"
    assert [doc.element(uid) and doc.element(uid).review for uid in "abm"] == ["rejected", "rejected", None]  # type: ignore[union-attr]
    assert RemoveDuplicates(uids=("a", "b")).edit(doc) is None
    assert do(document(found("a", (1, 1, 9, 9), text="OK")), RemoveDuplicates(uids=("a",))) == (
        "Remove the double of “OK” (button)"
    )


# Tightening ---------------------------------------------------------------------------------------------------


class Store:
    """Pictures by frame id."""

    def __init__(self, **images: RgbImage) -> None:
        self.images = images

    def get_image(self, frame_id: str) -> RgbImage:
        return self.images[frame_id]


def test_boxes_of_many_screens_are_fitted_and_suggestions_stay_suggestions() -> None:
    ink = Rect(50, 40, 120, 70)
    loose = found("a", (44, 33, 127, 79))
    elements = {
        "a": [loose, found("out", (0, 0, 9, 9), review="rejected")],
        "b": [found("b", (50, 40, 120, 70), frame="b")],
    }
    seen: list[Progress] = []
    store = Store(a=painted(ink), b=painted(ink))
    boxes = tighten_all(store, elements, control=JobControl(report=seen.append))
    assert boxes == {"a": ink}
    assert [(p.done, p.total) for p in seen] == [(0, 2), (1, 2), (2, 2)]
    doc = document(loose)
    assert do(doc, TightenAll(boxes=boxes)) == "Tighten the button"
    now = doc.element("a")
    assert now is not None
    assert (now.box, now.review, now.evidence[0].box) == (ink, "unreviewed", loose.box)
    assert TightenAll(boxes=boxes).edit(doc) is None


def test_what_reaches_further_than_its_ink_is_not_tightened_with_the_others() -> None:
    wide = [found(kind, (44, 33, 127, 79), type=kind) for kind in ("list_item", "slider", "window", "icon")]
    boxes = tighten_all(Store(a=painted(Rect(50, 40, 120, 70))), {"a": wide}, control=JobControl())
    assert set(boxes) == {"icon"}


def test_tightening_is_cancelled_between_boxes() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        tighten_all(Store(a=blank()), {"a": [found("a", (1, 1, 9, 9))]}, control=JobControl(token=token))


# What the programs told ---------------------------------------------------------------------------------------


def test_what_the_programs_told_becomes_suggestions_and_touches_no_decision() -> None:
    told = AccessibleElement(role="check box", name="Send", box=Rect(10, 10, 60, 30), states=("checked",))
    doc = document(told=told)
    assert do(doc, AddAccessible(frames=FRAMES)) == "Add what the programs told about 1 element"
    (made,) = doc.elements("a")
    assert (made.type, made.text, made.source, made.review) == ("checkbox", "Send", "accessibility", "unreviewed")
    assert AddAccessible(frames=FRAMES).edit(doc) is None
    for review in ("approved", "rejected"):
        settled = document(found("x", (10, 10, 60, 30), review=review), told=told)
        assert AddAccessible(frames=FRAMES).edit(settled) is None
    evidence = document(found("x", (10, 10, 60, 30)), told=told)
    do(evidence, AddAccessible(frames=FRAMES[:1]))
    assert [e.source for e in evidence.element("x").evidence] == ["detector", "accessibility"]  # type: ignore[union-attr]
    assert AddAccessible(frames=FRAMES[1:]).edit(document(told=told)) is None


# Searches -----------------------------------------------------------------------------------------------------


class Counting:
    """Finds one button on every screen, and counts; cancels at a call."""

    name = "counting-1"

    def __init__(self, *, cancel_at: int = 0, token: CancelToken | None = None) -> None:
        self.frames: list[str] = []
        self.cancel_at, self.token = cancel_at, token

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Any = ()) -> list[Element]:
        del image, near
        if self.token is not None and len(self.frames) + 1 == self.cancel_at:
            self.token.cancel()
        control.token.check()
        self.frames.append(frame.id)
        return [found(new_id("el"), (10, 10, 60, 30), 0.9, frame=frame.id)]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    images = [blank(shade=shade) for shade in (240, 230, 220, 210)]
    with record(tmp_path, images, [Point(15, 15)] * 3) as opened:
        yield opened


def order(library: Library, *numbers: int, again: bool = False) -> ParseOrder:
    frames = library.demo("demo_1").frames()
    return ParseOrder(again=again, demos=(DemoOrder(demo="demo_1", frames=tuple(frames[n].id for n in numbers)),))


def test_only_the_ordered_screens_are_searched(library: Library) -> None:
    frames, finder = library.demo("demo_1").frames(), Counting()
    done = search(library, order(library, 1, 2), finder, control=JobControl())
    assert finder.frames == [frames[1].id, frames[2].id]
    assert [(one.frames, one.elements, one.skipped) for one in done] == [(2, 2, 0)]
    assert load_order(library.folder) is None
    assert search(library, order(library, 1, 3), Counting(), control=JobControl())[0].skipped == 1


def test_a_cancelled_search_goes_on_where_it_stopped_also_when_it_looks_again(library: Library) -> None:
    search(library, order(library, 0, 1, 2, 3), Counting(), control=JobControl())
    token = CancelToken()
    with pytest.raises(CancelledError):
        search(
            library,
            order(library, 0, 1, 2, 3, again=True),
            Counting(cancel_at=3, token=token),
            control=JobControl(token=token),
        )
    left = load_order(library.folder)
    assert left is not None
    assert (left.screens, left.again) == (2, True)
    finder = Counting()
    search(library, left, finder, control=JobControl())
    assert finder.frames == [frame.id for frame in library.demo("demo_1").frames()[2:]]
    assert load_order(library.folder) is None


def test_all_demos_are_searched_one_after_the_other_and_one_that_went_is_left_out(library: Library) -> None:
    demo = library.demo("demo_1")
    for name in ("demo_2", "demo_3"):
        library.add_demo(Demo(head=demo.head.model_copy(update={"id": name}), steps=demo.steps, elements={}))
    library.delete_demo("demo_2")
    everything = ParseOrder(demos=tuple(DemoOrder(demo=name) for name in ("demo_1", "demo_2", "demo_3")))
    assert everything.screens is None
    seen: list[Progress] = []
    done = search(library, everything, Counting(), control=JobControl(report=seen.append))
    assert (len(done), sum(one.frames for one in done)) == (2, 8)
    assert searched_words(done) == "Searched 8 of 8 screens in 2 demos; elements there now: 8."
    assert {p.total for p in seen} == {3}
    assert seen[-1].text.startswith("Demo 3 of 3. ")


def test_a_whole_demo_that_was_cancelled_goes_on_screen_by_screen(library: Library) -> None:
    token = CancelToken()
    whole = ParseOrder(again=True, demos=(DemoOrder(demo="demo_1"),))
    with pytest.raises(CancelledError):
        search(library, whole, Counting(cancel_at=4, token=token), control=JobControl(token=token))
    left = load_order(library.folder)
    assert left is not None
    assert left.screens == 1


def test_an_order_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    save_order(tmp_path, ParseOrder(demos=(DemoOrder(demo="demo_1", frames=("a",)),)))
    assert load_order(tmp_path) is not None
    (tmp_path / "cache" / "unfinished-search.json").write_text('{"schema_version": 9}', encoding="utf-8")
    assert load_order(tmp_path) is None
    save_order(tmp_path, None)
    assert not (tmp_path / "cache" / "unfinished-search.json").exists()


def parsed(*, frames: int = 0, elements: int = 0, skipped: int = 0) -> ParseReport:
    return ParseReport(
        demo="demo_1", finder="f", frames=frames, skipped=skipped, cached=0, elements=elements, bound=0, unbound=(),
        silent=(), seconds=0.1,
    )  # fmt: skip


def test_words_about_a_search() -> None:
    assert searched_words([parsed()]) == "Every one of these screens had been searched before."
    assert (
        searched_words([parsed(frames=1, elements=7, skipped=2)]) == "Searched 1 of 3 screens; elements there now: 7."
    )
