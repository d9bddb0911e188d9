"""From what a page says of itself to the truth about its picture; no browser here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.errors import CaptureError
from lab.screens.browser.dom import page_script, truths
from lab.screens.browser.names import icon_subtype, words_of
from lab.screens.browser.popups import popup_of
from lab.screens.browser.scrollbars import bar_parts
from models.training.labelled_screens import GroundTruth


def _picture(*blots: tuple[int, int, int, int], size: tuple[int, int] = (120, 80)) -> RgbImage:
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    for x1, y1, x2, y2 in blots:
        pen.rectangle((x1, y1, x2 - 1, y2 - 1), fill="black")
    return np.asarray(image)


def _truths(said: list[dict[str, Any]], image: RgbImage, *, scale: float = 1.0) -> list[GroundTruth]:
    return truths(said, image, origin=(0, 0), scale=scale)


def _line(box: list[float], text: str = "words") -> dict[str, Any]:
    return {"type": "text", "box": box, "text": text, "ink": True, "line": True, "states": {"highlighted": False}}


def test_a_line_shrinks_to_its_ink_with_air() -> None:
    (line,) = _truths([_line([5.4, 8.2, 80, 30], "  two   words ")], _picture((10, 14, 50, 24)))

    assert line == GroundTruth(
        type="text", box=Rect(8, 12, 52, 26), text="two words", states={"highlighted": False}, leaf=True
    )


def test_a_line_that_reaches_into_its_neighbour_does_not_take_its_ink() -> None:
    image = _picture((10, 10, 60, 20), (10, 24, 60, 34))

    upper, lower = _truths([_line([8, 6, 70, 26]), _line([8, 20, 70, 38])], image)

    assert (upper.box.y2, lower.box.y1) == (22, 22)


def test_invisible_text_is_no_element() -> None:
    assert not _truths([_line([5, 5, 60, 20])], _picture())


def test_a_control_that_nothing_shows_is_no_element() -> None:
    button = {"type": "button", "box": [10, 10, 50, 30]}
    assert not _truths([button], _picture())
    assert _truths([button], _picture((12, 29, 20, 31)))


def test_the_scale_turns_css_pixels_into_those_of_the_picture() -> None:
    (button,) = _truths(
        [{"type": "button", "box": [10, 5, 30.4, 15], "text": "Go"}], _picture((15, 8, 46, 23)), scale=1.5
    )

    assert button.box == Rect(15, 8, 46, 23)


def test_states_that_cannot_be_told_or_do_not_belong_are_left_out() -> None:
    said = {"type": "checkbox", "box": [5, 5, 18, 18], "states": {"checked": True, "focused": None, "expanded": True}}

    (box,) = _truths([said], _picture((5, 5, 18, 18)))

    assert box.states == {"checked": True}
    assert box.text is None


def test_what_holds_something_is_no_leaf_and_doubles_go() -> None:
    dialog = {"type": "dialog", "box": [0, 0, 100, 70]}
    button = {"type": "button", "box": [10, 10, 50, 30], "text": "OK"}

    found = _truths([dialog, button, dict(button)], _picture((10, 10, 50, 30)))

    assert [(one.type, one.leaf) for one in found] == [("dialog", False), ("button", True)]


def test_an_icon_keeps_away_from_the_text_beside_it() -> None:
    image = _picture((10, 10, 20, 20), (23, 10, 60, 20))

    icon = _truths([{"type": "icon", "box": [8, 8, 26, 22], "ink": True}, _line([22, 6, 70, 24])], image)[0]

    assert icon.box.x2 <= 22


@pytest.mark.parametrize(
    ("names", "subtype"),
    [
        (["fa fa-trash-can"], "delete"),
        (["bi bi-arrow-left"], "left"),
        (["ui-icon ui-icon-seek-next"], "next"),
        (["arrow_back"], "back"),
        (["zoomIn"], "zoom_in"),
        (["icon-unknownthing", "Add to cart"], "cart"),
        (["mdi mdi-magnify-plus"], "zoom_in"),
        (["btn btn-primary"], None),
        ([], None),
    ],
)
def test_names_of_programs_become_subtypes(names: list[str], subtype: str | None) -> None:
    assert icon_subtype(names) == subtype


def test_words_leave_out_what_only_names_the_font() -> None:
    assert words_of("material-icons outlined shoppingCart") == ["shopping", "cart"]


def test_a_scroll_bar_is_taken_apart_by_what_is_drawn() -> None:
    bar = np.full((100, 15, 3), 250, np.uint8)
    bar[5:10, 4:11] = bar[90:95, 4:11] = 130
    bar[20:55, 3:12] = 140

    parts = dict(bar_parts(bar, Rect(0, 0, 15, 100), upright=True).parts)

    assert parts == {
        "scrollbar_up_button": Rect(0, 0, 15, 15),
        "scrollbar_down_button": Rect(0, 85, 15, 100),
        "scrollbar_thumb": Rect(3, 20, 12, 55),
    }


def test_a_scroll_bar_without_buttons_has_a_thumb_alone() -> None:
    bar = np.full((10, 80, 3), 255, np.uint8)
    bar[2:8, 0:30] = 120

    assert bar_parts(bar, Rect(0, 0, 80, 10), upright=False).parts == (("scrollbar_thumb", Rect(0, 2, 30, 8)),)


def _opened_list() -> tuple[RgbImage, Rect]:
    image = np.full((120, 100, 3), 255, np.uint8)
    field = Rect(10, 10, 80, 30)
    image[30:104, 10:90] = 118
    image[31:103, 11:89] = 239
    image[55:79, 11:89] = (25, 103, 210)
    return image, field


def test_the_rows_of_an_opened_list_follow_from_the_chosen_one() -> None:
    image, field = _opened_list()

    popup = popup_of(image, field, ["a", "b", "c"], chosen=1, height=24)

    assert popup is not None
    assert popup.frame == Rect(10, 30, 90, 104)
    assert [(row.text, row.box.y1, row.box.y2) for row in popup.rows] == [("a", 31, 55), ("b", 55, 79), ("c", 79, 103)]
    assert [row.states["highlighted"] for row in popup.rows] == [False, True, False]
    assert popup.bar is None


def test_an_opened_list_hides_what_is_under_it() -> None:
    image, field = _opened_list()
    select = {
        "type": "dropdown", "box": [10, 10, 80, 30], "text": "b", "states": {"expanded": True},
        "options": ["a", "b", "c"], "chosen": 1, "row": 24,
    }  # fmt: skip

    found = _truths([select, {"type": "button", "box": [20, 40, 60, 60], "text": "hidden"}], image)

    assert field == found[0].box
    assert [one.type for one in found] == ["dropdown", "menu_item", "menu_item", "menu_item"]


def test_an_opened_list_that_cannot_be_made_out_spoils_the_picture() -> None:
    select = {
        "type": "dropdown", "box": [10, 10, 80, 30], "options": ["x"] * 40, "chosen": 30, "row": 24,
    }  # fmt: skip
    with pytest.raises(CaptureError, match="drop-down"):
        _truths([select], _picture())


def test_the_script_for_the_page_comes_with_the_package() -> None:
    assert "return found;" in page_script()
