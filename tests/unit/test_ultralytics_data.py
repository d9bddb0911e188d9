"""Data in Ultralytics' form becomes a set of labelled screens; what is wrong in it is named by file and line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PIL import Image

from demopack.errors import BadInputError
from models.training.labelled_screens import LabelledScreenSet
from models.training.ultralytics_data import read_ultralytics, split_stem
from tests.support.truths import truth


def foreign(
    folder: Path, label: str | None, *, yaml: str = "train: images\nval: images\nnames: [Button, Knob]\n"
) -> Path:
    (folder / "images").mkdir(parents=True)
    (folder / "labels").mkdir()
    Image.new("RGB", (200, 100), "white").save(folder / "images" / "x.jpg")
    if label is not None:
        (folder / "labels" / "x.txt").write_text(label, encoding="utf-8")
    (folder / "data.yaml").write_text(yaml, encoding="utf-8")
    return folder / "data.yaml"


TRAIN_ONLY = "train: images\nnames: {0: Button, 1: Knob}\n"


def test_foreign_labels_become_elements(tmp_path: Path) -> None:
    polygon = "1 0.1 0.1 0.3 0.1 0.3 0.4 0.1 0.4"
    data = foreign(tmp_path / "in", f"\ufeff0 0.5 0.5 0.2 0.2\n\n{polygon}\n", yaml=TRAIN_ONLY)
    done = read_ultralytics(data, tmp_path / "out")
    (one,) = LabelledScreenSet(tmp_path / "out").screens()
    assert (one.group, one.side, done.elements) == ("imported", "train", 2)
    assert {(element.type, element.box) for element in one.elements} == {
        ("button", truth("text", (80, 40, 120, 60)).box),
        ("other", truth("text", (20, 10, 60, 40)).box),
    }
    assert done.left_out == {
        "class “Knob” is no element type of ours and became “other”": 1,
        "shapes that became the box around them": 1,
    }


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("7 0.5 0.5 0.2 0.2\n", "line 1: There is no class 7; the list has 2"),
        ("0 0.5 0.5 0.2 0.2\n0 1.5 0.5 0.2 0.2\n", "line 2: A value is outside 0..1"),
        ("0 0.5 nan 0.2 0.2\n", "line 1: '0 0.5 nan"),
        ("0 0.5 0.5 0.2\n", "line 1: '0 0.5 0.5 0.2' is no label"),
        ("button 0.5 0.5 0.2 0.2\n", "line 1: 'button 0.5"),
    ],
)
def test_a_wrong_label_is_named_by_file_and_line(tmp_path: Path, label: str, said: str) -> None:
    data = foreign(tmp_path / "in", label, yaml=TRAIN_ONLY)
    with pytest.raises(BadInputError) as caught:
        read_ultralytics(data, tmp_path / "out")
    assert str(tmp_path / "in" / "labels" / "x.txt") in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("yaml", "said"),
    [
        ("- 1\n", "“names” must be a list"),
        ("a: [", "cannot be read as YAML"),
        ("train: images\nnames: 3\n", "“names” must be a list"),
        ("train: nowhere\nnames: [a]\n", "train: there is no"),
        ("names: [a]\n", "names no pictures"),
    ],
)
def test_a_wrong_yaml_is_one_clear_error(tmp_path: Path, yaml: str, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        read_ultralytics(foreign(tmp_path / "in", None, yaml=yaml), tmp_path / "out")


def test_foreign_names_become_clean_and_stay_apart() -> None:
    assert split_stem("web@mail.2@a_1")["group"] == "mail.2"
    odd, other = split_stem("Bildschirm foto (1)"), split_stem("Bildschirm foto [1]")
    assert odd["name"].startswith("Bildschirm_foto_1_-")
    assert odd["name"] != other["name"]
    assert (odd["source"], split_stem("web@..@a b")["source"]) == ("library", "library")


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs and devices")
@pytest.mark.timeout(30)
def test_a_fifo_among_the_labels_is_named_and_not_waited_for(tmp_path: Path) -> None:
    data = foreign(tmp_path / "in", "0 0.5 0.5 0.2 0.2\n", yaml=TRAIN_ONLY)
    path = tmp_path / "in" / "labels" / "x.txt"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(BadInputError) as caught:
        read_ultralytics(data, tmp_path / "out")
    assert str(path) in str(caught.value)
