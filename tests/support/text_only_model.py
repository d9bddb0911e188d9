"""A server with OpenAI's protocol that answers from a prompt's text alone: its task, element list and history.

Small solvers, a function for each kind of sentence, take the place of a large model, so that the loop of an agent can
be proved end to end. They know nothing of the screen beyond the prompt. What they score says what eyes, prompt, parser
and hands allow; it never is a model's score. They were written on seeds 1000 to 1999 of MiniWoB++ pages.

    with text_only_server() as server:  # server.base_url for --model server:text-only
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

from tests.support.openai_server import Asked, OpenAIServer, Reply, content

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
    """A click on an element, or at a place; or a text that is typed."""

    element: Seen | None = None
    at: tuple[float, float] | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a prompt says.

    Attributes:
        dialect: ``llmresponse`` or ``caap``.
        task: in its words.
        elements: as listed.
        done: how many actions it says were done.
        size: of the screen; (1, 1) where it does not tell.
    """

    dialect: str
    task: str
    elements: Sequence[Seen]
    done: int
    size: tuple[int, int] = (1, 1)


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
    done = len(re.findall(r"^\d+\. ", history[1], re.MULTILINE)) if history else 0
    return Question(dialect="llmresponse", task=task, elements=elements, done=done, size=size)


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
    done = len(re.findall(r"^action_\d+: ", history, re.MULTILINE)) - 1
    return Question(dialect="caap", task=task, elements=elements, done=max(0, done))


# Solvers ------------------------------------------------------------------------------------------------------------

Solver = Callable[["re.Match[str]", Sequence[Seen]], list[Act]]


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


def typed(elements: Sequence[Seen], *texts: str) -> list[Act]:
    """Each text in its field, from the top."""
    return [act for i, text in enumerate(texts) for act in (Act(element=field(elements, i)), Act(text=text))]


def press(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    return close(match, elements) if match["what"] == "x" else [button(elements, match["what"])]


def press_the_button(_: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    found = next((one for one in elements if one.type == "button"), None)
    if found is None:
        raise UnsolvableError("button")
    return [Act(element=found)]


def press_in_order(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    return [button(elements, name) for name in re.findall(r"button (\w+)", match[0])]


def follow(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    """A link may have been read as one line with the words around it: then the click goes to its share of the line."""
    wanted = match["what"].casefold()
    own = [one for one in elements if one.type == "hyperlink" and like(one.words, wanted) > 0.7]
    if own:
        return [Act(element=max(own, key=lambda one: like(one.words, wanted)))]
    query = match[0].casefold()
    lines = [one for one in elements if wanted in one.words and like(one.words, query) < 0.8]
    if not lines:
        raise UnsolvableError(wanted)
    line = lines[-1]
    start = line.words.index(wanted)
    x1, y1, x2, y2 = line.box
    middle = (start + len(wanted) / 2) / max(1, len(line.words))
    return [Act(at=(x1 + middle * (x2 - x1), (y1 + y2) / 2))]


def choose(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    """Check boxes and radio buttons by their labels, then Submit."""
    names = [] if match["what"].strip() == "nothing" else re.split(r",\s*", match["what"])
    marks = ("checkbox", "radio", "toggle")
    return [*(Act(element=find(elements, name, *marks)) for name in names), button(elements, "Submit")]


def enter(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    return [*typed(elements, match["what"]), button(elements, "Submit")]


def enter_twice(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    return [*typed(elements, match["what"], match["what"]), button(elements, "Submit")]


def log_in(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    return [*typed(elements, match["user"], match["password"]), button(elements, "Login")]


def focus(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    which = match.groupdict().get("which")
    return [Act(element=field(elements, int(which) - 1 if which else 0))]


def close(_: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    """The small square thing at the right of the dialog's title: the lowest one, as the window has some on top."""
    small = [
        one
        for one in elements
        if one.type in {"button", "icon"}
        and one.words in {"", "x", "close"}
        and max(one.box[2] - one.box[0], one.box[3] - one.box[1]) < 80
    ]
    if not small:
        raise UnsolvableError("x")
    return [Act(element=max(small, key=lambda one: one.box[1]))]


def calculate(_: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    """The field stands right of the problem; where the list does not tell it, at the right end of the problem's box."""
    for one in elements:
        told = re.search(r"(-?\d+)\s*([-+x*])\s*(-?\d+)\s*=?", one.text)
        if told is not None:
            a, b = int(told[1]), int(told[3])
            result = {"+": a + b, "-": a - b}.get(told[2], a * b)
            x1, y1, x2, y2 = one.box
            own = next(iter(fields(elements)), None)
            place = Act(element=own) if own is not None else Act(at=(x1 + 0.8 * (x2 - x1), (y1 + y2) / 2))
            return [place, Act(text=str(result)), button(elements, "Submit")]
    raise UnsolvableError("a problem")


SOLVERS: Final[Sequence[tuple[str, Solver]]] = (
    (r"^Click on the link \"(?P<what>.+)\"\.?$", follow),
    (r"^Click on the \"(?P<what>.+)\" button\.?$", press),
    (r"^Click button \w+, then click button \w+\.?$", press_in_order),
    (r"^Click button (?P<what>\w+)\.?$", press),
    (r"^Click the button in the dialog box labeled \"(?P<what>.+)\"\.?$", press),
    (r"^Click the button\.?$", press_the_button),
    (r"^Close the dialog box by clicking the \"x\"\.?$", close),
    (r"^Click on (?P<what>Tab #\d)\.?$", press),
    (r"^Select (?P<what>.+) and click Submit\.?$", choose),
    (r"^Enter \"(?P<what>.+)\" into the text field and press Submit\.?$", enter),
    (r"^Enter the password \"(?P<what>.+)\" into both text fields and press submit\.?$", enter_twice),
    (r"^Enter the username \"(?P<user>.+)\" and the password \"(?P<password>.+)\" into .* and press login", log_in),
    (r"^Focus into the textbox\.?$", focus),
    (r"^Focus into the (?P<which>\d)\w\w input textbox\.?$", focus),
    (r"^Solve the math problem .*$", calculate),
)  # fmt: skip
"""The sentence of a task, and what does it."""


SINGLE: Final = (press, press_the_button, follow, close, focus)
"""What takes one click."""


def plan_of(question: Question) -> list[Act] | None:
    """Everything that the task takes, from its beginning; None where no solver knows it, or nothing is there."""
    task = " ".join(question.task.split())
    # The task itself is written on the page, and is nothing to act on.
    elements = [one for one in question.elements if like(one.words, task) < 0.9]
    for pattern, solver in SOLVERS:
        match = re.match(pattern, task, re.IGNORECASE)
        if match is not None:
            if solver in SINGLE and question.done:
                return []  # what was clicked may be gone by now
            try:
                return solver(match, elements)
            except UnsolvableError:
                return None
    return None


# Answers ------------------------------------------------------------------------------------------------------------


def answer(messages: Sequence[dict[str, Any]]) -> str:
    """What the model says."""
    question = parse(messages)
    plan = plan_of(question)
    rest = None if plan is None else plan[question.done :]
    return _caap_answer(question, rest) if question.dialect == "caap" else _native_answer(question, rest)


def _native_answer(question: Question, rest: Sequence[Act] | None) -> str:
    if not rest:
        status = {"status": "failure"} if rest is None else {}
        action: dict[str, Any] = {"action_type": "finish_goal", "target": None, "parameters": status}
        reason = "Nothing is left to do." if rest is not None else "I do not see how."
        return json.dumps({"reasoning": reason, "action": action, "is_goal_complete": rest is not None})
    act = rest[0]
    if act.element is not None:
        action = {"action_type": "click", "target": {"element_id": act.element.number}, "parameters": {}}
    elif act.at is not None:
        place = [act.at[0] / question.size[0], act.at[1] / question.size[1], 0, 0]
        action = {"action_type": "click", "target": {"bbox": place}, "parameters": {}}
    else:
        action = {"action_type": "type", "target": None, "parameters": {"text_to_type": act.text}}
    return json.dumps({"reasoning": "The task says so.", "action": action, "is_goal_complete": False})


def _caap_answer(question: Question, rest: Sequence[Act] | None) -> str:
    lines: list[str] = []
    for number, act in enumerate(rest or (), start=question.done + 2):
        if act.element is not None:
            call = f"functions.click_element, Argument: {{element_id: {act.element.number}}}"
        elif act.at is not None:
            call = f"functions.click_new_point, Argument: {{x: {round(act.at[0])}, y: {round(act.at[1])}}}"
        else:
            call = f'functions.type_text, Argument: {{string_to_type: "{act.text}"}}'
        lines.append(f"Action_{number}=(Action: {call})")
    if not lines:  # it has to answer with an action, and has no word for the end
        lines = [f"Action_{question.done + 2}=(Action: functions.point_element, Argument: {{element_id: 1}})"]
    return "\n".join(["Actions to be Performed:", *lines])


def text_only_server() -> OpenAIServer:
    """The server, not yet started."""

    def reply(asked: Asked) -> Reply:
        return content(answer(asked.body["messages"]))

    return OpenAIServer(answer=reply)


if __name__ == "__main__":  # python -m tests.support.text_only_model: the address, until Ctrl-C
    with text_only_server() as running:
        print(running.base_url, flush=True)
        threading.Event().wait()
