"""The CAAP prompt: one message, its parts in the order of the paper's Figures 3 and 9."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from demopack.domain.renderings import START_REASON
from demopack.pack.formats.caap import demo_text
from demopack.prompting.caap.elements import element_list, history_lines, reasoned_calls
from demopack.prompting.caap.parts import CaapParts
from demopack.prompting.prompt import Message, Part
from demopack.prompting.situation import Shot, Situation
from demopack.prompting.texts import texts

__all__ = ["build_caap", "caap_functions"]

_NUMBERS = {1: "one section", 2: "two sections", 3: "three sections", 4: "four sections"}


def caap_functions() -> list[dict[str, Any]]:
    """The eleven actions as function definitions."""
    found: list[dict[str, Any]] = json.loads(texts("caap").get("functions"))
    return found


def build_caap(situation: Situation, shots: Sequence[Shot], parts: CaapParts) -> tuple[Message, ...]:
    """The prompt as one message; a part that is off or has nothing to say is not there."""
    found = [*_context(situation, shots, parts), *_instructions(situation, parts)]
    return (Message(role="user", parts=tuple(part for part in found if part.text)),)


def _context(situation: Situation, shots: Sequence[Shot], on: CaapParts) -> list[Part]:
    words = texts("caap")
    scene = situation.scene
    listed = element_list(scene.elements) or words.get("no_elements")
    lines = "\n".join(history_lines(situation.history))
    last = situation.last_response.strip()
    given = {
        "premise": words.get("premise") if on.premise else "",
        "demos": _demos(shots, reasons=on.reasons) if on.demos and shots else "",
        "situation": words.get("situation") if on.situation else "",
        "task": words.get("task", task=" ".join(situation.task.split())) if on.task else "",
        "last_response": words.get("last_response", response=last) if on.last_response and last else "",
        "history": words.get("history", actions=lines) if on.history else "",
        "failure": words.get("failure", error=situation.failure) if on.failure and situation.failure else "",
        "elements": words.get("elements", elements=listed) if on.elements else "",
        "actions": words.get("actions", actions=_action_list()) if on.actions else "",
    }
    return [Part(name=name, text=text) for name, text in given.items()]


def _demos(shots: Sequence[Shot], *, reasons: bool) -> str:
    demos = [
        demo_text(number, shot.task, [call for step in shot.steps for call in reasoned_calls(step, reasons=reasons)])
        for number, shot in enumerate(shots, start=1)
    ]
    whole = "\n".join(demos)
    return texts("caap").get("demos", demos=whole if reasons else whole.replace(_START_REASON, "{name: start}"))


_START_REASON = f'{{name: start, reason: "{START_REASON}"}}'


def _action_list() -> str:
    return "\n".join(
        f"- {item['name']}({', '.join(item['parameters']['properties'])}): {item['description']}"
        for item in caap_functions()
    )


def _instructions(situation: Situation, on: CaapParts) -> list[Part]:
    words = texts("caap")
    done = len(history_lines(situation.history))
    sections = [name for name in ("review", "screen", "plan") if getattr(on, name)]
    named = [*sections, *(["answer"] if on.answer else [])]
    titles = ", ".join({"answer": "Actions"}.get(name, name.capitalize()) for name in named)
    opening = words.get("opening", count=_NUMBERS[len(named)], names=titles) if sections else ""
    held = situation.scene.held
    given = {
        "ask": words.get("ask", next=f"action_{done + 1}", after=f"action_{done + 2}"),
        "opening": opening,
        "review": words.get("review", last=f"action_{done}") if on.review else "",
        "screen": words.get("screen") if on.screen else "",
        "plan": words.get("plan") if on.plan else "",
        "answer": words.get("answer", n1=done + 1, n2=done + 2, n3=done + 3) if on.answer else "",
        "guards": words.get("guards") if on.guards else "",
        "drag_note": words.get("drag_note", x=held.start.x, y=held.start.y) if on.drag_note and held else "",
    }
    return [Part(name=name, text=text) for name, text in given.items()]
