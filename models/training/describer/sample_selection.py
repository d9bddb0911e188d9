"""Selection of the elements that a describer learns from: rare kinds are preferred, so that none is forgotten.

Boxes are those that a describer will get: not quite where the element is, and sometimes where none is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect, Size, iou
from models.training.labelled_screens import GroundTruth, LabelledScreen
from models.training.options import DescriberTraining
from models.vision.description import NOTHING, Description, print_description

_MIN_SIDE_PX = 3
_MAX_EXACT_DRAW, _MAX_NEAR_DRAW = 0.2, 0.9
_MAX_SHARED_IOU = 0.3
"""A box that shares more than this with an element may still be called by its name."""
_SHAKE_TRIES = 20
_MIN_SHAKEN_PX = 4


@dataclass(frozen=True, slots=True)
class ScreenSamples:
    """The samples of one screen before they are cut out.

    Attributes:
        folder: of the set that the screen lies in.
        screen: with its truth.
        boxes: that are asked for.
        answers: to each of them.
    """

    folder: Path
    screen: LabelledScreen
    boxes: list[Rect] = field(default_factory=list[Rect])
    answers: list[str] = field(default_factory=list[str])


def answer_of(truth: GroundTruth) -> str:
    """What a describer should say about an element."""
    return print_description(
        Description(type=truth.type, subtype=truth.subtype, states=dict(truth.states), text=truth.text)
    )


def draw_samples(screens: Sequence[tuple[Path, LabelledScreen]], options: DescriberTraining) -> list[ScreenSamples]:
    """Samples of both sides; equal screens and options give equal samples."""
    drawn: list[ScreenSamples] = []
    for side, most in (("train", options.samples), ("val", options.validate_samples)):
        some = [ScreenSamples(folder, screen) for folder, screen in screens if screen.side == side]
        _draw(some, most, options)
        drawn += [one for one in some if one.answers]
    return drawn


def _draw(some: Sequence[ScreenSamples], most: int, options: DescriberTraining) -> None:
    """Draw the samples of one side, each element at most ``options.copies`` times; rare ones are likelier to be."""
    rng = np.random.default_rng((options.seed, len(some)))
    places = [
        (one, truth.box, answer_of(truth))
        for one in some
        for truth in one.screen.elements
        if min(truth.box.width, truth.box.height) >= _MIN_SIDE_PX
    ]
    empty = round(min(most, len(places) * options.copies) * options.nothing)
    weights = weights_of([answer for _, _, answer in places], [one.screen.source for one, _, _ in places])
    every = np.repeat(np.arange(len(places)), options.copies)
    # The smallest of exponential draws with these rates are a weighted sample without replacement.
    order = np.argsort(rng.exponential(size=len(every)) / weights[every], kind="stable")
    for number in np.sort(every[order[: most - empty]]):
        one, box, answer = places[int(number)]
        one.boxes.append(shaken(box, one.screen.size, rng))
        one.answers.append(answer)
    for number in rng.integers(0, len(some), empty) if some else ():
        one = some[int(number)]
        if (nothing := empty_box([truth.box for truth in one.screen.elements], one.screen.size, rng)) is not None:
            one.boxes.append(nothing)
            one.answers.append(NOTHING)


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
        weights[i] = share * totals[source] ** -0.25 * _rarity(head[0], head[2], states)
    shares: npt.NDArray[np.float64] = weights / weights.sum()
    return shares


def _head(answer: str) -> tuple[str, str, tuple[str, ...]]:
    """Type, subtype and states of an answer."""
    words = answer.partition(" text=")[0].split(" ")
    subtype = words[1] if len(words) > 1 and words[1].startswith("subtype=") else ""
    return words[0], subtype, tuple(word for word in words[1:] if not word.startswith("subtype="))


def _rarity(kind: str, words: Sequence[str], states: Mapping[tuple[str, str], int]) -> float:
    """1 for states as most elements of the type have them, up to 6 for a state that is hardly ever seen."""
    rarest = 1.0
    for word in words:
        name, value = word.split("=")
        other = states.get((kind, f"{name}={'no' if value == 'yes' else 'yes'}"), 0)
        rarest = max(rarest, (max(1, other) / states[kind, word]) ** 0.5)
    return min(rarest, 6.0)


def shaken(box: Rect, size: Size, rng: np.random.Generator) -> Rect:
    """The box with each edge up to 2 pixels off; sometimes exact, sometimes as far off as a detector's."""
    draw = rng.random()
    if draw < _MAX_EXACT_DRAW:
        return box
    far = (2, 2) if draw < _MAX_NEAR_DRAW else (max(3, box.width // 12), max(3, box.height // 12))
    moved = [int(rng.integers(-far[i % 2], far[i % 2] + 1)) for i in range(4)]
    edges = (box.x1 + moved[0], box.y1 + moved[1], box.x2 + moved[2], box.y2 + moved[3])
    if edges[2] - edges[0] < _MIN_SHAKEN_PX or edges[3] - edges[1] < _MIN_SHAKEN_PX:
        return box
    return Rect(*edges).clamped(size)


def empty_box(truths: Sequence[Rect], size: Size, rng: np.random.Generator) -> Rect | None:
    """A box that is no element: background, or half of two things; None when none was found on this screen.

    Args:
        truths: every element of the screen.
        size: of the screen.
        rng: draws it.
    """
    for _ in range(_SHAKE_TRIES):
        box = _straddling(truths, rng) if truths and rng.random() < 0.6 else _anywhere(truths, size, rng)
        box = box.clamped(size)
        if min(box.width, box.height) >= _MIN_SHAKEN_PX and all(iou(box, truth) < _MAX_SHARED_IOU for truth in truths):
            return box
    return None


def _straddling(truths: Sequence[Rect], rng: np.random.Generator) -> Rect:
    """An element's box, moved by half its size or more: half of it, and half of what stands beside it."""
    box = truths[int(rng.integers(len(truths)))]
    along = rng.random() < 0.5
    sign = 1 if rng.random() < 0.5 else -1
    shift = sign * (0.55 + 0.4 * rng.random())
    return box.moved(round(box.width * shift) if along else 0, 0 if along else round(box.height * shift))


def _anywhere(truths: Sequence[Rect], size: Size, rng: np.random.Generator) -> Rect:
    """A box of an element's size anywhere on the screen."""
    model = truths[int(rng.integers(len(truths)))] if truths else Rect(0, 0, 80, 20)
    width, height = min(model.width, size.width), min(model.height, size.height)
    x = int(rng.integers(0, size.width - width + 1))
    y = int(rng.integers(0, size.height - height + 1))
    return Rect(x, y, x + width, y + height)
