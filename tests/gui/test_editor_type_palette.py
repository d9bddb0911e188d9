"""Choosing a type by its first letters."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QListWidget

from annotator.ui.editor.attributes.type_palette import TypePalette, TypePaletteFeature
from demopack.domain.elements import Element
from tests.gui.conftest import App

CTRL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def select(page: Any, *texts: str) -> list[Element]:
    here = page.session.document.elements(page.view.frame.id)
    found = [next(e for e in here if e.text == text) for text in texts]
    page.view.select(tuple(e.uid for e in found))
    return found


def key(app: App, what: Any, held: Any = NONE) -> None:
    """A key, wherever the keyboard is."""
    where = QApplication.focusWidget()
    app.qtbot.keyClick(where, what, held)


def opened(app: App, what: Any = "\\") -> TypePalette:
    app.page.canvas.setFocus()
    key(app, what)
    found: TypePalette = app.page.context.feature(TypePaletteFeature).palette
    assert found.isVisible()
    return found


def rows(palette: TypePalette) -> list[str]:
    inside = palette.findChild(QListWidget)
    assert isinstance(inside, QListWidget)
    return [inside.item(i).text().split("   ")[0] for i in range(inside.count())]


def now(app: App, uid: str) -> Element:
    return next(e for frame in app.stored().elements.values() for e in frame if e.uid == uid)


def test_letters_leave_fewer_types_and_return_takes_the_first(app: App, page: Any) -> None:
    save, cancel = select(page, "Save customer", "Cancel")
    palette = opened(app)
    assert len(rows(palette)) == 32
    key(app, "t")
    key(app, "a")
    assert rows(palette) == ["tab", "tabled text"]
    key(app, Qt.Key.Key_Down)
    key(app, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert page.canvas.hasFocus()
    assert {now(app, save.uid).type, now(app, cancel.uid).type} == {"tabled_text"}
    key(app, "z", CTRL)
    assert (now(app, save.uid), now(app, cancel.uid)) == (save, cancel), "one edit"


def test_the_only_type_left_is_taken_and_what_is_typed_on_means_nothing(app: App, page: Any) -> None:
    (save,) = select(page, "Save customer")
    palette = opened(app, Qt.Key.Key_F4)
    for letter in "spinner":
        key(app, letter)
    assert not palette.isVisible()
    assert now(app, save.uid).type == "spinner"
    assert page.canvas.tool_name != "draw", "the r at the end draws nothing"
    assert page.view.index == 0
    assert page.view.selection == (save.uid,)
    key(app, "r")
    assert page.canvas.tool_name == "draw", "now it is a key again"


def test_a_letter_that_does_not_go_on_is_a_key_at_once(app: App, page: Any) -> None:
    select(page, "Save customer")
    opened(app)
    key(app, "s")
    key(app, "p")
    key(app, "r")
    assert page.canvas.tool_name == "draw"


def test_escape_and_a_click_elsewhere_close_it(app: App, page: Any) -> None:
    (save,) = select(page, "Save customer")
    palette = opened(app)
    key(app, "x")
    key(app, "q")
    assert rows(palette) == []
    key(app, Qt.Key.Key_Return)
    assert palette.isVisible(), "there is nothing to take"
    key(app, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert page.view.selection == (save.uid,)
    assert now(app, save.uid) == save
    palette = opened(app)
    page.panel.element.take_focus()
    assert not palette.isVisible()
    assert not page.canvas.hasFocus()


def test_with_nothing_selected_the_next_box_gets_the_type(app: App, page: Any) -> None:
    page.view.select(())
    opened(app)
    key(app, "c")
    chosen = next(w for w in page.findChildren(QComboBox) if w.accessibleName() == "Type of the element")
    assert chosen.currentData() == "checkbox"


def test_it_stays_inside_the_picture(app: App, page: Any) -> None:
    for text in ("New customer", "Order 1007"):
        select(page, text)
        for zoom in (1.0, 3.0):
            page.canvas.zoom_to(zoom)
            palette = opened(app)
            assert page.canvas.rect().contains(palette.geometry())
            field = palette.findChild(QLineEdit)
            assert isinstance(field, QLineEdit)
            assert field.hasFocus()
            key(app, Qt.Key.Key_Escape)
