"""Which elements of many screens a describer learns from: rare kinds are preferred, so that none is forgotten."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect, Size
from models.registry import Lineage
from models.training.describer.boxes import empty_box, shaken
from models.training.describer.options import DescriberTraining
from models.training.screens.screen import Screen, ScreenSet, Truth
from models.vision.description import Description
from models.vision.grammar import NOTHING, print_description

__all__ = ["Draw", "Drawn", "draw_samples", "lineage_of", "read_screens", "weights_of"]

_LEAST_SIDE = 3


@dataclass(frozen=True, slots=True)
class Draw:
    """One sample before it is cut out: an answer and the box that it is asked for."""

    box: Rect
    answer: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The samples of one screen."""

    folder: Path
    screen: Screen
    draws: tuple[Draw, ...]


def read_screens(sets: Iterable[Path]) -> list[tuple[Path, Screen]]:
    """The screens of several folders that are for training or validation, in a fixed order.

    Raises:
        BadInputError: a screen's JSON is damaged.
    """
    return [(folder, screen) for folder in sorted(sets) for screen in ScreenSet(folder).screens(sides=("train", "val"))]


def lineage_of(screens: Sequence[tuple[Path, Screen]]) -> tuple[Lineage, ...]:
    """What a model that saw these screens has seen, by source and side."""
    found: list[Lineage] = []
    for source, side in sorted({(screen.source, screen.side) for _, screen in screens}):
        some = [screen for _, screen in screens if screen.source == source and screen.side == side]
        names = "\n".join(sorted(f"{screen.group}/{screen.name}" for screen in some))
        found.append(
            Lineage(
                source=source,
                side=side,
                groups=len({screen.group for screen in some}),
                screens=len(some),
                elements=sum(len(screen.elements) for screen in some),
                digest=hashlib.sha256(names.encode()).hexdigest(),
            )
        )
    return tuple(found)


def answer_of(truth: Truth) -> str:
    """What a describer should say about an element."""
    return print_description(
        Description(type=truth.type, subtype=truth.subtype, states=dict(truth.states), text=truth.text)
    )


def draw_samples(screens: Sequence[tuple[Path, Screen]], options: DescriberTraining) -> list[Drawn]:
    """Samples of both sides; equal screens and options give equal samples."""
    drawn: list[Drawn] = []
    for side, most in (("train", options.samples), ("val", options.validate_samples)):
        some = [(folder, screen) for folder, screen in screens if screen.side == side]
        drawn += _draw_side(some, most, options)
    return drawn


def _draw_side(some: Sequence[tuple[Path, Screen]], most: int, options: DescriberTraining) -> list[Drawn]:
    rng = np.random.default_rng((options.seed, len(some)))
    places = [
        (i, truth)
        for i, (_, screen) in enumerate(some)
        for truth in screen.elements
        if min(truth.box.width, truth.box.height) >= _LEAST_SIDE
    ]
    empty = round(min(most, len(places) * options.copies) * options.nothing)
    chosen = _prefer([(some[i][1].source, answer_of(truth)) for i, truth in places], most - empty, options.copies, rng)
    draws: dict[int, list[Draw]] = {}
    for number in chosen:
        i, truth = places[number]
        size = Size(some[i][1].width, some[i][1].height)
        draws.setdefault(i, []).append(Draw(shaken(truth.box, size, rng), answer_of(truth)))
    for i in rng.integers(0, len(some), empty) if some else ():
        screen = some[int(i)][1]
        box = empty_box([truth.box for truth in screen.elements], Size(screen.width, screen.height), rng)
        if box is not None:
            draws.setdefault(int(i), []).append(Draw(box, NOTHING))
    return [Drawn(*some[i], tuple(draws[i])) for i in sorted(draws)]


def _prefer(kinds: Sequence[tuple[str, str]], most: int, copies: int, rng: np.random.Generator) -> list[int]:
    """Which of the elements are taken, each at most ``copies`` times; rare ones are likelier to be."""
    if not kinds:
        return []
    weights = weights_of([answer for _, answer in kinds], [source for source, _ in kinds])
    every = np.repeat(np.arange(len(kinds)), copies)
    # The smallest of exponential draws with these rates are a weighted sample without replacement.
    order = np.argsort(rng.exponential(size=len(every)) / weights[every], kind="stable")
    return sorted(int(every[i]) for i in order[:most])


def weights_of(answers: Sequence[str], sources: Sequence[str]) -> npt.NDArray[np.float64]:
    """How much each sample should count so that types, states and sources come nearer to each other; the sum is 1.

    A type that is a hundred times rarer than another is drawn ten times as often for its number.
    """
    heads = [_head(answer) for answer in answers]
    types = Counter((source, head[0]) for source, head in zip(sources, heads, strict=True))
    kinds = Counter((source, head[0], head[1]) for source, head in zip(sources, heads, strict=True))
    roots: defaultdict[tuple[str, str], float] = defaultdict(float)
    for (source, name, _), count in kinds.items():
        roots[source, name] += count**0.5
    variety = Counter((source, name) for source, name, _ in kinds)
    totals = Counter(sources)
    states = Counter((head[0], word) for head in heads for word in head[2])
    weights = np.empty(len(heads), dtype=np.float64)
    for i, (source, head) in enumerate(zip(sources, heads, strict=True)):
        # Types share by the root of their number, and so do the subtypes of one: a hundred icons are still one type,
        # if one with more to learn.
        kind = source, head[0]
        share = types[kind] ** 0.5 * variety[kind] ** 0.2 / roots[kind] * kinds[*kind, head[1]] ** -0.5
        weights[i] = share * totals[source] ** -0.25 * _rarity(head, states)
    shares: npt.NDArray[np.float64] = weights / weights.sum()
    return shares


Head = tuple[str, str, tuple[str, ...]]


def _head(answer: str) -> Head:
    """Type, subtype and states of an answer."""
    words = answer.partition(" text=")[0].split(" ")
    subtype = words[1] if len(words) > 1 and words[1].startswith("subtype=") else ""
    return words[0], subtype, tuple(word for word in words[1:] if not word.startswith("subtype="))


def _rarity(head: Head, states: Mapping[tuple[str, str], int]) -> float:
    """1 for states as most elements of the type have them, up to 6 for a state that is hardly ever seen."""
    rarest = 1.0
    for word in head[2]:
        name, value = word.split("=")
        same = states[head[0], word]
        other = states.get((head[0], f"{name}={'no' if value == 'yes' else 'yes'}"), 0)
        rarest = max(rarest, (max(1, other) / same) ** 0.5)
    return min(rarest, 6.0)
