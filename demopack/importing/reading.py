"""What importers share: places in any unit, actions in any dialect, bad rows that stop or are counted."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Generator, Iterable, Sequence
from itertools import pairwise
from typing import Any, Final

from demopack.domain.actions import AgentAction
from demopack.domain.frames import Frame
from demopack.domain.geometry import Size
from demopack.errors import ActionError
from demopack.importing.building import Builder, ImportOptions
from demopack.importing.errors import BadRowError
from demopack.importing.pictures import Shelf
from demopack.importing.report import Ledger
from demopack.importing.values import Row
from demopack.prompting.answers.parsed import ParsedAnswer
from demopack.prompting.answers.read import parse_answer
from demopack.prompting.scene import Scene

__all__ = ["action_in", "actions_of", "guarded", "look_at_numbers", "note_twice", "picture_of", "tell_notes", "units"]

_UNITS: Final = {"fractions": Size(1, 1), "percent": Size(100, 100), "thousand": Size(1000, 1000)}
_WORDS: Final = {
    "fractions": "places are read as fractions 0..1 of the picture",
    "percent": "places are read as percent of the picture",
    "thousand": "places are read on a grid of 1000 by 1000 over the picture",
}
_READINGS: Final = (
    ("The Enter after", "joined_enter", "an Enter right after typing was joined with it"),
    ("The move before", "joined_move", "a move of the pointer just before an action was joined with it"),
    ("The answer does not say how far", "scroll_steps", "how far to scroll is not said; 3 notches are taken"),
    ("The answer does not say how long", "wait_seconds", "how long to wait is not said; 1 second is taken"),
    ("The wait has no duration", "wait_seconds", "how long to wait is not said; 1 second is taken"),
    ("The same key", "joined_presses", "the same key several times in a row was joined"),
    ("The wait after", "joined_rest", "a wait right after a move was read as resting there"),
    ("Clearing the field", "clear_first", "a field that is cleared before typing is not said by the action"),
    ("Of a slanting scroll", "slanting", "of a slanting scroll only the longer way was read"),
    ("What follows the function", "arguments", "what stands behind the name of a function was not read"),
)


def units(options: ImportOptions, *, otherwise: str, frame: Size | None, ledger: Ledger, where: str) -> Size | None:
    """What a place is divided by, across and down; None where pixels are meant and nobody knows of what.

    Args:
        options: of the import.
        otherwise: the format's own way, for ``auto``.
        frame: size of the picture.
        ledger: hears how places were read.
        where: in the source.
    """
    way = otherwise if options.coordinates == "auto" else options.coordinates
    if way in _UNITS:
        ledger.assume(f"coordinates_{way}", _WORDS[way], where)
        return _UNITS[way]
    screen = options.screen or frame
    if screen is not None and frame is not None and screen != frame:
        why = f"places are pixels of a screen of {screen.width} x {screen.height}, drawn to the size of the picture"
        ledger.assume("coordinates_scaled", why, where)
    else:
        ledger.assume("coordinates_pixels", "places are read as pixels of the picture", where)
    return screen


def action_in(row: Row, field: str, said: Any, *, dialect: str, scene: Scene) -> ParsedAnswer:  # noqa: ANN401
    """What a value in some dialect means.

    Raises:
        BadRowError: it cannot be read; file, line, field and way out are named.
    """
    try:
        return parse_answer(said, dialect=dialect, scene=scene)
    except ActionError as error:
        hint = {
            "off_screen": "Say how places are meant with --coordinates, or for which screen with --screen.",
            "unknown_size": "Say for which screen places are meant with --screen, for instance 1920x1080.",
        }.get(error.code, "")
        shown = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        shown = shown if len(shown) <= 120 else f"{shown[:120]}…"
        raise row.wrong(field, f"{error.user_message} It says: {shown}", code=error.code, hint=hint) from error


def tell_notes(ledger: Ledger, notes: Iterable[str], where: str) -> None:
    """What the parser of a dialect repaired or assumed."""
    for note in notes:
        for start, code, why in _READINGS:
            if note.startswith(start):
                ledger.assume(code, why, where)
                break
        else:
            ledger.assume(note[:40], note, where)


def actions_of(parsed: ParsedAnswer, ledger: Ledger, where: str) -> list[AgentAction]:
    """The actions of an answer; what was assumed goes into the ledger."""
    tell_notes(ledger, parsed.notes, where)
    return [response.action for response in parsed.responses]


def look_at_numbers(rows: Sequence[Row], name: str, ledger: Ledger, *, twice: bool = False) -> None:
    """Tell where the numbers of steps jump, as they do in files that lost some.

    Args:
        rows: in the order of the file.
        name: of the field with the number.
        ledger: hears of it.
        twice: whether several rows may have one number.
    """
    numbers = [int(number) for row in rows if (number := row.number(name)) is not None]
    for last, number in pairwise(numbers):
        if number != last + 1 and not (twice and number == last):
            why = "the numbers of steps jump, as if some were missing; the order of the file stands"
            ledger.assume("jump", why, f"from {last} to {number} in {ledger.source}")


def note_twice(row: Row, ledger: Ledger) -> None:
    """Tell that values were JSON inside a text."""
    for name in row.twice:
        ledger.assume("json_twice", "a value was JSON inside a text and was read again", f"{row.place}, {name}")
    row.twice.clear()


def picture_of(shelf: Shelf, row: Row, field: str, name: str, builder: Builder) -> Frame | None:
    """The picture that a row names; None where it has none, or where it is bad and bad ones are passed over.

    Raises:
        BadRowError: it is missing or damaged.
    """
    if not name:
        return None
    try:
        found = shelf.files.find(name, near=row.file)
        if found is None:
            hint = "Put it beside the file or into images/, or import without it by --skip-bad."
            raise row.wrong(field, f"the picture {name!r} is not there", code="missing_picture", hint=hint)
        if not found.endswith(name.replace("\\", "/")):
            why = "pictures were found by the last part of their path alone"
            builder.ledger.assume("moved_picture", why, row.place)
        return shelf.file(found)
    except BadRowError as error:
        if not builder.options.skip_bad:
            raise
        builder.ledger.lose(error.code, "pictures that are missing or damaged", row.place)
        return None


@contextlib.contextmanager
def guarded(builder: Builder, place: str, *, rows: int = 1) -> Generator[None]:
    """Some rows that belong together: used when all goes well; bad ones stop the import, or are counted if asked for.

    Args:
        builder: of the demo.
        place: of the first row.
        rows: how many they are; 0 where others count them, and only a bad one counts here.
    """
    ledger = builder.ledger
    steps, noted = len(builder.steps), ledger.rows_noted
    try:
        yield
    except (BadRowError, ActionError) as error:
        del builder.steps[steps:]
        if not builder.options.skip_bad:
            raise
        for _ in range(max(1, rows)):
            ledger.skip(getattr(error, "code", "damaged"), getattr(error, "why", error.user_message), place)
        return
    ledger.rows_used += rows - (ledger.rows_noted - noted)
