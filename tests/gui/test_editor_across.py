"""From screen to screen, by keyboard in the real window."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from annotator.ui.editor.propagate.carry_feature import CarryFeature
from demopack.domain.frames import Frame
from tests.gui.conftest import App

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def key(app: App, what: Any, held: Any = NONE) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, what, held)
    app.settle()


def approve_all(app: App, frame_id: str) -> None:
    """Whoever looked at a picture said yes to everything on it."""
    from annotator.finding.review import DecideSuggestions

    page = app.page
    uids = tuple(e.uid for e in page.session.document.elements(frame_id))
    page.session.do(DecideSuggestions(decision="accept", uids=uids))
    app.settle()


def labels(app: App) -> list[str]:
    return [entry.edit.label for entry in app.library.log.entries(app.page.session.demo_id)]


def test_what_was_approved_is_approved_on_the_next_picture_where_nothing_changed(app: App, page: Any) -> None:
    first = page.view.frame.id
    approve_all(app, first)
    key(app, "d")
    frame = page.view.frame.id
    before = app.stored()
    assert all(e.review == "unreviewed" for e in before.elements[frame])
    key(app, "g")
    after = app.stored()
    approved = [e for e in after.elements[frame] if e.review == "approved"]
    assert labels(app)[-1] == f"Carry over {len(approved)} elements from step 1"
    assert len(approved) >= 0.8 * len(before.elements[frame])
    key(app, "z", CTRL)
    assert app.stored() == before


def test_along_all_steps_is_one_edit_that_changes_no_target_and_one_undo_takes_back(app: App, page: Any) -> None:
    approve_all(app, page.view.frame.id)
    count, before = len(labels(app)), app.stored()
    key(app, "g", CTRL | SHIFT)
    frames = list(dict.fromkeys(step.before.id for step in page.session.document.steps if step.before is not None))
    (label,) = labels(app)[count:]
    assert label.startswith("Carry over ")
    assert label.endswith(f" elements to {len(frames) - 1} pictures")
    after = app.stored()
    approved = [sum(e.review == "approved" for e in after.elements[frame]) for frame in frames]
    assert min(approved) > 0
    assert [(s.target_uid, s.end_uid) for s in after.steps] == [(s.target_uid, s.end_uid) for s in before.steps]
    key(app, "z", CTRL)
    assert app.stored() == before
    key(app, "z", CTRL | SHIFT)
    assert app.stored() == after


def test_the_key_leads_from_region_to_region_and_selects_what_is_to_be_looked_at(app: App, page: Any) -> None:
    marking = page.context.feature(CarryFeature).marking
    approve_all(app, page.view.frame.id)
    key(app, "d")
    assert not marking.switch.isChecked()
    key(app, "g")
    assert marking.switch.isChecked()
    regions = marking.regions
    assert regions
    key(app, "j", SHIFT)
    assert marking.current == regions[0]
    selected = [page.session.document.element(uid) for uid in page.view.selection]
    assert all(e.review == "unreviewed" and e.box.intersection(regions[0]) for e in selected)
    for _ in regions:
        key(app, "j", SHIFT)
    # After the last one of this picture comes the next picture that has any.
    assert page.view.index > 1
    assert marking.current is not None


def test_an_approved_step_asks_for_nothing_more(app: App, page: Any) -> None:
    marking = page.context.feature(CarryFeature).marking
    key(app, "d")
    key(app, "g")
    assert marking.regions
    key(app, Qt.Key.Key_Space)
    key(app, "a")
    assert page.view.index == 1
    assert marking.regions == ()


def test_the_first_step_has_nothing_before_it(app: App, page: Any) -> None:
    count = len(labels(app))
    key(app, "g")
    assert len(labels(app)) == count


def test_five_steps_in_one_go_and_then_to_the_first_region(app: App, page: Any) -> None:
    approve_all(app, page.view.frame.id)
    count = len(labels(app))
    key(app, "g", CTRL)
    assert 1 <= len(labels(app)) - count <= 5
    assert app.window.toast.text.startswith("Carried over to 5 pictures. ")
    app.window.toast.act()
    app.settle()
    assert page.context.feature(CarryFeature).marking.current is not None
    assert page.view.index > 0


def test_a_picture_of_the_film_gets_no_elements(app: App, page: Any) -> None:
    key(app, "d")
    count = len(labels(app))
    page.view.peek(Frame(id="0" * 64, width=960, height=640))
    app.settle()
    key(app, "g")
    assert len(labels(app)) == count
    assert "0" * 64 not in app.stored().elements


def test_regions_are_marked_on_request_without_carrying_over(app: App, page: Any) -> None:
    marking = page.context.feature(CarryFeature).marking
    key(app, "d")
    assert marking.regions == ()
    marking.switch.click()
    app.settle()
    assert marking.regions
    marking.switch.click()
    assert marking.regions == ()
