"""MiniWoB++ pages in Chromium: tasks that judge by their own reward whether they were done.

The page is driven through chromedriver for set-up (seed, start) and judgement (its own reward) alone. What solves the
task comes in as real mouse and keyboard events through the X server.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

from demopack.domain.geometry import Point, Rect
from demopack.errors import CaptureError
from demopack.replacing import scratch_folder
from player.backends.base import Performer
from recorder.browsers import KEEPS_TO_ITSELF, UNASKED_FEATURES

SCALE: Final = 2  # text of 10 px is drawn with 20, as on a dense screen
WINDOW: Final = (340, 290)  # of the page's own pixels
NEUTRAL: Final = Point(710, 630)  # where the pointer waits, on nothing
SCREEN: Final = (720, 640)  # just around the window: what is not there need not be read
HINT: Final = "Install what it needs: pip install 'demopack[bench]', and Chromium with chromedriver."

_SWITCHES: Final = (
    *KEEPS_TO_ITSELF,
    "--no-sandbox",
    "--disable-gpu",
    "--disable-infobars",
    "--disable-dev-shm-usage",
    f"--disable-features={','.join(UNASKED_FEATURES)}",
    "--hide-crash-restore-bubble",
)
_NEVER_MS: Final = 10_000_000
_COMPLETE: Final = "return document.readyState === 'complete' && typeof genProblem === 'function'"

_START: Final = """
Math.seedrandom(arguments[0]);
core.EPISODE_MAX_TIME = arguments[1];
core.startEpisodeReal();
core.hideDisplay();
document.getElementById('click-canvas').style.display = 'none';
"""
_ELEMENTS: Final = """
const reached = (e, x, y) => {
  const hit = document.elementFromPoint(x, y);
  return hit !== null && (e.contains(hit) || hit.contains(e) && hit.matches('label'));
};
const alone = (e, x, y) => [[0, 0], [-2, 0], [2, 0], [0, -2], [0, 2]].every(([dx, dy]) => reached(e, x + dx, y + dy));
const freePoint = (e, r) => {
  const middle = [(r.left + r.right) / 2, (r.top + r.bottom) / 2];
  if (alone(e, ...middle)) return middle;
  const places = [];
  for (let i = 1; i < 12; i++) for (let j = 1; j < 12; j++) {
    const x = r.left + r.width * i / 12, y = r.top + r.height * j / 12;
    if (reached(e, x, y)) places.push([x, y, Math.hypot(i - 6, j - 6)]);
  }
  const inner = places.filter(([x, y]) => alone(e, x, y));
  return (inner.length ? inner : places).sort((a, b) => a[2] - b[2])[0] || null;
};
return [...document.querySelectorAll(arguments[0])].map(e => {
  const r = e.getBoundingClientRect();
  const shown = r.width > 0 && r.height > 0 && getComputedStyle(e).visibility !== 'hidden';
  const text = (e.innerText || e.value || '').trim();
  return {text, box: [r.left, r.top, r.right, r.bottom], shown, free: shown ? freePoint(e, r) : null};
}).filter(e => e.shown);
"""
_WATCH_POINTER: Final = """
window.__seen = null;
addEventListener('pointermove', e => { window.__seen = [e.clientX, e.clientY]; }, {capture: true});
"""
_UTTERANCE: Final = "const said = core.getUtterance(); return typeof said === 'string' ? said : said.utterance"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageElement:
    """One visible element of a page.

    Attributes:
        text: that it shows, or the value it holds.
        box: on the screen, with what is covered or scrolled away.
        free: the pixel of the screen nearest to its middle where nothing covers it; None where all of it is covered.
    """

    text: str
    box: Rect
    free: Point | None

    @property
    def point(self) -> Point:
        """Where a person clicks it: its middle, or the nearest place that is not covered."""
        return self.free or self.box.center


def html_folder() -> Path:
    """The pages of the installed ``miniwob`` package; found without importing it (that needs gymnasium's registry).

    Raises:
        CaptureError: the package is not installed.
    """
    spec = find_spec("miniwob")
    if spec is None or not spec.submodule_search_locations:
        raise CaptureError("The MiniWoB++ pages are not installed.", hint=HINT)
    return Path(spec.submodule_search_locations[0]) / "html"


def _program(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise CaptureError(f"There is no {names[0]} on this machine.", hint=HINT)
    return found


class TaskBrowser:
    """One Chromium window on a display, which shows one task after the other.

    Args:
        environment: of programs on that display.
        telling: the browser reports what its pages show, to programs that ask.
    """

    def __init__(self, environment: Mapping[str, str], *, telling: bool = False) -> None:
        self._environment = dict(environment)
        self._telling = telling
        self._ends = ExitStack()
        self._origin = (0.0, 0.0)
        self._task = ""

    def __enter__(self) -> Self:
        if find_spec("selenium") is None:
            raise CaptureError("Selenium, which opens the MiniWoB++ pages, is not installed.", hint=HINT)
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        start = html_folder() / "miniwob" / "click-test.html"
        options: Any = webdriver.ChromeOptions()
        options.binary_location = _program("chromium", "chromium-browser", "google-chrome")
        profile = self._ends.enter_context(scratch_folder())
        for switch in (
            *_SWITCHES,
            *(["--force-renderer-accessibility"] if self._telling else []),
            f"--app={start.as_uri()}",
            f"--user-data-dir={profile}",
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
        environment = {**os.environ, **self._environment, "SE_OFFLINE": "true"}
        try:
            service = Service(_program("chromedriver"), env=environment)
            self._driver: Any = webdriver.Chrome(options=options, service=service)
        except BaseException:
            self._ends.close()
            raise
        self._ends.callback(self._driver.quit)
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    # Set-up ---------------------------------------------------------------------------------------------------

    def calibrate(self, device: Performer) -> None:
        """Find out where the page lies on the screen by moving the pointer and asking the page where it saw it.

        Raises:
            CaptureError: the page does not see the pointer.
        """
        self._driver.execute_script(_WATCH_POINTER)
        where = (20 + WINDOW[0] * SCALE // 2, 20 + WINDOW[1] * SCALE // 2)

        def seen() -> Any:  # noqa: ANN401 - JSON
            # Chromium tells the page only of pointers that move, and a moment later.
            device.move(where[0] - 7, where[1] - 3)
            device.move(*where)
            return self.at_rest("return window.__seen")

        x, y = _wait_for(seen, what="the page to see the pointer")
        self._origin = (where[0] - x * SCALE, where[1] - y * SCALE)

    def open(self, task: str, *, seed: int) -> None:
        """Show a fresh page of a task and start its episode with this seed; it has no time limit.

        A page that is loaded afresh draws the same pixels each time, also where a second episode on one page does not.

        Raises:
            CaptureError: there is no such task, or its page does not come up.
        """
        path = html_folder() / "miniwob" / f"{task}.html"
        if not path.is_file():
            raise CaptureError(f"The installed MiniWoB++ has no task {task}.")
        self._task = task
        self._driver.get(path.as_uri())
        # A page may be shown before its own scripts have run.
        _wait_for(lambda: self._driver.execute_script(_COMPLETE), what="the page to be complete")
        self._driver.execute_script(_START, str(seed), _NEVER_MS)
        _wait_for(lambda: self._driver.execute_script("return document.hasFocus()"), what="the page to have the focus")

    # What a person sees ---------------------------------------------------------------------------------------

    @property
    def utterance(self) -> str:
        """The task in the page's words."""
        return str(self._driver.execute_script(_UTTERANCE))

    def find(self, css: str) -> list[PageElement]:
        """The visible elements that a selector names, where they are on the screen now."""
        found: list[PageElement] = []
        for e in self._driver.execute_script(_ELEMENTS, css):
            free = None if e["free"] is None else self.to_screen(e["free"][0], e["free"][1])
            found.append(PageElement(text=e["text"], box=self._box_on_screen(e["box"]), free=free))
        return found

    def one(self, css: str, *, text: str | None = None) -> PageElement:
        """The first visible element that a selector names, with this text if one is given; waits until it is there.

        Raises:
            CaptureError: it does not come.
        """

        def look() -> PageElement | None:
            return next((t for t in self.find(css) if text is None or t.text == text), None)

        found: PageElement = _wait_for(look, what=f"{css} {text or ''} on the page of {self._task}")
        return found

    def ask(self, script: str, *values: object) -> Any:  # noqa: ANN401 - JSON
        """Anything else about the page that a person would see, as JavaScript that returns it."""
        return self._driver.execute_script(script, *values)

    def at_rest(self, script: str) -> Any:  # noqa: ANN401 - JSON
        """What JavaScript returns, as soon as it returns the same twice: the page has stopped moving.

        Raises:
            CaptureError: it goes on moving.
        """
        last: list[Any] = [object()]

        def same() -> list[Any]:
            now = self.ask(script)
            rests, last[0] = now == last[0], now
            return [now] if rests else []

        return _wait_for(same, what=f"{script} to come to rest", pause=0.12)[0]

    def to_screen(self, x: float, y: float) -> Point:
        """The pixel of the screen at a place of the page."""
        return Point(round(self._origin[0] + x * SCALE), round(self._origin[1] + y * SCALE))

    def _box_on_screen(self, box: list[float]) -> Rect:
        a, b = self.to_screen(box[0], box[1]), self.to_screen(box[2], box[3])
        return Rect(a.x, a.y, b.x, b.y)

    # Judgement ------------------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the episode has ended."""
        return bool(self.ask("return WOB_DONE_GLOBAL"))

    def reward(self, *, seconds: float = 5.0) -> float:
        """The page's own raw reward once its episode has ended; 0 when it has not ended in time."""
        try:
            _wait_for(lambda: self.done, what="the end of the episode", seconds=seconds)
        except CaptureError:
            return 0.0
        return float(self.ask("return WOB_RAW_REWARD_GLOBAL"))


def _wait_for(look: Callable[[], Any], *, what: str, seconds: float = 10.0, pause: float = 0.05) -> Any:  # noqa: ANN401
    """What ``look`` returns as soon as it is something.

    Raises:
        CaptureError: it stays nothing.
    """
    deadline = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > deadline:
            raise CaptureError(f"Waited {seconds:g} s in vain for {what}.")
        threading.Event().wait(pause)
    return found
