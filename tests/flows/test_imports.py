"""The wall: everything but the windows imports on a machine that has neither Qt nor a model framework nor OS hooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LANE = """
import importlib, json, pkgutil, sys

BLOCKED = ("PySide6", "shiboken6", "torch", "torchvision", "ultralytics", "transformers", "rapidocr", "onnxruntime",
           "cv2", "pynput", "Xlib", "openai", "pydantic_ai")

QT = "annotator.ui"

class Absent:
    # Stands for a machine where these are not installed: the import system finds nothing.
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

sys.meta_path.insert(0, Absent())
seen = []
for root in ("demopack", "demopack_cli", "recorder", "annotator", "models", "player", "tasks"):
    package = importlib.import_module(root)
    for module in pkgutil.walk_packages(package.__path__, root + "."):
        if module.name.startswith(QT) or module.name.endswith("__main__"):
            continue
        importlib.import_module(module.name)
        seen.append(module.name)
loaded = sorted({name.split(".")[0] for name in sys.modules} & set(BLOCKED))
print(json.dumps({"seen": seen, "loaded": loaded}))
"""


def test_everything_but_the_windows_imports_without_qt_frameworks_or_hooks() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LANE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["loaded"] == []
    for package in (
        "demopack.store.library",
        "recorder.session",
        "player.replay",
        "annotator.document",
        "models.vision.finder",
    ):
        assert package in result["seen"]


def test_help_loads_nothing_but_click() -> None:
    code = (
        "import sys; sys.argv=['demopack','--help']\n"
        "from demopack_cli.main import run\n"
        "try: run()\n"
        "except SystemExit: pass\n"
        "print(','.join(sorted({n.split('.')[0] for n in sys.modules})), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "record" in done.stdout
    heavy = {"numpy", "pydantic", "PIL", "PySide6", "torch", "rich", "scipy", "pynput", "mss"}
    assert heavy.isdisjoint(done.stderr.strip().split(","))


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_every_module_imports_on_other_systems_without_what_they_do_not_have(platform: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.support.import_as", platform],
        cwd=ROOT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["failed"] == {}
    assert len(result["seen"]) > 600
    assert {"annotator.ui.main_window", "recorder.session", "models.vision.worker"} <= set(result["seen"])


PRETENCE = """
from tests.support.import_as import become
import fcntl, select, signal, socket
import Xlib.X
become("win32")
for line in ("import fcntl", "import pwd", "import Xlib.X", "import os; os.getuid", "from signal import SIGKILL",
             "import socket; socket.AF_UNIX", "from select import poll", "import time; time.clock_gettime"):
    try:
        exec(line)
    except (ImportError, AttributeError):
        continue
    raise SystemExit(line)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="nothing to take away")
def test_what_windows_does_not_have_is_gone_in_that_check() -> None:
    done = subprocess.run([sys.executable, "-c", PRETENCE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
