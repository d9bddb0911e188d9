from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from demopack.domain.actions import parse_action
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.steps import Step
from demopack.domain.verdicts import StepLabel
from models.language.judge.judge_run import ScreenSimilarity, local_labels


def labels(screens: str, *acts: str) -> list[tuple[StepLabel, ...]]:
    """Labels of a demo that goes through screens named by letters; step n does ``acts[n]``, else its own click."""
    steps: list[Step] = []
    for number, (before, after) in enumerate(pairwise(screens)):
        act = acts[number] if number < len(acts) else f"click {number}"
        steps.append(step(number, act, before, after))
    return local_labels(steps, ScreenSimilarity(picture))


def step(number: int, act: str, before: str, after: str) -> Step:
    kind, _, what = act.partition(" ")
    parameters: dict[str, Any] = {"press_key": {"key_info": what}, "type": {"text_to_type": what}}.get(kind, {})
    wait = {"wait_duration_s": 1.0} if kind == "wait" else parameters
    target = {"track_id": what} if kind == "click" else None
    return Step(
        id=f"s{number}", position=number, before=frame(before), after=frame(after),
        action=parse_action({"action_type": kind, "target": target, "parameters": wait}),
    )  # fmt: skip


def picture(name: str) -> RgbImage:
    return np.full((80, 100, 3), 40 * "ABCDEF".index(name), dtype=np.uint8)


def frame(name: str) -> Frame:
    return Frame(id=name, width=100, height=80)


def test_a_demo_without_detours_has_no_labels() -> None:
    assert labels("ABCD") == [(), (), ()]


def test_a_step_that_changes_nothing() -> None:
    assert labels("AAB") == [("no_effect",), ()]
    assert labels("AA", "press_key Ctrl+C") == [()], "copying is not to be seen"
    assert labels("AA", "wait 1") == [()], "waiting is not meant to change anything"


def test_a_step_that_the_next_one_takes_back() -> None:
    assert labels("ABACD") == [("undone",), ("undoing",), (), ()]
    assert labels("ABCAD") == [("undone",), ("undone",), ("undoing",), ()]


def test_a_late_return_is_no_undoing() -> None:
    assert labels("ABCDEA") == [(), (), (), (), ()]


def test_the_same_once_more_on_the_same_screen() -> None:
    assert labels("AAB", "click ok", "click ok") == [("no_effect",), ("repeated",)]
    assert labels("ABC", "click next", "click next") == [(), ()], "each of the two did something"


def test_to_and_fro_between_two_screens() -> None:
    found = labels("ABABC")
    assert [("back_and_forth" in one) for one in found] == [True, True, False, False]


def test_a_step_without_frames_has_no_labels() -> None:
    bare = step(0, "click x", "A", "A").model_copy(update={"before": None})
    assert local_labels([bare], ScreenSimilarity(picture)) == [()]


def test_a_blinking_cursor_makes_no_other_screen_but_is_an_effect() -> None:
    pictures: dict[str, RgbImage] = {name: np.full((80, 100, 3), 240, dtype=np.uint8) for name in "ABC"}
    pictures["B"][20:38, 30:31] = 0
    pictures["C"][20:38, 30:60] = 0
    look = ScreenSimilarity(pictures.__getitem__)
    assert look.same(frame("A"), frame("B"))
    assert not look.equal(frame("A"), frame("B"))
    assert not look.same(frame("A"), frame("C"))
