"""Where Chromium is and how it is started for pictures: offline, without its own services, with classic scroll bars."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from demopack.errors import CaptureError
from recorder.browsers import KEEPS_TO_ITSELF, UNASKED_FEATURES

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_SWITCHES = (
    "--headless",
    "--remote-debugging-pipe",
    *KEEPS_TO_ITSELF,
    "--no-sandbox",
    "--disable-gpu",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-dev-shm-usage",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    "--mute-audio",
    # One process for all pages of a kind, no spare one: two cores are shared with others.
    "--process-per-site",
    "--renderer-process-limit=1",
    # Nothing outside is ever asked.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--allow-file-access-from-files",
    # The same pixels everywhere: grey smoothing of text, one colour space.
    "--disable-lcd-text",
    "--force-color-profile=srgb",
    "--font-render-hinting=slight",
)
_FEATURES_OFF = (*UNASKED_FEATURES, "OverlayScrollbar", "SpareRendererForSitePerProcess")


def chromium_command(profile: Path, *, extra: Sequence[str] = ()) -> list[str]:
    """The program and its switches, with a profile of its own.

    Raises:
        CaptureError: no Chromium is installed.
    """
    program = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if program is None:
        raise CaptureError(
            "Chromium is not installed; web pages cannot be drawn without it.",
            hint="Install it, on Debian with: apt-get install chromium",
        )
    return [
        program,
        *_SWITCHES,
        f"--disable-features={','.join(_FEATURES_OFF)}",
        f"--user-data-dir={profile}",
        *extra,
        "about:blank",
    ]
