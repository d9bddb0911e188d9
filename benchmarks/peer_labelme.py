"""CPU milliseconds of labelme's repaint and of a move of the pointer, unmodified, with so many boxes on one screenshot.

Run by ``peers.py`` with the Python that has labelme: ``python peer_labelme.py BOXES FOLDER``; prints a line of JSON.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import time
from pathlib import Path
from typing import Any

from peer_scene import WINDOW, cpu_ms, put_files, repeats_of


def make_window(kind: Any, file: Path) -> Any:  # noqa: ANN401 - labelme's classes are not known here
    """Its window with the file; versions call the argument differently."""
    names = inspect.signature(kind.__init__).parameters
    return kind(**{"file_or_dir" if "file_or_dir" in names else "filename": str(file)})


def main() -> None:
    boxes, folder = int(sys.argv[1]), Path(sys.argv[2])
    file = put_files(folder, boxes)
    import labelme

    try:
        program: Any = importlib.import_module("labelme.app")
    except ModuleNotFoundError:
        program = importlib.import_module("labelme._app")  # since 7.9
    gui, core, widgets = program.QtGui, program.QtCore, program.QtWidgets
    app = widgets.QApplication([])
    window = make_window(program.MainWindow, file)
    window.resize(*WINDOW)
    window.show()
    deadline = time.monotonic() + 300
    canvas = next(one for one in window.findChildren(widgets.QWidget) if type(one).__name__ == "Canvas")
    while len(canvas.shapes) < boxes and time.monotonic() < deadline:
        app.processEvents()
    app.processEvents()
    if len(canvas.shapes) != boxes:
        sys.exit(f"labelme shows {len(canvas.shapes)} of {boxes} boxes")
    repeats, place = repeats_of(boxes), [100.0]
    kind, none = core.QEvent.Type.MouseMove, core.Qt.MouseButton.NoButton

    def hover() -> None:
        place[0] = 100 + (place[0] + 7) % (canvas.width() - 200)
        at = core.QPointF(place[0], canvas.height() / 2)
        screen = core.QPointF(canvas.mapToGlobal(at.toPoint()))
        move = gui.QMouseEvent(kind, at, screen, none, none, core.Qt.KeyboardModifier.NoModifier)
        widgets.QApplication.sendEvent(canvas, move)
        app.processEvents()

    found = {"repaint": cpu_ms(canvas.repaint, repeats), "hover": cpu_ms(hover, repeats)}
    print(json.dumps({"version": labelme.__version__, **found}))


if __name__ == "__main__":
    main()
