"""Claims and findings of the truth check."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from demopack.domain.ports import StepContext
from demopack.domain.rationale import Rationale
from models.language.check.references import Reference, references
from models.language.check.screen_index import ScreenIndex
from models.language.check.text_spans import TextSpan, sentences
from models.language.phrases import OF_A_MISTAKE

RationalePart = Literal["observation", "thought", "expected_effect", "actual_effect", "plan", "hindsight", "text"]
Severity = Literal["error", "warning"]

AHEAD: frozenset[RationalePart] = frozenset({"observation", "thought", "expected_effect", "plan", "text"})
"""Parts that are told from before the action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RationaleFinding:
    """One thing that is wrong with a rationale.

    Attributes:
        rule: the stable id, for instance ``T03``.
        severity: an error is not so; a warning should be looked at.
        part: the field that says it.
        start: where the words begin in that field, in characters from 0; lines of ``plan`` are joined by a line feed.
        end: where they end, exclusive; equal to ``start`` where something is missing.
        message: what is wrong, for a person and for a model that tries again.
    """

    rule: str
    severity: Severity
    part: RationalePart
    start: int
    end: int
    message: str


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One part of a rationale that says something.

    Attributes:
        part: which.
        text: the words, as far as they are looked at.
        length: characters of all of them.
        screens: the screens that it may speak of.
    """

    part: RationalePart
    text: str
    length: int
    screens: tuple[ScreenIndex, ...]

    @cached_property
    def sentences(self) -> list[TextSpan]:
        """Its sentences, quotes kept whole."""
        return sentences(self.text)

    @cached_property
    def references(self) -> list[Reference]:
        """Every name in it, in order."""
        return references(self.text, self.screens)

    def find(self, *patterns: re.Pattern[str]) -> Iterator[TextSpan]:
        """Where patterns occur outside quoted names, one pattern after the other."""
        quoted = [one.span for one in self.references if one.quoted]
        for pattern in patterns:
            for match in pattern.finditer(self.text):
                span = TextSpan.of(match)
                if not span.overlaps(quoted):
                    yield span

    def sentence(self, span: TextSpan) -> TextSpan:
        """The sentence in which a piece begins."""
        return next((one for one in self.sentences if one.start <= span.start < one.end), span)

    def named_in(self, sentence: TextSpan) -> list[Reference]:
        """The names in a sentence, in order."""
        return [one for one in self.references if sentence.start <= one.span.start < sentence.end]

    def wrong(self, rule: str, span: TextSpan, message: str, severity: Severity = "error") -> RationaleFinding:
        """A rule's finding about these words."""
        return RationaleFinding(
            rule=rule, severity=severity, part=self.part, start=span.start, end=span.end, message=message
        )

    def of(self, span: TextSpan) -> str:
        """The words of a span."""
        return self.text[span.start : span.end]


@dataclass(frozen=True, kw_only=True)
class CheckedRationale:
    """A rationale with everything that it can be held against.

    Attributes:
        rationale: what is said.
        context: what is known about the step.
        parts: the parts that are not empty.
        before: the screen before.
        after: the screen after; None when nobody looked for elements on it.
        spoken: texts that may be quoted whatever the screen shows, as they would stand between quotes: task, typed
            text, titles, earlier steps.
        after_visible: whether what is told from before the action may know what came after it.
    """

    rationale: Rationale
    context: StepContext
    parts: tuple[Claim, ...]
    before: ScreenIndex
    after: ScreenIndex | None
    spoken: tuple[str, ...]
    after_visible: bool

    def tells_of_mistake(self, text: str) -> bool:
        """Whether a sentence speaks of the step before, where that was wrong."""
        return self.context.mistake is not None and OF_A_MISTAKE.search(text) is not None

    def among(self, parts: Iterable[RationalePart]) -> list[Claim]:
        """The parts with these names that say something."""
        wanted = frozenset(parts)
        return [said for said in self.parts if said.part in wanted]
