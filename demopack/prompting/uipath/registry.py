"""The planner's actions as data: what the prompt tells, what answers are checked by, and the functions for APIs.

One table serves all three, and :meth:`ActionRegistry.add` refuses an example that its own check would refuse: the
prompt can never show what the validator turns down.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from demopack.domain.records import Record
from demopack.errors import ActionError
from demopack.prompting.texts import Texts, texts

__all__ = ["DEFAULT_REGISTRY", "SECTIONS", "ActionDefinition", "ActionRegistry", "Parameter", "Section"]


class Parameter(Record):
    """One parameter of an action.

    Attributes:
        name: its key.
        kind: JSON type; ``any`` for whatever can be written in JSON.
        about: one sentence.
        choices: the only values; empty for any.
        needed: whether an answer must give it.
    """

    name: str
    about: str
    kind: Literal["string", "integer", "any"] = "string"
    choices: tuple[str, ...] = ()
    needed: bool = True

    def json_type(self) -> dict[str, Any]:
        """JSON schema."""
        if self.kind == "any":
            return {"type": ["string", "object", "array", "number", "boolean"], "description": self.about}
        found: dict[str, Any] = {"type": self.kind, "description": self.about}
        return {**found, "enum": list(self.choices)} if self.choices else found


class ActionDefinition(Record):
    """One action.

    Attributes:
        type: its name in answers.
        about: one or two sentences.
        parameters: what it takes.
        examples: whole actions as they are answered.
        special: whether it concerns the plan rather than the screen.
    """

    type: str
    about: str
    parameters: tuple[Parameter, ...] = ()
    examples: tuple[dict[str, Any], ...] = ()
    special: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of the answer that comes before the action: its key, and what belongs into it."""

    key: str
    about: str


def _sections(words: Texts) -> dict[str, Section]:
    keys = {
        "review": "previous_action_result",
        "thought": "thought",
        "action_description": "action_description",
        "memory": "update_memory",
    }
    return {name: Section(key=key, about=words.get(f"section_{name}")) for name, key in keys.items()}


SECTIONS: Final = _sections(texts("uipath"))
"""In the order in which they are written."""


@dataclass(slots=True)
class ActionRegistry:
    """Actions by type, in the order in which they were added."""

    _actions: dict[str, ActionDefinition] = field(default_factory=dict[str, ActionDefinition])

    def add(self, action: ActionDefinition) -> None:
        """Add an action, or replace the one of this type.

        Raises:
            ActionError: one of its examples is not valid.
        """
        before = self._actions.get(action.type)
        self._actions[action.type] = action
        try:
            for example in action.examples:
                self.check_action(example)
        except ActionError:
            if before is None:
                del self._actions[action.type]
            else:
                self._actions[action.type] = before
            raise

    def get(self, action_type: str) -> ActionDefinition | None:
        """The action of this type."""
        return self._actions.get(action_type)

    def actions(self, *, special: bool | None = None) -> Sequence[ActionDefinition]:
        """All actions, or only the special or the other ones."""
        return [action for action in self._actions.values() if special is None or action.special == special]

    def check_action(self, action: Mapping[str, Any]) -> None:
        """Check a whole action as an answer gives it.

        Raises:
            ActionError: no such type, no description, or a parameter is missing, unknown or wrong.
        """
        if not str(action.get("description") or "").strip():
            raise _wrong("The action has no description.", "missing_field", "description", "Say what it is done to.")
        extra = sorted(set(action) - {"type", "description", "parameters"})
        if extra:
            raise _wrong(f"The action has the unknown key {extra[0]}.", "unknown_field", extra[0], "Leave it out.")
        self.check(str(action.get("type")), action.get("parameters") or {})

    def check(self, action_type: str, parameters: Mapping[str, Any], *, optional: bool = False) -> None:
        """Check the parameters of one action.

        Args:
            action_type: which.
            parameters: as answered.
            optional: whether parameters may be missing; those that are given are still checked.

        Raises:
            ActionError: no such action, or a parameter is missing, unknown or wrong.
        """
        definition = self._actions.get(action_type)
        if definition is None:
            raise _wrong(
                f"There is no action called {action_type!r}.",
                "unknown_action",
                "type",
                f"Use one of {', '.join(self._actions)}.",
            )
        known = {parameter.name: parameter for parameter in definition.parameters}
        for name in parameters:
            if name not in known and not optional:
                raise _wrong(f"{action_type} has no parameter {name}.", "unknown_field", name, "Leave it out.")
        for name, parameter in known.items():
            if parameters.get(name) is not None:
                _check_value(parameter, parameters[name])
            elif parameter.needed and not optional:
                raise _wrong(f"{action_type} needs the parameter {name}.", "missing_argument", name, parameter.about)

    def functions(self) -> list[dict[str, Any]]:
        """Every action as a function definition; the description of the target is an argument like any other."""
        return [_function(action) for action in self._actions.values()]


def _wrong(what: str, code: str, name: str, hint: str) -> ActionError:
    field_name = name if name in {"type", "description"} else f"parameters.{name}"
    return ActionError(what, code=code, field=f"action.{field_name}", hint=hint)


def _check_value(parameter: Parameter, value: Any) -> None:  # noqa: ANN401 - whatever the model wrote
    name = parameter.name
    if parameter.kind == "integer":
        # Models copy the quotes of a prompt's examples; a number in quotes is still a number.
        if isinstance(value, bool) or not str(value).lstrip("+-").isdigit():
            raise _wrong(f"{name} is {value!r}, not a whole number.", "bad_parameter", name, parameter.about)
    elif parameter.kind == "string" and not isinstance(value, str):
        raise _wrong(f"{name} is {value!r}, not text.", "bad_parameter", name, parameter.about)
    if parameter.choices and str(value).strip().lower() not in parameter.choices:
        choices = ", ".join(parameter.choices)
        raise _wrong(f"{name} is {value!r}.", "bad_parameter", name, f"Use one of {choices}.")


def _function(action: ActionDefinition) -> dict[str, Any]:
    own = {parameter.name: parameter.json_type() for parameter in action.parameters}
    about = {"type": "string", "description": "One sentence: what is done, and to which element."}
    properties = own if "description" in own else {"description": about, **own}
    needed = [p.name for p in action.parameters if p.needed]
    return {
        "name": action.type,
        "description": action.about,
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": [name for name in properties if name == "description" or name in needed],
        },
    }


def _default() -> ActionRegistry:
    registry = ActionRegistry()
    for item in json.loads(texts("uipath").get("registry")):
        registry.add(ActionDefinition.model_validate(item))
    return registry


DEFAULT_REGISTRY: Final = _default()
"""The planner's twelve actions."""
