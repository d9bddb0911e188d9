"""Pictures before the words of a control are no elements."""

from __future__ import annotations

import pytest

from demopack.domain.elements import ElementType, Evidence
from demopack.domain.geometry import Rect
from models.vision.containers import without_decoration
from models.vision.detection import Detection


def _row(kind: ElementType, text: str | None = "Documents") -> Detection:
    words = Rect(40, 4, 110, 20)
    said = () if text is None else (Evidence(source="ocr", box=words, text=text, confidence=0.9),)
    return Detection(type=kind, box=Rect(0, 0, 200, 24), source="detector", confidence=0.9, text=text, evidence=said)


def _small(kind: ElementType, x: int) -> Detection:
    return Detection(type=kind, box=Rect(x, 4, x + 16, 20), source="detector", confidence=0.8)


@pytest.mark.parametrize("kind", ["button", "menu_item", "tab", "tree_item"])
def test_the_icon_before_the_words_of_a_control_is_part_of_it(kind: ElementType) -> None:
    row = _row(kind)
    assert without_decoration([row, _small("icon", 20)]) == [row]


def test_the_tick_of_a_menu_entry_is_no_box_to_tick() -> None:
    row = _row("menu_item")
    assert without_decoration([row, _small("checkbox", 10)]) == [row]


@pytest.mark.parametrize(
    ("row", "small"),
    [
        (_row("menu_item"), _small("icon", 150)),  # the cross that closes it
        (_row("tree_item"), _small("checkbox", 10)),
        (_row("list_item"), _small("icon", 20)),
        (_row("tree_item", None), _small("icon", 20)),
        (_row("button"), _small("icon", 220)),
    ],
)
def test_what_may_be_clicked_by_itself_stays(row: Detection, small: Detection) -> None:
    assert without_decoration([row, small]) == [row, small]
