"""The pack and the truth of the told programs fit together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from demopack.domain.elements import ATTRIBUTES
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.pack.reader import read_demos
from lab.evaluation.judge import NOT_USED
from lab.screens.apps.programs import PROGRAMS
from models.training.labelled_screens import LabelledScreen

_FOLDER = Path(__file__).parents[2] / "benchmarks" / "told_programs"


@pytest.fixture(scope="module")
def truth() -> list[LabelledScreen]:
    files = sorted((_FOLDER / "truth").glob("*.json"))
    return [LabelledScreen.model_validate_json(path.read_text(encoding="utf-8")) for path in files]


@pytest.fixture(scope="module")
def steps() -> dict[tuple[str, str], Step]:
    return {(demo.head.id, step.id): step for demo in read_demos(_FOLDER / "pack") for step in demo.steps}


def test_twenty_five_screens_of_ten_programs_that_no_model_has_seen(truth: list[LabelledScreen]) -> None:
    names = Counter(screen.group for screen in truth)
    assert {screen.side for screen in truth} == {"frozen"}
    assert sorted(names.values()) == [1, 1, 2, *[3] * 7], "a program whose window stays as it is shows fewer"
    assert names.keys().isdisjoint(program.name for program in PROGRAMS)


def test_each_screen_is_a_before_frame_whose_windows_were_read(
    truth: list[LabelledScreen], steps: dict[tuple[str, str], Step]
) -> None:
    for screen in truth:
        step = steps[screen.variant["demo"], screen.variant["step"]]
        assert step.before is not None
        assert (step.before.width, step.before.height) == (screen.width, screen.height), screen.name
        assert step.trees, screen.name


def test_the_truth_holds_controls_alone_each_once(truth: list[LabelledScreen]) -> None:
    for screen in truth:
        whole = Rect(0, 0, screen.width, screen.height)
        assert len({(one.type, one.box) for one in screen.elements}) == len(screen.elements), screen.name
        for one in screen.elements:
            assert one.type not in NOT_USED, (screen.name, one)
            assert whole.encloses(one.box), (screen.name, one)
            assert set(one.states) <= ATTRIBUTES[one.type].states, (screen.name, one)
