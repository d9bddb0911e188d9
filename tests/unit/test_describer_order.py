from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from demopack.domain.geometry import Point, Rect
from demopack.errors import ModelError
from demopack.settings import VisionSettings
from models.vision.describer import Describer, decode, looking_order, open_describer
from models.vision.describer_words import DescriberTokenizer
from models.vision.description import Description
from models.vision.patches import Floats, PatchScales

IMAGE = np.zeros((400, 400, 3), dtype=np.uint8)
BOXES = [Rect(10, 300, 40, 320), Rect(200, 10, 230, 30), Rect(10, 12, 40, 32), Rect(300, 200, 330, 220)]


class Engine:
    """Takes one second for each box and says at which place in the order it came."""

    batch = 2

    def __init__(self) -> None:
        self.now = 0.0
        self.seen: list[Rect] = []

    def answers(self, scales: PatchScales, boxes: Sequence[Rect]) -> list[Description | None]:
        assert scales.at(0) is IMAGE
        self.now += len(boxes)
        self.seen += boxes
        return [Description(type="button") for _ in boxes]

    def clock(self) -> float:
        return self.now


def test_rows_from_the_top_and_from_left_to_right() -> None:
    assert looking_order(BOXES, []) == [2, 1, 3, 0]


def test_what_is_near_a_point_comes_first_the_nearest_before_all() -> None:
    assert looking_order(BOXES, [Point(310, 210)])[0] == 3
    around, inside = Rect(0, 0, 100, 100), Rect(40, 40, 60, 60)
    assert looking_order([around, inside], [Point(50, 50)]) == [1, 0]
    assert looking_order(BOXES, [Point(390, 390)])[0] == 2  # near nothing


@pytest.mark.parametrize(("limit", "described"), [(100.0, 4), (4.0, 4), (3.0, 3), (2.5, 2), (0.5, 2), (0.0, 0)])
def test_the_time_limit_holds_and_the_first_few_are_always_described(limit: float, described: int) -> None:
    engine = Engine()
    describer = Describer(engine, clock=engine.clock)
    said = describer.describe(IMAGE, BOXES, limit_s=limit)
    assert sum(one is not None for one in said) == described
    assert [BOXES.index(box) for box in engine.seen] == [2, 1, 3, 0][:described]
    assert [i for i, one in enumerate(said) if one is not None] == sorted([2, 1, 3, 0][:described])


def test_boxes_outside_the_picture_are_no_work() -> None:
    engine = Engine()
    said = Describer(engine, clock=engine.clock).describe(
        IMAGE, [Rect(500, 500, 600, 600), Rect(390, 390, 500, 500)], limit_s=9
    )
    assert said[0] is None
    assert engine.seen == [Rect(390, 390, 400, 400)]


WORDS = DescriberTokenizer.standard()


class Script:
    """Says the words it was told to for each view, quite sure of each; then it has no preference."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = answers
        self._place = 0

    def look(self, patches: Floats) -> None:
        assert len(patches) == len(self._answers)

    def next(self, words: npt.NDArray[np.int64], kept: None) -> tuple[Floats, None]:
        assert words.shape == (len(self._answers), 1)
        assert kept is None
        logits = np.zeros((len(self._answers), len(WORDS.words)), dtype=np.float32)
        for row, answer in enumerate(self._answers):
            if self._place < len(answer):
                logits[row, WORDS.numbers[answer[self._place]]] = 5.0
        self._place += 1
        assert self._place < 60, "decoding did not end"
        return logits, None


def said_by(*answers: Sequence[str], characters: int = 0) -> list[Description | None]:
    patches = np.zeros((len(answers), 1, 770), dtype=np.float32)
    return decode(Script(*answers), WORDS, patches, characters=characters)


def test_answers_are_decoded_with_their_confidences() -> None:
    first, second = said_by(["checkbox", "checked=yes", "disabled=no", "<end>"], ["nothing"])
    assert first is not None
    assert second is not None
    assert (first.type, first.states) == ("checkbox", {"checked": True, "disabled": False})
    assert second.type is None
    assert 0.7 < first.type_confidence < 1
    assert set(first.state_confidence) == {"checked", "disabled"}
    # After "checked" only five words may come, so the same certainty means more.
    assert first.state_confidence["checked"] > first.type_confidence


def test_a_model_that_wants_to_say_nonsense_cannot() -> None:
    (said,) = said_by(["checked=yes", "icon", "expanded=yes", "text="])
    assert said is not None
    assert said.type is not None
    assert said == said.cleaned()


def test_the_text_is_read_only_when_it_is_wanted_and_not_without_end() -> None:
    answer = ["text", "text=", "H", "i", "<end>"]
    assert [d.text for d in said_by(answer) if d] == [None]
    assert [d.text for d in said_by(answer, characters=9) if d] == ["Hi"]
    assert [d.text for d in said_by(["text", "text=", *"abcdefghijkl"], characters=4) if d] == ["abcd"]


@pytest.mark.parametrize("name", ["no-such-model", ""])
def test_a_describer_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(ModelError) as caught:
        open_describer(VisionSettings(describer=name), threads=1)
    assert "vision.describer" in caught.value.hint
