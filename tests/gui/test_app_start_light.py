"""The first window stands before anything is loaded that it does not show."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from demopack.store import Library

ROOT = Path(__file__).parents[2]

LANE = """
import sys
from pathlib import Path
from demopack.store import Library
from annotator.ui.app import run_app  # what the command imports
from annotator.ui.main_window import MainWindow
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from PySide6.QtWidgets import QApplication
app = QApplication([])
theme = Theme(app, choice="light")
with Library.open(Path(sys.argv[1])) as library:
    window = MainWindow(library, theme=theme, services=Services())
    window.show()
    app.processEvents()
    late = {"numpy", "PIL", "annotator.ui.editor", "annotator.ui.models", "annotator.ui.settings"}
    print(sorted(late & set(sys.modules)))
    while window.workers.busy:
        app.processEvents()
    window.close()
theme.close()
"""


def test_a_window_on_a_library_needs_neither_arrays_nor_the_editor(tmp_path: Path) -> None:
    Library.open(tmp_path / "library").close()
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LANE, str(tmp_path / "library")],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "DEMOPACK_SETTINGS": str(tmp_path / "settings.json")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
