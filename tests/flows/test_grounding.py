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


def _screen(*given: tuple[str, str | None, tuple[int, int, int, int]]) -> list[NumberedElement]:
    return [
        NumberedElement.model_validate(
            {"uid": f"u{number}", "frame": "f", "number": number, "type": kind, "text": text, "box": box}
        )
        for number, (kind, text, box) in enumerate(given, start=1)
    ]


def _names(*given: tuple[str, str | None, tuple[int, int, int, int]]) -> list[tuple[str, str | None, int]]:
    return [(one.words, one.by, len(one.distractors)) for one in element_names(_screen(*given))]


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
