"""A divided pack is exported with its sides apart, where the format knows sides; else the log says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.codecs.sets.base import ExportLog, ExportOptions
from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.pack.check.exports_folder import check_path
from demopack.pack.export import export_formats
from demopack.pack.reader import parts_of, side_of
from demopack.pack.sets.divide import divide
from demopack.pack.sets.filters import Filter
from demopack.pack.sets.splits import parse_shares
from demopack_cli.export import command
from tests.support.exports import lines
from tests.support.many_demos import pack_of
from tests.support.packs import PackFolder

_SIDES = ("train", "val", "test")


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("divided")
    pack = pack_of(folder, [{"task": f"Order {n}"} for n in range(4)])
    shares = parse_shares("train=0.5,val=0.25,test=0.25")
    divide(pack.path, shares, Filter(), out=folder / "sets", allow_leaks=True)
    return folder / "sets"


def export(divided: Path, name: str, out: Path) -> ExportLog:
    return export_formats([divided], [exporter(name)], out, options=ExportOptions(), despite_errors=True)[out]


def files(out: Path) -> set[str]:
    kinds = {".jsonl", ".parquet", ".tar", ".yaml"}
    return {file.relative_to(out).as_posix() for file in out.rglob("*") if file.suffix in kinds}


def test_a_folder_of_sides_stands_for_its_packs(divided: Path, tmp_path: Path) -> None:
    assert [part.name for part in parts_of(divided)] == list(_SIDES)
    assert [side_of(part) for part in parts_of(divided)] == list(_SIDES)
    assert (parts_of(tmp_path), side_of(tmp_path / "train")) == ([tmp_path], "")
    for said in ("{", '{"sides": ["train"]}', '{"sides": {"../up": []}}'):
        (tmp_path / "SPLITS.json").write_text(said)
        assert (parts_of(tmp_path), side_of(tmp_path / "up"), side_of(tmp_path / "train")) == ([tmp_path], "", "")


@pytest.mark.parametrize("name", ["trl", "trl-messages", "pix2struct"])
def test_tables_of_pictures_have_a_folder_for_each_side(divided: Path, tmp_path: Path, name: str) -> None:
    log = export(divided, name, tmp_path / "out")
    assert files(tmp_path / "out") == {f"{side}/metadata.jsonl" for side in _SIDES}
    said = json.loads((divided / "SPLITS.json").read_text())
    for side in _SIDES:
        rows = lines(tmp_path / "out" / side / "metadata.jsonl")
        if name == "pix2struct":
            assert {row["demo"] for row in rows} == set(said["sides"][side])
        for row in rows:
            for picture in row.get("file_names", [row.get("file_name")]):
                assert (tmp_path / "out" / side / picture).is_file()
    assert [item.code for item in log.lost if item.code == "side"] == []
    assert check_path(tmp_path / "out").findings == []


def test_parquet_has_a_split_for_each_side(divided: Path, tmp_path: Path) -> None:
    export(divided, "huggingface", tmp_path / "out")
    names = {f"{table}/{side}-00000.parquet" for table in ("data", "episodes") for side in _SIDES}
    assert files(tmp_path / "out") == names
    card = (tmp_path / "out" / "README.md").read_text()
    assert "  - split: val\n    path: data/val-*.parquet\n" in card
    assert check_path(tmp_path / "out").findings == []


def test_shards_have_the_name_of_their_side(divided: Path, tmp_path: Path) -> None:
    export(divided, "webdataset", tmp_path / "out")
    assert files(tmp_path / "out") == {f"{side}-00000.tar" for side in _SIDES}
    assert check_path(tmp_path / "out").findings == []


def test_detectors_train_on_one_side_and_measure_on_another(divided: Path, tmp_path: Path) -> None:
    export(divided, "yolo", tmp_path / "yolo")
    said = (tmp_path / "yolo" / "data.yaml").read_text()
    assert said.startswith("train: images/train\nval: images/val\ntest: images/test\nnames:\n")
    for side in _SIDES:
        pictures = {file.stem for file in (tmp_path / "yolo" / "images" / side).iterdir()}
        assert pictures
        assert pictures == {file.stem for file in (tmp_path / "yolo" / "labels" / side).iterdir()}
    export(divided, "coco", tmp_path / "coco")
    found = [json.loads((tmp_path / "coco" / f"annotations/instances_{side}.json").read_text()) for side in _SIDES]
    assert all(data["images"][0]["id"] == 1 for data in found)
    names = [image["file_name"] for data in found for image in data["images"]]
    assert len(names) == len(set(names)) == len(list((tmp_path / "coco" / "images").iterdir()))
    assert check_path(tmp_path / "coco").findings == check_path(tmp_path / "yolo").findings == []


@pytest.mark.parametrize("gone", ["val", "train", "val and train"])
def test_no_side_stands_in_for_one_without_pictures(divided: Path, tmp_path: Path, gone: str) -> None:
    """Nobody tunes on the test set because nobody has looked for elements on the pictures of the side to tune on."""
    packs = tmp_path / "packs"
    shutil.copytree(divided, packs)
    for side in gone.split(" and "):
        table = PackFolder(packs / side)
        table.edit_rows("elements", list.clear)
        table.edit_rows("demos", lambda rows: [row.update(elements=0) for row in rows])
        table.edit_rows("demos", lambda rows: [frame.update(parsed=False) for row in rows for frame in row["frames"]])
    log = export(packs, "yolo", tmp_path / "out")
    said = (tmp_path / "out" / "data.yaml").read_text()
    named = dict(line.split(": ", 1) for line in said.split("names:")[0].splitlines() if not line.startswith("#"))
    assert named == {side: f"images/{side}" for side in _SIDES if side not in gone}
    for side in gone.split(" and "):
        assert f"# {side}: is left out, nobody has looked for elements on its pictures." in said
        assert [item.count for item in log.lost if item.code == f"no_{side}"] == [1]
        assert any(note.startswith(f"data.yaml names no {side} ") for note in log.notes)
    assert check_path(tmp_path / "out").findings == []


@pytest.mark.parametrize("side", ["train", "test"])
def test_a_side_that_no_demo_is_on_is_left_out(divided: Path, tmp_path: Path, side: str) -> None:
    export(divided / side, "yolo", tmp_path / "out")
    said = (tmp_path / "out" / "data.yaml").read_text()
    assert f"\n{side}: images/{side}\nnames:" in said
    assert said.count("images/") == 1
    assert "# val: is left out, no demo is on this side." in said


@pytest.mark.parametrize("name", [name for name in NAMES if not exporter(name).sides])
def test_what_cannot_tell_sides_says_so(divided: Path, tmp_path: Path, name: str) -> None:
    log = export(divided, name, tmp_path / "out")
    assert [item.count for item in log.lost if item.code == "side"] == [4]


def test_one_side_alone_keeps_its_name(divided: Path, tmp_path: Path) -> None:
    export(divided / "test", "trl", tmp_path / "out")
    assert files(tmp_path / "out") == {"test/metadata.jsonl"}


def test_the_command_takes_the_folder(divided: Path, tmp_path: Path) -> None:
    words = [str(divided), "-o", str(tmp_path / "out"), "--format", "trl", "--despite-errors"]
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert {file.parent.name for file in (tmp_path / "out").rglob("metadata.jsonl")} == set(_SIDES)
