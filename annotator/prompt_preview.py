"""Prompt for one step from the library: which demos are shown, and what it would cost in tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from pydantic import Field

from annotator.words import tr
from demopack.codecs.recorded_demo import RecordedDemo
from demopack.domain.records import Record
from demopack.jobs import JobControl
from demopack.prompting.agent_state import agent_state_at
from demopack.prompting.caap_prompts import TABLE_6
from demopack.prompting.library_demos import LibraryDemos
from demopack.prompting.prompt import Prompt, PromptOptions
from demopack.prompting.prompt_builder import PROMPT_DIALECTS, build_prompt
from demopack.store import Library

Choice = Literal["elements", "words", "config"]
DIALECTS: Final[tuple[str, ...]] = PROMPT_DIALECTS
CAAP_CONFIGS: Final[tuple[str, ...]] = tuple(TABLE_6)
_CHOICES: Final[dict[str, frozenset[Choice]]] = {
    "llmresponse": frozenset({"elements"}),
    "lam": frozenset({"elements"}),
    "uipath": frozenset({"words"}),
    "caap": frozenset({"config"}),
}


class PromptOrder(Record):
    """What a person chose.

    Attributes:
        dialect: one of :data:`DIALECTS`.
        shots: at most so many demos are shown as examples.
        budget: tokens that the prompt may have.
        elements: whether the examples list their elements, too.
        words: whether what was done is told in words, not as a talk.
        config: of CAAP's parts: one of :data:`CAAP_CONFIGS`.
        others: whether demos of the very same task stay away, as for measuring.
    """

    dialect: str = "llmresponse"
    shots: int = Field(default=2, ge=0, le=50)
    budget: int = Field(default=8000, ge=1)
    elements: bool = False
    words: bool = False
    config: str = "full"
    others: bool = False

    def options(self, exclude: tuple[str, ...]) -> PromptOptions:
        """For the builder; what the dialect does not know stays at its default."""
        known = choices_of(self.dialect)
        return PromptOptions(
            shots=self.shots,
            budget=self.budget,
            exclude=exclude,
            instance="other" if self.others else "any",
            shot_elements=self.elements and "elements" in known,
            talk=not (self.words and "words" in known),
            config=self.config if "config" in known else "full",
        )


def choices_of(dialect: str) -> frozenset[Choice]:
    """Which further choices a dialect has."""
    return _CHOICES.get(dialect, frozenset())


class _Watched(LibraryDemos):
    """The library's demos, one after the other, until somebody cancels."""

    def __init__(self, library: Library, control: JobControl) -> None:
        super().__init__(library)
        self._control = control

    def demos(self) -> Iterator[RecordedDemo]:
        """Every demo.

        Raises:
            CancelledError: the user stopped it.
        """
        for done, demo in enumerate(super().demos()):
            self._control.step(done, self.total, tr("Looking for examples"))
            yield demo


def prompt_at(library: Library, demo_id: str, number: int, order: PromptOrder, control: JobControl) -> Prompt:
    """The prompt for the moment before a step; the demo itself is no example for it.

    Args:
        library: where the demos are.
        demo_id: the demo.
        number: of the step, from 1.
        order: what was chosen.
        control: progress and cancelling.

    Raises:
        BadInputError: the prompt does not fit the budget even without examples.
        CancelledError: the user stopped it.
        LibraryError: a demo cannot be read.
    """
    situation, own = agent_state_at(LibraryDemos(library, [demo_id]), f"{demo_id}:{number}")
    source = _Watched(library, control) if order.shots else None
    return build_prompt(source, situation, dialect=order.dialect, options=order.options(own))


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
