"""A library that an early version recorded on a desktop drawn at 200 %: found, mended, and what showed too much erased.

``tests/data/early/scaled_library.db.xz`` was recorded by that version in a real X server: zenity asks for a password at
the upper left, a window with a blocked title lies at the lower right, and what was done is known from the hands that
did it. Its elements were found by that version, too, and one note was written.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from demopack.domain.edits import Change, Edit
from demopack.domain.frames import MASK_COLOUR, Frame
from demopack.domain.geometry import Point, Rect
from demopack.domain.provenance import by_human
from demopack.domain.steps import AccessibleElement
from demopack.redaction.position_correction import CorrectedDemo, correct_positions, misplaced_demos
from demopack.settings import PrivacySettings, RecorderSettings, Settings, save_settings
from demopack.store import Library
from demopack.store.timeline import insert_keyframe
from demopack_cli.checks import run_checks
from demopack_cli.main import main
from tests.support.demos import DemoBuilder, demo_head
from tests.support.leaks import film_times, is_flat, pictures, traces
from tests.support.pictures import noise_image

LIBRARY = Path(__file__).parents[1] / "data" / "early" / "scaled_library.db.xz"
FIELD = Rect(197, 137, 375, 171)
LETTERS = Rect(450, 370, 780, 600)
DONE = [("click", (205, 143)), ("type", None), ("click", (700, 200)), ("drag", (450, 150)), ("scroll", (500, 120))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "library.db").write_bytes(lzma.decompress(LIBRARY.read_bytes()))
    return tmp_path


def mend(folder: Path, *, cover_unknown: bool = False) -> CorrectedDemo:
    with Library.open(folder) as library:
        (found,) = misplaced_demos(library)
        assert (found.steps, found.scale) == (6, 2.0)
        mended = correct_positions(library, found, cover_unknown=cover_unknown)
        assert misplaced_demos(library) == []
        return mended


def test_the_fixture_is_as_wrong_as_it_was(folder: Path) -> None:
    with Library.open(folder) as library:
        demo = library.demo(library.find("last"))
    assert [step.pointer and (step.pointer.x, step.pointer.y) for step in demo.steps[:3]] == [
        (410, 286),
        None,
        (1400, 400),
    ]
    assert not all(is_flat(image, FIELD) for _, image in pictures(folder))
    assert len(film_times(folder)) == 17


def test_positions_are_where_the_hands_were(folder: Path) -> None:
    mended = mend(folder)
    assert mended.moved == 4
    with Library.open(folder) as library:
        name = library.find("last")
        for demo in (library.demo(name), library.original(name)):
            found = [(s.action.action_type, s.pointer and (s.pointer.x, s.pointer.y)) for s in demo.steps[:5]]
            assert found == DONE
            drag = demo.steps[3]
            assert drag.pointer is not None
            assert (drag.pointer.end_x, drag.pointer.end_y) == (650, 260)
            assert drag.action.end_target.bbox == (650 / 800, round(260 / 600, 6), 0.0, 0.0)
            assert demo.steps[2].action.target is not None
            assert demo.steps[2].action.target.bbox == (700 / 800, round(200 / 600, 6), 0.0, 0.0)
            assert all(step.before is None or step.before.pixels_per_unit == 1.0 for step in demo.steps)


def test_no_picture_shows_the_field_any_more_and_none_tells_how_much_was_typed(folder: Path) -> None:
    uncovered = [frame.id for frame, _ in pictures(folder)]
    mended = mend(folder)
    assert mended.covered == len(set(uncovered))
    assert mended.erased == mended.covered
    for frame, image in pictures(folder):
        assert is_flat(image, FIELD)
        assert any(box.encloses(FIELD) for box in frame.covered)
    assert len(film_times(folder)) < 5
    for key in uncovered:
        assert traces(folder, key) == [], "nothing speaks of a picture that is gone"


def test_what_was_found_is_bound_to_what_was_really_hit(folder: Path) -> None:
    mend(folder)
    with Library.open(folder) as library:
        demo = library.demo(library.find("last"))
        click = demo.steps[0]
        assert click.before is not None
        elements = demo.elements[click.before.id]
        fields = [element for element in elements if element.type == "input_field"]
        assert [element.uid for element in fields] == [click.target_uid]
        assert np.abs(np.subtract((fields[0].box.x1, fields[0].box.y2), (FIELD.x1, FIELD.y2))).max() <= 3


def test_undo_reaches_back_past_the_mending(folder: Path) -> None:
    mend(folder)
    with Library.open(folder) as library:
        name = library.find("last")
        assert library.demo(name).steps[2].note == "to the far right"
        assert library.log.undo(name)
        step = library.demo(name).steps[2]
        assert step.note == ""
        assert step.pointer is not None
        assert (step.pointer.x, step.pointer.y) == (700, 200)
        while library.log.undo(name):
            pass
        while library.log.redo(name):
            pass
        assert library.demo(name).steps[2].note == "to the far right"


def test_what_is_not_known_is_said(folder: Path) -> None:
    said = mend(folder).lost
    assert any("blocked by title" in words and "50%" in words for words in said)
    assert any("stays grey" in words for words in said)


def test_what_is_not_known_is_covered_on_request(folder: Path) -> None:
    assert traces(folder, "Private letters")
    mend(folder, cover_unknown=True)
    assert all(is_flat(image, LETTERS) for _, image in pictures(folder))
    assert traces(folder, "Private letters") == [], "what was read there is forgotten, too"


def test_what_goes_wrong_leaves_everything_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sorted(frame.id for frame, _ in pictures(folder))

    def fails(*_: object) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr("demopack.redaction.position_correction.point_target", fails)
    with Library.open(folder) as library:
        (found,) = misplaced_demos(library)
        with pytest.raises(RuntimeError, match="no"):
            correct_positions(library, found)
        assert misplaced_demos(library) == [found]
    assert sorted(frame.id for frame, _ in pictures(folder)) == before


def test_a_demo_that_was_edited_since_is_mended_all_the_same(folder: Path) -> None:
    with Library.open(folder) as library:
        name = library.find("last")
        old = library.demo(name).steps[0]
        new = old.model_copy(update={"note": "here"})
        change = Change(kind="step", key=old.id, before=old.to_json(), after=new.to_json())
        library.commit(name, Edit(id="edit_late", label="Note", changes=(change,), provenance=by_human("ada")))
    mend(folder)
    with Library.open(folder) as library:
        step = library.demo(name).steps[0]
        assert step.note == "here"
        assert step.pointer is not None
        assert (step.pointer.x, step.pointer.y) == (205, 143)
        assert library.log.undo(name)
        assert library.demo(name).steps[0].note == ""


def test_doctor_names_the_demo_and_repair_mends_it(folder: Path) -> None:
    before = run_checks(folder)
    (found,) = [check for check in before if check.what == "Positions"]
    assert "demo_94b08fbaa2" in found.found
    assert found.mend == f"demopack repair --library {folder}"
    told = CliRunner().invoke(main, ["repair", "--library", str(folder)])
    assert told.exit_code == 0, told.output
    assert "4 positions mended, 17 pictures painted over, 17 old ones erased." in told.output
    assert "recorded on a desktop drawn at 200%; " in told.output
    assert "1 step now acts on what was really hit." in told.output
    assert "On 17 pictures a part stays grey" in told.output
    assert "look at the pictures before you give this demo away" in told.output
    assert not [check for check in run_checks(folder) if check.what == "Positions"]
    again = CliRunner().invoke(main, ["repair", "--json", "--library", str(folder)])
    assert json.loads(again.output)["positions"] == []


def test_an_export_of_what_is_wrong_is_refused(folder: Path, tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["export", "last", "--library", str(folder), "-o", str(tmp_path / "pack")])
    assert told.exit_code == 1
    assert "G10" in str(told.exception)
    assert not (tmp_path / "pack").exists()


# What the fixture does not have ---------------------------------------------------------------------------------------

WIDTH, HEIGHT = 200, 120
LEFT, TOP = 30, 10
"""Where the pictures begin on the desktop."""
NEAR = Rect(20, 20, 60, 35)
"""Pixels of a field that was covered at twice its position."""
BEYOND = [Rect(130, 20, 180, 35), Rect(20, 80, 70, 95), Rect(150, 85, 190, 100)]
"""Pixels of boxes that were not covered at all, because twice their position lies outside of the picture."""


def early_demo(
    folder: Path, *, told: str = "focused", secret: Rect | None = None, area: str = "all", pictures: int = 4
) -> list[Frame]:
    """A demo as an early version left it at 200 %: a click, typing, a film. Returns its pictures as they were.

    Args:
        folder: of the library.
        told: what accessibility told a secret field as.
        secret: where that field lies, pixels.
        area: what was recorded.
        pictures: 4, or 1 that all of it shows.
    """
    with Library.open(folder) as library:
        b = DemoBuilder(library=library, demo_id="demo_early")
        covered = [Rect(2 * NEAR.x1, 2 * NEAR.y1, 2 * NEAR.x2, 2 * NEAR.y2)]
        frames: list[Frame] = []
        for seed in range(pictures):
            image = noise_image(WIDTH, HEIGHT, seed=seed)
            for box in covered:
                image[box.y1 : box.y2, box.x1 : box.x2] = MASK_COLOUR
            frames.append(b.frame(image, scale_factor=2.0, origin_x=LEFT, origin_y=TOP, covered=covered))
        first, second, last, film = frames if pictures == 4 else frames * 4
        b.step("click", first, second, at=Point(100, 60))
        field = secret and AccessibleElement(role="password text", secure=True, box=on_desktop(secret))
        b.step("type", second, last, parameters={"text_to_type": "<secret>"}, **{told: field})
        b.store(demo_head("demo_early", area=area, final_frame=last))
        with library.connection.writing() as db:
            insert_keyframe(db, "demo_early", film, shown_ns=film.grab_ended_ns)
    return frames


def on_desktop(box: Rect) -> Rect:
    return Rect(box.x1 + LEFT, box.y1 + TOP, box.x2 + LEFT, box.y2 + TOP)


def mend_early(folder: Path, *, blocked: list[Rect] | None = None) -> CorrectedDemo:
    with Library.open(folder) as library:
        (found,) = misplaced_demos(library)
        return correct_positions(library, found, blocked_regions=blocked or ())


def assert_covered(folder: Path, before: list[Frame], box: Rect | None, *, margin: int = 0) -> None:
    """Every picture, the film's too, is painted over where it has to be, and nowhere else; the old ones are gone."""
    wanted = [NEAR, *([box] if box else [])]
    shown = pictures(folder)
    assert len(shown) == len(before) == 4
    for (frame, image), seed in zip(sorted(shown, key=lambda pair: pair[0].grab_ended_ns), range(4), strict=True):
        expected = noise_image(WIDTH, HEIGHT, seed=seed)
        expected[2 * NEAR.y1 : 2 * NEAR.y2, 2 * NEAR.x1 : 2 * NEAR.x2] = MASK_COLOUR
        expected[NEAR.y1 : NEAR.y2, NEAR.x1 : NEAR.x2] = MASK_COLOUR
        if box:
            expected[box.y1 - margin : box.y2 + margin, box.x1 - margin : box.x2 + margin] = MASK_COLOUR
        assert (image == expected).all()
        assert all(any(done.encloses(part) for done in frame.covered) for part in wanted)
    for frame in before:
        assert traces(folder, frame.id) == []


@pytest.mark.parametrize("told", ["focused", "pointed"])
@pytest.mark.parametrize("field", BEYOND, ids=["right", "below", "both"])
def test_a_secret_field_that_could_not_be_covered_at_all_is_covered_on_every_picture(
    tmp_path: Path, field: Rect, told: str
) -> None:
    before = early_demo(tmp_path, told=told, secret=field)
    mended = mend_early(tmp_path)
    assert (mended.covered, mended.erased) == (4, 4)
    assert_covered(tmp_path, before, field, margin=2)


def test_a_secret_field_that_was_covered_elsewhere_is_not_painted_twice(tmp_path: Path) -> None:
    before = early_demo(tmp_path, secret=NEAR)
    mend_early(tmp_path)
    assert_covered(tmp_path, before, None)


@pytest.mark.parametrize("region", BEYOND, ids=["right", "below", "both"])
def test_a_blocked_region_that_could_not_be_covered_at_all_is_covered_as_the_settings_say_now(
    tmp_path: Path, region: Rect
) -> None:
    before = early_demo(tmp_path)
    mended = mend_early(tmp_path, blocked=[on_desktop(region)])
    assert (mended.covered, mended.erased) == (4, 4)
    assert_covered(tmp_path, before, region)


def test_repair_covers_the_blocked_regions_of_the_settings(tmp_path: Path) -> None:
    before = early_demo(tmp_path)
    region = on_desktop(BEYOND[0])
    corners = (region.x2, region.y1, region.x1, region.y2)  # a person may have named the corners in any order
    save_settings(Settings(recorder=RecorderSettings(privacy=PrivacySettings(blocked_regions=(corners,)))))
    told = CliRunner().invoke(main, ["repair", "--library", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert_covered(tmp_path, before, BEYOND[0])


def test_clicks_that_were_left_out_while_recording_an_area_are_told(tmp_path: Path) -> None:
    sentence = (
        "Clicks in the right and lower part of the recorded area were left out while recording; they cannot be had "
        "again."
    )
    early_demo(tmp_path / "area", area="region:30,10,200x120")
    assert sentence in mend_early(tmp_path / "area").lost
    early_demo(tmp_path / "all")
    assert not any("left out" in words for words in mend_early(tmp_path / "all").lost)


def test_of_one_picture_is_spoken_as_of_one(tmp_path: Path) -> None:
    early_demo(tmp_path, pictures=1)
    told = CliRunner().invoke(main, ["repair", "--library", str(tmp_path)])
    assert "1 position mended, 1 picture painted over, 1 old one erased." in told.output
    assert "On 1 picture a part stays grey" in told.output
