"""Little room, and everything twice as large: what is used most stays in sight, and nothing is cut."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QSpinBox, QTabBar

from demopack.settings import Settings, UiSettings, save_settings
from tests.gui.conftest import App

SCALED = """
import os
from annotator.ui.app import _make_app
from demopack.settings import load_settings
app = _make_app(load_settings().ui.scale)
print(app.devicePixelRatio(), os.environ.get("QT_SCALE_FACTOR"))
"""


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
        foot = page._foot
        for button in foot.findChildren(QAbstractButton):
            if button.isVisible():
                assert button.width() >= button.sizeHint().width(), button.accessibleName()
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

    assert told() == "2.0 None"
    assert told(QT_SCALE_FACTOR="3") == "3.0 3"
