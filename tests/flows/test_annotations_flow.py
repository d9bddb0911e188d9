"""Out of a library, through another program, and into it again: one edit, nothing lost silently."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.annotation_exchange import ImportAnnotations
from annotator.document import Document
from demopack.annotations.export import export_annotations, preview_export
from demopack.annotations.importing import demos_showing, import_as_demo, merge_with_demo, read_annotations
from demopack.codecs.boxes.catalogue import FORMATS, detect_format
from demopack.errors import BadInputError
from demopack.store import Library
from demopack_cli.annotations import command
from tests.support.demos import tiny_demo
from tests.support.editing import TINY


@pytest.fixture
def library(tmp_path: Path) -> Library:
    with Library.open(tmp_path / "library") as opened:
        tiny_demo(opened, demo_id=TINY)
        yield opened  # type: ignore[misc]


@pytest.mark.parametrize("name", FORMATS)
def test_out_and_in_changes_nothing(library: Library, tmp_path: Path, name: str) -> None:
    form = FORMATS[name]
    before = library.demo(TINY)
    plan = preview_export([before], form)
    log = export_annotations(library, [TINY], form, tmp_path / "out")
    assert (log.left_out, log.lost, log.elements_out) == (plan.left_out, plan.lost, plan.elements)
    assert detect_format(tmp_path / "out") is form
    read = read_annotations(tmp_path / "out")
    joined, report = merge_with_demo(read, before)
    assert report.unknown == {}
    assert (report.added, report.changed, report.kept, report.same) == (0, 0, 0, 1)
    assert ImportAnnotations(joined=joined, title="x").edit(Document(before)) is None


@pytest.mark.parametrize("name", FORMATS)
def test_unknown_pictures_become_a_demo_of_their_own(library: Library, tmp_path: Path, name: str) -> None:
    export_annotations(library, [TINY], FORMATS[name], tmp_path / "out")
    (tmp_path / "out" / "EXPORT_LOG.json").unlink()
    with Library.open(tmp_path / "other") as other:
        report = import_as_demo(other, read_annotations(tmp_path / "out", form=name))
        demo = other.demo(report.demo)
        # The frames are found by their pixels, whatever the file says.
        assert {frame.id for frame in demo.frames()} <= {frame.id for frame in library.demo(TINY).frames()}
        (element,) = [e for found in demo.elements.values() for e in found]
        assert element.box == next(e for f in library.demo(TINY).elements.values() for e in f).box
        assert [step.before is not None for step in demo.steps] == [True] * report.pictures


def test_boxes_of_several_demos_go_back_to_each(library: Library, tmp_path: Path) -> None:
    tiny_demo(library, demo_id="demo_second", seed=7)
    export_annotations(library, [TINY, "demo_second"], FORMATS["labelme"], tmp_path / "out")
    read = read_annotations(tmp_path / "out")
    assert demos_showing(read, library) == [TINY, "demo_second"]
    for demo in (TINY, "demo_second"):
        _, report = merge_with_demo(read, library.demo(demo))
        assert (report.same, report.added, report.pictures, report.unknown) == (1, 0, 3, {})


def test_a_demo_is_found_by_its_pixels_when_the_files_tell_nothing(library: Library, tmp_path: Path) -> None:
    export_annotations(library, [TINY], FORMATS["yolo"], tmp_path / "out")
    (tmp_path / "out" / "EXPORT_LOG.json").unlink()
    for file in list((tmp_path / "out").rglob("demo*.*")):
        file.rename(file.with_name(f"a{file.suffix}"))
    read = read_annotations(tmp_path / "out")
    assert [picture.name for picture in read.pictures] == ["a.png"]
    assert demos_showing(read, library) == [TINY]


def test_a_correction_is_one_edit_that_can_be_undone(library: Library, tmp_path: Path) -> None:
    out = tmp_path / "out"
    runner = CliRunner()
    where = ["--library", str(tmp_path / "library")]
    made = runner.invoke(command, ["export", "last", "-o", str(out), "--format", "labelme", *where])
    assert made.exit_code == 0, made.output
    file = next(path for path in out.glob("*.json") if json.loads(path.read_text())["shapes"] if path.name[0] == "d")
    data = json.loads(file.read_text())
    data["shapes"][0]["points"] = [[41.6, 30.2], [12.4, 8.9]]  # drawn from the bottom right
    data["shapes"].append({"label": "Combo box", "points": [[1, 1], [9, 9]], "shape_type": "rectangle"})
    file.write_text(json.dumps(data))
    shown = runner.invoke(command, ["import", str(out), "--json", *where])
    assert shown.exit_code == 0, shown.output
    (report,) = json.loads(shown.output)
    assert (report["added"], report["changed"], report["kept"], report["demo"]) == (1, 1, 0, TINY)
    boxes = {e.type: (e.box, e.review) for f in library.demo(TINY).elements.values() for e in f}
    assert boxes["button"][1] == "approved"
    assert (boxes["button"][0].x1, boxes["button"][0].y2) == (12, 30)
    assert boxes["dropdown"][0].x2 == 9
    assert library.log.labels(TINY)[0] == "Import from labelme, strict: 1 new, 1 changed"
    library.log.undo(TINY)
    assert [e.box.x1 for f in library.demo(TINY).elements.values() for e in f] == [10]


def test_the_numbers_of_a_yolo_set_stay_what_they_were(library: Library, tmp_path: Path) -> None:
    classes = tmp_path / "classes.txt"
    classes.write_text("window\nicon\n")
    out = tmp_path / "out"
    where = ["--library", str(tmp_path / "library"), "--format", "yolo"]
    runner = CliRunner()
    made = runner.invoke(command, ["export", TINY, "-o", str(out), "--classes", str(classes), *where])
    assert "“button” was added as number 2" in made.output
    assert (out / "classes.txt").read_text() == "window\nicon\nbutton\n"
    # A second export to the same place keeps them without being told.
    runner.invoke(command, ["export", TINY, "-o", str(out), *where])
    assert (out / "classes.txt").read_text() == "window\nicon\nbutton\n"
    (out / "classes.txt").write_text("button\n")  # as a program does that writes only what it saw
    with pytest.raises(BadInputError, match="could mean two things"):
        read_annotations(out)


def test_a_folder_with_something_else_is_left_alone(library: Library, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(BadInputError):
        export_annotations(library, [TINY], FORMATS["coco"], tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["library", "mine"]


def test_the_formats_are_listed_with_what_they_lose() -> None:
    runner = CliRunner()
    rows = {row["name"]: row for row in json.loads(runner.invoke(command, ["formats", "--json"]).output)}
    assert {loss["code"] for loss in rows["yolo"]["never"]} >= {"text", "states", "uid"}
    assert rows["coco"]["never"] == []
    assert "cannot carry" in runner.invoke(command, ["formats"]).output


def test_what_would_be_lost_is_told_before(library: Library, tmp_path: Path) -> None:
    where = ["--library", str(tmp_path / "library")]
    told = CliRunner().invoke(command, ["export", TINY, "--format", "yolo", "--dry-run", *where]).output
    assert "Left out: pictures that nobody looked through (2)." in told
    assert "texts (1), " in told
    assert "because a line is a class and a box." in told


def test_the_documentation_is_what_the_formats_say() -> None:
    from demopack.markup import fill
    from demopack.prompting.docs_tables import PAGES

    tables = PAGES["formats/annotations.md"]
    written = (Path(__file__).parents[2] / "docs" / "formats" / "annotations.md").read_text(encoding="utf-8")
    assert fill(written, tables) == written, "run scripts/write_tables.py"
    assert all(f"<!-- table: {name} -->" in written for name in tables)
