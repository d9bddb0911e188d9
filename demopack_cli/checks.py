"""Checks of ``demopack doctor``; each check really does the thing it vouches for."""

from __future__ import annotations

import ctypes.util
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from demopack.domain.records import Record
from demopack.domain.words import counted
from demopack.errors import DemopackError, LibraryError
from demopack.settings import RecorderSettings, load_settings, settings_path


class Check(Record):
    """One line of the doctor.

    Attributes:
        what: the thing.
        ok: whether it works.
        found: what was seen, in a few words.
        mend: what to do when it does not work.
        optional: whether recording and annotating work without it.
    """

    what: str
    ok: bool
    found: str
    mend: str = ""
    optional: bool = False


def run_checks(library: Path) -> list[Check]:
    """Every check, in the order in which a person would need the things."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    mend = "demopack needs Python 3.11 or newer."
    python = Check(what="Python", ok=sys.version_info >= (3, 11), found=version, mend=mend)
    settings = _tried("Settings", _read_settings)
    return [python, *_qt(), *_self_test(library), *_library(library), settings, *_extras()]


def _tried(what: str, attempt: Callable[[], str]) -> Check:
    try:
        return Check(what=what, ok=True, found=attempt())
    except DemopackError as error:
        return Check(what=what, ok=False, found=error.user_message, mend=error.hint)


# Library -> Debian package, for what Qt's xcb plug-in loads at start.
_XCB = {
    "xcb-cursor": "libxcb-cursor0",
    "xcb-icccm": "libxcb-icccm4",
    "xcb-keysyms": "libxcb-keysyms1",
    "xcb-xinerama": "libxcb-xinerama0",
    "xkbcommon-x11": "libxkbcommon-x11-0",
    "EGL": "libegl1",
}


def _qt() -> list[Check]:
    if importlib.util.find_spec("PySide6") is None:
        return [Check(what="Qt", ok=False, found="PySide6 is not installed", mend="pip install PySide6-Essentials")]
    checks = [Check(what="Qt", ok=True, found="PySide6 is installed")]
    if sys.platform == "linux":
        missing = [package for name, package in _XCB.items() if ctypes.util.find_library(name) is None]
        mend = f"sudo apt-get install -y {' '.join(missing)}"
        checks.append(Check(what="Qt's X11 libraries", ok=not missing, found=_there(missing, "all there"), mend=mend))
    return checks


# What the self-test looks at, in the doctor's words; the library has a line of its own.
_TRIED = {
    "accessibility_permission": "Accessibility is allowed",
    "input_permission": "Input Monitoring is allowed",
    "screen_permission": "Screen Recording is allowed",
    "secure_input": "Secure input",
    "input": "Mouse and keyboard",
    "pictures": "Screen",
    "accessibility": "Accessibility",
    "disk": "Disk",
    "hotkeys": "Hot-keys",
}


def _self_test(folder: Path) -> list[Check]:
    """The same lines as in the app before a recording."""
    from recorder.selftest import run_selftest

    try:
        settings = load_settings().recorder
    except DemopackError:
        # The settings have a line of their own.
        settings = RecorderSettings()
    results = run_selftest(library=folder, settings=settings)
    return [
        Check(what=_TRIED[one.name], ok=one.ok, found=one.words, mend=one.hint, optional=not one.needed)
        for one in results
        if one.name in _TRIED
    ]


_MISPLACED = (
    ": recorded by an early version on a scaled desktop; positions are wrong, and what should be covered may be visible"
)


def _library(target: Path) -> list[Check]:
    from demopack.store.repair import kept_aside

    damaged: list[str] = []
    misplaced: list[str] = []

    def attempt() -> str:
        from demopack.redaction.position_correction import misplaced_demos
        from demopack.store import Library

        if not os.path.lexists(target) or (
            target.is_dir() and os.access(target, os.R_OK | os.X_OK) and not any(target.iterdir())
        ):
            above = next(path for path in (target.absolute(), *target.absolute().parents) if path.is_dir())
            if not os.access(above, os.W_OK | os.X_OK):
                raise LibraryError(
                    f"The library {target} cannot be made: {above} may not be written.",
                    hint="Check its permissions, or choose another library with --library.",
                )
            return f"{target} will be made"
        with Library.open(target, create=False) as library:
            free = shutil.disk_usage(target).free / 2**30
            rows = library.demos(damaged=True)
            damaged.extend(row.head.id for row in rows if row.damage)
            misplaced.extend(demo.id for demo in misplaced_demos(library))
            return f"{counted(len(rows), 'demo')} in {target}, {free:.1f} GiB free"

    checks = [_tried("Library", attempt)]
    for what, demos, wrong in (
        ("Damaged demos", damaged, " cannot be opened"),
        ("Positions", misplaced, _MISPLACED),
    ):
        if demos:
            mend = f"demopack repair --library {target}"
            checks.append(Check(what=what, ok=False, found=f"{_some(demos)}{wrong}", mend=mend, optional=True))
    if names := [path.name for path in kept_aside(target)]:
        them = "it" if len(names) == 1 else "them"
        found = f"{_some(names)} in {target}; what you forget stays in {them}"
        mend = f"Delete {them} when you need {them} no more."
        checks.append(Check(what="Kept by repairs", ok=False, found=found, mend=mend, optional=True))
    if os.name == "posix" and target.is_dir():
        checks.append(_private(target))
    return checks


def _some(names: list[str]) -> str:
    return f"{', '.join(names[:5])}{' and more' if len(names) > 5 else ''}"


def _private(folder: Path) -> Check:
    """Whether other users of this machine are kept out."""
    files = [path for path in (folder, folder / "library.db") if path.exists()]
    # A file is out of reach, whatever its rights are, in a folder that nobody else may enter.
    open_to = [path for path in files if path.stat().st_mode & 0o077]
    kept = folder not in open_to or len(open_to) == 1
    found = "nobody else on this machine can read it" if kept else f"others on this machine can read {folder}"
    return Check(what="Library is private", ok=kept, found=found, mend=f"chmod -R go-rwx {folder}", optional=True)


def _read_settings() -> str:
    load_settings()
    path = settings_path()
    return str(path) if path.exists() else f"defaults; what you change will be kept in {path}"


def _extras() -> list[Check]:
    from recorder.backends import has_x11

    checks: list[Check] = []
    for what, module, extra in (
        ("Reading text (rapidocr)", "rapidocr", "ocr"),
        ("Training of detectors (ultralytics)", "ultralytics", "vision"),
        ("Training of describers (transformers)", "transformers", "vision"),
    ):
        there = importlib.util.find_spec(module) is not None
        mend = f'In the checkout: uv sync --extra {extra}, or pip install ".[{extra}]"'  # quotes that cmd knows, too
        found = "installed" if there else "not installed"
        checks.append(Check(what=what, ok=there, found=found, mend=mend, optional=True))
    checks.append(other_scripts())
    if not has_x11():
        return checks  # the quickstart works on the person's own screen there
    missing = [program for program in ("Xvfb", "openbox") if shutil.which(program) is None]
    found = _there(missing, "Xvfb and openbox are installed")
    mend = "sudo apt-get install -y xvfb openbox"
    what = "Private screen for the quickstart"
    return [*checks, Check(what=what, ok=not missing, found=found, mend=mend, optional=True)]


def other_scripts() -> Check:
    """Which scripts can be read beside Latin, Chinese and Japanese, which come with rapidocr."""
    from models.vision.reading.tesseract import (
        PROGRAM_PACKAGE,
        SCRIPT_DATA,
        SCRIPTS,
        Script,
        damaged_models,
        find_tesseract,
        install_hint,
    )

    what = "Reading other scripts (Tesseract)"
    try:
        program = load_settings().vision.tesseract
    except DemopackError:
        program = "tesseract"  # the settings have a line of their own
    try:
        install = find_tesseract(program)
    except DemopackError as error:
        return Check(what=what, ok=False, found=error.user_message, mend=error.hint, optional=True)
    if not program:
        mend = 'Set "vision.tesseract" in the settings to its name or path.'
        return Check(what=what, ok=False, found="switched off; such text stays empty", mend=mend, optional=True)
    damaged = {} if install is None else damaged_models(install)
    read = [
        script for script in SCRIPTS if install is not None and script in install.readable and script not in damaged
    ]
    left: list[Script] = [script for script in SCRIPTS if script not in read]
    packages = ([] if install is not None else [PROGRAM_PACKAGE]) + [SCRIPT_DATA[script].package for script in left]
    words = [f"{_names(read)} can be read"] if read else []
    words += [f"{_names(damaged)} cannot, as the files are damaged"] if damaged else []
    gone = [script for script in left if script not in damaged]
    words += [f"{_names(gone)} cannot: such text stays empty"] if gone else []
    found = "; ".join(words) if install is None else f"{install.version}: {'; '.join(words)}"
    mend = install_hint(packages, again=bool(damaged))
    return Check(what=what, ok=not left, found=found, mend=mend, optional=True)


def _names(scripts: Iterable[str]) -> str:
    return ", ".join(script.capitalize() for script in scripts)


def _there(missing: list[str], words: str) -> str:
    return f"missing: {', '.join(missing)}" if missing else words
