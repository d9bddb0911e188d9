"""Browsers and the programs that are built on one (Electron): which of them tell nothing, and starting one that tells.

They decide as they start whether they tell what their pages show, and cannot be talked into it later. One that runs is
never touched: what is started here has a profile of its own.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from demopack.atomic import make_private_folder
from demopack.errors import BadInputError, CaptureError
from recorder.backends import open_access, open_windows
from recorder.backends.base import AccessSource, SeenWindow

Kind = Literal["chromium", "firefox", "qtwebengine"]
_NO_WELCOME: Final = ("--no-first-run", "--no-default-browser-check")
KEEPS_TO_ITSELF: Final = (
    *_NO_WELCOME, "--disable-sync", "--disable-background-networking", "--disable-component-update",
    "--disable-default-apps", "--disable-extensions", "--password-store=basic",
)  # fmt: skip
"""Switches of a Chromium that shows pages for a program: it greets nobody, fetches nothing and asks for no key ring."""
UNASKED_FEATURES: Final = (
    "Translate", "OptimizationHints", "MediaRouter", "PasswordManager", "AutofillServerCommunication",
)  # fmt: skip
"""What such a Chromium does not offer (``--disable-features``)."""
_WAIT_S: Final = 20.0
_POLL_S: Final = 0.2
_ASK_S: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """One that we know by name.

    Attributes:
        title: as a person calls it.
        programs: names of its executables, the usual one first.
        kind: whose switches it takes.
        own_profile: its arguments for a profile of its own; ``{profile}`` stands for the folder.
    """

    title: str
    programs: tuple[str, ...]
    kind: Kind = "chromium"
    own_profile: tuple[str, ...] = ("--user-data-dir={profile}",)


BROWSERS: Final[dict[str, Browser]] = {
    "chromium": Browser(title="Chromium", programs=("chromium", "chromium-browser")),
    "chrome": Browser(title="Chrome", programs=("google-chrome", "google-chrome-stable", "chrome")),
    "edge": Browser(title="Edge", programs=("microsoft-edge", "microsoft-edge-stable", "msedge")),
    "brave": Browser(title="Brave", programs=("brave-browser", "brave")),
    "vivaldi": Browser(title="Vivaldi", programs=("vivaldi", "vivaldi-stable", "vivaldi-bin")),
    "opera": Browser(title="Opera", programs=("opera",)),
    "firefox": Browser(
        title="Firefox",
        programs=("firefox", "firefox-esr"),
        kind="firefox",
        own_profile=("--no-remote", "--profile", "{profile}"),
    ),
    # Its profiles lie in the user's folders, which are others for it.
    "falkon": Browser(title="Falkon", programs=("falkon",), kind="qtwebengine", own_profile=("--no-remote",)),
    "qutebrowser": Browser(
        title="qutebrowser", programs=("qutebrowser",), kind="qtwebengine", own_profile=("--basedir", "{profile}")
    ),
    "code": Browser(title="VS Code", programs=("code", "codium")),
}
"""By the name for ``demopack launch``."""


def title_of(program: str) -> str:
    """What a person calls a program that is named as for :func:`launch`."""
    return BROWSERS[program].title if program in BROWSERS else Path(program).name


def silent_browsers(access: AccessSource, *, display: str | None = None) -> list[str]:
    """The names, for :func:`launch` as for a person, of browsers that have a window and tell nothing.

    Args:
        access: asks programs; has begun.
        display: an X server other than the one in ``DISPLAY``.
    """
    telling = access.telling(timeout_s=_ASK_S)
    if telling is None:
        return []
    found: dict[str, None] = {}
    with contextlib.suppress(CaptureError), contextlib.closing(open_windows(display)) as windows:
        for window in windows.read().stack:
            if isinstance(window, SeenWindow) and window.process and window.process not in telling:
                found.update(dict.fromkeys(_name_of(window.process)))
    return list(found)


def _name_of(process: int) -> list[str]:
    try:
        program = Path(f"/proc/{process}/exe").readlink()
    except OSError:
        return []
    # Distributions start them through scripts, and call the executable itself by another name.
    words = {program.name.removesuffix("-bin"), program.parent.name}
    known = [name for name, one in BROWSERS.items() if words & {*one.programs, name}]
    return known[:1] or ([str(program)] if _is_electron(program) else [])


def _is_electron(program: Path) -> bool:
    return (program.parent / "chrome_100_percent.pak").is_file()


def launch(
    program: str, arguments: Sequence[str], *, profiles: Path, environment: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a browser, or a program built on one, so that it tells what it shows. It outlives us.

    Args:
        program: a name in :data:`BROWSERS`, or an executable of another that takes Chromium's switches.
        arguments: of the program, for instance an address.
        profiles: the folder for profiles of such programs; that of a person is never used.
        environment: of the program; ours unless given.

    Raises:
        BadInputError: there is no such program, or it cannot be started.
    """
    browser = BROWSERS.get(program)
    path = _executable(program, browser)
    profile = profiles / (program if browser is not None else path.name)
    make_private_folder(profile)
    given = dict(os.environ if environment is None else environment)
    given |= {"ACCESSIBILITY_ENABLED": "1", "GNOME_ACCESSIBILITY": "1"}
    known = browser or Browser(title=path.name, programs=(program,))
    command = [str(path), *(one.format(profile=profile) for one in known.own_profile)]
    switches = ["--force-renderer-accessibility"]
    # As root it refuses to start otherwise.
    switches += ["--no-sandbox"] if sys.platform != "win32" and os.geteuid() == 0 else []
    if known.kind == "chromium":
        command += [*switches, *_NO_WELCOME]
    elif known.kind == "qtwebengine":
        given |= dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), str(profile))
        given |= {"QTWEBENGINE_CHROMIUM_FLAGS": " ".join(switches), "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
    command += arguments
    try:
        return subprocess.Popen(
            command,
            env=given,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise BadInputError(f"{path} cannot be started: {error.strerror}.") from error


def _executable(program: str, browser: Browser | None) -> Path:
    names = (program,) if browser is None else browser.programs
    found = next((path for name in names if (path := shutil.which(name)) is not None), None)
    if found is not None:
        return Path(found)
    if browser is not None:
        raise BadInputError(
            f"{browser.title} is not installed: there is no program {' or '.join(names)}.",
            hint="Install it, or name its executable.",
        )
    raise BadInputError(
        f"There is no program {program}.", hint=f"Use one of {', '.join(BROWSERS)}, or the path of an executable."
    )


def wait_until_told(
    process: subprocess.Popen[bytes], *, display: str | None = None, timeout_s: float = _WAIT_S
) -> bool:
    """Wait until a program that was launched tells what it shows; False where it does not in time, or has ended.

    Raises:
        CaptureError: nobody can be asked.
    """
    access, pause, deadline = open_access(display), threading.Event(), time.monotonic() + timeout_s
    access.start()
    try:
        while not access.has_begun:
            pause.wait(_POLL_S)
        if not access.available:
            raise CaptureError(
                "Programs cannot be asked here: there is no accessibility service.",
                hint="Install at-spi2-core and log in again.",
            )
        while time.monotonic() < deadline:
            telling = access.telling(timeout_s=_ASK_S) or frozenset[int]()
            if any(_is_within(one, process.pid) for one in telling):
                return True
            if process.poll() not in {None, 0}:  # a script may have started it, and have ended
                return False
            pause.wait(_POLL_S)
    finally:
        access.stop()
    return False


def _is_within(process: int, session: int) -> bool:
    """Whether a process belongs to the session that was begun with another one."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            return os.getsid(process) == session
    return False
