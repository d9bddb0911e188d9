"""Texts that do not come as keys: what an input method makes of them, and the clipboard."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from recorder.backends import open_access, open_clipboard
from recorder.backends.base import AccessSource
from recorder.backends.x11.clipboard import X11Clipboard
from recorder.context import read_back
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import until, xdotool, zenity

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=800, height=600) as started:
        yield started


@pytest.fixture
def access(desktop: PrivateDesktop) -> Iterator[AccessSource]:
    source = open_access(desktop.name)
    source.start()
    yield source
    source.stop()


@pytest.fixture
def clipboard(desktop: PrivateDesktop) -> Iterator[X11Clipboard]:
    source = open_clipboard(desktop.name)
    assert source is not None
    source.start()

    copied: dict[str, int] = {}  # each with a text of its own, so that the last one is known to have been heard

    def is_ready() -> bool:
        now = time.monotonic_ns()
        if all(now - at > 2_000_000_000 for at in copied.values()):
            copied[f"ready {len(copied)}"] = now
            _copy(desktop, list(copied)[-1])
        return source.put_between(0, time.monotonic_ns()) == list(copied)[-1]

    until(is_ready, "it does not start", timeout_s=60)
    yield source
    source.stop()
    source.stop()


def _typed(desktop: PrivateDesktop, access: AccessSource, text: str, *, method: str) -> tuple[str, str]:
    """Type into an entry with an input method of GTK; the entry's value before and after."""
    with zenity(desktop, "--entry", title=method, environment={"GTK_IM_MODULE": method}):

        def has_input() -> bool:
            access.catch_up(timeout_s=1)
            element = access.focused(time.monotonic_ns())
            return element is not None and element.role == "text"

        until(has_input, "no entry")
        changes: list[tuple[str, str]] = []
        for part in (text[:2], text[2:]):
            started = time.monotonic_ns()
            xdotool(desktop, "type", part)

            def has_changed(started: int = started) -> bool:
                access.catch_up(timeout_s=1)
                change = access.text_change(started, time.monotonic_ns())
                if change is None or change[0] == change[1]:
                    return False
                changes.append(change)
                return len(changes) > 2 and changes[-1] == changes[-3]

            until(has_changed, "nothing was typed")
        return changes[-1]


def test_an_input_method_s_text_is_read_back(desktop: PrivateDesktop, access: AccessSource) -> None:
    before, after = _typed(desktop, access, "..privet", method="cyrillic_translit")
    assert (before, after) == ("..", "..привет")
    assert read_back("privet", before=before, after=after) == "привет"


def test_without_an_input_method_the_keys_are_right(desktop: PrivateDesktop, access: AccessSource) -> None:
    before, after = _typed(desktop, access, "a.privet", method="gtk-im-context-simple")
    assert (before, after) == ("a.", "a.privet")
    assert read_back("privet", before=before, after=after) is None


def _copy(desktop: PrivateDesktop, text: str, *options: str) -> None:
    command = ["xclip", "-selection", "clipboard", *options]
    subprocess.run(
        command, input=text.encode(), env=desktop.environment(), check=True, timeout=20, stderr=subprocess.DEVNULL
    )


def test_the_clipboard_is_followed(desktop: PrivateDesktop, clipboard: X11Clipboard) -> None:
    started = time.monotonic_ns()
    _copy(desktop, "first ☃")
    until(lambda: clipboard.put_between(0, time.monotonic_ns()) == "first ☃", "the text was not seen")
    between = time.monotonic_ns()
    _copy(desktop, "second")
    until(lambda: clipboard.put_between(0, time.monotonic_ns()) == "second", "the text was not seen")
    assert clipboard.put_between(0, between) == "first ☃"
    assert clipboard.put_between(started, between) == "first ☃"
    assert clipboard.put_between(between, time.monotonic_ns()) == "second"
    assert (clipboard.put_between(0, started) or "").startswith("ready")
    # Too long, and not a text: what was there before is no longer on the clipboard.
    for text, options in (("x" * 150_000, ()), ("GIF89a", ("-t", "image/gif"))):
        _copy(desktop, "short")
        until(lambda: clipboard.put_between(0, time.monotonic_ns()) == "short", "the text was not seen")
        _copy(desktop, text, *options)
        until(lambda: clipboard.put_between(0, time.monotonic_ns()) is None, "the text before is still there")


def test_what_lay_on_the_clipboard_before(desktop: PrivateDesktop) -> None:
    _copy(desktop, "long ago")
    source = open_clipboard(desktop.name)
    assert source is not None
    source.start()
    until(lambda: source.put_between(0, time.monotonic_ns()) == "long ago", "the text was not seen")
    assert source.put_between(1, time.monotonic_ns()) is None
    source.stop()


def test_a_secret_of_a_password_manager_is_not_read(desktop: PrivateDesktop, clipboard: X11Clipboard) -> None:
    from Xlib import X, display
    from Xlib.protocol import event

    connection = display.Display(desktop.name)
    window = connection.screen().root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent)
    names = ("CLIPBOARD", "TARGETS", "UTF8_STRING", "x-kde-passwordManagerHint")
    atom = {name: connection.intern_atom(name) for name in names}
    window.set_selection_owner(atom["CLIPBOARD"], X.CurrentTime)
    connection.flush()
    asked = connection.next_event()
    assert (asked.type, asked.target) == (X.SelectionRequest, atom["TARGETS"])
    offered = [atom["UTF8_STRING"], atom["x-kde-passwordManagerHint"]]
    asked.requestor.change_property(asked.property, connection.intern_atom("ATOM"), 32, offered)
    answer = event.SelectionNotify(
        time=asked.time,
        requestor=asked.requestor,
        selection=asked.selection,
        target=asked.target,
        property=asked.property,
    )
    asked.requestor.send_event(answer)
    connection.sync()
    # It is not asked for the text; then comes another program's.
    _copy(desktop, "no secret")
    until(lambda: clipboard.put_between(0, time.monotonic_ns()) == "no secret", "the text was not seen")
    requests = [each for each in _events(connection) if each.type == X.SelectionRequest]
    assert requests == []
    connection.close()


def _events(connection: Any) -> list[Any]:
    found: list[Any] = []
    while connection.pending_events():
        found.append(connection.next_event())
    return found
