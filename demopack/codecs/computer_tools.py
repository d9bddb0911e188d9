"""Parts that all computer tools share: calls by name, places as numbers, a message that ends the task."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from demopack.codecs.action_builder import ActionBuilder, Place, key_parts
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.json_answers import Call, as_object, loose_json
from demopack.codecs.observation import CoordinateSpace, Observation
from demopack.codecs.placed_action import EncodedAction, encoded
from demopack.domain.actions import FinishGoalAction
from demopack.errors import ActionError

ToolDecoder = Callable[[ActionBuilder, dict[str, Any]], None]
"""What one tool does with its arguments; a key that is missing may raise KeyError."""

PIXELS_A_NOTCH: Final = 100
"""Pixels that one wheel notch counts, in vocabularies that scroll by pixels."""
_SUCCESS_TEXT, _FAILURE_TEXT = "The task is done.", "The task could not be done."
"""Messages that end the task, in vocabularies without a word for that."""
_LOOKING_ONLY: Final = frozenset({"screenshot", "take_screenshot", "cursor_position", "zoom", "get_screenshot"})
"""Calls that only look; they are no action."""
CLICK_TOOLS: Final = {
    "single": "left_click", "right": "right_click", "middle": "middle_click", "double": "double_click",
    "triple": "triple_click",
}  # fmt: skip
"""Tool for each kind of click, in vocabularies that have one for each."""
_FAILURE = re.compile(r"\b(?:could not|cannot|can't|unable|impossible|fail(?:ed|ure)?|infeasible)\b", re.IGNORECASE)


def end_message(action: FinishGoalAction) -> EncodedAction:
    """The end of the task as an assistant's message."""
    return encoded({"type": "message", "text": _SUCCESS_TEXT if action.status == "success" else _FAILURE_TEXT})


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


def read_calls(
    calls: list[Call], decoders: Mapping[str, ToolDecoder], observation: Observation, space: CoordinateSpace, words: str
) -> DecodedAnswer:
    """Do every call in order; without any the words end the task.

    Args:
        calls: of one answer.
        decoders: the vocabulary.
        observation: the screen.
        space: how the vocabulary writes places.
        words: what the model says beside its calls.

    Raises:
        ActionError: a call is unknown or not complete, or there is neither call nor word.
    """
    builder = ActionBuilder(observation=observation, space=space)
    for call in calls:
        if call.name in _LOOKING_ONLY:
            builder.notes.append(f"{call.name} only looks and was left out.")
            continue
        builder.do(call.name, call.arguments, decoders)
    if builder.actions:
        return builder.answer(words.strip())
    if not words.strip():
        raise ActionError("The answer is empty.", "no_action", "action", "Call one of the actions.")
    success = _FAILURE.search(words) is None
    builder.notes.append(f"A message without a call ends the task: {'success' if success else 'failure'} is assumed.")
    builder.finish(success=success)
    return builder.answer(words.strip())


def xy_of(builder: ActionBuilder, given: dict[str, Any]) -> Place:
    """The place that x and y name.

    Raises:
        KeyError: one of them is missing.
        ActionError: they are no place on the screen.
    """
    return builder.place(given["x"], given["y"])


def pair_of(builder: ActionBuilder, value: object) -> Place | None:
    """The place that a list of two numbers names; None for None.

    Raises:
        ActionError: it is no place on the screen.
    """
    if value is None:
        return None
    numbers: Sequence[Any] = cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else ()
    if len(numbers) != 2:
        raise ActionError(
            f"{json.dumps(value, default=str)} is no place.", "bad_parameter", "coordinate", "Give two numbers, [x, y]."
        )
    return builder.place(numbers[0], numbers[1])


def keys_in(value: object) -> list[str]:
    """Keys, as a list or as one text with plus signs or spaces."""
    if isinstance(value, str):
        return key_parts(value)
    return [str(item) for item in cast("Sequence[Any]", value)] if isinstance(value, list) else []


def wheel(
    builder: ActionBuilder,
    at: Place | None,
    across: float,
    down: float,
    held: Sequence[str] = (),
    *,
    unit: float = PIXELS_A_NOTCH,
    field_name: str = "scroll",
) -> None:
    """A scroll, positive to the right and down.

    Args:
        builder: what takes it.
        at: where the pointer is; None where nobody says.
        across: how far to the right.
        down: how far down.
        held: keys held meanwhile.
        unit: how much is one wheel notch.
        field_name: for the error.

    Raises:
        ActionError: it has no distance.
    """
    if not across and not down:
        raise ActionError("The scroll has no distance.", "scroll_without_direction", field_name, "Say how far.")
    sideways = abs(across) > abs(down)
    if across and down:
        builder.notes.append("Of a slanting scroll only the longer way was read.")
    far = across if sideways else down
    direction = ("right" if far > 0 else "left") if sideways else ("down" if far > 0 else "up")
    builder.scroll(at, direction, max(1, round(abs(far) / unit)), held=held)
