"""Prompt for one step from the library: which demos are shown, and what it would cost in tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from annotator.words import tr
from demopack.jobs import JobControl
from demopack.prompting.agent_state import agent_state_at
from demopack.prompting.library_demos import LibraryDemos
from demopack.prompting.prompt import Prompt, PromptOptions
from demopack.prompting.prompt_builder import build_prompt
from demopack.store import Library

Choice = Literal["elements", "words", "config"]
CHOICES: Final[Mapping[str, frozenset[Choice]]] = {
    "llmresponse": frozenset({"elements"}),
    "lam": frozenset({"elements"}),
    "uipath": frozenset({"words"}),
    "caap": frozenset({"config"}),
    "ui-tars": frozenset({"elements"}),
    "ui-tars-1.5": frozenset({"elements"}),
    "qwen": frozenset({"elements"}),
    "qwen2.5-vl": frozenset({"elements"}),
}
"""Of each dialect, which further choices it has: examples that list their elements, what was done told in words, and
which parts the prompt has."""


def prompt_at(
    library: Library, demo_id: str, number: int, dialect: str, options: PromptOptions, control: JobControl
) -> Prompt:
    """The prompt for the moment before a step; the demo itself is no example for it.

    Args:
        library: where the demos are.
        demo_id: the demo.
        number: of the step, from 1.
        dialect: in whose words.
        options: what else was chosen.
        control: progress and cancelling.

    Raises:
        BadInputError: the prompt does not fit the budget even without examples.
        CancelledError: the user stopped it.
        LibraryError: a demo cannot be read.
    """
    situation, own = agent_state_at(LibraryDemos(library, [demo_id]), f"{demo_id}:{number}")

    def looked_at(done: int, total: int) -> None:
        control.step(done, total, tr("Looking for examples"))

    source = LibraryDemos(library, progress=looked_at) if options.shots else None
    return build_prompt(source, situation, dialect=dialect, options=options.model_copy(update={"exclude": own}))


def prompt_words(prompt: Prompt, budget: int) -> str:
    """What there is to say about a prompt, in sentences."""
    told = [
        tr("About {tokens} of {budget} tokens, {characters} characters.").format(
            tokens=f"{prompt.tokens:,}", budget=f"{budget:,}", characters=f"{len(prompt.to_text()):,}"
        )
    ]
    pictures = sum(len(message.images) for message in prompt.messages)
    if pictures:
        told.append(
            tr("1 picture goes along.") if pictures == 1 else tr("{count} pictures go along.").format(count=pictures)
        )
    if prompt.shots:
        told.append(tr("Examples: {demos}.").format(demos=", ".join(prompt.shots)))
    else:
        told.append(tr("No example."))
    if prompt.left_out:
        told.append(tr("Too long for the budget: {demos}.").format(demos=", ".join(prompt.left_out)))
    return " ".join([*told, *prompt.notes])
