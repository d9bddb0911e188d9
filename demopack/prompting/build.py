"""One way to every prompt: choose demos, build in a dialect, stay within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pydantic import Field

from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.pack.formats.vocabularies import DIALECTS
from demopack.pack.stream import DemoSource
from demopack.prompting.caap.build import build_caap
from demopack.prompting.caap.parts import CaapParts, caap_parts
from demopack.prompting.chat import build_llmresponse, build_uipath
from demopack.prompting.functions import functions_for
from demopack.prompting.lam import build_lam
from demopack.prompting.prompt import Message, Prompt
from demopack.prompting.shots.select import Instance, documents_of, rank
from demopack.prompting.shots.similarity import Similarity
from demopack.prompting.situation import Shot, Situation, shot_of
from demopack.prompting.texts import texts

__all__ = ["PROMPT_DIALECTS", "PromptOptions", "build_prompt", "choose_shots", "render"]

_SPARE: Final = 3
"""So many more demos than wanted are looked at, for when the best ones do not fit the budget."""


class PromptOptions(Record):
    """What a person may choose.

    Attributes:
        shots: at most so many demos.
        budget: tokens that the prompt may have, by :mod:`demopack.prompting.tokens`.
        seed: decides between demos that fit equally well.
        instance: whether a demo of the very same task may be shown.
        exclude: demos that must not be shown.
        app: program of the task; demos of it are preferred.
        diversity: 0..1; how much the demos should differ from one another.
        shot_elements: whether the turns of demos list their elements (LLMResponse, LAM).
        talk: whether the history is a talk of whole answers (UiPath), or told in words.
        pictures: whether messages name the pictures to be sent along.
        config: of CAAP's parts: a configuration of Table 6.
        without: of CAAP's parts: names to switch off, separated by commas.
    """

    shots: int = Field(default=2, ge=0, le=50)
    budget: int = Field(default=8000, ge=1)
    seed: int = 0
    instance: Instance = "any"
    exclude: tuple[str, ...] = ()
    app: str = ""
    diversity: float = Field(default=0.3, ge=0, le=1)
    shot_elements: bool = False
    talk: bool = True
    pictures: bool = True
    config: str = "full"
    without: str = ""


_TALKS: Final[Mapping[str, Callable[..., tuple[Message, ...]]]] = {
    "llmresponse": build_llmresponse,
    "uipath": build_uipath,
    "lam": build_lam,
}
PROMPT_DIALECTS: Final = ("llmresponse", "caap", "uipath", "lam")
"""Dialects that prompts can be built in."""


def build_prompt(
    source: DemoSource | None,
    situation: Situation,
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
    bare = render(situation, [], dialect=dialect, options=options)
    if bare.tokens > options.budget:
        raise BadInputError(
            f"The prompt has about {bare.tokens} tokens without any demo; the budget is {options.budget}.",
            hint="Raise the budget, or leave the list of elements or the history out.",
        )
    best, kept, dropped = bare, list[Shot](), list[str]()
    for shot in shots:
        if len(kept) == options.shots:
            break
        tried = _within(options.budget, situation, [*kept, shot], dialect=dialect, options=options)
        if tried is None:
            dropped.append(shot.demo)
            continue
        kept.append(shot)
        best = tried
    return replace(best, left_out=tuple(dropped))


def _within(
    budget: int, situation: Situation, shots: Sequence[Shot], *, dialect: str, options: PromptOptions
) -> Prompt | None:
    """A prompt with these demos; None where it is longer than the budget.

    The last demo is tried with its first step alone, then with twice as many, and so on: one with thousands of steps,
    whose prompt may be as long as their square, is given up before that is written down.
    """
    *others, last = shots
    some = 1
    while some < len(last.steps):
        begun = replace(last, steps=last.steps[:some])
        if render(situation, [*others, begun], dialect=dialect, options=options).tokens > budget:
            return None
        some *= 2
    whole = render(situation, shots, dialect=dialect, options=options)
    return whole if whole.tokens <= budget else None


def choose_shots(
    source: DemoSource, task: str, *, options: PromptOptions, similarity: Similarity | None = None
) -> list[Shot]:
    """The demos that fit a task best, a few more than are wanted; only these are kept in memory.

    Raises:
        PackError: the pack cannot be read.
    """
    if options.shots == 0:
        return []
    choices = rank(
        list(documents_of(source.demos())),
        task,
        app=options.app,
        limit=options.shots + _SPARE,
        exclude=options.exclude,
        instance=options.instance,
        diversity=options.diversity,
        seed=options.seed,
        similarity=similarity,
    )
    order = {choice.id: number for number, choice in enumerate(choices)}
    found = [shot_of(demo) for demo in source.demos() if demo.head.demo in order]
    return sorted(found, key=lambda shot: order[shot.demo])


def render(
    situation: Situation, shots: Sequence[Shot], *, dialect: str, options: PromptOptions | None = None
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
    parts: CaapParts = caap_parts(config=options.config, without=options.without)
    if name == "caap":
        messages = build_caap(situation, shots, parts)
    else:
        more = {"talk": options.talk} if name == "uipath" else {}
        messages = _TALKS[name](situation, shots, elements=options.shot_elements, pictures=options.pictures, **more)
    shown = tuple(shot.demo for shot in shots) if name != "caap" or parts.demos else ()
    return Prompt(
        dialect=name,
        version=texts(name).stamp,
        messages=messages,
        shots=shown,
        functions=tuple(functions_for(name)),
        notes=tuple(_unsaid(situation, shots if shown else (), name)),
    )


def _unsaid(situation: Situation, shots: Sequence[Shot], dialect: str) -> list[str]:
    """Steps that the dialect has no word for: the model sees what came of them and not what was done."""
    if dialect == "llmresponse":
        return []
    say = DIALECTS[{"lam": "ufo"}.get(dialect, dialect)].say
    told = [(shot.demo, shot.steps) for shot in shots] + [("the history", tuple(situation.history))]
    return [
        f"Step {number} of {name} is left out, {dialect} has no word for it: {step.description}."
        for name, steps in told
        for number, step in enumerate(steps, start=1)
        if say(step.act).silent and not step.ends
    ]
