"""CAAP's prompt, and its parts that may be switched off."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from demopack.codecs.caap import CODEC, HEADINGS, element_data, element_losses, seen_by_caap
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.caap import START_LINE, ScriptLine, demo_text, lines_of_step, script_lines
from demopack.codecs.texts import function_lines, texts
from demopack.domain.elements import NumberedElement
from demopack.domain.rationale import START_REASON, caap_paragraph
from demopack.errors import BadInputError
from demopack.prompting.agent_state import AgentState
from demopack.prompting.prompt import Message, PromptOptions, message

CAAP_PARTS: Final = (
    "premise",
    "demos",
    "reasons",  # those inside the demonstrations
    "situation",  # that a task is to be done now
    "task",
    "last_response",  # the model's last answer, between task and history as the paper has it
    "history",
    "failure",  # why the last answer could not be carried out
    "elements",
    "actions",  # the action types as text: off, as function definitions tell them
    "review",  # reasoning section 1, the history
    "screen",  # section 2
    "plan",  # section 3
    "answer",  # section 4, the form of the answer
    "guards",  # the four rules
    "drag_note",  # what is possible while the button is held; only then part of the prompt
)
"""Parts of the prompt that can be switched off; what is off leaves everything else as it is."""

TABLE_6: Final[Mapping[str, frozenset[str]]] = {
    "full": frozenset(),
    "demo_without_cot": frozenset({"review", "screen", "plan"}),
    "cot_without_demo": frozenset({"demos"}),
    "cot_with_action_only_demo": frozenset({"reasons"}),
    "no_cot_no_demo": frozenset({"demos", "review", "screen", "plan"}),
}
"""The columns of Table 6, each with the parts that are off."""


def caap_parts(*, without: str = "", config: str = "full") -> frozenset[str]:
    """The parts of a configuration of Table 6 that are on, with more of them switched off.

    Args:
        without: names of parts, separated by commas.
        config: one of :data:`TABLE_6`.

    Raises:
        BadInputError: there is no such part or configuration.
    """
    if config not in TABLE_6:
        raise BadInputError(f"There is no configuration {config!r}.", hint=f"Use one of {', '.join(TABLE_6)}.")
    names = [name.strip() for name in without.split(",") if name.strip()]
    for name in names:
        if name not in CAAP_PARTS:
            raise BadInputError(f"There is no part {name!r}.", hint=f"Use of {', '.join(CAAP_PARTS)}.")
    return frozenset(CAAP_PARTS).difference(TABLE_6[config], names, ["actions"])


def element_list(elements: Iterable[NumberedElement]) -> str:
    """The elements of the current screen as CAAP sees them, one to a line; each keeps its number."""
    seen = ((item.number, seen_by_caap(item)) for item in elements)
    return "\n".join(f"- ID: element_{number}, data: {element_data(one)}" for number, one in seen if one is not None)


def caap_notes(situation: AgentState, shots: Sequence[RecordedDemo]) -> list[str]:
    """What a prompt tells otherwise than it is known, or not at all, each in one sentence."""
    told = [(shot.head.id, shot.steps) for shot in shots] + [("the history", tuple(situation.history))]
    notes = [
        f"Step {number} of {name} is told as a note, caap has no word for it: {step.description}."
        for name, steps in told
        for number, step in enumerate(steps, start=1)
        if lines_of_step(step) and CODEC.encode(step.placed).is_empty
    ]
    listed = situation.observation.elements
    gone = [item for item in listed if seen_by_caap(item) is None]
    if gone:
        kinds = ", ".join(f"{item.number} ({item.type})" for item in gone)
        notes.append(f"Elements of the screen are left out, caap has no type for them: {kinds}.")
    less = [item for item in listed if (seen := seen_by_caap(item)) is not None and element_losses(item, seen)]
    if less:
        numbers = ", ".join(str(item.number) for item in less)
        notes.append(f"Elements are told with less than is known, caap has no such type, state or text: {numbers}.")
    return notes


def _reasoned(step: RecordedStep, *, reasons: bool) -> list[ScriptLine]:
    return lines_of_step(step, caap_paragraph(step.recorded.rationale) if reasons else "")


_NUMBERS = {1: "one section", 2: "two sections", 3: "three sections", 4: "four sections"}


def caap_functions() -> list[dict[str, Any]]:
    """The eleven actions as function definitions."""
    found: list[dict[str, Any]] = json.loads(texts("caap").get("functions"))
    return found


def build_caap(situation: AgentState, shots: Sequence[RecordedDemo], options: PromptOptions) -> tuple[Message, ...]:
    """The prompt as one message; a part that is off or has nothing to say is not there."""
    on = caap_parts(config=options.config, without=options.without)
    words = texts("caap")
    observation = situation.observation
    listed = element_list(observation.elements) or words.get("no_elements")
    past = [(START_LINE[0], ""), *(line for step in situation.history for line in _reasoned(step, reasons=False))]
    done = sum(not isinstance(told, str) for told, _ in past)
    last, held = situation.last_response.strip(), observation.held
    sections = [name for name in ("review", "screen", "plan") if name in on]
    named = [HEADINGS[name] for name in (*sections, *(["answer"] if "answer" in on else []))]
    given = {
        "premise": words.get("premise"),
        "demos": _demos(shots, reasons="reasons" in on) if shots else "",
        "situation": words.get("situation"),
        "task": words.get("task", task=" ".join(situation.task.split())),
        "last_response": words.get("last_response", response=last) if last else "",
        "history": words.get("history", actions=_with_notes(past, "\n".join(script_lines(past)))),
        "failure": words.get("failure", error=situation.failure) if situation.failure else "",
        "elements": words.get("elements", elements=listed),
        "actions": words.get("actions", actions=function_lines(caap_functions())),
        "ask": words.get("ask", next=f"action_{done + 1}", after=f"action_{done + 2}"),
        "opening": words.get("opening", count=_NUMBERS[len(named)], names=", ".join(named)) if sections else "",
        "review": words.get("review", heading=HEADINGS["review"], last=f"action_{done}"),
        "screen": words.get("screen", heading=HEADINGS["screen"]),
        "plan": words.get("plan", heading=HEADINGS["plan"]),
        "answer": words.get("answer", heading=HEADINGS["answer"], n1=done + 1, n2=done + 2, n3=done + 3),
        "guards": words.get("guards"),
        "drag_note": words.get("drag_note", x=held.start.x, y=held.start.y) if held else "",
    }
    off = {*CAAP_PARTS} - on
    return (message("user", **{name: text for name, text in given.items() if name not in off}),)


def _demos(shots: Sequence[RecordedDemo], *, reasons: bool) -> str:
    told = [[line for step in shot.steps for line in _reasoned(step, reasons=reasons)] for shot in shots]
    demos = [
        demo_text(number, shot.head.task, lines)
        for number, (shot, lines) in enumerate(zip(shots, told, strict=True), start=1)
    ]
    whole = "\n".join(demos)
    whole = whole if reasons else whole.replace(_START_REASON, "{name: start}")
    return texts("caap").get("demos", demos=_with_notes((line for lines in told for line in lines), whole))


def _with_notes(lines: Iterable[ScriptLine], text: str) -> str:
    """The text, and under it what notes are, where there are any."""
    return f"{text}\n{texts('caap').get('notes')}" if any(isinstance(told, str) for told, _ in lines) else text


_START_REASON = f'{{name: start, reason: "{START_REASON}"}}'
