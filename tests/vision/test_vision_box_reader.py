"""One element is read as it is, by a worker that ends when it is told to."""

from __future__ import annotations

import importlib.util
import threading
from typing import Any

import numpy as np
import pytest
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.errors import CancelledError
from demopack.settings import VisionSettings
from models.vision.box_reader import WorkerBoxReader, open_box_reader
from models.vision.description import IconGuesses, surroundings
from tests.support.drawn_icons import draw_icon
from tests.support.painted_ui import PaintedUi


def test_without_ocr_there_is_no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_box_reader(VisionSettings(ocr=False)) is None

    def find_spec(name: str) -> Any:
        assert name == "rapidocr"

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    assert open_box_reader(VisionSettings()) is None


def test_a_closed_reader_reads_no_more() -> None:
    reader = WorkerBoxReader(min_confidence=0.5)
    reader.close()
    with pytest.raises(CancelledError):
        reader.read(np.full((20, 60, 3), 255, dtype=np.uint8))
    reader.close()


@pytest.mark.slow
def test_texts_are_read_and_nothing_is_made_up() -> None:
    ui = PaintedUi(width=400, height=120)
    ui.text(20, 20, "User name")
    ui.field(Rect(120, 50, 380, 74), "anna.schmidt@example.org")
    image = ui.picture()
    reader = open_box_reader(VisionSettings())
    assert reader is not None
    try:
        assert reader.read(image[8:36, 10:110]) == "User name"
        assert reader.read(image[50:74, 120:380]) == "anna.schmidt@example.org"
        assert reader.read(image[90:110, 200:300]) == ""
    finally:
        reader.close()


def icon_crop(meaning: str) -> tuple[RgbImage, Rect]:
    picture = Image.new("RGB", (80, 60), (245, 245, 245))
    box = draw_icon(picture, meaning, at=(30, 20), size=18, colour=(40, 40, 40))
    part = surroundings(box, Size(80, 60))
    whole = np.asarray(picture, dtype=np.uint8)
    return whole[part.y1 : part.y2, part.x1 : part.x2], box.moved(-part.x1, -part.y1)


@pytest.mark.slow
@pytest.mark.parametrize("meaning", ["close", "search", "folder"])
def test_the_shipped_network_guesses_drawn_icons(meaning: str) -> None:
    reader = open_box_reader(VisionSettings())
    assert reader is not None
    try:
        guesses = reader.meanings(*icon_crop(meaning))
    finally:
        reader.close()
    assert guesses.name == meaning
    assert guesses.likely[0][0] == meaning
    assert guesses.likely[0][1] > 0.5
    assert len(guesses.likely) <= 5


@pytest.mark.slow
@pytest.mark.parametrize("icons", ["", "no such model"])
def test_without_a_network_that_can_be_used_nothing_is_guessed(icons: str) -> None:
    reader = WorkerBoxReader(min_confidence=0.5, icons=icons)
    try:
        assert reader.meanings(*icon_crop("close")) == IconGuesses()
    finally:
        reader.close()


@pytest.mark.slow
def test_closing_does_not_wait_for_a_crop_that_is_being_read() -> None:
    reader = WorkerBoxReader(min_confidence=0.5)
    ended: list[Exception | str] = []

    def read() -> None:
        try:
            ended.append(reader.read(np.full((200, 900, 3), 255, dtype=np.uint8)))
        except CancelledError as error:
            ended.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    reader.close()
    thread.join(30)
    assert not thread.is_alive()
    assert len(ended) == 1
