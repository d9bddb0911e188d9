"""A control in which a detector sees a whole page of others is none."""

from __future__ import annotations

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect
from models.vision.detection import Detection
from models.vision.duplicates import without_pages


def _seen(kind: ElementType, x: int, y: int, width: int, height: int) -> Detection:
    return Detection(type=kind, box=Rect(x, y, x + width, y + height), source="detector", confidence=0.8)


def test_a_list_to_drop_down_with_a_page_in_it_is_none_and_a_field_with_its_buttons_is_one() -> None:
    page = _seen("dropdown", 0, 0, 400, 400)
    marks = [_seen("checkbox", 20, 20 * n, 14, 14) for n in range(1, 6)]
    field = _seen("input_field", 0, 420, 300, 24)
    ends = [_seen("button", 256, 422, 20, 20), _seen("button", 278, 422, 20, 20)]
    words = [_seen("text", 40, 20 * n, 100, 14) for n in range(1, 6)]
    area = _seen("text_area", 420, 0, 200, 200)
    lines = [_seen("text", 430, 20 * n, 100, 14) for n in range(1, 6)]
    window = _seen("window", 0, 0, 640, 480)
    rest = [*marks, field, *ends, *words, area, *lines, window]
    assert without_pages([page, *rest]) == rest
    assert without_pages([page, *marks[:2]]) == [page, *marks[:2]], "two may stand on one"
    assert without_pages([page], marks) == [], "they may be known from before"
    twice = [_seen("dropdown", 1, 1, 398, 398)] * 4
    assert without_pages([page, *twice]) == [page, *twice], "the same, seen several times"
    assert without_pages([]) == []
