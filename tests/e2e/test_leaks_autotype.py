"""A dialog comes up while somebody records, and is filled in at once, as programs that keep passwords do."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from demopack.settings import PrivacySettings
from recorder.backends.mss_screen import MssScreen
from recorder.desktop.private_display import PrivateDesktop
from tests.support import gtk4_form, gtk_window
from tests.support.desktop_programs import DesktopProgram, until, zenity
from tests.support.injector import Injector
from tests.support.leaks import recorded, traces
from tests.support.record_command import RecordCommand

pytestmark = pytest.mark.e2e

SECRET = "Zq7!Kw9wX"


def _zenity(desktop: PrivateDesktop, scale: str) -> DesktopProgram:
    fields = ("--forms", "--add-entry=User", "--add-password=Key")
    return zenity(desktop, *fields, title="Fill me", environment={"GDK_SCALE": scale})


def _gtk3(desktop: PrivateDesktop, scale: str) -> DesktopProgram:
    command = (sys.executable, str(gtk_window.__file__), "Fill me")
    return DesktopProgram(desktop, *command, window="Fill me", environment={"GDK_SCALE": scale})


def _gtk4(desktop: PrivateDesktop, scale: str) -> DesktopProgram:
    command = (sys.executable, str(gtk4_form.__file__), "Fill me")
    return DesktopProgram(desktop, *command, window="Fill me", environment={"GDK_SCALE": scale})


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=1000, height=720) as started:
        assert started.has_access
        yield started


def _has_drawn(desktop: PrivateDesktop) -> bool:
    """Whether anything can be seen in the middle of the desktop, where the window's own ground lies."""
    with contextlib.closing(MssScreen(display=desktop.name)) as screen:
        return bool(screen.grab().image[300:420, 400:600].any())


@pytest.mark.parametrize(("program", "scale"), [(_zenity, "1"), (_gtk3, "2"), (_gtk4, "2")])
def test_what_is_typed_at_once_into_a_new_dialog(
    desktop: PrivateDesktop, tmp_path: Path, program: Callable[[PrivateDesktop, str], DesktopProgram], scale: str
) -> None:
    folder = tmp_path / "library"
    with (
        RecordCommand(desktop, folder, privacy=PrivacySettings()) as record,
        Injector(desktop.name, key_s=0.005, between_s=0.005) as person,
        program(desktop, scale),
    ):
        person.type("ada")
        person.key("tab")
        person.type(SECRET)
        record.wait_for(lambda _: sum("text_to_type" in step for step in record.steps) >= 2)
        # On a busy machine all is typed before the program has drawn anything, which then is all that a frame can show.
        until(lambda: _has_drawn(desktop), "the program draws nothing")
        person.key("shift+tab")
        record.wait_for(lambda _: record.steps[-1].get("key_info") == "Shift+Tab")
    texts = [step.action.typed_text for step in recorded(folder)]
    # On a busy machine a program may tell of its fields only after the first: what nobody knows is a secret, too.
    assert "ada" in texts or str(texts[0]).startswith("<secret:")
    assert any(text is not None and text.startswith("<secret:") for text in texts)
    assert all(not traces(folder, part) for part in (SECRET, SECRET[:5], SECRET[4:]))
    assert any(frame.covered for step in recorded(folder) for frame in (step.before, step.after) if frame is not None)
