"""Suggestions in the editor: the slider hides, Y and X decide and go on, everything at once is one edit."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QMenu, QPushButton

from annotator.ui.editor.suggestions_feature import SuggestionsFeature
from annotator.ui.editor.suggestions_panel import SAMPLE_SIZE
from annotator.ui.theme.manager import Theme
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.provenance import by_program
from demopack.domain.records import new_id
from demopack.settings import settings_path
from tests.gui.conftest import App
from tests.support.suggested import suggest

CTRL, SHIFT, NONE = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)


class Room:
    """The editor on a demo full of suggestions."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.qtbot: Any = app.qtbot
        self.order = suggest(app.library)
        self.page: Any = app.open()
        self.feature = self.page.context.feature(SuggestionsFeature)
        self.row = self.feature.row

    def key(self, what: Any, held: Any = NONE) -> None:
        self.page.canvas.setFocus()
        self.qtbot.keyClick(self.page.canvas, what, held)

    def shown(self) -> list[str]:
        return [e.uid for e in self.page.view.shown(self.page.view.frame.id) if e.review != "rejected"]

    def now(self, uid: str) -> Element:
        found: Element | None = self.page.session.document.element(uid)
        assert found is not None
        return found

    def select(self, place: int) -> str:
        self.page.view.select((self.order[place].uid,))
        return self.order[place].uid

    def menu(self) -> QMenu:
        menu = QMenu(self.row)
        self.feature._fill_menu(menu)
        return menu


@pytest.fixture
def room(app: App) -> Room:
    return Room(app)


def test_the_slider_hides_what_was_found_less_surely_at_once(room: Room) -> None:
    everything = room.shown()
    room.row._slider.setValue(35)
    assert set(everything) - set(room.shown()) == {e.uid for e in room.order[:3]}
    assert room.row._counts.text() == f"{len(everything) - 3} of {len(everything)} shown"
    room.row._slider.setValue(0)
    assert room.shown() == everything


def test_the_keys_move_the_slider_and_the_next_demo_begins_there(room: Room, app: App) -> None:
    for _ in range(5):
        room.key(Qt.Key.Key_BracketRight, CTRL)
    room.key(Qt.Key.Key_BracketLeft, CTRL)
    assert room.row._value.text() == "0.20"
    assert room.row._slider.value() == 20
    app.window.close_editor()
    assert app.open().context.feature(SuggestionsFeature).limits.least == 0.2


@pytest.mark.parametrize("written", ["much", "7", "nan"])
def test_a_damaged_memory_hides_nothing(app: App, written: str) -> None:
    QSettings(str(settings_path().with_name("windows.ini")), QSettings.Format.IniFormat).setValue(
        "editor/least_confidence", written
    )
    assert Room(app).feature.limits.least == 0.0


def test_a_source_is_hidden_and_the_counts_stay(room: Room) -> None:
    read = {e.uid for e in room.order if e.source == "ocr"}
    room.row._origins["ocr"].click()
    assert read
    assert read.isdisjoint(room.shown())
    assert room.row._origins["ocr"].text() == f"OCR {len(read)}"
    room.row._origins["ocr"].click()
    assert read < set(room.shown())


def test_rules_and_carried_boxes_are_sources_of_their_own_with_a_line_each(room: Room, app: App) -> None:
    ruled, carried = (room.order[place].uid for place in (0, 1))
    for uid, source in ((ruled, "rule"), (carried, "propagated")):
        old = room.now(uid)
        new = old.changed(source=source, confidence=0.6, evidence=())
        change = Change(kind="element", key=uid, before=old.to_json(), after=new.to_json())
        by = by_program("model", "parse", reason="parse")
        edit = Edit(id=new_id("edit"), label="Find", changes=(change,), provenance=by)
        app.library.commit(room.page.session.document.head.id, edit)
    app.window.close_editor()
    again = Room.__new__(Room)
    again.page = app.open()
    again.row = again.page.context.feature(SuggestionsFeature).row
    assert [again.row._origins[name].text() for name in ("rule", "propagated")] == ["Rule 1", "Carried over 1"]
    again.row._origins["rule"].click()
    assert ruled not in again.shown()
    assert carried in again.shown()
    again.row._origins["propagated"].click()
    assert carried not in again.shown()


def test_beside_each_source_stands_the_line_of_its_boxes_in_the_colours_of_the_theme(room: Room, theme: Theme) -> None:
    def samples() -> list[bytes]:
        images = [box.icon().pixmap(SAMPLE_SIZE).toImage() for box in room.row._origins.values()]
        return [bytes(image.constBits()) for image in images]

    theme.choose("light")
    light = samples()
    assert len(set(light)) == len(light) == 6
    theme.choose("dark")
    assert set(light).isdisjoint(samples())


def test_what_is_hidden_cannot_stay_selected(room: Room) -> None:
    room.select(0)
    room.row._slider.setValue(50)
    assert room.page.view.selection == ()


def test_y_accepts_and_goes_on_x_rejects_and_goes_on(room: Room, app: App) -> None:
    room.key("y")
    assert room.page.view.selection == (room.order[0].uid,), "the first one is shown before anything is decided"
    room.key("y")
    room.key("x")
    assert room.page.view.selection == (room.order[2].uid,)
    stored = {e.uid: e for e in app.stored().elements[room.page.view.frame.id]}
    assert [stored[e.uid].review for e in room.order[:3]] == ["approved", "rejected", "unreviewed"]
    room.key("z", CTRL)
    app.settle()
    assert room.now(room.order[1].uid).review == "unreviewed"


def test_the_walk_goes_round_and_ends(room: Room) -> None:
    last = len(room.order) - 1
    room.row._slider.setValue(0)
    uid = room.select(last)
    room.key("y")
    assert room.now(uid).review == "approved"
    assert room.page.view.selection == (room.order[0].uid,)
    for _ in range(last):
        room.key("y")
    assert room.page.view.selection == ()
    assert room.row._counts.text() == "None left"


def test_x_leaves_alone_what_a_person_drew(room: Room) -> None:
    room.select(1)
    room.key("d", CTRL)
    (copy,) = room.page.view.selection
    room.key("x")
    assert room.now(copy).review == "approved"
    assert room.page.view.selection == (copy,)


def test_everything_shown_is_one_edit(room: Room, app: App) -> None:
    before = app.stored()
    entries = len(app.library.log.entries(before.head.id))
    room.row._slider.setValue(35)
    room.key("y", SHIFT)
    now = app.stored()
    assert [room.now(e.uid).review for e in room.order[:4]] == ["unreviewed"] * 3 + ["approved"]
    assert len(app.library.log.entries(now.head.id)) == entries + 1
    assert app.library.log.labels(now.head.id)[0] == f"Accept {len(room.order) - 3} suggestions"
    room.key("z", CTRL)
    assert app.stored() == before


def test_everything_below_the_slider_is_rejected_and_everything_of_a_type_accepted(room: Room, app: App) -> None:
    room.row._slider.setValue(35)
    menu = room.menu()
    below = next(action for action in menu.actions() if action.text() == "Reject all 3 below 0.35")
    below.trigger()
    assert [room.now(e.uid).review for e in room.order[:4]] == ["rejected"] * 3 + ["unreviewed"]
    back = next(action for action in room.menu().actions() if action.text() == "Bring back the 3 that were rejected")
    back.trigger()
    assert [room.now(e.uid).review for e in room.order[:4]] == ["unreviewed"] * 4
    accept = next(action for action in room.menu().actions() if action.text() == "Accept by type")
    kinds = accept.menu()
    assert isinstance(kinds, QMenu)
    first = kinds.actions()[0]
    kind = first.text().split(" (")[0].replace(" ", "_")
    first.trigger()
    left = [e for uid in room.shown() if (e := room.now(uid)).type == kind and e.review == "unreviewed"]
    assert left == []
    label = app.library.log.labels(app.stored().head.id)[0]
    assert label is not None
    assert label.endswith(f"of type {kind.replace('_', ' ')}")


def test_sources_that_differ_are_marked_and_their_word_can_be_taken(room: Room) -> None:
    one = room.order[0]
    assert room.feature.layer.corners == [(one.box.x2, one.box.y1)]
    room.select(0)
    assert room.feature.section.isVisible()
    take = [b for b in room.feature.section.findChildren(QPushButton) if "text" in b.accessibleName()]
    take[-1].click()
    now = room.now(one.uid)
    assert (now.text, now.review) == ("Sornething else", "approved")
    assert room.feature.layer.corners == [], "a person has decided"


def test_nothing_is_said_about_what_nobody_found(room: Room) -> None:
    room.select(2)
    assert room.feature.section.isVisible()
    room.key("d", CTRL)
    room.app.settle()
    room.page.view.select(())
    assert not room.feature.section.isVisible()


def test_the_marks_cost_next_to_nothing_where_no_source_differs(room: Room) -> None:
    room.row._slider.setValue(30)
    assert room.feature.layer.corners == []


def test_approving_a_step_says_what_the_slider_hides_and_offers_to_reject_it(room: Room, app: App) -> None:
    room.row._slider.setValue(35)
    room.qtbot.keyClick(room.page.canvas, Qt.Key.Key_Space)
    assert room.page.view.index == 1
    assert app.window.toast.isVisible()
    app.window.toast.act()
    assert [room.now(e.uid).review for e in room.order[:4]] == ["rejected"] * 3 + ["unreviewed"]
    app.window.toast.hide()
    room.qtbot.keyClick(room.page.canvas, Qt.Key.Key_Space)
    assert not app.window.toast.isVisible(), "nothing is hidden on the second picture"


def test_deciding_about_very_many_is_said_before_it_is_done(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.ui.editor.suggestions_feature._MAX_SILENT_DECISIONS", 1)
    said: list[tuple[str, str]] = []
    show = room.row.show_busy

    def note(words: str) -> None:
        show(words)
        said.append((room.row._counts.text(), room.now(room.order[0].uid).review))

    monkeypatch.setattr(room.row, "show_busy", note)
    count = len([e for e in room.order if e.review == "unreviewed"])
    room.feature._decide_shown("accept")
    assert said == [(f"Changing {count} …", "unreviewed")]
    assert room.now(room.order[0].uid).review == "approved"
    assert room.row._counts.text() == "None left"
