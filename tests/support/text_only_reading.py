"""What the text-only model reads of a prompt, and how it finds things in the list of elements."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

_NATIVE_LIST: Final = re.compile(r"Elements on the screen, (\d+) x (\d+) pixels:\n(.*?)(?:\n\n|\Z)", re.DOTALL)
_CAAP_ELEMENT: Final = re.compile(
    r"^- ID: element_(\d+), data: \{type: (\w+), X: \d+ \[(-?\d+)-(-?\d+)\], Y: \d+ \[(-?\d+)-(-?\d+)\](.*)\}$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """An element as a prompt lists it; its box in pixels."""

    number: int
    type: str
    text: str
    box: tuple[float, float, float, float]
    checked: bool | None = None

    @property
    def words(self) -> str:
        return " ".join(self.text.split()).casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A click on an element, or at a place; a text that is typed, keys; a drag, a scroll, a pointer that rests.

    Attributes:
        element: that is acted on.
        at: the place, where there is no element.
        text: to type.
        keys: to press.
        presses: how often.
        to: where it is dragged.
        scroll: ``up`` or ``down``.
        notches: of the wheel.
        hover: rest there instead of clicking.
        modifiers: held meanwhile.
    """

    element: Seen | None = None
    at: tuple[float, float] | None = None
    text: str = ""
    keys: str = ""
    presses: int = 1
    to: tuple[float, float] | None = None
    scroll: str = ""
    notches: int = 2
    hover: bool = False
    modifiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a prompt says.

    Attributes:
        dialect: ``llmresponse`` or ``caap``.
        task: in its words.
        elements: as listed.
        done: how many actions it says were done.
        size: of the screen; (1, 1) where it does not tell.
        history: a line for each action that was done.
    """

    dialect: str
    task: str
    elements: Sequence[Seen]
    done: int
    size: tuple[int, int] = (1, 1)
    history: Sequence[str] = ()


def parse(messages: Sequence[dict[str, Any]]) -> Question:
    """Read the last question of a prompt."""
    texts = [_text(message) for message in messages if message["role"] == "user"]
    # A repair repeats nothing of the question.
    asked = next(text for text in reversed(texts) if "### Task Description ###" in text or "Task: " in text)
    return _caap(asked) if "### Task Description ###" in asked else _native(asked)


def _text(message: dict[str, Any]) -> str:
    inner = message["content"]
    return inner if isinstance(inner, str) else "\n".join(part.get("text", "") for part in inner)


def _native(asked: str) -> Question:
    task = asked.split("Task: ", 1)[1].split("\n\n", 1)[0]
    history = re.search(r"Done so far:\n(.*?)\n\n", asked, re.DOTALL)
    listed = _NATIVE_LIST.search(asked)
    size, elements = (1, 1), list[Seen]()
    if listed is not None:
        size = (int(listed[1]), int(listed[2]))
        for line in listed[3].splitlines():
            row = json.loads(line)
            x, y, width, height = row["bbox"]
            box = (x * size[0], y * size[1], (x + width) * size[0], (y + height) * size[1])
            elements.append(
                Seen(
                    number=row["element_id"], type=row["type"], text=row.get("text") or "", box=box,
                    checked=row.get("checked"),
                )
            )  # fmt: skip
    done = re.findall(r"^\d+\. (.*)", history[1], re.MULTILINE) if history else []
    return Question(
        dialect="llmresponse", task=task, elements=elements, done=len(done), size=size, history=done
    )  # fmt: skip


def _caap(asked: str) -> Question:
    task = asked.split("### Task Description ###\n", 1)[1].split("\n", 1)[0]
    history = asked.split("### Action History ###\n", 1)[1].split("\n\n", 1)[0]
    elements: list[Seen] = []
    for number, kind, x1, x2, y1, y2, rest in _CAAP_ELEMENT.findall(asked):
        text, checked = re.search(r'text: "(.*?)"(?:, \w+: \w+)*$', rest), re.search(r"checked: (\w+)", rest)
        elements.append(
            Seen(
                number=int(number), type=kind, text=text[1] if text else "",
                box=(float(x1), float(y1), float(x2), float(y2)),
                checked=None if checked is None else checked[1] == "True",
            )
        )  # fmt: skip
    done = re.findall(r"^action_\d+: (.*)", history, re.MULTILINE)[1:]
    return Question(dialect="caap", task=task, elements=elements, done=len(done), history=done)


class UnsolvableError(Exception):
    """Nothing on the list is what the task speaks of."""


FIELDS: Final = ("input_field", "text_area")
PRESSED: Final = ("button", "hyperlink", "tab", "icon", "menu_item", "dropdown")


def like(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1; letters that eyes confuse count a little less."""
    return SequenceMatcher(None, a.casefold(), b.casefold(), autojunk=False).ratio()


def find(elements: Sequence[Seen], text: str, *kinds: str) -> Seen:
    """The element that says this: of the kinds first, then of any, whole texts before parts."""
    wanted = " ".join(text.split()).casefold()

    def rank(one: Seen) -> tuple[bool, bool, float, bool]:
        exact = one.words == wanted
        return (exact and one.type in kinds, exact, like(one.words, wanted) + (one.type in kinds) * 0.5, True)

    best = max((one for one in elements if one.text), key=rank, default=None)
    if best is None or (like(best.words, wanted) < 0.5 and wanted not in best.words):
        raise UnsolvableError(text)
    return best


def fields(elements: Sequence[Seen]) -> list[Seen]:
    """The fields, from the top."""
    return sorted((one for one in elements if one.type in FIELDS), key=lambda one: (one.box[1], one.box[0]))


def field(elements: Sequence[Seen], index: int) -> Seen:
    found = fields(elements)
    if index >= len(found):
        raise UnsolvableError(f"field {index + 1}")
    return found[index]


def button(elements: Sequence[Seen], text: str) -> Act:
    return Act(element=find(elements, text, *PRESSED))


def joined_lines(elements: Sequence[Seen]) -> list[Seen]:
    """Texts that stand beside each other, as one: a sign between them may have been seen as an icon."""
    joined: list[Seen] = []
    for one in sorted((one for one in elements if one.text), key=lambda one: one.box[0]):
        x1, y1, x2, y2 = one.box
        last = next((j for j in joined if j.box[1] < (y1 + y2) / 2 < j.box[3] and -4 <= x1 - j.box[2] < y2 - y1), None)
        if last is None:
            joined.append(one)
            continue
        box = (last.box[0], min(last.box[1], y1), x2, max(last.box[3], y2))
        joined[joined.index(last)] = Seen(
            number=last.number, type="text", text=f"{last.text} {one.text}", box=box
        )  # fmt: skip
    return joined


def body_of(asked: Question) -> list[Seen]:
    """The elements without the task's own words, and what stands above them."""
    words = " ".join(asked.task.split()).casefold()
    reach = 0.25 * max(one.box[3] for one in asked.elements) if asked.elements else 0.0
    told = [
        one for one in asked.elements
        if one.type == "text" and len(one.words) > 3 and one.box[1] < reach and _part(one.words, words)
    ]  # fmt: skip
    end = max((one.box[3] for one in told), default=0.0)
    return [one for one in asked.elements if (one.box[1] + one.box[3]) / 2 > end]


def _part(line: str, words: str) -> bool:
    """Whether a line, as read, is one of the text's."""
    return any(
        like(line, words[start : start + len(line)]) > 0.8
        for start in (0, *(m.start() + 1 for m in re.finditer(" ", words)))
    )
