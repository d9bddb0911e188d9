"""The walls: nothing imports the laboratory, and it imports without Qt, frameworks and OS hooks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.house import importers_of

ROOT = Path(__file__).parents[2]

ABSENT = """
import importlib, pkgutil, sys

class Absent:
    # Stands for a machine where these are not installed: the import system finds nothing.
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

sys.meta_path.insert(0, Absent())
for root in ROOTS:
    for module in pkgutil.walk_packages(importlib.import_module(root).__path__, root + "."):
        if not module.name.startswith(LEFT_OUT):
            importlib.import_module(module.name)
"""
FRAMEWORKS = (
    "PySide6", "shiboken6", "torch", "torchvision", "ultralytics", "transformers", "rapidocr", "onnxruntime", "cv2",
    "pynput", "Xlib", "openai", "pydantic_ai", "onnx", "faster_coco_eval", "selenium", "miniwob",
)  # fmt: skip
DRAWN_BY_QT = (
    "lab.screens.qt.drawing",
    "lab.screens.qt.probe",
    "lab.screens.qt.windows",
    "lab.tests",
    "lab.benchmarks",
)


def import_all(roots: tuple[str, ...], *, blocked: tuple[str, ...], left_out: tuple[str, ...]) -> None:
    code = f"ROOTS, BLOCKED, LEFT_OUT = {roots!r}, {blocked!r}, {left_out!r}\n{ABSENT}"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_laboratory_imports_without_qt_frameworks_or_hooks() -> None:
    import_all(("lab",), blocked=FRAMEWORKS, left_out=(*DRAWN_BY_QT, "lab.tests", "lab.benchmarks"))


def test_nothing_beside_the_product_imports_the_laboratory() -> None:
    """That the product does not is held by ``tests/unit/test_house.py``."""
    assert importers_of("lab", within=("tests", "benchmarks", "docs", "scripts", "assets")) == []
