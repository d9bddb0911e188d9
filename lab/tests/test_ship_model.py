"""What is shipped keeps the card that its training wrote; figures of all models together stand elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lab.__main__ import main
from models.registry import ModelCard, resolve, shipped_pipeline, write_model


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in ("models.registry", "lab.cli.ship"):
        monkeypatch.setattr(f"{module}.assets_root", lambda: tmp_path / "assets")
    return tmp_path / "assets"


def trained(folder: Path, **fields: Any) -> Path:
    folder.mkdir()
    (folder / "w.onnx").write_bytes(b"weights")
    card = ModelCard(id="run", kind="detector", created="2026-01-02", files={}, metrics={"val/f1": 0.8}, **fields)
    return write_model(folder, card, [folder / "w.onnx"]).folder


def report(folder: Path) -> Path:
    share = {"share": 0.5, "exact": {"share": 0.4}, "error_rate": 0.1}
    part = dict.fromkeys(("type", "states", "text", "icon", "shape"), share)
    part |= {name: {"f1": 0.7, "ap50": 0.6} for name in ("at50", "at75", "leaves", "agnostic")}
    folder.joinpath("report.json").write_text(json.dumps({"by_source": {"qt": {"screens": 3, **part}}}))
    return folder / "report.json"


def ship(*arguments: str) -> None:
    CliRunner().invoke(main, ["ship", *arguments], catch_exceptions=False)


@pytest.mark.parametrize("command", ["", "python -m lab train detector screens --run out"])
def test_the_card_says_what_its_training_said(tmp_path: Path, assets: Path, command: str) -> None:
    model = trained(tmp_path / "run", command=command, based_on="detector-00000000", training={"minutes": 121.9})
    ship(str(model), "--notes", "In two goes.", "--report", str(report(tmp_path)))
    shipped = resolve("detector", "shipped")
    assert shipped is not None
    assert shipped.folder == assets / "weights" / "detector"
    assert (shipped.card.command, shipped.card.based_on) == (command, "detector-00000000")
    assert shipped.card.metrics == {"val/f1": 0.8}
    together = shipped_pipeline()
    assert together is not None
    (only,) = together.measurements
    assert only.models == {"detector": shipped.card.digest}
    assert only.metrics["test/qt/f1"] == 0.7


@pytest.mark.usefixtures("assets")
def test_figures_of_weights_that_are_no_longer_shipped_go(tmp_path: Path) -> None:
    ship(str(trained(tmp_path / "first")), "--notes", "First.", "--report", str(report(tmp_path)))
    other = trained(tmp_path / "second", training={"minutes": 9.0})
    (other / "w.onnx").unlink()
    (tmp_path / "w.onnx").write_bytes(b"others")
    write_model(other, ModelCard(id="run", kind="detector", created="2026-01-03", files={}), [tmp_path / "w.onnx"])
    ship(str(other), "--notes", "Second.", "--report", str(report(tmp_path)))
    shipped, together = resolve("detector", "shipped"), shipped_pipeline()
    assert shipped is not None
    assert together is not None
    assert [one.models for one in together.measurements] == [{"detector": shipped.card.digest}]
