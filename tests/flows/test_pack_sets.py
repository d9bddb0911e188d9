"""Packs as a whole: divided without leaks, merged, compared, counted, versioned."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from demopack.errors import BadInputError, PackError
from demopack.pack import check_pack, open_pack
from demopack.pack.picture import encode_png
from demopack.pack.sets.compare import compare
from demopack.pack.sets.divide import divide, merge_packs, with_version
from demopack.pack.sets.filters import Filter
from demopack.pack.sets.splits import Split, alike, parse_shares, print_of
from demopack_cli.pack import command
from tests.golden.inputs import unpack
from tests.support.many_demos import pack_of
from tests.support.packs import PackFolder, Row
from tests.support.pictures import FormScreen, noise_image

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
SHARES = {"train": 0.6, "test": 0.4}
# Tasks 0 to 4 twice each, in two applications, the second time in other letters.
TWICE = [{"task": f"Order {n % 5}" if n < 5 else f"order  {n % 5}", "app": "Shop" if n % 5 < 3 else "Mail"}
         for n in range(10)]  # fmt: skip


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    return pack_of(tmp_path_factory.mktemp("ten"), TWICE)


def planned(pack: PackFolder, **options: Any) -> Split:
    shares = options.pop("shares", SHARES)
    return divide(pack.path, shares, options.pop("wanted", Filter()), out=None, **options)[0]


def groups(pack: PackFolder, split: Split, field: str) -> dict[str, set[str]]:
    rows = {row["demo"]: " ".join(row[field].casefold().split()) for row in pack.rows("demos")}
    return {side: {rows[demo] for demo in demos} for side, demos in split.sides.items()}


# Dividing ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_task_is_never_on_two_sides(ten: PackFolder, seed: int) -> None:
    split = planned(ten, seed=seed)
    tasks = groups(ten, split, "task")
    assert not tasks["train"] & tasks["test"]
    assert (len(tasks["train"]), len(tasks["test"])) == (3, 2)
    assert split.steps == {"train": 18, "test": 12}
    assert sorted(demo for demos in split.sides.values() for demo in demos) == [r["demo"] for r in ten.rows("demos")]


def test_an_application_is_never_on_two_sides(ten: PackFolder) -> None:
    for seed in range(4):
        apps = groups(ten, planned(ten, by="app", seed=seed), "app")
        assert apps["train"] | apps["test"] == {"shop", "mail"}
        assert len(apps["train"]) == len(apps["test"]) == 1


def test_the_seed_decides_and_nothing_else(ten: PackFolder) -> None:
    assert planned(ten, seed=3) == planned(ten, seed=3)
    assert len({json.dumps(planned(ten, seed=seed).to_json()["sides"]) for seed in range(8)}) > 3


def test_no_side_stays_empty(ten: PackFolder) -> None:
    split = planned(ten, shares=parse_shares("train=0.98,val=0.01,test=0.01"))
    assert all(split.sides.values())
    with pytest.raises(BadInputError, match="2 applications cannot be divided into 3 sides") as caught:
        planned(ten, by="app", shares=parse_shares("a=1,b=1,c=1"))
    assert "--allow-leaks" not in caught.value.hint, "that would not help"


def test_tasks_that_share_a_step_stay_together(tmp_path: Path) -> None:
    # The first and the last begin with the same click on the same screen; the third clicks elsewhere on it.
    pack = pack_of(tmp_path, [{"start": 999}, {}, {"start": 999, "at": 35}, {}, {"start": 999}])
    first, _, third, _, last = (row["demo"] for row in pack.rows("demos"))
    for seed in range(6):
        split = planned(pack, seed=seed)
        assert (split.leaks, split.joined) == ([], 1)
        assert any({first, last} <= set(demos) for demos in split.sides.values())
        assert split.shared_screens == (0 if any({first, third} <= set(d) for d in split.sides.values()) else 2)
    apart = [planned(pack, seed=seed, allow_leaks=True) for seed in range(12)]
    told = [split for split in apart if split.leaks]
    assert told
    assert {(leak.one, leak.other) for split in told for leak in split.leaks} == {(f"{first}_step00", f"{last}_step00")}


def test_demos_that_all_share_steps_are_one_group_and_the_way_out_is_named(tmp_path: Path) -> None:
    pack = pack_of(tmp_path, [{"start": 999}, {"start": 999}])
    first, last = (row["demo"] for row in pack.rows("demos"))
    with pytest.raises(BadInputError, match="2 tasks cannot be divided into 2 sides: they make 1 group") as caught:
        planned(pack)
    assert f"do the same on screens that look alike, for instance the steps {first}_step00 and {last}_step00" in str(
        caught.value
    )
    assert "--allow-leaks" in caught.value.hint
    with pytest.raises(BadInputError) as caught:
        planned(pack, shares=parse_shares("a=1,b=1,c=1"))
    assert "--allow-leaks" not in caught.value.hint, "that would not help"
    assert planned(pack, allow_leaks=True).leaks


def test_pictures_that_look_alike_are_found() -> None:
    drawn = FormScreen(name="Ada Lovelace").draw()
    cursor = drawn.copy()
    cursor[140:160, 200:202] = 0
    other = FormScreen(name="Ada Lovelace", open=True).draw()
    darker = (drawn.astype(np.int16) - 1).clip(0, 255).astype(np.uint8)
    prints = [print_of(encode_png(image)) for image in (drawn, cursor, darker, noise_image(960, 600, seed=1))]
    assert alike(prints[:1], prints) == [(0, 0), (0, 1), (0, 2)]
    assert alike([], prints) == []
    assert len(alike([print_of(encode_png(other))], prints[3:])) == 0


@pytest.mark.parametrize("text", ["", "train", "train=x", "train=1", "train=0.5,train=0.5", "a=1,b=0", "a b=1,c=1"])
def test_shares_that_cannot_be_read_are_told(text: str) -> None:
    with pytest.raises(BadInputError, match="who gets how much"):
        parse_shares(text)


def test_the_packs_of_a_division_are_good_packs(ten: PackFolder, tmp_path: Path) -> None:
    out = tmp_path / "sets"
    split, _ = divide(ten.path, SHARES, Filter(), out=out, now=lambda: NOW)
    for side, demos in split.sides.items():
        assert check_pack(out / side) == []
        part = PackFolder(out / side)
        assert [row["demo"] for row in part.rows("demos")] == list(demos)
        whole = [row for row in ten.rows("steps") if row["demo"] in demos]
        assert part.rows("steps") == whole
        with open_pack(out / side) as pack, open_pack(ten.path) as all_of:
            assert list(pack.whole_demos()) == [demo for demo in all_of.whole_demos() if demo.head.id in demos]
            assert (pack.manifest.licence, pack.manifest.consent) == ("MIT", "Yes.")
    said = json.loads((out / "SPLITS.json").read_text(encoding="utf-8"))
    assert said["sides"] == {side: list(demos) for side, demos in split.sides.items()}


# Filters -------------------------------------------------------------------------------------------------------------


def approved(rows: list[Row]) -> None:
    for row in rows[:6]:
        row["review"] = "approved"
    rows[3]["note"] = "good for #Testing, not for #demo-2"
    rows[6]["doubts"] = ["no_element"]


@pytest.fixture
def mixed(ten: PackFolder, tmp_path: Path) -> PackFolder:
    pack = ten.copy(tmp_path / "mixed")
    pack.edit_rows("steps", approved)
    pack.edit_row("demos", 4, lambda row: row.update(outcome="failure"))
    return pack


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (Filter(), range(10)),
        (Filter(approved=True), [0, 1]),
        (Filter(sure=True), [0, 1, 3, 4, 5, 6, 7, 8, 9]),
        (Filter(complete=True, outcome="failure"), [4]),
        (Filter(shortest=4), []),
        (Filter(longest=2), []),
        (Filter(shortest=3, longest=3), range(10)),
        (Filter(apps=["mail"]), [3, 4, 8, 9]),
        (Filter(tags=["#testing"]), [1]),
        (Filter(tags=["testing", "demo-2"]), [1]),
        (Filter(tags=["testing", "other"]), []),
        (Filter(words="ORDER 2"), [2]),
        (Filter(verdict="success", verdicts={"demo_0000000003": "success", "demo_0000000004": "failure"}), [2]),
    ],
)
def test_what_is_wanted_is_taken(mixed: PackFolder, tmp_path: Path, wanted: Filter, numbers: Any) -> None:
    ids = [row["demo"] for row in mixed.rows("demos")]
    if not list(numbers):
        with pytest.raises(BadInputError, match="No demo is left"):
            merge_packs([mixed.path], tmp_path / "out", wanted)
        assert not (tmp_path / "out").exists()
        return
    counts, left = merge_packs([mixed.path], tmp_path / "out", wanted, now=lambda: NOW)
    assert [row["demo"] for row in PackFolder(tmp_path / "out").rows("demos")] == [ids[n] for n in numbers]
    assert counts.demos + len(left) == 10


# Merging -------------------------------------------------------------------------------------------------------------


def test_two_packs_become_one(ten: PackFolder, tmp_path: Path) -> None:
    other = pack_of(tmp_path / "other", [{"task": "More"}], first=50)
    other.edit_manifest(lambda m: m.update(consent="Yes, too."))
    other.edit_manifest(lambda m: m["redaction"].update(kept={"email": 2}, kept_digests=["b" * 24]))
    out = tmp_path / "both.zip"
    merge_packs([ten.path, other.path], out, Filter(), now=lambda: NOW)
    assert check_pack(out) == []
    with open_pack(out) as pack, open_pack(ten.path) as a, open_pack(other.path) as b:
        assert list(pack.whole_demos()) == [*a.whole_demos(), *b.whole_demos()]
        assert pack.manifest.consent == "Yes.\nYes, too."
        assert pack.manifest.redaction.kept == {"email": 2}
        assert pack.manifest.redaction.kept_digests == ["b" * 24]


def test_a_pack_of_the_oldest_version_becomes_packs_of_this_one(tmp_path: Path) -> None:
    earlier = unpack("pack-8f197c8", tmp_path)
    merge_packs([earlier], tmp_path / "whole", Filter())
    divide(earlier, {"train": 1.0}, Filter(), out=tmp_path / "sides")
    for made in (tmp_path / "whole", tmp_path / "sides" / "train"):
        assert [finding for finding in check_pack(made) if finding.rule == "H05"] == [], "its schemas refuse its rows"
    with open_pack(earlier) as old, open_pack(tmp_path / "whole") as new:
        told = [[(one.head, one.steps, one.elements) for one in pack.lines()] for pack in (old, new)]
        assert told[0] == told[1]
        assert (old.manifest.schema_version, new.manifest.schema_version) == (1, 4)
    rows = PackFolder(tmp_path / "whole").rows("demos")
    assert {(row["schema_version"], row["origin"]) for row in rows} == {(4, None)}


def test_what_cannot_be_merged_is_told(ten: PackFolder, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="is in several of the packs"):
        merge_packs([ten.path, ten.path], tmp_path / "out", Filter())
    other = pack_of(tmp_path / "other", [{}], first=60, licence="CC-BY-4.0")
    with pytest.raises(BadInputError, match=r"different licences: CC-BY-4.0, MIT"):
        merge_packs([ten.path, other.path], tmp_path / "out", Filter())
    other.edit_row("steps", 0, lambda row: row["response"]["action"]["target"].update(element_id=0))
    with pytest.raises(PackError, match="breaks rule A04"):
        merge_packs([other.path], tmp_path / "out", Filter())
    assert not (tmp_path / "out").exists()
    merge_packs([ten.path], tmp_path / "out", Filter(), licence="CC0-1.0", now=lambda: NOW)
    assert PackFolder(tmp_path / "out").manifest()["licence"] == "CC0-1.0"


# Comparing and versions ----------------------------------------------------------------------------------------------


def changed(pack: PackFolder) -> None:
    pack.edit_row("steps", 1, lambda r: (r.update(note="new"), r["response"]["action"]["parameters"].update(
        text_to_type="other")))  # fmt: skip
    pack.edit_row("demos", 2, lambda r: r.update(task="Another"))


def test_what_differs_is_told(ten: PackFolder, tmp_path: Path) -> None:
    merge_packs([ten.path], tmp_path / "fewer", Filter(words="order 1"), now=lambda: NOW)
    copy = ten.copy(tmp_path / "copy")
    changed(copy)
    with open_pack(ten.path) as old, open_pack(copy.path) as new:
        diff = compare(old, new)
    assert diff.same == 8
    first, third = diff.demos
    assert [(s.index, s.what, s.fields) for s in first.steps] == [(1, "changed", ("response", "note"))]
    assert (third.what, third.fields, third.task, third.steps) == ("changed", ("task",), "Another", ())
    with open_pack(ten.path) as old, open_pack(tmp_path / "fewer") as new:
        gone = compare(old, new)
    assert (gone.same, [change.what for change in gone.demos]) == (1, ["removed"] * 9)
    with open_pack(ten.path) as old, open_pack(ten.path) as new:
        assert compare(old, new).demos == []


def test_versions_have_a_list_of_changes(ten: PackFolder, tmp_path: Path) -> None:
    copy = ten.copy(tmp_path / "copy")
    changed(copy)
    with_version(ten.path, ten.path, tmp_path / "v1", version="1.0.0", note="The first.", now=lambda: NOW)
    with_version(copy.path, tmp_path / "v1", tmp_path / "v2", version="1.1.0", now=lambda: NOW)
    text = (tmp_path / "v2" / "CHANGES.md").read_text(encoding="utf-8")
    assert text.splitlines() == [
        "# Changes", "", "## 1.1.0 (2026-05-04)", "",
        "- changed: demo_0000000001 (Order 0)", "  - step 2 changed: response, note",
        "- changed: demo_0000000003 (Another)", "  - task", "- 8 demos are the same", "",
        "## 1.0.0 (2026-05-04)", "", "The first.", "", "- 10 demos are the same",
    ]  # fmt: skip
    assert [one.rule for one in check_pack(tmp_path / "v2")] == ["A08"], "nobody typed what a hand wrote there"
    for version in ("1.1.0", "1.0.9", "one"):
        with pytest.raises(BadInputError):
            with_version(copy.path, tmp_path / "v2", tmp_path / "v3", version=version)
    assert not (tmp_path / "v3").exists()


# The command ---------------------------------------------------------------------------------------------------------


def call(*words: object) -> Result:
    return CliRunner().invoke(command, [str(word) for word in words], catch_exceptions=False)


def test_the_commands(ten: PackFolder, tmp_path: Path) -> None:
    plan = call("split", ten.path, "--shares", "train=0.6,test=0.4", "--seed", "5")
    assert "train: 6 demos, 18 steps" in plan.output
    said = json.loads(call("split", ten.path, "--shares", "a=1,b=1", "--app", "shop", "--json").output)
    assert len(said["left_out"]) == 4
    result = call("split", ten.path, "-o", tmp_path / "sets", "--shares", "train=0.6,test=0.4")
    assert (tmp_path / "sets" / "train" / "pack.json").is_file(), result.output
    merged = call("merge", tmp_path / "sets" / "train", tmp_path / "sets" / "test", "-o", tmp_path / "again")
    assert "10 demos, 30 steps" in merged.output
    same = call("diff", ten.path, tmp_path / "again")
    assert same.output == "10 demos are the same\n"
    assert json.loads(call("diff", ten.path, tmp_path / "again", "--json").output) == {"demos": [], "same": 10}
    verdicts = tmp_path / "verdicts.jsonl"
    verdicts.write_text('{"demo": "demo_0000000002", "verdict": "success"}\n')
    one = call("merge", ten.path, "-o", tmp_path / "one", "--verdicts", verdicts, "--verdict", "success")
    assert "1 demo, 3 steps" in one.output
    assert call("merge", ten.path, "-o", tmp_path / "x", "--verdicts", verdicts).exit_code == 2
    done = call("version", tmp_path / "one", "2.0.0", "--after", ten.path, "-o", tmp_path / "two")
    assert "version 2.0.0" in done.output
    assert (tmp_path / "two" / "CHANGES.md").is_file()
    shutil.rmtree(tmp_path / "two")


def test_the_statistics(ten: PackFolder) -> None:
    said = json.loads(call("stats", ten.path, "--json").output)
    assert said["actions"] == {"click": 10, "finish_goal": 10, "type": 10}
    assert said["steps_per_demo"] == {"count": 10, "least": 3, "median": 3, "most": 3, "mean": 3}
    assert said["apps"] == {"Shop": 6, "Mail": 4}
    assert said["element_types"] == {"button": 10}
    assert said["sizes"] == {"64x48": 30}
    assert said["outcomes"] == {"success": 10}
    assert said["rationales"] == {"template": 30}
    assert said["seconds_per_step"]["count"] == 20
    text = call("stats", ten.path).output
    assert "10 demos, 30 steps, 10 elements" in text
    assert "  Shop                     ######################## 6" in text
