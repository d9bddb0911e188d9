"""A source that dies while recording: told within a second, what was done is kept, and the next password is nowhere."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from demopack.settings import PrivacySettings
from recorder.desktop.private_display import PrivateDesktop
from tests.support.injector import Injector
from tests.support.leaks import film_times, recorded, traces, typed_characters
from tests.support.record_command import RecordCommand
from tests.support.secret_fields import gtk_field

pytestmark = pytest.mark.e2e

SECRET = "Zq7wXk9Vp2m"


@pytest.fixture
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=900, height=640) as started:
        assert started.has_access, "dbus-daemon and at-spi2-core are needed"
        yield started


def process_on(desktop: PrivateDesktop, name: str) -> int:
    """The accessibility bus or its registry on this desktop, which the launcher has started."""
    ours = f"XDG_RUNTIME_DIR={desktop.environment()['XDG_RUNTIME_DIR']}".encode()
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            command = (folder / "cmdline").read_bytes()
            environment = (folder / "environ").read_bytes().split(b"\0")
            if name.encode() in command and b"--session" not in command.split(b"\0")[1:2] and ours in environment:
                return int(folder.name)
    raise AssertionError(f"there is no {name}")


def accessibility_bus(desktop: PrivateDesktop) -> int:
    return process_on(desktop, "accessibility.conf")


def registry(desktop: PrivateDesktop) -> int:
    return process_on(desktop, "at-spi2-registryd")


@pytest.mark.slow
@pytest.mark.parametrize("find", [accessibility_bus, registry], ids=["bus", "registry"])
def test_a_password_typed_after_the_bus_died_is_nowhere(
    desktop: PrivateDesktop, tmp_path: Path, find: Callable[[PrivateDesktop], int]
) -> None:
    folder = tmp_path / "library"
    with (
        Injector(desktop.name) as person,
        RecordCommand(desktop, folder, privacy=PrivacySettings()) as record,
    ):
        person.type("Ada")
        person.wait(1.3)  # what was typed just before may have gone into a field that nobody tells of any more
        os.kill(find(desktop), signal.SIGKILL)
        record.wait_for(lambda told: any("no longer tell" in item.get("text", "") for item in told))
        with gtk_field(desktop, tmp_path) as place:
            at = place.center
            person.click(at.x, at.y)
            typing = time.monotonic_ns()
            person.type(SECRET)
            typed = time.monotonic_ns()
            person.key("backspace")
            person.wait(0.3)
            person.key("tab")
            person.wait(0.5)
        person.key("ctrl+alt+h")
        record.wait_for(lambda told: {"event": "text", "held": False} in told)
        person.type("Bob")
        person.wait(0.5)
    told = [step.action.parameters for step in recorded(folder)]
    secret = "<secret:text>" if find is accessibility_bus else "<secret:password>"
    assert [step for step in told if step] == [
        {"text_to_type": "Ada"},
        {"text_to_type": secret},  # a new registry is found by the programs, and may tell of the field after all
        {"key_info": "Tab"},
        {"text_to_type": "Bob"},
    ]
    assert not typed_characters(folder) - {*"AdaBob", "Shift", "Tab"} - {*"AdaBob".lower()}
    for part in (SECRET, SECRET[:5], SECRET[4:]):
        assert traces(folder, part) == []
    assert not [shown for shown in film_times(folder) if typing < shown < typed]
    assert record.told[-1]["counters"]["secrets_hidden"] == 1
