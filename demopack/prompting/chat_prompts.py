"""The prompts of LLMResponse, UiPath and LAM: talks, with demos as turns that the model seems to have taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from demopack.codecs import lam
from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.observation import Observation
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.questions import visible_action
from demopack.codecs.texts import texts
from demopack.codecs.uipath_registry import ACTIONS, SECTIONS, ActionDefinition, ActionRegistry
from demopack.domain.elements import NumberedElement
from demopack.domain.rationale import lam_thought, previous_action_result
from demopack.prompting.agent_state import AgentState
from demopack.prompting.function_definitions import native_functions
from demopack.prompting.prompt import Message, PromptOptions, json_text, message

_PICTURES: Final = 2
"""So many of the latest turns carry their picture; earlier ones are told by their answers."""


# LLMResponse


def build_llmresponse(
    situation: AgentState, shots: Sequence[RecordedDemo], options: PromptOptions
) -> tuple[Message, ...]:
    """System, the demos as turns, then the task with its elements and the question."""
    elements = options.shot_elements
    words = texts("llmresponse")
    messages = [message("system", system=words.get("system", actions=_native_actions()))]
    for number, shot in enumerate(shots, start=1):
        lead = words.get("demo", number=number)
        for step in shot.steps:
            listed = _listing(step.observation) if elements else ""
            task = words.get("task", task=shot.head.task) if lead else ""
            messages.append(message("user", demo=lead, task=task, elements=listed, ask=words.get("ask")))
            answer = step.response.to_wire()
            if not elements:
                # Numbers of a list that is not shown would only teach to guess.
                answer["action"] = visible_action(answer["action"])
            messages.append(message("assistant", answer=json_text(answer)))
            lead = ""
    done = situation.history
    history = words.get("history", steps=_numbered(done)) if done else words.get("nothing_done")
    messages.append(
        message(
            "user",
            situation.observation if options.pictures else None,
            task=words.get("task", task=situation.task),
            history=history,
            failure=situation.failure,
            elements=_listing(situation.observation),
            ask=words.get("ask"),
        )
    )
    return tuple(messages)


@cache
def _native_actions() -> str:
    lines: list[str] = []
    for function in native_functions():
        schema = function["parameters"]
        names = [
            f"{name}{'' if name in schema['required'] else '?'}{_choices(value)}"
            for name, value in schema["properties"].items()
        ]
        lines.append(f"- {function['name']}: {function['description']} {', '.join(names)}".rstrip())
    return "\n".join(lines)


def _choices(schema: Mapping[str, Any]) -> str:
    values = schema.get("enum") or schema.get("items", {}).get("enum")
    return f" ({'|'.join(map(str, values))})" if values else ""


def _listing(observation: Observation) -> str:
    words = texts("llmresponse")
    if not observation.elements or observation.size is None:
        return words.get("no_elements")
    lines = "\n".join(json_text(_native_element(item, observation)) for item in observation.elements)
    return words.get("elements", width=observation.size.width, height=observation.size.height, elements=lines)


def _native_element(item: NumberedElement, observation: Observation) -> dict[str, Any]:
    target = observation.target(item)
    box = None if target.bbox is None else [round(value, 4) for value in target.bbox]
    found: dict[str, Any] = {"element_id": item.number, "track_id": item.track_id, "type": item.type}
    found |= {"subtype": item.subtype, "text": item.text, "bbox": box}
    found |= {str(state): value for state, value in item.states.items()}
    return {key: value for key, value in found.items() if value is not None}


# UiPath


def build_uipath(situation: AgentState, shots: Sequence[RecordedDemo], options: PromptOptions) -> tuple[Message, ...]:
    """System prompt from the registry, demos and history, then memory, rules and the form of the answer.

    With ``talk`` the history is a talk of whole answers, as the planner's second version has it; without, one message
    lists what was done in words, as its first version does. ``shot_elements`` changes nothing: the planner sees the
    picture and names targets in words.
    """
    words = texts("uipath")
    messages = [message("system", system=uipath_system(situation.actions))]
    for shot in shots:
        messages.append(message("user", task=words.get("task", date="", task=shot.head.task)))
        messages += _turns(shot.steps, pictures=0)
    date = f"Date: {situation.date}\n" if situation.date else ""
    task = words.get("task", date=date, task=situation.task)
    told = recalled = ""
    if options.talk:
        messages.append(message("user", task=task))
        messages += _turns(situation.history, pictures=_PICTURES if options.pictures else 0)
        task = ""
    else:
        recalled = words.get("recall", task=situation.task)
        told = words.get("history", steps=_numbered(situation.history)) if situation.history else ""
    notice = words.get("last_turn") + "\n" if situation.last_turn else ""
    action = '"action": {"type": …, "description": …, "parameters": {…}}'
    form = ",\n".join([*(f'"{key}": <{about}>' for key, about in SECTIONS.items()), action])
    messages.append(
        message(
            "user",
            situation.observation if options.pictures else None,
            task=task,
            history=told,
            recall=recalled,
            failure=situation.failure,
            turn=words.get("turn", memory=json_text({"data": situation.memory}), notice=notice, form=f"{{\n{form}\n}}"),
        )
    )
    return tuple(messages)


def _numbered(steps: Sequence[RecordedStep]) -> str:
    return "\n".join(f"{number}. {step.description}" for number, step in enumerate(steps, start=1))


def _turns(steps: Sequence[RecordedStep], *, pictures: int) -> list[Message]:
    """What was done, as answers, and what came of each, as the user's observation."""
    messages: list[Message] = []
    review = ""
    for index, step in enumerate(steps):
        shown = step.observation if index >= len(steps) - pictures else None
        thought = lam_thought(step.recorded.rationale)
        ideal = IdealAnswer(act=step.placed, thought=thought, review=review, memory=step.memory, ends=step.ends)
        review = previous_action_result(step.recorded.rationale)
        for answer in encode_answers("uipath", ideal):
            messages.append(message("user", shown, observation="The screen now."))
            messages.append(message("assistant", answer=str(answer)))
            shown = None
    return messages


def uipath_system(registry: ActionRegistry = ACTIONS) -> str:
    """The system prompt that the registry makes."""
    words = texts("uipath")
    actions = [action for action in registry.values() if not action.special]
    special = [action for action in registry.values() if action.special]
    examples = [json_text(example) for action in (*actions, *special) for example in action.examples]
    return words.get(
        "system",
        actions="\n".join(map(_definition, actions)),
        special="\n".join(map(_definition, special)),
        examples="\n".join(examples),
        sequence=words.get("sequence"),
        memory=words.get("memory_operations"),
    )


def _definition(action: ActionDefinition) -> str:
    lines = [f"- {action.type}: {action.about}"]
    lines += [f"    {parameter.name}: {parameter.about}" for parameter in action.parameters]
    return "\n".join(lines)


# LAM


def build_lam(situation: AgentState, shots: Sequence[RecordedDemo], options: PromptOptions) -> tuple[Message, ...]:
    """System, every step of the demos as one turn, then the controls, the request, what was done and the last plan.

    Without ``shot_elements`` the demos' turns list only the control that is used: its label must stand somewhere. LAM
    takes text alone, so ``pictures`` changes nothing.
    """
    messages = [message("system", system=lam.system_text())]
    for shot in shots:
        said = [(lam.listed(step), told) for step in shot.steps if not (told := lam.encode(step)).is_empty]
        for turn in lam.lam_turns(shot, said, thought=lambda step: lam_thought(step.recorded.rationale)):
            step, label = turn.step, turn.answer["control_label"]
            shown = step.observation.elements
            if not options.shot_elements:
                shown = [item for item in shown if str(item.number) == label]
            asked = lam.question(shot.head.task, shown, shot.steps[: step.index], turn.plan)
            messages.append(message("user", demo=asked))
            messages.append(message("assistant", answer=json_text(turn.answer)))
    asked = lam.question(situation.task, situation.observation.elements, situation.history, situation.plan)
    return (*messages, message("user", failure=situation.failure, turn=asked))
