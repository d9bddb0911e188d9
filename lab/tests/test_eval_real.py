"""The command that measures, with the real finder in its real process, on painted screens whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.domain.geometry import Rect
from demopack.pixels.foreground import MARGIN
from lab.cli.evaluation import command
from lab.evaluation.run import PAGE
from models.training.labelled_screens import LabelledScreenSet
from tests.support.painted_ui import PaintedUi
from tests.support.truths import screen, truth

SAMPLES = Path(__file__).parents[2] / "tests" / "data" / "screens" / "miniwob"


def paint(folder: Path, name: str, *, dark: bool) -> None:
    ui = PaintedUi(width=360, height=200, dark=dark)
    ui.text(20, 24, "Shipping address")
    ui.field(Rect(20, 44, 220, 70), "Ada Lovelace")
    ui.text(20, 96, "Country")
    ui.field(Rect(20, 110, 220, 136), "Finland")
    ui.button(Rect(20, 156, 110, 184), "Save")
    ui.button(Rect(130, 156, 220, 184), "Cancel")
    kinds = {"text": "text", "button": "button", "field": "input_field"}
    elements = []
    for kind, box, words in ui.truth:
        air = MARGIN if kind == "text" else 0
        around = (box.x1 - air, box.y1 - air, box.x2 + air, box.y2 + air)
        states = {} if kind == "text" else {"disabled": False}
        elements.append(truth(kinds.get(kind, "input_field"), around, text=words, states=states))
    LabelledScreenSet(folder).put(screen(*elements, name=name, group="painted", width=360, height=200), ui.picture())


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    root = tmp_path_factory.mktemp("real")
    paint(root / "set", "light", dark=False)
    paint(root / "set", "dark", dark=True)
    arguments = [
        str(root / "set"),
        str(SAMPLES),
        "-o",
        str(root / "out"),
        "--detector",
        "",
        "--describer",
        "",
        "--json",
    ]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False, standalone_mode=False)
    assert result.exception is None, result.exception
    page = (root / "out" / PAGE).read_text(encoding="utf-8")
    return {**json.loads(result.stdout), "page": page}


def test_text_and_frames_are_found_without_any_trained_model(report: dict[str, Any]) -> None:
    painted, tasks = report["by_source"]["web"], report["by_source"]["miniwob"]
    assert (painted["screens"], tasks["screens"]) == (2, 3)
    assert painted["at50"]["f1"] > 0.8
    assert painted["text"]["exact"]["share"] > 0.8
    assert tasks["at50"]["f1"] > 0.4
    assert painted["seconds_screen"]["median"] > 0


def test_tasks_that_no_model_learns_from_stand_apart(report: dict[str, Any]) -> None:
    assert report["unseen"]["miniwob"]["screens"] == 1
    assert sorted(report["groups"]) == [
        "miniwob/click-menu", "miniwob/email-inbox", "miniwob/use-spinner", "web/painted",
    ]  # fmt: skip


def test_the_finder_and_its_process_are_named_and_weighed(report: dict[str, Any]) -> None:
    assert str(report["finder"]).startswith("rapidocr-")
    assert report["worker"]["ready_s"] > 0
    assert 50 < report["worker"]["memory_mb"] < 1500


def test_every_source_that_spoke_is_counted_alone(report: dict[str, Any]) -> None:
    alone = report["overall"]["alone"]
    assert alone["ocr"]["text"]["share"] > 0.8
    assert "data:image/png" in str(report["page"]) or "Not one mistake" in str(report["page"])
