from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator

import pytest

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Rect, iou
from demopack.errors import ModelError
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.vision.finder import WorkerFinder, open_finder
from models.vision.reading.ocr import OcrReader
from tests.support.painted_ui import PaintedUi

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reader() -> Iterator[WorkerFinder]:
    # Text and closed shapes alone: what is found where the models are switched off.
    with open_finder(VisionSettings(detector="", describer="")) as opened:
        yield opened


def find(reader: WorkerFinder, image: RgbImage) -> list[Element]:
    frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
    return reader.find(image, frame, control=JobControl())


def screen(*, dark: bool = False, text_px: int = 13) -> PaintedUi:
    ui = PaintedUi(dark=dark, text_px=text_px, width=800, height=420)
    for i, word in enumerate(["File", "Edit", "View", "Insert", "Help"]):
        ui.text(12 + 60 * i, 14, word)
    ui.text(20, 62, "User name")
    ui.field(Rect(120, 50, 380, 74))
    ui.field(Rect(120, 90, 380, 114), "anna.schmidt@example.org")
    ui.field(Rect(120, 130, 380, 154), "Germany", arrow=True)
    ui.checkbox(120, 170, "I agree to the terms")
    ui.checkbox(120, 200, "Send me the newsletter", ticked=True)
    ui.radio(120, 230, "Standard delivery", on=True)
    ui.radio(120, 260, "Express (24 h)")
    ui.button(Rect(120, 300, 220, 330), "Cancel")
    ui.button(Rect(240, 300, 380, 330), "Save changes")
    ui.text(20, 370, "The quick brown fox jumps over the lazy dog. 0123456789")
    for row in range(4):
        for column, word in enumerate([f"Widget {row}A", f"{row + 3}.75", str(row * 7)]):
            ui.field(Rect(440 + 99 * column, 50 + 24 * row, 540 + 99 * column, 75 + 24 * row), word)
    return ui


@pytest.mark.parametrize(("dark", "text_px"), [(False, 13), (True, 13), (False, 11), (False, 24)])
def test_small_text_is_read_and_widgets_are_recognised(reader: WorkerFinder, dark: bool, text_px: int) -> None:
    if text_px == 24:
        ui = PaintedUi(text_px=24)
        ui.text(20, 40, "A large heading")
        ui.button(Rect(20, 90, 200, 140), "Continue")
    else:
        ui = screen(dark=dark, text_px=text_px)
    found = find(reader, ui.picture())
    for kind, box, text in ui.truth:
        near = [e.mark_box or e.box for e in found]
        here = {e.text for e, at in zip(found, near, strict=True) if iou(at, box) > 0.2 or box.contains(e.box.center)}
        here |= {e.text for e in found if kind == "text" and e.mark_box and e.box.contains(box.center)}
        if kind in {"checkbox", "radio"}:
            assert not any(e.type == "text" and e.text == text for e in found), "it owns its label"
        if text and text_px >= 13:
            assert text in here, (kind, text, here)
        elif text:
            # The spaces of very small text are a matter of opinion.
            assert text.replace(" ", "") in {t.replace(" ", "") for t in here if t}, (kind, text, here)
    for kind, box, _ in ui.truth:
        if kind in {"button", "checkbox", "radio", "dropdown"}:
            best = max(found, key=lambda e: iou(e.mark_box or e.box, box))
            assert (best.type, iou(best.mark_box or best.box, box) > 0.7) == (kind, True)


def test_an_empty_screen_has_no_elements(reader: WorkerFinder) -> None:
    assert find(reader, PaintedUi().picture()) == []


def test_the_same_picture_gives_the_same_result_and_a_fresh_worker_too(reader: WorkerFinder) -> None:
    image = screen().picture()

    def things(elements: list[Element]) -> list[tuple[str, Rect, str | None]]:
        return [(e.type, e.box, e.text) for e in elements]

    first = things(find(reader, image))
    find(reader, screen(dark=True).picture())
    assert things(find(reader, image)) == first
    reader.close()
    assert things(find(reader, image)) == first


@pytest.mark.parametrize(("width", "height"), [(1, 1), (31, 9), (2100, 60), (1280, 800), (60, 700)])
def test_a_lone_word_is_read_on_a_screen_of_any_size(reader: WorkerFinder, width: int, height: int) -> None:
    ui = PaintedUi(width=width, height=height)
    if min(width, height) >= 60:
        ui.text(max(4, width - 200), height // 2, "Ready")
    assert [e.text for e in find(reader, ui.picture())] == (["Ready"] if min(width, height) >= 60 else [])


def test_text_on_its_side_is_read(reader: WorkerFinder) -> None:
    ui = PaintedUi(width=300, height=60, text_px=16)
    ui.text(20, 30, "Project files")
    upright = ui.picture()
    turned = upright.transpose(1, 0, 2)[::-1].copy()
    assert [e.text for e in find(reader, turned)] == ["Project files"]


def test_another_version_of_rapidocr_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: "4.0.1")
    with pytest.raises(ModelError, match=r"needs rapidocr 3; 4\.0\.1 is installed"):
        OcrReader(threads=1)


@pytest.mark.slow
def test_threads_share_a_recogniser_that_writes_nothing_while_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    ui = PaintedUi(width=600, height=420)
    for row in range(12):
        ui.text(20, 10 + 33 * row, f"Invoice {1000 + 37 * row} of {row + 1} May")
    image = ui.picture()
    boxes = [Rect(12, 6 + 33 * row, 320, 36 + 33 * row) for row in range(12)]
    alone = [OcrReader(threads=1).read(image, [box])[0] for box in boxes[:2]]
    reader = OcrReader(threads=4)
    shared = reader._engine.text_rec
    written: list[str] = []
    for part in (shared, shared.session, shared.postprocess_op):
        monkeypatch.setattr(type(part), "__setattr__", lambda _self, name, _value: written.append(name))
    assert reader.read(image, boxes)[:2] == alone
    assert written == []
