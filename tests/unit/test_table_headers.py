"""Headers of tables, by their pixels: what is one, what only looks like one, and the rows below it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PIL import Image, ImageDraw

from demopack.domain.geometry import Rect
from demopack.pixels.colours import Gray, to_gray
from models.vision.detection import Detection
from models.vision.table_headers import find_headers, is_header_cell, with_tables

COLUMNS = (20, 120, 200, 300)
"""The left edge of the table, two separators, the right edge."""
TOP, LINE = 40, 64
WORDS = ("Name", "Size", "Kind")


def picture(
    *,
    words: tuple[str, ...] = WORDS,
    rows: int = 0,
    pitch: int = 20,
    gap: tuple[int, int] | None = None,
    grid: bool = False,
    lit: int | None = None,
) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """A table on a grey window, as toolkits draw it.

    Args:
        words: on the cells of the header.
        rows: of the table.
        pitch: pixels from row to row.
        gap: from where to where there is no line below the header.
        grid: whether there are lines between all cells.
        lit: the cell of the header that has another ground.
    """
    image = Image.new("RGB", (400, 260), (230, 230, 230))
    draw = ImageDraw.Draw(image)
    draw.rectangle((COLUMNS[0], TOP, COLUMNS[-1] - 1, 239), fill="white")
    for number, (x1, x2, word) in enumerate(zip(COLUMNS, COLUMNS[1:], words, strict=False)):
        if number == lit:
            draw.rectangle((x1, TOP, x2, LINE), fill=(50, 130, 230))
        draw.text((x1 + 10, TOP + 6), word, fill=(60, 60, 60))
    for row in range(rows):
        for x in COLUMNS[:-1]:
            draw.text((x + 10, LINE + 5 + row * pitch), f"row{row}", fill="black")
    for x in COLUMNS[1:-1]:
        draw.line((x, TOP, x, LINE), fill=(205, 205, 205))
    draw.line((COLUMNS[0], LINE, COLUMNS[-1] - 1, LINE), fill=(205, 205, 205))
    if gap is not None:
        draw.line((gap[0], LINE, gap[1], LINE), fill="white")
    if grid:
        for y in range(LINE + pitch, 239, pitch):
            draw.line((COLUMNS[0], y, COLUMNS[-1] - 1, y), fill=(205, 205, 205))
        for x in COLUMNS[1:-1]:
            draw.line((x, LINE, x, 238), fill=(205, 205, 205))
    return image, draw


def gray_of(image: Image.Image) -> Gray:
    return to_gray(np.asarray(image))


def test_the_cells_of_a_header_reach_from_line_to_line() -> None:
    ((cells, below),) = find_headers(gray_of(picture()[0]))
    assert [(cell.y1, cell.y2) for cell in cells] == [(TOP, LINE)] * 3
    assert [(cell.x1, cell.x2) for cell in cells] == [(20, 120), (121, 200), (201, 300)]
    assert (below.x1, below.y1, below.x2) == (20, LINE, 300)


def test_even_rows_below_a_header_are_found_with_it() -> None:
    found = with_tables(gray_of(picture(rows=5)[0]), [])
    rows = [one.box for one in found if one.type == "list_item"]
    assert len(rows) == 5
    assert all((row.x1, row.x2) == (20, 300) and row.height in {19, 20, 21} for row in rows)
    assert all(above.y2 == below.y1 for above, below in itertools.pairwise(rows))
    assert all(rows[n].contains(Rect(30, 74 + 20 * n, 31, 75 + 20 * n).center) for n in range(5))
    assert sum(is_header_cell(one) for one in found) == 3
    assert not any(is_header_cell(one) for one in found if one.type == "list_item")


def test_what_a_detector_sees_of_a_header_is_its_cells_and_its_rows_stay() -> None:
    def seen(kind: str, *box: int) -> Detection:
        return Detection(type=kind, box=Rect(*box), source="detector", confidence=0.9)  # type: ignore[arg-type]

    row, near = seen("tree_item", 20, 65, 300, 84), seen("button", 320, 40, 380, 64)
    given = [seen("dropdown", 25, 42, 170, 62), row, seen("menu_item", 20, 85, 300, 104), near]
    found = with_tables(gray_of(picture(rows=3)[0]), given)
    assert [one for one in found if one.source == "detector"] == [row, near]
    assert [one.type for one in found if one.source == "rule"] == ["button"] * 3 + ["list_item"] * 2
    tabs = [seen("tab", 20, 40, 120, 64), seen("tab", 120, 40, 200, 64)]
    assert with_tables(gray_of(picture()[0]), tabs) == tabs


def test_a_table_with_lines_between_its_cells_has_a_header_where_it_looks_otherwise() -> None:
    assert find_headers(gray_of(picture(rows=4, grid=True)[0])) == []
    image, draw = picture(rows=4, grid=True)
    for x1, x2, word in zip(COLUMNS, COLUMNS[1:], WORDS, strict=False):
        draw.rectangle((x1 + (x1 != COLUMNS[0]), TOP, x2 - 1, LINE - 1), fill=(215, 215, 215))
        draw.text((x1 + 10, TOP + 6), word, fill=(60, 60, 60))
    draw.line((COLUMNS[0], LINE, COLUMNS[-1] - 1, LINE), fill=(150, 150, 150))
    for x in COLUMNS[1:-1]:
        draw.line((x, TOP, x, LINE - 1), fill=(150, 150, 150))
    assert len(find_headers(gray_of(image))) == 1


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(picture(gap=(121, 199))[0], id="a tab that is shown has no line below it"),
        pytest.param(picture(lit=1)[0], id="an entry of a menu bar that is lit up"),
        pytest.param(picture(words=("", "", ""))[0], id="nothing is written"),
        pytest.param(picture(words=("o          o          o", "o", "o"))[0], id="signs of a tool bar"),
        pytest.param(
            picture(words=("a long sentence ends", "in the second", "cell"))[0], id="a line of text behind it"
        ),
    ],
)
def test_what_only_looks_like_a_header_is_none(image: Image.Image) -> None:
    assert find_headers(gray_of(image)) == []


def test_marks_of_a_ruler_are_no_separators() -> None:
    image, draw = picture(words=("0", "50", "100"))
    for x in range(COLUMNS[0] + 4, COLUMNS[-1], 8):
        draw.line((x, LINE - 4, x, LINE), fill=(60, 60, 60))
    assert find_headers(gray_of(image)) == []


def test_a_picture_of_any_size_may_have_none() -> None:
    for height, width in ((1, 1), (3, 400), (60, 2), (30, 30)):
        assert find_headers(np.zeros((height, width), dtype=np.int16)) == []


def form_below_a_table() -> Gray:
    """A table of two columns with three rows, and two lines of a form that stand in the same distances below it."""
    image = Image.new("RGB", (400, 300), "white")
    draw = ImageDraw.Draw(image)
    for number in range(6):
        y = 20 + 30 * number
        if number < 4:
            draw.rectangle((20, y, 380, y + 30), fill="white" if number else "gainsboro", outline=(150, 150, 150))
            draw.line((200, y, 200, y + 30), fill=(150, 150, 150))
        for x in (30, 210):
            draw.text((x, y + 8), "Words", fill="black")
    return gray_of(image)


def test_a_form_below_a_table_with_lines_is_no_row_of_it() -> None:
    rows = [one.box for one in with_tables(form_below_a_table(), []) if one.type == "list_item"]
    assert [row.y1 // 30 for row in rows] == [1, 2, 3]
    assert max(row.y2 for row in rows) <= 142
