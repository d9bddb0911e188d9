"""The prompts that are talks: LLMResponse, UiPath and LAM, with demos as turns that the model seems to have taken."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from demopack.domain.actions import LLMResponse
from demopack.domain.renderings import lam_thought, previous_action_result
from demopack.pack.formats.lam import CONTROL_TYPES
from demopack.prompting.answers.write import Ideal, answers_for
from demopack.prompting.functions import native_functions
from demopack.prompting.prompt import Image, Message, Part, Role
from demopack.prompting.scene import Listed, Scene
from demopack.prompting.situation import Recorded, Shot, Situation
from demopack.prompting.texts import texts
from demopack.prompting.uipath.registry import DEFAULT_REGISTRY, SECTIONS, ActionDefinition

__all__ = ["build_lam", "build_llmresponse", "build_uipath"]

_PICTURES: Final = 2
"""So many of the latest turns carry their picture; earlier ones are told by their answers."""


def _json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return json.dumps(value, ensure_ascii=False)


def _message(role: Role, scene: Scene | None = None, **parts: str) -> Message:
    images: tuple[Image, ...] = ()
    if scene is not None and scene.image and scene.size is not None:
        images = (Image(path=scene.image, width=scene.size.width, height=scene.size.height),)
    return Message(
        role=role, parts=tuple(Part(name=name, text=text) for name, text in parts.items() if text), images=images
    )


def _said(role: Role, name: str, text: str) -> Message:
    return Message(role=role, parts=(Part(name=name, text=text),))


# LLMResponse


def build_llmresponse(
    situation: Situation, shots: Sequence[Shot], *, elements: bool, pictures: bool
) -> tuple[Message, ...]:
    """System, the demos as turns, then the task with its elements and the question."""
    words = texts("llmresponse")
    messages = [_said("system", "system", words.get("system", actions=_native_actions()))]
    for number, shot in enumerate(shots, start=1):
        lead = words.get("demo", number=number)
        for step in shot.steps:
            listed = _listing(step.scene) if elements else ""
            task = words.get("task", task=shot.task) if lead else ""
            messages.append(_message("user", demo=lead, task=task, elements=listed, ask=words.get("ask")))
            answer = step.response.to_wire() if elements else _without_numbers(step.response)
            messages.append(_said("assistant", "answer", _json(answer)))
            lead = ""
    done = "\n".join(f"{n}. {step.description}" for n, step in enumerate(situation.history, start=1))
    history = words.get("history", steps=done) if done else words.get("nothing_done")
    messages.append(
        _message(
            "user",
            situation.scene if pictures else None,
            task=words.get("task", task=situation.task),
            history=history,
            failure=situation.failure,
            elements=_listing(situation.scene),
            ask=words.get("ask"),
        )
    )
    return tuple(messages)


def _without_numbers(response: LLMResponse) -> dict[str, Any]:
    """The answer with targets by text and place: numbers of a list that is not shown would only teach to guess."""
    wire = response.to_wire()
    parameters: dict[str, Any] = wire["action"]["parameters"]
    for holder, key in ((wire["action"], "target"), (parameters, "end_target")):
        target: dict[str, Any] | None = holder.get(key)
        known = {name: target[name] for name in ("text", "bbox") if name in target} if target else {}
        if known:
            holder[key] = known
    return wire


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


def _listing(scene: Scene) -> str:
    words = texts("llmresponse")
    if not scene.elements or scene.size is None:
        return words.get("no_elements")
    lines = "\n".join(_json(_native_element(item, scene)) for item in scene.elements)
    return words.get("elements", width=scene.size.width, height=scene.size.height, elements=lines)


def _native_element(item: Listed, scene: Scene) -> dict[str, Any]:
    target = scene.target(item)
    box = None if target.bbox is None else [round(value, 4) for value in target.bbox]
    found: dict[str, Any] = {"element_id": item.number, "track_id": item.track_id, "type": item.type}
    found |= {"subtype": item.subtype, "text": item.text, "bbox": box}
    found |= {str(state): value for state, value in item.states.items()}
    return {key: value for key, value in found.items() if value is not None}


# UiPath


def build_uipath(situation: Situation, shots: Sequence[Shot], *, elements: bool, pictures: bool) -> tuple[Message, ...]:
    """System prompt from the registry, demos and history as turns, then memory, rules and the form of the answer.

    ``elements`` changes nothing: the planner sees the picture and names targets in words.
    """
    del elements
    words = texts("uipath")
    messages = [_said("system", "system", uipath_system())]
    for shot in shots:
        messages.append(_said("user", "task", words.get("task", date="", task=shot.task)))
        messages += _turns(shot.steps, pictures=0)
    date = f"Date: {situation.date}\n" if situation.date else ""
    messages.append(_said("user", "task", words.get("task", date=date, task=situation.task)))
    messages += _turns(situation.history, pictures=_PICTURES if pictures else 0)
    form = "{\n" + ",\n".join(f'"{section.key}": {_about(section.about)}' for section in SECTIONS.values())
    turn = words.get(
        "turn",
        memory=_json({"data": situation.memory}),
        notice=words.get("last_turn") + "\n" if situation.last_turn else "",
        form=form + ',\n"action": {"type": …, "description": …, "parameters": {…}}\n}',
    )
    messages.append(_message("user", situation.scene if pictures else None, failure=situation.failure, turn=turn))
    return tuple(messages)


def _about(text: str) -> str:
    return f"<{text}>"


def _turns(steps: Sequence[Recorded], *, pictures: int) -> list[Message]:
    """What was done, as answers, and what came of each, as the user's observation."""
    messages: list[Message] = []
    review = ""
    for index, step in enumerate(steps):
        shown = step.scene if index >= len(steps) - pictures else None
        ideal = Ideal(act=step.act, thought=_thought(step), review=review, memory=step.memory, ends=step.ends)
        review = previous_action_result(step.rationale)
        for answer in answers_for("uipath", ideal):
            messages.append(_message("user", shown, observation="The screen now."))
            messages.append(_said("assistant", "answer", str(answer)))
            shown = None
    return messages


def _thought(step: Recorded) -> str:
    return lam_thought(step.rationale) if step.rationale is not None else ""


def uipath_system() -> str:
    """The system prompt that the registry makes."""
    words = texts("uipath")
    actions, special = DEFAULT_REGISTRY.actions(special=False), DEFAULT_REGISTRY.actions(special=True)
    examples = [_json(example) for action in (*actions, *special) for example in action.examples]
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


# LAM and UFO


def build_lam(situation: Situation, shots: Sequence[Shot], *, elements: bool, pictures: bool) -> tuple[Message, ...]:
    """System, every step of the demos as one turn, then the controls, the request, what was done and the last plan.

    Without ``elements`` the demos' turns list only the control that is used: its label must stand somewhere. LAM takes
    text alone, so ``pictures`` changes nothing.
    """
    del pictures
    words = texts("lam")
    keys = "\n".join(f"- {line}" for line in words.get("keys").split("\n"))
    functions = "\n".join(
        f"- {item['name']}({', '.join(item['parameters']['properties'])}): {item['description']}"
        for item in json.loads(words.get("functions"))
    )
    controls = "\n".join(f"- {line}" for line in words.get("controls").split("\n"))
    system = words.get("system", controls=controls, functions=functions, keys=keys)
    messages = [_said("system", "system", system)]
    for shot in shots:
        plan: Sequence[str] = ()
        for index, step in enumerate(shot.steps):
            ideal = Ideal(act=step.act, thought=_thought(step), plan=step.plan, ends=step.ends)
            for answer in answers_for("ufo", ideal):
                done = [earlier.description for earlier in shot.steps[:index]]
                scene = step.scene if elements else _used_only(step)
                messages.append(_said("user", "demo", _lam_user(shot.task, scene, done, plan)))
                messages.append(_said("assistant", "answer", str(answer)))
            plan = step.plan
    done = [step.description for step in situation.history]
    messages.append(
        _message(
            "user", failure=situation.failure, turn=_lam_user(situation.task, situation.scene, done, situation.plan)
        )
    )
    return tuple(messages)


def _used_only(step: Recorded) -> Scene:
    target = step.act.target
    used = [item for item in step.scene.elements if target is not None and item.number == target.element_id]
    return Scene(size=step.scene.size, elements=used)


def _lam_user(task: str, scene: Scene, done: Sequence[str], plan: Sequence[str]) -> str:
    items = [
        {"label": str(item.number), "control_text": item.text or "", "control_type": _CONTROLS[item.type]}
        for item in scene.elements
        if item.type in _CONTROLS
    ]
    fields = {"controls": items, "task": task, "history": list(done), "plan": list(plan)}
    return texts("lam").get("user", **{name: _json(value) for name, value in fields.items()})


_CONTROLS: Final[Mapping[str, str]] = {str(kind): control for kind, control in CONTROL_TYPES.items()}
