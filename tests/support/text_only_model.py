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
from typing import Any, Final

from tests.support.openai_server import Asked, OpenAIServer, Reply, content
from tests.support.text_only_reading import (
    Act,
    Question,
    Seen,
    UnsolvableError,
    button,
    field,
    fields,
    find,
    joined_lines,
    like,
    parse,
)
from tests.support.text_only_turns import next_acts

__all__ = ["Question", "Seen", "answer", "parse", "plan_of", "text_only_server"]

# Solvers ------------------------------------------------------------------------------------------------------------

Solver = Callable[["re.Match[str]", Sequence[Seen]], list[Act]]


def typed(elements: Sequence[Seen], *texts: str) -> list[Act]:
    """Each text in its field, from the top."""
    return [act for i, text in enumerate(texts) for act in (Act(element=field(elements, i)), Act(text=text))]


def press(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    """A button that could not be read may be the one that is asked for, where no other is."""
    if match["what"] == "x":
        return close(match, elements)
    try:
        return [_button(elements, match["what"])]
    except UnsolvableError:
        unread = [one for one in elements if one.type in {"button", "tab"} and not one.words]
        if not unread:
            raise
        return [Act(element=unread[0])]


def press_the_button(_: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    found = next((one for one in elements if one.type == "button"), None)
    if found is None:
        raise UnsolvableError("button")
    return [Act(element=found)]


def press_in_order(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    acts: list[Act] = []
    for name in re.findall(r"button (\w+)", match[0]):
        try:
            acts.append(_button(elements, name))
        except UnsolvableError:
            acts.append(Act())  # pressed and gone by now
    return acts


def _button(elements: Sequence[Seen], name: str) -> Act:
    """The button of a name; of one that another lies on, the end of its word may be all that is seen."""
    try:
        return button(elements, name)
    except UnsolvableError:
        parts = [one for one in elements if one.words and name.casefold().endswith(one.words)]
        if not parts:
            raise
        return Act(element=max(parts, key=lambda one: len(one.words)))


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


def focus(match: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    which = match.groupdict().get("which")
    return [Act(element=field(elements, int(which) - 1 if which else 0))]


def close(_: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    """The small square thing at the right of the dialog's title: the lowest sign, as the window has some on top."""
    top = 0.04 * max(one.box[3] for one in elements)  # the window's own buttons
    inside = [one for one in elements if one.box[1] > top]
    small = [
        one
        for one in inside
        if one.type in {"button", "icon"}
        and one.words in {"", "x", "close"}
        and max(one.box[2] - one.box[0], one.box[3] - one.box[1]) < 80
    ]
    if small:
        # A button below may be one whose words could not be read.
        return [Act(element=max(small, key=lambda one: (one.type == "icon", one.box[1])))]
    # It stands at the right end of the title, which is on top of the dialog, under the task.
    titles = [one for one in inside if not one.words and one.box[2] - one.box[0] > 80]
    if not titles:
        raise UnsolvableError("x")
    x2, y1, y2 = titles[0].box[2], titles[0].box[1], titles[0].box[3]
    return [Act(at=(x2 - (y2 - y1) / 2, (y1 + y2) / 2))]


def calculate(_: re.Match[str], elements: Sequence[Seen]) -> list[Act]:
    """The field stands right of the problem; where the list does not tell it, at the right end of the problem's box."""
    for one in (*elements, *joined_lines(elements)):
        # A large 0 is read as a letter; what multiplies, as a letter or as the sign.
        text = re.sub(r"(?<!\w)[oO](?!\w)", "0", one.text.replace("\u00d7", "x"))
        text = re.sub(r"x <(?=\d)", "x ", text)  # as the sign is read
        told = re.search(r"(-?\d+)\s*([-+x*])\s*(-?\d+)\s*=?", text)
        if told is not None:
            a, b = int(told[1]), int(told[3])
            result = {"+": a + b, "-": a - b}.get(told[2], a * b)
            x1, y1, x2, y2 = one.box
            own = next(iter(fields(elements)), None)
            place = Act(element=own) if own is not None else Act(at=(x1 + 0.8 * (x2 - x1), (y1 + y2) / 2))
            if own is None and x2 - x1 < 0.8 * (y2 - y1) * len(one.text):  # no wider than its letters
                place = Act(at=(x2 + y2 - y1, (y1 + y2) / 2))
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
    rest = _rest(question)
    return _caap_answer(question, rest) if question.dialect == "caap" else _native_answer(question, rest)


def _rest(question: Question) -> list[Act] | None:
    """What is left to do, as far as it can be told now; None where that cannot be told."""
    try:
        told = next_acts(" ".join(question.task.split()), question)
    except UnsolvableError:
        return None
    if told is not None:
        return told
    plan = plan_of(question)
    return None if plan is None else plan[question.done :]


def _native_answer(question: Question, rest: Sequence[Act] | None) -> str:
    if not rest:
        status = {"status": "failure"} if rest is None else {}
        action: dict[str, Any] = {"action_type": "finish_goal", "target": None, "parameters": status}
        reason = "Nothing is left to do." if rest is not None else "I do not see how."
        return json.dumps({"reasoning": reason, "action": action, "is_goal_complete": rest is not None})
    action = _native_action(rest[0], question.size)
    return json.dumps({"reasoning": "The task says so.", "action": action, "is_goal_complete": False})


def _native_action(act: Act, size: tuple[int, int]) -> dict[str, Any]:
    target: dict[str, Any] | None = None
    if act.element is not None:
        target = {"element_id": act.element.number}
    elif act.at is not None:
        target = {"bbox": _share(act.at, size)}
    kind, given = "click", dict[str, Any]()
    if act.to is not None:
        kind, given = "drag", {"end_target": {"bbox": _share(act.to, size)}}
    elif act.scroll:
        kind, given = "scroll", {"scroll_direction": act.scroll, "scroll_steps": act.notches}
    elif act.hover:
        kind = "hover"
    elif act.keys:
        kind, given = "press_key", {"key_info": act.keys, "presses": act.presses}
    elif target is None:
        kind, given = "type", {"text_to_type": act.text}
    elif act.modifiers:
        given = {"modifiers": list(act.modifiers)}
    return {"action_type": kind, "target": target, "parameters": given}


def _share(place: tuple[float, float], size: tuple[int, int]) -> list[float]:
    return [place[0] / size[0], place[1] / size[1], 0, 0]


_CAAP_KEYS: Final = {"Ctrl+A": "press_control_A", "Ctrl+C": "press_control_C", "Ctrl+V": "press_control_V"}


def _caap_calls(act: Act) -> list[str]:
    """One act in its functions; what it has no word for becomes nothing."""
    element, point = act.element, act.at
    if act.to is not None:
        start = point or (
            ((element.box[0] + element.box[2]) / 2, (element.box[1] + element.box[3]) / 2) if element else (0.0, 0.0)
        )
        return [
            f"drag_mouse_hold_down, Argument: {{x: {round(start[0])}, y: {round(start[1])}}}",
            f"drag_mouse_move, Argument: {{x: {round(act.to[0])}, y: {round(act.to[1])}}}",
            "drag_mouse_release, Argument: {}",
        ]
    if act.scroll:
        return []
    if act.keys:
        return [f"{_CAAP_KEYS[act.keys]}, Argument: {{}}"] if act.keys in _CAAP_KEYS else []
    if element is not None:
        name = "point_element" if act.hover else "control_click_element" if act.modifiers else "click_element"
        return [f"{name}, Argument: {{element_id: {element.number}}}"]
    if point is not None:
        return [f"click_new_point, Argument: {{x: {round(point[0])}, y: {round(point[1])}}}"]
    return [f'type_text, Argument: {{string_to_type: "{act.text}"}}']


def _caap_answer(question: Question, rest: Sequence[Act] | None) -> str:
    lines: list[str] = []
    calls = [call for act in rest or () for call in _caap_calls(act)]
    for number, call in enumerate(calls, start=question.done + 2):
        lines.append(f"Action_{number}=(Action: functions.{call})")
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
