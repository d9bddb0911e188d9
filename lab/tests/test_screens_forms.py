from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.__main__ import main
from models.training.labelled_screens import LabelledScreenSet
from tests.support.drawn_screens import draw_set


def told(*arguments: str) -> dict[str, object]:
    done = CliRunner().invoke(main, ["screens", *arguments, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    answer: dict[str, object] = json.loads(done.output)
    return answer


@pytest.mark.parametrize(("form", "data"), [("ultralytics", "data.yaml"), ("coco", "")])
def test_a_set_goes_out_and_comes_in_with_its_boxes(form: str, data: str, tmp_path: Path) -> None:
    home = draw_set(tmp_path / "set", train=3, val=0)
    out, back = tmp_path / "out", tmp_path / "back"
    written = told("export", str(home), "-o", str(out), "--form", form)
    assert written["screens"] == 3
    source = out / data if data else next(out.rglob("*.json"))
    pictures = [] if data else ["--pictures", str(next(out.rglob("*.png")).parent)]
    assert told("import", str(source), "-o", str(back), "--form", form, *pictures)["elements"] == written["elements"]
    boxes = [
        sorted(str(element.box) for screen in LabelledScreenSet(folder).screens() for element in screen.elements)
        for folder in (home, back)
    ]
    assert boxes[0] == boxes[1]


def test_a_full_folder_is_refused_and_kept(tmp_path: Path) -> None:
    home = draw_set(tmp_path / "set", train=1, val=0)
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine", encoding="utf-8")
    done = CliRunner().invoke(main, ["screens", "export", str(home), "-o", str(out), "--form", "coco"])
    assert done.exit_code != 0
    assert [file.name for file in out.iterdir()] == ["mine.txt"]
