"""CPU milliseconds of labelme's repaint and of a move of the pointer, unmodified, with so many boxes on one screenshot.

Run by ``peers.py`` with the Python that has labelme: ``python peer_labelme.py BOXES FOLDER``; prints a line of JSON.
"""

from __future__ import annotations

import inspect
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

WIDTH, HEIGHT = 1920, 1080
WINDOW = (1600, 1000)


def put_files(folder: Path, boxes: int) -> Path:
    """A picture and labelme's own file about it."""
    from PIL import Image, ImageDraw

    dice, image = Random(1), Image.new("RGB", (WIDTH, HEIGHT), (245, 245, 245))
    pen, shapes = ImageDraw.Draw(image), list[dict[str, Any]]()
    for number in range(boxes):
        x, y = dice.randrange(WIDTH - 180), dice.randrange(HEIGHT - 60)
        ends = [[x, y], [x + dice.randrange(16, 160), y + dice.randrange(12, 40)]]
        pen.rectangle([tuple(end) for end in ends], fill=(dice.randrange(120, 255), 180, 200))
        shape = {"label": f"kind{number % 8}", "points": ends, "shape_type": "rectangle", "flags": {}, "group_id": None}
        shapes.append({**shape, "description": ""})
    image.save(folder / f"{boxes}.png")
    told = {"version": "5.0.0", "flags": {}, "shapes": shapes, "imagePath": f"{boxes}.png", "imageData": None}
    file = folder / f"{boxes}.json"
    file.write_text(json.dumps({**told, "imageHeight": HEIGHT, "imageWidth": WIDTH}))
    return file


def cpu_ms(work: Callable[[], object], repeats: int) -> float:
    """The median."""
    times: list[float] = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1000)
    return statistics.median(times)


def make_window(kind: Any, file: Path) -> Any:  # noqa: ANN401 - labelme's classes are not known here
    """Its window with the file; versions call the argument differently."""
    names = inspect.signature(kind.__init__).parameters
    return kind(**{"file_or_dir" if "file_or_dir" in names else "filename": str(file)})


def main() -> None:
    boxes, folder = int(sys.argv[1]), Path(sys.argv[2])
    file = put_files(folder, boxes)
    import labelme
    from labelme import app as program

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
    repeats, place = 15 if boxes < 5000 else 6, [100.0]
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
