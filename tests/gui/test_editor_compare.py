"""Before and after: side by side with one zoom, blinking in one place, and off again."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QProxyStyle, QStyle

from annotator.ui.editor.compare_feature import CompareFeature
from tests.gui.conftest import App

NONE = Qt.KeyboardModifier.NoModifier


class Still(QProxyStyle):
    """A system that wants nothing to move."""

    def styleHint(self, hint: Any, *rest: Any) -> int:  # noqa: N802 - Qt's name
        if hint == QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, *rest)


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def key(app: App, what: Any, widget: Any = None) -> None:
    app.qtbot.keyClick(widget or app.page.focusWidget() or app.page, what)
    app.settle()


def begun(app: App) -> tuple[CompareFeature, Any]:
    app.page.canvas.setFocus()
    key(app, "=", app.page.canvas)
    feature = app.page.context.feature(CompareFeature)
    return feature, feature.view


def test_one_key_goes_round(app: App, page: Any) -> None:
    feature, view = begun(app)
    assert feature.mode == "split"
    assert not page.canvas.isVisible()
    assert all(view.pane(side).isVisible() and view.pane(side).ready for side in ("before", "after"))
    assert "changed." in view.words.text()
    assert view.pane("before").changed.boxes == view.pane("after").changed.boxes != ()
    key(app, "=")
    assert feature.mode == "blink"
    assert view.blinking.isActive()
    assert view.pane("before").isVisible() != view.pane("after").isVisible()
    key(app, "=")
    assert feature.mode == "off"
    assert page.canvas.isVisible()
    assert not view.blinking.isActive()
    assert page.canvas.hasFocus()


def test_zoom_and_place_are_common(app: App, page: Any) -> None:
    _, view = begun(app)
    before, after = view.pane("before"), view.pane("after")
    before.zoom_to(2.0)
    assert after.viewport.scale == 2.0
    start = QPoint(60, 60)
    app.qtbot.mousePress(after, Qt.MouseButton.LeftButton, NONE, start)
    app.qtbot.mouseMove(after, start + QPoint(25, 15))
    app.qtbot.mouseRelease(after, Qt.MouseButton.LeftButton, NONE, start + QPoint(25, 15))
    assert (before.viewport.x, before.viewport.y) == (after.viewport.x, after.viewport.y)
    assert before.viewport.picture == page.view.step.before.size


def test_the_keys_zoom_both_and_the_canvas_keeps_the_place(app: App, page: Any) -> None:
    _, view = begun(app)
    before, after = view.pane("before"), view.pane("after")
    page.context.keyring.actions["actual"].trigger()
    assert (before.viewport.scale, after.viewport.scale) == (1.0, 1.0)
    before.zoom_to(3.0)
    spot = before.viewport.to_picture(before.width() / 2, before.height() / 2)
    assert page.canvas.viewport.scale == 3.0
    canvas = page.canvas.viewport
    assert canvas.to_picture(canvas.width / 2, canvas.height / 2) == pytest.approx(spot, abs=1)
    page.context.keyring.actions["fit"].trigger()
    assert before.viewport.fitted
    assert after.viewport.fitted


def test_it_follows_the_step(app: App, page: Any) -> None:
    _, view = begun(app)
    seen = view.words.text()
    page.view.go_to(len(page.session.document.steps) - 1)
    app.settle()
    step = page.view.step
    assert view.pane("after").ready
    if step.after is None:
        assert view.pane("after").message == "There is no picture after this step."
        assert view.words.text() == ""
    page.view.go_to(0)
    app.settle()
    assert view.words.text() == seen


def test_the_pictures_change_twice_a_second_until_one_is_asked_for(app: App, page: Any) -> None:
    _, view = begun(app)
    key(app, "=")
    front = view.front
    with app.qtbot.waitSignal(view.blinking.timeout):
        pass
    assert view.front != front
    assert view.blinking.interval() == 250
    key(app, Qt.Key.Key_Space)
    assert not view.blinking.isActive()
    shown = view.front
    key(app, Qt.Key.Key_Space)
    assert view.front != shown
    page.view.set_side("after")
    assert view.front == "after"


def test_where_nothing_may_move_the_key_shows_the_other_picture(app: App, page: Any) -> None:
    _, view = begun(app)
    still = Still("Fusion")
    still.setParent(view)
    view.setStyle(still)
    key(app, "=")
    assert not view.blinking.isActive()
    assert view.front == "before"
    page.context.keyring.actions["side"].trigger()
    assert view.front == "after"


def test_escape_and_the_button_lead_back_to_editing(app: App, page: Any) -> None:
    feature, view = begun(app)
    key(app, Qt.Key.Key_Escape, view.pane("before"))
    assert feature.mode == "off"
    assert page.canvas.isVisible()
    feature.set_mode("blink")
    feature.leave()
    assert feature.mode == "off"
