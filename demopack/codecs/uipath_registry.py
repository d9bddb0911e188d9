"""Definitions of the UiPath planner's actions: for the prompt, for checking answers, and as functions for APIs.

One table serves all three, and :class:`ActionDefinition` refuses an example that its own check would refuse: the
prompt can never show what the validator turns down.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, cast

from pydantic import model_validator

from demopack.codecs.texts import texts
from demopack.domain.actions import Action, ExtractDataAction, TypeAction
from demopack.domain.records import Record
from demopack.errors import ActionError


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
    """One action; an example that its own check would refuse is refused with it.

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

    @model_validator(mode="after")
    def _check_examples(self) -> ActionDefinition:
        for example in self.examples:
            check_action(example, {self.type: self})
        return self

    def check(self, parameters: Mapping[str, Any], *, optional: bool = False) -> None:
        """Check the parameters of an answer.

        Args:
            parameters: as answered.
            optional: whether parameters may be missing; those that are given are still checked.

        Raises:
            ActionError: a parameter is missing, unknown or wrong.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        unknown = next((name for name in parameters if name not in known), None)
        if unknown is not None and not optional:
            raise _wrong(f"{self.type} has no parameter {unknown}.", "unknown_field", unknown, "Leave it out.")
        for name, parameter in known.items():
            if parameters.get(name) is not None:
                _check_value(parameter, parameters[name])
            elif parameter.needed and not optional:
                raise _wrong(f"{self.type} needs the parameter {name}.", "missing_argument", name, parameter.about)

    def function(self) -> dict[str, Any]:
        """A function definition; the description of the target is an argument like any other."""
        own = {parameter.name: parameter.json_type() for parameter in self.parameters}
        about = {"type": "string", "description": "One sentence: what is done, and to which element."}
        properties = own if "description" in own else {"description": about, **own}
        needed = {"description", *(parameter.name for parameter in self.parameters if parameter.needed)}
        required = [name for name in properties if name in needed]
        return {
            "name": self.type,
            "description": self.about,
            "parameters": {"type": "object", "properties": properties, "required": required},
        }


def check_action(action: Mapping[str, Any], known: Mapping[str, ActionDefinition]) -> None:
    """Check a whole action as an answer gives it.

    Raises:
        ActionError: no such type, no description, or a parameter is missing, unknown or wrong.
    """
    if not str(action.get("description") or "").strip():
        raise _wrong("The action has no description.", "missing_field", "description", "Say what it is done to.")
    extra = sorted(set(action) - {"type", "description", "parameters"})
    if extra:
        raise _wrong(f"The action has the unknown key {extra[0]}.", "unknown_field", extra[0], "Leave it out.")
    kind = str(action.get("type"))
    if kind not in known:
        raise _wrong(
            f"There is no action called {kind!r}.", "unknown_action", "type", f"Use one of {', '.join(known)}."
        )
    known[kind].check(action.get("parameters") or {})


SECTIONS: Final[Mapping[str, str]] = {
    "previous_action_result": texts("uipath").get("section_review"),
    "thought": texts("uipath").get("section_thought"),
    "action_description": texts("uipath").get("section_action_description"),
    "update_memory": texts("uipath").get("section_memory"),
}
"""Parts of the answer that come before the action, by key, in the order in which they are written: their content."""


def _wrong(what: str, code: str, name: str, hint: str) -> ActionError:
    field_name = name if name in {"type", "description"} else f"parameters.{name}"
    return ActionError(what, code, f"action.{field_name}", hint)


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


ACTIONS: Final[Mapping[str, ActionDefinition]] = {
    action.type: action for action in map(ActionDefinition.model_validate, json.loads(texts("uipath").get("registry")))
}
"""The planner's twelve actions by type."""


INFO_TYPES: Final = ("data_update", "queue_elements")
_KINDS: Final = ("store_info", "delete_info", "no_op")


def checked_operations(value: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - whatever the model wrote
    """Memory operations as they are kept; ``no_op`` is left out.

    Raises:
        ActionError: (``bad_memory``) they are no list, or one of them cannot be carried out.
    """
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        raise _wrong_operation("The memory update is not a list.", "Give a list; an empty one changes nothing.")
    found: list[dict[str, Any]] = []
    for item in cast("Sequence[Any]", value):
        if not isinstance(item, dict):
            raise _wrong_operation(f"{item!r} is no memory operation.", "Give objects with type, key and value.")
        operation = _operation(cast("dict[str, Any]", item))
        if operation is not None:
            found.append(operation)
    return found


def _operation(item: Mapping[str, Any]) -> dict[str, Any] | None:
    kind = str(item.get("type") or "")
    # What carries a value is meant to be stored, whatever it is called.
    if item.get("value") is not None or item.get("info_type") is not None:
        kind = "store_info"
    if kind not in _KINDS:
        raise _wrong_operation(f"There is no memory operation {kind!r}.", f"Use one of {', '.join(_KINDS)}.")
    if kind == "no_op":
        return None
    if not str(item.get("key") or "").strip():
        raise _wrong_operation(f"{kind} has no key.", "Name what is to be remembered or forgotten.")
    operation: dict[str, Any] = {"type": kind, "key": str(item["key"])}
    if kind == "store_info":
        if item.get("value") is None:
            raise _wrong_operation("store_info has no value.", "Give the value to remember.")
        info = str(item.get("info_type") or INFO_TYPES[0])
        if info not in INFO_TYPES:
            raise _wrong_operation(f"There is no info_type {info!r}.", f"Use one of {', '.join(INFO_TYPES)}.")
        operation |= {"info_type": info, "value": item["value"]}
    return {**operation, "description": str(item.get("description") or "")}


def apply_operations(
    memory: Mapping[str, Mapping[str, Any]], operations: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The memory after these operations; forgetting what is not there changes nothing."""
    after = {key: dict(entry) for key, entry in memory.items()}
    for operation in operations:
        if operation["type"] == "delete_info":
            after.pop(operation["key"], None)
        else:
            after[operation["key"]] = {name: operation[name] for name in ("value", "description", "info_type")}
    return after


def memory_operations(action: Action, variable: str) -> list[dict[str, Any]]:
    """The operations that remember what an action read, or the value of a variable that it typed.

    Args:
        action: what was done.
        variable: name of the variable whose value the typed text is; empty for none.
    """
    if isinstance(action, ExtractDataAction) and action.data is not None:
        return [_store(action.description, action.parameters["data"], action.description)]
    if isinstance(action, TypeAction) and variable:
        return [_store(variable, action.text_to_type, f"The value of {variable} that was typed")]
    return []


def _store(key: str, value: object, description: str) -> dict[str, Any]:
    return {
        "type": "store_info",
        "info_type": "data_update",
        "key": "_".join(key.lower().split()),
        "value": value,
        "description": description,
    }


def _wrong_operation(what: str, hint: str) -> ActionError:
    return ActionError(what, "bad_memory", "update_memory", hint)
