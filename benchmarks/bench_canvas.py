"""CPU time of the canvas: full repaint, hover, one step of a drag, pan at 200 %; 100, 1,000 and 5,000 boxes.

Run: python benchmarks/bench_canvas.py [--json]
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPixmap
from PySide6.QtWidgets import QApplication

from annotator.document import Document
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.job_runner import JobRunner
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from demopack.clock import utc_now
from demopack.domain.actions import AgentAction
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import ELEMENT_TYPES, Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.store import Library

WIDTH, HEIGHT = 1920, 1080
LIMITS = {100: 8.0, 1000: 8.0, 5000: 16.0}
REPEATS = 15


def make_document(library: Library, boxes: int) -> Document:
    """One step on a synthetic desktop with boxes of every type and source."""
    rng = np.random.default_rng(boxes)
    image = np.full((HEIGHT, WIDTH, 3), 245, dtype=np.uint8)
    places = [
        Rect(x, y, min(x + w, WIDTH), min(y + h, HEIGHT))
        for x, y, w, h in zip(
            rng.integers(0, WIDTH - 20, boxes),
            rng.integers(0, HEIGHT - 20, boxes),
            rng.integers(16, 160, boxes),
            rng.integers(12, 40, boxes),
            strict=True,
        )
    ]
    places = [Rect(int(r.x1), int(r.y1), int(r.x2), int(r.y2)) for r in places]
    for box in places:
        image[box.y1 : box.y2, box.x1 : box.x2] = rng.integers(120, 255, 3, dtype=np.uint8)
    frame = Frame(id=library.put_image(image), width=WIDTH, height=HEIGHT)
    sources = ("detector", "ocr", "human", "accessibility")
    elements = tuple(
        Element(
            uid=f"el_{i:05}",
            frame=frame.id,
            type=ELEMENT_TYPES[i % len(ELEMENT_TYPES)],
            box=box,
            text=f"text {i}",
            source=sources[i % 4],
            confidence=None if i % 4 == 2 else float(rng.random()),
        ).cleaned()
        for i, box in enumerate(places)
    )
    step = Step(
        id="step",
        position=1,
        before=frame,
        action=AgentAction(action_type="type", parameters={"text_to_type": "Ada"}),
        target_uid="el_00000",
    )
    head = DemoHead(id="demo", created_at=utc_now())
    return Document(Demo(head=head, steps=(step,), elements={frame.id: elements}))


def measure(work: Callable[[], None]) -> float:
    """Median CPU milliseconds."""
    work()
    times: list[float] = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def pointer(canvas: Canvas, kind: QEvent.Type, x: float, y: float, *, down: bool) -> None:
    button = Qt.MouseButton.LeftButton
    event = QMouseEvent(
        kind,
        QPointF(x, y),
        canvas.mapToGlobal(QPointF(x, y)),
        button if kind != QEvent.Type.MouseMove else Qt.MouseButton.NoButton,
        button if down else Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(canvas, event)


def run(app: QApplication, library: Library, theme: Theme, boxes: int) -> dict[str, float]:
    runner = JobRunner()
    pictures = Pictures(library, runner)
    document = make_document(library, boxes)
    view = ViewState(document)
    canvas = Canvas(view, pictures, theme)
    canvas.resize(1600, 1000)
    canvas.show()
    while not canvas.ready:
        app.processEvents()
    target = QPixmap(canvas.size())
    draw = lambda: canvas.render(target)  # noqa: E731
    found: dict[str, float] = {}

    def repaint() -> None:
        canvas.drop_layer()
        draw()

    found["repaint"] = measure(repaint)
    position = [100.0]

    def hover() -> None:
        position[0] += 7
        pointer(canvas, QEvent.Type.MouseMove, position[0], 500, down=False)
        draw()

    found["hover"] = measure(hover)
    box = canvas.box_on_screen("el_00000").center()
    view.select(("el_00000",))
    pointer(canvas, QEvent.Type.MouseButtonPress, box.x(), box.y(), down=True)
    pointer(canvas, QEvent.Type.MouseMove, box.x() + 20, box.y(), down=True)
    draw()

    def drag() -> None:
        position[0] += 1
        pointer(canvas, QEvent.Type.MouseMove, box.x() + position[0] % 50, box.y(), down=True)
        draw()

    found["drag step"] = measure(drag)
    pointer(canvas, QEvent.Type.MouseButtonRelease, box.x(), box.y(), down=False)
    canvas.zoom_to(2.0)

    def pan() -> None:
        position[0] += 1
        canvas.look(canvas.viewport.moved(3 if position[0] % 2 else -3, 1))
        draw()

    found["pan 200 %"] = measure(pan)
    canvas.close_view()
    canvas.close()
    view.close()
    runner.close()
    return found


def main() -> int:
    app = QApplication([])
    theme = Theme(app, choice="light")
    results: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "library") as library:
        for boxes in LIMITS:
            results[boxes] = {name: round(ms, 2) for name, ms in run(app, library, theme, boxes).items()}
    theme.close()
    failed = [(b, n) for b, found in results.items() for n, ms in found.items() if ms > LIMITS[b]]
    if "--json" in sys.argv:
        print(json.dumps({"unit": "ms CPU, median of 15", "limits": LIMITS, "results": results, "failed": failed}))
    else:
        print(f"{'boxes':>6} " + " ".join(f"{name:>12}" for name in next(iter(results.values()))) + "   limit")
        for boxes, found in results.items():
            print(f"{boxes:>6} " + " ".join(f"{ms:>9.2f} ms" for ms in found.values()) + f"   {LIMITS[boxes]:.0f} ms")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
