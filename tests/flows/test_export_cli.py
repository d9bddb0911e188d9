"""``demopack export --format``, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.codecs.sets.catalogue import GROUPS, NAMES
from demopack.errors import BadInputError
from demopack.store import Library
from demopack_cli.export import command
from tests.support.demos import tiny_demo
from tests.support.exports import lines


@pytest.fixture
def library(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library") as opened:
        tiny_demo(opened)
    return tmp_path / "library"


def _run(*arguments: str | Path) -> str:
    done = CliRunner().invoke(command, [str(argument) for argument in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_a_demo_goes_straight_into_several_formats(library: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = _run("last", "-o", out, "--format", "trl", "--format", "caap", "--library", library)
    assert "trl: 3 of 3 steps" in said
    assert "caap: 2 of 3 steps" in said
    assert "left out: 1 (the vocabulary has no word for this action)" in said
    assert sorted(path.name for path in out.iterdir()) == ["caap", "trl"]
    # The pack in between is gone, its pictures are not.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["library", "out"]
    row = lines(out / "trl" / "train" / "metadata.jsonl")[0]
    assert (out / "trl" / "train" / row["file_names"][0]).stat().st_size > 0


def test_where_nothing_can_be_written_a_sentence_says_so(library: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    given = ["last", "-o", str(tmp_path / "file" / "out"), "--format", "trl", "--library", str(library)]
    done = CliRunner().invoke(command, given)
    assert isinstance(done.exception, BadInputError)
    assert "The export cannot be written to" in done.exception.user_message
    assert "nothing was changed" in done.exception.user_message
    assert (tmp_path / "file").read_text() == "mine"


def test_a_pack_goes_into_one_format_in_the_folder_itself(library: Path, tmp_path: Path) -> None:
    _run("last", "-o", tmp_path / "pack", "--library", library)
    said = _run(tmp_path / "pack", "-o", tmp_path / "out", "--format", "llmresponse", "--per", "episode",
                "--no-elements", "--history", "1", "--rationale", "none", "--json")  # fmt: skip
    (done,) = json.loads(said)
    assert done["log"]["rows_out"] == 3
    assert done["log"]["options"] == {
        "rationale": "none", "elements": False, "marks": False, "unit": "episode", "history": 1,
        "leave_out": [], "any_outcome": False,
    }  # fmt: skip
    assert (tmp_path / "out" / "episodes.jsonl").is_file()


def test_the_licence_reaches_the_card(library: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="parquet needs pyarrow")
    _run("last", "-o", tmp_path / "out", "--format", "huggingface", "--licence", "CC-BY-4.0", "--library", library)
    assert "license: cc-by-4.0" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")


def test_every_format_is_listed() -> None:
    said = _run("--format", "list")
    assert [line.split()[0] for line in said.splitlines() if line.startswith("  ")] == list(NAMES)
    assert [line for line in said.splitlines() if line and not line.startswith("  ")] == list(GROUPS)
    assert [row["name"] for row in json.loads(_run("--format", "list", "--json"))] == list(NAMES)


def test_a_unit_that_a_format_has_not_is_refused(library: Path, tmp_path: Path) -> None:
    from demopack.errors import BadInputError

    with pytest.raises(BadInputError, match="no samples per episode"):
        CliRunner().invoke(
            command,
            ["last", "-o", str(tmp_path / "out"), "--format", "coco", "--per", "episode", "--library", str(library)],
            catch_exceptions=False,
        )
    assert not (tmp_path / "out").exists()


def test_a_licence_that_would_reach_no_pack_is_refused(library: Path, tmp_path: Path) -> None:
    _run("last", "-o", tmp_path / "pack", "--library", library)
    given = [str(tmp_path / "pack"), "-o", str(tmp_path / "out"), "--format", "trl", "--licence", "MIT"]
    done = CliRunner().invoke(command, given)
    assert done.exit_code == 2
    assert "a pack has its own" in done.output
    assert not (tmp_path / "out").exists()
