"""Starting: what is wrong is one sentence on the terminal, and the app loads no model framework."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from annotator.ui.app import stopped_by_signals
from annotator.ui.display import check_display
from demopack.errors import CaptureError
from demopack_cli.main import run_app

ROOT = Path(__file__).parents[2]


def demopack(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}}
    return subprocess.run(
        [sys.executable, "-m", "demopack", *arguments], cwd=ROOT, env={**env, **environment}, capture_output=True,
        text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("arguments", [(), ("annotate",), ("annotate", "last")])
def test_without_a_screen_there_is_one_sentence(arguments: tuple[str, ...]) -> None:
    done = demopack(*arguments)
    assert done.returncode == 1
    assert done.stderr.startswith("demopack: The app needs a screen, and there is none here. Log in to a desktop")
    assert "Traceback" not in done.stderr


def test_a_screen_that_does_not_answer_is_named() -> None:
    done = demopack("annotate", DISPLAY=":4711")
    assert done.returncode == 1
    assert "the one that DISPLAY names (:4711) does not answer" in done.stderr


def test_a_folder_that_is_no_library_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    done = demopack("annotate", "--library", str(tmp_path), QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 1
    assert f"{tmp_path} is not a demopack library" in done.stderr
    assert (tmp_path / "letter.txt").read_text() == "dear"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["letter.txt"]


def test_a_demo_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = demopack("annotate", "nowhere", "--library", str(tmp_path / "new"), QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 1
    assert "There is no demo 'nowhere'" in done.stderr


@pytest.mark.parametrize(
    ("environment", "works"),
    [
        ({"QT_QPA_PLATFORM": "offscreen"}, True),
        ({}, False),
        ({"DISPLAY": ""}, False),
        ({"DISPLAY": "localhost:4711.0"}, False),
        ({"DISPLAY": "rubbish"}, False),
        ({"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": "/nowhere"}, False),
    ],
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")
def test_the_screen_is_asked_before_qt_is(environment: dict[str, str], works: bool) -> None:
    if works:
        check_display(environment)
        return
    with pytest.raises(CaptureError, match="needs a screen"):
        check_display(environment)


LANE = """
import sys
from pathlib import Path
from demopack.store import Library
from annotator.ui.main_window import MainWindow
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from PySide6.QtWidgets import QApplication
app = QApplication([])
theme = Theme(app)
with Library.open(Path(sys.argv[1])) as library:
    window = MainWindow(library, theme=theme, services=Services())
    window.show()
    while window.workers.busy:
        app.processEvents()
    window.close()
theme.close()
heavy = {"torch", "ultralytics", "transformers", "rapidocr", "onnxruntime", "cv2", "pynput", "Xlib", "mss", "scipy"}
print(sorted(heavy & {name.split(".")[0] for name in sys.modules}))
"""


def test_the_window_stands_without_any_framework(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LANE, str(tmp_path / "library")],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_the_end_of_the_session_reach_the_event_loop(qtbot: QtBot, number: int) -> None:
    stops: list[int] = []
    before = signal.getsignal(number)
    with stopped_by_signals(lambda: stops.append(number)):
        os.kill(os.getpid(), number)
        qtbot.waitUntil(lambda: bool(stops), timeout=10_000)
    assert stops == [number]
    assert signal.getsignal(number) is before


def test_a_signal_ends_nothing_while_a_window_is_painted(qtbot: QtBot) -> None:
    stops: list[str] = []

    class Painted(QWidget):
        def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
            signal.raise_signal(signal.SIGTERM)
            stops.append("painted")

    widget = Painted()
    qtbot.addWidget(widget)
    with stopped_by_signals(lambda: stops.append("stopped")):
        widget.show()
        qtbot.waitUntil(lambda: "stopped" in stops)
        widget.hide()
    assert stops[0] == "painted"


@pytest.mark.qt_log_ignore("propagateSizeHints")  # what the offscreen platform cannot do
def test_the_app_without_a_console_shows_in_a_window_what_is_wrong(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    monkeypatch.setattr(sys, "argv", ["demopack-app", "--library", str(tmp_path)])
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    seen: list[str] = []

    def read() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            seen.append(box.text())
            box.accept()

    clock = QTimer(interval=20)
    clock.timeout.connect(read)
    clock.start()
    with pytest.raises(SystemExit) as ended:
        run_app()
    clock.stop()
    sys.stdout.close()
    sys.stderr.close()
    assert ended.value.code == 1
    assert len(seen) == 1
    assert seen[0].startswith(f"demopack: {tmp_path} is not a demopack library")
