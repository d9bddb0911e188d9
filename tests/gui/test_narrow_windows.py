"""Little room, and everything twice as large: what is used most stays in sight, and nothing is cut."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from annotator.suggestions.confidence_filter import ORIGINS, ConfidenceFilter, SuggestionCounts
from annotator.ui.editor.review.review_strip import ReviewStrip
from annotator.ui.editor.suggestions_panel import SuggestionRow
from annotator.ui.theme.manager import Theme
from demopack.settings import Settings, UiSettings, save_settings
from tests.gui.conftest import App
from tests.support.editing import sample_library

ROOT = Path(__file__).parents[2]
SCALED = """
import os
from annotator.ui.app import _make_app
from demopack.settings import load_settings
app = _make_app(load_settings().ui.scale)
print(app.devicePixelRatio(), app.property("demopack_scale"), os.environ.get("QT_SCALE_FACTOR"))
"""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("scale", "width", "height"), [("2", "784", "460"), ("1", "880", "560"), ("1", "1360", "860")], ids=str
)
def test_no_text_is_cut_on_any_page(tmp_path: Path, language: str, scale: str, width: str, height: str) -> None:
    """The smallest is the window on a screen of 1600 x 1000 with everything twice as large."""
    library = str(sample_library(tmp_path))
    environment = {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    environment |= {"DEMOPACK_SETTINGS": str(tmp_path / "settings.json"), "DEMOPACK_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.cut_texts", library, language, width, height],
        cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("", 0), done.stderr[-2000:]


def test_a_narrow_bar_stays_as_it_is_when_an_edit_changes_nothing_in_it(app: App) -> None:
    page = app.open()
    strip, head = page.findChild(ReviewStrip), page.context.head
    strip.setMaximumWidth(500)
    head.setMaximumWidth(700)
    for _ in range(5):
        QApplication.processEvents()
    put_away = strip._again.text(), head._words.text()
    assert put_away[0] == ""
    strip._show()
    head._show()
    assert (strip._again.text(), head._words.text()) == put_away


def test_the_window_and_its_frame_fit_into_the_screen(app: App) -> None:
    room = QApplication.primaryScreen().availableGeometry()
    assert app.window.minimumWidth() < room.width()
    assert app.window.minimumHeight() < room.height()


def test_tabs_that_do_not_fit_are_in_a_menu(app: App) -> None:
    panel = app.open().panel
    bar, button = panel.findChild(QTabBar), panel._all
    assert not button.isVisible()
    for name in panel.tabs:
        panel.show_tab(name)
    assert button.isVisible()
    shown = [name for i, name in enumerate(panel.tabs) if bar.isTabVisible(i)]
    assert panel.shown_tab in shown
    assert len(shown) < len(panel.tabs)
    assert max(bar.tabRect(i).right() for i in range(bar.count()) if bar.isTabVisible(i)) <= bar.width()
    menu = button.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    assert len(menu.actions()) == len(panel.tabs)
    hidden = next(name for name in panel.tabs if name not in shown)
    menu.actions()[panel.tabs.index(hidden)].trigger()
    assert panel.shown_tab == hidden
    for name in panel.tabs:
        panel.close_tab(name)
    assert not button.isVisible()


def test_the_foot_puts_away_what_keys_do_as_well(app: App) -> None:
    page = app.open()

    def seen() -> set[str]:
        foot = page.context.foot
        for button in foot.findChildren(QAbstractButton):
            if button.isVisible():
                # A button that is an icon alone has a least width of its own; its hint grows with the font.
                least = button.minimumWidth() if not button.text() else button.sizeHint().width()
                assert button.width() >= least > 0, button.accessibleName()
        return {button.accessibleName() for button in foot.findChildren(QAbstractButton) if button.isVisible()}

    app.window.resize(1500, 820)
    QApplication.processEvents()
    assert {"Zoom in", "Zoom out", "Whole picture"} <= seen()
    app.window.resize(900, 820)
    QApplication.processEvents()
    assert "Zoom in" not in seen()
    assert {"Picture: Before", "Carry over from the previous step"} <= seen()
    app.window.resize(1500, 820)
    QApplication.processEvents()
    assert {"Zoom in", "Zoom out", "Whole picture"} <= seen()


@pytest.mark.parametrize("words", ["{}", "{} and twice as long in another language"])
def test_head_strip_and_rows_put_words_away_instead_of_cutting_them(app: App, words: str) -> None:
    page = app.open()
    bars = [page.context.head, page.context.status, page.findChild(ReviewStrip), page.findChild(SuggestionRow)]
    for bar in bars:
        bar.show()
    head = page.context.head
    for button in (head.buttons["find"], head.buttons["write"]):
        button.setAccessibleName(words.format(button.accessibleName()))
    cut: list[str] = []
    for width in (1600, 1100, 880, 1100, 1600):
        app.window.resize(width, 820)
        for _ in range(5):
            QApplication.processEvents()
        for bar in bars:
            for part in [*bar.findChildren(QPushButton), *bar.findChildren(QLabel)]:
                told = part.isVisible() and part.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Ignored
                if told and part.width() < part.sizeHint().width():
                    cut.append(f"{width}: {part.text()}")
        assert head.task.width() >= 150
        assert head.buttons["export"].text() == "Export"
    assert cut == []
    assert (head.buttons["write"].text() == "Write rationales") is (words == "{}")


def test_the_foot_of_the_window_says_what_runs_before_what_can_be_looked_up(app: App) -> None:
    page = app.open()
    app.window.resize(880, 820)
    status, go_on = page.context.status, threading.Event()
    job = app.window.operations.run(
        "Looking for something that has a very long name on all of the pictures of every demo that there is",
        lambda _: go_on.wait(20),
        on_result=lambda _: None,
        on_error=lambda _: None,
    )
    for _ in range(5):
        QApplication.processEvents()
    assert status._job.isVisible()
    assert not any(part.isVisible() and part.text().startswith("Space") for part in status.findChildren(QLabel))
    assert "Step 1" in status._where.text()
    go_on.set()
    app.settle()
    for _ in range(5):
        QApplication.processEvents()
    assert any(part.isVisible() and part.text().startswith("Space") for part in status.findChildren(QLabel))
    del job


def test_settings_need_no_scrolling_sideways(app: App) -> None:
    app.window.open_settings()
    page = app.window.settings_page
    for width, wide in ((1360, 320), (880, 200)):
        app.window.resize(width, 820)
        for _ in range(5):
            QApplication.processEvents()
        assert page._area.horizontalScrollBar().maximum() == 0
        fields = page.rows["recorder", "privacy", "blocked_apps"].findChildren(QPlainTextEdit)
        assert all(field.width() >= wide for field in fields)
        assert len(fields) == 1


def test_digits_keep_away_from_the_border(app: App) -> None:
    page = app.open()
    page.view.select_next(1)
    fields = [field for field in page.panel.findChildren(QSpinBox) if field.isVisible()]
    assert len(fields) >= 4
    assert all(field.lineEdit().x() >= 6 for field in fields)


def test_everything_can_be_larger(tmp_path: Path) -> None:
    settings = tmp_path / "larger.json"
    save_settings(Settings(ui=UiSettings(scale=200)), settings)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "DEMOPACK_SETTINGS": str(settings)}
    environment.pop("QT_SCALE_FACTOR", None)

    def told(**more: str) -> str:
        command = [sys.executable, "-c", SCALED]
        return subprocess.run(
            command, env=environment | more, capture_output=True, text=True, check=True
        ).stdout.strip()

    assert told() == "2.0 2.0 None"
    assert told(QT_SCALE_FACTOR="3") == "3.0 3.0 3"


@pytest.mark.parametrize("width", [400, 480, 1000, 1400])
def test_check_boxes_of_many_sources_stand_in_two_lines_where_one_is_too_long(
    theme: Theme, qtbot: QtBot, width: int
) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    row = SuggestionRow(theme, use=lambda _: None, fill_menu=lambda _: None)
    row.setParent(host)
    row.show_limits(ConfidenceFilter())
    row.show_counts(SuggestionCounts(by_origin=dict.fromkeys(ORIGINS, 12)))
    host.resize(width, 120)
    row.resize(width, 90)
    host.show()
    QApplication.processEvents()
    boxes = row._origins.values()
    assert row.minimumSizeHint().width() <= width
    assert all(box.isVisible() and box.width() >= box.sizeHint().width() for box in boxes)
    assert len({box.y() for box in boxes}) == (2 if width < 700 else 1)
    assert [box.icon().isNull() for box in boxes] == [width < 450] * len(boxes)
