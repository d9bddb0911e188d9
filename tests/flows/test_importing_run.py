"""Importing as a whole: nothing outside is read, nothing is half stored, our own packs come back, the command tells."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.codecs.files.base import ImportOptions
from demopack.codecs.files.json_object import BadRowError
from demopack.codecs.files.pictures import decode_picture
from demopack.codecs.files.source import LINE_LIMIT
from demopack.domain.elements import Element
from demopack.domain.steps import Step
from demopack.errors import BadInputError, CancelledError, NewerVersionError, PackError
from demopack.file_names import UnsafePathError
from demopack.jobs import CancelToken, JobControl
from demopack.pack.import_demos import IMPORTERS, import_demos, open_files, report_text
from demopack.pack.writer import export_pack
from demopack.store import Library
from demopack_cli import import_demos as cli
from demopack_cli.main import main
from tests.support.demos import tiny_demo
from tests.support.foreign import agentnet, agentnet_step, events, osworld, picture, read_all, read_one
from tests.support.packs import PackFolder

ROOT = Path(__file__).parents[2]
CLICK = "pyautogui.click(x=0.25, y=0.5)"


def zip_of(folder: Path, to: Path, *, top: str = "") -> Path:
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as made:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                made.write(file, top + file.relative_to(folder).as_posix())
    return to


# Where files are read ---------------------------------------------------------------------------------------------


def test_a_zip_a_folder_and_a_file_are_the_same_demo(tmp_path: Path) -> None:
    path = agentnet(tmp_path / "set", agentnet_step(0, CLICK))
    found = [
        read_one(one)[0]
        for one in (
            path,
            path.parent,
            zip_of(path.parent, tmp_path / "a.zip"),
            zip_of(path.parent, tmp_path / "b.zip", top="x/"),
        )
    ]
    assert found[0] == found[1] == found[2] == found[3]


@pytest.mark.parametrize("reference", ["../secret.png", "/etc/secret.png", "C:\\secret.png", "a/../../secret.png"])
def test_pictures_outside_the_folder_are_never_read(tmp_path: Path, reference: str) -> None:
    picture(tmp_path / "secret.png", seed=9)
    step = {**agentnet_step(0, CLICK), "image": reference}
    path = agentnet(tmp_path / "set", step, pictures=False)
    with pytest.raises(BadRowError, match="is not there"):
        read_all(path)


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    picture(tmp_path / "secret.png", seed=9)
    path = agentnet(tmp_path / "set", agentnet_step(0, CLICK), pictures=False)
    (path.parent / "0.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(UnsafePathError):
        read_all(path)


def test_a_zip_with_a_path_that_leaves_it_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as made:
        made.writestr("../agentnet.jsonl", "{}")
    with pytest.raises(UnsafePathError):
        read_all(tmp_path / "bad.zip")


def test_a_bomb_in_a_zip_is_not_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("agentnet.jsonl", b" " * (20 << 20))
    with open_files(tmp_path / "bomb.zip") as files, pytest.raises(BadRowError, match="unpacks to far too much"):
        next(files.lines("agentnet.jsonl"))


def test_no_zip_at_all_and_nothing_there(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK no")
    with pytest.raises(BadInputError, match="not a zip that can be read"):
        open_files(tmp_path / "a.zip")
    with pytest.raises(BadInputError, match="There is no file or folder"):
        open_files(tmp_path / "nowhere")


def test_a_line_without_an_end_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LINE_LIMIT == 64 << 20
    monkeypatch.setattr("demopack.codecs.files.source.LINE_LIMIT", 1000)
    path = agentnet(tmp_path, agentnet_step(0, CLICK, thought="x" * 2000))
    with pytest.raises(BadRowError, match="longer than 1,000 bytes"):
        read_all(path, name="agentnet")


def test_a_picture_that_would_unpack_to_far_too_much_is_refused() -> None:
    head = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    with pytest.raises(ValueError, match="no picture"):
        decode_picture(data)


# What is stored ---------------------------------------------------------------------------------------------------


def test_an_error_in_the_last_line_stores_nothing(tmp_path: Path) -> None:
    path = agentnet(tmp_path / "set", agentnet_step(0, CLICK))
    with path.open("a", encoding="utf-8") as file:
        file.write("{}\n")
    with Library.open(tmp_path / "library") as library:
        with pytest.raises(BadRowError, match="line 2"):
            import_demos([path], library)
        assert library.demos() == []
        report = import_demos([path], library, options=ImportOptions(skip_bad=True))
        assert len(library.demos()) == 1
    assert [item.code for item in report.sources[0].skipped] == ["no_steps"]


def test_more_demos_than_are_held_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demopack.pack.import_demos._MAX_HELD", 1)
    for name in ("a", "b", "c"):
        osworld(tmp_path / "runs" / name, {"step_num": 1, "action": "DONE", "screenshot_file": "1.png"})
    with Library.open(tmp_path / "library") as library:
        report = import_demos([tmp_path / "runs"], library)
        assert {row.head.id for row in library.demos()} == {demo.demo for demo in report.demos}
    assert [demo.status for demo in report.demos] == ["imported"] * 3


def test_a_cancelled_import_stores_nothing_half(tmp_path: Path) -> None:
    path = agentnet(tmp_path / "set", agentnet_step(0, CLICK))
    token = CancelToken()
    with Library.open(tmp_path / "library") as library:
        with pytest.raises(CancelledError):
            import_demos([path], library, control=JobControl(token=token, report=lambda _: token.cancel()))
        assert library.demos() == []


def test_files_that_were_not_read_are_named(tmp_path: Path) -> None:
    path = agentnet(tmp_path, agentnet_step(0, CLICK))
    (tmp_path / "broken.jsonl").write_text("{\n", encoding="utf-8")
    report = import_demos([path.parent], None)
    assert report.sources[0].ignored == ["broken.jsonl"]
    assert "  not read: 1 other JSON file, for instance broken.jsonl" in report_text(report)


def test_files_that_nobody_knows_and_files_of_two_kinds(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadInputError, match="holds no demos that are known") as caught:
        read_all(tmp_path)
    assert all(one.name in caught.value.hint for one in IMPORTERS)
    agentnet(tmp_path, agentnet_step(0, CLICK))
    events(tmp_path, {"time_stamp": 1, "action": "move", "x": 1, "y": 1})
    with pytest.raises(BadInputError, match="several formats") as caught:
        read_all(tmp_path)
    assert "agentnet or ducktrack" in caught.value.hint


# Our own packs ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack of a demo with everything that a person can add, and the library that it is from beside it."""
    root = tmp_path_factory.mktemp("rich")
    with Library.open(root / "library") as library:
        demo = library.demo(tiny_demo(library))
        first, second, third = demo.steps
        other = Element(uid="other", frame=first.before.id, type="text", box=(31, 10, 40, 20), text="Or")  # type: ignore[union-attr]
        steps: list[Step] = [
            first.model_copy(update={"alternatives": ("other",), "note": "Careful.", "review": "approved"}),
            second.model_copy(update={"variable": "greeting"}),
            third,
        ]
        elements = {key: tuple(sorted((*found, other), key=lambda e: e.uid)) for key, found in demo.elements.items()}
        head = demo.head.model_copy(update={"id": "demo_000000rich"})
        library.add_demo(type(demo)(head=head, steps=tuple(steps), elements=elements, parsed=demo.parsed))
        export_pack(library, [head.id], root / "pack", licence="CC0-1.0")
    return root


def test_our_own_pack_comes_back_whole(rich: Path, tmp_path: Path) -> None:
    with Library.open(rich / "library") as library:
        wanted = library.demo("demo_000000rich")
    wanted = replace(wanted, head=wanted.head.model_copy(update={"licence": "CC0-1.0"}))
    with Library.open(tmp_path / "library") as library:
        (report,) = import_demos([zip_of(rich / "pack", tmp_path / "p.zip", top="my pack/")], library).demos
        assert library.demo(report.demo) == wanted
        assert import_demos([rich / "pack"], library).demos[0].status == "already_there"
    assert wanted.steps[0].alternatives == ("other",)
    assert (report.assumed, report.lost, report.rows_in, report.rows_used) == ([], [], 3, 3)


@pytest.mark.parametrize(
    ("own", "said", "kept", "lost"),
    [
        ("", "CC0-1.0", "CC0-1.0", []),
        ("MIT", "CC0-1.0", "MIT", [("licence", "CC0-1.0")]),
        ("MIT", "", "MIT", []),
        ("", "free beer", "", [("licence", "free beer")]),
    ],
)
def test_the_licence_of_a_pack_is_kept_and_given_back(
    rich: Path, tmp_path: Path, own: str, said: str, kept: str, lost: list[tuple[str, str]]
) -> None:
    pack = PackFolder(rich / "pack").copy(tmp_path / "pack")
    pack.edit_row("demos", 0, lambda row: row.update(licence=own))
    pack.edit_manifest(lambda manifest: manifest.update(licence=said, consent="Ada agreed."))
    pack.edit_manifest(lambda manifest: manifest["redaction"].update(kept_digests=["07a3c066c047c7b2a967b324"]))
    with Library.open(tmp_path / "library") as library:
        (report,) = import_demos([pack.path], library).demos
        assert library.demo(report.demo).head.licence == kept
        export_pack(library, [report.demo], tmp_path / "again")
    assert PackFolder(tmp_path / "again").manifest()["licence"] == kept
    told = {(item.code, item.examples[0]) for item in report.lost}
    assert told == {*lost, ("consent", "Ada agreed."), ("kept", "07a3c066c047c7b2a967b324")}
    assert any(
        "not carried: what the recorded person agreed to" in line
        for line in report_text(import_demos([pack.path], None))
    )


def test_rows_of_an_earlier_version_lack_fields(rich: Path, tmp_path: Path) -> None:
    pack = PackFolder(rich / "pack").copy(tmp_path / "old")
    later = ("variable", "focused", "pointed", "clipboard", "alternatives")
    pack.edit_rows("steps", lambda rows: [row.pop(name) for row in rows for name in later])
    demo, _ = read_one(pack.path)
    assert [(step.variable, step.alternatives) for step in demo.steps] == [("", ())] * 3
    assert demo.steps[0].note == "Careful."


def test_a_newer_pack_and_a_damaged_one_are_refused(rich: Path, tmp_path: Path) -> None:
    pack = PackFolder(rich / "pack").copy(tmp_path / "pack")
    manifest = json.loads((pack.path / "pack.json").read_text(encoding="utf-8"))
    (pack.path / "pack.json").write_text(json.dumps({**manifest, "schema_version": 99}), encoding="utf-8")
    with pytest.raises(NewerVersionError), Library.open(tmp_path / "library") as library:
        import_demos([pack.path], library)
    (pack.path / "pack.json").write_text(json.dumps(manifest), encoding="utf-8")
    next((pack.path / "frames").rglob("*.png")).write_bytes(b"no")
    with Library.open(tmp_path / "library") as library:
        with pytest.raises(PackError, match="I02"):
            import_demos([pack.path], library)
        assert library.demos() == []


# The command ------------------------------------------------------------------------------------------------------


def test_the_command_knows_every_importer_and_so_does_the_page() -> None:
    assert ("auto", *(one.name for one in IMPORTERS)) == cli.FORMATS
    page = (ROOT / "docs" / "formats" / "imports.md").read_text(encoding="utf-8")
    for one in IMPORTERS:
        assert f"| `{one.name}` | {one.title} | {one.files} | {one.before} |" in page


def test_the_command_tells_in_words_and_as_json(tmp_path: Path) -> None:
    path = agentnet(tmp_path / "set", agentnet_step(0, CLICK), agentnet_step(5, "computer.wait()"))
    at = ["--library", str(tmp_path / "library")]
    dry = CliRunner().invoke(main, ["import", str(path), "--dry-run", *at])
    assert dry.exit_code == 0, dry.output
    assert "assumed: the numbers of steps jump" in dry.output
    assert "Nothing was stored." in dry.output
    assert not (tmp_path / "library").exists()
    done = CliRunner().invoke(main, ["import", str(path), "--json", *at])
    report = json.loads(done.output)
    assert report["stored"]
    (demo,) = report["sources"][0]["demos"]
    assert (demo["status"], demo["rows_in"], demo["rows_used"], demo["steps"]) == ("imported", 2, 2, 2)
    with Library.open(tmp_path / "library") as library:
        assert library.demo(demo["demo"]).head.task == "Save it"
    wrong = CliRunner().invoke(main, ["import", str(path), "--screen", "big", *at])
    assert wrong.exit_code == 2
    assert "1920x1080" in wrong.output


def test_the_report_says_what_was_left_out(tmp_path: Path) -> None:
    path = agentnet(tmp_path / "set", agentnet_step(0, "pyautogui.teleport()"), agentnet_step(1, CLICK))
    report = import_demos([path], None, options=ImportOptions(skip_bad=True))
    text = "\n".join(report_text(report))
    assert "2 steps in agentnet.jsonl, line 1: 1 used, 1 left out; 1 step, 1 picture" in text
    assert "left out: There is no action called 'teleport'" in text
    assert "(1x, for instance agentnet.jsonl, line 1, traj[0])" in text
