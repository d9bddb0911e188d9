"""Registry of the UiPath planner's actions: one table for prompt, check, decoder and API functions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

from demopack.codecs.action_builder import key_parts, keys_text
from demopack.codecs.decoded import required, unknown_action
from demopack.codecs.texts import texts
from demopack.domain.actions import ACTION_MODELS, Action, ExtractDataAction, TypeAction
from demopack.domain.records import Record
from demopack.errors import ActionError, BadInputError

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}")


class Parameter(Record):
    """One parameter of an action.

    Attributes:
        name: its key.
        kind: JSON type; ``any`` for whatever can be written in JSON, ``key`` for text that names keys.
        about: one sentence.
        choices: the only values; empty for any.
        needed: whether an answer must give it.
        assumed: what stands for it where an answer forgets it all the same, empty for the answer's own sentence;
            without one, that is an error.
    """

    name: str
    about: str
    kind: Literal["string", "integer", "any", "key"] = "string"
    choices: tuple[str, ...] = ()
    needed: bool = True
    assumed: Any = None

    def json_type(self) -> dict[str, Any]:
        """JSON schema."""
        if self.kind == "any":
            return {"type": ["string", "object", "array", "number", "boolean"], "description": self.about}
        found: dict[str, Any] = {"type": "string" if self.kind == "key" else self.kind, "description": self.about}
        return {**found, "enum": list(self.choices)} if self.choices else found

    def read(self, value: Any) -> Any:  # noqa: ANN401 - whatever the model wrote
        """A value in its plain form: a whole number, one of the choices, the canonical name of keys.

        Raises:
            ActionError: (``bad_parameter``) it is of the wrong kind, none of the choices, or a key and a click;
                (``unknown_key``) there is no such key.
        """
        # Models copy the quotes of a prompt's examples; a number in quotes is still a number.
        if self.kind == "integer":
            if isinstance(value, bool) or not _WHOLE.fullmatch(str(value)):
                raise self._wrong(value, ", not a whole number")
            return int(str(value))
        if self.kind == "any":
            return value
        if not isinstance(value, str):
            raise self._wrong(value, ", not text")
        if self.choices:
            word = value.strip().lower()
            if word not in self.choices:
                raise self._wrong(value, hint=f"Use one of {', '.join(self.choices)}.")
            return word
        return self._keys(value) if self.kind == "key" else value

    def _keys(self, value: str) -> str:
        if _CLICK.search(value):
            raise self._wrong(value, ", a key and a click", hint="Press the key and click in two actions.")
        return keys_text(key_parts(value))

    def _wrong(self, value: object, what: str = "", *, hint: str = "") -> ActionError:
        message = f"{self.name} is {value!r}{what}."
        return ActionError(message, "bad_parameter", f"action.parameters.{self.name}", hint or self.about)


_CLICK: Final = re.compile("click", re.IGNORECASE)


class ActionDefinition(Record):
    """One action.

    Attributes:
        type: its name in answers.
        about: one or two sentences.
        parameters: what it takes.
        examples: whole actions as they are answered.
        special: whether it concerns the plan rather than the screen.
        means: the contract's action in wire form. A text ``{name}`` in it stands for the value of that parameter, and
            ``{description}`` for the sentence of the answer where no parameter has this name; ``target`` and
            ``end_target`` are such texts, which describe an element. None where the contract has no such action: then
            the answer's own call is handed on (:attr:`demopack.codecs.decoded.DecodedAnswer.calls`).
    """

    type: str
    about: str
    parameters: tuple[Parameter, ...] = ()
    examples: tuple[dict[str, Any], ...] = ()
    special: bool = False
    means: dict[str, Any] | None = None

    def check(self, parameters: Mapping[str, Any]) -> None:
        """Check the parameters of a call; those that the action does not have are passed over.

        Raises:
            ActionError: (``missing_argument``) one that is needed is missing; otherwise as :meth:`Parameter.read`.
        """
        for parameter in self.parameters:
            value = parameters.get(parameter.name)
            if value is not None:
                parameter.read(value)
            elif parameter.needed:
                required(parameters, parameter.name, what="parameter", field_name=_field(parameter))

    def read(self, parameters: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
        """The parameters of a call in their plain form; what was assumed is added to the notes.

        Raises:
            ActionError: as :meth:`check`.
        """
        found: dict[str, Any] = {}
        for parameter in self.parameters:
            value = parameters.get(parameter.name)
            if value is None and "assumed" in parameter.model_fields_set:
                # Without a word of its own, the sentence of the answer says it.
                if parameter.assumed != "":
                    found[parameter.name] = parameter.assumed
                    notes.append(f"The parameter {parameter.name} was missing; {parameter.assumed!r} is assumed.")
            elif value is not None or parameter.needed:
                given = required(parameters, parameter.name, what="parameter", field_name=_field(parameter))
                found[parameter.name] = parameter.read(given)
        return found

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


def _field(parameter: Parameter) -> str:
    return f"action.parameters.{parameter.name}"


def _defined() -> list[ActionDefinition]:
    return [ActionDefinition.model_validate(one) for one in json.loads(texts("uipath").get("registry"))]


class ActionRegistry(Mapping[str, ActionDefinition]):
    """Actions that a planner may take, by type: those on the screen first. It begins with the planner's own twelve.

    Prompts, function definitions, checks and decoders follow the registry they are given.
    """

    def __init__(self) -> None:
        self._screen: dict[str, ActionDefinition] = {}
        self._special: dict[str, ActionDefinition] = {}
        for action in _defined():
            self._add(action, special=action.special)

    def add_action(self, action: ActionDefinition) -> None:
        """Add an action on the screen, or put it in the place of the one of the same type.

        Raises:
            BadInputError: an example is none of it, or what it means is no action of the contract.
        """
        self._add(action, special=False)

    def add_special_action(self, action: ActionDefinition) -> None:
        """Add an action that concerns the plan; as :meth:`add_action`."""
        self._add(action, special=True)

    def check(self, action: Mapping[str, Any]) -> None:
        """Check a call ``{type, description, parameters}`` as it is answered.

        Raises:
            ActionError: (``unknown_action``) there is no such action; otherwise as :meth:`ActionDefinition.check`.
        """
        kind = str(action.get("type") or "")
        if kind not in self:
            raise unknown_action(kind, tuple(self), field_name="action.type")
        parameters: object = action.get("parameters") or {}
        if not isinstance(parameters, Mapping):
            raise ActionError(
                "parameters is no object.", "bad_parameter", "action.parameters", "Write {name: value, …}."
            )
        self[kind].check(cast("Mapping[str, Any]", parameters))

    def _add(self, action: ActionDefinition, *, special: bool) -> None:
        _check_definition(action)
        self._screen.pop(action.type, None)
        self._special.pop(action.type, None)
        (self._special if special else self._screen)[action.type] = action.model_copy(update={"special": special})

    def __getitem__(self, kind: str) -> ActionDefinition:
        return self._screen[kind] if kind in self._screen else self._special[kind]

    def __iter__(self) -> Iterator[str]:
        yield from self._screen
        yield from self._special

    def __len__(self) -> int:
        return len(self._screen) + len(self._special)


def _check_definition(action: ActionDefinition) -> None:
    """Raises BadInputError where an action cannot be what it says."""
    wrong = f"The action “{action.type}” cannot be added: "
    for example in action.examples:
        try:
            action.check(example.get("parameters") or {})
        except ActionError as error:
            hint = "Examples are shown to the model: correct it."
            raise BadInputError(f"{wrong}an example is no call of it: {error}", hint=hint) from error
        if example.get("type") != action.type:
            raise BadInputError(f"{wrong}an example is of the type {example.get('type')!r}.", hint="Correct it.")
    if action.means is None:
        return
    if action.means.get("action_type") not in ACTION_MODELS:
        raise BadInputError(
            f"{wrong}the contract has no action {action.means.get('action_type')!r}.",
            hint=f"means is one of {', '.join(ACTION_MODELS)} in wire form, or null.",
        )
    known = {"description", *(parameter.name for parameter in action.parameters)}
    unknown = _PLACEHOLDER.findall(json.dumps(action.means))
    if not known.issuperset(unknown):
        names = ", ".join(sorted(set(unknown) - known))
        raise BadInputError(f"{wrong}it has no parameter {names}.", hint=f"It has {', '.join(sorted(known))}.")


_PLACEHOLDER: Final = re.compile(r'"\{(\w+)\}"')


def filled(template: Any, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    """What an action means, with the values of a call; what has no value is left out."""
    if isinstance(template, str):
        name = template[1:-1] if template.startswith("{") and template.endswith("}") else ""
        return values.get(name) if name else template
    if isinstance(template, dict):
        items = cast("Mapping[str, Any]", template).items()
        return {key: value for key, part in items if (value := filled(part, values)) is not None}
    if isinstance(template, list):
        return [filled(part, values) for part in cast("Sequence[Any]", template)]
    return template


ACTIONS: Final = ActionRegistry()
"""The planner's twelve actions."""


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
