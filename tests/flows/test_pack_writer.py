"""An export is whole or did not happen, and the same demos give the same bytes."""

from __future__ import annotations

import errno
import io
import math
import os
import re
import stat
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.errors import BadInputError, CancelledError, CorruptFrameError, DiskFullError, PackError
from demopack.file_names import is_portable
from demopack.jobs import JobControl, Progress
from demopack.json_lines import dump_line
from demopack.pack import check_pack, export_pack, open_pack
from demopack.store import Library
from tests.support.damage import damage_frame
from tests.support.demos import CREATED_AT, DemoBuilder, demo_head, sample_demo, tiny_demo
from tests.support.packs import PackFolder
from tests.support.pictures import swatch


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def beside(path: Path) -> list[str]:
    return sorted(p.name for p in path.parent.iterdir())


def fixed_now() -> datetime:
    return CREATED_AT


# The same bytes ----------------------------------------------------------------------------------------------------


def test_the_same_demos_give_the_same_pack_but_for_its_date(tmp_path: Path) -> None:
    packs = []
    for name, now in (("a", datetime(2026, 1, 1, tzinfo=UTC)), ("b", datetime(2027, 2, 2, tzinfo=UTC))):
        with Library.open(tmp_path / name / "library") as library:
            ids = [sample_demo(library, draw=swatch), tiny_demo(library)]
            export_pack(library, ids, tmp_path / name / "pack", licence="MIT", now=lambda now=now: now)
        packs.append(tree(tmp_path / name / "pack"))
    dates = [re.sub(rb'"created_at": "[^"]+"', b"", pack.pop("pack.json")) for pack in packs]
    assert dates[0] == dates[1]
    assert packs[0] == packs[1]


def test_zips_of_the_same_demos_are_equal_to_the_byte(library: Library, tmp_path: Path) -> None:
    ids = [tiny_demo(library)]
    files = [tmp_path / "a.zip", tmp_path / "b.zip"]
    for file in files:
        export_pack(library, ids, file, zipped=True, now=fixed_now)
    assert files[0].read_bytes() == files[1].read_bytes()
    with zipfile.ZipFile(files[0]) as opened:
        assert {stat.S_IMODE(info.external_attr >> 16) for info in opened.infolist()} == {0o644}
        assert opened.testzip() is None


def test_a_zip_holds_what_the_folder_holds(library: Library, tmp_path: Path) -> None:
    ids = [tiny_demo(library)]
    export_pack(library, ids, tmp_path / "pack", now=fixed_now)
    export_pack(library, ids, tmp_path / "pack.zip", zipped=True, now=fixed_now)
    with zipfile.ZipFile(tmp_path / "pack.zip") as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == tree(tmp_path / "pack")


# What is in it -----------------------------------------------------------------------------------------------------


def test_pictures_are_stored_once_and_names_are_portable(library: Library, tmp_path: Path) -> None:
    key = sample_demo(library, draw=swatch)
    summary = export_pack(library, [key], tmp_path / "pack")
    names = set(tree(tmp_path / "pack"))
    pictures = sorted(name for name in names if name.startswith("frames/"))
    assert pictures == [f"frames/{key}/{number:04}.png" for number in range(1, 10)]
    assert all(is_portable(name) for name in names)
    assert (summary.counts.frames, summary.counts.steps, summary.files) == (9, 11, len(names))
    assert summary.size == sum(len(data) for data in tree(tmp_path / "pack").values())


def test_a_demo_id_that_is_no_file_name_still_makes_one(library: Library, tmp_path: Path) -> None:
    ids = [tiny_demo(library, demo_id=name) for name in ("../évil", "a/b:c", "..")]
    export_pack(library, ids, tmp_path / "pack")
    folders = sorted(p.name for p in (tmp_path / "pack" / "frames").iterdir())
    assert len(folders) == 3
    assert all(is_portable(name) and name.strip(".") for name in folders)
    with open_pack(tmp_path / "pack") as pack:
        assert [demo.head.id for demo in pack.whole_demos()] == ids


def test_what_a_deleted_step_showed_does_not_leave_the_library(library: Library, tmp_path: Path) -> None:
    key = tiny_demo(library)
    demo = library.demo(key)
    first = demo.steps[0]
    assert first.before is not None
    gone = Change(kind="step", key=first.id, before=first.to_json(), after=None)
    library.commit(key, Edit(id=new_id("edit"), label="Delete", changes=(gone,), provenance=by_human()))
    assert first.before.id in library.demo(key).elements
    export_pack(library, [key], tmp_path / "pack")
    everything = b"".join(tree(tmp_path / "pack").values())
    assert first.before.id.encode() not in everything
    assert b'"Go"' not in everything


def test_the_demos_own_licence_is_used_where_all_agree(library: Library, tmp_path: Path) -> None:
    same = [tiny_demo(library, demo_id=f"demo_{i}", licence="CC0-1.0") for i in range(2)]
    other = tiny_demo(library, demo_id="demo_9", licence="MIT")
    export_pack(library, same, tmp_path / "same")
    export_pack(library, [*same, other], tmp_path / "mixed")
    export_pack(library, [*same, other], tmp_path / "given", licence="LicenseRef-Internal", consent=" Ada agreed. ")
    assert PackFolder(tmp_path / "same").manifest()["licence"] == "CC0-1.0"
    assert PackFolder(tmp_path / "mixed").manifest()["licence"] == ""
    given = PackFolder(tmp_path / "given").manifest()
    assert (given["licence"], given["consent"]) == ("LicenseRef-Internal", "Ada agreed.")


def test_a_demo_that_was_cut_off_can_be_exported_and_says_so(library: Library, tmp_path: Path) -> None:
    key = sample_demo(library, status="partial", draw=swatch)
    summary = export_pack(library, [key], tmp_path / "pack")
    assert "S06" in {finding.rule for finding in summary.warnings}


# Whole or not at all -----------------------------------------------------------------------------------------------


class PowerCutError(Exception):
    pass


def fail_at(progress_text: str, error: BaseException) -> JobControl:
    def report(progress: Progress) -> None:
        if progress_text in progress.text:
            raise error

    return JobControl(report=report)


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("moment", ["0002.png", "Checking"])
def test_a_failed_export_leaves_the_old_pack_and_nothing_else(
    library: Library, tmp_path: Path, moment: str, zipped: bool
) -> None:
    out = tmp_path / ("pack.zip" if zipped else "pack")
    export_pack(library, [tiny_demo(library)], out, zipped=zipped)
    old = out.read_bytes() if zipped else tree(out)
    names = beside(out)
    key = tiny_demo(library, demo_id="demo_other", seed=7)
    with pytest.raises(PowerCutError):
        export_pack(library, [key], out, zipped=zipped, control=fail_at(moment, PowerCutError()))
    assert (out.read_bytes() if zipped else tree(out)) == old
    assert beside(out) == names


def test_cancel_stops_between_pictures(library: Library, tmp_path: Path) -> None:
    seen: list[Progress] = []
    control = JobControl(report=lambda progress: (seen.append(progress), control.token.cancel())[0])
    with pytest.raises(CancelledError):
        export_pack(library, [sample_demo(library, draw=swatch)], tmp_path / "pack", control=control)
    assert len(seen) == 1
    assert beside(tmp_path / "pack") == ["library"]


def test_progress_reaches_its_end(library: Library, tmp_path: Path) -> None:
    seen: list[Progress] = []
    export_pack(library, [tiny_demo(library)], tmp_path / "pack", control=JobControl(report=seen.append))
    assert [progress.done for progress in seen] == [1, 2, 3, 3, 4]
    assert {progress.total for progress in seen} == {4}


@pytest.mark.parametrize("zipped", [False, True])
def test_a_full_disk_is_said_and_the_old_pack_stays(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zipped: bool
) -> None:
    out = tmp_path / ("pack.zip" if zipped else "pack")
    key = tiny_demo(library)
    export_pack(library, [key], out, zipped=zipped)
    old = out.read_bytes() if zipped else tree(out)
    names = beside(out)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFullError, match="full"):
        export_pack(library, [key], out, zipped=zipped)
    assert (out.read_bytes() if zipped else tree(out)) == old
    assert beside(out) == names


def test_a_pack_and_an_empty_folder_are_replaced(library: Library, tmp_path: Path) -> None:
    out = tmp_path / "pack"
    out.mkdir()
    export_pack(library, [tiny_demo(library)], out)
    (out / "frames" / "stray.png").write_bytes(b"old")
    export_pack(library, [tiny_demo(library, demo_id="demo_new", seed=9)], out)
    assert (out / "frames" / "stray.png").read_bytes() == b"old", "it is in no manifest, so it is somebody's own"
    assert "I03" in {finding.rule for finding in check_pack(out)}, "and is told"
    with open_pack(out) as pack:
        assert [demo.head.id for demo in pack.whole_demos()] == ["demo_new"]


@pytest.mark.parametrize("what", ["folder", "file", "foreign zip", "folder for a zip", "zip for a folder"])
def test_anything_else_in_the_way_is_left_alone(library: Library, tmp_path: Path, what: str) -> None:
    out = tmp_path / "thesis"
    zipped = what in {"foreign zip", "folder for a zip"}
    if what in {"folder", "folder for a zip"}:
        out.mkdir()
        (out / "chapter.txt").write_text("years of work")
    elif what == "file":
        out.write_text("years of work")
    else:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as made:
            made.writestr("chapter.txt", "years of work")
        out.write_bytes(buffer.getvalue())
    old = tree(tmp_path)
    with pytest.raises(BadInputError, match="exists and is not a demo pack"):
        export_pack(library, [tiny_demo(library)], out, zipped=zipped)
    assert {k: v for k, v in tree(tmp_path).items() if "library" not in k} == {
        k: v for k, v in old.items() if "library" not in k
    }


@pytest.mark.skipif(sys.platform != "linux", reason="/proc takes no files from anybody, root included")
def test_a_folder_that_cannot_be_written_is_said(library: Library) -> None:
    with pytest.raises(BadInputError, match="cannot be written to /proc/pack; nothing was changed"):
        export_pack(library, [tiny_demo(library)], Path("/proc/pack"))


def test_a_file_on_the_way_is_said(library: Library, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInputError, match="cannot be written"):
        export_pack(library, [tiny_demo(library)], tmp_path / "file" / "pack")


# Bad input ---------------------------------------------------------------------------------------------------------


def test_no_demo_and_unknown_demo(library: Library, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="No demo was named"):
        export_pack(library, [], tmp_path / "pack")
    with pytest.raises(BadInputError, match="no demo 'nope'"):
        export_pack(library, ["nope"], tmp_path / "pack")


def test_a_demo_without_steps_and_one_that_still_runs(library: Library, tmp_path: Path) -> None:
    empty = DemoBuilder(library=library, demo_id="demo_empty").store(demo_head("demo_empty", task="Nothing"))
    with pytest.raises(BadInputError, match=r"demo_empty \(Nothing\) has no steps"):
        export_pack(library, [empty], tmp_path / "pack")
    with library.begin_recording(demo_head("demo_live", status="recording")), pytest.raises(BadInputError) as caught:
        export_pack(library, ["demo_live"], tmp_path / "pack")
    assert "still being recorded" in str(caught.value)
    assert not (tmp_path / "pack").exists()


@pytest.mark.parametrize("text", ["CC BY 4.0", "<script>", "MIT AND", "free!"])
def test_a_licence_that_is_none(library: Library, tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInputError, match="SPDX"):
        export_pack(library, [tiny_demo(library)], tmp_path / "pack", licence=text)


def test_a_damaged_picture_in_the_library_is_named(library: Library, tmp_path: Path) -> None:
    key = tiny_demo(library)
    frame = library.demo(key).steps[0].before
    assert frame is not None
    damage_frame(library, frame.id)
    with pytest.raises(CorruptFrameError, match="damaged"):
        export_pack(library, [key], tmp_path / "pack")
    damage_frame(library, frame.id, "missing")
    with pytest.raises(CorruptFrameError, match="missing"):
        export_pack(library, [key], tmp_path / "pack")
    assert not (tmp_path / "pack").exists()


def test_a_step_that_breaks_a_rule_is_named_with_the_way_out(library: Library, tmp_path: Path) -> None:
    key = tiny_demo(library)
    demo = library.demo(key)
    (button,) = demo.elements[demo.steps[0].before.id]  # type: ignore[union-attr]
    moved = button.changed(box=Rect(40, 30, 60, 40))
    change = Change(kind="element", key=button.uid, before=button.to_json(), after=moved.to_json())
    library.commit(key, Edit(id=new_id("edit"), label="Move", changes=(change,), provenance=by_human()))
    with pytest.raises(PackError) as caught:
        export_pack(library, [key], tmp_path / "pack")
    assert "step 1 of demo_0000000001" in str(caught.value)
    assert "G05" in str(caught.value)
    assert "move the box" in str(caught.value)
    assert beside(tmp_path / "pack") == ["library"]


def test_an_element_beside_its_picture_is_named(library: Library, tmp_path: Path) -> None:
    key = tiny_demo(library)
    demo = library.demo(key)
    frame = demo.head.final_frame
    assert frame is not None
    stray = Element(uid="stray", frame=frame.id, type="button", text="Far", box=Rect(60, 40, 70, 50))
    change = Change(kind="element", key="stray", before=None, after=stray.to_json())
    library.commit(key, Edit(id=new_id("edit"), label="Add", changes=(change,), provenance=by_human()))
    with pytest.raises(BadInputError, match="'Far' of demo_0000000001 lies outside its picture"):
        export_pack(library, [key], tmp_path / "pack")


def test_a_number_that_json_does_not_have_is_named() -> None:
    """No library holds one; a pack from elsewhere that is taken apart and put together might."""
    with pytest.raises(BadInputError, match="demo_nan demo_nan_step00 is not a number"):
        dump_line({"demo": "demo_nan", "step": "demo_nan_step00", "t_ms": math.nan})


def test_pictures_in_the_pack_are_those_of_the_library(library: Library, tmp_path: Path) -> None:
    key = tiny_demo(library)
    export_pack(library, [key], tmp_path / "pack")
    frame = library.demo(key).frames()[0]
    with Image.open(tmp_path / "pack" / "frames" / key / "0001.png") as picture:
        np.testing.assert_array_equal(np.asarray(picture), library.get_image(frame.id))
