"""The figures of an evaluation, against cases that were counted by hand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demopack.domain.elements import Element, Evidence
from demopack.domain.geometry import Rect
from demopack.domain.text_likeness import edit_distance
from lab.evaluation.average import Averages
from lab.evaluation.figures import Figures, times
from lab.evaluation.judge import judge
from lab.evaluation.matching import match
from lab.evaluation.tally import Tally
from models.training.differences import plain
from models.training.labelled_screens import GroundTruth, LabelledScreen
from tests.support.truths import as_found, found, screen, truth


def figures(one: LabelledScreen, elements: list[Element]) -> Figures:
    tally = Tally()
    tally.add(judge(one, elements, seconds=0.5))
    return tally.figures(whole=True)


def test_a_box_is_paired_with_the_better_of_two_wherever_it_stands() -> None:
    true = [Rect(0, 0, 100, 10)]
    close, closer = Rect(0, 0, 80, 10), Rect(0, 0, 95, 10)
    assert match(true, [close, closer], least=0.5) == [(0, 1, 0.95)]
    assert match(true, [closer, close], least=0.5) == [(0, 0, 0.95)]
    assert match(true, [Rect(0, 0, 49, 10)], least=0.5) == []


def test_two_boxes_share_two_boxes_so_that_the_whole_overlaps_most() -> None:
    # Taking the best pair first (row 0 with column 1) would leave the other row with nothing.
    true = [Rect(0, 0, 10, 10), Rect(0, 0, 10, 16)]
    seen = [Rect(0, 0, 10, 8), Rect(0, 0, 10, 11)]
    pairs = match(true, seen, least=0.5)
    assert [(t, f) for t, f, _ in pairs] == [(0, 0), (1, 1)]


def test_of_equal_boxes_those_of_one_type_are_paired() -> None:
    one = screen(truth("list_item", (0, 0, 50, 20)), truth("text", (0, 0, 50, 20)))
    for order in ([0, 1], [1, 0]):
        elements = [[found("text", (0, 0, 50, 20)), found("list_item", (0, 0, 50, 20))][i] for i in order]
        assert figures(one, elements).type.share == 1.0


def test_figures_of_a_screen_that_was_counted_by_hand() -> None:
    one = screen(
        truth("button", (0, 0, 20, 10), text="OK now", states={"disabled": False, "focused": True}),
        truth("checkbox", (30, 0, 40, 10), text="Yes", states={"checked": True}),
        truth("icon", (50, 0, 60, 10), subtype="search"),
        truth("text", (0, 40, 60, 50), text="Never found"),
    )
    seen = [
        found("button", (0, 0, 20, 10), text=" OK  now", states={"disabled": False}),
        found("radio", (30, 0, 40, 14), text="Yse", states={"checked": True}),
        found("icon", (50, 0, 60, 10), subtype="menu"),
        found("text", (70, 60, 90, 70), text="Ghost"),
        found("text", (70, 60, 90, 70), text="Gone", review="rejected"),
    ]
    got = figures(one, seen)
    assert (got.at50.hits, got.at50.truth, got.at50.found) == (3, 4, 4)
    assert (got.at50.precision, got.at50.recall, got.at50.f1) == (0.75, 0.75, 0.75)
    assert got.at75.hits == 2
    assert (got.type.right, got.type.of) == (2, 3)
    assert (got.states.right, got.states.of) == (2, 3)
    assert {name: (share.right, share.of) for name, share in got.by_state.items()} == {
        "checked": (1, 1), "disabled": (1, 1), "focused": (0, 1),
    }  # fmt: skip
    assert {name: (share.right, share.of) for name, share in got.when_true.items()} == {
        "checked": (1, 1), "disabled": (0, 0), "focused": (0, 1),
    }  # fmt: skip
    assert (got.text.exact.right, got.text.exact.of) == (1, 2)
    assert (got.text.edits, got.text.characters, got.text.error_rate) == (2, 9, 0.2222)
    assert (got.icon.right, got.icon.of, got.shape.of) == (0, 1, 0)
    assert got.confusion == {"button": {"button": 1}, "checkbox": {"radio": 1}, "icon": {"icon": 1}}
    kind = got.types["text"]
    assert (kind.truth, kind.found, kind.hit, kind.right) == (1, 1, 0, 0)
    assert got.seconds_screen.median == 0.5
    assert got.seconds_element.median == 0.125


def test_a_centre_is_hit_by_what_is_about_as_large_and_lies_about_there() -> None:
    one = screen(
        truth("hyperlink", (0, 0, 40, 10)), truth("hyperlink", (0, 20, 40, 30)), truth("button", (0, 40, 40, 50)),
        truth("text", (0, 60, 40, 70)),
    )  # fmt: skip
    seen = [
        found("text", (10, 0, 30, 10)),  # half of it, in the middle
        found("text_area", (0, 18, 48, 32)),  # half as large again, around it
        found("button", (0, 42, 90, 60)),  # its own centre is elsewhere
        found("icon", (50, 60, 60, 70)),
    ]
    made = figures(one, seen)
    assert made.links.centre.share == 1.0
    assert (made.links.recall.right, made.links.type.right, made.links.precision.of) == (2, 0, 0)
    assert (made.controls.recall.of, made.controls.centre.right) == (1, 0)
    # The link that is said to be an area, of three.
    assert (made.interactive.precision.right, made.interactive.precision.of) == (1, 3)
    assert made.types["hyperlink"].centre == 2


def test_leaves_neither_gain_nor_lose_by_what_holds_them() -> None:
    one = screen(truth("window", (0, 0, 90, 70), leaf=False), truth("button", (10, 10, 40, 20)))
    seen = [
        found("window", (0, 0, 90, 70)),
        found("button", (10, 10, 40, 20)),
        found("toolbar", (0, 60, 90, 80)),
        found("text", (60, 10, 80, 20)),
    ]
    got = figures(one, seen)
    assert (got.at50.hits, got.at50.truth, got.at50.found) == (2, 2, 4)
    assert (got.leaves.hits, got.leaves.truth, got.leaves.found) == (1, 1, 2)


def test_parts_of_a_scroll_bar_count_only_where_the_truth_gives_parts() -> None:
    bar, thumb = truth("scrollbar", (90, 0, 100, 80), leaf=False), truth("scrollbar_thumb", (90, 10, 100, 30))
    seen = [found("scrollbar", (90, 0, 100, 80)), found("scrollbar_thumb", (90, 40, 100, 60))]
    assert figures(screen(bar), seen).at50.f1 == 1.0
    assert figures(screen(bar, thumb), seen).at50.hits == 1
    assert figures(screen(thumb), seen[1:]).at50.found == 1


def test_a_text_where_none_stands_is_counted_as_invented() -> None:
    one = screen(truth("input_field", (0, 0, 50, 20)))
    got = figures(one, [found("input_field", (0, 0, 50, 20), text="••••")])
    assert (got.text.invented.right, got.text.invented.of, got.text.exact.of) == (1, 1, 0)


def test_each_source_is_counted_by_what_it_said_itself() -> None:
    one = screen(truth("button", (0, 0, 40, 20), text="Save"), truth("text", (50, 50, 90, 60), text="Never"))
    evidence = (
        Evidence(source="detector", type="icon", box=Rect(0, 0, 40, 20), confidence=0.8),
        Evidence(source="ocr", type="text", box=Rect(5, 5, 30, 15), text="Save"),
        Evidence(source="describer", type="button", text="Sove"),
    )
    got = figures(one, [found("button", (0, 0, 40, 20), text="Save", evidence=evidence)]).alone
    assert set(got) == {"describer", "detector", "ocr"}
    assert (got["detector"].boxes.f1, got["detector"].type.share) == (0.6667, 0.0)
    assert (got["ocr"].boxes.hits, got["ocr"].text.share) == (0, 1.0)
    describer = got["describer"]
    assert (describer.boxes.found, describer.type.share, describer.edits, describer.characters) == (0, 1.0, 1, 4)


def test_average_precision_ranks_by_confidence() -> None:
    one = screen(truth("button", (0, 0, 20, 20)), truth("text", (50, 50, 90, 60)))
    ghost = found("text", (60, 0, 80, 10), confidence=0.95)
    averages = Averages()
    averages.add(judge(one, [as_found(element) for element in one.elements]))
    assert averages.agnostic().ap == 1.0
    averages = Averages()
    averages.add(judge(one, [found("button", (0, 0, 20, 20)), ghost]))
    # One right after one wrong: half the precision up to half the recall.
    assert averages.agnostic().ap50 == pytest.approx(0.5 * 51 / 101, abs=1e-4)
    typed, single = averages.typed()
    assert single == {"button": 1.0, "text": 0.0}
    assert typed.ap50 == 0.5
    empty = Averages()
    empty.add(judge(screen(), []))
    assert (empty.agnostic().ap, empty.typed()[1]) == (None, {})


boxes = st.builds(
    lambda x, y, w, h: (x, y, x + w, y + h),
    st.integers(0, 60), st.integers(0, 50), st.integers(3, 40), st.integers(3, 30),
)  # fmt: skip
truths = st.lists(
    st.builds(
        lambda kind, box, text: truth(kind, box, text=text),
        st.sampled_from(["text", "button", "icon", "list_item"]), boxes, st.sampled_from([None, "a", "ab c"]),
    ),
    min_size=1, max_size=8, unique_by=lambda one: (one.type, one.box),
)  # fmt: skip


@settings(max_examples=30)
@given(truths)
def test_saying_exactly_what_is_true_is_perfect(elements: list[GroundTruth]) -> None:
    got = figures(screen(*elements), [as_found(one) for one in elements])
    assert (got.at50.f1, got.at75.f1, got.type.share) == (1.0, 1.0, 1.0)
    assert got.text.exact.share in {None, 1.0}


@settings(max_examples=40)
@given(truths, truths, st.integers(0, 1000))
def test_the_order_of_elements_changes_nothing(true: list[GroundTruth], said: list[GroundTruth], seed: int) -> None:
    seen = [as_found(one) for one in said]
    mixed_true, mixed = random.Random(seed).sample(true, len(true)), random.Random(seed).sample(seen, len(seen))
    one, other = figures(screen(*true), seen), figures(screen(*mixed_true), mixed)
    assert (one.at50, one.leaves) == (other.at50, other.leaves)
    assert one.at50.hits <= min(len(true), len(said))


def test_texts_are_compared_composed_and_with_single_spaces() -> None:
    assert plain("  Ré\u0301 \n sumé\t") == plain("Ré\u0301 sumé")
    assert plain("e\u0301") == "é"
    assert plain(None) == ""
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance("abcd", "acbd") == 2


def test_times_are_a_median_and_a_rank() -> None:
    assert times([]).median is None
    assert (times([3.0, 1.0]).median, times([3.0, 1.0]).p95) == (2.0, 3.0)
    assert times([float(n) for n in range(1, 101)]).p95 == 95.0
