"""Where things should be when a window has been moved or the screen is larger."""

from __future__ import annotations

from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect
from player.step_plan import Shift


def label(uid: str, x: int, y: int, text: str | None) -> Element:
    box = Rect(x, y, x + 60, y + 20)
    return Element.model_validate({"uid": uid, "frame": "f", "type": "text", "box": box, "text": text})


RECORDED = [
    label("a", 10, 10, "Name"),
    label("b", 10, 50, "Town"),
    label("c", 10, 90, "Save"),
    label("d", 10, 130, None),
]


def moved(dx: int, dy: int) -> list[Element]:
    return [e.changed(uid=f"{e.uid}2", box=e.box.moved(dx, dy)) for e in RECORDED]


def test_labels_tell_how_far_a_window_was_moved() -> None:
    shift = Shift(RECORDED, moved(200, 40))
    assert shift.offset(Point(10, 130)) == (200, 40)
    assert shift.moved(RECORDED[3].box) == RECORDED[3].box.moved(200, 40)
    assert [e.box for e in shift.expected(RECORDED)] == [e.box for e in moved(200, 40)]


def test_one_window_stays_while_the_other_moves() -> None:
    other = [label(f"o{i}", 600, 10 + 40 * i, f"Other {i}") for i in range(5)]
    more = [label(f"m{i}", 10, 170 + 40 * i, f"More {i}") for i in range(3)]
    there = [e.changed(box=e.box.moved(0, 100)) for e in more]
    shift = Shift([*RECORDED, *more, *other], [*moved(0, 100), *there, *other])
    assert shift.offset(Point(20, 140)) == (0, 100)
    assert shift.offset(Point(630, 90)) == (0, 0)


def test_a_label_that_stands_there_twice_tells_nothing() -> None:
    assert Shift([*RECORDED, label("x", 300, 300, "name ")], moved(5, 5)).offset(Point(0, 0)) == (5, 5)
    twice = [label("x", 10, 10, "Row"), label("y", 10, 50, "Row")]
    assert Shift(twice, [e.changed(box=e.box.moved(0, -40)) for e in twice]).offset(Point(0, 0)) == (0, 0)


def test_one_wrong_pair_does_not_lead_astray() -> None:
    strayed = moved(200, 40)
    strayed[1] = strayed[1].changed(box=Rect(700, 500, 760, 520))
    assert Shift(RECORDED, strayed).offset(Point(10, 50)) == (200, 40)


def test_a_larger_screen_is_scaled() -> None:
    shift = Shift(RECORDED, [], scale=(2.0, 2.0))
    assert shift.moved(Rect(10, 10, 70, 30)) == Rect(20, 20, 140, 60)


def test_nothing_is_expected_beyond_the_left_or_the_top() -> None:
    there = [e.changed(box=e.box.moved(-10, -10)) for e in RECORDED[:3]]
    assert Shift(RECORDED, there).moved(Rect(4, 2, 60, 20)) == Rect(0, 0, 56, 18)
