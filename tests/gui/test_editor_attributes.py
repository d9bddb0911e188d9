"""Attributes by mouse and keyboard: states, digits, attribute mode, numbers, habits, read texts, many at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QSpinBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from annotator.attributes.element_attributes import MIXED, SetAttribute
from annotator.attributes.keyboard_choice import load_digits
from annotator.ui.editor.attributes.attribute_fields import CropView, TriState
from annotator.ui.editor.attributes.attributes_feature import AttributesFeature, placed
from annotator.ui.editor.attributes.text_reading import ReadingTask, crop_of
from annotator.ui.editor.panels.element_section import DigitLegend
from annotator.ui.painting import draw_line
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.errors import ModelError
from demopack.store import Library
from tests.gui.conftest import App, make_app
from tests.support.services import with_calls

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # lists that pop up, on no screen


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def find(page: QWidget, kind: type, name: str) -> Any:
    QApplication.processEvents()
    found = [w for w in page.findChildren(kind) if w.accessibleName() == name and w.isVisible()]
    assert len(found) == 1, f"{len(found)} controls are called {name!r}"
    return found[0]


def named(page: Any, text: str) -> Element:
    return next(e for e in page.session.document.elements(page.view.frame.id) if e.text == text)


def select(page: Any, *texts: str) -> list[Element]:
    found = [named(page, text) for text in texts]
    page.view.select(tuple(e.uid for e in found))
    return found


def key(app: App, what: Any, held: Any = NONE) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, what, held)


def now(app: App, uid: str) -> Element:
    return next(e for frame in app.stored().elements.values() for e in frame if e.uid == uid)


def feature(app: App) -> AttributesFeature:
    found: AttributesFeature = app.page.context.feature(AttributesFeature)
    return found


def draw(app: App, box: tuple[int, int, int, int] = (700, 500, 760, 540)) -> str:
    page = app.page
    page.canvas.zoom_to(1.0)
    corners = [page.canvas.viewport.to_window(x, y) for x, y in (box[:2], box[2:])]
    start, end = (QPoint(round(x), round(y)) for x, y in corners)
    app.qtbot.mousePress(page.canvas, Qt.MouseButton.LeftButton, NONE, start)
    app.qtbot.mouseMove(page.canvas, (start + end) / 2)
    app.qtbot.mouseMove(page.canvas, end)
    app.qtbot.mouseRelease(page.canvas, Qt.MouseButton.LeftButton, NONE, end)
    (uid,) = page.view.selection
    return str(uid)


# Digits -------------------------------------------------------------------------------------------------------------


def test_a_digit_sets_the_type_of_the_selection_in_one_edit(app: App, page: Any) -> None:
    save, cancel = select(page, "Save customer", "Cancel")
    digit = load_digits().digit_of("hyperlink") or "6"
    key(app, digit)
    assert {now(app, save.uid).type, now(app, cancel.uid).type} == {"hyperlink"}
    key(app, "z", CTRL)
    assert (now(app, save.uid), now(app, cancel.uid)) == (save, cancel)


def test_a_digit_sets_the_type_of_the_next_box_with_nothing_selected(app: App, page: Any) -> None:
    key(app, "4")
    assert find(page, QComboBox, "Type of the element").currentData() == "checkbox"
    assert find(page, QToolButton, "Digit 4: checkbox").isChecked()
    assert now(app, draw(app)).type == "checkbox"


def test_digits_are_digits_in_a_text_field(app: App, page: Any) -> None:
    (save,) = select(page, "Save customer")
    field = find(page, QLineEdit, "Text of the element")
    field.setFocus()
    app.qtbot.keyClicks(field, "42")
    field.flush()
    assert (now(app, save.uid).text, now(app, save.uid).type) == ("42Save customer", "button")


def test_a_digit_is_given_to_another_type_and_kept(app: App, page: Any) -> None:
    app.settle()
    legend: DigitLegend = page.panel.findChild(DigitLegend)
    menu = legend.menu_of("3")
    next(entry for entry in menu.actions() if entry.text() == "slider").trigger()
    assert find(page, QToolButton, "Digit 3: slider") is not None
    app.settle()
    assert load_digits().fixed == {"3": "slider"}
    select(page, "Save customer")
    find(page, QToolButton, "Digit 3: slider").click()
    assert page.view.element.type == "slider"
    next(entry for entry in legend.menu_of("3").actions() if entry.text() == "Let it be learned").trigger()
    app.settle()
    assert load_digits().fixed == {}


# Attribute mode -----------------------------------------------------------------------------------------------------


def test_states_are_set_by_keyboard_alone(app: App, page: Any) -> None:
    (news,) = select(page, "Send me the news")
    key(app, "q")
    card = feature(app).card
    assert [line.name for line in card.lines if line.current] == ["checked"]
    key(app, "1")
    assert now(app, news.uid).states == {"checked": True}
    key(app, Qt.Key.Key_Down)
    key(app, "2")
    assert now(app, news.uid).states == {"checked": True, "focused": False}
    assert page.view.index == 0, "the arrows belong to the mode"
    key(app, Qt.Key.Key_Up)
    key(app, "3")
    assert now(app, news.uid).states == {"focused": False}
    key(app, Qt.Key.Key_Escape)
    assert not card.on
    assert page.view.selection == (news.uid,), "Esc ended the mode and nothing else"
    key(app, Qt.Key.Key_Down)
    assert page.view.index == 1


def test_tab_goes_to_the_next_element_and_the_mode_follows(app: App, page: Any) -> None:
    key(app, "q")
    first = page.view.element
    assert first is not None, "with nothing selected the mode begins at the first element"
    key(app, Qt.Key.Key_Tab)
    assert page.view.element != first
    assert feature(app).card.lines[0].value == page.view.element.type.replace("_", " ")
    key(app, Qt.Key.Key_Backtab, SHIFT)
    assert page.view.element == first
    key(app, "q")
    assert not feature(app).card.on


def test_the_mode_goes_on_with_the_next_picture_and_ends_where_nothing_is_selected(app: App, page: Any) -> None:
    select(page, "Send me the news")
    key(app, "q")
    key(app, "d")
    app.qtbot.waitUntil(lambda: page.view.element is not None)
    assert (page.view.index, feature(app).card.on) == (1, True)
    page.view.select(())
    app.qtbot.waitUntil(lambda: not feature(app).mode.on)


def test_text_is_written_from_the_mode_and_return_goes_back(app: App, page: Any) -> None:
    (save,) = select(page, "Save customer")
    key(app, "q")
    key(app, Qt.Key.Key_Up)
    assert [(line.name, line.writes) for line in feature(app).card.lines if line.current] == [("text", True)]
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Return)
    field = find(page, QLineEdit, "Text of the element")
    app.qtbot.keyClicks(field, "Save it")
    app.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert now(app, save.uid).text == "Save it"
    assert page.canvas.hasFocus()
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Return)
    app.qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert page.canvas.hasFocus()
    assert feature(app).card.on


def test_the_mode_sets_many_elements_in_one_edit(app: App, page: Any) -> None:
    save, cancel, _ = select(page, "Save customer", "Cancel", "Full name")
    key(app, "q")
    page.context.feature(AttributesFeature).mode.move([save, cancel], 0)
    while next(line.name for line in feature(app).card.lines if line.current) != "disabled":
        key(app, Qt.Key.Key_Down)
    key(app, "1")
    assert [now(app, e.uid).states.get("disabled") for e in (save, cancel)] == [True, True]
    key(app, "z", CTRL)
    assert (now(app, save.uid), now(app, cancel.uid)) == (save, cancel)


def test_the_mode_draws_a_card_beside_the_element(app: App, page: Any) -> None:
    select(page, "Send me the news")
    page.canvas.zoom_to(1.0)
    before = page.canvas.grab().toImage()
    key(app, "q")
    after = page.canvas.grab().toImage()
    assert before != after
    box = page.canvas.box_on_screen(page.view.element.uid)
    assert after.pixelColor(box.right() + 120, box.top() + 12).name() == page.context.theme.palette.surface


def test_the_card_is_as_wide_as_its_words(app: App, page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    select(page, "Send me the news")
    key(app, "q")
    drawn: list[tuple[str, str]] = []

    def drawing(painter: QPainter, box: QRectF, text: str, **look: Any) -> str:
        drawn.append((text, draw_line(painter, box, text, **look)))
        return drawn[-1][1]

    monkeypatch.setattr("annotator.ui.editor.attributes.attributes_feature.draw_line", drawing)
    key(app, "3")
    page.canvas.grab()
    assert "cannot be seen" in {text for text, _ in drawn}
    assert [text for text, shown in drawn if text != shown] == []


@pytest.mark.parametrize(("left", "right", "at"), [(10, 60, 74), (700, 780, 470), (5, 795, 575)])
def test_the_card_finds_a_place_in_the_window(left: float, right: float, at: float) -> None:
    place = placed(QRectF(left, 580, right - left, 20), QSizeF(216, 200), width=800, room=600)
    assert (place.left(), place.bottom() <= 600) == (pytest.approx(at, abs=1), True)


def test_without_elements_there_is_no_mode(app: App) -> None:
    page = app.open("demo_0000000001")
    frame = page.view.frame
    for element in page.session.document.elements(frame.id):
        page.session.do(SetAttribute(uids=(element.uid,), name="review", value="rejected"))
    key(app, "q")
    assert not feature(app).card.on
    assert not feature(app).mode.on


# Many at once -------------------------------------------------------------------------------------------------------


def test_many_elements_are_changed_in_the_form_as_one_edit(app: App, page: Any) -> None:
    save, cancel, news = select(page, "Save customer", "Cancel", "Send me the news")
    assert find(page, QComboBox, "Type of the element").currentIndex() == -1, "they differ"
    row = find(page, TriState, "Disabled")
    row.click()
    assert [now(app, e.uid).states.get("disabled") for e in (save, cancel, news)] == [True] * 3
    find(page, QToolButton, "Review of the element: Doubtful").click()
    assert {now(app, e.uid).review for e in (save, cancel, news)} == {"doubtful"}
    key(app, "z", CTRL)
    key(app, "z", CTRL)
    assert [now(app, e.uid) for e in (save, cancel, news)] == [save, cancel, news]


def test_a_state_that_differs_says_so(app: App, page: Any) -> None:
    save, cancel = select(page, "Save customer", "Cancel")
    page.session.do(SetAttribute(uids=(save.uid,), name="focused", value=True))
    row = find(page, TriState, "Focused")
    assert (row.value, row.words) == (MIXED, "different")
    row.click()
    assert now(app, cancel.uid).states["focused"] is True


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
def test_the_three_values_look_different_in_every_theme(qtbot: QtBot, theme: Theme, name: Any) -> None:
    theme.choose(name)
    row = TriState("Checked", theme)
    qtbot.addWidget(row)
    row.resize(240, 28)
    looks: list[QImage] = []
    for value in (True, False, None, MIXED):
        row.show_value(value)
        looks.append(row.grab().toImage().copy(100, 0, 40, 28))  # the box alone, without the words
    assert all(a != b for i, a in enumerate(looks) for b in looks[:i])


# Numbers ------------------------------------------------------------------------------------------------------------


def test_arrows_change_numbers_by_one_and_with_shift_by_ten(app: App, page: Any) -> None:
    (save,) = select(page, "Save customer")
    field = find(page, QSpinBox, "Left edge in pixels")
    field.setFocus()
    app.qtbot.keyClick(field, Qt.Key.Key_Up)
    app.qtbot.keyClick(field, Qt.Key.Key_Up, SHIFT)
    assert now(app, save.uid).box == save.box.moved(11, 0)
    field.setValue(5000)
    assert field.value() == 960 - save.box.width, "what is typed is clamped to the picture"
    key(app, "z", CTRL)
    assert now(app, save.uid).box == save.box, "one visit is one gesture"


def test_the_next_visit_to_the_numbers_is_undone_on_its_own(app: App, page: Any) -> None:
    (save,) = select(page, "Save customer")
    field = find(page, QSpinBox, "Width in pixels")
    for _ in range(2):
        field.setFocus()
        app.qtbot.keyClick(field, Qt.Key.Key_Down, SHIFT)
        page.canvas.setFocus()
    assert now(app, save.uid).box.width == save.box.width - 20
    key(app, "z", CTRL)
    assert now(app, save.uid).box.width == save.box.width - 10


# Habits -------------------------------------------------------------------------------------------------------------


def test_a_drawn_box_has_the_usual_states_and_one_undo_takes_it_back(app: App, page: Any) -> None:
    before = app.stored()
    feature(app).learning.defaults.add(
        [named(page, "Send me the news").changed(states={"checked": False}, review="approved")] * 3
    )
    key(app, "4")
    uid = draw(app)
    app.qtbot.waitUntil(lambda: page.session.document.element(uid).states != {})
    row = find(page, TriState, "Checked")
    assert (row.value, row.words) == (False, "no, as usual")
    for _ in range(3):
        row.click()
    assert row.words == "no", "a person has said it now"
    key(app, "z", CTRL)
    key(app, "z", CTRL)
    assert app.stored() == before


def test_a_type_brings_its_usual_states_whoever_asks_for_it(app: App, page: Any) -> None:
    (news,) = select(page, "Send me the news")
    feature(app).learning.defaults.add([news.changed(type="radio", states={"checked": False}, review="approved")] * 3)
    page.session.do(SetAttribute(uids=(news.uid,), name="type", value="radio"))
    assert now(app, news.uid).states == {"checked": False}
    key(app, "z", CTRL)
    assert now(app, news.uid) == news


def test_subtypes_are_completed_and_any_word_is_taken(app: App, page: Any) -> None:
    uid = draw(app)
    page.session.do(SetAttribute(uids=(uid,), name="type", value="icon"))
    field = find(page, QLineEdit, "Subtype of the element")
    field.setFocus()
    app.qtbot.keyClicks(field, "max")
    assert (field.text(), field.selectedText()) == ("maximize", "imize")
    app.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert now(app, uid).subtype == "maximize"
    app.qtbot.waitUntil(lambda: feature(app).learning.defaults.subtypes("icon")[0] == "maximize")
    key(app, Qt.Key.Key_Return)
    for letter in "ma":
        app.qtbot.keyClick(field, letter)
    assert field.text() == "maximize", "the word that is used comes before mail"
    app.qtbot.keyClicks(field, "rble")
    assert field.text() == "marble", "any other word goes on"
    app.qtbot.keyClick(field, Qt.Key.Key_Backspace)
    assert field.text() == "marbl"
    app.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert now(app, uid).subtype == "marbl"
    key(app, "z", CTRL)
    assert now(app, uid).subtype == "maximize", "a word is one edit"


# The text on the element --------------------------------------------------------------------------------------------


class Reader:
    """Reads what it was told, when it is let."""

    def __init__(self, text: str, error: Exception | None = None) -> None:
        self.text, self.error = text, error
        self.let = threading.Event()
        self.let.set()
        self.shapes: list[tuple[int, ...]] = []
        self.closed = False

    def read(self, crop: Any) -> str:
        self.shapes.append(crop.shape)
        self.let.wait(10)
        if self.error is not None:
            raise self.error
        return self.text

    def close(self) -> None:
        self.closed = True
        self.let.set()


@pytest.fixture
def reading(library: Library, theme: Theme, services: Services, qtbot: QtBot) -> Any:
    """Opens the sample with a reader; the window is closed at the end."""
    made: list[App] = []

    def begin(reader: Reader | None) -> App:
        made.append(make_app(library, theme, with_calls(services, open_reader=lambda _: reader), qtbot))
        made[0].open()
        return made[0]

    yield begin
    for one in made:
        one.window.close()
        one.window.deleteLater()


def test_an_empty_text_is_offered_what_was_read(reading: Callable[[Any], App]) -> None:
    reader = Reader("Save it")
    app = reading(reader)
    page = app.page
    (save,) = select(page, "Save customer")
    page.session.do(SetAttribute(uids=(save.uid,), name="text", value=""))
    app.qtbot.waitUntil(lambda: any(b.text() == "Write “Save it”, as read" for b in page.findChildren(QPushButton)))
    assert reader.shapes == [(save.box.height, save.box.width, 3)]
    find(page, QPushButton, "Write “Save it”, as read").click()
    assert now(app, save.uid).text == "Save it"
    assert not any("as read" in b.text() and b.isVisible() for b in page.findChildren(QPushButton))
    app.page.back_wanted.emit()
    assert reader.closed


def test_a_reader_that_nobody_needs_ends_and_comes_again(reading: Callable[[Any], App]) -> None:
    reader = Reader("Save it")
    app = reading(reader)
    page = app.page
    (save,) = select(page, "Save customer")
    page.session.do(SetAttribute(uids=(save.uid,), name="text", value=""))
    app.qtbot.waitUntil(lambda: reader.shapes != [])
    app.settle()
    idle = next(timer for timer in feature(app).reading.findChildren(QTimer) if timer.interval() > 60_000)
    assert idle.isActive()
    idle.timeout.emit()
    assert reader.closed
    (cancel,) = select(page, "Cancel")
    page.session.do(SetAttribute(uids=(cancel.uid,), name="text", value=""))
    app.qtbot.waitUntil(lambda: len(reader.shapes) == 2)


def test_writing_begins_with_what_was_read(reading: Callable[[Any], App]) -> None:
    app = reading(Reader("Save it"))
    page = app.page
    (save,) = select(page, "Save customer")
    page.session.do(SetAttribute(uids=(save.uid,), name="text", value=""))
    app.qtbot.waitUntil(lambda: any("as read" in b.text() and b.isVisible() for b in page.findChildren(QPushButton)))
    key(app, Qt.Key.Key_Return)
    field = find(page, QLineEdit, "Text of the element")
    assert (field.text(), field.selectedText()) == ("Save it", "Save it")
    app.qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert (field.text(), now(app, save.uid).text) == ("", None), "Esc: nothing was written"


def test_a_slow_reader_blocks_nothing_and_is_not_heard_afterwards(reading: Callable[[Any], App]) -> None:
    reader = Reader("too late")
    reader.let.clear()
    app = reading(reader)
    page = app.page
    (save,) = select(page, "Save customer")
    page.session.do(SetAttribute(uids=(save.uid,), name="text", value=""))
    app.qtbot.waitUntil(lambda: reader.shapes != [])
    key(app, Qt.Key.Key_Tab)
    assert page.view.element.uid != save.uid
    page.back_wanted.emit()
    app.settle()
    assert reader.closed


@pytest.mark.parametrize("reader", [None, Reader("", ModelError("It died."))])
def test_without_a_reader_nothing_is_shown(reading: Callable[[Any], App], reader: Reader | None) -> None:
    app = reading(reader)
    page = app.page
    (save,) = select(page, "Save customer")
    page.session.do(SetAttribute(uids=(save.uid,), name="text", value=""))
    app.qtbot.waitUntil(lambda: page.context.feature(AttributesFeature).reading.given_up)
    assert not any("as read" in b.text() and b.isVisible() for b in page.findChildren(QPushButton))
    assert not page.window().findChildren(QWidget, "banner")[0].isVisible()


def test_the_element_is_shown_enlarged_above_its_text(app: App, page: Any) -> None:
    select(page, "Save customer")
    crop = page.panel.findChild(CropView)
    app.qtbot.waitUntil(lambda: crop.isVisible() and crop.height() > 40)  # once it was laid out
    assert crop.scale >= 2
    before = crop.grab().toImage()
    select(page, "Cancel")
    assert crop.grab().toImage() != before
    page.view.select(())
    assert not crop.isVisible()


def test_pixels_are_cut_out_as_they_are() -> None:
    image = QImage(5, 4, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    image.setPixelColor(2, 1, Qt.GlobalColor.blue)
    found = crop_of(ReadingTask("frame", Rect(1, 1, 4, 3)), image)
    assert found is not None
    crop, inside = found
    assert inside == Rect(0, 0, 3, 2)
    assert (crop.shape, crop[0, 1].tolist(), crop[1, 1].tolist()) == ((2, 3, 3), [0, 0, 255], [255, 0, 0])
    assert crop_of(ReadingTask("frame", Rect(3, 3, 9, 9)), image) is None
    assert crop_of(ReadingTask("frame", Rect(3, 3, 3, 3)), image) is None
