"""Rules for rows and conversations: JSON Lines, imagefolder tables, chats, computer calls in three vendors' forms."""

from __future__ import annotations

import base64
import binascii
import contextlib
import posixpath
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, cast

from demopack.errors import PackError
from demopack.json_lines import parse_object
from demopack.json_text import as_list, as_row, as_rows, object_in
from demopack.pack.check.exports import ENDINGS, ExportedFile, as_number
from demopack.pack.check.lines import form_problem
from demopack.pack.check.private import PICTURE_URL, scan_value
from demopack.pack.source import raw_lines

Row = dict[str, Any]
_PATHS: Final = frozenset({"file_name", "file_names", "image", "images", "image_path", "img", "screenshot", "path"})
_STEPS: Final = frozenset({"steps", "traj"})
"""Fields of a demo that hold its steps, each with a picture."""
_USER: Final = frozenset({"user", "human", "observation", "tool", "function"})
_MODEL: Final = frozenset({"assistant", "gpt", "model", "function_call"})
_THOUSAND: Final = (1000.0, 1000.0)
"""Gemini counts to 1000 along both sides, however large the picture is."""


def check_rows(file: ExportedFile, more: Callable[[Row, ExportedFile], None]) -> None:
    """H01, H03, H04, I01, P01, X03, X04 and what is private, for each line of a table; ``more`` looks at rows, too."""
    kinds: dict[str, tuple[str, int]] = {}
    last = b"\n"
    try:
        for number, last in enumerate(raw_lines(file.folder.source, file.name), start=1):
            place = file.at(number)
            row = _row(last, number, place)
            if row is None:
                with contextlib.suppress(UnicodeDecodeError):
                    scan_value(file.name, number, last.decode("utf-8"), file.folder.scan)
                continue
            file.folder.scan.row(file.name, number, row)
            if "type" in row and ("message" in row or "payload" in row):
                place.broken("H01", "`type` stands beside `message` or `payload`.")
            _check_row(row, number, kinds, place)
            more(row, place)
    except PackError as error:
        file.broken("H04", f"It cannot be read: {error.user_message}")
        return
    if not last.endswith(b"\n"):
        file.broken("H04", "The last line has no line end; it may be cut off.")


def check_json_chats(value: object, file: ExportedFile) -> None:
    """H03, X03, X04, I01 and P01 for a file that is one list of conversations."""
    kinds: dict[str, tuple[str, int]] = {}
    for number, row in enumerate(as_rows(value), start=1):
        _check_row(row, number, kinds, file.at(number))


def check_data_sets(value: object, file: ExportedFile) -> None:
    """H03 for ``dataset_info.json``, in which LLaMA-Factory looks for files and their columns."""
    for name, one in object_in(value).items():
        found = object_in(one)
        if "file_name" not in found:
            continue  # one of a hub
        table = posixpath.join(posixpath.dirname(file.name), str(found["file_name"]))
        if table not in file.folder.names:
            file.broken("H03", f"{name} is said to lie in {found['file_name']}, which is missing.")
            continue
        with contextlib.suppress(PackError, ValueError, RecursionError):
            first = parse_object(next(raw_lines(file.folder.source, table), b"{}").decode("utf-8"))
            for column in object_in(found.get("columns")).values():
                if first and column not in first:
                    file.broken("H03", f"{name} is said to have the column {column!r}; {table} has none.")


def _row(line: bytes, number: int, place: ExportedFile) -> Row | None:
    problem = form_problem(number, line)
    row: Row | None = None
    try:
        row = parse_object(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (ValueError, RecursionError) as error:
        problem = problem or f"It is not one JSON object: {error}."
    if problem:
        place.broken("H04", problem)
    return row


def _check_row(row: Row, number: int, kinds: dict[str, tuple[str, int]], place: ExportedFile) -> None:
    """Types as in the rows before, a conversation's turns, and pictures.

    Args:
        row: one line, or one object of a list.
        number: of it, from 1.
        kinds: field -> what it was in the rows before, and in which first.
        place: where it stands.
    """
    for key, value in row.items():
        if value is not None:
            kind = _kind(value)
            first, line = kinds.setdefault(key, (kind, number))
            if first != kind:
                place.broken("H03", f"{key} is {kind} here and {first} in line {line}.")
    turns = row.get("messages", row.get("conversations"))
    if "prompt" in row and "completion" in row:
        turns = [*as_list(row["prompt"]), *as_list(row["completion"])]
    if isinstance(turns, list):
        _check_chat(row, as_rows(cast("object", turns)), place)
    for path in _paths(row):
        place.picture(path)


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    return "text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"


def _paths(row: Row) -> Iterator[str]:
    for key, value in row.items():
        if key in _STEPS:
            for step in as_rows(value):
                yield from _paths(step)
        if key in _PATHS or key.endswith("_file_name"):
            for item in [value, *as_list(value)]:
                if isinstance(item, str) and (item.lower().endswith(ENDINGS) or key.startswith("file_name")):
                    yield item


def _check_chat(row: Row, turns: Sequence[Row], place: ExportedFile) -> None:
    roles = [str(turn.get("role", turn.get("from", ""))) for turn in turns]
    talk = [role for role in roles if role not in {"system", "developer"}]
    _check_turns(talk, "assistant", place, users=_USER, models=_MODEL)
    pictures = row.get("images", row.get("image", row.get("file_names")))
    if pictures is None:
        return
    count = 1 if isinstance(pictures, str) else len(as_list(pictures))
    places = sum(_places(turn.get("content", turn.get("value"))) for turn in turns)
    if places != count:
        place.broken("X03", f"{places} places for pictures, {count} pictures.")


def _places(content: object) -> int:
    if isinstance(content, str):
        return content.count("<image>")
    return sum(str(part.get("type", "")).startswith(("image", "input_image")) for part in as_rows(content))


def _check_turns(
    roles: Sequence[str], model: str, place: ExportedFile, *, users: Collection[str], models: Collection[str]
) -> None:
    """X04: user and model take turns, and the model has the last word."""
    for number, role in enumerate(roles):
        if role not in (models if number % 2 else users):
            place.broken("X04", f"Turn {number + 1} is {role!r}.")
            return
    if not roles or roles[-1] not in models:
        place.broken("X04", f"The {model} does not have the last word.")


class _Conversation:
    """One file, and what was seen of it so far.

    Attributes:
        broken: notes that a rule is broken in it.
        size: of the picture that was shown last; None before the first.
        pictures: how many there were.
    """

    def __init__(self, file: ExportedFile) -> None:
        self._file = file
        self.broken = file.broken
        self.size: tuple[int, int] | None = None
        self.pictures = 0

    def picture(self, kind: object, text: object) -> None:
        """I01, I04 and P04 for a picture in base64."""
        self.pictures += 1
        data = None
        if isinstance(text, str):
            with contextlib.suppress(binascii.Error, ValueError):
                data = base64.b64decode(text, validate=True)
        self.size = self._file.check_bytes(data, str(kind), f"Picture {self.pictures}") or self.size

    def place(self, x: object, y: object, size: tuple[float, float] | None) -> None:
        """G01 and H03 for a place that was acted on."""
        if size is None:
            return
        across, down = as_number(x), as_number(y)
        if across is None or down is None:
            self.broken("H03", f"The place {x!r}, {y!r} is no pair of numbers.")
        elif not (0 <= across <= size[0] and 0 <= down <= size[1]):
            self.broken("G01", f"The place {x}, {y} is not on a picture of {size[0]:g} x {size[1]:g}.")

    def turns(self, turns: Sequence[Row], model: str) -> None:
        """X04 for turns of the user and the model; of a demo that was cut off what came of its last call ends it."""
        if turns and (parts := as_rows(turns[-1].get("content", turns[-1].get("parts")))):
            results = [part.get("type") == "tool_result" or "function_response" in part for part in parts]
            turns = turns[:-1] if any(results) else turns
        _check_turns([str(turn.get("role")) for turn in turns], model, self._file, users={"user"}, models={model})


def check_openai(row: Row, file: ExportedFile) -> None:
    """G01, H03, I01, I04, P04, X03 and X04 for one file; of a demo without any picture, calls have no output."""
    talk = _Conversation(file)
    waiting: str | None = None
    items = as_rows(row["input"])
    blind = not any(
        part.get("type") == "input_image" or "output" in item
        for item in items
        for part in [item, *as_rows(item.get("content"))]
    )
    for item in items:
        kind = item.get("type")
        if kind == "computer_call_output":
            if item.get("call_id") != waiting or waiting is None:
                talk.broken("X04", f"The output {item.get('call_id')!r} does not follow its call.")
            waiting = None
            _check_url(object_in(item.get("output")), talk)
            continue
        if waiting is not None:
            talk.broken("X04", f"The call {waiting!r} has no output.")
            waiting = None
        if kind == "computer_call":
            waiting = None if blind else str(item.get("call_id"))
            for action in as_rows(item.get("actions")) or as_rows([item.get("action")]):
                _check_action(action, talk)
        for part in as_rows(item.get("content")):
            if part.get("type") == "input_image":
                _check_url(part, talk)


def _check_action(action: Row, talk: _Conversation) -> None:
    if "type" not in action:
        talk.broken("H03", "An action has no type.")
    for place in [action, *as_rows(action.get("path"))]:
        if "x" in place or "y" in place:
            talk.place(place.get("x"), place.get("y"), talk.size)


def _check_url(part: Row, talk: _Conversation) -> None:
    url = part.get("image_url")
    if not isinstance(url, str):
        talk.broken("X03", "A picture has no image_url.")
    elif found := PICTURE_URL.match(url):
        talk.picture(found["kind"], url[found.end() :])


def check_anthropic(row: Row, file: ExportedFile) -> None:
    """G01, H03, I01, I04, P04 and X04 for one file."""
    talk = _Conversation(file)
    asked: list[object] = []
    turns = as_rows(row["messages"])
    talk.turns(turns, "assistant")
    for turn in turns:
        parts = as_rows(turn.get("content"))
        if turn.get("role") == "user":
            answered = [part.get("tool_use_id") for part in parts if part.get("type") == "tool_result"]
            if answered != asked:
                talk.broken("X04", f"The results {answered} do not answer the calls {asked}.")
            asked = []
        for part in parts:
            if part.get("type") == "tool_use":
                asked.append(part.get("id"))
                given = object_in(part.get("input"))
                for name in ("coordinate", "start_coordinate"):
                    if name in given:
                        x, y, *_ = [*as_list(given[name]), None, None]
                        talk.place(x, y, talk.size)
            for image in [part, *as_rows(part.get("content"))]:
                if image.get("type") == "image":
                    source = object_in(image.get("source"))
                    talk.picture(source.get("media_type"), source.get("data"))


def check_gemini(row: Row, file: ExportedFile) -> None:
    """G01, H03, I01, I04, P04 and X04 for one file."""
    talk = _Conversation(file)
    asked: list[object] = []
    turns = as_rows(row["contents"])
    talk.turns(turns, "model")
    for turn in turns:
        parts = as_rows(turn.get("parts"))
        calls = [call for part in parts if (call := as_row(part.get("function_call"))) is not None]
        if turn.get("role") == "user":
            answers = [one.get("name") for part in parts if (one := as_row(part.get("function_response"))) is not None]
            if answers != asked:
                talk.broken("X04", f"The responses {answers} do not answer the calls {asked}.")
        asked = [call.get("name") for call in calls]
        for call in calls:
            given = object_in(call.get("args"))
            for x, y in (("x", "y"), ("destination_x", "destination_y"), ("start_x", "start_y"), ("end_x", "end_y")):
                if x in given or y in given:
                    talk.place(given.get(x), given.get(y), _THOUSAND)
        nested = [one for part in parts for one in as_rows(object_in(part.get("function_response")).get("parts"))]
        for part in [*parts, *nested]:
            image = as_row(part.get("inline_data"))
            if image is not None:
                talk.picture(image.get("mime_type"), image.get("data"))
