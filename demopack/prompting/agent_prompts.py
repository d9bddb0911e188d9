"""The prompts of UI-TARS and Qwen: what their training talks ask, word for word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from demopack.codecs import qwen, ui_tars
from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.base import Codec
from demopack.codecs.element_words import element_list
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.questions import question_parts
from demopack.codecs.texts import texts
from demopack.prompting.agent_state import AgentState
from demopack.prompting.prompt import Message, PromptOptions, message

AGENT_CODECS: Final[dict[str, Codec]] = {
    codec.name: codec for codec in (ui_tars.CODEC, ui_tars.PIXEL_CODEC, qwen.CODEC, qwen.PIXEL_CODEC)
}
"""Vocabularies whose agents are prompted so."""


def build_agent_prompt(
    dialect: str, situation: AgentState, shots: Sequence[RecordedDemo], options: PromptOptions
) -> tuple[Message, ...]:
    """System, the demos as turns, then task, history and elements as an export asks them.

    Answers name places alone. So each turn of a demo lists the element that was used, and all of them with
    ``shot_elements``.
    """
    codec = AGENT_CODECS[dialect]
    screen = situation.observation
    messages = [message("system", system="" if codec.system is None else codec.system(screen.size))]
    for number, shot in enumerate(shots, start=1):
        lead = texts(codec.sentences).get("demo", number=number)
        for index, step in enumerate(shot.steps):
            ideal = IdealAnswer(act=step.placed, thought=step.response.reasoning, ends=step.ends)
            for answer in encode_answers(dialect, ideal):
                listed = _listed(step, codec, every=options.shot_elements)
                done = [earlier.description for earlier in shot.steps[:index]]
                messages.append(message("user", demo=lead, **question_parts(shot.head.task, done, 0, listed)))
                messages.append(message("assistant", answer=str(answer)))
                lead = ""
    done = [step.description for step in situation.history]
    listed = element_list(screen.elements, screen.size, codec.coordinates)
    asked = question_parts(situation.task, done, 0, listed)
    return (*messages, message("user", screen if options.pictures else None, **asked, failure=situation.failure))


def _listed(step: RecordedStep, codec: Codec, *, every: bool) -> str:
    used = {one.uid for one in (step.placed.target, step.placed.end) if one is not None}
    elements = [one for one in step.observation.elements if every or one.uid in used]
    return element_list(elements, step.observation.size, codec.coordinates)
