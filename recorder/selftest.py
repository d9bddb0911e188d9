"""Self-test of what a recording needs: nothing is called good before it was received."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from demopack.domain.records import Record
from demopack.domain.screenshots import Screenshot
from demopack.errors import DemopackError
from demopack.settings import HotkeySettings, PrivacySettings, RecorderSettings
from recorder.backends import has_x11, open_access, open_input, open_screen
from recorder.backends.base import ScreenSource
from recorder.backends.macos.permissions import PermissionName, read_permissions
from recorder.backends.x11.key_grab import KeyGrab
from recorder.browsers import silent_browsers, title_of
from recorder.health import MIN_FREE_BYTES
from recorder.hotkeys import find_conflicts, recording_hotkeys

TEXT_HELD = "Everything you type is held back as a secret."
TEXT_STORED = "What you type is stored, passwords too."

CheckName = Literal[PermissionName, "input", "pictures", "accessibility", "disk", "hotkeys", "library"]
"""Those of permissions exist on macOS alone."""

_log = logging.getLogger(__name__)

_ARRIVES_S = 0.4
_ANSWERS_S = 5.0  # whoever finds out sooner says so; a busy machine takes its time
_AGAIN_S = 0.03
_LOW_DISK_BYTES = 1_000_000_000
_OPTIONAL = frozenset({"accessibility", "hotkeys"})
_OTHER_KEY = "Choose another key in the settings, under recorder.hotkeys."
_ACCESS_HINTS = {
    "linux": "Install at-spi2-core and log in again; until then pause before you type one.",
    "win32": "Install the package comtypes and start demopack again; until then pause before you type one.",
    "darwin": "Allow Accessibility in the system's privacy settings; until then pause before you type one.",
}
_INPUT_HINTS = {
    "darwin": "Allow demopack (or the terminal) under System Settings, Privacy & Security: Input Monitoring and "
    "Accessibility.",
    "win32": "A program with administrator rights has the input: close it, or start demopack with the same rights.",
}
MARKER_COLOURS: Final = ((214, 40, 110), (20, 150, 220))
"""The spot is shown in one and then in the other; red, green and blue, 0 to 255."""
_SHOWN_S = 0.4


class CheckResult(Record):
    """What one check found.

    Attributes:
        name: of the check; stable.
        ok: whether it works.
        words: what was found, one short sentence.
        hint: how to mend it; empty when it works.
        needed: whether nothing can be recorded without it.
        silent: browsers with a window that tell nothing, by their names for ``demopack launch``.
    """

    name: CheckName
    ok: bool
    words: str
    hint: str = ""
    needed: bool = True
    silent: tuple[str, ...] = ()


class _Finding(NamedTuple):
    ok: bool
    words: str
    hint: str = ""
    silent: tuple[str, ...] = ()


def run_selftest(
    *,
    library: Path,
    settings: RecorderSettings,
    display: str | None = None,
    on_result: Callable[[CheckResult], None] = lambda _: None,
) -> list[CheckResult]:
    """Try input, pictures, accessibility, disk, hot-keys and library, in this order; mostly within a second.

    On macOS what the system must allow comes first, each with a line of its own.

    Never raises for what a check finds.

    Args:
        library: the folder into which is going to be recorded; it need not exist yet.
        settings: hot-keys and privacy are looked at.
        display: an X server other than the one in ``DISPLAY``.
        on_result: called with each result as soon as it is known, in the caller's thread.
    """
    checks: Sequence[tuple[CheckName, Callable[[], _Finding]]] = (
        ("input", lambda: _try_input(display)),
        ("pictures", lambda: _try_pictures(display)),
        ("accessibility", lambda: _try_accessibility(settings.privacy, display)),
        ("disk", lambda: _try_disk(library)),
        ("hotkeys", lambda: _try_hotkeys(settings.hotkeys, display)),
        ("library", lambda: _try_library(library)),
    )
    results: list[CheckResult] = []
    for state in read_permissions() if sys.platform == "darwin" else ():
        result = CheckResult(name=state.name, ok=state.granted, words=state.words, hint=state.hint)
        results.append(result)
        on_result(result)
    missing = {result.name for result in results if not result.ok}
    for name, check in checks:
        if name == "pictures" and "screen_permission" in missing:
            continue  # macOS would give the wallpaper alone, which looks like any picture
        try:
            found = check()
        except DemopackError as error:
            found = _Finding(ok=False, words=error.user_message, hint=error.hint)
        except Exception as error:  # noqa: BLE001 - whatever a system's own library does; the other checks go on
            _log.info("The check of %s broke.", name, exc_info=True)
            found = _Finding(ok=False, words=f"This could not be tried out: {type(error).__name__}: {error}")
        result = CheckResult(name=name, **found._asdict(), needed=found.ok or name not in _OPTIONAL)
        results.append(result)
        on_result(result)
    return results


def _try_input(display: str | None) -> _Finding:
    came = threading.Event()

    def take(event: InputEvent) -> None:
        if event.kind == "move":
            came.set()

    source = open_input(display)
    source.start(take)
    try:
        began = time.monotonic()
        if not _nudge(display):
            words = "Input is watched; this system does not let the test move the pointer to prove it."
            return _Finding(ok=True, words=words)
        if came.wait(_ARRIVES_S):
            took = (time.monotonic() - began) * 1000
            return _Finding(ok=True, words=f"A move of the pointer arrived in {took:.0f} ms.")
    finally:
        source.stop()
    return _Finding(
        ok=False,
        words="The pointer was moved, but nothing arrived.",
        hint=_INPUT_HINTS.get(sys.platform, "Close programs that hold mouse and keyboard, and try again."),
    )


def _nudge(display: str | None) -> bool:
    """Move the pointer by one pixel and back; False where that is not possible."""
    if has_x11():
        from recorder.backends.x11.probe import X11Probe

        with contextlib.closing(X11Probe(display=display)) as probe:
            return probe.nudge()
    from recorder.backends.pynput_input import nudge

    nudge()
    return True


def _try_pictures(display: str | None) -> _Finding:
    with contextlib.closing(open_screen(display)) as screen:
        if has_x11():
            return _changed_picture(screen, display)
        # Where no spot can be shown: pictures of one colour are no pictures of a desktop. Between monitors is nothing.
        screenshot = screen.grab()
        image = screenshot.image
        boxes = [screenshot.space.to_pixels(monitor.box).clamped(screenshot.size) for monitor in screenshot.monitors]
    shown = [image[box.y1 : box.y2, box.x1 : box.x2] for box in boxes] or [image]
    if all((part == part[:1, :1]).all() for part in shown):
        return _Finding(
            ok=False,
            words="The pictures of the screen are empty.",
            hint="Allow demopack (or the terminal) to record the screen in the system's privacy settings.",
        )
    words = f"{image.shape[1]} x {image.shape[0]} pixels; on this system it was not tried whether a change arrives."
    return _Finding(ok=True, words=words)


def _changed_picture(screen: ScreenSource, display: str | None) -> _Finding:
    """Show a spot, change its colour: both must be seen, there and nowhere else."""
    from recorder.backends.x11.probe import X11Probe

    with contextlib.closing(X11Probe(display=display)) as probe:
        seen: list[Screenshot] = []
        for colour in MARKER_COLOURS:
            box = probe.show(colour)
            screenshot = _grab_with_marker(screen, box, colour)
            if screenshot is None:
                return _Finding(
                    ok=False,
                    words="A spot was shown on the screen, but the pictures do not show it in its place.",
                    hint="Switch a screen filter, magnifier or protected full-screen program off, and try again.",
                )
            seen.append(screenshot)
    first, last = seen
    if (first.size, first.space) != (last.size, last.space):
        return _Finding(ok=False, words="The monitors changed during the test.", hint="Try again.")
    height, width = last.image.shape[:2]
    took = (first.ended_ns - first.started_ns) / 1e6
    words = f"A change was seen in its place; {width} x {height} pixels in {took:.0f} ms."
    return _Finding(ok=True, words=words)


def _try_accessibility(privacy: PrivacySettings, display: str | None) -> _Finding:
    typed = TEXT_HELD if privacy.hold_unknown else TEXT_STORED
    if not privacy.accessibility:
        return _Finding(
            ok=False,
            words="Switched off in the settings: nobody tells which fields hold passwords.",
            hint=f"{typed} Switch it on under Privacy, or pause before you type one.",
        )
    deadline, pause, access = time.monotonic() + _ANSWERS_S, threading.Event(), open_access(display)
    access.start()
    try:
        while not (access.available or access.has_begun) and time.monotonic() <= deadline:
            pause.wait(_AGAIN_S)
        answers = access.available
        silent = silent_browsers(access, display=display) if answers else []
    finally:
        access.stop()
    if silent:
        names = ", ".join(map(title_of, silent))
        return _Finding(
            ok=True,
            words=f"Programs can be asked, but {names} tells nothing, passwords included.",
            hint=f"Start it with `demopack launch {silent[0]}`: a new window with a profile of its own.",
            silent=tuple(silent),
        )
    if answers:
        words = "Programs can be asked about their fields."
        if not has_x11():  # which of them tell nothing is not known there before one has the input
            words += " One that tells nothing is named as you type in it."
        return _Finding(ok=True, words=words)
    return _Finding(
        ok=False,
        words="Programs tell nothing about their fields, so passwords cannot be recognised.",
        hint=f"{typed} {_ACCESS_HINTS.get(sys.platform, 'Pause before you type one.')}",
    )


def _try_disk(library: Path) -> _Finding:
    free = shutil.disk_usage(_existing(library)).free
    gib = free / 2**30
    if free < MIN_FREE_BYTES:
        words = f"The disk of the library is nearly full: {free // 1_000_000} MB free."
        return _Finding(ok=False, words=words, hint="Make room, or choose another library.")
    if free < _LOW_DISK_BYTES:
        words = f"Only {gib:.1f} GiB free: enough for a short recording."
        return _Finding(ok=True, words=words, hint="Make room soon.")
    return _Finding(ok=True, words=f"{gib:.1f} GiB free.")


def _try_library(library: Path) -> _Finding:
    folder = _existing(library)
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".demopack-"):
            pass
    except OSError as error:
        return _Finding(
            ok=False,
            words=f"Nothing can be written to {folder}: {error.strerror or error}.",
            hint="Check its permissions, or choose another library.",
        )
    words = f"{library} can be written." if library.exists() else f"{library} will be made."
    return _Finding(ok=True, words=words)


def _try_hotkeys(settings: HotkeySettings, display: str | None) -> _Finding:
    conflicts = find_conflicts(settings)
    if conflicts:
        return _Finding(ok=False, words=conflicts[0].message, hint=_OTHER_KEY)
    with contextlib.closing(KeyGrab(recording_hotkeys(settings), display)) as screenshot:
        taken = list(screenshot.taken)
    if taken:
        one = f"{taken[0]} is held by another program."
        words = one if len(taken) == 1 else f"{', '.join(taken)} are held by another program."
        return _Finding(ok=False, words=words, hint=_OTHER_KEY)
    words = f"Stop with {settings.start_stop}." if settings.start_stop else "Stop with the bar."
    if not has_x11():
        words += " Other programs react to hot-keys, too, on this system."
    if sys.platform == "darwin" and any(re.search(r"F\d+$", key) for key in recording_hotkeys(settings).values()):
        words += " On a Mac hold fn with F8 to F11, which are media keys otherwise."
    return _Finding(ok=True, words=words)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    target = folder.absolute()
    return next(found for found in (target, *target.parents) if os.path.isdir(found))  # noqa: PTH112 - follows links


def _grab_with_marker(screen: ScreenSource, box: Rect, colour: tuple[int, int, int]) -> Screenshot | None:
    """The first picture on which that colour fills that box and lies nowhere beside it; None when time is up."""
    deadline, pause = time.monotonic() + _SHOWN_S, threading.Event()
    while True:
        screenshot = screen.grab()
        if _shows(screenshot, box, colour):
            return screenshot
        if time.monotonic() > deadline:
            return None
        # A compositor draws what we asked for with its next picture.
        pause.wait(_AGAIN_S)


def _shows(screenshot: Screenshot, box: Rect, colour: tuple[int, int, int]) -> bool:
    shown = screenshot.space.to_pixels(box).clamped(screenshot.size)
    if not shown.area:
        return False
    left, top, right, bottom = shown.x1, shown.y1, shown.x2, shown.y2
    around = screenshot.image[max(0, top - 8) : bottom + 8, max(0, left - 8) : right + 8]
    same = (around == colour).all(axis=2)
    inside = (screenshot.image[top:bottom, left:right] == colour).all(axis=2)
    return bool(inside.all()) and int(same.sum()) == inside.size
