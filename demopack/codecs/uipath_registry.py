"""Definitions of the UiPath planner's actions: one table for the prompt, the check of answers and API functions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, cast

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

    def check(self, value: Any) -> None:  # noqa: ANN401 - whatever the model wrote
        """Check a value.

        Raises:
            ActionError: (``bad_parameter``) it is of the wrong kind, or none of the choices.
        """
        is_number = not isinstance(value, bool) and str(value).lstrip("+-").isdigit()
        what, hint = "", self.about
        # Models copy the quotes of a prompt's examples; a number in quotes is still a number.
        if self.kind == "integer" and not is_number:
            what = ", not a whole number"
        elif self.kind == "string" and not isinstance(value, str):
            what = ", not text"
        elif self.choices and str(value).strip().lower() not in self.choices:
            hint = f"Use one of {', '.join(self.choices)}."
        else:
            return
        raise ActionError(f"{self.name} is {value!r}{what}.", "bad_parameter", f"action.parameters.{self.name}", hint)


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

    def check(self, parameters: Mapping[str, Any]) -> None:
        """Check the parameters that an answer gives; what is missing, or none of these, is for its reader.

        Raises:
            ActionError: (``bad_parameter``) a value is of the wrong kind, or none of the choices.
        """
        for parameter in self.parameters:
            if parameters.get(parameter.name) is not None:
                parameter.check(parameters[parameter.name])

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


SECTIONS: Final[Mapping[str, str]] = {
    "previous_action_result": texts("uipath").get("section_review"),
    "thought": texts("uipath").get("section_thought"),
    "action_description": texts("uipath").get("section_action_description"),
    "update_memory": texts("uipath").get("section_memory"),
}
"""Parts of the answer that come before the action, by key, in the order in which they are written: their content."""


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
