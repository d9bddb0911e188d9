"""Rules for talks with computer calls in the forms of OpenAI, Anthropic and Gemini, pictures inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from demopack.pack.check.inline import check_bytes, from_url, size_of, unpacked
from demopack.pack.check.plain import as_list, as_row, as_rows
from demopack.pack.findings import Finding
from demopack.pack.rules import RULES

__all__ = ["check_bundle", "kind_of_bundle"]

Row = dict[str, Any]
_THOUSAND: Final = (1000.0, 1000.0)
"""Gemini counts to 1000 along both sides, however large the picture is."""


@dataclass(slots=True)
class _Talk:
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
        if not _is_number(x) or not _is_number(y):
            yield self.wrong("H03", f"The place {x!r}, {y!r} is no pair of numbers.")
        elif not (0 <= float(str(x)) <= size[0] and 0 <= float(str(y)) <= size[1]):
            yield self.wrong("G01", f"The place {x}, {y} is not on a picture of {size[0]:g} x {size[1]:g}.")

    def wrong(self, rule: str, message: str) -> Finding:
        return RULES[rule].broken(self.file, None, message)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def kind_of_bundle(row: Row) -> str | None:
    """Which of the three forms a JSON file has; None for none of them."""
    if isinstance(row.get("contents"), list) and all("parts" in turn for turn in as_rows(row["contents"])):
        return "gemini"
    if isinstance(row.get("input"), list) and any("type" in item or "role" in item for item in as_rows(row["input"])):
        return "openai"
    return "anthropic" if isinstance(row.get("messages"), list) and "tools" in row else None


def check_bundle(kind: str, row: Row, file: str) -> Iterator[Finding]:
    """G01, H03, I01, I04, P04, X03 and X04 for one file."""
    yield from _FORMS[kind](row, _Talk(file))


def _openai(row: Row, talk: _Talk) -> Iterator[Finding]:
    waiting: str | None = None
    for item in as_rows(row["input"]):
        kind = item.get("type")
        if kind == "computer_call_output":
            if item.get("call_id") != waiting or waiting is None:
                yield talk.wrong("X04", f"The output {item.get('call_id')!r} does not follow its call.")
            waiting = None
            yield from _url(as_row(item.get("output")) or {}, talk)
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


def _url(part: Row, talk: _Talk) -> Iterator[Finding]:
    found = from_url(part.get("image_url"))
    if found is not None:
        yield from talk.shown(*found)
    elif not isinstance(part.get("image_url"), str):
        yield talk.wrong("X03", "A picture has no image_url.")


def _openai_places(action: Row, talk: _Talk) -> Iterator[Finding]:
    if "type" not in action:
        yield talk.wrong("H03", "An action has no type.")
    for place in [action, *as_rows(action.get("path"))]:
        if "x" in place or "y" in place:
            yield from talk.place(place.get("x"), place.get("y"), talk.size)


def _anthropic(row: Row, talk: _Talk) -> Iterator[Finding]:
    asked: list[object] = []
    turns = as_rows(row["messages"])
    yield from _in_turn(talk, [str(turn.get("role")) for turn in turns], "assistant")
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
                yield from _anthropic_places(as_row(part.get("input")) or {}, talk)
            for image in [part, *as_rows(part.get("content"))]:
                if image.get("type") == "image":
                    source = as_row(image.get("source")) or {}
                    yield from talk.shown(source.get("media_type"), source.get("data"))


def _anthropic_places(given: Row, talk: _Talk) -> Iterator[Finding]:
    for name in ("coordinate", "start_coordinate"):
        if name in given:
            pair = [*as_list(given[name]), None, None]
            yield from talk.place(pair[0], pair[1], talk.size)


def _gemini(row: Row, talk: _Talk) -> Iterator[Finding]:
    asked: list[object] = []
    turns = as_rows(row["contents"])
    yield from _in_turn(talk, [str(turn.get("role")) for turn in turns], "model")
    for turn in turns:
        parts = as_rows(turn.get("parts"))
        calls = [call for part in parts if (call := as_row(part.get("function_call"))) is not None]
        if turn.get("role") == "user":
            answers = [one.get("name") for part in parts if (one := as_row(part.get("function_response"))) is not None]
            if answers != asked:
                yield talk.wrong("X04", f"The responses {answers} do not answer the calls {asked}.")
        asked = [call.get("name") for call in calls]
        for call in calls:
            given = as_row(call.get("args")) or {}
            for x, y in (("x", "y"), ("destination_x", "destination_y"), ("start_x", "start_y"), ("end_x", "end_y")):
                if x in given or y in given:
                    yield from talk.place(given.get(x), given.get(y), _THOUSAND)
        for part in parts:
            image = as_row(part.get("inline_data"))
            if image is not None:
                yield from talk.shown(image.get("mime_type"), image.get("data"))


def _in_turn(talk: _Talk, roles: list[str], model: str) -> Iterator[Finding]:
    """X04: user and model take turns, and the model has the last word."""
    for place, role in enumerate(roles):
        if role != (model if place % 2 else "user"):
            yield talk.wrong("X04", f"Turn {place + 1} is {role!r}.")
            return
    if not roles or roles[-1] != model:
        yield talk.wrong("X04", f"The {model} does not have the last word.")


_FORMS: Final[dict[str, Callable[[Row, _Talk], Iterator[Finding]]]] = {
    "openai": _openai, "anthropic": _anthropic, "gemini": _gemini,
}  # fmt: skip
