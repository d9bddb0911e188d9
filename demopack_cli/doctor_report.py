"""The report of ``demopack doctor --report``: one text that a person can send, without names and private paths."""

from __future__ import annotations

import contextlib
import getpass
import importlib.metadata
import os
import platform
import re
import socket
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from demopack import __version__
from demopack.errors import DemopackError
from demopack.redaction.recognisers import recognise
from demopack.settings import settings_path
from demopack_cli.checks import Check

_LIBRARIES: Final = (
    "PySide6-Essentials", "pynput", "mss", "numpy", "pillow", "pydantic", "python-xlib", "jeepney", "comtypes",
    "pyobjc-core", "rapidocr", "onnxruntime", "torch", "transformers",
)  # fmt: skip
_SESSION: Final = (
    "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP",
    "QT_QPA_PLATFORM",
    "QT_SCALE_FACTOR",
    "LANG",
    "SESSIONNAME",
)
"""Variables of the environment whose values say what kind of session this is, and nothing about the person."""
_THERE: Final = ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "VIRTUAL_ENV")
"""Variables of which only the presence is reported."""
_MIN_NAME: Final = 3  # a shorter name is part of too many words
_HOME: Final = "\ufdd0"  # no character; stands for the home folder while the text is worked on
_CLOCKS: Final = ("monotonic", "perf_counter", "thread_time")


def doctor_report(checks: Sequence[Check], library: Path) -> str:
    """The whole report as text, line by line; ends with a line feed.

    Args:
        checks: what the doctor found.
        library: whose place is not to be in it.
    """
    sections = {
        "demopack": [f"version {__version__}"],
        "System": list(_system()),
        "Session": list(_session()),
        "Screens": list(_screens()),
        "Libraries": list(_libraries()),
        "Checks": [line for check in checks for line in _lines_of(check)],
    }
    lines = [line for name, found in sections.items() for line in (f"[{name}]", *found, "")]
    text = _without_places("\n".join(lines), {"<library>": library, "<settings>": settings_path()})
    # Only then: half of a path may look like something else.
    facts, heading, told = text.partition("[Checks]")
    return f"{facts}{heading}{_masked(told)}"


def _system() -> Iterator[str]:
    yield f"{platform.system()} {platform.release()}, {platform.version()}"
    if sys.platform == "darwin":
        yield f"macOS {platform.mac_ver()[0]}"
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            yield platform.freedesktop_os_release().get("PRETTY_NAME", "")
    yield f"{platform.machine()}, {os.cpu_count()} processors"
    yield f"{platform.python_implementation()} {platform.python_version()}"
    for name in _CLOCKS:
        yield f"clock {name}: steps of {time.get_clock_info(name).resolution:g} s"


def _session() -> Iterator[str]:
    for name in _SESSION:
        if value := os.environ.get(name):
            yield f"{name}={value}"
    for name in _THERE:
        yield f"{name} is {'set' if os.environ.get(name) else 'not set'}"


def _screens() -> Iterator[str]:
    """Each monitor by its number: names of monitors may be those of their owners."""
    from recorder.backends import open_screen

    try:
        with contextlib.closing(open_screen()) as screen:
            shot = screen.grab()
    except DemopackError as error:
        yield f"cannot be read: {error}"
        return
    except Exception as error:  # noqa: BLE001 - whatever a system's own library does; the report goes on
        yield f"cannot be read: {type(error).__name__}: {error}"
        return
    took = (shot.ended_ns - shot.started_ns) / 1e6
    yield f"pictures of {shot.size.width} x {shot.size.height} pixels in {took:.0f} ms"
    for number, monitor in enumerate(shot.monitors, start=1):
        box = monitor.box
        main = ", main" if monitor.primary else ""
        yield f"{number}: {box.width} x {box.height} at {box.x1},{box.y1}, scale {monitor.scale_factor:g}{main}"


def _libraries() -> Iterator[str]:
    for name in _LIBRARIES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            yield f"{name} {importlib.metadata.version(name)}"


def _lines_of(check: Check) -> Iterator[str]:
    mark = "ok" if check.ok else "optional" if check.optional else "FAIL"
    yield f"{mark}: {check.what}: {check.found}"
    if check.mend and not check.ok:
        yield f"    {check.mend}"


def _masked(text: str) -> str:
    for match in reversed(recognise(text)):
        text = f"{text[: match.start]}<{match.kind}>{text[match.end :]}"
    return text


def _without_places(text: str, named: dict[str, Path]) -> str:
    """The text with private folders shortened, and without the names of the person and the computer."""
    for word, path in named.items():
        for form in dict.fromkeys((path, path.absolute(), path.resolve())):
            text = _path_pattern(form).sub(word, text)
    with contextlib.suppress(RuntimeError):
        text = _path_pattern(Path.home()).sub(_HOME, text)
        # What lies in it has names that the person gave, with blanks in them: gone up to what surely ends a path.
        text = re.sub(rf"{_HOME}(?:[\\/][^:;,'\"\n{_HOME}]*)?", "~/…", text)
    for word, name in _names():
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", word, text, flags=re.IGNORECASE)
    return text


def _path_pattern(path: Path) -> re.Pattern[str]:
    parts = [re.escape(part) for part in re.split(r"[\\/]+", str(path))]
    return re.compile(r"[\\/]+".join(parts), re.IGNORECASE)


def _names() -> Iterable[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    with contextlib.suppress(OSError, ImportError, KeyError):
        found.append(("<user>", getpass.getuser()))
    host = socket.gethostname()
    found += [("<computer>", host), ("<computer>", host.split(".", maxsplit=1)[0])]
    with contextlib.suppress(RuntimeError):
        found.append(("<user>", Path.home().name))
    return [(word, name) for word, name in found if len(name) >= _MIN_NAME]
