"""How much the models that come with demopack find on screens that none of them was trained on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from lab.evaluation.judge import judge
from lab.screens.miniwob.tasks import NEVER_TRAINED
from models.training.differences import plain
from models.training.labelled_screens import LabelledScreen, LabelledScreenSet
from models.vision.finder import WorkerFinder, open_finder

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "tests" / "data" / "screens"


@pytest.fixture(scope="module")
def finder() -> Iterator[WorkerFinder]:
    with open_finder(VisionSettings(describe_s=60.0)) as opened:
        yield opened


def find(finder: WorkerFinder, image: RgbImage) -> list[Element]:
    frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
    return finder.find(image, frame, control=JobControl())


def held_out() -> list[tuple[LabelledScreenSet, LabelledScreen]]:
    sets = [LabelledScreenSet(SAMPLES / name) for name in ("miniwob", "qt", "apps")]
    return [(home, screen) for home in sets for screen in home.screens(sides=["test"])]


def test_most_of_what_is_there_is_found_with_its_type_and_text(finder: WorkerFinder) -> None:
    judged = [judge(screen, find(finder, home.image(screen))) for home, screen in held_out()]
    assert len(judged) >= 5
    truth = sum(len(one.screen.elements) for one in judged)
    found = sum(len(one.found) for one in judged)
    pairs = [pair for one in judged for pair in one.pairs]
    assert 2 * len(pairs) / (truth + found) >= 0.7
    assert sum(pair.truth.type == pair.found.type for pair in pairs) / len(pairs) >= 0.75
    read = [pair for pair in pairs if pair.truth.text]
    assert sum(plain(pair.truth.text) == plain(pair.found.text) for pair in read) / len(read) >= 0.65


def test_a_task_that_was_never_seen_is_understood(finder: WorkerFinder) -> None:
    """The spinner task: both arrows' place, the value, the button that submits."""
    home = LabelledScreenSet(SAMPLES / "miniwob")
    (screen,) = [one for one in home.screens() if one.group == "use-spinner"]
    assert screen.group in NEVER_TRAINED or screen.side == "test"
    found = find(finder, home.image(screen))
    buttons = [one for one in found if one.type == "button"]
    assert "Submit" in {one.text for one in buttons}


def test_states_are_told(finder: WorkerFinder) -> None:
    pairs = [pair for home, screen in held_out() for pair in judge(screen, find(finder, home.image(screen))).pairs]
    told = [(value, pair.found.states.get(state)) for pair in pairs for state, value in pair.truth.states.items()]
    assert sum(true == said for true, said in told) / len(told) >= 0.75
