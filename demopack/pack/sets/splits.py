"""Divides demos for training and testing: whole tasks or applications, never steps that look alike, by a seed."""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.domain.geometry import iou
from demopack.domain.words import counted
from demopack.errors import BadInputError, CorruptFrameError
from demopack.jobs import JobControl

By = Literal["task", "app"]
_SAME_PLACE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """Two steps on different sides that show the same screen and do the same thing there.

    Attributes:
        one: step id.
        other: step id on the other side.
    """

    one: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Who goes where.

    Attributes:
        seed: as given.
        by: what was kept together.
        sides: name -> demo ids, in the order of the pack.
        steps: name -> how many steps.
        joined: groups that were kept together because they share steps.
        leaks: steps that are on two sides all the same; empty unless leaks were allowed.
        shared_screens: pairs of demos on different sides that show a screen in common, as a start page.
    """

    seed: int
    by: By
    sides: Mapping[str, Sequence[str]]
    steps: Mapping[str, int]
    joined: int
    leaks: Sequence[Leak]
    shared_screens: int

    def to_json(self) -> dict[str, Any]:
        """All fields as plain JSON."""
        return asdict(self)


def parse_shares(text: str) -> dict[str, float]:
    """Sides and their shares, for instance ``train=0.8,test=0.2``; they are scaled to a sum of one.

    Raises:
        BadInputError: it cannot be read, or there are fewer than two sides.
    """
    shares: dict[str, float] = {}
    pairs = [part.split("=") for part in text.split(",")]
    with contextlib.suppress(ValueError):
        shares = {name.strip(): float(share) for name, share in pairs}
    total = sum(shares.values())
    good = len(shares) >= 2 and len(shares) == len(pairs) and min(shares.values()) > 0 and total < 1e6
    if not good or not all(name.isidentifier() for name in shares):
        raise BadInputError(
            f"“{text}” does not say who gets how much.", hint="Write for instance train=0.8,val=0.1,test=0.1."
        )
    return {name: share / total for name, share in shares.items()}


def split_demos(
    demos: Sequence[RecordedDemo],
    shares: Mapping[str, float],
    *,
    by: By = "task",
    seed: int = 0,
    allow_leaks: bool = False,
    control: JobControl | None = None,
) -> Split:
    """Divide demos so that nobody is tested on what was trained.

    Demos of one task (or application) stay together. So do tasks that share a step: the same screen, or one that looks
    the same, and the same action there.

    Args:
        demos: of a pack; elements are not needed.
        shares: side -> its share of the steps; see :func:`parse_shares`.
        by: what is kept together.
        seed: another seed, another division; the same seed, the same.
        allow_leaks: do not keep tasks together that share a step; the leaks are only told.
        control: progress and cancel.

    Raises:
        BadInputError: there are fewer groups than sides.
        PackError: a picture is missing.
    """
    twins = _twins(_acting_steps(demos, control or JobControl()))
    groups = [_key(demo, by) for demo in demos]
    before = len(set(groups))
    if not allow_leaks:
        for i, j, leak in twins:
            if leak is not None and groups[i] != groups[j]:
                # The first of their names, so that it does not depend on the order of the pack.
                kept, gone = sorted((groups[i], groups[j]))
                groups = [kept if group == gone else group for group in groups]
    if len(set(groups)) < len(shares):
        raise _too_few(len(set(groups)), len(shares), before, by, [leak for _, _, leak in twins if leak is not None])
    side_of = _assign(demos, groups, shares, seed)
    crossing = [(leak, i, j) for i, j, leak in twins if side_of[i] != side_of[j]]
    return Split(
        seed=seed,
        by=by,
        sides={side: [d.head.id for n, d in enumerate(demos) if side_of[n] == side] for side in shares},
        steps={side: sum(len(d.steps) for n, d in enumerate(demos) if side_of[n] == side) for side in shares},
        joined=before - len(set(groups)),
        leaks=[leak for leak, _, _ in crossing if leak is not None],
        shared_screens=len({(i, j) for _, i, j in crossing}),
    )


def _key(demo: RecordedDemo, by: By) -> str:
    text = demo.head.task if by == "task" else demo.head.app
    words = " ".join(text.casefold().split())
    # Demos without a name are kept apart from each other: nobody said that they belong together.
    return f"{by}:{words}" if words else f"demo:{demo.head.id}"


def _too_few(groups: int, sides: int, before: int, by: By, leaks: Sequence[Leak]) -> BadInputError:
    """The error for fewer groups than sides: what was there, what joined it, and what would divide it all the same."""
    there = counted(before, "task" if by == "task" else "application")
    if before == groups:
        return BadInputError(
            f"{there} cannot be divided into {sides} sides.",
            hint=f"Demos of one {by if by == 'task' else 'application'} stay together. Ask for fewer sides, or take a "
            "pack with more of them.",
        )
    ways = ["Ask for fewer sides", "take a pack whose tasks differ more"]
    if before >= sides:
        ways.append("divide them all the same with --allow-leaks, which tells the steps that are then on two sides")
    return BadInputError(
        f"{there} cannot be divided into {sides} sides: they make {counted(groups, 'group')}, because some do the same "
        f"on screens that look alike, for instance the steps {leaks[0].one} and {leaks[0].other}.",
        hint=f"{', '.join(ways[:-1])}, or {ways[-1]}.",
    )


def _assign(demos: Sequence[RecordedDemo], groups: Sequence[str], shares: Mapping[str, float], seed: int) -> list[str]:
    """The side of every demo: its groups in an order thrown by the seed, each to the side that lacks most."""
    members: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        members.setdefault(group, []).append(number)
    order = sorted(members, key=lambda name: hashlib.sha256(f"{seed}\0{name}".encode()).digest())
    total = sum(len(demo.steps) for demo in demos)
    given = dict.fromkeys(shares, 0)
    taken = dict.fromkeys(shares, 0)
    side_of = [""] * len(demos)
    for place, name in enumerate(order):
        empty = [side for side in shares if not taken[side]]
        # The last groups go to sides that have none: a side without demos is of no use.
        open_to = empty if len(empty) >= len(order) - place else list(shares)
        side = max(open_to, key=lambda side: shares[side] * total - given[side])
        taken[side] += 1
        given[side] += sum(len(demos[number].steps) for number in members[name])
        for number in members[name]:
            side_of[number] = side
    return side_of


def _acting_steps(demos: Sequence[RecordedDemo], control: JobControl) -> list[tuple[int, RecordedStep, Print]]:
    """The steps that act on a picture: the position of their demo, the step, and the picture's print."""
    found: list[tuple[int, RecordedStep, Print]] = []
    known: dict[str, Print] = {}
    for number, demo in enumerate(demos):
        control.step(number, len(demos), f"Looking at {demo.head.id}")
        for step in demo.steps:
            frame = step.recorded.before
            if frame is not None:
                if frame.id not in known:
                    known[frame.id] = print_of(demo.pictures.read(demo.files[frame.id]))
                found.append((number, step, known[frame.id]))
    return found


def _twins(steps: Sequence[tuple[int, RecordedStep, Print]]) -> list[tuple[int, int, Leak | None]]:
    """Every two demos that show a screen in common, and the first step that they share on it."""
    marks = [mark for _, _, mark in steps]
    found: dict[tuple[int, int], Leak | None] = {}
    for a, b in alike(marks, marks):
        (i, one, _), (j, other, _) = steps[a], steps[b]
        if i >= j or found.get((i, j)) is not None or one.image_size != other.image_size:
            continue
        same = _does_the_same(one, other)
        found[i, j] = Leak(one=one.recorded.id, other=other.recorded.id) if same else found.get((i, j))
    return [(i, j, leak) for (i, j), leak in sorted(found.items())]


def _does_the_same(one: RecordedStep, other: RecordedStep) -> bool:
    actions = [step.response.action for step in (one, other)]
    kinds = {action.action_type for action in actions}
    if len(kinds) > 1 or kinds <= {"finish_goal", "wait"}:
        return False
    if one.target_box is None or other.target_box is None:
        return one.target_box == other.target_box and actions[0].parameters == actions[1].parameters
    return one.target_box == other.target_box or iou(one.target_box, other.target_box) >= _SAME_PLACE


MAX_DIFFERING_BITS = 6
"""Bits of 256 that may differ; a moved pointer or a blinking cursor changes fewer, another dialog more."""

Print = npt.NDArray[np.uint64]
"""Four words of 64 bits."""


def print_of(data: bytes) -> Print:
    """The print of a picture file.

    Raises:
        CorruptFrameError: it cannot be decoded.
    """
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            small = picture.convert("L").resize((17, 16), Image.Resampling.BOX)
    except (OSError, SyntaxError, ValueError) as error:
        raise CorruptFrameError("A picture of the pack cannot be decoded.", details=str(error)) from error
    grey = np.asarray(small, dtype=np.int16)
    # A difference of one is noise of scaling, not something to see.
    bits = (grey[:, 1:] - grey[:, :-1]) > 1
    return np.packbits(bits).view(np.uint64)


def alike(one: Sequence[Print], other: Sequence[Print]) -> list[tuple[int, int]]:
    """Every pair of positions, one from each list, whose pictures look alike."""
    if not one or not other:
        return []
    right = np.stack(other)
    pairs: list[tuple[int, int]] = []
    for i, left in enumerate(one):
        differing = np.bitwise_count(right ^ left).sum(axis=1)
        pairs += [(i, int(j)) for j in np.flatnonzero(differing <= MAX_DIFFERING_BITS)]
    return pairs
