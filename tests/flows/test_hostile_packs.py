"""Packs that mean harm, or were written by a careless program: refused by everybody, in words, quickly."""

from __future__ import annotations

import json
import os
import random
import subprocess
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from demopack.errors import DemopackError, PackError
from demopack.pack import check_pack, open_pack
from demopack.pack.check import lines
from demopack.pack.import_demos import import_demos
from demopack.pack.reader import open_packs
from demopack.pack.schemas import schema_files
from demopack.prompting.agent_state import AgentState
from demopack.prompting.prompt_builder import build_prompt
from demopack.store import Library
from demopack_cli.main import main
from tests.fuzz import packs as fuzz
from tests.support.many_demos import pack_of
from tests.support.packs import PackFolder, Row

STEP = json.loads(schema_files()["step.json"])


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    return pack_of(tmp_path_factory.mktemp("hostile"), [{}])


@pytest.fixture
def pack(good: PackFolder, tmp_path: Path) -> PackFolder:
    return good.copy(tmp_path / "pack")


def written(pack: PackFolder, table: str, old: str, new: str) -> None:
    """Exchange text of a table, as no JSON library would write it."""
    file = pack.path / f"{table}.jsonl"
    text = file.read_text(encoding="utf-8")
    assert old in text
    pack.replace(file.name, text.replace(old, new, 1).encode())


def errors_of(path: Path) -> set[str]:
    return {finding.rule for finding in check_pack(path) if finding.severity == "error"}


def refused_by_all(path: Path, folder: Path) -> None:
    """Nobody takes it, nobody trips over it, and the library stays as it was."""
    assert errors_of(path)
    with Library.open(folder / "library") as library:
        with pytest.raises(DemopackError):
            import_demos([path], library)
        assert library.demos() == []
    with pytest.raises(DemopackError), open_packs([path]) as demos:
        build_prompt(demos, AgentState(task="Task 1"), dialect="llmresponse")


HUGE = ["1e999", "-1e999", "1" + "0" * 300, str(2**80), "1e300", "NaN", "Infinity", "9" * 5000]


@pytest.mark.parametrize("number", HUGE, ids=range(len(HUGE)))
@pytest.mark.parametrize("field", ["scale_factor", "t_ms", "duration_ms", "position", "started_ns", "origin_x"])
def test_no_number_is_taken_that_cannot_be_meant(pack: PackFolder, tmp_path: Path, field: str, number: str) -> None:
    row = pack.rows("steps")[0]
    value = row[field] if field in row else row["before"][field]
    written(pack, "steps", f'"{field}": {json.dumps(value)}', f'"{field}": {number}')
    refused_by_all(pack.path, tmp_path)


@pytest.mark.parametrize("number", ["1" + "0" * 300, str(2**80), "1e300", "NaN"])
def test_no_element_has_such_a_number(pack: PackFolder, tmp_path: Path, number: str) -> None:
    value = pack.rows("elements")[0]["element_id"]
    written(pack, "elements", f'"element_id": {value}', f'"element_id": {number}')
    refused_by_all(pack.path, tmp_path)


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_no_moment_is_taken_that_no_clock_shows(pack: PackFolder, tmp_path: Path, moment: str) -> None:
    row = pack.rows("demos")[0]
    written(pack, "demos", f'"created_at": {json.dumps(row["created_at"])}', f'"created_at": "{moment}"')
    refused_by_all(pack.path, tmp_path)


@pytest.mark.parametrize(
    ("table", "field"), [("steps", "note"), ("demos", "task"), ("elements", "text"), ("steps", "clipboard")]
)
def test_half_a_character_is_taken_by_nobody(pack: PackFolder, tmp_path: Path, table: str, field: str) -> None:
    value = json.dumps(pack.rows(table)[0][field], ensure_ascii=False)
    written(pack, table, f'"{field}": {value}', f'"{field}": "half \\ud83d"')
    refused_by_all(pack.path, tmp_path)


def test_what_the_check_refuses_is_not_imported(pack: PackFolder, tmp_path: Path) -> None:
    """Not only what cannot be read: any error."""
    pack.edit_row("steps", 0, lambda row: row["pointer"].update(x=1))
    with Library.open(tmp_path / "library") as library:
        with pytest.raises(DemopackError, match=r"breaks rule G05 in steps.jsonl, line 1: .*demopack check"):
            import_demos([pack.path], library)
        assert library.demos() == []


@pytest.mark.parametrize("depth", [250, 5_000])
def test_values_that_lie_in_each_other_without_end(pack: PackFolder, tmp_path: Path, depth: int) -> None:
    written(pack, "steps", '"parameters": {}', f'"parameters": {{"data": {"[" * depth}{"]" * depth}}}')
    refused_by_all(pack.path, tmp_path)


def test_a_row_of_millions_of_values_is_not_unfolded(pack: PackFolder, tmp_path: Path) -> None:
    written(pack, "steps", '"parameters": {}', f'"parameters": {{"data": [{"[]," * 1_000_001}[]]}}')
    refused_by_all(pack.path, tmp_path)


def test_a_size_that_is_said_is_not_made_room_for(pack: PackFolder, tmp_path: Path) -> None:
    zipped = tmp_path / "pack.zip"
    pack.edit_manifest(lambda data: [entry.update(size=1 << 61) for entry in data["files"]])
    with zipfile.ZipFile(zipped, "w") as archive:
        for file in pack.path.rglob("*"):
            archive.write(file, file.relative_to(pack.path).as_posix())
    for path in (pack.path, zipped):
        assert errors_of(path) == {"I02"}
        with open_pack(path) as opened:
            assert opened.get_image(next(opened.whole_demos()).frames()[0].id).shape == (48, 64, 3)


def test_a_picture_of_a_gigabyte_is_not_read(pack: PackFolder) -> None:
    name = pack.rows("steps")[0]["image"]
    with (pack.path / name).open("ab") as stream:
        stream.truncate(1 << 30)  # a hole, which takes no room on the disk
    pack.edit_manifest(lambda data: [entry.update(size=1 << 30) for entry in data["files"] if entry["path"] == name])
    tracemalloc.start()
    try:
        assert errors_of(pack.path) == {"I02"}
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()


def test_lines_without_a_word_are_not_waited_for(pack: PackFolder, tmp_path: Path) -> None:
    pack.replace("steps.jsonl", (pack.path / "steps.jsonl").read_bytes() + b"\n" * 300_000)
    refused_by_all(pack.path, tmp_path)


def test_a_fifo_in_the_folder_is_not_waited_for(pack: PackFolder, tmp_path: Path) -> None:
    os.mkfifo(pack.path / "frames" / "pipe.png")
    os.mkfifo(pack.path / "notes.txt")
    assert [(f.rule, f.file) for f in check_pack(pack.path)] == [("I05", "frames/pipe.png"), ("I05", "notes.txt")]
    with Library.open(tmp_path / "library") as library:
        assert len(import_demos([pack.path], library).demos) == 1


@pytest.mark.parametrize("name", ["pack.json", "steps.jsonl", "index.html", "frames/demo_0000000001/0001.png"])
def test_a_fifo_in_the_place_of_a_file_is_a_file_that_is_missing(pack: PackFolder, tmp_path: Path, name: str) -> None:
    (pack.path / name).unlink()
    os.mkfifo(pack.path / name)
    with Library.open(tmp_path / "library") as library, pytest.raises(DemopackError):
        import_demos([pack.path], library)
    if name != "pack.json":
        assert errors_of(pack.path) & {"I01", "I02"}


@pytest.mark.parametrize(
    ("kind", "why"), [("fifo", "is no file"), ("link", "is no file"), ("gone", "has no pack.json")]
)
def test_a_pack_without_its_manifest_is_no_folder_of_another_format(pack: PackFolder, kind: str, why: str) -> None:
    manifest = pack.path / "pack.json"
    manifest.unlink()
    if kind == "fifo":
        os.mkfifo(manifest)
    elif kind == "link":
        manifest.symlink_to("/dev/zero")
    done = CliRunner().invoke(main, ["check", str(pack.path)])
    assert isinstance(done.exception, PackError)
    assert why in done.exception.user_message


def test_folders_that_lie_in_each_other_without_end(pack: PackFolder) -> None:
    deep = pack.path / "deep"
    deep.mkdir()
    here = os.open(deep, os.O_RDONLY)
    try:
        for _ in range(1_500):
            os.mkdir("d", dir_fd=here)
            inner = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
    finally:
        os.close(here)
    try:
        assert check_pack(pack.path) == []
    finally:
        subprocess.run(["rm", "-rf", deep], check=True)  # Python's own way trips over it


# The shipped schemas ------------------------------------------------------------------------------------------------

_NAMED = {"x1": 0, "y1": 0, "x2": 9, "y2": 9}
Change = Callable[[Row], object]
ODD: list[tuple[str, Change]] = [
    ("a monitor's box by name", lambda r: r["before"].update(monitors=[_monitor(_NAMED)])),
    ("a monitor's box in halves", lambda r: r["before"].update(monitors=[_monitor([0, 0, 9.5, 9])])),
    ("a monitor's box in words", lambda r: r["before"].update(monitors=[_monitor(["0", "0", "9", "9"])])),
    ("a monitor's box with a hole", lambda r: r["before"].update(monitors=[_monitor([None, 0, 9, 9])])),
    ("a monitor's box of three", lambda r: r["before"].update(monitors=[_monitor([0, 0, 9])])),
    ("a covered box by name", lambda r: r["before"].update(covered=[_NAMED])),
    ("a field less", lambda r: r.pop("variable")),
    ("a field less within", lambda r: r["before"].pop("origin_x")),
    ("a field less in the pointer", lambda r: r["pointer"].pop("path")),
    ("a field more", lambda r: r.update(more=1)),
    ("a number as text", lambda r: r.update(position="3")),
    ("an event of another kind", lambda r: r.update(events=[{"t_ns": 1, "kind": "tap"}])),
]  # fmt: skip


def _monitor(box: object) -> dict[str, object]:
    return {"name": "HDMI-1", "box": box, "scale_factor": 1.0, "primary": True}


@pytest.mark.parametrize(("name", "change"), ODD, ids=[name for name, _ in ODD])
def test_a_row_that_the_packs_own_schema_refuses_is_found(pack: PackFolder, name: str, change: Change) -> None:
    row = pack.rows("steps")[0]
    row["before"].update(monitors=[_monitor([0, 0, 64, 48])], covered=[[0, 0, 3, 3]])
    schema = jsonschema.Draft202012Validator(STEP)
    assert schema.is_valid(row)
    change(row)
    assert not schema.is_valid(row)
    pack.edit_rows("steps", lambda rows: rows.__setitem__(0, row))
    assert {finding.rule for finding in check_pack(pack.path)} == {"H05" if "less" in name else "H03"}


def test_every_row_of_a_recorded_pack_fulfils_the_schema_beside_it(pack: PackFolder) -> None:
    """Monitors, covered boxes and accessible elements come from recordings only."""
    told = {"role": "entry", "name": "Name", "value": "", "box": [1, 1, 9, 9], "states": ["focused"], "app": "App",
            "secure": False}  # fmt: skip
    pack.edit_rows("steps", lambda rows: [
        row.update(focused=told, pointed=told, before={
            **row["before"], "monitors": [_monitor([0, 0, 64, 48])], "covered": [[0, 0, 3, 3]]})
        for row in rows
    ])  # fmt: skip
    assert errors_of(pack.path) == set()
    for table, name in (("demos", "demo"), ("steps", "step"), ("elements", "element")):
        schema = jsonschema.Draft202012Validator(json.loads((pack.path / "schema" / f"{name}.json").read_text("utf-8")))
        for row in pack.rows(table):
            schema.validate(row)


def test_the_check_asks_a_validator_that_knows_nothing_of_our_models(
    pack: PackFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the models take: the schemas of an early version refused every recorded step, and no check said so."""
    narrow = {**STEP, "properties": {**STEP["properties"], "index": {"type": "integer", "maximum": 0}}}
    files = {**schema_files(), "step.json": json.dumps(narrow)}
    monkeypatch.setattr(lines, "schema_files", lambda: files)
    lines._validator.cache_clear()
    pack.replace("schema/step.json", files["step.json"].encode())
    (finding,) = check_pack(pack.path)
    lines._validator.cache_clear()
    assert (finding.rule, finding.file, finding.line) == ("H05", "steps.jsonl", 2)
    assert "index: 1 is greater than the maximum of 0" in finding.message


def test_whatever_is_spoilt_what_the_check_takes_the_schema_takes(pack: PackFolder, tmp_path: Path) -> None:
    """Another validator than the one that the check asks."""
    schemas = {
        table: jsonschema.Draft202012Validator(json.loads(schema_files()[f"{table[:-1]}.json"]))
        for table in fuzz.TABLES
    }
    taken = refused = 0
    for seed in range(60):
        dice = random.Random(seed)
        spoilt = pack.copy(tmp_path / f"{seed}")
        spoil = dice.choice((fuzz._value, fuzz._value, fuzz._swapped, fuzz._key_gone, fuzz._key_new))
        done = fuzz._spoilt(spoilt, dice, spoil)
        fuzz._seal(spoilt)
        fits = all(schemas[table].is_valid(row) for table in fuzz.TABLES for row in spoilt.rows(table))
        clean = not errors_of(spoilt.path) and "H05" not in {finding.rule for finding in check_pack(spoilt.path)}
        assert fits or not clean, f"seed {seed}: {done}"
        taken, refused = taken + fits, refused + (not fits)
    assert taken > 3
    assert refused > 5
