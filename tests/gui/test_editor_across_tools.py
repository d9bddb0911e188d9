"""Copying over a range, templates, and editing on all pictures, in the real window."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from annotator.attributes.element_attributes import SetAttribute
from annotator.ui.editor.propagate.range_feature import RangeFeature
from annotator.ui.editor.propagate.template_feature import TemplateFeature
from annotator.ui.editor.propagate.track_feature import TrackFeature
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from tests.gui.conftest import App

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def key(app: App, what: Any, held: Any = NONE, widget: Any = None) -> None:
    target = widget or app.page.canvas
    target.setFocus()
    app.qtbot.keyClick(target, what, held)
    app.settle()


def drawn(app: App, box: Rect) -> Element:
    """A box that a person drew on the picture that is shown, selected."""
    from annotator.commands import AddElement

    page = app.page
    made = Element(uid="el_drawn", frame=page.view.frame.id, type="icon", box=box, source="human", review="approved")
    page.session.do(AddElement(element=made))
    page.view.select((made.uid,))
    app.settle()
    return made


def like(app: App, box: Rect) -> list[str]:
    """The frames that have an element in a box."""
    demo = app.stored()
    return [frame for frame, found in demo.elements.items() if any(e.box == box for e in found)]


def labels(app: App) -> list[str]:
    return [entry.edit.label for entry in app.library.log.entries(app.page.session.demo_id)]


BOX = Rect(700, 500, 760, 540)


def test_a_box_is_copied_to_all_following_steps_and_removed_from_some(app: App, page: Any) -> None:
    bar = page.context.feature(RangeFeature).bar
    drawn(app, BOX)
    key(app, "g", SHIFT)
    assert bar.isVisible()
    assert bar.steps == (2, len(page.session.document.steps))
    key(app, Qt.Key.Key_Return, widget=bar)
    copied = like(app, BOX)
    assert len(copied) > 3
    assert labels(app)[-1] == f"Copy the icon to {len(copied) - 1} pictures"
    page.view.select(("el_drawn",))
    bar._first.setValue(2)
    bar._last.setValue(2)
    key(app, Qt.Key.Key_Return, widget=bar._remove)
    assert labels(app)[-1] == "Remove the icon from 1 picture"
    assert len(like(app, BOX)) == len(copied) - 1
    key(app, Qt.Key.Key_Escape, widget=bar)
    assert not bar.isVisible()
    for _ in range(2):
        key(app, "z", CTRL)
    assert like(app, BOX) == [page.view.frame.id]


def test_without_a_selection_there_is_nothing_to_copy(app: App, page: Any) -> None:
    bar = page.context.feature(RangeFeature).bar
    key(app, "g", SHIFT)
    assert not bar._copy.isEnabled()
    page.view.select((page.session.document.ordered(page.view.frame.id)[0].uid,))
    assert bar._copy.isEnabled()
    key(app, "g", SHIFT)
    assert not bar.isVisible()


def test_a_template_is_saved_shown_on_another_picture_and_placed(app: App, page: Any) -> None:
    feature = page.context.feature(TemplateFeature)
    panel = feature
    document = page.session.document
    chosen = [e for e in document.ordered(page.view.frame.id) if e.text in {"Save customer", "Cancel"}]
    page.view.select(tuple(e.uid for e in chosen))
    key(app, "t", CTRL)
    assert feature.shown
    panel._name.setText("Buttons")
    app.qtbot.keyClick(panel._name, Qt.Key.Key_Return)
    app.settle()
    assert panel.list.count() == 1
    assert (app.library.folder / "templates").is_dir()
    page.view.go_to(4)
    app.settle()
    frame = page.view.frame.id
    assert set(feature.layer.boxes) == {e.box for e in chosen}
    assert panel.words.text() == "Found where it was."
    key(app, Qt.Key.Key_Return, widget=panel.list)
    assert labels(app)[-1] == "Place 2 elements of the template “Buttons”"
    approved = [e.box for e in app.stored().elements[frame] if e.review == "approved"]
    assert {e.box for e in chosen} <= set(approved)
    assert feature.layer.boxes == ()


def test_a_template_is_renamed_and_deleted_and_comes_back(app: App, page: Any) -> None:
    feature = page.context.feature(TemplateFeature)
    panel = feature
    key(app, "t", CTRL)
    panel._name.setText("All of it")
    panel._save()
    app.settle()
    panel.list.item(0).setText("Everything")
    app.settle()
    assert [panel.list.item(i).text() for i in range(panel.list.count())] == ["Everything"]
    key(app, Qt.Key.Key_Delete, widget=panel.list)
    assert panel.list.count() == 0
    app.window.toast.act()
    app.settle()
    assert [panel.list.item(i).text() for i in range(panel.list.count())] == ["Everything"]
    key(app, Qt.Key.Key_Escape, widget=panel.list)
    assert not feature.shown
    assert feature.layer.boxes == ()


def test_here_only_is_the_default_and_the_other_mode_is_said_on_the_picture(app: App, page: Any) -> None:
    feature = page.context.feature(TrackFeature)
    assert not feature.on
    assert feature.layer.words == ""
    key(app, "e", SHIFT)
    assert feature.on
    assert feature.layer.words == "Changes go to all pictures of an element"
    assert feature.switch.current == 1
    key(app, "e", SHIFT)
    assert feature.layer.words == ""


def test_a_change_goes_to_all_pictures_and_one_undo_takes_it_back(app: App, page: Any) -> None:
    from annotator.commands import DeleteElements

    feature = page.context.feature(TrackFeature)
    before = app.stored()
    save = next(e for e in page.session.document.ordered(page.view.frame.id) if e.text == "Save customer")
    same = {e.uid for found in before.elements.values() for e in found if e.track_id == save.track_id}
    assert len(same) > 2
    page.view.select((save.uid,))
    assert feature.words.text().startswith("It is also in steps ")
    page.session.do(SetAttribute(uids=(save.uid,), name="type", value="tab"))
    assert {e.uid for found in app.stored().elements.values() for e in found if e.type == "tab"} == {save.uid}
    key(app, "z", CTRL)
    feature.set_on(on=True)
    for command in (SetAttribute(uids=(save.uid,), name="type", value="tab"), DeleteElements(uids=(save.uid,))):
        page.view.select((save.uid,))
        app.settle()
        rows = labels(app)
        page.session.do(command)
        app.settle()
        fresh = [words for words in labels(app) if words not in rows]
        assert len(fresh) == 1, "one row in the history, whatever the number of pictures"
        assert fresh[0].endswith("more pictures")
        after = [e for found in app.stored().elements.values() for e in found if e.track_id == save.track_id]
        assert {(e.type, e.review) for e in after} in ({("tab", "approved")}, {("button", "rejected")})
        key(app, "z", CTRL)
        assert app.stored() == before


def test_what_is_carried_over_does_not_spread(app: App, page: Any) -> None:
    page.context.feature(TrackFeature).set_on(on=True)
    key(app, "d")
    count = len(labels(app))
    key(app, "g")
    assert len(labels(app)) <= count + 1
