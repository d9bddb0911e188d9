"""LAM's prompts (Appendix C of its paper), in UFO's vocabulary: controls, request, history, plan."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from demopack.pack.formats.lam import CONTROL_TYPES
from demopack.prompting.answers.write import Ideal, answers_for
from demopack.prompting.prompt import Message
from demopack.prompting.scene import Scene
from demopack.prompting.situation import Recorded, Shot, Situation
from demopack.prompting.texts import texts
from demopack.prompting.turns import json_text, message, said, thought_of

__all__ = ["build_lam"]


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
    messages = [said("system", "system", system)]
    for shot in shots:
        plan: Sequence[str] = ()
        for index, step in enumerate(shot.steps):
            ideal = Ideal(act=step.act, thought=thought_of(step), plan=step.plan, ends=step.ends)
            for answer in answers_for("ufo", ideal):
                done = [earlier.description for earlier in shot.steps[:index]]
                scene = step.scene if elements else _used_only(step)
                messages.append(said("user", "demo", _lam_user(shot.task, scene, done, plan)))
                messages.append(said("assistant", "answer", str(answer)))
            plan = step.plan
    done = [step.description for step in situation.history]
    messages.append(
        message(
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
    return texts("lam").get("user", **{name: json_text(value) for name, value in fields.items()})


_CONTROLS: Final[Mapping[str, str]] = {str(kind): control for kind, control in CONTROL_TYPES.items()}
