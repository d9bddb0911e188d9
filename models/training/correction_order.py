"""Order in which a person should correct screens: those first whose correction teaches most."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from demopack.domain.demos import Demo
from demopack.store import Library
from models.vision.doubt import Reason, element_doubt

_REPEATED_DOUBT_FACTOR = 0.2
"""What the doubt about an element is still worth when another screen with it is corrected before."""
_WORDS: Mapping[Reason, str] = {
    "unsure": "unsure", "type": "of disputed type", "text": "with disputed text", "box": "with disputed box",
    "unknown": "of no known type",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainScreen:
    """A screen that is worth correcting.

    Attributes:
        demo: id.
        frame: id.
        shown: which moments it shows, in words.
        score: elements that are expected to be wrong and are not on a screen that stands before it in the list.
        elements: on it, not yet reviewed.
        reasons: for how many elements there is which reason to doubt.
    """

    demo: str
    frame: str
    shown: str
    score: float
    elements: int
    reasons: dict[Reason, int]


def correct_first(
    library: Library, demos: Sequence[str] | None = None, *, limit: int | None = None
) -> list[UncertainScreen]:
    """The screens of a library, those first whose correction teaches most.

    A screen counts with the doubt about all its unreviewed elements. The same element on another screen (the same
    track) counts a fifth once a screen with it is in the list, so that the list does not repeat itself.

    Args:
        library: where the demos are; screens that were not parsed are left out.
        demos: their ids; all demos when None.
        limit: most screens to name.
    """
    ids = [summary.head.id for summary in library.demos()] if demos is None else list(demos)
    waiting = [one for demo_id in ids for one in _screens(library.demo(demo_id))]
    queue = [(-_worth(doubts, set()), number) for number, (_, doubts) in enumerate(waiting)]
    heapq.heapify(queue)
    taken: set[str] = set()
    found: list[UncertainScreen] = []
    while queue and (limit is None or len(found) < limit):
        _, number = heapq.heappop(queue)
        screen, doubts = waiting[number]
        worth = _worth(doubts, taken)
        # Worth only falls while the list grows, so a screen that is still ahead of the next one is the best.
        if queue and (-worth, number) > queue[0]:
            heapq.heappush(queue, (-worth, number))
        elif worth > 0:
            found.append(replace(screen, score=round(worth, 3)))
            taken |= set(doubts)
    return found


def _worth(doubts: Mapping[str, float], taken: set[str]) -> float:
    return sum(doubt * (_REPEATED_DOUBT_FACTOR if key in taken else 1.0) for key, doubt in doubts.items())


def _screens(demo: Demo) -> Iterator[tuple[UncertainScreen, dict[str, float]]]:
    """Screens with their doubts by element; their scores are not known yet."""
    for frame in demo.frames():
        if frame.id not in demo.parsed:
            continue
        doubts: dict[str, float] = {}
        reasons: Counter[Reason] = Counter()
        for element in demo.elements.get(frame.id, ()):
            if element.review == "unreviewed":
                doubt = element_doubt(element)
                doubts[f"{demo.head.id} {element.track_id or element.uid}"] = doubt.score
                reasons.update(doubt.reasons)
        if doubts:
            screen = UncertainScreen(
                demo=demo.head.id,
                frame=frame.id,
                shown=demo.shown_by(frame.id) or "the end",
                score=0.0,
                elements=len(doubts),
                reasons=dict(reasons.most_common()),
            )
            yield screen, doubts


def suspect_lines(suspects: Sequence[UncertainScreen]) -> list[str]:
    """The list for a terminal, one line each, with a head."""
    lines = [f"{'':>3} {'doubt':>6}  {'elements':>8}  screen"]
    for number, one in enumerate(suspects, start=1):
        why = ", ".join(f"{count} {_WORDS[reason]}" for reason, count in one.reasons.items())
        lines.append(f"{number:>3} {one.score:>6.1f}  {one.elements:>8}  {one.demo} {one.shown}: {why}".rstrip(": "))
    return lines
