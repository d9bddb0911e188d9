"""The practice app on a real X server, worked by the scripted person; judged by the app's own log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from demopack_cli.quickstart.practice import CHARACTERS, PracticeApp, differences, perform
from player.backends.x11 import X11Performer
from player.scripted_user import PracticeUser
from recorder.desktop.private_display import PrivateDisplay

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def display() -> Iterator[PrivateDisplay]:
    with PrivateDisplay() as started:
        yield started


@pytest.fixture
def app(display: PrivateDisplay, tmp_path: Path) -> Iterator[PracticeApp]:
    with PracticeApp(tmp_path, environment=display.environment()) as started:
        yield started


@pytest.fixture
def person(display: PrivateDisplay) -> Iterator[PracticeUser]:
    with X11Performer(display.name) as device:
        device.lend_keys(CHARACTERS)
        yield PracticeUser(device, speed=3)


@pytest.mark.slow
def test_the_task_can_be_done_with_mouse_and_keyboard(app: PracticeApp, person: PracticeUser) -> None:
    assert differences(app.state()) != []
    perform(person, app)
    assert differences(app.state()) == []


def test_sending_an_empty_form_says_what_is_missing_and_sends_nothing(app: PracticeApp, person: PracticeUser) -> None:
    person.press("Ctrl+Enter")
    person.click(app.where("menu:Form").center)
    app.where("menu:Form:Quit")
    assert app.state()["submitted"] is False
    assert app.state()["result"] == "Please fill in: Name, E-mail, City, Workshop, Time."


def test_a_password_is_logged_as_its_length_only(app: PracticeApp, person: PracticeUser) -> None:
    person.click(app.where("password").center)
    app.wait_for_focus("password")
    person.type_text("secret")
    person.click(app.where("menu:Form").center)
    app.where("menu:Form:Quit")
    assert app.state()["fields"]["password_length"] == 6
    assert "secret" not in app.state_file.read_text(encoding="utf-8")


def test_what_lies_below_the_fold_cannot_be_seen_until_it_is_scrolled_to(
    app: PracticeApp, person: PracticeUser
) -> None:
    app.where("name")
    assert not app.sees("submit")
    person.scroll(app.where("form").center, down=4)
    app.where("submit")
    assert not app.sees("name")


def test_closing_ends_it_cleanly_and_keeps_the_last_state(app: PracticeApp) -> None:
    assert app.close() == 0
    assert app.state()["closed"] is True
