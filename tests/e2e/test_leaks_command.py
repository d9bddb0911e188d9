"""Pause, forget, and who somebody is: ``demopack record`` as a user meets it, and what it leaves in the library."""

from __future__ import annotations

import contextlib
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from demopack.settings import PrivacySettings
from recorder.backends import open_screen
from recorder.desktop.private_display import PrivateDisplay
from tests.support.colour_window import ColourWindow
from tests.support.injector import Injector
from tests.support.leaks import pictures, recorded, shows, traces, typed_characters
from tests.support.record_command import RecordCommand

pytestmark = pytest.mark.e2e

GREEN, VIOLET = (30, 180, 90), (171, 18, 203)


@pytest.fixture(scope="module")
def screen() -> Iterator[PrivateDisplay]:
    with PrivateDisplay(width=800, height=600) as display:
        yield display


@pytest.fixture
def person(screen: PrivateDisplay) -> Iterator[Injector]:
    with Injector(screen.name) as hands:
        yield hands


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "library"


def desk(screen: PrivateDisplay) -> ColourWindow:
    return ColourWindow(screen.name, title="Letter", app="Desk", colour=GREEN, box=(40, 60, 400, 300))


def vault(screen: PrivateDisplay) -> ColourWindow:
    return ColourWindow(screen.name, title="Secrets", app="Vault", colour=VIOLET, box=(300, 150, 300, 250))


def told_texts(folder: Path) -> list[str]:
    actions = [step.action for step in recorded(folder)]
    return [a.typed_text or a.parameters.get("key_info") or a.action_type for a in actions]


def wait_until_gone(screen: PrivateDisplay, person: Injector) -> None:
    """Until the vault has left the screen, and the recorder has had the time to see it go, as a person would wait."""
    with contextlib.closing(open_screen(screen.name)) as eyes:
        for _ in range(100):
            if not shows(eyes.grab().image, VIOLET):
                person.wait(0.5)
                return
            person.wait(0.05)
    raise AssertionError("the vault is still there")


def test_what_is_forgotten_while_recording_is_in_no_byte(
    screen: PrivateDisplay, person: Injector, folder: Path
) -> None:
    with desk(screen), RecordCommand(screen, folder, privacy=PrivacySettings()) as record:
        with vault(screen):
            person.type("XYZQ")
            person.key("tab")
            record.wait_for(lambda _: len(record.steps) == 2)
            person.type("WVU")  # not saved yet when the order comes
            answer = record.forget("10m")
        assert (answer["recording"], answer["removed"]) == (True, 2)
        wait_until_gone(screen, person)
        person.type("go on")
        person.key("enter")
        record.wait_for(lambda _: {"key_info": "Enter"} in record.steps)
    assert told_texts(folder) == ["go on", "Enter", "finish_goal"]
    assert not typed_characters(folder) & set("XYZQWVU")
    assert traces(folder, "XYZQ") == traces(folder, "WVU") == []
    assert not any(shows(image, VIOLET) for _, image in pictures(folder))
    assert [path.name for path in folder.iterdir() if path.name.startswith("forget")] == []


def test_a_panic_pause_leaves_nothing_of_the_last_seconds(
    screen: PrivateDisplay, person: Injector, folder: Path
) -> None:
    with desk(screen), RecordCommand(screen, folder, privacy=PrivacySettings(panic_forget_s=2.0)) as record:
        person.type("keep this")
        person.key("enter")
        record.wait_for(lambda _: len(record.steps) == 2)
        person.wait(2.5)
        with vault(screen):
            person.type("XYZQ")
            person.key("ctrl+alt+p")
            record.wait_for(lambda told: {"event": "state", "state": "paused"} in told)
            person.type("WVU")
        wait_until_gone(screen, person)
        person.key("f8")
        record.wait_for(lambda told: told[-1] == {"event": "state", "state": "recording"})
        person.type("go on")
        person.key("enter")
        record.wait_for(lambda _: record.steps[-1] == {"key_info": "Enter"} and len(record.steps) > 3)
    assert told_texts(folder) == ["keep this", "Enter", "go on", "Enter", "finish_goal"]
    assert not typed_characters(folder) & set("XYZQWVU")
    assert traces(folder, "XYZQ") == traces(folder, "WVU") == []
    assert not any(shows(image, VIOLET) for _, image in pictures(folder))


def test_nobody_is_named_in_a_library(screen: PrivateDisplay, person: Injector, folder: Path) -> None:
    who = "quillfeather"
    named = dict.fromkeys(("USER", "LOGNAME", "USERNAME", "EMAIL"), who)
    with desk(screen), RecordCommand(screen, folder, privacy=PrivacySettings(), environment=named) as record:
        person.type("Dear")
        person.key("enter")
        record.wait_for(lambda _: len(record.steps) == 2)
    machine = [path.read_text().strip() for path in map(Path, _MACHINE_IDS) if path.exists()]
    for name in (who, socket.gethostname(), f"{uuid.getnode():012x}", *machine):
        assert len(name) < 5 or traces(folder, name) == []


_MACHINE_IDS = ("/etc/machine-id", "/var/lib/dbus/machine-id", "/proc/sys/kernel/random/boot_id")
