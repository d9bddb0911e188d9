"""What the computer tools of all providers share: calls by name, places as numbers, a message that ends the task."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from demopack.errors import ActionError
from demopack.prompting.answers.calls import Call
from demopack.prompting.answers.gestures import Gestures, Place
from demopack.prompting.answers.key_names import key_parts
from demopack.prompting.answers.loose import as_object, loose_json
from demopack.prompting.answers.parsed import ParsedAnswer, answer_of, unknown_action
from demopack.prompting.scene import Scene, Space

__all__ = ["NOTCH", "CallHand", "dicts_in", "keys_in", "object_of", "pair_of", "read_calls", "wheel", "xy_of"]

CallHand = Callable[[Gestures, dict[str, Any]], None]
"""What one tool does with its arguments; a key that is missing may raise KeyError."""

NOTCH: Final = 100
"""Pixels that one wheel notch counts, in vocabularies that scroll by pixels."""
_LOOKING: Final = frozenset({"screenshot", "take_screenshot", "cursor_position", "zoom", "get_screenshot"})
"""Calls that only look; they are no action."""
_FAILED = re.compile(r"\b(?:could not|cannot|can't|unable|impossible|fail(?:ed|ure)?|infeasible)\b", re.IGNORECASE)


def object_of(answer: str | dict[str, Any]) -> dict[str, Any]:
    """The answer as an object; text that is no JSON is a message without a call.

    Raises:
        ActionError: it is JSON, but no object.
    """
    if isinstance(answer, dict):
        return answer
    try:
        value, _ = loose_json(answer)
    except ActionError as error:
        if error.code != "not_json":
            raise
        # A model of these APIs ends with a message and no call.
        return {"type": "message", "text": answer}
    return as_object(value, "The answer")


def dicts_in(value: object) -> list[dict[str, Any]]:
    """The objects of a list; none where it is no list."""
    return [item for item in cast("Sequence[Any]", value) if isinstance(item, dict)] if isinstance(value, list) else []


def read_calls(
    calls: list[Call], hands: Mapping[str, CallHand], scene: Scene, space: Space, words: str
) -> ParsedAnswer:
    """Do every call in order; without any the words end the task.

    Args:
        calls: of one answer.
        hands: the vocabulary.
        scene: the screen.
        space: how the vocabulary writes places.
        words: what the model says beside its calls.

    Raises:
        ActionError: a call is unknown or not complete, or there is neither call nor word.
    """
    gestures = Gestures(scene=scene, space=space)
    for call in calls:
        if call.name in _LOOKING:
            gestures.notes.append(f"{call.name} only looks and was left out.")
            continue
        hand = hands.get(call.name)
        if hand is None:
            raise unknown_action(call.name, tuple(hands), field_name="action")
        try:
            hand(gestures, call.arguments)
        except KeyError as error:
            name = str(error.args[0])
            raise ActionError(
                f"The argument {name} of {call.name} is missing.",
                code="missing_argument",
                field=name,
                hint=f"Give {name} a value.",
            ) from error
    if not gestures.actions:
        _end(gestures, words)
    return ParsedAnswer(
        responses=tuple(
            answer_of(action, reasoning=words.strip() if i == 0 else "") for i, action in enumerate(gestures.actions)
        ),
        notes=tuple(gestures.notes),
    )


def _end(gestures: Gestures, words: str) -> None:
    if not words.strip():
        raise ActionError("The answer is empty.", code="no_action", field="action", hint="Call one of the actions.")
    success = _FAILED.search(words) is None
    gestures.notes.append(f"A message without a call ends the task: {'success' if success else 'failure'} is assumed.")
    gestures.finish(success=success)


def xy_of(gestures: Gestures, given: dict[str, Any]) -> Place:
    """The place that x and y name.

    Raises:
        KeyError: one of them is missing.
        ActionError: they are no place on the screen.
    """
    return gestures.place(given["x"], given["y"])


def pair_of(gestures: Gestures, value: object) -> Place | None:
    """The place that a list of two numbers names; None for None.

    Raises:
        ActionError: it is no place on the screen.
    """
    if value is None:
        return None
    numbers: Sequence[Any] = cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else ()
    if len(numbers) != 2:
        raise ActionError(
            f"{json.dumps(value, default=str)} is no place.",
            code="bad_parameter",
            field="coordinate",
            hint="Give two numbers, [x, y].",
        )
    return gestures.place(numbers[0], numbers[1])


def keys_in(value: object) -> list[str]:
    """Keys, as a list or as one text with plus signs or spaces."""
    if isinstance(value, str):
        return key_parts(value)
    return [str(item) for item in cast("Sequence[Any]", value)] if isinstance(value, list) else []


def wheel(gestures: Gestures, at: Place | None, across: float, down: float, held: list[str]) -> None:
    """A scroll in pixels, positive to the right and down.

    Raises:
        ActionError: it has no distance.
    """
    if not across and not down:
        raise ActionError(
            "The scroll has no distance.", code="scroll_without_direction", field="scroll", hint="Say how far."
        )
    sideways = abs(across) > abs(down)
    if across and down:
        gestures.notes.append("Of a slanting scroll only the longer way was read.")
    far = across if sideways else down
    direction = ("right" if far > 0 else "left") if sideways else ("down" if far > 0 else "up")
    gestures.scroll(at, direction, max(1, round(abs(far) / NOTCH)), held=held)
