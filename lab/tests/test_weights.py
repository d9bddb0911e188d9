"""Every stage of making weights from nothing, in small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.__main__ import main
from lab.cli.weights import SIZES
from models.registry import ModelKind, open_model

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

KINDS: tuple[ModelKind, ...] = ("detector", "describer", "icons")


def make(out: Path) -> str:
    done = CliRunner().invoke(main, ["weights", "--size", "tiny", "-o", str(out)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_every_stage_works_and_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    make(tmp_path)
    weights = tmp_path / "weights"
    digests = {}
    for kind in KINDS:
        card = open_model(weights / kind, kind=kind).card
        assert card.id == f"demopack-{kind}"
        assert {one.source for one in card.lineage} == set(SIZES["tiny"].screens)
        assert "`make weights SIZE=tiny`" in card.notes
        assert (card.command, card.based_on) == ("make weights SIZE=tiny", "")
        digests[kind] = card.digest
    scripts = open_model(weights / "scripts", kind="scripts").card
    assert (scripts.id, scripts.command) == ("demopack-scripts", "make weights SIZE=tiny")
    (measured,) = json.loads((weights / "pipeline.json").read_text(encoding="utf-8"))["measurements"]
    assert measured["models"] == digests
    assert {f"test/{source}/f1" for source in SIZES["tiny"].screens} <= set(measured["metrics"])

    before = {path: path.read_bytes() for path in tmp_path.glob("runs/*/model/*")}
    said = make(tmp_path)
    assert said.count("made before") == len(KINDS) + 1
    assert {path: path.read_bytes() for path in tmp_path.glob("runs/*/model/*")} == before
