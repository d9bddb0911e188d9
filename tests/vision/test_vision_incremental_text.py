from __future__ import annotations

from collections.abc import Iterator

import pytest

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Rect, iou
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.vision.finder import WorkerFinder, open_finder
from tests.support.painted_ui import PaintedUi

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def finders() -> Iterator[tuple[WorkerFinder, WorkerFinder]]:
    """One that looks only at what changed, and one that always looks at everything."""
    nothing = {"detector": "", "describer": ""}
    with (
        open_finder(VisionSettings.model_validate({**nothing, "incremental": True})) as changed,
        open_finder(VisionSettings.model_validate({**nothing, "incremental": False})) as whole,
    ):
        yield changed, whole


def find(finder: WorkerFinder, image: RgbImage) -> list[Element]:
    frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
    return finder.find(image, frame, control=JobControl())


def form(*, name: str = "", ticked: bool = False, shown: int = 0, dialog: bool = False) -> RgbImage:
    """A form as it is filled in: typing, ticking, a list that grows, a dialog on top."""
    ui = PaintedUi(width=900, height=620)
    for i, word in enumerate(["File", "Edit", "View", "Help"]):
        ui.text(12 + 60 * i, 14, word)
    ui.text(20, 62, "Full name")
    ui.field(Rect(120, 50, 380, 76), name)
    ui.checkbox(120, 100, "Send me the news", ticked=ticked)
    ui.button(Rect(120, 140, 240, 170), "Save")
    ui.button(Rect(260, 140, 380, 170), "Cancel")
    for row in range(shown):
        ui.text(520, 80 + 30 * row, f"Order {1001 + row} shipped")
    if dialog:
        ui.field(Rect(300, 300, 700, 520))
        ui.text(330, 340, "Delete this customer?")
        ui.button(Rect(340, 460, 460, 490), "Delete")
    return ui.picture()


FRAMES = {
    "start": form(),
    "typed": form(name="Ada"),
    "typed on": form(name="Ada Lovelace"),
    "ticked": form(name="Ada Lovelace", ticked=True),
    "listed": form(name="Ada Lovelace", ticked=True, shown=3),
    "asked": form(name="Ada Lovelace", ticked=True, shown=3, dialog=True),
    "answered": form(name="Ada Lovelace", ticked=True, shown=4),
}


def test_what_is_found_frame_by_frame_is_what_is_found_on_whole_frames(
    finders: tuple[WorkerFinder, WorkerFinder],
) -> None:
    changed, whole = finders
    before: list[Element] = []
    for name, image in FRAMES.items():
        now, all_of_it = find(changed, image), find(whole, image)
        assert [(e.type, e.text) for e in now] == [(e.type, e.text) for e in all_of_it], name
        assert all(iou(a.box, b.box) > 0.9 for a, b in zip(now, all_of_it, strict=True)), name
        known = {(e.box, e.type, e.text, e.confidence, e.evidence) for e in before}
        # A word was typed, a box ticked, a few rows added: nearly everything is the very same as before.
        same = sum((e.box, e.type, e.text, e.confidence, e.evidence) in known for e in now)
        assert not before or same >= len(before) - 4, name
        before = now
