"""The text of a box that was drawn or changed is read without a key, an icon named so; both are undone with the box."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from annotator.attributes.element_attributes import SetAttribute
from annotator.box_commands import SetBoxes, SplitElement
from annotator.commands import AddElement
from annotator.ui.editor.attributes.attributes_feature import AttributesFeature
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.settings import Settings, UiSettings
from demopack.store import Library
from models.vision.description import IconGuesses
from tests.gui.conftest import App, make_app
from tests.support.services import with_calls

CTRL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


class Reader:
    """Says the size of what it was given, when it is let."""

    def __init__(self) -> None:
        self.let = threading.Event()
        self.let.set()
        self.read_sizes: list[str] = []
        self.nothing = False
        self.guesses = IconGuesses()
        self.looked_at: list[tuple[Any, Rect]] = []
        self.fails = 0

    def read(self, crop: Any) -> str:
        self.let.wait(10)
        if self.fails:
            self.fails -= 1
            raise ValueError("an error that nobody foresaw")
        self.read_sizes.append(f"{crop.shape[1]} x {crop.shape[0]}")
        return "" if self.nothing else self.read_sizes[-1]

    def meanings(self, crop: Any, box: Rect) -> IconGuesses:
        self.let.wait(10)
        self.looked_at.append((crop, box))
        return self.guesses

    def close(self) -> None:
        self.let.set()


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def begin(library: Library, theme: Theme, services: Services, qtbot: QtBot, reader: Reader) -> Any:
    made: list[App] = []

    def opened(settings: Settings | None = None) -> App:
        ours = with_calls(services, open_reader=lambda _: reader, settings=settings or services.settings)
        made.append(make_app(library, theme, ours, qtbot))
        made[0].open()
        return made[0]

    yield opened
    for one in made:
        one.window.close()
        one.window.deleteLater()


Begin = Callable[..., App]


def now(app: App, uid: str) -> Element | None:
    found: Element | None = app.page.session.document.element(uid)
    return found


def text(app: App, uid: str) -> str | None:
    one = now(app, uid)
    return None if one is None else one.text


def named(app: App, words: str) -> Element:
    return next(e for e in app.page.session.document.elements(app.page.view.frame.id) if e.text == words)


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


def undo(app: App) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, "z", CTRL)
    app.settle()


def quiet(app: App) -> bool:
    """Whether everything that was asked for was read."""
    following = app.page.context.feature(AttributesFeature).following
    return not following._edits and not following._newest and not app.window.workers.busy


def test_a_drawn_box_gets_its_text_and_one_undo_takes_both_back(begin: Begin, reader: Reader) -> None:
    app = begin()
    before = app.stored()
    uid = draw(app)
    app.qtbot.waitUntil(lambda: text(app, uid) == "60 x 40")
    undo(app)
    assert app.stored() == before


def test_the_type_may_change_while_it_is_read(begin: Begin, reader: Reader) -> None:
    app = begin()
    reader.let.clear()
    uid = draw(app)
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, "2")
    reader.let.set()
    app.qtbot.waitUntil(lambda: text(app, uid) == "60 x 40")
    one = now(app, uid)
    assert one is not None
    assert (one.type, one.evidence[0].source) == ("text", "ocr")


def test_a_found_text_follows_its_box_and_a_written_one_stays(begin: Begin) -> None:
    app = begin()
    save, cancel = named(app, "Save customer"), named(app, "Cancel")
    do = app.page.session.do
    do(SetAttribute(uids=(cancel.uid,), name="text", value="Never mind"))
    boxes = {one.uid: Rect(one.box.x1, one.box.y1, one.box.x2 - 40, one.box.y2) for one in (save, cancel)}
    do(SetBoxes(boxes=boxes, frame_size=app.page.view.frame.size, what="tighten"))
    app.qtbot.waitUntil(lambda: text(app, save.uid) == "80 x 36")
    assert text(app, cancel.uid) == "Never mind"
    undo(app)
    assert (now(app, save.uid), text(app, cancel.uid)) == (save, "Never mind")
    kept = now(app, cancel.uid)
    assert kept is not None
    assert kept.box == cancel.box, "one undo for box and text"


def test_a_box_that_only_lost_air_keeps_its_text(begin: Begin, reader: Reader) -> None:
    app = begin()
    title = named(app, "New customer")
    box = Rect(title.box.x1, title.box.y1, title.box.x2 + 20, title.box.y2)
    app.page.session.do(SetBoxes(boxes={title.uid: box}))
    app.qtbot.waitUntil(lambda: quiet(app))
    assert (text(app, title.uid), reader.read_sizes) == ("New customer", [])


def test_the_parts_of_a_box_are_read(begin: Begin) -> None:
    app = begin()
    save = named(app, "Save customer")
    app.page.session.do(SplitElement(uid=save.uid, across="x", cuts=((100, 104),), new_uids=("el_second",)))
    app.qtbot.waitUntil(lambda: (text(app, save.uid), text(app, "el_second")) == ("40 x 36", "76 x 36"))
    undo(app)
    assert (now(app, save.uid), now(app, "el_second")) == (save, None)


def test_icons_that_become_texts_are_read_together(begin: Begin, reader: Reader) -> None:
    app = begin()
    frame = app.page.view.frame.id
    for i in range(3):
        icon = Element(
            uid=f"icon_{i}", frame=frame, type="icon", box=Rect(600, 500 + 20 * i, 620 + i, 510 + 20 * i),
            source="detector", confidence=0.6,
        )  # fmt: skip
        app.page.session.do(AddElement(element=icon))
    assert reader.read_sizes == []
    app.page.session.do(SetAttribute(uids=("icon_0", "icon_1", "icon_2"), name="type", value="tabled_text"))
    app.qtbot.waitUntil(lambda: text(app, "icon_2") == "22 x 10")
    assert [text(app, f"icon_{i}") for i in range(3)] == ["20 x 10", "21 x 10", "22 x 10"]
    undo(app)
    assert {one.type for i in range(3) if (one := now(app, f"icon_{i}")) is not None} == {"icon"}


def test_nothing_is_written_over_what_happens_meanwhile(begin: Begin, reader: Reader) -> None:
    app = begin()
    reader.let.clear()
    save, cancel = named(app, "Save customer"), named(app, "Cancel")
    do = app.page.session.do
    for one in (save, cancel):
        do(SetBoxes(boxes={one.uid: one.box.moved(3, 0)}))
    app.qtbot.waitUntil(lambda: not app.page.context.feature(AttributesFeature).following._edits)
    do(SetAttribute(uids=(save.uid,), name="text", value="Typed"))
    do(SetBoxes(boxes={cancel.uid: Rect(cancel.box.x1, cancel.box.y1, cancel.box.x2 - 50, cancel.box.y2)}))
    reader.let.set()
    app.qtbot.waitUntil(lambda: text(app, cancel.uid) == "40 x 36")
    app.qtbot.waitUntil(lambda: quiet(app))
    assert text(app, save.uid) == "Typed"


def test_an_undo_while_it_is_read_leaves_nothing_behind(begin: Begin, reader: Reader) -> None:
    app = begin()
    before = app.stored()
    reader.let.clear()
    draw(app)
    app.qtbot.waitUntil(lambda: not app.page.context.feature(AttributesFeature).following._edits)
    app.page.session.undo()
    reader.let.set()
    app.qtbot.waitUntil(lambda: quiet(app))
    assert app.stored() == before


def test_a_check_box_is_called_by_the_words_beside_it(begin: Begin, reader: Reader) -> None:
    app = begin()
    frame = app.page.view.frame.id
    label = Element(
        uid="label", frame=frame, type="text", text="All of them", box=Rect(720, 500, 800, 516), review="approved"
    )
    app.page.session.do(AddElement(element=label))
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, "4")
    uid = draw(app, (698, 500, 714, 516))
    app.qtbot.waitUntil(lambda: text(app, uid) == "All of them")
    assert reader.read_sizes == []


def test_after_an_error_that_nobody_foresaw_the_next_box_is_read(begin: Begin, reader: Reader, qtbot: QtBot) -> None:
    app = begin()
    reader.fails = 1
    with qtbot.capture_exceptions() as told:
        uid = draw(app)
        app.qtbot.waitUntil(lambda: bool(told) and quiet(app))
    assert [str(value) for _, value, _ in told] == ["an error that nobody foresaw"]
    assert text(app, uid) is None
    other = draw(app, (700, 560, 780, 600))
    app.qtbot.waitUntil(lambda: text(app, other) == "80 x 40")


def test_a_reader_goes_by_the_settings_as_they_are_now(begin: Begin, reader: Reader) -> None:
    app = begin()
    opened: list[bool] = []

    def open_reader(settings: Settings) -> Reader | None:
        opened.append(settings.vision.ocr)
        return reader if settings.vision.ocr else None

    services = app.window._services
    vars(services).update(open_reader=open_reader)
    for ocr in (False, True):
        vision = services.settings.vision.model_copy(update={"ocr": ocr})
        app.window._use_settings(services.settings.model_copy(update={"vision": vision}))
        place = (700, 560, 780, 600) if ocr else (700, 500, 760, 540)
        uid = draw(app, place)
        app.qtbot.waitUntil(lambda: quiet(app))
        assert text(app, uid) == ("80 x 40" if ocr else None)
    assert opened == [False, True]


@pytest.mark.parametrize("how", ["switched off", "nothing is read"])
def test_without_a_text_the_box_stays_as_it_is(begin: Begin, reader: Reader, how: str) -> None:
    off = how == "switched off"
    reader.nothing = not off
    app = begin(Settings(ui=UiSettings(read_texts=False)) if off else None)
    uid = draw(app)
    app.qtbot.waitUntil(lambda: quiet(app) and (off or reader.read_sizes != []))
    assert text(app, uid) is None
    save = named(app, "Save customer")
    app.page.session.do(SetBoxes(boxes={save.uid: save.box.moved(3, 0)}))
    app.qtbot.waitUntil(lambda: quiet(app))
    assert text(app, save.uid) == "Save customer"


# Icons --------------------------------------------------------------------------------------------------------------

SAVE = IconGuesses(name="save", likely=(("save", 0.8), ("download", 0.1), ("file", 0.03)))


def icons(app: App) -> AttributesFeature:
    app.page.canvas.tools.new_type = "icon"
    found: AttributesFeature = app.page.context.feature(AttributesFeature)
    return found


def choices(app: App) -> list[str]:
    lines = app.page.context.feature(AttributesFeature).card.lines
    return [choice.words for line in lines if line.name == "subtype" for choice in line.choices]


def subtype(app: App, uid: str) -> str | None:
    one = now(app, uid)
    return None if one is None else one.subtype


def test_a_drawn_icon_gets_its_sure_name_and_one_undo_takes_both_back(begin: Begin, reader: Reader) -> None:
    app = begin()
    before = app.stored()
    icons(app)
    reader.guesses = SAVE
    uid = draw(app, (700, 500, 720, 520))
    app.qtbot.waitUntil(lambda: subtype(app, uid) == "save")
    crop, box = reader.looked_at[0]
    assert (box.width, box.height) == (20, 20)
    assert box.x1 >= 2, "with what is around it"
    assert crop.shape[0] == crop.shape[1] >= 24
    undo(app)
    assert app.stored() == before


def test_an_unsure_icon_stays_without_a_name_until_a_digit_gives_it_the_first_guess(
    begin: Begin, reader: Reader
) -> None:
    app = begin()
    feature = icons(app)
    reader.guesses = replace(SAVE, name=None)
    uid = draw(app, (700, 500, 720, 520))
    app.qtbot.waitUntil(lambda: quiet(app) and reader.looked_at != [])
    assert subtype(app, uid) is None
    field = next(f for f in app.page.findChildren(QLineEdit) if f.accessibleName() == "Subtype of the element")
    app.qtbot.keyClicks(field, "d")
    assert field.text() == "download", "a guess comes before the usual word with this letter"
    app.qtbot.keyClick(field, Qt.Key.Key_Escape)
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, "q")
    while next(line.name for line in feature.card.lines if line.current) != "subtype":
        app.qtbot.keyClick(app.page.canvas, Qt.Key.Key_Down)
    app.qtbot.waitUntil(lambda: choices(app)[:3] == ["save", "download", "file"])
    assert len(choices(app)) == len(set(choices(app))) == 10, "after them the usual words, none of them twice"
    app.qtbot.keyClick(app.page.canvas, "1")
    assert subtype(app, uid) == "save"
    assert len(reader.looked_at) == 1, "what was said is remembered"


def test_attribute_mode_looks_at_a_named_icon_too(begin: Begin, reader: Reader) -> None:
    app = begin()
    frame = app.page.view.frame.id
    named_icon = Element(uid="one", frame=frame, type="icon", box=Rect(600, 500, 620, 520), subtype="open")
    app.page.session.do(AddElement(element=named_icon))
    reader.guesses = SAVE
    app.page.view.select(("one",))
    app.qtbot.waitUntil(lambda: quiet(app))
    assert reader.looked_at == [], "outside of the mode nobody would see it"
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, "q")
    app.qtbot.waitUntil(lambda: choices(app)[0] == "save")
    assert subtype(app, "one") == "open"


def test_a_name_that_a_person_gave_meanwhile_stays(begin: Begin, reader: Reader) -> None:
    app = begin()
    icons(app)
    reader.guesses = SAVE
    reader.let.clear()
    uid = draw(app, (700, 500, 720, 520))
    app.qtbot.waitUntil(lambda: not app.page.context.feature(AttributesFeature).following._edits)
    app.page.session.do(SetAttribute(uids=(uid,), name="subtype", value="floppy"))
    reader.let.set()
    app.qtbot.waitUntil(lambda: quiet(app))
    assert subtype(app, uid) == "floppy"


def test_switched_off_a_drawn_icon_gets_no_name(begin: Begin, reader: Reader) -> None:
    app = begin(Settings(ui=UiSettings(read_texts=False)))
    icons(app)
    reader.guesses = SAVE
    uid = draw(app, (700, 500, 720, 520))
    app.qtbot.waitUntil(lambda: quiet(app) and reader.looked_at != [])
    assert subtype(app, uid) is None, "it is only offered"
