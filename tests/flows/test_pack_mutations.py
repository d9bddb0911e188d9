"""A good pack of a wide screen is spoiled in one way at a time: exactly that rule must speak. Then it is mended."""

from __future__ import annotations

import functools
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from demopack.errors import PackError
from demopack.pack import export_pack
from demopack.pack.check import check_pack, files, pictures, report_on
from demopack.pack.check.cache import CheckCache
from demopack.pack.check.fix import fix_pack
from demopack.pack.rules import RULES, CheckReport
from demopack.pack.source import FolderSource
from demopack.store import Library
from tests.support.packs import PackFolder
from tests.support.wide_cases import PUBLISH_CASES, WIDE_CASES, Spoil
from tests.support.wide_demo import wide_demo

FIRST = "frames/demo_00000000ff/0001.png"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    root = tmp_path_factory.mktemp("wide")
    with Library.open(root / "library") as library:
        export_pack(library, [wide_demo(library)], root / "pack", licence="CC-BY-4.0", consent="Yes.")
    return PackFolder(root / "pack")


@pytest.fixture(autouse=True, scope="module")
def _each_picture_is_decoded_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "decode", functools.cache(pictures.decode))
        yield


@pytest.fixture
def pack(good: PackFolder, tmp_path: Path) -> PackFolder:
    return good.copy(tmp_path / "pack")


def test_the_good_pack_has_nothing_to_find(good: PackFolder) -> None:
    assert report_on(good.path, publish=True, names=["thinkpad-of-ada"]).findings == []


@pytest.mark.parametrize(("rule", "spoil"), [pytest.param(r, s, id=f"{r}-{n}") for r, n, s in WIDE_CASES])
def test_exactly_the_broken_rule_speaks(pack: PackFolder, rule: str, spoil: Spoil) -> None:
    spoil(pack)
    assert {finding.rule for finding in check_pack(pack.path)} == {rule}


def test_a_file_that_is_too_large(pack: PackFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 500_000)
    pack.replace("exports/set/film.tar", bytes(600_000))
    pack.replace("exports/set/EXPORT_LOG.json", b'{"rows_in": 0, "rows_out": 0, "left_out": []}')
    assert [(f.rule, f.file) for f in check_pack(pack.path)] == [("Z01", "exports/set/film.tar")]


@pytest.mark.parametrize(("rule", "spoil"), [pytest.param(r, s, id=f"{r}-{n}") for r, n, s in PUBLISH_CASES])
def test_what_publishing_needs(pack: PackFolder, rule: str, spoil: Spoil) -> None:
    spoil(pack)
    found = report_on(pack.path, publish=True, names=["thinkpad-of-ada"]).findings
    assert {(finding.rule, finding.severity) for finding in found} == {(rule, "error")}
    assert all(f.severity == RULES[f.rule].severity == "warning" for f in check_pack(pack.path))


# Mending ------------------------------------------------------------------------------------------------------------


def _text_in_picture(pack: PackFolder) -> None:
    info = PngInfo()
    info.add_text("Author", "/home/ada")
    with Image.open(pack.path / FIRST) as picture:
        picture.load()
        picture.save(pack.path / "new.png", pnginfo=info)
    (pack.path / "new.png").replace(pack.path / FIRST)
    pack.seal()


def _windows_lines(pack: PackFolder) -> None:
    text = (pack.path / "steps.jsonl").read_bytes()
    pack.replace("steps.jsonl", b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n\r\n").rstrip())


def _orphan(pack: PackFolder) -> None:
    pack.replace("frames/left-over.png", (pack.path / FIRST).read_bytes())


def _odd_name(pack: PackFolder) -> None:
    pack.rename(FIRST, "frames/demo_00000000ff/the first.png")


MENDABLE: list[tuple[str, Spoil]] = [
    ("P04", _text_in_picture), ("H04", _windows_lines), ("I03", _orphan), ("H02", _odd_name),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "spoil"), MENDABLE, ids=[rule for rule, _ in MENDABLE])
def test_what_can_be_mended_is_mended(pack: PackFolder, good: PackFolder, rule: str, spoil: Spoil) -> None:
    spoil(pack)
    assert rule in {finding.rule for finding in check_pack(pack.path)}
    assert RULES[rule].mends
    assert fix_pack(pack.path)
    assert check_pack(pack.path) == []
    assert pack.rows("steps")[3]["response"] == good.rows("steps")[3]["response"]
    assert fix_pack(pack.path) == [], "and then there is nothing left to mend"
    assert [p.name for p in pack.path.parent.iterdir()] == ["pack"]


def test_every_rule_that_promises_it_can_be_mended() -> None:
    assert {rule.id for rule in RULES.values() if rule.mends} == {rule for rule, _ in MENDABLE}


def test_all_at_once_in_a_zip(pack: PackFolder, tmp_path: Path) -> None:
    for _, spoil in MENDABLE:
        spoil(pack)
    zipped = shutil.make_archive(str(tmp_path / "zipped"), "zip", pack.path)
    assert len(fix_pack(Path(zipped))) == 4
    assert check_pack(Path(zipped)) == []


def test_mending_hides_no_damage(pack: PackFolder) -> None:
    _text_in_picture(pack)
    (pack.path / "README.md").write_text("changed on the way")
    pack.edit_manifest(lambda m: m["files"].__setitem__(0, {**m["files"][0], "sha256": "0" * 64}))
    damaged = {pack.manifest()["files"][0]["path"], "README.md"}
    assert fix_pack(pack.path) == [f"{FIRST}: nothing but its pixels is left."]
    assert {finding.file for finding in check_pack(pack.path) if finding.rule == "I02"} == damaged


def test_a_picture_is_kept_where_a_line_that_may_name_it_cannot_be_read(pack: PackFolder) -> None:
    _orphan(pack)
    pack.replace("steps.jsonl", (pack.path / "steps.jsonl").read_bytes() + b"{")
    fix_pack(pack.path)
    assert (pack.path / "frames" / "left-over.png").exists()


def test_a_manifest_that_cannot_be_read_stops_the_mending(pack: PackFolder) -> None:
    (pack.path / "pack.json").write_text("{")
    with pytest.raises(PackError, match="nothing can be mended"):
        fix_pack(pack.path)


# Remembering --------------------------------------------------------------------------------------------------------


class Reads:
    """Counts the files that a check opens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        real = FolderSource.open

        def opened(source: FolderSource, name: str) -> IO[bytes]:
            self.names.append(name)
            return real(source, name)

        monkeypatch.setattr(FolderSource, "open", opened)

    def taken(self) -> set[str]:
        found, self.names = set(self.names), []
        return found


def _later() -> int:
    return time.time_ns() + 60_000_000_000


def test_a_second_check_reads_only_what_changed(
    pack: PackFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack.edit_row("steps", 0, lambda r: r["response"].update(reasoning=""))
    reads = Reads(monkeypatch)

    def check() -> CheckReport:
        with CheckCache(tmp_path / "cache", now_ns=_later) as cache:
            return report_on(pack.path, cache=cache)

    first = check()
    assert reads.taken() >= {FIRST, "steps.jsonl"}
    assert [finding.rule for finding in first.findings] == ["R01"]
    second = check()
    assert (second.findings, reads.taken()) == (first.findings, set())
    assert second.unchanged == second.files == len([p for p in pack.path.rglob("*") if p.is_file()])
    pack.edit_row("steps", 1, lambda r: r["response"].update(reasoning=""))
    third = check()
    assert [finding.rule for finding in third.findings] == ["R01", "R01"]
    assert not any(name.endswith(".png") for name in reads.taken())
    assert check_pack(pack.path) == list(third.findings), "as without a cache"
    assert not list(pack.path.rglob("*.sqlite*")), "nothing is left in the pack"


def test_a_picture_that_changed_is_seen(pack: PackFolder, tmp_path: Path) -> None:
    for rules in (set[str](), {"P04"}):
        with CheckCache(tmp_path / "cache", now_ns=_later) as cache:
            assert {finding.rule for finding in report_on(pack.path, cache=cache).findings} == rules
        _text_in_picture(pack)


def test_a_file_that_was_just_written_is_not_believed_to_stay(
    pack: PackFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = max(p.stat().st_ctime_ns for p in pack.path.rglob("*"))
    reads = Reads(monkeypatch)
    for _ in range(2):
        with CheckCache(tmp_path / "cache", now_ns=lambda: newest + 1_000_000_000) as cache:
            report_on(pack.path, cache=cache)
        assert FIRST in reads.taken()


def test_a_damaged_cache_is_made_anew(pack: PackFolder, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "check.sqlite").write_bytes(b"no database at all, but long enough" * 100)
    with CheckCache(tmp_path / "cache", now_ns=_later) as cache:
        assert report_on(pack.path, cache=cache).findings == []
    with CheckCache(tmp_path / "cache", now_ns=_later) as cache:
        assert report_on(pack.path, cache=cache).unchanged > 0


def test_a_cache_that_cannot_be_written_is_done_without(pack: PackFolder, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    with CheckCache(tmp_path / "cache", now_ns=_later) as cache:
        assert report_on(pack.path, cache=cache).findings == []


def test_a_row_from_before_a_field_existed_is_good(pack: PackFolder) -> None:
    pack.edit_row("steps", 0, lambda r: (r.pop("clipboard"), r["before"].pop("covered"), r["before"].pop("monitors")))
    assert [f.rule for f in check_pack(pack.path)] == ["H05"], "the schema beside it asks for the field"
    older = json.loads((pack.path / "schema" / "step.json").read_text(encoding="utf-8"))
    older["required"].remove("clipboard")
    pack.replace("schema/step.json", json.dumps(older).encode())
    assert [f.rule for f in check_pack(pack.path)] == ["H05"]


def test_what_is_covered_is_one_colour_and_stays_it(pack: PackFolder) -> None:
    (blank,) = [spoil for rule, _, spoil in WIDE_CASES if rule == "G08"]
    blank(pack)
    assert {finding.rule for finding in check_pack(pack.path)} == {"G08"}

    def cover(row: dict[str, Any]) -> dict[str, Any]:
        for frame in (row["before"], row["after"]):
            if frame is not None and row["target_box"] is not None:
                frame["covered"] = [row["target_box"]]
        return row

    pack.edit_rows("steps", lambda rows: [cover(row) for row in rows])
    assert "G08" not in {finding.rule for finding in check_pack(pack.path)}


def test_nothing_can_change_where_it_is_covered(pack: PackFolder) -> None:
    (still,) = [spoil for rule, _, spoil in WIDE_CASES if rule == "S07"]
    still(pack)
    (found,) = check_pack(pack.path)
    assert found.rule == "S07"
    pack.edit_row("steps", 5, lambda row: row["before"].update(covered=[row["target_box"]]))
    assert "S07" not in {finding.rule for finding in check_pack(pack.path)}
