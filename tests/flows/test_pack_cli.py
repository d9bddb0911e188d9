"""``demopack export`` and ``demopack check`` as they are called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from demopack.pack import open_pack
from demopack.pack.rules import RULES
from demopack.store import Library
from demopack_cli.main import main
from tests.support.demos import DemoBuilder, demo_head, sample_demo, tiny_demo
from tests.support.packs import PackFolder
from tests.support.pictures import swatch


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "library"
    with Library.open(folder) as opened:
        tiny_demo(opened)
        sample_demo(opened, draw=swatch)
        DemoBuilder(library=opened, demo_id="demo_empty").store(demo_head("demo_empty", task="Nothing"))
    return folder


def call(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_export_and_check(library: Path, tmp_path: Path) -> None:
    out = tmp_path / "my-pack"
    result = call("export", "0000000001", "demo_5a", "-o", out, "--licence", "CC-BY-4.0", "--library", library)
    assert result.exit_code == 0, result.output
    assert "2 demos, 14 steps, 12 pictures, 183 elements" in result.output
    assert str(out / "index.html") in result.output
    assert "R01" in result.output, "the step without a reasoning is mentioned"
    result = call("check", out)
    assert result.exit_code == 0
    assert "no errors, 1 warning" in result.output


def test_export_to_a_zip_for_programs(library: Path, tmp_path: Path) -> None:
    out = tmp_path / "my-pack.zip"
    result = call("export", "demo_0", "-o", out, "--consent", "Yes.", "--library", library, "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.output)
    assert report["counts"]["steps"] == 3
    assert [finding["rule"] for finding in report["warnings"]] == ["L01"]
    with open_pack(out) as pack:
        assert pack.manifest.consent == "Yes."
        assert len(pack.manifest.files) + 1 == report["files"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["demo_empty"], "The demo demo_empty (Nothing) has no steps."),
        (["nope"], "There is no demo 'nope'"),
        (["demo_"], "Several demos begin with 'demo_'"),
        (["demo_0", "--licence", "free beer"], "not an SPDX licence identifier"),
    ],
)
def test_what_cannot_be_exported_is_said(library: Path, tmp_path: Path, words: list[str], message: str) -> None:
    result = call("export", *words, "-o", tmp_path / "out", "--library", library)
    assert result.exit_code == 1
    assert message in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_no_pack_is_left_alone(library: Path, tmp_path: Path) -> None:
    thesis = tmp_path / "thesis"
    thesis.mkdir()
    (thesis / "chapter.txt").write_text("years of work")
    result = call("export", "demo_0", "-o", thesis, "--library", library)
    assert result.exit_code == 1
    assert "exists and is not a demo pack" in str(result.exception)
    assert [p.name for p in thesis.iterdir()] == ["chapter.txt"]


def test_wrong_usage(library: Path, tmp_path: Path) -> None:
    assert call("export", "-o", tmp_path / "out").exit_code == 2
    assert call("export", "demo_0", "--library", library).exit_code == 2
    assert call("check", tmp_path, "--json", "--sarif").exit_code == 2


@pytest.fixture(scope="module")
def spoilt(library: Path) -> Path:
    out = library.parent / "spoilt"
    assert call("export", "demo_5a", "-o", out, "--licence", "MIT", "--library", library).exit_code == 0
    pack = PackFolder(out)
    pack.edit_rows("elements", lambda rows: [row["box"].__setitem__(2, 961) for row in rows[:12]])
    pack.edit_row("steps", 3, lambda row: row["pointer"].update(x=1))
    return out


def test_findings_are_grouped_with_what_to_do(spoilt: Path) -> None:
    result = call("check", spoilt)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == f"{spoilt}: 13 errors, 1 warning"
    assert sum(line.startswith("error G01") for line in lines) == 1
    assert "  ... and 2 more; --json lists all" in lines
    assert any(line.startswith("  steps.jsonl:4  The pointer (1, ") for line in lines)
    assert sum(line.startswith("  -> ") for line in lines) == 3


def test_findings_for_programs(spoilt: Path) -> None:
    report = json.loads(call("check", spoilt, "--json").output)
    assert (report["ok"], report["errors"], report["warnings"]) == (False, 13, 1)
    assert report["findings"][0].keys() == {"rule", "severity", "file", "line", "message", "fix"}


def test_findings_for_review_tools(spoilt: Path) -> None:
    result = call("check", spoilt, "--sarif")
    assert result.exit_code == 1
    report = json.loads(result.output)
    (run,) = report["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert (report["version"], rules) == ("2.1.0", list(RULES))
    assert len(run["results"]) == 14
    for found in run["results"]:
        assert rules[found["ruleIndex"]] == found["ruleId"]
        assert found["level"] in {"error", "warning"}
    place = next(r for r in run["results"] if r["ruleId"] == "G05")["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "steps.jsonl"}, "region": {"startLine": 4}}


def test_what_is_no_pack_is_one_sentence(tmp_path: Path) -> None:
    result = call("check", tmp_path)
    assert result.exit_code == 1
    assert "is not a demo pack" in str(result.exception)
