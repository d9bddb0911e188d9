"""CPU milliseconds of X-AnyLabeling, unmodified, with so many boxes on one screenshot: opening it, repainting, moving
the pointer, a step of a drag, and coming back to the picture from another.

Run by ``peers.py`` with the Python that has X-AnyLabeling: ``python peer_x_anylabeling.py BOXES FOLDER``; prints a line
of JSON.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from peer_scene import WINDOW, body_of, cpu_ms, put_files, repeats_of

_TRIES = 12
"""Boxes that are tried until one can be taken hold of: many lie under others."""


class Program:
    """Its main window, as its own start makes it, with its settings in a folder of ours.

    Args:
        folder: for its settings.
    """

    def __init__(self, folder: Path) -> None:
        qt = {name: importlib.import_module(f"PyQt6.{name}") for name in ("QtCore", "QtGui", "QtWidgets")}
        self.core: Any = qt["QtCore"]
        self.gui: Any = qt["QtGui"]
        self.widgets: Any = qt["QtWidgets"]
        settings: Any = importlib.import_module("anylabeling.config")
        settings.set_work_directory(str(folder))
        settings.current_config_file = str(folder / ".xanylabelingrc")
        config = settings.get_config(settings.current_config_file, {}, show_msg=False)
        self.app: Any = self.widgets.QApplication([])
        look: Any = importlib.import_module("anylabeling.views.labeling.utils.theme")
        importlib.import_module("anylabeling.resources.resources")
        look.init_theme(config.get("theme", "light"))
        self.app.setStyleSheet(look.get_app_stylesheet())
        window: Any = importlib.import_module("anylabeling.views.mainwindow")
        self.window: Any = window.MainWindow(self.app, config=config)
        self.window.resize(*WINDOW)
        self.window.show()
        self.view: Any = self.window.labeling_widget.view
        self.canvas: Any = self.view.canvas
        self.settle()

    def settle(self) -> None:
        """Let it paint."""
        for _ in range(3):
            self.app.processEvents()

    def open(self, picture: Path, boxes: int) -> None:
        """Show a picture with its boxes.

        Raises:
            SystemExit: it does not show them all.
        """
        self.view.load_file(str(picture))
        deadline = time.monotonic() + 300
        while len(self.canvas.shapes) < boxes and time.monotonic() < deadline:
            self.app.processEvents()
        self.settle()
        if len(self.canvas.shapes) != boxes:
            sys.exit(f"X-AnyLabeling shows {len(self.canvas.shapes)} of {boxes} boxes")

    def send(self, kind: str, at: tuple[float, float], *, held: bool = False) -> None:
        """Let the pointer do something at a place of the canvas, and let it paint."""
        event, qt = self.core.QEvent.Type, self.core.Qt
        none, left = qt.MouseButton.NoButton, qt.MouseButton.LeftButton
        point = self.core.QPointF(*at)
        screen = self.core.QPointF(self.canvas.mapToGlobal(point.toPoint()))
        button = none if kind == "MouseMove" else left
        buttons = left if held else none
        modifiers = qt.KeyboardModifier.NoModifier
        self.widgets.QApplication.sendEvent(
            self.canvas, self.gui.QMouseEvent(getattr(event, kind), point, screen, button, buttons, modifiers)
        )
        self.app.processEvents()

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        """Where a point of the picture lies on the canvas."""
        offset, scale = self.canvas.offset_to_center(), self.canvas.scale
        return ((point[0] + offset.x()) * scale, (point[1] + offset.y()) * scale)


def hovering(program: Program) -> Callable[[], None]:
    """A move of the pointer, to another place each time."""
    place = [100.0]

    def hover() -> None:
        place[0] = 100 + (place[0] + 7) % (program.canvas.width() - 200)
        program.send("MouseMove", (place[0], program.canvas.height() / 2))

    return hover


def corners(shapes: Sequence[Any]) -> list[tuple[float, float]]:
    """The points of some shapes."""
    return [(point.x(), point.y()) for shape in shapes for point in shape.points]


def drag_step(program: Program, repeats: int) -> float | None:
    """A step of a drag of a whole box; None where none can be taken hold of.

    Under the pointer lie many boxes: whichever the program takes will do, as long as it moves, and not only a corner.
    """
    largest = sorted(program.canvas.shapes, key=lambda one: one.bounding_rect().height())
    for shape in largest[-_TRIES:]:
        x, y = program.place(body_of(corners([shape])))
        program.send("MouseMove", (x, y))
        program.send("MouseButtonPress", (x, y), held=True)
        taken = list(program.canvas.selected_shapes)
        before, at = corners(taken), [x]

        def step(at: list[float] = at, y: float = y) -> None:
            at[0] += 2
            program.send("MouseMove", (at[0], y), held=True)

        step()
        step()
        ways = {(round(b[0] - a[0], 3), round(b[1] - a[1], 3)) for a, b in zip(before, corners(taken), strict=True)}
        held = len(ways) == 1 and ways != {(0.0, 0.0)}
        spent = cpu_ms(step, repeats) if held else None
        program.send("MouseButtonRelease", (at[0], y))
        if spent is not None:
            return spent
    return None


def main() -> None:
    boxes, folder = int(sys.argv[1]), Path(sys.argv[2])
    pictures = [
        put_files(folder, boxes, corners=4, name=name).with_suffix(".png") for name in (f"{boxes}", f"{boxes}-next")
    ]
    program, repeats = Program(folder), repeats_of(boxes)
    found = {"open": cpu_ms(lambda: program.open(pictures[0], boxes), 1)}
    found["repaint"] = cpu_ms(program.canvas.repaint, repeats)
    found["hover"] = cpu_ms(hovering(program), repeats)
    drag = drag_step(program, repeats)
    if drag is not None:
        found["drag step"] = drag
    program.view.dirty = False
    program.open(pictures[1], boxes)
    found["back"] = cpu_ms(lambda: program.open(pictures[0], boxes), 1)
    version = importlib.import_module("anylabeling.app_info").__version__
    print(json.dumps({"version": version, **found}))


if __name__ == "__main__":
    main()
