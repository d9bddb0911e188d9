"""A window on a sample library, and a check that nothing of it is left behind."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from pytestqt.qtbot import QtBot

from annotator.ui.main_window import MainWindow
from annotator.ui.services import RecordingPlan, Services
from annotator.ui.theme.manager import Theme
from demopack.settings import Settings
from demopack.store import Library
from recorder.event_filter import OwnWindows
from tests.support.editing import SAMPLE, sample_library
from tests.support.fake_recorder import FakeRecorder, NoHotkeys
from tests.support.services import with_calls


@dataclass(kw_only=True)
class App:
    """The window with what a test needs around it."""

    window: MainWindow
    library: Library
    theme: Theme
    qtbot: QtBot
    recorders: list[FakeRecorder] = field(default_factory=list)

    @property
    def page(self) -> Any:
        assert self.window.editor is not None
        return self.window.editor

    def settle(self) -> None:
        """Wait until every thread has said what it had to say."""
        self.qtbot.waitUntil(lambda: not self.window.workers.busy, timeout=20_000)

    def open(self, demo_id: str = SAMPLE) -> Any:
        self.window.open_demo(demo_id)
        self.settle()
        return self.page

    def export(self, folder: Path) -> None:
        """Export the open demo as a pack into a folder, by keyboard."""
        from annotator.ui.editor.export_feature import ExportFeature

        self.qtbot.keyClick(
            self.page.canvas, "x", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        )
        self.settle()
        sheet = self.page.context.feature(ExportFeature).sheet
        sheet.folder.setText(str(folder))
        self.qtbot.keyClick(sheet.folder, Qt.Key.Key_Return)
        self.settle()

    def stored(self, demo_id: str = SAMPLE) -> Any:
        """The demo as the library has it, after everything was written."""
        self.settle()
        return self.library.demo(demo_id)


@pytest.fixture(autouse=True, scope="module")
def modules_are_no_garbage() -> Iterator[None]:
    """What was imported by now is left out when a test's garbage is looked for: that is most of the looking."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def garbage(modules_are_no_garbage: None) -> Iterator[None]:
    """Windows that a test left in cycles are taken away here, and not later by whichever thread comes first."""
    thresholds = gc.get_threshold()
    gc.disable()
    gc.set_threshold(0)
    yield
    gc.collect()
    gc.freeze()
    gc.set_threshold(*thresholds)


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """No window, no thread survives a test."""
    before = set(threading.enumerate())
    yield
    left = [t.name for t in threading.enumerate() if t not in before and t.is_alive()]
    assert left == []
    if "qapp" in request.fixturenames:
        from PySide6.QtWidgets import QApplication

        assert [w for w in QApplication.topLevelWidgets() if w.isVisible()] == []


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path)) as opened:
        yield opened


@pytest.fixture
def theme(qapp: Any) -> Iterator[Theme]:
    made = Theme(qapp, choice="light")
    yield made
    made.close()


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return with_calls(
        Services(),
        pick_folder=lambda *_: tmp_path / "packs",
        pick_new_folder=lambda *_: tmp_path / "packs",
        open_hotkeys=lambda *_: NoHotkeys(),
        self_test=lambda *_: [],
        key_taken=lambda _: False,
        window_titles=lambda: ["Invoice 7", "Letters"],
        open_reader=lambda _: None,
    )


def make_app(library: Library, theme: Theme, services: Services, qtbot: QtBot) -> App:
    recorders: list[FakeRecorder] = []

    def open_recorder(opened: Library, settings: Settings, plan: RecordingPlan, _: OwnWindows) -> FakeRecorder:
        recorders.append(FakeRecorder(opened, settings, plan))
        return recorders[-1]

    window = MainWindow(library, theme=theme, services=with_calls(services, open_recorder=open_recorder))
    window.resize(1280, 820)
    window.show()
    qtbot.waitExposed(window)
    app = App(window=window, library=library, theme=theme, qtbot=qtbot, recorders=recorders)
    app.settle()
    return app


@pytest.fixture
def app(library: Library, theme: Theme, services: Services, qtbot: QtBot) -> Iterator[App]:
    made = make_app(library, theme, services, qtbot)
    yield made
    made.window.close()
    made.window.deleteLater()
    # Now and here: whatever Python finds of it later, perhaps in another thread, is an empty shell.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]
