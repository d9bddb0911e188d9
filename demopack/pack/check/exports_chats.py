"""Rules for rows and conversations: JSON Lines, imagefolder tables, chats, computer calls in three vendors' forms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from demopack.errors import PackError
from demopack.json_lines import parse_object
from demopack.json_text import as_list, as_row, as_rows, object_in
from demopack.pack.check.exports import ENDINGS, ReferencedPictures, as_number, read_value
from demopack.pack.check.inline import check_bytes, from_url, size_of, unpacked
from demopack.pack.findings import Finding, Findings
from demopack.pack.rules import RULES
from demopack.pack.source import FolderSource, raw_lines

Row = dict[str, Any]
_PATHS: Final = frozenset({"file_name", "file_names", "image", "images", "image_path", "img", "screenshot", "path"})
_USER: Final = frozenset({"user", "human", "observation", "tool", "function"})
_MODEL: Final = frozenset({"assistant", "gpt", "model", "function_call"})
_THOUSAND: Final = (1000.0, 1000.0)
"""Gemini counts to 1000 along both sides, however large the picture is."""


def check_rows(source: FolderSource, name: str, used: ReferencedPictures, findings: Findings) -> None:
    """H01, H03, H04, I01, P01, X03 and X04 for the lines of one table."""
    kinds: dict[str, tuple[str, int]] = {}
    last = b"\n"
    try:
        for number, last in enumerate(raw_lines(source, name), start=1):
            row = _row(last, name, number, findings)
            if row is None:
                continue
            if "type" in row and ("message" in row or "payload" in row):
                findings.add(RULES["H01"].broken(name, number, "`type` stands beside `message` or `payload`."))
            findings.add(*_same_types(row, kinds, name, number), *_chat(row, name, number))
            for path in _paths(row):
                findings.add(*used.name(path, name, number))
    except PackError as error:
        findings.add(RULES["H04"].broken(name, None, f"It cannot be read: {error.user_message}"))
        return
    if not last.endswith(b"\n"):
        findings.add(RULES["H04"].broken(name, None, "The last line has no line end; it may be cut off."))


def _row(line: bytes, name: str, number: int, findings: Findings) -> Row | None:
    problem = ""
    if number == 1 and line.startswith(b"\xef\xbb\xbf"):
        problem, line = "It begins with a byte order mark.", line[3:]
    elif line.endswith(b"\r\n"):
        problem = "The line ends with CR LF."
    row: Row | None = None
    try:
        row = parse_object(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        problem = problem or f"It is not one JSON object: {error}."
    if problem:
        findings.add(RULES["H04"].broken(name, number, problem))
    return row


def _same_types(row: Row, kinds: dict[str, tuple[str, int]], name: str, number: int) -> Iterator[Finding]:
    for key, value in row.items():
        if value is None:
            continue
        kind = _kind(value)
        first, line = kinds.setdefault(key, (kind, number))
        if first != kind:
            yield RULES["H03"].broken(name, number, f"{key} is {kind} here and {first} in line {line}.")


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    return "text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"


def _paths(row: Row) -> Iterator[str]:
    for key, value in row.items():
        if key in _PATHS or key.endswith("_file_name"):
            for item in [value, *as_list(value)]:
                if isinstance(item, str) and (item.lower().endswith(ENDINGS) or key.startswith("file_name")):
                    yield item


def check_json_chats(source: FolderSource, name: str, used: ReferencedPictures, findings: Findings) -> None:
    """X03, X04, I01 and P01 for a file that is one list of conversations."""
    kinds: dict[str, tuple[str, int]] = {}
    for number, row in enumerate(as_rows(read_value(source, name, findings)), start=1):
        findings.add(*_chat(row, name, number), *_same_types(row, kinds, name, number))
        for path in _paths(row):
            findings.add(*used.name(path, name, number))


def _chat(row: Row, name: str, number: int) -> Iterator[Finding]:
    turns = row.get("messages", row.get("conversations"))
    if not isinstance(turns, list):
        return
    said = as_rows(cast("object", turns))
    roles = [str(turn.get("role", turn.get("from", ""))) for turn in said]
    talk = [role for role in roles if role not in {"system", "developer"}]
    yield from _in_turn(talk, "assistant", name, number, users=_USER, models=_MODEL)
    pictures = row.get("images", row.get("image"))
    if pictures is None:
        return
    count = 1 if isinstance(pictures, str) else len(as_list(pictures))
    places = sum(_places(turn.get("content", turn.get("value"))) for turn in said)
    if places != count:
        yield RULES["X03"].broken(name, number, f"{places} places for pictures, {count} pictures.")


def _places(content: object) -> int:
    if isinstance(content, str):
        return content.count("<image>")
    return sum(str(part.get("type", "")).startswith(("image", "input_image")) for part in as_rows(content))


def _in_turn(
    roles: Sequence[str], model: str, file: str, line: int | None, *, users: Collection[str], models: Collection[str]
) -> Iterator[Finding]:
    """X04: user and model take turns, and the model has the last word."""
    for place, role in enumerate(roles):
        if role not in (models if place % 2 else users):
            yield RULES["X04"].broken(file, line, f"Turn {place + 1} is {role!r}.")
            return
    if not roles or roles[-1] not in models:
        yield RULES["X04"].broken(file, line, f"The {model} does not have the last word.")


@dataclass(slots=True)
class _Conversation:
    """One file, and what was seen of it so far.

    Attributes:
        file: its name.
        size: of the picture that was shown last; None before the first.
        pictures: how many there were.
    """

    file: str
    size: tuple[int, int] | None = None
    pictures: int = 0

    def shown(self, kind: object, text: object) -> Iterator[Finding]:
        """A picture in base64."""
        self.pictures += 1
        data = unpacked(text)
        yield from check_bytes(data, str(kind), self.file, None, f"Picture {self.pictures}")
        self.size = (size_of(data) if data is not None else None) or self.size

    def place(self, x: object, y: object, size: tuple[float, float] | None) -> Iterator[Finding]:
        """A place that was acted on."""
        if size is None:
            return
        across, down = as_number(x), as_number(y)
        if across is None or down is None:
            yield self.wrong("H03", f"The place {x!r}, {y!r} is no pair of numbers.")
        elif not (0 <= across <= size[0] and 0 <= down <= size[1]):
            yield self.wrong("G01", f"The place {x}, {y} is not on a picture of {size[0]:g} x {size[1]:g}.")

    def in_turn(self, turns: Sequence[Row], model: str) -> Iterator[Finding]:
        """Turns of the user and the model."""
        roles = [str(turn.get("role")) for turn in turns]
        return _in_turn(roles, model, self.file, None, users={"user"}, models={model})

    def wrong(self, rule: str, message: str) -> Finding:
        return RULES[rule].broken(self.file, None, message)


def kind_of_bundle(row: Row) -> str | None:
    """Which of the three forms a JSON file has; None for none of them."""
    if isinstance(row.get("contents"), list) and all("parts" in turn for turn in as_rows(row["contents"])):
        return "gemini"
    if isinstance(row.get("input"), list) and any("type" in item or "role" in item for item in as_rows(row["input"])):
        return "openai"
    return "anthropic" if isinstance(row.get("messages"), list) and "tools" in row else None


def check_bundle(kind: str, row: Row, file: str) -> Iterator[Finding]:
    """G01, H03, I01, I04, P04, X03 and X04 for one file."""
    yield from _FORMS[kind](row, _Conversation(file))


def _openai(row: Row, talk: _Conversation) -> Iterator[Finding]:
    waiting: str | None = None
    for item in as_rows(row["input"]):
        kind = item.get("type")
        if kind == "computer_call_output":
            if item.get("call_id") != waiting or waiting is None:
                yield talk.wrong("X04", f"The output {item.get('call_id')!r} does not follow its call.")
            waiting = None
            yield from _url(object_in(item.get("output")), talk)
            continue
        if waiting is not None:
            yield talk.wrong("X04", f"The call {waiting!r} has no output.")
            waiting = None
        if kind == "computer_call":
            waiting = str(item.get("call_id"))
            for action in as_rows(item.get("actions")) or as_rows([item.get("action")]):
                yield from _openai_places(action, talk)
        for part in as_rows(item.get("content")):
            if part.get("type") == "input_image":
                yield from _url(part, talk)
    if talk.pictures == 0:
        yield talk.wrong("X03", "It shows no picture.")


def _url(part: Row, talk: _Conversation) -> Iterator[Finding]:
    found = from_url(part.get("image_url"))
    if found is not None:
        yield from talk.shown(*found)
    elif not isinstance(part.get("image_url"), str):
        yield talk.wrong("X03", "A picture has no image_url.")


def _openai_places(action: Row, talk: _Conversation) -> Iterator[Finding]:
    if "type" not in action:
        yield talk.wrong("H03", "An action has no type.")
    for place in [action, *as_rows(action.get("path"))]:
        if "x" in place or "y" in place:
            yield from talk.place(place.get("x"), place.get("y"), talk.size)


def _anthropic(row: Row, talk: _Conversation) -> Iterator[Finding]:
    asked: list[object] = []
    turns = as_rows(row["messages"])
    yield from talk.in_turn(turns, "assistant")
    for turn in turns:
        parts = as_rows(turn.get("content"))
        if turn.get("role") == "user":
            answered = [part.get("tool_use_id") for part in parts if part.get("type") == "tool_result"]
            if answered != asked:
                yield talk.wrong("X04", f"The results {answered} do not answer the calls {asked}.")
            asked = []
        for part in parts:
            if part.get("type") == "tool_use":
                asked.append(part.get("id"))
                yield from _anthropic_places(object_in(part.get("input")), talk)
            for image in [part, *as_rows(part.get("content"))]:
                if image.get("type") == "image":
                    source = object_in(image.get("source"))
                    yield from talk.shown(source.get("media_type"), source.get("data"))


def _anthropic_places(given: Row, talk: _Conversation) -> Iterator[Finding]:
    for name in ("coordinate", "start_coordinate"):
        if name in given:
            pair = [*as_list(given[name]), None, None]
            yield from talk.place(pair[0], pair[1], talk.size)


def _gemini(row: Row, talk: _Conversation) -> Iterator[Finding]:
    asked: list[object] = []
    turns = as_rows(row["contents"])
    yield from talk.in_turn(turns, "model")
    for turn in turns:
        parts = as_rows(turn.get("parts"))
        calls = [call for part in parts if (call := as_row(part.get("function_call"))) is not None]
        if turn.get("role") == "user":
            answers = [one.get("name") for part in parts if (one := as_row(part.get("function_response"))) is not None]
            if answers != asked:
                yield talk.wrong("X04", f"The responses {answers} do not answer the calls {asked}.")
        asked = [call.get("name") for call in calls]
        for call in calls:
            given = object_in(call.get("args"))
            for x, y in (("x", "y"), ("destination_x", "destination_y"), ("start_x", "start_y"), ("end_x", "end_y")):
                if x in given or y in given:
                    yield from talk.place(given.get(x), given.get(y), _THOUSAND)
        for part in parts:
            image = as_row(part.get("inline_data"))
            if image is not None:
                yield from talk.shown(image.get("mime_type"), image.get("data"))


_FORMS: Final[dict[str, Callable[[Row, _Conversation], Iterator[Finding]]]] = {
    "openai": _openai, "anthropic": _anthropic, "gemini": _gemini,
}  # fmt: skip
