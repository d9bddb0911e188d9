"""Texts of a demo that go into a pack, with the words for their places.

What is text is told by the types of the records (:mod:`demopack.redaction.record_fields`), so that a field that is
added to one of them later is covered without a change here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.keys import NAMED_KEYS
from demopack.domain.steps import Step
from demopack.domain.trees import TreeNode, WindowTree
from demopack.redaction.record_fields import Leaf, id_fields, leaves, text_fields

_FIELD_WORDS: Final = {
    "task": "the task", "app": "the application's name", "outcome_reason": "why it failed",
    "missing": "what is missing", "area": "what was captured", "text_to_type": "typed text", "note": "the note",
    "variable": "the variable's name", "clipboard": "the clipboard", "window.title": "window title",
    "window.app": "the window's application", "target.text": "the target's text", "end_target.text": "the end's text",
    "focused.name": "the focused field's name", "focused.value": "the focused field's value",
    "focused.app": "the focused field's application", "pointed.name": "the name of what was under the pointer",
    "pointed.value": "the value of what was under the pointer", "pointed.app": "the application under the pointer",
    "focused.role": "the focused field's role", "focused.states": "the focused field's states",
    "pointed.role": "the role of what was under the pointer",
    "pointed.states": "the states of what was under the pointer",
    "description": "what was to be read", "data": "what was read", "id": "its id", "monitors.name": "a monitor's name",
    "target.track_id": "the target's track",
}  # fmt: skip

_TEXTLESS_KEYS = frozenset({"Shift", "AltGr", "CapsLock", "Dead", "NumLock", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLocation:
    """Where a value occurs.

    Attributes:
        where: in words, for instance ``step 3, typed text``.
        field: the record's field, with dots.
        text: the whole text there.
        step: the step's id; None for the demo itself and for elements.
        frame: the picture on which it can be seen; None where it cannot.
        element: the element's uid; None for everything else.
        box: pixels of that picture; None where it cannot be seen.
        fixed: whether it is an id, which cannot be replaced.
        typed: whether a person typed or pasted it.
        name: of the field that a program gave it, for instance ``api_key`` in what was read off a screen.
    """

    where: str
    field: str
    text: str
    step: str | None = None
    frame: str | None = None
    element: str | None = None
    box: Rect | None = None
    fixed: bool = False
    typed: bool = False
    name: str = ""


def texts_of(demo: Demo) -> Iterator[TextLocation]:
    """Every text that an export of the demo would hold: head, steps, elements of each picture, accessibility trees."""
    for leaf in leaves(DemoHead, demo.head.to_json()):
        if _is_telling(leaf):
            fixed = leaf.kind == "id"
            yield TextLocation(where=_words(leaf), field=".".join(leaf.path), text=leaf.text, fixed=fixed)
    for number, step in enumerate(demo.steps, start=1):
        yield from _step_texts(number, step)
    for frame in demo.frames():
        shown = demo.shown_by(frame.id) or "at the end"
        for element in demo.elements.get(frame.id, ()):
            yield from _element_texts(element, shown)
    seen: set[str] = set()
    for number, step in enumerate(demo.steps, start=1):
        for key in dict.fromkeys(reading.tree for reading in step.trees):
            if key not in seen:
                seen.add(key)
                yield from _tree_texts(number, step, demo.trees[key])


def _tree_texts(number: int, step: Step, tree: WindowTree) -> Iterator[TextLocation]:
    for name in ("app", "title"):
        if text := getattr(tree, name):
            yield TextLocation(
                where=f"step {number}, a window's {name}", field=f"trees.{name}", text=text, step=step.id
            )
    for node in tree.nodes:
        texts = [(name, text) for name in _NODE_TEXTS if (text := getattr(node, name))]
        texts += [("value", line.text) for line in node.lines if line.text]
        for name, text in texts:
            where = f"step {number}, the {name} of a {node.role} as its program reports it"
            yield TextLocation(where=where, field=f"trees.{name}", text=text, step=step.id)


def _step_texts(number: int, step: Step) -> Iterator[TextLocation]:
    for leaf in leaves(Step, step.to_json()):
        if not _is_telling(leaf):
            continue
        path = leaf.path
        seen = getattr(step, path[0]) if path[0] in {"focused", "pointed"} else None
        frame, box = step.before, None
        if seen is not None and seen.box is not None and frame is not None:
            box = frame.space.to_pixels(seen.box).clamped(frame.size)
        shown = box is not None and frame is not None and bool(box.area)
        yield TextLocation(
            where=f"step {number}, {_words(leaf)}",
            field=".".join(path),
            text=leaf.text,
            step=step.id,
            frame=frame.id if shown and frame is not None else None,
            box=box if shown else None,
            fixed=leaf.kind == "id" and path[-1] != "track_id",
            typed=path[-1] in {"text_to_type", "clipboard"} and "data" not in path,
            name=path[-1] if "data" in path[:-1] and leaf.kind == "text" else "",
        )
    keys = keys_text(step)
    if keys and keys != step.action.typed_text:
        yield TextLocation(where=f"step {number}, the keys pressed", field="events", text=keys, step=step.id)


def keys_text(step: Step) -> str:
    """The characters of the keys that were pressed, whatever was deleted again; a line for each run of them."""
    kept: list[str] = []
    for event in step.events:
        if event.kind == "key_down":
            # Shift and its like stand inside a word; every other key that writes nothing ends it.
            inside = event.char.isprintable() if event.char else event.key in _TEXTLESS_KEYS
            kept.append(event.char if inside else "\n")
    return "".join(kept).strip("\n")


def _element_texts(element: Element, shown: str) -> Iterator[TextLocation]:
    for name in _ELEMENT_TEXTS:
        text, where = getattr(element, name), f"on the screen {shown}"
        if text and name == "text":
            seen: dict[str, Any] = {"frame": element.frame, "element": element.uid, "box": element.box}
            yield TextLocation(where=where, field=name, text=text, **seen)
        elif text:
            yield TextLocation(where=f"the {name} of an element {where}", field=name, text=text)
    for name in _ELEMENT_IDS:
        text = getattr(element, name)
        if text and _ODD_ID.search(text):
            where = f"the {name.replace('_', ' ')} of an element on the screen {shown}"
            yield TextLocation(where=where, field=name, text=text, fixed=name != "track_id")


_NODE_TEXTS: Final = tuple(name for name in text_fields(TreeNode) if name != "role")
_ELEMENT_TEXTS: Final = text_fields(Element)
_ELEMENT_IDS: Final = tuple(name for name in id_fields(Element) if name != "frame")
_ODD_ID: Final = re.compile(r"[^\w-]|[0-9]{9}", re.ASCII)
"""What ids of ours do not have, and addresses, numbers and paths do."""
_SUM: Final = re.compile(r"[0-9a-f]{12}|[0-9a-f]{64}")


def _is_telling(leaf: Leaf) -> bool:
    """Whether it can be private at all: names of keys, and ids as we make them, are not."""
    if leaf.kind == "id":
        return _ODD_ID.search(leaf.text) is not None and _SUM.fullmatch(leaf.text) is None
    if leaf.path[0] == "events":
        return len(leaf.text) > 1 and leaf.text not in NAMED_KEYS
    return True


def _words(leaf: Leaf) -> str:
    path = leaf.path
    if path[0] == "origin":
        return "what its source says"
    for record in ("rationale", "verdict"):
        if record in path:
            return f"the {record}"
    if leaf.kind == "key":
        return "the name of a value that was read"
    if "data" in path[:-1]:
        return f"what was read, {path[-1]}"
    return _FIELD_WORDS.get(".".join(path[-2:])) or _FIELD_WORDS.get(path[-1]) or " ".join(path).replace("_", " ")
