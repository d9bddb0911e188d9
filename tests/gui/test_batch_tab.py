"""Several steps at once: searched, tightened, cleared of doubles, filled from what the programs told."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from annotator.batch.parsing import DemoOrder, ParseOrder, load_order, save_order, search, searched_words
from annotator.box_commands import SetBoxes
from annotator.ui.editor.batch_feature import BatchFeature
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.domain.steps import AccessibleElement
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library
from tests.gui.conftest import App
from tests.support.editing import SAMPLE


class Finder:
    """Finds one icon in the corner of every screen."""

    name = "corner-1"

    def __init__(self) -> None:
        self.frames: list[str] = []

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Any = ()) -> list[Element]:
        del image, control, near
        self.frames.append(frame.id)
        return [
            Element(
                uid=new_id("el"), frame=frame.id, type="icon", box=Rect(2, 2, 20, 20), source="detector", confidence=0.9
            )
        ]


class Room:
    """The tab on the sample demo, with a finder of its own."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.page: Any = app.open()
        self.feature = self.page.context.feature(BatchFeature)
        self.panel = self.feature
        self.finder = Finder()
        self.feature.search = self._search
        self.feature._open()
        app.settle()

    def _search(self, library: Library, order: ParseOrder, settings: Settings, control: JobControl) -> str:
        del settings
        return searched_words(search(library, order, self.finder, control=control))

    def scope(self, place: int) -> None:
        self.panel._scope.setCurrentIndex(place)

    def add(self, element: Element, change: Change | None = None) -> None:
        made = Change(kind="element", key=element.uid, before=None, after=element.to_json())
        self.commit(change or made)

    def commit(self, change: Change) -> None:
        edit = Edit(id=new_id("edit"), label="by hand", changes=(change,), provenance=by_human())
        self.app.library.commit(SAMPLE, edit)
        self.page.session.reload()
        self.app.settle()


@pytest.fixture
def room(app: App) -> Room:
    return Room(app)


def test_the_menu_opens_the_tab(app: App) -> None:
    page = app.open()
    assert page.context.panel.shown_tab == "element"
    page.context.feature(BatchFeature)._open_doubles()
    app.settle()
    assert page.context.panel.shown_tab == "batch"
    assert page.context.feature(BatchFeature)._none.text() == "There is no double."


def test_the_range_follows_step_and_selection(room: Room) -> None:
    steps = room.page.session.document.steps
    assert room.panel._range.text().startswith(f"Steps: {len(steps)}, ")
    room.scope(0)
    assert room.panel._range.text() == "Steps: 1, screens: 2"
    room.scope(2)
    room.page.view.go_to(len(steps) - 2)
    assert room.panel._range.text().startswith("Steps: 2, ")
    room.scope(1)
    room.page.steps.select_ids([step.id for step in steps[:3]])
    assert room.panel._range.text().startswith("Steps: 3, ")


def test_one_step_is_searched_again_and_what_was_found_is_shown(room: Room) -> None:
    room.scope(0)
    frames = [room.page.view.step.before.id, room.page.view.step.after.id]
    room.panel._find.click()
    room.app.settle()
    assert room.finder.frames == [], "these were searched before"
    room.panel._again.click()
    room.app.settle()
    assert room.finder.frames == frames
    icons = [e for e in room.page.session.document.elements(frames[0]) if e.box == Rect(2, 2, 20, 20)]
    assert len(icons) == 1
    assert load_order(room.app.library.folder) is None


def test_every_demo_is_searched(room: Room) -> None:
    room.scope(4)
    assert not room.panel._tighten.isEnabled()
    room.panel._again.click()
    room.app.settle()
    frames = {f.id for s in room.app.library.demos() for f in room.app.library.demo(s.head.id).frames()}
    assert set(room.finder.frames) == frames


def test_a_stopped_search_is_offered_and_goes_on_or_is_forgotten(room: Room) -> None:
    frame = room.page.view.frame.id
    assert not room.panel._go_on.isVisible()
    for go_on in (True, False):
        order = ParseOrder(again=True, demos=(DemoOrder(demo=SAMPLE, frames=(frame,)),))
        save_order(room.app.library.folder, order)
        room.feature._open()
        room.app.settle()
        assert room.panel._left.text() == "A search was stopped; 1 screen is left."
        (room.panel._go_on if go_on else room.panel._forget).click()
        room.app.settle()
        assert room.finder.frames == [frame]
        assert not room.panel._left.isVisible()
    assert load_order(room.app.library.folder) is None


def test_doubles_are_listed_shown_and_removed_in_one_edit(room: Room) -> None:
    document, frame = room.page.session.document, room.page.session.document.steps[3].before
    one = next(e for e in document.elements(frame.id) if e.text == "Save customer")
    twin = one.changed(uid="el_twin", confidence=0.2, track_id=None)
    room.add(twin)
    before = room.app.stored()
    room.panel._look.click()
    room.app.settle()
    assert room.panel._list.count() == 1
    room.panel._list.setCurrentRow(0)
    assert room.page.view.selection == ("el_twin",)
    room.panel._list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert not room.panel._remove.isEnabled()
    room.panel._list.item(0).setCheckState(Qt.CheckState.Checked)
    assert room.panel._remove.text() == "Remove 1 double"
    room.panel._remove.click()
    room.app.settle()
    assert document.element("el_twin").review == "rejected"
    room.page.session.undo()
    assert room.app.stored() == before


@pytest.mark.parametrize("bound", ["target", "alternative"])
def test_what_a_step_is_bound_to_is_never_listed_or_ticked(room: Room, bound: str) -> None:
    """Of two that are the same a person's own would stay, but not where a step is bound to the other one."""
    document = room.page.session.document
    step = next(s for s in document.steps if s.before is not None and s.target_uid is not None)
    one = document.element(step.target_uid)
    assert one is not None
    room.add(one.changed(uid="el_own", source="human", confidence=None, review="approved", track_id=None))
    if bound == "alternative":
        bent = step.model_copy(update={"target_uid": None, "alternatives": (one.uid,)})
        room.commit(Change(kind="step", key=step.id, before=step.to_json(), after=bent.to_json()))
    room.panel._look.click()
    room.app.settle()
    listed = [room.panel._list.item(row) for row in range(room.panel._list.count())]
    assert [(item.data(Qt.ItemDataRole.UserRole), item.checkState()) for item in listed] == [
        ("el_own", Qt.CheckState.Checked)
    ]


def test_boxes_are_tightened_in_one_edit(room: Room) -> None:
    document, frame = room.page.session.document, room.page.view.frame
    save = next(e for e in document.elements(frame.id) if e.text == "Save customer")
    loose = Rect(save.box.x1 - 5, save.box.y1 - 4, save.box.x2 + 6, save.box.y2 + 5)
    change = Change(kind="element", key=save.uid, before=save.to_json(), after=save.changed(box=loose).to_json())
    room.commit(change)
    room.scope(0)
    room.panel._tighten.click()
    room.app.settle()
    now = document.element(save.uid)
    assert loose.encloses(now.box)
    assert now.box != loose
    label = room.app.library.log.labels(SAMPLE)[0]
    assert label is not None
    assert label.startswith("Tighten ")


def test_a_box_that_a_person_moves_meanwhile_is_not_tightened(room: Room) -> None:
    document, frame = room.page.session.document, room.page.view.frame
    save = next(e for e in document.elements(frame.id) if e.text == "Save customer")
    room.scope(0)
    room.panel._tighten.click()
    moved = Rect(600, 500, 700, 540)
    room.page.session.do(SetBoxes(boxes={save.uid: moved}))
    room.app.settle()
    assert document.element(save.uid).box == moved


def test_what_the_programs_told_is_added_once(room: Room) -> None:
    step = room.page.session.document.steps[0]
    told = AccessibleElement(role="check box", name="Spare", box=Rect(700, 500, 740, 520))
    after = step.model_copy(update={"pointed": told})
    room.commit(Change(kind="step", key=step.id, before=step.to_json(), after=after.to_json()))
    room.panel._told.click()
    room.app.settle()
    made = [e for e in room.page.session.document.elements(step.before.id) if e.source == "accessibility"]
    assert [(e.type, e.text) for e in made] == [("checkbox", "Spare")]
    entries = len(room.app.library.log.entries(SAMPLE))
    room.panel._told.click()
    room.app.settle()
    assert len(room.app.library.log.entries(SAMPLE)) == entries
