"""A recorded action as the answer that a model should have given: for few-shot turns, and to prove the parsers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from demopack.codecs import swift
from demopack.codecs.catalogue import CODECS
from demopack.codecs.placed_action import EncodedAction, PlacedAction
from demopack.codecs.ufo import AT_PLACES, control_of
from demopack.domain.actions import LLMResponse

_ONE_CALL: Final = frozenset({"uipath", "ufo"})


@dataclass(frozen=True, slots=True, kw_only=True)
class IdealAnswer:
    """Content of an answer.

    Attributes:
        act: the action.
        response: the same in the contract's form; only the dialects llmresponse and swift need it.
        thought: why.
        review: what came of the action before.
        plan: what remains.
        memory: operations on the memory.
        number: of the action in the task's history; the start is number 1.
        ends: whether the task ends with this action.
    """

    act: PlacedAction
    response: LLMResponse | None = None
    thought: str = ""
    review: str = ""
    plan: Sequence[str] = ()
    memory: Sequence[Mapping[str, Any]] = field(default_factory=tuple[Mapping[str, Any], ...])
    number: int = 2
    ends: bool = False


def encode_answers(dialect: str, ideal: IdealAnswer) -> list[str | dict[str, Any]]:
    """The answers in a dialect, in the form that its parser reads; none where it has no word for the action.

    Usually one. UiPath's planner and UFO do one call a turn: what they say in several calls takes several answers.
    """
    if dialect == "llmresponse":
        return [] if ideal.response is None else [ideal.response.to_json_text()]
    if dialect == "swift":
        response, size = ideal.response, ideal.act.size
        return [] if response is None or size is None else [swift.encode_answer(response, size)]
    spoken = CODECS[dialect].encode(ideal.act)
    if spoken.is_empty:
        return []
    if dialect not in _ONE_CALL:
        return [ANSWER_FORMS[dialect](spoken, ideal)]
    # Only the first call of a step answers to what came before it, and remembers.
    later = replace(ideal, review="", memory=())
    return [
        ANSWER_FORMS[dialect](replace(spoken, calls=(call,)), later if number else ideal)
        for number, call in enumerate(spoken.calls)
    ]


def _json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return json.dumps(value, ensure_ascii=False)


def _caap(spoken: EncodedAction, ideal: IdealAnswer) -> str:
    lines = [
        f"Action_{number}=(Action: functions.{call['name']}, Argument: {_caap_argument(call, ideal.act)})"
        for number, call in enumerate(spoken.calls, start=ideal.number)
    ]
    return "\n".join([*([ideal.thought, ""] if ideal.thought else []), *lines])


def _caap_argument(call: Mapping[str, Any], act: PlacedAction) -> str:
    """Demonstrations show the element itself, an answer names its number; both write places and texts alike."""
    name, arg = str(call["name"]), str(call.get("arg", "{}"))
    if arg.startswith("{type: ") and act.target is not None:
        return f"{{element_id: {act.target.number}}}"
    if name == "type_text":
        return f"{{string_to_type: {arg}}}"
    return arg.replace("=", ": ")


def planner_answer(
    call: Mapping[str, Any], *, thought: str, review: str, memory: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The answer of UiPath's planner; the arguments are those of an :class:`IdealAnswer`."""
    return {
        "previous_action_result": review,
        "thought": thought,
        "action_description": call["description"],
        "update_memory": list(memory),
        "action": call,
    }


def ufo_answer(
    call: Mapping[str, Any], control: tuple[str, str] | None, *, thought: str, ends: bool, plan: Sequence[str]
) -> dict[str, Any]:
    """The seven keys of UFO and LAM.

    Args:
        call: the function.
        control: label and text of the control that is named (:func:`demopack.codecs.ufo.control_of`).
        thought: of an ideal answer, as are the others.
        ends: whether the task ends.
        plan: what remains.
    """
    label, name = control or ("", "")
    return {
        "thought": thought,
        "control_label": label,
        "control_name": name,
        "function": call["Function"],
        "args": dict(call["Args"]),
        "status": "FINISH" if ends else "CONTINUE",
        "plan": list(plan),
    }


def _uipath(spoken: EncodedAction, ideal: IdealAnswer) -> str:
    return _json(planner_answer(spoken.calls[0], thought=ideal.thought, review=ideal.review, memory=ideal.memory))


def _ufo(spoken: EncodedAction, ideal: IdealAnswer) -> str:
    call: Mapping[str, Any] = spoken.calls[0]
    at_place = call["Function"] in AT_PLACES
    control = None if at_place else control_of(ideal.act)
    ends = ideal.ends or not call["Function"]
    return _json(ufo_answer(call, control, thought=ideal.thought, ends=ends, plan=ideal.plan))


def _ui_tars(spoken: EncodedAction, ideal: IdealAnswer) -> str:
    calls = "\n\n".join(str(call) for call in spoken.calls)
    return f"Thought: {' '.join(ideal.thought.split())}\nAction: {calls}" if ideal.thought else f"Action: {calls}"


def _qwen(spoken: EncodedAction, ideal: IdealAnswer) -> str:
    calls = [f"<tool_call>\n{_json(call)}\n</tool_call>" for call in spoken.calls]
    return "\n".join([*([f"Thought: {' '.join(ideal.thought.split())}"] if ideal.thought else []), *calls])


def _openai(spoken: EncodedAction, ideal: IdealAnswer) -> dict[str, Any]:
    if spoken.calls[0]["type"] == "message":
        return {"output": [{"type": "message", "content": [{"type": "output_text", "text": spoken.calls[0]["text"]}]}]}
    thought = [{"type": "reasoning", "summary": [{"type": "summary_text", "text": ideal.thought}]}]
    return {"output": [*(thought if ideal.thought else []), {"type": "computer_call", "actions": list(spoken.calls)}]}


def _anthropic(spoken: EncodedAction, ideal: IdealAnswer) -> dict[str, Any]:
    if spoken.calls[0].get("type") == "message":
        return {"role": "assistant", "content": [{"type": "text", "text": spoken.calls[0]["text"]}]}
    thought = [{"type": "text", "text": ideal.thought}] if ideal.thought else []
    return {"role": "assistant", "content": [*thought, *({"type": "tool_use", **call} for call in spoken.calls)]}


def _gemini(spoken: EncodedAction, ideal: IdealAnswer) -> dict[str, Any]:
    if spoken.calls[0].get("type") == "message":
        return {"parts": [{"text": spoken.calls[0]["text"]}]}
    thought = {"intent": ideal.thought} if ideal.thought else {}
    calls = [{"function_call": {"name": call["name"], "args": {**call["args"], **thought}}} for call in spoken.calls]
    return {"parts": calls}


ANSWER_FORMS: Final[Mapping[str, Callable[[EncodedAction, IdealAnswer], str | dict[str, Any]]]] = {
    "caap": _caap,
    "uipath": _uipath,
    "ufo": _ufo,
    "ui-tars": _ui_tars,
    "ui-tars-1.5": _ui_tars,
    "agentnet": lambda spoken, _: "\n".join(spoken.calls),
    "pyautogui": lambda spoken, _: "\n".join(spoken.calls),
    "qwen": _qwen,
    "qwen2.5-vl": _qwen,
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "osworld": lambda spoken, _: _json(list(spoken.calls)),
}
"""Vocabulary -> the answer that says the calls of an action."""
