"""The wall: everything but the windows imports on a machine that has neither Qt nor a model framework nor OS hooks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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
for root in ("demopack", "demopack_cli", "recorder", "annotator", "models", "player"):
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
