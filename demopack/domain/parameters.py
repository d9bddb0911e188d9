"""What each action may carry: typed here, a plain dict on the wire, defaults left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from demopack.domain.keys import join_keys, parse_key_info
from demopack.domain.records import not_json
from demopack.errors import ActionError

__all__ = [
    "PARAMETER_MODELS",
    "ClickParameters",
    "DragParameters",
    "ExtractDataParameters",
    "FinishGoalParameters",
    "HoverParameters",
    "LaunchParameters",
    "Modifier",
    "Parameters",
    "PressKeyParameters",
    "ScrollParameters",
    "TypeParameters",
    "WaitParameters",
    "check_parameters",
]

Modifier = Literal["ctrl", "alt", "shift", "meta"]
_MODIFIER_ORDER: tuple[Modifier, ...] = ("ctrl", "alt", "shift", "meta")


class Parameters(BaseModel):
    """Base of every action's parameters.

    Attributes:
        always: fields that are written even at their default, because readers count on them.
        missing: code of the error for each field that must be given.
    """

    # JSON has no infinity; a duration that never ends would also stop every replay.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    always: ClassVar[frozenset[str]] = frozenset()
    missing: ClassVar[dict[str, str]] = {}

    def to_wire(self) -> dict[str, Any]:
        """What is not at its default, as plain JSON values."""
        full = self.model_dump(mode="json")
        sparse = self.model_dump(mode="json", exclude_defaults=True)
        return {name: full[name] for name in full if name in sparse or name in self.always}


def _ordered_modifiers(value: Any) -> Any:  # noqa: ANN401 - whatever the wire holds
    if not isinstance(value, (list, tuple)):
        return value
    given = cast("Sequence[Any]", value)
    names = {str(v).lower() for v in given}
    # Anything unknown is left as it came: pydantic then says which value is wrong.
    return tuple(m for m in _MODIFIER_ORDER if m in names) if names <= set(_MODIFIER_ORDER) else given


class _WithModifiers(Parameters):
    modifiers: tuple[Modifier, ...] = Field(default=(), description="Keys held down meanwhile.")

    _order = field_validator("modifiers", mode="before")(_ordered_modifiers)


class ClickParameters(_WithModifiers):
    """A press and release of a mouse button."""

    click_type: Literal["single", "double", "triple", "right", "middle"] = "single"
    hold_s: float | None = Field(default=None, gt=0, description="Seconds held down; only of a long press.")


class TypeParameters(Parameters):
    """Text as it ends up in the field."""

    missing: ClassVar[dict[str, str]] = {"text_to_type": "type_without_text"}

    text_to_type: str
    submit: bool = Field(default=False, description="Enter ended the text and belongs to this step.")


class PressKeyParameters(Parameters):
    """A key or a combination."""

    missing: ClassVar[dict[str, str]] = {"key_info": "press_key_without_key"}

    key_info: str = Field(description="For instance Ctrl+Shift+T; names of demopack.domain.keys.")
    presses: int = Field(default=1, ge=1, description="How often; a key held down counts its repeats.")

    @field_validator("key_info")
    @classmethod
    def _canonical(cls, value: str) -> str:
        return join_keys(parse_key_info(value))


class ScrollParameters(_WithModifiers):
    """A run of wheel notches; the direction in which the view moves."""

    always: ClassVar[frozenset[str]] = frozenset({"scroll_steps"})
    missing: ClassVar[dict[str, str]] = {"scroll_direction": "scroll_without_direction"}

    scroll_direction: Literal["up", "down", "left", "right"]
    scroll_steps: int = Field(default=1, ge=1, description="Wheel notches.")


class HoverParameters(Parameters):
    """The pointer rests somewhere and the screen answers."""

    duration_s: float | None = Field(default=None, gt=0, description="Seconds; None when it was not measured.")


class WaitParameters(Parameters):
    """Nothing is done until the screen has changed."""

    missing: ClassVar[dict[str, str]] = {"wait_duration_s": "wait_without_duration"}

    wait_duration_s: float = Field(gt=0, description="Seconds.")


class DragParameters(_WithModifiers):
    """Press at the target, move, release at the end target."""

    missing: ClassVar[dict[str, str]] = {"end_target": "drag_without_end"}

    end_target: dict[str, Any] = Field(description="An ActionTarget: where the button is released.")
    path: tuple[tuple[float, float], ...] = Field(
        default=(), description="Normalised way-points; empty when the way was straight."
    )
    button: Literal["left", "right", "middle"] = "left"

    @field_validator("path")
    @classmethod
    def _on_screen(cls, value: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        if any(not 0 <= v <= 1 for point in value for v in point):
            raise ActionError(
                "A point of the drag's path is not within 0..1.",
                code="path_out_of_range",
                field="action.parameters.path",
                hint="Divide pixels by the frame's width and height.",
            )
        return value


class LaunchParameters(Parameters):
    """Start an application."""

    missing: ClassVar[dict[str, str]] = {"app": "launch_without_app"}

    app: str = Field(min_length=1)


class ExtractDataParameters(Parameters):
    """Read something off the screen."""

    missing: ClassVar[dict[str, str]] = {"description": "extract_data_without_description"}

    description: str = Field(min_length=1)
    data: Any = None

    @field_validator("data")
    @classmethod
    def _json(cls, value: Any) -> Any:  # noqa: ANN401 - whatever was read
        fault = not_json(value)
        if fault:
            raise ValueError(fault)
        return value


class FinishGoalParameters(Parameters):
    """The end of the task."""

    status: Literal["success", "failure"] = "success"


PARAMETER_MODELS: Final[dict[str, type[Parameters]]] = {
    "click": ClickParameters,
    "type": TypeParameters,
    "press_key": PressKeyParameters,
    "scroll": ScrollParameters,
    "hover": HoverParameters,
    "wait": WaitParameters,
    "drag": DragParameters,
    "launch": LaunchParameters,
    "extract_data": ExtractDataParameters,
    "finish_goal": FinishGoalParameters,
}
"""The parameters' model of every action."""


def check_parameters(action_type: str, parameters: dict[str, Any]) -> Parameters:
    """The typed parameters of one action; null counts as "not given", as strict structured output writes it.

    Raises:
        ActionError: a parameter is missing, unknown or wrong.
    """
    model = PARAMETER_MODELS[action_type]
    given = {name: value for name, value in parameters.items() if value is not None}
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        field = f"action.parameters.{'.'.join(str(part) for part in first['loc'])}"
        if first["type"] == "missing":
            raise ActionError(
                f"{action_type} needs the parameter {name}.", code=model.missing[name], field=field
            ) from error
        if first["type"] == "extra_forbidden":
            known = ", ".join(model.model_fields) or "none"
            raise ActionError(
                f"{action_type} has no parameter {name}.",
                code="unknown_parameter",
                field=field,
                hint=f"It knows {known}.",
            ) from error
        raise ActionError(
            f"The parameter {name} of {action_type} is wrong: {first['msg']}.",
            code="bad_parameter",
            field=field,
        ) from error
