"""What is on the next picture is decided by pixels: the same, moved, only alike, or gone."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from annotator.propagate.carry import LOW_CONFIDENCE, CarriedElement, carry
from annotator.propagate.comparison import compare
from demopack.domain.elements import Element, Evidence
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from tests.support.across import Item, found, painted, rows
from tests.support.track_scenes import SCENES, painted_things

FIELD = Item(text="Name", type="input_field", box=Rect(300, 60, 560, 90), written="")
BUTTON = Item(text="Send", type="button", box=Rect(300, 120, 380, 150))
TICK = Item(text="Agree", type="checkbox", box=Rect(300, 180, 316, 196), written="")


def carried(before: list[Item], after: RgbImage, **fields: object) -> dict[str, CarriedElement]:
    elements = found(before, "a", **fields)
    got = carry(elements, compare(painted(before), after), frame="b")
    return {one.origin.removeprefix("a-"): one for one in got}


def test_on_an_equal_picture_everything_is_there_with_all_that_was_said() -> None:
    screen = [*rows(), FIELD, BUTTON]
    elements = found(screen, "a", review="approved", states={})
    got = carry(elements, compare(painted(screen), painted(screen)), frame="b")
    assert [one.how for one in got] == ["same"] * len(elements)
    plain = {"uid": "", "frame": ""}
    assert [one.element.model_copy(update=plain) for one in got] == [e.model_copy(update=plain) for e in elements]
    assert {one.element.frame for one in got} == {"b"}
    assert not {one.element.uid for one in got} & {e.uid for e in elements}


def test_rows_that_scrolled_are_shifted_and_those_that_left_are_left_out() -> None:
    screen = rows(16, top=10)
    scrolled = [replace(row, box=row.box.moved(0, -52)) for row in rows(18, top=10)]
    got = carried(screen, painted(scrolled))
    assert "Anna" not in got
    assert "Budget" not in got
    assert all(got[row.text].element.box == row.box.moved(0, -52) for row in screen[2:])
    assert {one.how for one in got.values()} == {"moved"}


def test_what_scrolled_sideways_is_shifted() -> None:
    before = [replace(row, box=row.box.moved(100 * (i % 4), 0)) for i, row in enumerate(rows(16, left=60))]
    after = [replace(item, box=item.box.moved(-37, 0)) for item in before]
    got = carried(before, painted(after))
    assert [got[item.text].element.box for item in after if item.text in got] == [
        item.box for item in after if item.text in got
    ]
    assert len(got) >= len(before) - 4
    assert {one.how for one in got.values()} == {"moved"}


def test_two_panes_beside_each_other_move_on_their_own() -> None:
    left, right = rows(14), [replace(row, text=row.text.upper(), box=row.box.moved(330, 0)) for row in rows(14)]
    after = [*left, *(replace(item, box=item.box.moved(0, 78)) for item in right)]
    got = carried([*left, *right], painted(after))
    assert all(got[item.text].how == "same" for item in left)
    assert all(got[item.text].element.box == item.box.moved(0, 78) for item in right[:10])


def test_what_was_dragged_elsewhere_is_found_by_its_pixels() -> None:
    after = [*rows(), replace(BUTTON, box=BUTTON.box.moved(113, 201))]
    got = carried([*rows(), BUTTON], painted(after), review="approved")
    assert (got["Send"].how, got["Send"].element.box) == ("moved", BUTTON.box.moved(113, 201))
    assert got["Send"].element.review == "approved"


def test_the_evidence_moves_along() -> None:
    said = Evidence(source="detector", type="button", box=BUTTON.box, confidence=0.5)
    moved = replace(BUTTON, box=BUTTON.box.moved(90, 40))
    got = carried([BUTTON], painted([moved]), evidence=(said,))
    assert got["Send"].element.evidence[0].box == moved.box


def test_typed_text_leaves_the_field_as_a_suggestion_without_its_text() -> None:
    got = carried([FIELD], painted([replace(FIELD, written="Ada Lovelace")]), review="approved", source="human")
    one = got["Name"]
    assert (one.how, one.element.text, one.element.box) == ("changed", None, FIELD.box)
    assert (one.element.review, one.element.confidence, one.element.source) == (
        "unreviewed",
        LOW_CONFIDENCE,
        "propagated",
    )
    assert one.element.track_id == "t-Name"


def test_a_pressed_button_keeps_its_text_but_not_its_states() -> None:
    pressed = replace(BUTTON, fill=(60, 110, 220), edge=(20, 60, 160))
    got = carried([BUTTON], painted([pressed]), states={"focused": False})
    assert (got["Send"].how, got["Send"].element.text, got["Send"].element.states) == ("changed", "Send", {})


def test_a_ring_around_a_control_is_a_change_and_a_neighbours_is_not() -> None:
    picture = painted([BUTTON, FIELD])
    ringed, beside = picture.copy(), picture.copy()
    box = BUTTON.box
    ringed[box.y1 - 2 : box.y2 + 2, box.x1 - 2 : box.x2 + 2] = (40, 90, 230)
    ringed[box.y1 : box.y2, box.x1 : box.x2] = picture[box.y1 : box.y2, box.x1 : box.x2]
    beside[box.y1 - 2 : box.y1, box.x1 - 40 : box.x2 + 40] = (40, 90, 230)
    assert carried([BUTTON, FIELD], ringed)["Send"].how == "changed"
    assert carried([BUTTON, FIELD], beside)["Send"].how == "same"


def test_another_text_in_the_same_place_is_another_text() -> None:
    before = Item(text="Not sent yet.", box=Rect(60, 400, 160, 420))
    after = replace(before, text="Thank you, your order is on its way.")
    assert carried([before, *rows()], painted([after, *rows()])).keys() == {row.text for row in rows()}


def test_a_window_stays_when_things_in_it_change() -> None:
    window = Item(text="", type="dialog", box=Rect(20, 20, 620, 460))
    got = carried([window, *rows()], painted([window, *rows(4)]))
    assert got[""].how == "same"
    assert len(got) == 1 + 4


def test_rejected_ones_are_carried_only_where_nothing_changed() -> None:
    got = carried([BUTTON, TICK], painted([BUTTON, replace(TICK, fill=(40, 90, 230))]), review="rejected")
    assert {name: one.how for name, one in got.items()} == {"Send": "same"}


def test_pictures_of_different_sizes_share_what_both_have() -> None:
    got = carried([*rows(), BUTTON], painted([*rows(), BUTTON], size=(800, 500)))
    assert {one.how for one in got.values()} == {"same"}
    beyond = compare(painted(rows()), painted(rows(), size=(800, 500))).regions
    assert beyond == (Rect(640, 0, 800, 500), Rect(0, 480, 640, 500))


def test_only_what_changed_and_did_not_move_asks_for_attention() -> None:
    before, after = rows(16, top=10), [replace(row, box=row.box.moved(0, -52)) for row in rows(18, top=10)]
    comparison = compare(painted([*before, BUTTON]), painted([*after, BUTTON]))
    assert {(move.dx, move.dy) for move in comparison.moves} == {(0, -52)}
    (new_rows,) = comparison.regions
    assert new_rows.encloses(Rect(46, 380, 70, 390))
    assert not new_rows.contains(before[4].box.center)


@pytest.mark.parametrize("scene", SCENES)
def test_in_scenes_with_known_identities_everything_is_followed_and_nothing_else(scene: str) -> None:
    """Lists that scroll or are sorted anew, dialogs, windows that are dragged, fields that are filled in."""
    frames = itertools.islice(SCENES[scene](random.Random(5)), 5)
    for before, after in itertools.pairwise(frames):
        elements = [Element(uid=t.key, frame="a", type=t.type, box=t.box, text=t.text) for t in before]
        got = carry(elements, compare(painted_things(before), painted_things(after)), frame="b")
        there = {thing.key: thing.box for thing in after}
        expected = {thing.key: there[thing.key] for thing in before if thing.key in there}
        assert {one.origin: one.element.box for one in got} == expected


def test_a_box_outside_of_the_picture_is_left_out() -> None:
    outside = Element.model_validate({"uid": "x", "frame": "a", "type": "text", "box": Rect(600, 400, 900, 500)})
    nothing = Element.model_validate({"uid": "y", "frame": "a", "type": "text", "box": Rect(5, 5, 5, 5)})
    picture = painted(rows())
    assert carry([outside, nothing], compare(picture, picture), frame="b") == []
