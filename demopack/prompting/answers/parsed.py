"""What came of reading an answer, and the ways in which answers name a place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from demopack.domain.actions import ActionTarget, AgentAction, LLMResponse
from demopack.errors import ActionError
from demopack.prompting.scene import Held, Scene, Space

__all__ = ["ParsedAnswer", "answer_of", "fractions", "number_in", "target_at", "target_of_number", "unknown_action"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedAnswer:
    """A model's answer, read.

    Attributes:
        responses: what to do, in order; empty only while a drag is held.
        notes: what was repaired, assumed or left out, each in one sentence.
        sections: what else the answer said, by the dialect's own names (thought, plan, review, ...).
        memory: operations on the model's memory, as it wrote them.
        held: a drag that the answer began and did not end.
    """

    responses: tuple[LLMResponse, ...]
    notes: tuple[str, ...] = ()
    sections: dict[str, Any] = field(default_factory=dict[str, Any])
    memory: tuple[dict[str, Any], ...] = ()
    held: Held | None = None

    @property
    def response(self) -> LLMResponse:
        """The first thing to do.

        Raises:
            ActionError: (``nothing_to_do``) the answer only began a drag.
        """
        if not self.responses:
            raise ActionError(
                "The answer begins a drag and does not end it.",
                code="nothing_to_do",
                field="action",
                hint="Say where the button is released.",
            )
        return self.responses[0]


def answer_of(action: AgentAction, *, reasoning: str = "") -> LLMResponse:
    """The response around an action; the goal flag follows from the action."""
    success = action.action_type == "finish_goal" and "status" not in action.parameters
    return LLMResponse(reasoning=reasoning, action=action, is_goal_complete=success)


def unknown_action(name: object, known: tuple[str, ...], *, field_name: str) -> ActionError:
    """The vocabulary has no such action."""
    return ActionError(
        f"There is no action called {name!r}.",
        code="unknown_action",
        field=field_name,
        hint=f"Use one of {', '.join(known)}.",
    )


def number_in(values: dict[str, Any], name: str, *, default: float | None = None) -> float:
    """A number among arguments, also where it was written as text.

    Raises:
        ActionError: (``missing_argument``) it is missing and there is no default; (``bad_parameter``) it is no number.
    """
    value = values.get(name)
    if value is None and default is not None:
        return default
    if value is None:
        raise ActionError(
            f"The argument {name} is missing.", code="missing_argument", field=name, hint=f"Give {name} a value."
        )
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ActionError(
            f"{name} is {value!r}, not a number.", code="bad_parameter", field=name, hint=f"Give {name} as a number."
        ) from error


def target_of_number(number: object, scene: Scene, *, field_name: str) -> ActionTarget:
    """The element with this number in the list that the model was given; without a list only the number is known.

    Raises:
        ActionError: (``no_such_element``) the list has no such number; (``bad_parameter``) it is no number.
    """
    try:
        index = int(float(str(number).strip().removeprefix("element_")))
    except (ValueError, OverflowError) as error:
        raise ActionError(
            f"{field_name} is {number!r}, not a number.",
            code="bad_parameter",
            field=field_name,
            hint="Give the number of an element in the list, for instance 3.",
        ) from error
    element = scene.element(index, field_name=field_name)
    return ActionTarget(element_id=index) if element is None else scene.target(element)


def target_at(x: float, y: float, scene: Scene, *, space: Space, field_name: str) -> ActionTarget:
    """The place as a box of size zero.

    Raises:
        ActionError: (``off_screen``) it is beside the screen; (``unknown_size``) pixels without a picture's size.
    """
    fx, fy = fractions(x, y, scene, space=space, field_name=field_name)
    return ActionTarget(bbox=(round(fx, 6), round(fy, 6), 0.0, 0.0))


def fractions(x: float, y: float, scene: Scene, *, space: Space, field_name: str) -> tuple[float, float]:
    """A place as fractions 0..1 of the picture.

    Args:
        x: across.
        y: down.
        scene: its own space, where it has one, wins over ``space``.
        space: how the dialect writes places.
        field_name: for the error.

    Raises:
        ActionError: as :func:`target_at`.
    """
    space = scene.space or space
    if space == "pixels" and scene.size is None:
        raise ActionError(
            "The answer gives pixels, but the size of the picture is not known.",
            code="unknown_size",
            field=field_name,
            hint="Say how large the picture was that the model was sent.",
        )
    width, height = (1000, 1000) if space == "thousand" else (1, 1)
    if space == "pixels" and scene.size is not None:
        width, height = scene.size
    place = (x / width, y / height)
    if not (0 <= place[0] <= 1 and 0 <= place[1] <= 1):
        raise ActionError(
            f"The place ({x:g}, {y:g}) is not on the screen.",
            code="off_screen",
            field=field_name,
            hint=f"x lies between 0 and {width}, y between 0 and {height}.",
        )
    return place
