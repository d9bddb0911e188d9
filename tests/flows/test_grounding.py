"""Grounding rows: every name means one element, and every place is that element's, in three units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from demopack.codecs.element_names import element_names
from demopack.domain.elements import NumberedElement
from tests.support.exports import export, lines, make_pack


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"))


Given = tuple[str, str | None, tuple[int, int, int, int]]


def _screen(*given: Given, scale: int = 1) -> list[NumberedElement]:
    """Elements; a kind may have its subtype before it (``close icon``); a text that OCR is unsure of ends in ``?``."""
    found: list[NumberedElement] = []
    for number, (kind, text, box) in enumerate(given, start=1):
        subtype, _, plain = kind.rpartition(" ")
        read = {"text": text.removesuffix("?"), "source": "ocr", "confidence": 0.3} if text and text[-1] == "?" else {}
        values = {"uid": f"u{number}", "frame": "f", "number": number, "type": plain, "subtype": subtype or None}
        pixels = [scale * edge for edge in box]
        found.append(NumberedElement.model_validate({**values, "text": text, "box": pixels, **read}))
    return found


def _names(*given: Given) -> list[tuple[str, str | None, int]]:
    """What each is called; a desktop that is drawn twice as large is called the same."""
    found, large = (element_names(_screen(*given, scale=scale)) for scale in (1, 2))
    assert [one.words for one in large] == [one.words for one in found]
    return [(one.words, one.by, len(one.distractors)) for one in found]


def _words(*given: Given) -> list[str]:
    return [words for words, _, _ in _names(*given)]


def test_a_text_that_stands_once_is_enough() -> None:
    assert _names(("button", "Save", (0, 0, 40, 20)), ("text", "Name", (0, 50, 40, 70))) == [
        ('the button "Save"', "text", 0),
        ('the text "Name"', "text", 0),
    ]


def test_the_type_tells_equal_texts_apart_and_the_row_says_how_many_there_are() -> None:
    assert _names(("button", "Save", (0, 0, 40, 20)), ("menu_item", "save", (0, 50, 40, 70))) == [
        ('the button "Save"', "type", 1),
        ('the menu item "save"', "type", 1),
    ]


def test_what_lies_in_an_element_is_no_other_thing() -> None:
    # Pointing at the button hits the window; the window's middle is not in the button.
    found = _names(
        ("window", "Save", (0, 0, 400, 300)), ("button", "Save", (10, 10, 60, 30)), ("text", "Save", (15, 12, 55, 28))
    )
    assert found == [
        ('the window "Save"', "text", 0),
        ('the button "Save"', "type", 0),
        ('the text "Save"', "type", 0),
    ]


def test_a_field_that_goes_by_its_label_says_so_whatever_it_holds() -> None:
    found = _names(("text", "Name", (0, 0, 40, 20)), ("input_field", "Ada", (50, 0, 150, 20)))
    assert found[1] == ('the input field beside "Name"', "label", 0)


def test_the_row_of_a_table_tells_its_buttons_apart() -> None:
    found = _names(
        ("text", "Ada", (0, 0, 50, 20)), ("button", "Edit", (100, 0, 140, 20)),
        ("text", "Bob", (0, 40, 50, 60)), ("button", "Edit", (100, 40, 140, 60)),
    )  # fmt: skip
    assert found[1] == ('the button "Edit" beside "Ada"', "neighbour", 1)
    assert found[3] == ('the button "Edit" beside "Bob"', "neighbour", 1)


def test_the_order_tells_apart_what_has_no_neighbour() -> None:
    column = _names(*(("button", "Edit", (0, 30 * n, 40, 30 * n + 20)) for n in range(23)))
    assert column[1] == ('the second button "Edit" from the top', "order", 22)
    assert [column[n][0].split()[1] for n in (9, 10, 20, 21, 22)] == ["tenth", "11th", "21st", "22nd", "23rd"]
    row = _names(*(("button", "Edit", (50 * n, 0, 50 * n + 40, 20)) for n in range(2)))
    assert [one[0] for one in row] == [
        'the first button "Edit" from the left',
        'the second button "Edit" from the left',
    ]


def test_what_nothing_tells_apart_has_no_name() -> None:
    # Neither in rows nor in columns.
    boxes = ((0, 0, 40, 20), (100, 10, 140, 30), (10, 25, 50, 45))
    assert [one[:2] for one in _names(*(("button", "Edit", box) for box in boxes))] == [("", None)] * 3
    assert _names(("icon", None, (0, 0, 9, 9)), ("icon", None, (50, 0, 59, 9)))[0] == ("", None, 1)
    assert _names(("other", None, (0, 0, 9, 9))) == [("", None, 0)]
    assert _names(("scrollbar", None, (0, 0, 9, 90))) == [("the scrollbar", "kind", 0)]


def test_a_field_without_a_text_is_called_by_its_label() -> None:
    found = _names(("text", "Name", (0, 0, 40, 20)), ("input_field", None, (50, 0, 150, 20)))
    assert found[1] == ('the input field beside "Name"', "label", 0)


def test_a_kind_without_subtype_means_those_that_have_one_too() -> None:
    row = [(f"{kind} icon".strip(), None, (30 * n, 0, 30 * n + 16, 16)) for n, kind in enumerate(("", "close", "back"))]
    assert _words(*row) == ["", "the close icon", "the back icon"]
    assert _names(row[0])[0] == ("the icon", "kind", 0)
    assert _names(*row)[0][2] == 2


def test_a_field_below_its_label_says_so() -> None:
    assert _words(("text", "Name", (0, 0, 40, 16)), ("input_field", None, (0, 22, 300, 52)))[1] == (
        'the input field below "Name"'
    )
    # Day, month and year below one label.
    date = _words(
        ("text", "Date of birth", (0, 0, 200, 16)),
        *(("spinner", None, (70 * n, 22, 70 * n + 60, 52)) for n in range(3)),
    )
    assert date[1:] == [
        f'the {nth} spinner below "Date of birth" from the left' for nth in ("first", "second", "third")
    ]


def test_a_label_is_near_and_nothing_stands_between() -> None:
    label, field = ("text", "Name", (0, 0, 40, 20)), ("input_field", None, (200, 0, 350, 20))
    assert _words(label, field)[1] == 'the input field beside "Name"'
    assert _words(label, field, ("checkbox", None, (100, 2, 116, 18)))[1] == "the input field"
    assert _words(label, field, ("image", None, (100, 0, 110, 200)))[1] == "the input field"
    # What is around them, or on another row, stands not between.
    around = (("window", None, (0, 0, 900, 600)), ("list_item", None, (90, 18, 190, 60)))
    assert _words(label, field, *around)[1] == 'the input field beside "Name"'
    assert _words(label, ("input_field", None, (300, 0, 450, 20)))[1] == "the input field"


@pytest.mark.parametrize("kind", ["radio", "checkbox", "toggle"])
def test_a_mark_is_called_by_the_text_behind_it(kind: str) -> None:
    column = [
        one
        for n, text in enumerate(("Morning", "Afternoon", "Evening"))
        for one in ((kind, None, (0, 30 * n + 2, 14, 30 * n + 16)), ("text", text, (20, 30 * n, 90, 30 * n + 18)))
    ]
    assert _words(*column)[::2] == [f'the {kind} beside "{text}"' for text in ("Morning", "Afternoon", "Evening")]
    row = [
        one
        for n, text in enumerate(("Left", "Middle", "Right"))
        for one in ((kind, None, (90 * n, 2, 90 * n + 14, 16)), ("text", text, (90 * n + 20, 0, 90 * n + 74, 18)))
    ]
    assert _words(*row)[::2] == [f'the {kind} beside "{text}"' for text in ("Left", "Middle", "Right")]
    # A label of two lines beside the first of which the mark stands.
    assert _words((kind, None, (0, 2, 14, 16)), ("text", "Tell me of\nall news", (20, 0, 90, 36)))[0] == (
        f'the {kind} beside "Tell me of all news"'
    )


def test_a_heading_of_several_in_a_column_names_none_of_them() -> None:
    head = ("text", "Active", (400, 60, 460, 80))
    rows = [("checkbox", None, (400, 100 + 50 * n, 416, 116 + 50 * n)) for n in range(3)]
    names = [("text", name, (40, 100 + 50 * n, 80, 120 + 50 * n)) for n, name in enumerate(("Ada", "Bob", "Cyd"))]
    assert _words(head, *rows[:1])[1] == 'the checkbox below "Active"'
    assert _words(head, *rows)[1:] == [""] * 3
    assert _words(head, *rows, *names)[1:4] == [f'the checkbox in the row of "{who}"' for who in ("Ada", "Bob", "Cyd")]
    # Each field of a form has a heading of its own.
    form = [
        one
        for n, text in enumerate(("Name", "Street"))
        for one in (
            ("text", text, (40, 60 * n, 100, 60 * n + 20)),
            ("input_field", None, (40, 60 * n + 24, 300, 60 * n + 50)),
        )
    ]
    assert _words(*form)[1::2] == ['the input field below "Name"', 'the input field below "Street"']


def test_an_item_is_called_by_the_one_text_in_it() -> None:
    items = [("list_item", None, (40, 60 * n, 440, 60 * n + 50)) for n in range(3)]
    texts = [("text", text, (60, 60 * n + 15, 120, 60 * n + 35)) for n, text in enumerate(("Inbox", "Sent", "Inbox"))]
    assert _words(*items, *texts)[:3] == [
        'the first list item with "Inbox" from the top',
        'the list item with "Sent"',
        'the second list item with "Inbox" from the top',
    ]
    # What is a part of an item says nothing of the field below it.
    assert _words(items[0], texts[0], ("input_field", None, (40, 56, 300, 80)))[2] == "the input field"


def test_the_element_may_be_anything_that_says_so() -> None:
    column = [(kind, "Report", (0, 40 * n, 80, 40 * n + 24)) for n, kind in enumerate(("other", "hyperlink", "button"))]
    assert _words(*column) == [
        'the first element "Report" from the top', 'the hyperlink "Report"', 'the button "Report"',
    ]  # fmt: skip
    crooked = [("other", "Report", (0, 0, 80, 24)), ("button", "Report", (60, 18, 140, 42))]
    assert _words(*crooked)[0] == ""


def test_a_text_between_two_that_are_called_by_it_means_neither_alone() -> None:
    row = _words(("icon", None, (0, 0, 16, 16)), ("text", "Page 1", (20, 0, 60, 16)), ("icon", None, (64, 0, 80, 16)))
    assert row[2] == 'the second icon beside "Page 1" from the left'
    # Two labels that say the same.
    pair = [("text", "Name", (0, 60 * n, 40, 60 * n + 20)) for n in range(2)]
    fields = [("input_field", None, (50, 60 * n, 150, 60 * n + 20)) for n in range(2)]
    assert _words(*pair, *fields)[2:] == [
        f'the {nth} input field beside "Name" from the top' for nth in ("first", "second")
    ]


def test_what_is_far_along_the_row_or_behind_another_thing_is_not_beside() -> None:
    def table(left: int) -> list[Given]:
        cells = [(("text", name, (0, 40 * n, 50, 40 * n + 20))) for n, name in enumerate(("Ada", "Bob"))]
        return [*cells, *(("button", "Edit", (left, 40 * n, left + 40, 40 * n + 20)) for n in range(2))]

    assert _words(*table(200))[2] == 'the button "Edit" beside "Ada"'
    assert _words(*table(400))[2] == 'the button "Edit" in the row of "Ada"'
    assert _words(*table(1000))[2] == 'the first button "Edit" from the top'
    between = ("icon", None, (100, 0, 116, 16))
    assert _words(*table(200), between)[2] == 'the button "Edit" in the row of "Ada"'
    # Two of them on the row, however far off the second is.
    again = ("button", "Edit", (2000, 0, 2040, 20))
    assert "Ada" not in _words(*table(200), again)[2]


def test_texts_that_may_be_misread_are_not_quoted() -> None:
    rows = [("text", "Ada?", (0, 0, 50, 20)), ("text", "Bob", (0, 40, 50, 60))]
    buttons = [("button", "Edit", (100, 40 * n, 140, 40 * n + 20)) for n in range(2)]
    assert _words(*rows, *buttons)[2:] == ['the first button "Edit" from the top', 'the button "Edit" beside "Bob"']
    assert _names(("button", "Cance1?", (0, 0, 50, 20)))[0] == ("the button", "kind", 0)
    # It may be right for all that, and then there are two.
    assert _names(("button", "Save", (0, 0, 50, 20)), ("button", "Save?", (0, 40, 50, 60)))[0] == (
        'the first button "Save" from the top', "order", 1,
    )  # fmt: skip


def test_every_element_is_a_row_or_counted(pack: Path, tmp_path: Path) -> None:
    log = export(pack, "grounding", tmp_path / "out")
    rows = lines(tmp_path / "out" / "train" / "metadata.jsonl")
    elements = {(row["frame"], row["element_id"]): row for row in lines(pack / "elements.jsonl")}
    assert log.rows_in == len(elements)
    assert log.rows_out == sum(row["kind"] == "element" for row in rows) > 50
    assert {item.code for item in log.left_out} <= {"no_name", "no_area"}
    # A name means one thing: the boxes of two that are called so hit each other.
    called: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        called.setdefault((row["file_name"], row["instruction"]), []).append(row)
    assert all(len({tuple(row["box"]) for row in same}) == 1 for same in called.values())
    assert all((tmp_path / "out" / "train" / row["file_name"]).is_file() for row in rows)


def test_the_three_units_say_one_place(pack: Path, tmp_path: Path) -> None:
    export(pack, "grounding", tmp_path / "out")
    for row in lines(tmp_path / "out" / "train" / "metadata.jsonl"):
        (width, height), (x, y), (x1, y1, x2, y2) = row["image_size"], row["point"], row["box"]
        assert x1 <= x < x2
        assert y1 <= y < y2
        assert row["point_fraction"] == [pytest.approx(x / width, abs=1e-6), pytest.approx(y / height, abs=1e-6)]
        sides = (x1 / width, y1 / height, x2 / width, y2 / height)
        assert row["box_fraction"] == [pytest.approx(side, abs=1e-6) for side in sides]
        assert row["box_1000"] == [round(side * 1000) for side in sides]
        assert row["point_1000"] == [round(x / width * 1000), round(y / height * 1000)]
        assert row["distractors"] == len(row["distractor_boxes"])


def test_recorded_steps_are_instructions(pack: Path, tmp_path: Path) -> None:
    export(pack, "grounding", tmp_path / "out")
    steps = {row["step"]: row for row in lines(pack / "steps.jsonl")}
    done = [row for row in lines(tmp_path / "out" / "train" / "metadata.jsonl") if row["kind"] == "step"]
    assert 'Click the button "Save customer".' in {row["instruction"] for row in done}
    for row in done:
        assert row["box"] == steps[row["step"]]["target_box"]


def test_the_messages_ask_for_the_same_places(pack: Path, tmp_path: Path) -> None:
    export(pack, "grounding", tmp_path / "out")
    rows = lines(tmp_path / "out" / "train" / "metadata.jsonl")
    talks = lines(tmp_path / "out" / "train.jsonl")
    for row, talk in zip(rows, talks, strict=True):
        asked, said = talk["messages"]
        assert asked["content"].startswith(f"<image>{row['instruction']} ")
        assert said["content"] == "({},{})".format(*row["point_1000"])
        assert talk["images"] == [f"train/{row['file_name']}"]
        assert (tmp_path / "out" / talk["images"][0]).is_file()


def test_the_loader_reads_every_row(pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets", reason="the loaders of data sets are not installed")
    tqdm = pytest.importorskip("tqdm", reason="part of the loaders")
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    export(pack, "grounding", tmp_path / "out")
    loaded = datasets.load_dataset("imagefolder", data_dir=str(tmp_path / "out" / "train"), split="train")
    rows = lines(tmp_path / "out" / "train" / "metadata.jsonl")
    assert [row["instruction"] for row in loaded] == [row["instruction"] for row in rows]
    assert [row["box"] for row in loaded] == [row["box"] for row in rows]
    assert [list(row["image"].size) for row in loaded] == [row["image_size"] for row in rows]
    talks = datasets.load_dataset("json", data_files=str(tmp_path / "out" / "train.jsonl"), split="train")
    assert len(talks) == len(rows)
