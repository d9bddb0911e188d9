"""MiniWoB++ pages in Chromium: a program that nobody here wrote, and that judges for itself whether a task was done.

The page is driven through chromedriver for set-up (seed, start) and judgement (its own reward) alone. What solves the
task comes in as real mouse and keyboard events through the X server, from a person or from a replay.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from demopack.domain.geometry import Point, Rect
from player.backends.x11 import X11Performer

SCALE = 2  # text of 10 px is drawn with 20, as on a dense screen
WINDOW = (340, 290)  # of the page's own pixels
NEUTRAL = (710, 630)  # where the pointer waits, on nothing
SCREEN = (720, 640)  # just around the window: what is not there need not be read
_SWITCHES = (
    "--no-sandbox",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-infobars",
    "--disable-dev-shm-usage",
    "--disable-features=Translate,OptimizationHints,MediaRouter,PasswordManager,AutofillServerCommunication",
    "--password-store=basic",
    "--hide-crash-restore-bubble",
)
_NEVER_MS = 10_000_000

_START = """
Math.seedrandom(arguments[0]);
core.EPISODE_MAX_TIME = arguments[1];
core.startEpisodeReal();
core.hideDisplay();
document.getElementById('click-canvas').style.display = 'none';
"""
_BOXES = """
const all = arguments[1];
return [...document.querySelectorAll(arguments[0])].map(e => {
  const r = e.getBoundingClientRect();
  const shown = r.width > 0 && r.height > 0 && getComputedStyle(e).visibility !== 'hidden';
  return {text: (e.innerText || e.value || '').trim(), box: [r.left, r.top, r.right, r.bottom], shown};
}).filter(e => all || e.shown);
"""
_WATCH_POINTER = """
window.__seen = null;
addEventListener('pointermove', e => { window.__seen = [e.clientX, e.clientY]; }, {capture: true});
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something on the page: its text and where it is on the screen."""

    text: str
    box: Rect

    @property
    def center(self) -> Point:
        return self.box.center


def html_folder() -> Path:
    """The pages of the installed ``miniwob`` package; found without importing it (that needs gymnasium's registry)."""
    from importlib.util import find_spec

    spec = find_spec("miniwob")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "html"


class MiniWob:
    """One Chromium window that shows one task after the other."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._profile = tempfile.TemporaryDirectory(prefix="demopack-chromium-", ignore_cleanup_errors=True)
        self._origin = (0.0, 0.0)
        self._task = ""

    def __enter__(self) -> MiniWob:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        start = html_folder() / "miniwob" / "click-test.html"
        for switch in (
            *_SWITCHES,
            f"--app={start.as_uri()}",
            f"--user-data-dir={self._profile.name}",
            f"--window-size={WINDOW[0]},{WINDOW[1]}",
            "--window-position=10,10",
            f"--force-device-scale-factor={SCALE}",
        ):
            options.add_argument(switch)
        options.add_experimental_option("excludeSwitches", ["enable-automation"])
        # Without this, saved-password bubbles cover the page.
        options.add_experimental_option(
            "prefs", {"credentials_enable_service": False, "profile.password_manager_enabled": False}
        )
        service = Service("/usr/bin/chromedriver", env={**os.environ, **self._environment, "SE_OFFLINE": "true"})
        self._driver: Any = webdriver.Chrome(options=options, service=service)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._driver.quit()
        self._profile.cleanup()

    # Set-up ---------------------------------------------------------------------------------------------------

    def calibrate(self, device: X11Performer) -> None:
        """Find out where the page lies on the screen by moving the pointer and asking the page where it saw it."""
        self._driver.execute_script(_WATCH_POINTER)
        where = (20 + WINDOW[0] * SCALE // 2, 20 + WINDOW[1] * SCALE // 2)

        def seen() -> Any:
            # Chromium tells the page only of pointers that move, and a moment later.
            device.move(where[0] - 7, where[1] - 3)
            device.move(*where)
            return self.at_rest("return window.__seen")

        x, y = wait_for(seen, what="the page to see the pointer")
        self._origin = (where[0] - x * SCALE, where[1] - y * SCALE)

    def open(self, task: str, *, seed: int) -> None:
        """Show a fresh page of a task and start its episode with this seed."""
        self._task = task
        self._driver.get((html_folder() / "miniwob" / f"{task}.html").as_uri())
        # A page may be shown before its own scripts have run.
        ready = "return document.readyState === 'complete' && typeof genProblem === 'function'"
        wait_for(lambda: self._driver.execute_script(ready), what="the page to be complete")
        self._driver.execute_script(_START, str(seed), _NEVER_MS)
        wait_for(lambda: self._driver.execute_script("return document.hasFocus()"), what="the page to have the focus")

    # What a person sees ---------------------------------------------------------------------------------------

    @property
    def utterance(self) -> str:
        """The task in the page's words."""
        return str(self._driver.execute_script("return core.getUtterance()"))

    def find(self, css: str) -> list[Thing]:
        """The visible things that a selector names, where they are on the screen now."""
        return [
            Thing(text=e["text"], box=self._to_screen(e["box"])) for e in self._driver.execute_script(_BOXES, css, 0)
        ]

    def one(self, css: str, *, text: str | None = None) -> Thing:
        """The first visible thing that a selector names, with this text if one is given; waits until it is there."""

        def look() -> Thing | None:
            return next((t for t in self.find(css) if text is None or t.text == text), None)

        found: Thing = wait_for(look, what=f"{css} {text or ''} on the page of {self._task}")
        return found

    def ask(self, script: str) -> Any:
        """Anything else about the page that a person would see, as JavaScript that returns it."""
        return self._driver.execute_script(script)

    def at_rest(self, script: str) -> Any:
        """What JavaScript returns, as soon as it returns the same twice: the page has stopped moving."""
        last: list[Any] = [object()]

        def same() -> list[Any]:
            now = self.ask(script)
            rests, last[0] = now == last[0], now
            return [now] if rests else []

        return wait_for(same, what=f"{script} to come to rest", pause=0.12)[0]

    def to_screen(self, x: float, y: float) -> Point:
        """The pixel of the screen at a place of the page."""
        return Point(round(self._origin[0] + x * SCALE), round(self._origin[1] + y * SCALE))

    def _to_screen(self, box: list[float]) -> Rect:
        a, b = self.to_screen(box[0], box[1]), self.to_screen(box[2], box[3])
        return Rect(a.x, a.y, b.x, b.y)

    # Judgement ------------------------------------------------------------------------------------------------

    def reward(self, *, seconds: float = 5.0) -> float:
        """The page's own raw reward once its episode has ended; 0 when it has not ended in time."""
        try:
            wait_for(lambda: self.ask("return WOB_DONE_GLOBAL"), what="the end of the episode", seconds=seconds)
        except TimeoutError:
            return 0.0
        return float(self.ask("return WOB_RAW_REWARD_GLOBAL"))


def wait_for(look: Callable[[], Any], *, what: str, seconds: float = 10.0, pause: float = 0.05) -> Any:
    """What ``look`` returns as soon as it is something; fails with a sentence when it stays nothing."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"Waited {seconds:g} s in vain for {what}.")
        threading.Event().wait(pause)
    return found


def pretty(data: object) -> str:
    """JSON for a failing test's message."""
    return json.dumps(data, ensure_ascii=False, indent=1)
