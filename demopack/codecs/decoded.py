"""Decoded answers, and the ways in which answers name a place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from demopack.codecs.observation import CoordinateSpace, HeldDrag, Observation
from demopack.domain.actions import Action, ActionTarget, LLMResponse
from demopack.errors import ActionError


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedAnswer:
    """A model's answer, read.

    Attributes:
        responses: what to do, in order; empty only while a drag is held, or where there are :attr:`calls`.
        notes: what was repaired, assumed or left out, each in one sentence.
        sections: what else the answer said, by the dialect's own names (thought, plan, review, ...).
        memory: operations on the model's memory, as it wrote them.
        held: a drag that the answer began and did not end.
        calls: checked calls of actions that a vocabulary was extended by and the contract has none for; whoever added
            the action carries them out.
    """

    responses: tuple[LLMResponse, ...]
    notes: tuple[str, ...] = ()
    sections: dict[str, Any] = field(default_factory=dict[str, Any])
    memory: tuple[dict[str, Any], ...] = ()
    held: HeldDrag | None = None
    calls: tuple[dict[str, Any], ...] = ()

    @property
    def response(self) -> LLMResponse:
        """The first thing to do.

        Raises:
            ActionError: (``nothing_to_do``) the answer only began a drag; (``no_counterpart``) the contract has no
                action for what it says.
        """
        if self.calls and not self.responses:
            raise ActionError(
                f"The contract has no action for {self.calls[0]['type']}.",
                code="no_counterpart",
                field="action.type",
                hint="Carry out the call itself, or say in the registry what the action means.",
            )
        if not self.responses:
            raise ActionError(
                "The answer begins a drag and does not end it.",
                code="nothing_to_do",
                field="action",
                hint="Say where the button is released.",
            )
        return self.responses[0]


def responses_of(actions: Iterable[Action], *, reasoning: str) -> tuple[LLMResponse, ...]:
    """A response for each action; the reasoning belongs to all of them and stands with the first."""
    return tuple(LLMResponse.of(action, reasoning="" if i else reasoning) for i, action in enumerate(actions))


def unknown_action(name: object, known: tuple[str, ...], *, field_name: str) -> ActionError:
    """The vocabulary has no such action."""
    return ActionError(
        f"There is no action called {name!r}.", "unknown_action", field_name, f"Use one of {', '.join(known)}."
    )


def required(values: Mapping[str, Any], name: str, *, what: str = "argument", field_name: str = "") -> Any:  # noqa: ANN401
    """A value that must be there.

    Args:
        values: by name.
        name: of the value.
        what: what the vocabulary calls it.
        field_name: for the error, where it is not the name.

    Raises:
        ActionError: (``missing_argument``) it is missing.
    """
    if values.get(name) is None:
        message = f"The {what} {name} is missing."
        raise ActionError(message, "missing_argument", field_name or name, f"Give {name} a value.")
    return values[name]


def number_in(values: dict[str, Any], name: str, *, default: float | None = None) -> float:
    """A number among arguments, also where it was written as text.

    Raises:
        ActionError: (``missing_argument``) it is missing and there is no default; (``bad_parameter``) it is no number.
    """
    if values.get(name) is None and default is not None:
        return default
    value = required(values, name)
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ActionError(
            f"{name} is {value!r}, not a number.", "bad_parameter", name, f"Give {name} as a number."
        ) from error


def target_of_number(number: object, observation: Observation, *, field_name: str) -> ActionTarget:
    """The element with this number in the list that the model was given; without a list only the number is known.

    Raises:
        ActionError: (``no_such_element``) the list has no such number; (``bad_parameter``) it is no number;
            (``bad_element_id``) it is less than 1.
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
    element = observation.element(index, field_name=field_name)
    if element is None and index < 1:
        raise ActionError(f"{field_name} is {index}.", "bad_element_id", field_name, "Elements are numbered from 1.")
    return ActionTarget(element_id=index) if element is None else observation.target(element)


def target_at(x: float, y: float, observation: Observation, *, space: CoordinateSpace, field_name: str) -> ActionTarget:
    """The place as a box of size zero.

    Raises:
        ActionError: (``off_screen``) it is beside the screen; (``unknown_size``) pixels without a picture's size.
    """
    fx, fy = fractions(x, y, observation, space=space, field_name=field_name)
    return ActionTarget(bbox=(round(fx, 6), round(fy, 6), 0.0, 0.0))


def fractions(
    x: float, y: float, observation: Observation, *, space: CoordinateSpace, field_name: str
) -> tuple[float, float]:
    """A place as fractions 0..1 of the picture.

    Args:
        x: across.
        y: down.
        observation: its own space, where it has one, wins over ``space``.
        space: how the dialect writes places.
        field_name: for the error.

    Raises:
        ActionError: as :func:`target_at`.
    """
    space = observation.space or space
    if space == "pixels" and observation.size is None:
        raise ActionError(
            "The answer gives pixels, but the size of the picture is not known.",
            code="unknown_size",
            field=field_name,
            hint="Say how large the picture was that the model was sent.",
        )
    width, height = (1000, 1000) if space == "thousand" else (1, 1)
    if space == "pixels" and observation.size is not None:
        width, height = observation.size
    place = (x / width, y / height)
    if not (0 <= place[0] <= 1 and 0 <= place[1] <= 1):
        raise ActionError(
            f"The place ({x:g}, {y:g}) is not on the screen.",
            code="off_screen",
            field=field_name,
            hint=f"x lies between 0 and {width}, y between 0 and {height}.",
        )
    return place
