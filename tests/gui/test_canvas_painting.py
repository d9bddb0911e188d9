"""What is repainted after an edit looks as if all had been painted again; letters, texts and very much all work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from annotator.attributes.element_attributes import SetAttribute
from annotator.commands import Command, DeleteElements, MoveElements
from annotator.document import Document
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.canvas.picture_view import pixels_of
from annotator.ui.operations import Operations, Workers
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from demopack.clock import utc_now
from demopack.domain.actions import WaitAction
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import ELEMENT_TYPES, Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect, Size
from demopack.domain.steps import Step
from demopack.store import Library
from tests.support.editing import SAMPLE, sample_library

SOURCES = ("detector", "ocr", "human", "accessibility")


class Shown:
    """A canvas on a demo, without the rest of the window."""

    def __init__(self, library: Library, document: Document, theme: Theme, qtbot: QtBot) -> None:
        self.document = document
        self.workers = Workers()
        self.view = ViewState(document)
        self.canvas = Canvas(self.view, ScreenshotCache(library, Operations(self.workers)), theme)
        self.canvas.resize(900, 600)
        self.canvas.show()
        qtbot.waitUntil(lambda: self.canvas.pixels is not None, timeout=20_000)

    def do(self, command: Command) -> None:
        edit = command.edit(self.document)
        assert edit is not None
        self.document.apply(edit.changes)

    def seen(self) -> QImage:
        return self.canvas.grab().toImage()

    def close(self) -> None:
        self.canvas.close()
        self.view.close()
        self.workers.close()


def crowd(library: Library, count: int, size: Size) -> Document:
    random = np.random.default_rng(count)
    pixels = np.full((size.height, size.width, 3), 230, dtype=np.uint8)
    frame = Frame(id=library.put_image(pixels), width=size.width, height=size.height)
    elements: list[Element] = []
    for i in range(count):
        x, y = int(random.integers(0, size.width - 9)), int(random.integers(0, size.height - 9))
        box = Rect(x, y, min(x + 90, size.width), min(y + 30, size.height))
        source = SOURCES[i % 4]
        kind = ELEMENT_TYPES[i % len(ELEMENT_TYPES)]
        made = Element.model_validate(
            {"uid": f"e{i:05}", "frame": frame.id, "type": kind, "box": box, "text": f"t {i}", "source": source}
        )
        elements.append(made.cleaned())
    step = Step(id="s", position=1, before=frame, action=WaitAction(wait_duration_s=1.0))
    head = DemoHead(id="d", created_at=utc_now())
    return Document(Demo(head=head, steps=(step,), elements={frame.id: tuple(elements)}))


@pytest.fixture
def shown(tmp_path: Path, theme: Theme, qtbot: QtBot) -> Iterator[Shown]:
    with Library.open(sample_library(tmp_path)) as library:
        made = Shown(library, Document(library.demo(SAMPLE)), theme, qtbot)
        yield made
        made.close()


@pytest.mark.parametrize("letters", [False, True])
@pytest.mark.parametrize("scale", [None, 1.0, 3.0])
def test_a_canvas_repainted_in_parts_is_the_canvas_painted_anew(
    shown: Shown, scale: float | None, *, letters: bool
) -> None:
    canvas, view = shown.canvas, shown.view
    if letters:
        canvas.toggle_letters()
    if scale is not None:
        canvas.zoom_to(scale)
    assert view.frame is not None
    boxes = view.document.ordered(view.frame.id)
    shown.seen()
    for command in (
        MoveElements(uids=(boxes[3].uid, boxes[8].uid), dx=17, dy=-9, frame_size=view.frame.size),
        DeleteElements(uids=(boxes[5].uid,)),
        SetAttribute(uids=(boxes[2].uid,), name="type", value="window"),
    ):
        before = shown.seen()
        shown.do(command)
        repainted = shown.seen()
        canvas.invalidate()
        assert repainted == shown.seen()
        assert scale == 3.0 or repainted != before


def test_a_box_that_is_dragged_leaves_its_place_and_comes_back(shown: Shown, qtbot: QtBot) -> None:
    canvas, view = shown.canvas, shown.view
    assert view.frame is not None
    save = next(e for e in view.document.elements(view.frame.id) if e.text == "Save customer")
    view.select((save.uid,))
    qtbot.mouseMove(canvas, QPoint(2, 2))
    before = shown.seen()
    place = canvas.box_on_screen(save.uid).center()
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseMove(canvas, place + QPoint(60, 40))
    assert shown.seen() != before
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=place + QPoint(60, 40))
    qtbot.mouseMove(canvas, QPoint(2, 2))
    canvas.clearFocus()
    after = shown.seen()
    canvas.invalidate()
    assert after == shown.seen()


@pytest.mark.parametrize(
    ("count", "size"), [(2_500, Size(1920, 1080)), (20_000, Size(1920, 1080)), (300, Size(16_000, 1_000))]
)
def test_very_many_boxes_and_very_wide_pictures(
    tmp_path: Path, theme: Theme, qtbot: QtBot, count: int, size: Size
) -> None:
    with Library.open(tmp_path / "library") as library:
        made = Shown(library, crowd(library, count, size), theme, qtbot)
        frame, fit = made.view.frame, made.seen()
        assert frame is not None
        made.do(MoveElements(uids=("e00003", "e00009"), dx=4, dy=4, frame_size=frame.size))
        moved = made.seen()
        made.canvas.invalidate()
        assert moved == made.seen()
        made.canvas.zoom_to(8.0)
        assert made.seen() != fit
        made.view.select(tuple(e.uid for e in made.view.shown(frame.id)))
        made.do(MoveElements(uids=("e00007",), dx=4, dy=4, frame_size=frame.size))
        repainted = made.seen()
        made.canvas.invalidate()
        assert repainted == made.seen()
        made.close()


def test_boxes_without_size_or_outside_the_picture_do_no_harm(tmp_path: Path, theme: Theme, qtbot: QtBot) -> None:
    with Library.open(tmp_path / "library") as library:
        document = crowd(library, 3, Size(300, 200))
        odd: list[Any] = [Rect(5, 5, 5, 5), Rect(-400, -9, -300, -2), Rect(290, 190, 900, 800)]
        for uid, box in zip(("e00000", "e00001", "e00002"), odd, strict=True):
            old = document.element(uid)
            assert old is not None
            document.replace(old.changed(box=box))
        made = Shown(library, document, theme, qtbot)
        made.canvas.toggle_letters()
        made.canvas.zoom_to(12.0)
        made.view.select(("e00000", "e00001", "e00002"))
        assert not made.seen().isNull()
        made.close()


def test_pixels_outlive_the_picture_that_they_are_from() -> None:
    image = QImage(7, 5, QImage.Format.Format_RGB32)
    image.fill(0xFF102030)
    pixels = pixels_of(image)
    del image
    assert pixels.shape == (5, 7, 4)
    assert pixels[4, 6].tolist() == [0x30, 0x20, 0x10, 0xFF]
    assert not pixels.flags.writeable
    assert pixels.base is not None
