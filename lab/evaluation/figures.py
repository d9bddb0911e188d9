"""The figures of a report, as they are written to JSON."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from demopack.domain.records import Record


class Share(Record):
    """So many of so many.

    Attributes:
        right: how many.
        of: of how many.
        share: their quotient, four digits; None of nothing.
    """

    right: int = 0
    of: int = 0
    share: float | None = None

    @classmethod
    def count(cls, right: int, of: int) -> Share:
        """With its quotient."""
        return cls(right=right, of=of, share=_ratio(right, of))


class BoxFigures(Record):
    """How well boxes were found.

    Attributes:
        hits: found elements that are true ones.
        truth: true elements.
        found: found elements.
        precision: hits of found.
        recall: hits of truth.
        f1: harmonic mean of both; None when there is nothing and nothing was found.
    """

    hits: int = 0
    truth: int = 0
    found: int = 0
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None

    @classmethod
    def count(cls, hits: int, *, truth: int, found: int) -> BoxFigures:
        """With precision, recall and F1."""
        return cls(
            hits=hits,
            truth=truth,
            found=found,
            precision=_ratio(hits, found),
            recall=_ratio(hits, truth),
            f1=_ratio(2 * hits, truth + found),
        )


class AverageFigures(Record):
    """Mean average precision as COCO counts it, up to 1,000 boxes a screen.

    Attributes:
        ap: mean over overlaps 0.5 to 0.95; None where there is no truth.
        ap50: at 0.5.
        ap75: at 0.75.
    """

    ap: float | None = None
    ap50: float | None = None
    ap75: float | None = None


class TextFigures(Record):
    """How well texts were read, over hits whose truth has a text.

    Attributes:
        exact: equal after NFC and with every run of white space as one space.
        edits: characters to insert, drop or replace.
        characters: of the true texts.
        error_rate: edits of characters.
        invented: of hits whose truth has no text, those that were given one.
    """

    exact: Share = Share()
    edits: int = 0
    characters: int = 0
    error_rate: float | None = None
    invented: Share = Share()

    @classmethod
    def count(cls, *, exact: Share, edits: int, characters: int, invented: Share) -> TextFigures:
        """With the error rate."""
        rate = _ratio(edits, characters)
        return cls(exact=exact, edits=edits, characters=characters, error_rate=rate, invented=invented)


class Times(Record):
    """Times in seconds; None where nothing was measured."""

    median: float | None = None
    p95: float | None = None


class TypeFigures(Record):
    """One element type.

    Attributes:
        truth: true elements of this type.
        found: found elements of this type.
        hit: of the true ones, those that were found, with whatever type.
        right: of those, found with this type.
        centre: of the true ones, those at whose centre an element was found.
        recall: hit of truth.
        precision: right of found.
        ap50: average precision of this type at 0.5, where it was computed.
    """

    truth: int = 0
    found: int = 0
    hit: int = 0
    right: int = 0
    centre: int = 0
    recall: float | None = None
    precision: float | None = None
    ap50: float | None = None

    @classmethod
    def count(cls, *, truth: int, found: int, hit: int, right: int, centre: int) -> TypeFigures:
        """With the quotients."""
        recall, precision = _ratio(hit, truth), _ratio(right, found)
        return cls(truth=truth, found=found, hit=hit, right=right, centre=centre, recall=recall, precision=precision)


class UseFigures(Record):
    """How well what a person could use was found.

    Attributes:
        recall: found, with whatever type.
        centre: at whose centre an element was found.
        type: of those found, with their type.
        precision: of what was found and said to be such, what is interactive.
    """

    recall: Share = Share()
    centre: Share = Share()
    type: Share = Share()
    precision: Share = Share()


class Alone(Record):
    """What one source said, before it was joined with the others.

    Attributes:
        boxes: of the boxes that it gave, on their own; empty for a source that only describes.
        type: over the hits on which it named a type.
        text: over the hits on which it gave a text and the truth has one: read exactly.
        edits: of these texts.
        characters: of their truths.
    """

    boxes: BoxFigures = BoxFigures()
    type: Share = Share()
    text: Share = Share()
    edits: int = 0
    characters: int = 0


class Figures(Record):
    """Everything that is counted over some screens.

    Attributes:
        screens: how many.
        at50: boxes at an overlap of 0.5, whatever their type.
        at75: at 0.75.
        leaves: as ``at50``, over elements that hold no other; for applications.
        agnostic: mean average precision, whatever the type.
        typed: the same by type, mean over the types that occur.
        type: over hits.
        states: over the states that the truth of a hit gives; a missing answer is wrong.
        by_state: the same for each state.
        when_true: the same for each state, only where it is true: answering "no" everywhere gives nothing here.
        text: see there.
        icon: subtypes of icons, over hits whose truth has one.
        shape: subtypes of shapes, as ``icon``.
        seconds_screen: time for a screen.
        seconds_element: time for a screen over the elements found on it.
        interactive: all but words, pictures and what holds others.
        links: of these, the links.
        controls: of these, all but the links.
        types: by type; only for large groups of screens.
        confusion: true type -> found type -> hits; as ``types``.
        alone: by source; as ``types``.
    """

    screens: int = 0
    at50: BoxFigures = BoxFigures()
    at75: BoxFigures = BoxFigures()
    leaves: BoxFigures = BoxFigures()
    agnostic: AverageFigures | None = None
    typed: AverageFigures | None = None
    type: Share = Share()
    states: Share = Share()
    by_state: dict[str, Share] = Field(default_factory=dict[str, Share])
    when_true: dict[str, Share] = Field(default_factory=dict[str, Share])
    text: TextFigures = TextFigures()
    icon: Share = Share()
    shape: Share = Share()
    seconds_screen: Times = Times()
    seconds_element: Times = Times()
    interactive: UseFigures = UseFigures()
    links: UseFigures = UseFigures()
    controls: UseFigures = UseFigures()
    types: dict[str, TypeFigures] = Field(default_factory=dict[str, TypeFigures])
    confusion: dict[str, dict[str, int]] = Field(default_factory=dict[str, dict[str, int]])
    alone: dict[str, Alone] = Field(default_factory=dict[str, Alone])


def times(seconds: Sequence[float]) -> Times:
    """Median and 95th percentile (nearest rank)."""
    if not seconds:
        return Times()
    ranked = sorted(seconds)
    middle = (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2
    return Times(median=round(middle, 4), p95=round(ranked[-(-95 * len(ranked) // 100) - 1], 4))


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
