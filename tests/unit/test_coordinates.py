"""Places in the numbers of each vocabulary, and the picture as large as models see it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.catalogue import CODECS, decode_answer
from demopack.codecs.coordinates import (
    BELOW_THOUSAND,
    PIXELS,
    QWEN_PIXELS,
    TARS_PIXELS,
    THOUSAND,
)
from demopack.codecs.element_words import element_list
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import PlacedAction
from demopack.codecs.specimens import SPECIMENS
from demopack.domain.actions import ActionTarget, parse_action
from demopack.domain.geometry import Point, Rect, Size
from demopack.prompting.dialect_losses import round_trip

NATIVE = {name: codec for name, codec in CODECS.items() if codec.coordinates is not None}

# What smart_resize of ui-tars 0.5.1 makes of a picture, with the least number of pixels of UI-TARS and of Qwen2.5-VL.
SEEN = [
    ((1000, 500), (1008, 504), (1008, 504)),
    ((1280, 720), (1288, 728), (1288, 728)),
    ((1280, 800), (1288, 812), (1288, 812)),
    ((1366, 768), (1372, 756), (1372, 756)),
    ((1440, 900), (1428, 896), (1428, 896)),
    ((1920, 1080), (1932, 1092), (1932, 1092)),
    ((3840, 2160), (3836, 2156), (3836, 2156)),
    ((1022, 1050), (1008, 1064), (1008, 1064)),
    ((7680, 4320), (4760, 2688), (4760, 2688)),
    ((200, 150), (336, 252), (196, 140)),
    ((10, 1900), (28, 3864), (28, 1904)),
]


@pytest.mark.parametrize(("size", "tars", "qwen"), SEEN)
def test_a_picture_is_as_large_as_the_model_sees_it(
    size: tuple[int, int], tars: tuple[int, int], qwen: tuple[int, int]
) -> None:
    """1022 is 36.5 times 28: the half is rounded to the even number."""
    assert TARS_PIXELS.extent(Size(*size)) == tars
    assert QWEN_PIXELS.extent(Size(*size)) == qwen


@settings(max_examples=200, deadline=None)
@given(width=st.integers(1, 9000), height=st.integers(1, 9000))
def test_ui_tars_resizes_every_picture_as_we_do(width: int, height: int) -> None:
    theirs = pytest.importorskip("ui_tars.action_parser", reason="UI-TARS' parser is not installed")
    if max(width, height) / min(width, height) <= theirs.MAX_RATIO:
        tall, wide = theirs.smart_resize(height, width)
        assert TARS_PIXELS.extent(Size(width, height)) == (wide, tall)
        tall, wide = theirs.smart_resize(height, width, min_pixels=4 * 28 * 28)
        assert QWEN_PIXELS.extent(Size(width, height)) == (wide, tall)


def test_these_vocabularies_write_numbers() -> None:
    assert {name: codec.coordinates for name, codec in NATIVE.items()} == {
        "openai": PIXELS,
        "anthropic": PIXELS,
        "gemini": THOUSAND,
        "ui-tars": THOUSAND,
        "ui-tars-1.5": TARS_PIXELS,
        "qwen": BELOW_THOUSAND,
        "qwen2.5-vl": QWEN_PIXELS,
    }


@pytest.mark.parametrize("dialect", NATIVE)
@settings(max_examples=60, deadline=None)
@given(width=st.integers(300, 4000), height=st.integers(300, 3000), data=st.data())
def test_a_place_comes_back_within_the_grid(dialect: str, width: int, height: int, data: st.DataObject) -> None:
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    size = Size(width, height)
    click = parse_action({"action_type": "click", "target": {"bbox": [x / width, y / height, 0, 0]}, "parameters": {}})
    act = PlacedAction(action=click, at=Point(x, y), size=size)
    (answer,) = encode_answers(dialect, IdealAnswer(act=act))
    target = decode_answer(answer, dialect=dialect, observation=Observation(size=size)).response.action.target
    assert target is not None
    assert target.bbox is not None
    coordinates = NATIVE[dialect].coordinates
    assert coordinates is not None
    wide, tall = coordinates.extent(size)
    # Half a step of the grid; beside the right and lower edge of a grid that ends at 999, a whole one.
    step = 0.5 if coordinates.top != 999 else 1
    assert abs(target.bbox[0] * width - x) <= step * width / wide + 0.01
    assert abs(target.bbox[1] * height - y) <= step * height / tall + 0.01


SAME_PICTURES = (Size(1000, 500), Size(1366, 768), Size(2560, 1440))
SAID_OTHERWISE = {"no modifiers", "no hold_s", "no target", "no duration_s", "no path", "no button", "no scroll_steps"}


@pytest.mark.parametrize("dialect", NATIVE)
@pytest.mark.parametrize("size", SAME_PICTURES)
def test_every_action_comes_back_but_for_what_the_writer_says_is_lost(dialect: str, size: Size) -> None:
    for name, act in SPECIMENS.items():
        came = round_trip(dialect, _on(act, size))
        spoken = NATIVE[dialect].encode(_on(act, size))
        assert came.kind != "refused", (name, came)
        assert (came.kind == "silent") is spoken.is_empty
        told = {one for one in came.differences if one not in SAID_OTHERWISE and "reads as" not in one}
        assert not told, (name, came)
        assert "another target" not in came.differences
        assert not any("end_target" in one for one in came.differences)


def _on(act: PlacedAction, size: Size) -> PlacedAction:
    """The same action on a larger picture, at the same fractions of it."""
    assert act.size is not None
    wide, tall = size.width / act.size.width, size.height / act.size.height

    def point(one: Point | None) -> Point | None:
        return None if one is None else Point(round(one.x * wide), round(one.y * tall))

    way = tuple(found for one in act.way if (found := point(one)) is not None)
    return replace(act, at=point(act.at), to=point(act.to), way=way, size=size)


def test_elements_are_listed_in_the_numbers_of_the_answers() -> None:
    act = SPECIMENS["click"]
    assert act.target is not None
    size = Size(1366, 768)
    element = act.target.model_copy(update={"box": Rect(683, 384, 1366, 768), "states": {"enabled": False}})

    def listed(dialect: str) -> list[str]:
        return element_list([element], size, NATIVE[dialect].coordinates).split("\n")

    told = "Elements, each at [left, top, right, bottom] in"
    thousand = "the picture's width and height:"
    assert listed("openai") == [
        f"{told} pixels of the picture, 1366 x 768:",
        '[1] button "Save" at [683, 384, 1366, 768], not enabled',
    ]
    assert listed("anthropic") == listed("openai")
    assert listed("gemini") == [
        f"{told} numbers from 0 to 1000 over {thousand}",
        '[1] button "Save" at [500, 500, 1000, 1000], not enabled',
    ]
    assert listed("ui-tars") == listed("gemini")
    assert listed("qwen") == [
        f"{told} numbers from 0 to 999 over {thousand}",
        '[1] button "Save" at [500, 500, 999, 999], not enabled',
    ]
    assert listed("ui-tars-1.5") == [
        f"{told} pixels of the picture as you see it, 1372 x 756:",
        '[1] button "Save" at [686, 378, 1372, 756], not enabled',
    ]
    assert listed("qwen2.5-vl") == listed("ui-tars-1.5")
    # The contract's own list stays in fractions.
    assert element_list([element], size).split("\n") == [
        "Elements:",
        '[1] button "Save" at [0.500, 0.500, 0.500, 0.500], not enabled',
    ]
    assert element_list([element], None) == ""
    assert element_list([], size, PIXELS) == ""


def test_a_model_that_sees_a_resized_picture_needs_its_size_or_says_itself_what_it_writes() -> None:
    answer = "Action: click(start_box='(686,378)')"

    def read(observation: Observation) -> ActionTarget | None:
        return decode_answer(answer, dialect="ui-tars-1.5", observation=observation).response.action.target

    assert read(Observation(size=Size(1366, 768))) == ActionTarget(bbox=(0.5, 0.5, 0.0, 0.0))
    told = read(Observation(size=Size(1372, 1512), space="pixels"))
    assert told == ActionTarget(bbox=(0.5, 0.25, 0.0, 0.0))
    assert read(Observation(space="thousand")) == ActionTarget(bbox=(0.686, 0.378, 0.0, 0.0))
    assert TARS_PIXELS.measured(Observation()) == Observation(space="pixels")


def test_the_example_of_ui_tars_own_guide_is_read_as_its_guide_reads_it() -> None:
    """README_coordinates.md of UI-TARS (582f3a7): its picture has 1920 x 1080 pixels and is seen as 1932 x 1092."""
    answer = "Thought: xxx\nAction: click(start_box='(197,525)')"
    observation = Observation(size=Size(1920, 1080))
    target = decode_answer(answer, dialect="ui-tars-1.5", observation=observation).response.action.target
    assert target is not None
    assert target.bbox is not None
    assert (int(target.bbox[0] * 1920), int(target.bbox[1] * 1080)) == (195, 519)
