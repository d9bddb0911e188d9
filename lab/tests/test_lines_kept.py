"""Pages in a real Chromium, parsed by their pixels with the shipped models: no region swallows what is read in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.text_likeness import letters_in
from demopack.pixels.colours import Gray
from demopack.settings import VisionSettings
from lab.evaluation.judge import judge
from lab.screens.browser.browser import Browser
from models.training.labelled_screens import GroundTruth, LabelledScreen, with_labels
from models.vision.detection import Detection, to_element
from models.vision.pipeline import Pipeline, build
from models.vision.reading.text_reader import TextReader

PAGES = sorted((Path(__file__).parents[1] / "benchmarks" / "pages").glob("*.html"))
WINDOWS = ((1280, 800), (900, 640))
_WORD_LETTERS = 3
"""A reading with fewer may be an icon."""
_PIECE = 0.9


class Parsed(NamedTuple):
    truth: list[GroundTruth]
    size: tuple[int, int]
    lines: list[Detection]
    elements: list[Element]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser(*WINDOWS[0]) as opened:
        yield opened


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return build({**VisionSettings(incremental=False, describe_s=600).model_dump(), "threads": 2})


@pytest.fixture(scope="module", params=[(page, window) for page in PAGES for window in WINDOWS], ids=str)
def parsed(request: pytest.FixtureRequest, browser: Browser, pipeline: Pipeline) -> Parsed:
    """A page at a window's size: what is true, what was read, and what came of it."""
    page, (width, height) = request.param
    browser.view(width, height)
    browser.load_file(page)
    image = browser.picture()
    truth = browser.truth(image)
    read: list[Detection] = []
    reads = TextReader.lines

    def lines(reader: TextReader, image: RgbImage, gray: Gray, boxes: list[Rect]) -> list[Detection]:
        found = reads(reader, image, gray, boxes)
        read.extend(found)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TextReader, "lines", lines)
        found = pipeline.find(image, [])
    return Parsed(truth, (width, height), read, [to_element(one, frame_id="a" * 64) for one in found])


def _is_part(line: Detection, others: Sequence[Detection]) -> bool:
    """Whether it is a piece of a word that was read as a whole, too, which is what must be kept."""
    return any(line.box.share_in(one.box) >= _PIECE and line.box.area < one.box.area for one in others)


def test_every_line_that_was_read_is_somewhere_in_the_result(parsed: Parsed) -> None:
    words = [one for one in parsed.lines if one.type != "icon" and len(letters_in(one.text)) >= _WORD_LETTERS]
    assert len(words) >= 10
    lost: list[tuple[str | None, Rect]] = []
    for line in (one for one in words if not _is_part(one, words)):
        around = [one for one in parsed.elements if one.box.contains(line.box.center)]
        said = letters_in(" ".join(text for one in around for text in (one.text, one.placeholder) if text))
        if not all(letters_in(word) in said for word in (line.text or "").split()):
            lost.append((line.text, line.box))
    assert not lost


def test_what_can_be_clicked_is_hit(parsed: Parsed) -> None:
    screen = LabelledScreen(
        name="page", source="web", group="page", side="val", seed=0,
        width=parsed.size[0], height=parsed.size[1], elements=tuple(parsed.truth),
    )  # fmt: skip
    judged = judge(with_labels(screen), parsed.elements)
    links = [one for one in judged.screen.elements if one.type == "hyperlink"]
    hit = {id(one) for one in judged.centred}
    assert sum(id(one) in hit for one in links) >= 0.85 * len(links)
