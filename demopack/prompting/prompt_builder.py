"""Builder of prompts: choose demos, build in a dialect, stay within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from demopack.codecs import lam
from demopack.codecs.catalogue import CODECS
from demopack.codecs.placed_action import EncodedAction
from demopack.codecs.recorded_demo import DemoSource, RecordedDemo, RecordedStep
from demopack.codecs.texts import Texts, texts
from demopack.errors import BadInputError
from demopack.prompting.agent_prompts import AGENT_CODECS, build_agent_prompt
from demopack.prompting.agent_state import AgentState
from demopack.prompting.caap_prompts import build_caap, caap_notes, caap_parts
from demopack.prompting.chat_prompts import build_lam, build_llmresponse, build_uipath
from demopack.prompting.example_choice import Similarity, indexed_demo, rank
from demopack.prompting.function_definitions import FUNCTION_DIALECTS, functions_for
from demopack.prompting.prompt import Message, Prompt, PromptOptions

_SPARE_DEMOS: Final = 3
"""So many more demos than wanted are looked at, for when the best ones do not fit the budget."""


_BUILDERS: Final[Mapping[str, Callable[[AgentState, Sequence[RecordedDemo], PromptOptions], tuple[Message, ...]]]] = {
    "llmresponse": build_llmresponse,
    "caap": build_caap,
    "uipath": build_uipath,
    "lam": build_lam,
    **{name: partial(build_agent_prompt, name) for name in AGENT_CODECS},
}
PROMPT_DIALECTS: Final = tuple(_BUILDERS)
"""Dialects that prompts can be built in."""


def build_prompt(
    source: DemoSource | None,
    situation: AgentState,
    *,
    dialect: str = "llmresponse",
    options: PromptOptions | None = None,
    similarity: Similarity | None = None,
) -> Prompt:
    """A prompt about a situation, with the demos of a pack that fit it best.

    Args:
        source: where demos come from; None for a prompt without any.
        situation: task, screen, history.
        dialect: one of :data:`PROMPT_DIALECTS`.
        options: see :class:`PromptOptions`.
        similarity: by default full text.

    Raises:
        BadInputError: there is no such dialect or part, or the prompt does not fit the budget even without demos.
        PackError: the pack cannot be read.
    """
    options = options or PromptOptions()
    shots = [] if source is None else choose_shots(source, situation.task, options=options, similarity=similarity)
    return prompt_with(situation, shots, dialect=dialect, options=options)


def prompt_with(
    situation: AgentState, shots: Sequence[RecordedDemo], *, dialect: str, options: PromptOptions
) -> Prompt:
    """A prompt with as many of these demos, the best first, as are wanted and fit the budget.

    Raises:
        BadInputError: there is no such dialect or part, or the prompt does not fit the budget even without demos.
    """
    bare = render(situation, [], dialect=dialect, options=options)
    if bare.tokens > options.budget:
        raise BadInputError(
            f"The prompt has about {bare.tokens} tokens without any demo; the budget is {options.budget}.",
            hint="Raise the budget, or leave the list of elements or the history out.",
        )
    best, kept, dropped = bare, list[RecordedDemo](), list[str]()
    for shot in shots:
        if len(kept) == options.shots:
            break
        tried = _within(situation, [*kept, shot], dialect=dialect, options=options)
        if tried is None:
            dropped.append(shot.head.id)
            continue
        kept.append(shot)
        best = tried
    return replace(best, left_out=tuple(dropped))


def _within(
    situation: AgentState, shots: Sequence[RecordedDemo], *, dialect: str, options: PromptOptions
) -> Prompt | None:
    """A prompt with these demos; None where it is longer than the options' budget.

    The last demo is tried with its first step alone, then with twice as many, and so on: one with thousands of steps,
    whose prompt may be as long as their square, is given up before that is written down.
    """
    *others, last = shots
    some = 1
    while some < len(last.steps):
        begun = replace(last, steps=last.steps[:some])
        if render(situation, [*others, begun], dialect=dialect, options=options).tokens > options.budget:
            return None
        some *= 2
    whole = render(situation, shots, dialect=dialect, options=options)
    return whole if whole.tokens <= options.budget else None


def choose_shots(
    source: DemoSource, task: str, *, options: PromptOptions, similarity: Similarity | None = None
) -> list[RecordedDemo]:
    """The demos that fit a task best, a few more than are wanted; only these are kept in memory.

    Raises:
        PackError: the pack cannot be read.
    """
    if options.shots == 0:
        return []
    choices = rank(
        [
            found
            for demo in source.demos()
            if (found := indexed_demo(demo, any_outcome=options.any_outcome)) is not None
        ],
        task,
        app=options.app,
        limit=options.shots + _SPARE_DEMOS,
        exclude=options.exclude,
        instance=options.instance,
        diversity=options.diversity,
        seed=options.seed,
        similarity=similarity,
    )
    order = {choice.id: number for number, choice in enumerate(choices)}
    shots = [demo for demo in source.demos() if demo.head.id in order]
    return sorted(shots, key=lambda shot: order[shot.head.id])


def render(
    situation: AgentState, shots: Sequence[RecordedDemo], *, dialect: str, options: PromptOptions | None = None
) -> Prompt:
    """A prompt with just these demos, whatever its length.

    Raises:
        BadInputError: there is no such dialect or part.
    """
    options = options or PromptOptions()
    name = {"ufo": "lam", "native": "llmresponse"}.get(dialect.lower(), dialect.lower())
    if name not in PROMPT_DIALECTS:
        raise BadInputError(
            f"There are no prompts in the dialect “{dialect}”.", hint=f"Use one of {', '.join(PROMPT_DIALECTS)}."
        )
    parts = caap_parts(config=options.config, without=options.without)
    shown = tuple(shot.head.id for shot in shots) if name != "caap" or "demos" in parts else ()
    return Prompt(
        dialect=name,
        version=sentences_of(name).stamp,
        messages=_BUILDERS[name](situation, shots, options),
        shots=shown,
        functions=tuple(functions_for(name, registry=situation.actions)) if name in {*FUNCTION_DIALECTS, "lam"} else (),
        notes=tuple(_unsaid(situation, shots if shown else (), name)),
    )


def agent_system(prompt: Prompt) -> str:
    """What an agent's model is told once, in use as in training: the prompt's own, and that screens give no orders."""
    own = [message.text for message in prompt.messages if message.role == "system"]
    return "\n\n".join([*own, texts("agent").get("guard")])


def sentences_of(dialect: str) -> Texts:
    """The sentences of a dialect's prompts; versions of one program may share them."""
    codec = AGENT_CODECS.get(dialect)
    return texts(dialect if codec is None else codec.sentences)


def _unsaid(situation: AgentState, shots: Sequence[RecordedDemo], dialect: str) -> list[str]:
    """Steps that the dialect has no word for: the model sees what came of them and not what was done."""
    if dialect == "llmresponse":
        return []
    if dialect == "caap":
        return caap_notes(situation, shots)
    told = [(shot.head.id, shot.steps) for shot in shots] + [("the history", tuple(situation.history))]
    return [
        f"Step {number} of {name} is left out, {dialect} has no word for it: {step.description}."
        for name, steps in told
        for number, step in enumerate(steps, start=1)
        if _said(step, dialect).is_empty and not step.ends
    ]


def _said(step: RecordedStep, dialect: str) -> EncodedAction:
    return lam.encode(step) if dialect == "lam" else CODECS[dialect].encode(step.placed)
