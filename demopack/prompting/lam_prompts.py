"""LAM's prompts (Appendix C of its paper), in UFO's vocabulary: controls, request, history, plan."""

from __future__ import annotations

import json
from collections.abc import Sequence

from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.observation import Observation
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.lam import control_items, orders_of, plan_after
from demopack.codecs.texts import texts
from demopack.prompting.agent_state import AgentState
from demopack.prompting.prompt import Message, json_text, message, text_message, thought_of


def build_lam(
    situation: AgentState, shots: Sequence[RecordedDemo], *, elements: bool, pictures: bool
) -> tuple[Message, ...]:
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
    messages = [text_message("system", "system", system)]
    for shot in shots:
        plan: Sequence[str] = ()
        orders = orders_of(shot)
        for index, step in enumerate(shot.steps):
            remaining = plan_after(shot, index, orders=orders)
            ideal = IdealAnswer(act=step.placed, thought=thought_of(step), plan=remaining, ends=step.ends)
            for answer in encode_answers("ufo", ideal):
                done = [earlier.description for earlier in shot.steps[:index]]
                observation = step.observation if elements else _used_only(step)
                messages.append(text_message("user", "demo", _lam_user(shot.head.task, observation, done, plan)))
                messages.append(text_message("assistant", "answer", str(answer)))
            plan = remaining
    done = [step.description for step in situation.history]
    messages.append(
        message(
            "user",
            failure=situation.failure,
            turn=_lam_user(situation.task, situation.observation, done, situation.plan),
        )
    )
    return tuple(messages)


def _used_only(step: RecordedStep) -> Observation:
    target = step.placed.target
    used = [item for item in step.observation.elements if target is not None and item.number == target.number]
    return Observation(size=step.observation.size, elements=used)


def _lam_user(task: str, observation: Observation, done: Sequence[str], plan: Sequence[str]) -> str:
    fields = {
        "controls": control_items(observation.elements),
        "task": task,
        "history": list(done),
        "plan": list(plan),
    }
    return texts("lam").get("user", **{name: json_text(value) for name, value in fields.items()})
