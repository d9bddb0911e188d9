"""What is counted piece by piece after each edit is what counting everything anew finds."""

from __future__ import annotations

import random

from annotator.document import changed_span
from annotator.suggestions.confidence_filter import ORIGINS, ConfidenceFilter, SuggestionTally
from demopack.domain.elements import Element
from tests.support.editing import element


def test_the_span_that_differs() -> None:
    a, b, c, d = (object() for _ in range(4))
    assert changed_span([a, b, c], [a, b, c]) == (3, 3, 3)
    assert changed_span([a, b, c], [a, d, c]) == (1, 2, 2)
    assert changed_span([a, b], [a, c, b]) == (1, 1, 2)
    assert changed_span([a, b, c], [b, c]) == (0, 1, 0)
    assert changed_span([], [a]) == (0, 0, 1)
    assert changed_span([a, a], [a, a, a]) == (2, 2, 3)


def any_element(chance: random.Random, number: int) -> Element:
    source = chance.choice(["ocr", "detector", "accessibility", "human"])
    return element(
        f"el_{number:03}",
        type=chance.choice(["button", "text", "icon", "tab"]),
        source=source,
        confidence=None if source == "human" else chance.choice([None, 0.2, 0.5, 0.9]),
        review=chance.choice(["unreviewed", "unreviewed", "approved", "rejected"]),
    )


def test_a_tally_that_follows_edits_counts_as_a_fresh_one() -> None:
    chance = random.Random(3)
    elements = [any_element(chance, number) for number in range(60)]
    tally = SuggestionTally(elements)
    for number in range(60, 200):
        place = chance.randrange(len(elements))
        what = chance.random()
        if what < 0.3:
            elements.insert(place, any_element(chance, number))
        elif what < 0.5:
            del elements[place]
        else:
            elements[place] = any_element(chance, number)
        tally.take(tuple(elements))
        limits = ConfidenceFilter(least=chance.choice([0.0, 0.4, 0.6]), hidden=frozenset(chance.sample(ORIGINS, 1)))
        assert tally.counts(limits) == SuggestionTally(elements).counts(limits)
