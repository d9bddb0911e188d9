"""The practice app in its own process, the task of the scripted person in it, and how the app then looks."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from demopack.domain.geometry import Point, Rect
from demopack.errors import DemopackError
from demopack.jobs import CancelToken
from demopack.processes import NO_CONSOLE, end_process
from demopack.resources import asset
from player.scripted_user import PracticeUser

_POLL_S = 0.04
_OLD_LOOKS = 1  # the look that may have begun before we asked
_START_TIMEOUT_S = 30.0
_SEEN_TIMEOUT_S = 20.0
_STATE_TIMEOUT_S = 5.0


class PracticeApp:
    """Runs ``assets/practice_app`` with this Python for the length of a ``with`` block.

    Args:
        folder: where its two files go; files that are there are removed first.
        environment: of the new process; says on which display it appears.
        token: stops every wait.
    """

    def __init__(self, folder: Path, *, environment: Mapping[str, str], token: CancelToken | None = None) -> None:
        self.state_file = folder / "practice-state.json"
        self._map_file = folder / "practice-map.json"
        self._environment = dict(environment)
        self._token = token or CancelToken()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> PracticeApp:
        self.state_file.parent.mkdir(parents=True, exist_ok=True)
        for file in (self.state_file, self._map_file):
            file.unlink(missing_ok=True)
        program = asset("practice_app/main.py")
        command = [sys.executable, str(program), "--state", str(self.state_file), "--map", str(self._map_file)]
        # In a group of its own: Ctrl-C in the terminal ends the work in order, and that ends the app.
        self._process = subprocess.Popen(
            command,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            process_group=0,
            creationflags=NO_CONSOLE,
        )
        try:
            self._wait_for("the practice window", lambda: self._seen().get("active") is True, _START_TIMEOUT_S)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> int:
        """End the app as a desktop would, wait for it, and return its exit code; calling it twice is harmless."""
        if self._process is None:
            return 0
        return end_process(self._process)

    def where(self, name: str) -> Rect:
        """The visible box of a widget, as soon as it can be seen; names as in ``practice_eyes.py``.

        Raises:
            DemopackError: it cannot be seen.
            CancelledError: the wait was cancelled.
        """
        # What the app told last may be where the thing was before; on a busy machine it takes a while to look again.
        looked = self._seen().get("looks", 0)
        self._wait_for(
            "life in the practice window", lambda: self._seen().get("looks", 0) > looked + _OLD_LOOKS, _START_TIMEOUT_S
        )
        self._wait_for(f"“{name}” in the practice window", lambda: name in self._places(), _SEEN_TIMEOUT_S)
        return Rect(*self._places()[name])

    def wait_for_focus(self, name: str) -> None:
        """Wait until a field takes the keys: a busy window manager hands a click on later than the keys after it.

        Raises:
            DemopackError: it does not come to that.
            CancelledError: the wait was cancelled.
        """
        self._wait_for(f"the cursor in “{name}”", lambda: self._seen().get("focus") == name, _SEEN_TIMEOUT_S)

    def sees(self, name: str) -> bool:
        """Whether a widget can be seen now."""
        return name in self._places()

    def state(self) -> dict[str, Any]:
        """What the app itself says that it holds."""
        return _read(self.state_file)

    def wait_for_state(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The app's state as soon as it fulfils a condition, else as it is after some seconds."""
        deadline = time.monotonic() + _STATE_TIMEOUT_S
        while not condition(state := self.state()) and time.monotonic() < deadline:
            self._token.wait(_POLL_S)
            self._token.check()
        return state

    def _seen(self) -> dict[str, Any]:
        return _read(self._map_file)

    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = self._seen().get("places", {})
        return places

    def _wait_for(self, what: str, condition: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            if self._process is not None and self._process.poll() is not None:
                raise DemopackError(
                    "The practice app ended by itself.", details=f"Exit code {self._process.returncode}."
                )
            if time.monotonic() > deadline:
                raise DemopackError(f"There is no sign of {what} after {seconds:g} s.")
            self._token.wait(_POLL_S)
            self._token.check()


def _read(path: Path) -> dict[str, Any]:
    """The file's content; empty until the app has written it."""
    if not path.exists():
        return {}
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


TASK: Final = (
    "Register Zoë Müller, zoe@example.org, for Ceramics in Seoul in the afternoon, with 7 years of experience and the "
    "newsletter. Mark it as urgent, note that lunch is at noon, and submit."
)
_NAME: Final = "Zoë Müller"
_NOTE: Final = "Lunch at noon, please: voilà ✓"
CHARACTERS: Final = _NAME + _NOTE + "zoe@example.org"
"""Every character that the person's keyboard needs."""

_NOTCHES: Final = 4  # enough to reach the end of the form
_WORDS_X, _WORDS_Y = 48, 17  # pixels from a field's left and top to the middle of its first words
_EXPECTED: Final[Mapping[str, Any]] = {
    "name": _NAME,
    "email": "zoe@example.org",
    "password_length": 0,
    "city": "Seoul",
    "workshop": "Ceramics",
    "time": "Afternoon",
    "newsletter": True,
    "lunch": False,
    "parking": False,
    "experience": 7,
    "notes": _NOTE,
    "urgent": True,
}


def perform(person: PracticeUser, app: PracticeApp) -> None:
    """Fill the form in and send it. The password field is left alone."""

    def click(name: str) -> None:
        person.click(_words_of(app.where(name)))

    click("name")
    app.wait_for_focus("name")
    person.type_text(_NAME)
    person.press("Tab")
    person.type_text("zoe@examplee")
    person.press("Backspace")
    person.type_text(".org")
    click("city")
    click("city:Seoul")
    click("workshop:Ceramics")
    person.drag(app.where("experience:handle").center, app.where("experience:7").center)
    click("Afternoon")
    click("newsletter")
    person.press("Meta+U" if sys.platform == "darwin" else "Ctrl+U")  # Qt gives shortcuts to the Command key there
    person.scroll(app.where("form").center, down=_NOTCHES)
    click("notes")
    app.wait_for_focus("notes")
    person.type_text(_NOTE)
    click("submit")
    app.wait_for_state(lambda state: bool(state["submitted"]))


def _words_of(box: Rect) -> Point:
    """Where a person points at in a wide field or row: at its words, which begin at the top left."""
    return Point(box.x1 + min(box.width // 2, _WORDS_X), box.y1 + min(box.height // 2, _WORDS_Y))


def differences(state: Mapping[str, Any]) -> list[str]:
    """Where the app's own state is not what the task asks for; empty when the task is done."""
    found: list[str] = []
    if not state.get("submitted"):
        found.append(f"The form was not sent; it says: {state.get('result', 'nothing')}")
    elif len(state["submissions"]) != 1:
        found.append(f"The form was sent {len(state['submissions'])} times.")
    sent = (state.get("submissions") or [state.get("fields", {})])[0]
    for field, wanted in _EXPECTED.items():
        if sent.get(field) != wanted:
            found.append(f"{field} is {sent.get(field)!r} instead of {wanted!r}")
    return found
