"""Forms that answers of UFO and LAM come in: one object, a whole answer with a plan of calls, calls written as code.

All become rows of the same keys, whatever they were called: ``control_label``, ``function``, ``args`` and so on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from demopack.codecs.code_calls import CodeCall, code_calls
from demopack.codecs.json_answers import CALL_KEYS, MAX_ANSWER_CHARACTERS, as_object, first_call, loose_json, words_of
from demopack.codecs.texts import texts
from demopack.errors import ActionError
from demopack.json_text import as_list

_ANSWER_KEYS: Final = (
    "control_label", "control_name", "subtask", "step", "function", "args", "status", "plan", "thought", "observation",
    "comment", "success", "matched_control_text", "new_task", "actions_plan",
)  # fmt: skip
_KEYS: Final = {"controltext": "control_name", **{name.replace("_", ""): name for name in _ANSWER_KEYS}}
_UNQUOTED_PLAN: Final = re.compile(r'"actions_plan"\s*:\s*(?=\{)')
_BETWEEN: Final = re.compile(r"[\s,]*")
_FIRST_ARGUMENTS: Final = {"select_text": ["text"], "type_keys": ["keys"], "wait": ["seconds"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidCalls:
    """An answer as rows.

    Attributes:
        said: what it says beside its calls; the row itself where there is but one.
        rows: its calls, in order.
        notes: what had to be mended.
    """

    said: dict[str, Any]
    rows: Sequence[dict[str, Any]]
    notes: list[str]


def said_calls(answer: str | dict[str, Any], *, functions: Collection[str]) -> SaidCalls:
    """The calls of an answer.

    Args:
        answer: text, or an object.
        functions: names that make a line of code a call, and not a word with something in brackets.

    Raises:
        ActionError: nothing of the answer can be read, or its plan has no call.
    """
    notes: list[str] = []
    value: Any = answer
    if isinstance(answer, str):
        value, notes = _read(answer, functions)
    several = as_list(value)
    if len(several) > 1:
        return SaidCalls(said={}, rows=_planned(several, functions), notes=notes)
    said = _plain(_from_message(as_object(value, "The answer")))
    if "function" in said or "actions_plan" not in said:
        return SaidCalls(said=said, rows=[said], notes=notes)
    return SaidCalls(said=said, rows=_planned(said["actions_plan"], functions), notes=notes)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row under LAM's names for the keys, however they are written: ControlText, controlText, control_text."""
    return {_KEYS.get(re.sub(r"[^a-z]", "", key.lower()), key): value for key, value in row.items()}


def _from_message(data: dict[str, Any]) -> dict[str, Any]:
    call = first_call(data, keys=set(CALL_KEYS) - {"content"})
    if call is None:
        return data
    given = dict(call.arguments)
    named: dict[str, Any] = {key: given.pop(key) for key in ("control_label", "control_name") if key in given}
    return {"thought": words_of(data), "function": call.name, "args": given, **named}


def _read(text: str, functions: Collection[str]) -> tuple[Any, list[str]]:
    """The value of a text: code where a line of it calls one of the functions, else JSON, else code all the same."""
    coded: list[dict[str, Any]] = []
    wrong: ActionError | None = None
    if len(text) <= MAX_ANSWER_CHARACTERS and text.lstrip()[:1] not in {"{", "["}:
        try:
            coded = [_row(call) for call in code_calls(text, nested=True)]
        except ActionError as error:
            wrong = error
    if any(row["function"] in functions for row in coded) and '"function"' not in text.lower():
        return coded, []
    try:
        return _loose(text)
    except ActionError as error:
        if coded:
            return coded, []
        raise (wrong or error) from None


def _loose(text: str) -> tuple[Any, list[str]]:
    """JSON in a text; also objects one after the other, as the paper asks for them, and such a plan without quotes."""
    found = _UNQUOTED_PLAN.search(text)
    if found is not None:
        calls, end = _objects(text, found.end())
        if len(calls) > 1:
            text = text[: found.end()] + json.dumps(calls) + text[end:]
    elif text.lstrip().startswith("{"):
        calls, end = _objects(text, 0)
        if len(calls) > 1 and not text[end:].strip():
            return calls, []
    return loose_json(text)


def _objects(text: str, at: int) -> tuple[list[dict[str, Any]], int]:
    """The JSON objects that follow one another from a place on, with blanks or commas between, and where they end."""
    found: list[dict[str, Any]] = []
    decoder = json.JSONDecoder(strict=False)
    end = at
    while True:
        blank = _BETWEEN.match(text, end)
        start = end if blank is None else blank.end()
        if not text.startswith("{", start):
            return found, end
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return found, end
        found.append(value)


def _planned(plan: Any, functions: Collection[str]) -> list[dict[str, Any]]:  # noqa: ANN401 - whatever the model wrote
    """The calls of a plan: objects, texts of objects or of code, or one text of several."""
    rows: list[dict[str, Any]] = []
    for part in as_list(plan) or ([plan] if plan else []):
        value = _read(part, functions)[0] if isinstance(part, str) else part
        rows += [as_object(one, "A call of the plan") for one in as_list(value) or [value]]
    if not rows:
        raise ActionError("The plan has no call.", "no_action", "actions_plan", "Give the calls in their order.")
    return [_plain(row) for row in rows]


def _row(call: CodeCall) -> dict[str, Any]:
    """One call: ``click(on=Button("20"), how="left", double=False)``."""
    given, named = list(call.args), dict(call.named)
    control = named.pop("on", None)
    if control is None and given and isinstance(given[0], CodeCall):
        control = given.pop(0)
    names = _parameters().get(call.name, [])
    if len(given) > len(names):
        raise ActionError(
            f"{call.name} is called with {len(given)} arguments without names.",
            code="bad_parameter",
            field="args",
            hint="Give every argument its name.",
        )
    args = {**dict(zip(names, given, strict=False)), **named}
    if any(isinstance(value, CodeCall) for value in args.values()):
        raise ActionError("An argument is no plain value.", "code_syntax", "args", "Give plain numbers and texts.")
    if isinstance(control, CodeCall):
        control = next(iter((*control.args, *control.named.values())), "")
    return {"function": call.name, "args": args, **({} if control is None else {"control": str(control)})}


@cache
def _parameters() -> dict[str, list[str]]:
    """The parameters of each function, in order."""
    told = json.loads(texts("lam").get("functions"))
    found = {one["name"]: list(one["parameters"]["properties"]) for one in told}
    return {**found, **_FIRST_ARGUMENTS, "click": found["click_input"]}
