"""A real GTK program on a private desktop becomes screens with truth; a click in a true box hits what is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.geometry import Rect, Size
from demopack.errors import CaptureError
from demopack.jobs import JobControl
from demopack.pixels.drawn import has_edge
from lab.screens.apps.desktop import AppDesktop, open_desktop
from lab.screens.apps.desktop_style import TITLE_FAMILY, DesktopStyle
from lab.screens.apps.programs import Program
from lab.screens.apps.reading import TextFinder
from lab.screens.apps.source import AppsSource
from lab.screens.apps.truth import Cleaned, clean
from lab.screens.factory import make_screens
from models.training.labelled_screens import LabelledScreenSet
from tests.support.desktop_programs import until

SAMPLE = Path(__file__).parents[2] / "tests" / "data" / "screens" / "apps"
ASK = ("zenity", "--question", "--text", "Delete the file?", "--title", "Question")


def _look(scale: int) -> DesktopStyle:
    return DesktopStyle(
        theme="Adwaita",
        palette="",
        family=TITLE_FAMILY,
        points=10,
        size=Size(480 * scale, 320 * scale),
        scale=scale,
        icons="Adwaita",
        frame="Clearlooks",
        backdrop=(46, 52, 64),
        maximized=False,
    )


@pytest.fixture(params=[1, 2], ids=["plain", "scaled"])
def asked(request: pytest.FixtureRequest) -> Iterator[tuple[AppDesktop, Cleaned]]:
    look = _look(request.param)
    with open_desktop(size=look.size, scale=look.scale, files=look.files(), backdrop=look.backdrop) as desktop:
        desktop.start(ASK, look.environment())
        finder = TextFinder(look.family, look.font_pixels)
        titles = TextFinder(TITLE_FAMILY, look.title_pixels)
        yield desktop, clean(desktop.look(), finder, titles=titles, scale=look.scale)


def test_the_buttons_of_a_dialog_are_where_they_are_drawn(asked: tuple[AppDesktop, Cleaned]) -> None:
    _, cleaned = asked

    buttons = {e.text: e.box for e in cleaned.elements if e.type == "button"}
    assert set(buttons) == {"Yes", "No"}
    for box in buttons.values():
        assert has_edge(cleaned.image, box)
        inner = Rect(box.x1 + 6, box.y1 + 6, box.x2 - 6, box.y2 - 6)
        assert not has_edge(cleaned.image, inner)
    assert [e.text for e in cleaned.elements if e.type == "text"] == ["Question", "Delete the file?"]
    assert cleaned.painted == 0


def test_a_click_in_the_box_of_a_button_presses_it(asked: tuple[AppDesktop, Cleaned]) -> None:
    desktop, cleaned = asked
    (no,) = [e.box for e in cleaned.elements if e.text == "No"]

    desktop.click(no.center)

    def gone() -> bool:
        try:
            desktop.look()
        except CaptureError as error:
            return "no program" in str(error).lower()
        return False

    until(gone, "the dialog is still there")


def test_screens_are_made_and_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    homes = tmp_path / "homes"
    homes.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(homes))
    source = AppsSource([Program("zenity", "gtk", "zenity", "train", (ASK,))])
    before = set(Path("/proc").iterdir())

    report = make_screens(source, folder=tmp_path / "set", count=1, seed=2, workers=1, control=JobControl())

    assert report.made >= 1
    assert report.failed == []
    screens = LabelledScreenSet(tmp_path / "set")
    for screen in screens.screens():
        assert screen.source == "apps"
        assert all(e.box.inside(Size(screen.width, screen.height)) for e in screen.elements)
        assert "Yes" in {e.text for e in screen.elements}
        assert screens.image(screen).std() > 1
    assert list(homes.iterdir()) == []
    names = [_name(folder) for folder in set(Path("/proc").iterdir()) - before if folder.name.isdigit()]
    assert not {"Xvfb", "zenity", "openbox"} & set(names)


def _name(folder: Path) -> str:
    """What a process is called, if it lives in one of our homes: other desktops may be in use at the same time."""
    try:
        environment = (folder / "environ").read_bytes()
        return (folder / "comm").read_text(encoding="utf-8").strip() if b"/homes/ann-" in environment else ""
    except OSError:
        return ""


def test_a_program_that_is_not_there_or_shows_nothing_is_one_clear_error() -> None:
    look = _look(1)
    with open_desktop(size=look.size, scale=1, files={}, backdrop=(0, 0, 0)) as desktop:
        with pytest.raises(CaptureError, match="cannot be started"):
            desktop.start(("no-such-program-here",), {})
        with pytest.raises(CaptureError, match="showed no window"):
            desktop.start(("false",), {})


def test_a_window_may_be_put_left_of_the_screen() -> None:
    look = _look(1)
    with open_desktop(size=look.size, scale=1, files={}, backdrop=(0, 0, 0)) as desktop:
        desktop.start(ASK, {})
        desktop.place(Rect(-40, 60, 460, 360))

        until(lambda: desktop.look().windows[0].frame.x1 < 0, "the window is where it was")


def test_the_sample_is_true_to_its_form() -> None:
    sample = LabelledScreenSet(SAMPLE)
    screens = list(sample.screens())

    assert len(screens) >= 2
    for screen in screens:
        image = sample.image(screen)
        for element in screen.elements:
            if element.leaf:
                box = element.box
                assert np.ptp(image[box.y1 : box.y2, box.x1 : box.x2].reshape(-1, 3), axis=0).max() > 8, element
