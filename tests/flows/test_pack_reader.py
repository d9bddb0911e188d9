"""Packs from anywhere: what is wrong with them is said with file, line and way out; nothing outside is ever touched."""

from __future__ import annotations

import json
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Evidence
from demopack.domain.provenance import by_program
from demopack.errors import CorruptFrameError, NewerVersionError, PackError
from demopack.file_names import UnsafePathError, is_safe, safe_name
from demopack.pack import check_pack, export_pack, open_pack, read_demos
from demopack.pack.import_demos import import_demos
from demopack.store import Library
from tests.support.demos import tiny_demo
from tests.support.packs import PackFolder


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    root = tmp_path_factory.mktemp("good")
    with Library.open(root / "library") as library:
        export_pack(library, [tiny_demo(library)], root / "pack", licence="MIT")
    return PackFolder(root / "pack")


@pytest.fixture
def pack(good: PackFolder, tmp_path: Path) -> PackFolder:
    return good.copy(tmp_path / "pack")


def zip_of(pack: PackFolder, to: Path, *, top: str = "") -> Path:
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as made:
        for file in sorted(pack.path.rglob("*")):
            if file.is_file():
                made.write(file, top + file.relative_to(pack.path).as_posix())
    return to


def test_rules_and_carried_boxes_stay_what_they_are_in_a_pack(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        demo = tiny_demo(library)
        (button,) = (one for found in library.demo(demo).elements.values() for one in found)
        said = Evidence(source="rule", rule="framed_control", type="button", box=button.box, confidence=0.6)
        others = [
            button.changed(uid="el_rule", source="rule", confidence=0.6, evidence=(said,), track_id=None),
            button.changed(uid="el_carried", source="propagated", confidence=0.3, track_id=None),
        ]
        changes = tuple(Change(kind="element", key=one.uid, before=None, after=one.to_json()) for one in others)
        by = by_program("model", "parse", reason="parse")
        library.commit(demo, Edit(id="edit_1", label="Find elements", changes=changes, provenance=by))
        export_pack(library, [demo], tmp_path / "pack", licence="MIT")
    assert [one for one in check_pack(tmp_path / "pack") if one.severity == "error"] == []
    with open_pack(tmp_path / "pack") as pack:
        sources = {
            one.uid: one.source for demo in pack.whole_demos() for found in demo.elements.values() for one in found
        }
    assert sources == {button.uid: "detector", "el_rule": "rule", "el_carried": "propagated"}


# Not a pack, or one that cannot be read ----------------------------------------------------------------------------


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="There is no pack"):
        read_demos(tmp_path / "nowhere")


def test_a_folder_and_a_file_that_are_no_packs(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"is not a demo pack: it has no pack\.json"):
        read_demos(tmp_path)
    (tmp_path / "note.txt").write_text("hello")
    with pytest.raises(PackError, match="neither a folder nor a zip"):
        read_demos(tmp_path / "note.txt")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as made:
        made.writestr("a.txt", "hello")
    with pytest.raises(PackError, match=r"it has no pack\.json"):
        read_demos(tmp_path / "other.zip")


def test_a_pack_json_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "pack.json").write_text('{"name": "a game"}')
    with pytest.raises(PackError, match="does not say format"):
        read_demos(tmp_path)


def test_a_pack_from_the_future(pack: PackFolder) -> None:
    pack.edit_manifest(lambda manifest: manifest.update(schema_version=5, future="yes"))
    with pytest.raises(NewerVersionError, match="Update demopack"):
        read_demos(pack.path)


@pytest.mark.parametrize(("table", "line", "version"), [("demos", 1, 5), ("steps", 2, 3), ("elements", 1, 3)])
def test_a_row_from_the_future(pack: PackFolder, table: str, line: int, version: int) -> None:
    pack.edit_row(table, line - 1, lambda row: row.update(schema_version=version))
    with pytest.raises(NewerVersionError, match=rf"Line {line} of {table}\.jsonl"):
        read_demos(pack.path)


def test_a_pack_of_layout_1_is_read_as_before(pack: PackFolder) -> None:
    demos = read_demos(pack.path)
    pack.edit_rows("demos", lambda rows: [(row.pop("origin"), row.update(schema_version=1)) for row in rows])
    pack.edit_manifest(lambda manifest: manifest.update(schema_version=1))
    assert read_demos(pack.path) == demos


def lose_a_field(pack: PackFolder) -> None:
    pack.edit_row("steps", 1, lambda row: row.pop("recorded_action"))


def cut_a_line(pack: PackFolder) -> None:
    pack.replace("steps.jsonl", (pack.path / "steps.jsonl").read_bytes()[:-20])


def break_an_action(pack: PackFolder) -> None:
    pack.edit_row("steps", 1, lambda row: row["recorded_action"].update(parameters={}))


def swap_a_box(pack: PackFolder) -> None:
    pack.edit_row("elements", 0, lambda row: row["box"].reverse())


def orphan_a_row(pack: PackFolder) -> None:
    pack.edit_row("elements", 0, lambda row: row.update(demo="demo_gone"))


def lose_a_table(pack: PackFolder) -> None:
    (pack.path / "elements.jsonl").unlink()


def unlist_a_table(pack: PackFolder) -> None:
    lose_a_table(pack)
    pack.seal()


def write_latin_1(pack: PackFolder) -> None:
    text = (pack.path / "steps.jsonl").read_text(encoding="utf-8")
    pack.replace("steps.jsonl", text.encode("latin-1", errors="ignore"))


def break_the_manifest(pack: PackFolder) -> None:
    (pack.path / "pack.json").write_text("{", encoding="utf-8")


def lose_the_counts(pack: PackFolder) -> None:
    pack.edit_manifest(lambda manifest: manifest.pop("counts"))


def grow_behind_the_manifest(pack: PackFolder) -> None:
    file = pack.path / "steps.jsonl"
    file.write_bytes(file.read_bytes() * 2)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lose_a_field, ["steps.jsonl, line 2,", "recorded_action", "demopack check"]),
        (cut_a_line, ["steps.jsonl, line 3,", "not JSON", "demopack check"]),
        (break_an_action, ["demos.jsonl, line 1,", "type needs the parameter text_to_type"]),
        (swap_a_box, ["elements.jsonl, line 1,", "corners swapped"]),
        (orphan_a_row, ["elements.jsonl, line 1,", "demo_gone"]),
        (lose_a_table, ["elements.jsonl is missing", "export it again"]),
        (unlist_a_table, ["pack.json", "does not list elements.jsonl"]),
        (write_latin_1, ["steps.jsonl", "not UTF-8"]),
        (break_the_manifest, ["pack.json", "not JSON"]),
        (lose_the_counts, ["pack.json", "counts"]),
        (grow_behind_the_manifest, ["steps.jsonl", "is larger than the"]),
    ],
)
def test_the_place_and_the_way_out_are_named(
    pack: PackFolder, tmp_path: Path, spoil: Callable[[PackFolder], None], words: list[str]
) -> None:
    spoil(pack)
    for path in (pack.path, zip_of(pack, tmp_path / "pack.zip")):
        with pytest.raises(PackError) as caught:
            read_demos(path)
        assert all(word in str(caught.value) for word in words), str(caught.value)
        assert caught.value.hint
        assert any(finding.severity == "error" for finding in check_pack(path))


# Pictures ----------------------------------------------------------------------------------------------------------


def test_a_missing_damaged_or_exchanged_picture_is_named(pack: PackFolder) -> None:
    row = pack.rows("steps")[0]
    file = pack.path / row["image"]
    whole = file.read_bytes()
    with open_pack(pack.path) as opened:
        for data in (whole[:100], b"text", (pack.path / row["after"]["file"]).read_bytes()):
            file.write_bytes(data)
            with pytest.raises(CorruptFrameError, match=r"0001\.png"):
                opened.get_image(row["before"]["id"])
        file.unlink()
        with pytest.raises(CorruptFrameError, match=r"0001\.png"):
            opened.get_image(row["before"]["id"])
        with pytest.raises(CorruptFrameError, match="has no picture"):
            opened.get_image("f" * 64)
        assert opened.get_image(row["after"]["id"]).shape == (48, 64, 3), "the others are unharmed"


# Import ------------------------------------------------------------------------------------------------------------


def test_import_is_all_or_nothing(pack: PackFolder, tmp_path: Path) -> None:
    (pack.path / pack.rows("steps")[1]["image"]).write_bytes(b"gone")
    with Library.open(tmp_path / "other") as library:
        with pytest.raises(PackError, match="I02"):
            import_demos([pack.path], library)
        assert library.demos() == []


def test_a_demo_that_was_deleted_is_still_known(good: PackFolder, tmp_path: Path) -> None:
    with Library.open(tmp_path / "other") as library:
        (told,) = import_demos([good.path], library).demos
        library.delete_demo(told.demo)
        assert import_demos([good.path], library).demos[0].status == "already_there"


# Zips --------------------------------------------------------------------------------------------------------------


def test_a_folder_that_was_zipped_by_hand_is_read(pack: PackFolder, tmp_path: Path) -> None:
    file = zip_of(pack, tmp_path / "made.zip", top="my pack/")
    assert check_pack(file) == check_pack(pack.path) == []
    with open_pack(file) as opened, open_pack(pack.path) as plain:
        assert list(opened.whole_demos()) == list(plain.whole_demos())
        frame = next(opened.whole_demos()).frames()[0].id
        np.testing.assert_array_equal(opened.get_image(frame), plain.get_image(frame))


@pytest.mark.parametrize(
    "name", ["../evil.txt", "/etc/evil", "C:/evil", "a/../../evil", "a\\..\\evil", "a\x00b", "./x"]
)
def test_a_zip_with_a_way_out_is_refused(pack: PackFolder, tmp_path: Path, name: str) -> None:
    file = zip_of(pack, tmp_path / "bad.zip")
    with zipfile.ZipFile(file, "a") as made:
        info = zipfile.ZipInfo("x")
        info.filename = info.orig_filename = name
        made.writestr(info, "evil")
    _rename_in_directory(file, name)
    with pytest.raises(UnsafePathError, match="outside the pack"):
        read_demos(file)
    assert [finding.rule for finding in check_pack(file)] == ["P01"]
    assert not (tmp_path / "evil.txt").exists()


def _rename_in_directory(file: Path, name: str) -> None:
    """zipfile writes names as it thinks right; make sure that the bad one is really there."""
    assert name.encode() in file.read_bytes()


def test_a_link_in_a_zip_is_refused(pack: PackFolder, tmp_path: Path) -> None:
    file = zip_of(pack, tmp_path / "bad.zip")
    with zipfile.ZipFile(file, "a") as made:
        info = zipfile.ZipInfo("frames/link.png")
        info.create_system = 3
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(info, "/etc/passwd")
    with pytest.raises(UnsafePathError, match="link"):
        read_demos(file)
    assert [finding.rule for finding in check_pack(file)] == ["P01"]


def test_a_link_in_a_folder_is_not_followed(pack: PackFolder, tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    row = pack.rows("steps")[0]
    file = pack.path / row["image"]
    file.rename(secret)
    file.symlink_to(secret)
    with open_pack(pack.path) as opened, pytest.raises(CorruptFrameError) as caught:
        opened.get_image(row["before"]["id"])
    assert "outside the pack" in caught.value.details
    assert {finding.rule for finding in check_pack(pack.path)} == {"I02"}


def test_a_bomb_is_not_unpacked(pack: PackFolder, tmp_path: Path) -> None:
    pack.replace("steps.jsonl", b" " * (64 << 20))
    file = zip_of(pack, tmp_path / "bomb.zip")
    assert file.stat().st_size < 1 << 20
    with pytest.raises(PackError, match="unpacks to far more"):
        read_demos(file)
    assert "I02" in {finding.rule for finding in check_pack(file)}


def test_a_size_that_lies_is_found_out(pack: PackFolder, tmp_path: Path) -> None:
    """The directory of the zip says that steps.jsonl is as long as the manifest says; it is not."""
    true_size = (pack.path / "steps.jsonl").stat().st_size
    manifest = json.loads((pack.path / "pack.json").read_text(encoding="utf-8"))
    (pack.path / "steps.jsonl").write_bytes(b" " * 1_000_000)
    pack.write_manifest(manifest)
    file = zip_of(pack, tmp_path / "lie.zip")
    data = file.read_bytes().replace(struct.pack("<L", 1_000_000), struct.pack("<L", true_size))
    file.write_bytes(data)
    with pytest.raises(PackError):
        read_demos(file)
    assert "I02" in {finding.rule for finding in check_pack(file)}


def test_a_damaged_zip_is_said(pack: PackFolder, tmp_path: Path) -> None:
    file = zip_of(pack, tmp_path / "cut.zip")
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    with pytest.raises(PackError, match="neither a folder nor a zip"):
        read_demos(file)
    position = data.index(b"steps.jsonl") + 40
    file.write_bytes(data[:position] + b"\xff" * 50 + data[position + 50 :])
    with pytest.raises(PackError, match=r"steps\.jsonl in the pack .* cannot be read"):
        read_demos(file)


def test_one_name_twice_is_refused(pack: PackFolder, tmp_path: Path) -> None:
    file = zip_of(pack, tmp_path / "twice.zip")
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(file, "a") as made:
        made.writestr("steps.jsonl", "")
    with pytest.raises(PackError, match="twice"):
        read_demos(file)


# Names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["frames/a/0001.png", "a", "über/x", "a b"])
def test_paths_that_stay_inside(path: str) -> None:
    assert is_safe(path)


@pytest.mark.parametrize(
    "path", ["", "/a", "..", "a/..", "../a", "a//b", "a/", "./a", "C:a", "c:\\a", "a\\b", "a\nb", "\x00"]
)
def test_paths_that_do_not(path: str) -> None:
    assert not is_safe(path)


def test_safe_names_differ_where_ids_do() -> None:
    names = [safe_name(text) for text in ("demo_1", "Demo_1", "demo/1", "demo 1", "демо", "..", "", "x" * 500)]
    assert names[0] == "demo_1"
    assert len({name.lower() for name in names}) == len(names)
    assert len(set(names)) == len(names)


def test_a_damaged_byte_never_ends_in_a_crash(pack: PackFolder) -> None:
    file = pack.path / "elements.jsonl"
    whole = file.read_bytes()
    refused = 0
    for position in range(0, len(whole), 7):
        file.write_bytes(whole[:position] + b"\x00" + whole[position + 1 :])
        try:
            read_demos(pack.path)
        except PackError:
            refused += 1
    assert refused == len(range(0, len(whole), 7)), "a zero byte is nowhere legal in JSON"
