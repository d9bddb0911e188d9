from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from demopack.domain.geometry import Rect
from demopack.errors import BadInputError, CancelledError, DemopackError, ModelError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.pixels.foreground import foreground_box
from lab.screens.factory import make_screens
from lab.screens.sources import Rendered, SampleSpec
from lab.screens.view import caption, contact_sheets
from models.training.labelled_screens import GroundTruth, LabelledScreenSet, SourceName, Split


@dataclass
class Painter:
    """A source that paints one square per spec; some specs fail."""

    bad: frozenset[int] = frozenset()
    rendered: list[int] = field(default_factory=list)
    renderers: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> SourceName:
        return "qt"

    def specs(self, *, count: int, seed: int, side: Split) -> Sequence[SampleSpec]:
        return [SampleSpec(group=f"g{i % 3}", side=side, seed=seed + i) for i in range(count)]

    @contextmanager
    def renderer(self) -> Iterator[Painter]:
        self.renderers += 1
        yield self

    def render(self, spec: SampleSpec) -> Sequence[Rendered]:
        with self.lock:
            self.rendered.append(spec.seed)
        if spec.seed in self.bad:
            raise ModelError(f"seed {spec.seed} is bad")
        image = np.full((20, 30, 3), 255, dtype=np.uint8)
        image[5:10, 5:15] = spec.seed % 200
        return [Rendered(image=image, elements=[GroundTruth(type="button", box=Rect(5, 5, 15, 10))])] * 2


def test_every_ticket_becomes_screens_that_read_back_equal(tmp_path: Path) -> None:
    report = make_screens(Painter(), folder=tmp_path, count=5, workers=2, control=JobControl())
    screens = list(LabelledScreenSet(tmp_path).screens())
    assert report.made == len(screens) == 10
    assert report.elements == 10
    assert {s.group for s in screens} == {"g0", "g1", "g2"}
    for screen in screens:
        assert LabelledScreenSet(tmp_path).image(screen)[6, 6].tolist() == [screen.seed % 200] * 3
        assert screen.elements == (GroundTruth(type="button", box=Rect(5, 5, 15, 10)),)
    assert len({s.name for s in screens}) == 10


def test_a_stopped_run_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    token = CancelToken()
    seen: list[Progress] = []

    def stop_after_two(progress: Progress) -> None:
        seen.append(progress)
        if progress.done == 2:
            token.cancel()

    with pytest.raises(CancelledError):
        make_screens(
            Painter(), folder=tmp_path, count=6, workers=1, control=JobControl(token=token, report=stop_after_two)
        )
    assert [p.total for p in seen] == [6, 6]
    again = Painter()
    report = make_screens(again, folder=tmp_path, count=6, workers=1, control=JobControl())
    assert (report.skipped, report.made) == (2, 8)
    assert sorted(again.rendered) == [2, 3, 4, 5]


def test_half_a_ticket_is_made_again(tmp_path: Path) -> None:
    make_screens(Painter(), folder=tmp_path, count=1, workers=1, control=JobControl())
    first = next(tmp_path.glob("*/*-0.json"))
    first.unlink()
    again = Painter()
    assert make_screens(again, folder=tmp_path, count=1, workers=1, control=JobControl()).made == 2
    assert again.rendered == [0]


def test_a_bad_ticket_is_reported_and_the_others_are_made(tmp_path: Path) -> None:
    report = make_screens(Painter(bad=frozenset({1})), folder=tmp_path, count=4, workers=1, control=JobControl())
    assert report.failed == ["g1 1: seed 1 is bad"]
    assert report.made == 6


def test_where_nothing_can_be_drawn_the_run_ends_with_the_causes(tmp_path: Path) -> None:
    painter = Painter(bad=frozenset(range(100)))
    with pytest.raises(DemopackError, match="None of the first 3 qt screens") as caught:
        make_screens(painter, folder=tmp_path, count=50, workers=1, control=JobControl())
    assert "seed 2 is bad" in caught.value.details
    assert len(painter.rendered) == 3


def test_no_screens_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="0 screens"):
        make_screens(Painter(), folder=tmp_path, count=0, control=JobControl())


def test_a_damaged_truth_names_file_and_field(tmp_path: Path) -> None:
    make_screens(Painter(), folder=tmp_path, count=1, workers=1, control=JobControl())
    path = next(tmp_path.glob("*/*-0.json"))
    path.write_text(path.read_text().replace('"button"', '"knob"'))
    with pytest.raises(BadInputError, match=r"elements\.0\.type") as caught:
        list(LabelledScreenSet(tmp_path).screens())
    assert str(path) in caught.value.user_message


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs and devices")
@pytest.mark.timeout(30)
@pytest.mark.parametrize("ending", ["json", "png"])
@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_a_fifo_or_a_device_in_a_set_is_named_and_not_waited_for(tmp_path: Path, ending: str, kind: str) -> None:
    make_screens(Painter(), folder=tmp_path, count=1, workers=1, control=JobControl())
    screens = LabelledScreenSet(tmp_path)
    screen = next(screens.screens())
    bad = screens.picture_path(screen).with_suffix(f".{ending}")
    bad.unlink()
    if kind == "fifo":
        os.mkfifo(bad)
    else:
        bad.symlink_to("/dev/null")
    reads: tuple[Callable[[], object], ...] = (lambda: screens.image(screen), lambda: screens.picture(screen))
    for read in reads if ending == "png" else (lambda: list(screens.screens()),):
        with pytest.raises(BadInputError) as caught:
            read()
        assert str(bad) in caught.value.user_message
        assert "It is a FIFO, a socket or a device" in f"{caught.value.user_message} {caught.value.details}"


def test_a_picture_of_another_size_is_refused(tmp_path: Path) -> None:
    make_screens(Painter(), folder=tmp_path, count=1, workers=1, control=JobControl())
    screen = next(LabelledScreenSet(tmp_path).screens())
    with pytest.raises(BadInputError, match="30 x 20 pixels, but its truth was made for 31 x 20"):
        LabelledScreenSet(tmp_path).image(screen.model_copy(update={"width": 31}))


def test_sheets_hold_every_screen(tmp_path: Path) -> None:
    make_screens(Painter(), folder=tmp_path / "set", count=3, workers=1, control=JobControl())
    screens = LabelledScreenSet(tmp_path / "set")
    chosen = list(screens.screens())
    sheets = contact_sheets(screens, chosen, folder=tmp_path / "out", zoom=2, captions=False, width=200)
    outlined = 0
    for path in sheets:
        with Image.open(path) as sheet:
            outlined += int(np.all(np.asarray(sheet) == (213, 94, 0), axis=2).sum())
    assert outlined == 6 * 56


def test_a_caption_tells_states_and_text() -> None:
    truth = GroundTruth(type="checkbox", box=Rect(0, 0, 9, 9), states={"checked": True, "focused": False}, text="Send")
    assert caption(truth) == 'checkbox +che -foc "Send"'


def test_ink_is_found_with_air_and_cut_at_the_edge() -> None:
    image = np.full((40, 60, 3), 240, dtype=np.uint8)
    image[10:20, 5:25] = (20, 30, 200)
    assert foreground_box(image, Rect(0, 4, 60, 30)) == Rect(3, 8, 27, 22)
    assert foreground_box(image, Rect(0, 4, 60, 30), margin=8) == Rect(0, 2, 33, 28)
    assert foreground_box(image, Rect(30, 0, 60, 40)) is None
    assert foreground_box(image, Rect(70, 0, 90, 40)) is None


def test_ink_on_a_coloured_ground_and_light_on_dark() -> None:
    image = np.full((40, 60, 3), 255, dtype=np.uint8)
    image[5:35, 10:50] = (0, 60, 160)
    image[15:22, 20:30] = 250
    assert foreground_box(image, Rect(10, 5, 50, 35), margin=0) == Rect(20, 15, 30, 22)
