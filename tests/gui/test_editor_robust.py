"""What careless programs, large screens, failing disks and other windows bring works, or is said in a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from annotator.attributes.element_attributes import SetAttribute
from annotator.commands import DeleteElements, MoveElements
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError, PackError
from demopack.jobs import JobControl
from demopack.pack import export_pack
from demopack.store import Library
from tests.gui.conftest import App
from tests.support.damage import Damage, damage_frame
from tests.support.editing import SAMPLE
from tests.support.hard_demos import HARD, add_hard_demo, many_boxes, odd_boxes


def key(app: App, what: Any, held: Any = Qt.KeyboardModifier.NoModifier) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, what, held)


def test_twenty_thousand_boxes_can_be_worked_with(app: App) -> None:
    frame = add_hard_demo(app.library, many_boxes(20_000))
    page = app.open(HARD)
    document = page.session.document
    assert len(document.elements(frame.id)) == 20_000
    key(app, Qt.Key.Key_Tab)
    (first,) = page.view.selection
    assert first == document.ordered(frame.id)[0].uid
    page.session.do(SetAttribute(uids=(first,), name="text", value="One of many"))
    key(app, "z", Qt.KeyboardModifier.ControlModifier)
    app.settle()
    assert document.element(first).text is None
    assert not page.canvas.grab().isNull()
    assert page.canvas.message == ""


def test_boxes_without_size_and_outside_are_walked_moved_and_deleted(app: App) -> None:
    frame = add_hard_demo(app.library, odd_boxes())
    page = app.open(HARD)
    document, before = page.session.document, app.stored(HARD)
    seen: set[str] = set()
    for _ in odd_boxes():
        key(app, Qt.Key.Key_Tab)
        seen.update(page.view.selection)
        assert not page.canvas.grab().isNull()
    assert len(seen) == len(odd_boxes())
    page.canvas.zoom_to(8.0)
    assert not page.canvas.grab().isNull()
    for element in document.elements(frame.id):
        page.session.do(MoveElements(uids=(element.uid,), dx=1, dy=1, frame_size=frame.size))
        page.session.do(SetAttribute(uids=(element.uid,), name="review", value="approved"))
    page.session.do(DeleteElements(uids=tuple(seen)))
    app.settle()
    assert {e.review for e in app.stored(HARD).elements[frame.id]} == {"rejected"}
    while page.session.library.log.labels(HARD)[0] is not None:
        page.session.undo()
        app.settle()
    assert app.stored(HARD) == before == document.demo()


def test_a_moved_box_that_lay_outside_lies_inside(app: App) -> None:
    frame = add_hard_demo(app.library, odd_boxes())
    page = app.open(HARD)
    uid = f"el_{odd_boxes().index((700, 500, 760, 540)):05}"
    page.session.do(MoveElements(uids=(uid,), dx=-1, dy=-1, frame_size=frame.size))
    assert page.session.document.element(uid).box == Rect(580, 440, 640, 480)


def test_an_export_names_the_box_that_cannot_be_in_a_pack_until_it_is_moved_or_deleted(app: App, tmp_path: Any) -> None:
    frame = add_hard_demo(app.library, odd_boxes())
    page = app.open(HARD)
    outside = [e for e in page.session.document.elements(frame.id) if not e.box.inside(frame.size)]
    assert len(outside) == 4
    with pytest.raises(BadInputError, match="lies outside its picture") as told:
        export_pack(app.library, [HARD], tmp_path / "pack", control=JobControl())
    assert "move or delete" in told.value.hint
    moved, *others = outside
    page.session.do(MoveElements(uids=(moved.uid,), dx=1, dy=1, frame_size=frame.size))
    page.session.do(DeleteElements(uids=tuple(e.uid for e in others)))
    app.settle()
    with pytest.raises(PackError, match="has no area"):
        export_pack(app.library, [HARD], tmp_path / "pack", control=JobControl())
    empty = [e for e in page.session.document.elements(frame.id) if not e.box.area]
    page.session.do(DeleteElements(uids=tuple(e.uid for e in empty)))
    app.settle()
    summary = export_pack(app.library, [HARD], tmp_path / "pack", control=JobControl())
    assert (summary.counts.steps, summary.counts.elements) == (2, len(odd_boxes()) - 6)


def test_a_very_wide_picture_is_shown_whole_and_pixel_by_pixel(app: App) -> None:
    frame = add_hard_demo(app.library, [(15_000, 900, 15_900, 990)], width=16_000, height=1_000)
    page = app.open(HARD)
    canvas = page.canvas
    assert (canvas.ready, canvas.message) == (True, "")
    assert canvas.viewport.scale * frame.width <= canvas.width()
    for scale in (1.0, 8.0, 32.0):
        canvas.zoom_to(scale)
        assert not canvas.grab().isNull()
    page.view.select(("el_00000",))
    canvas.zoom_to(1.0)
    shown = canvas.box_on_screen("el_00000")
    assert shown.intersects(canvas.rect())


@pytest.mark.parametrize("damage", ["garbage", "tile garbage", "truncated", "other pixels", "tile missing", "missing"])
def test_a_spoilt_picture_is_said_and_the_demo_can_still_be_edited(app: App, damage: Damage) -> None:
    frame = app.library.demo(SAMPLE).steps[0].before
    assert frame is not None
    damage_frame(app.library, frame.id, damage)
    page = app.open()
    assert "is damaged" in page.canvas.message or "is missing" in page.canvas.message
    assert "unharmed" in page.canvas.message
    first = page.session.document.elements(frame.id)[0]
    page.session.do(SetAttribute(uids=(first.uid,), name="text", value="Edited blindly"))
    app.settle()
    assert app.library.log.labels(SAMPLE)[0] == page.session.library.log.edit_at(SAMPLE, 1).label
    page.view.go_to(4)
    app.settle()


def test_a_picture_that_was_changed_on_the_disk_is_not_taken_for_the_recorded_one(app: App) -> None:
    frame = app.library.demo(SAMPLE).steps[0].before
    assert frame is not None
    damage_frame(app.library, frame.id, "other pixels")
    page = app.open()
    assert "is damaged" in page.canvas.message
    assert page.canvas.message.count("\n") == 1


@pytest.mark.parametrize(
    "text", ["שמור את הלקוח", "احفظ العميل", "👩‍👩‍👧‍👦 Save 🇬🇧", "Zu\u0308rich \u202eabc", "長い" * 60]
)
def test_texts_of_all_scripts_are_shown_kept_and_told(app: App, text: str) -> None:
    add_hard_demo(app.library, [(100, 100, 300, 140)], text=text)
    page = app.open(HARD)
    page.view.select(("el_00000",))
    page.canvas.toggle_letters()
    assert not page.canvas.grab().isNull()
    assert not page.grab().isNull()
    page.session.do(SetAttribute(uids=("el_00000",), name="text", value=text + "!"))
    app.settle()
    (stored,) = next(iter(app.stored(HARD).elements.values()))
    assert stored.text == text + "!"
    assert app.library.demo(HARD).head.task == text
    key(app, "h")
    app.settle()
    assert not page.panel.grab().isNull()


def test_a_demo_that_another_program_removes_for_good_is_said_at_the_next_edit(app: App) -> None:
    page = app.open()
    first = page.session.document.elements(page.view.frame.id)[0]
    with Library.open(app.library.folder) as other:
        other.erase_demo(SAMPLE)
    page.session.do(SetAttribute(uids=(first.uid,), name="text", value="Too late"))
    app.settle()
    assert "“Set the text of" in app.window.banner.text or "There is no demo" in app.window.banner.text
