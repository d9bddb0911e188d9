"""Every text of a demo that goes into a pack, with the words for its place; and the same texts replaced.

The records are walked as JSON, so that a field that is added to one of them later is covered without a change here:
what is left out are names that programs read, never text that a person wrote or that stood on a screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step

__all__ = ["Place", "Text", "keys_text", "mapped", "texts_of"]

_STRUCTURE: Final = frozenset({
    "id", "uid", "schema_version", "position", "created_at", "started_ns", "ended_ns", "status", "outcome", "platform",
    "licence", "take_of", "take_after", "counters", "redaction", "final_frame", "before", "after", "frame", "type",
    "subtype", "source", "review", "states", "parent", "track_id", "target_uid", "end_uid", "alternatives", "pointer",
    "quality", "events", "action_type", "key_info", "click_type", "scroll_direction", "button", "modifiers", "role",
    "kind", "at", "mode", "basis",
})  # fmt: skip
"""Keys whose values are ids, words of the format, or numbers; typed keys and track ids are looked at on their own."""

_WORDS: Final = {
    "task": "the task", "app": "the application's name", "outcome_reason": "why it failed",
    "missing": "what is missing", "area": "what was captured", "text_to_type": "typed text", "note": "the note",
    "variable": "the variable's name", "clipboard": "the clipboard", "window.title": "window title",
    "window.app": "the window's application", "target.text": "the target's text", "end_target.text": "the end's text",
    "focused.name": "the focused field's name", "focused.value": "the focused field's value",
    "focused.app": "the focused field's application", "pointed.name": "the name of what was under the pointer",
    "pointed.value": "the value of what was under the pointer", "pointed.app": "the application under the pointer",
    "description": "what was to be read", "data": "what was read",
}  # fmt: skip

_SILENT = frozenset({"Shift", "AltGr", "CapsLock", "Dead", "NumLock", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a value occurs.

    Attributes:
        where: in words, for instance ``step 3, typed text``.
        field: the record's field, with dots.
        text: the whole text there.
        step: the step's id; None for the demo itself and for elements.
        frame: the picture on which it can be seen; None where it cannot.
        element: the element's uid; None for everything else.
        box: pixels of that picture; None where it cannot be seen.
    """

    where: str
    field: str
    text: str
    step: str | None = None
    frame: str | None = None
    element: str | None = None
    box: Rect | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One text and its place.

    Attributes:
        place: where it is.
        typed: whether a person typed or pasted it.
        name: of the field that a program gave it, for instance ``api_key`` in what was read off a screen.
    """

    place: Place
    typed: bool = False
    name: str = ""


def texts_of(demo: Demo) -> Iterator[Text]:
    """Every text that an export of the demo would hold, head first, then steps, then the elements of each picture."""
    for path, text in _walk(demo.head.to_json(), ()):
        yield Text(place=Place(where=_words(path), field=".".join(path), text=text))
    for number, step in enumerate(demo.steps, start=1):
        yield from _step_texts(number, step)
    for frame in demo.frames():
        shown = demo.shown_by(frame.id) or "at the end"
        for element in demo.elements.get(frame.id, ()):
            if element.text:
                yield Text(place=_element_place(element, shown))


def _step_texts(number: int, step: Step) -> Iterator[Text]:
    for path, text in _walk(step.to_json(), ()):
        typed = path[-1] in {"text_to_type", "clipboard"}
        seen = getattr(step, path[0]) if path[0] in {"focused", "pointed"} else None
        box = None if seen is None or seen.box is None or step.before is None else seen.box
        if box is not None and step.before is not None:
            box = step.before.space.to_pixels(box).clamped(step.before.size)
        place = Place(
            where=f"step {number}, {_words(path)}",
            field=".".join(path),
            text=text,
            step=step.id,
            frame=step.before.id if box is not None and box.area and step.before is not None else None,
            box=box if box is not None and box.area else None,
        )
        yield Text(place=place, typed=typed, name=path[-1] if "data" in path[:-1] else "")
    keys = keys_text(step)
    if keys and keys != step.action.parameters.get("text_to_type"):
        place = Place(where=f"step {number}, the keys pressed", field="events", text=keys, step=step.id)
        yield Text(place=place)


def keys_text(step: Step) -> str:
    """The characters of the keys that were pressed, whatever was deleted again; a line for each run of them."""
    kept: list[str] = []
    for event in step.events:
        if event.kind == "key_down":
            # Shift and its like stand inside a word; every other key that writes nothing ends it.
            inside = event.char.isprintable() if event.char else event.key in _SILENT
            kept.append(event.char if inside else "\n")
    return "".join(kept).strip("\n")


def _element_place(element: Element, shown: str) -> Place:
    return Place(
        where=f"on the screen {shown}",
        field="text",
        text=element.text or "",
        frame=element.frame,
        element=element.uid,
        box=element.box,
    )


def _words(path: Sequence[str]) -> str:
    for record in ("rationale", "verdict"):
        if record in path:
            return f"the {record}"
    return _WORDS.get(".".join(path[-2:])) or _WORDS.get(path[-1]) or " ".join(path).replace("_", " ")


def _walk(value: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, str):
        if value:
            yield path, value
    elif isinstance(value, dict):
        for key, item in cast("dict[str, object]", value).items():
            if key not in _STRUCTURE:
                yield from _walk(item, (*path, key))
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _walk(item, path)


def mapped(data: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """A record's JSON with every text of :func:`texts_of` changed; ids, typed keys and numbers stay."""
    return {key: item if key in _STRUCTURE else _mapped(item, change) for key, item in data.items()}


def _mapped(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return mapped(cast("dict[str, Any]", value), change)
    if isinstance(value, list):
        return [_mapped(item, change) for item in cast("list[object]", value)]
    return value
