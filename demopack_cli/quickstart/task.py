"""Task of the scripted person in the practice app, and how its own state then looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from demopack.domain.geometry import Point, Rect
from demopack_cli.quickstart.practice import PracticeApp
from demopack_cli.quickstart.scripted_user import PracticeUser

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
    person.press("Ctrl+U")
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
