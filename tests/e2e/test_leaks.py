"""Nothing leaks: what must not be in a library is in no byte of it and in no pixel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from demopack.domain.words import SHOT_WORDS
from demopack.settings import PrivacySettings
from recorder.backends import open_windows
from recorder.desktop.private_display import PrivateDisplay
from tests.support.colour_window import ColourWindow
from tests.support.desktop_programs import until
from tests.support.desktops import DPI, two_monitors
from tests.support.injector import Injector
from tests.support.leaks import is_flat, pictures, recorded, shows, traces, typed_characters
from tests.support.record_command import RecordCommand

pytestmark = pytest.mark.e2e

VIOLET, GREEN = (171, 18, 203), (30, 180, 90)


@pytest.fixture(scope="module", params=[96, 192] if DPI is None else [DPI])
def screen(request: pytest.FixtureRequest) -> Iterator[PrivateDisplay]:
    with PrivateDisplay(width=800, height=600, dpi=request.param) as display:
        if DPI is None and request.param != 96:
            two_monitors(display)
        yield display


@pytest.fixture
def person(screen: PrivateDisplay) -> Iterator[Injector]:
    with Injector(screen.name) as hands:
        yield hands


def vault(screen: PrivateDisplay, *, title: str = "My passwords", app: str = "Vault") -> ColourWindow:
    return ColourWindow(screen.name, title=title, app=app, colour=VIOLET, box=(300, 150, 300, 250))


def desk(screen: PrivateDisplay) -> ColourWindow:
    return ColourWindow(screen.name, title="Letter", app="Desk", colour=GREEN, box=(40, 60, 400, 300))


def wait_for_front(screen: PrivateDisplay, title: str) -> None:
    """Wait until this window has the input."""
    windows = open_windows(screen.name)

    def is_in_front() -> bool:
        active = windows.read().active
        return active is not None and active.title == title

    try:
        until(is_in_front, f"{title} does not come to the front")
    finally:
        windows.close()


@pytest.mark.parametrize(
    "privacy",
    [PrivacySettings(blocked_apps=("vault",)), PrivacySettings(blocked_titles=("my pass*",))],
    ids=["application", "title"],
)
def test_a_blocked_window_leaves_no_step_no_pixel_and_no_title(
    screen: PrivateDisplay, person: Injector, tmp_path: Path, privacy: PrivacySettings
) -> None:
    folder = tmp_path / "library"
    with desk(screen) as letter, RecordCommand(screen, folder, privacy=privacy):
        person.click(letter.box.x1 + 50, letter.box.y1 + 50)
        person.type("Dear")
        person.key("enter")
        with vault(screen) as blocked:
            person.click(*_middle(blocked))
            person.type("XYZQ")
            person.scroll("down", 2)
            person.key("f9")  # a shot may be asked for anywhere
            # Over the edge of the letter, so that the letter covers a part of the vault.
            person.click(letter.box.x1 + 20, letter.box.y1 + 80)
            wait_for_front(screen, "Letter")  # what is typed before that is the vault's
            person.wait(0.5)
            person.type("Ada")
            person.wait(0.5)
        person.key("tab")
        person.wait(0.5)
    told = [(s.action.action_type, s.action.parameters) for s in recorded(folder)]
    assert told == [
        ("click", {}),
        ("type", {"text_to_type": "Dear"}),
        ("press_key", {"key_info": "Enter"}),
        ("extract_data", {"description": SHOT_WORDS}),
        ("click", {}),
        ("type", {"text_to_type": "Ada"}),
        ("press_key", {"key_info": "Tab"}),
        ("finish_goal", {}),
    ]
    assert not typed_characters(folder) & set("XYZQ")
    assert traces(folder, "passwords") == []
    found = pictures(folder)
    assert any(frame.covered for frame, _ in found), "it was seen, and covered"
    assert any(shows(image, GREEN) for _, image in found)
    assert not any(shows(image, VIOLET) for _, image in found)


def test_a_blocked_region_leaves_no_step_and_no_pixel(screen: PrivateDisplay, person: Injector, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with desk(screen) as letter:
        x1, y1, x2, y2 = letter.box.x1 + 20, letter.box.y1 + 30, letter.box.x1 + 220, letter.box.y1 + 90
        privacy = PrivacySettings(blocked_regions=((x1, y1, x2, y2),))
        with RecordCommand(screen, folder, privacy=privacy):
            person.click(x1 + 10, y1 + 10)
            person.click(x2 + 40, y1 + 10)
            person.wait(0.5)
    click, _ = recorded(folder)
    assert click.pointer is not None
    assert (click.pointer.x, click.pointer.y) == (x2 + 40, y1 + 10)
    for frame, image in pictures(folder):
        assert [(b.x1, b.y1, b.x2, b.y2) for b in frame.covered] == [(x1, y1, x2, y2)]
        assert all(is_flat(image, box) for box in frame.covered)


def _middle(window: ColourWindow) -> tuple[int, int]:
    at = window.box.center
    return at.x, at.y
