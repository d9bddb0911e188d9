"""A password typed into the field of a real program is in no byte of the library, and its field in no picture."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from demopack.domain.geometry import Rect
from demopack.settings import PrivacySettings
from recorder.backends import open_access, open_screen
from recorder.backends.base import AccessSource
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import until
from tests.support.desktops import DPI, two_monitors
from tests.support.injector import Injector
from tests.support.leaks import film_times, is_flat, pictures, recorded, traces, typed_characters
from tests.support.record_command import RecordCommand
from tests.support.secret_fields import changed_box, chromium_field, gtk4_field, gtk_field, qt_field

pytestmark = pytest.mark.e2e

SECRET = "Zq7!Kü9wX"

Field = Callable[[PrivateDesktop, Path], AbstractContextManager[Rect]]


@pytest.fixture(scope="module", params=[96, 192] if DPI is None else [DPI])
def desktop(request: pytest.FixtureRequest) -> Iterator[PrivateDesktop]:
    """At 192 as desktops set it that are scaled: programs draw twice as large, the screen is divided in two."""
    with PrivateDesktop(width=1280, height=800, dpi=request.param) as started:
        if DPI is None and request.param != 96:
            two_monitors(started)
        assert started.has_access, "dbus-daemon and at-spi2-core are needed"
        yield started


@contextlib.contextmanager
def _listener(desktop: PrivateDesktop) -> Generator[AccessSource]:
    """Hears what the recorder hears."""
    source = open_access(desktop.name)
    source.start()
    try:
        yield source
    finally:
        source.stop()


def _is_secure(listener: AccessSource) -> bool:
    element = listener.focused(time.monotonic_ns())
    return element is None or bool(element.secure)


@pytest.mark.slow
@pytest.mark.parametrize("field", [qt_field, gtk_field, gtk4_field, chromium_field])
def test_a_password_is_nowhere(desktop: PrivateDesktop, tmp_path: Path, field: Field) -> None:
    folder = tmp_path / "library"
    with (
        contextlib.closing(open_screen(desktop.name)) as screen,
        _listener(desktop) as listener,
        Injector(desktop.name) as person,
        field(desktop, tmp_path) as place,
        RecordCommand(desktop, folder, privacy=PrivacySettings()) as record,
    ):
        empty = screen.grab().image.copy()
        # At once, as fast as the hands go: the program may tell of its focus only while the password is being typed.
        at = place.center
        person.click(at.x, at.y)
        started = time.monotonic_ns()
        person.type(SECRET)
        typed = time.monotonic_ns()
        person.wait(0.2)
        full = screen.grab().image.copy()
        person.key("backspace")
        person.key("tab")
        # What is typed before a program has told that the field has lost the input counts as a secret, too.
        until(lambda: not _is_secure(listener), "the other field never gets the input")
        person.wait(0.3)
        person.type("Ada")
        person.wait(1.2)
    assert record.told[-1]["counters"]["secrets_hidden"] == 1
    steps = recorded(folder)
    told = [step.action.parameters for step in steps]
    # GTK 4 names its field after its class.
    name = "gtkpasswordentry" if field is gtk4_field else "password"
    assert told == [{}, {"text_to_type": f"<secret:{name}>"}, {"key_info": "Tab"}, {"text_to_type": "Ada"}, {}]
    assert steps[1].focused is not None
    assert (steps[1].focused.secure, steps[1].focused.value) == (True, "")
    assert not typed_characters(folder) & {*SECRET, *SECRET.lower()}
    for part in (SECRET, SECRET[:-1], SECRET[:5], SECRET[4:]):
        assert traces(folder, part) == []
    near = Rect(place.x1, at.y - 22, place.x2, at.y + 22)  # elsewhere another field has lost the input
    dots = changed_box(empty, full, within=near)
    assert dots is not None, "the field has shown something"
    seen = pictures(folder)
    assert any(frame.grab_ended_ns > typed for frame, _ in seen)
    assert sum(started < shown < typed for shown in film_times(folder)) < 4, "the film tells how many keys there were"
    for frame, image in seen:
        assert is_flat(image, dots), f"the field can be seen on {frame.id[:8]}, {frame.covered} against {dots}"
        assert any(box.encloses(dots) for box in frame.covered)
