"""Cuts one step into two: pure, on steps.

A cut follows the raw events: the part of each step is what its own events did, and so are its times. Where the events
do not tell (a text that was pasted, an input method), the first part keeps them all and the second has no time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from annotator.words import tr
from demopack.domain.actions import AgentAction
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.steps import CaptureQuality, Step
from demopack.errors import BadInputError

__all__ = ["parts_of", "split", "split_time"]

_SECRET = re.compile(r"<secret:[^>]*>")
_CLICKS = ("single", "double", "triple")
_NO_TEXT = frozenset({"Ctrl", "Alt", "Meta"})


def parts_of(step: Step) -> int:
    """How many parts a step can be cut into: characters, clicks, notches, presses; 1 where it is whole."""
    parameters, kind = step.action.parameters, step.action.action_type
    if kind == "type":
        return len(parameters["text_to_type"])
    if kind == "scroll":
        return int(parameters["scroll_steps"])
    if kind == "press_key":
        return int(parameters.get("presses", 1))
    click = parameters.get("click_type", "single")
    return _CLICKS.index(click) + 1 if kind == "click" and click in _CLICKS else 1


def split_time(step: Step, at: int) -> int | None:
    """Monotonic nanoseconds of the first event of the second part; None where the events do not tell."""
    cut = _cut(step, at)
    return None if cut is None else step.events[cut].t_ns


def split(step: Step, at: int, *, new_id: str, between: Frame | None = None) -> tuple[Step, Step]:
    """The two steps that a cut makes; the first keeps the id.

    Args:
        step: what is cut.
        at: how many of its parts (:func:`parts_of`) the first one gets.
        new_id: id of the second.
        between: the screen at the cut; without one the second starts from the same picture as the first, in doubt.

    Raises:
        BadInputError: there is no such cut; the sentence says why.
    """
    _check(step, at)
    first_action, second_action = _actions(step.action, at)
    cut = _cut(step, at)
    first_events = step.events if cut is None else step.events[:cut]
    second_events = () if cut is None else step.events[cut:]
    # What described the whole describes neither part.
    open_again: dict[str, Any] = {"rationale": None, "verdict": None, "review": "unreviewed", "variable": ""}
    first = step.model_copy(
        update={
            **open_again,
            "action": first_action,
            "events": first_events,
            "ended_ns": step.ended_ns if cut is None else max(step.started_ns, first_events[-1].t_ns),
            "after": between,
            "quality": step.quality.model_copy(update={"settled": None, "settle_ms": None}),
        }
    )
    started = 0 if cut is None else step.events[cut].t_ns
    second = step.model_copy(
        update={
            **open_again,
            "id": new_id,
            "action": second_action,
            "events": second_events,
            "started_ns": started,
            "ended_ns": step.ended_ns if started else 0,
            "before": between or step.before,
            "quality": _second_quality(step, between or step.before, started, fresh=between is not None),
            "note": "",
            "clipboard": None,
        }
    )
    return first, second


def _second_quality(step: Step, before: Frame | None, started: int, *, fresh: bool) -> CaptureQuality:
    grabbed = before.grab_ended_ns if before is not None else 0
    age = (started - grabbed) / 1e6 if started and grabbed and started >= grabbed else None
    # Without a picture of its own: the first part has been done since, and that shows.
    changed = None if fresh or before is None else True
    return step.quality.model_copy(update={"frame_age_ms": age, "changed_before_event": changed})


def _check(step: Step, at: int) -> None:
    count = parts_of(step)
    if count < 2:
        raise BadInputError(
            tr("This step is one thing and cannot be split."),
            hint=tr("Typing, scrolling, double clicks and keys pressed several times can."),
        )
    if not 0 < at < count:
        raise BadInputError(
            tr("A cut lies between 1 and {value}, not at {at}.").format(value=count - 1, at=at),
            hint=tr("Both parts must do something."),
        )
    text = str(step.action.parameters.get("text_to_type", ""))
    if any(found.start() < at < found.end() for found in _SECRET.finditer(text)):
        raise BadInputError(
            tr("The place-holder of a secret cannot be cut in two."), hint=tr("Split the text before or after it.")
        )


def _actions(action: AgentAction, at: int) -> tuple[AgentAction, AgentAction]:
    old = action.parameters
    if action.action_type == "type":
        text = old["text_to_type"]
        first: dict[str, Any] = {"text_to_type": text[:at]}
        second: dict[str, Any] = {**old, "text_to_type": text[at:]}
    elif action.action_type == "scroll":
        first, second = {**old, "scroll_steps": at}, {**old, "scroll_steps": old["scroll_steps"] - at}
    elif action.action_type == "press_key":
        first, second = {**old, "presses": at}, {**old, "presses": old["presses"] - at}
    else:
        count = _CLICKS.index(old["click_type"]) + 1
        first = {**old, "click_type": _CLICKS[at - 1]}
        second = {**old, "click_type": _CLICKS[count - at - 1]}
    return _with(action, first), _with(action, second)


def _with(action: AgentAction, parameters: dict[str, Any]) -> AgentAction:
    return AgentAction(action_type=action.action_type, target=action.target, parameters=parameters)


# Where the events are cut -----------------------------------------------------------------------------------------


def _cut(step: Step, at: int) -> int | None:
    """The place of the second part's first event; None where the events do not add up to the step."""
    cut = _place(step, at)
    return cut if cut is not None and step.started_ns <= step.events[cut].t_ns <= step.ended_ns else None


def _place(step: Step, at: int) -> int | None:
    if step.action.action_type == "type":
        return _text_cut(step.events, str(step.action.parameters["text_to_type"]), at)
    weights: dict[str, Callable[[InputEvent], int]] = {
        "scroll": lambda event: max(abs(event.dx), abs(event.dy)) if event.kind == "scroll" else 0,
        "press_key": lambda event: int(event.kind == "key_down" and event.key not in {*_NO_TEXT, "Shift", "AltGr"}),
        "click": lambda event: int(event.kind == "down"),
    }
    done = 0
    for i, event in enumerate(step.events):
        weight = weights[step.action.action_type](event)
        if weight and done >= at:
            return i if done == at else None
        done += weight
    return None


def _text_cut(events: Sequence[InputEvent], text: str, at: int) -> int | None:
    """The key that begins the second part and is not taken back afterwards."""
    typed, cut = "", None
    for i, event in enumerate(events):
        if event.kind != "key_down":
            continue
        if event.key == "Backspace":
            typed = typed[:-1]
            if len(typed) < at:
                cut = None
        elif event.char and event.char.isprintable():
            if cut is None and typed == text[:at]:
                cut = i
            typed += event.char
    return cut if typed == text and cut else None
