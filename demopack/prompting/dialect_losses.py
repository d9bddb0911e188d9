"""Losses of each dialect: what it cannot express, found by writing one action of each kind in it and reading that back.

Nothing in the table is written by hand: a cell is empty where the action that was read is the action that was written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.catalogue import ANSWER_DIALECTS, CODECS, decode_answer
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import PlacedAction
from demopack.codecs.specimens import SPECIMENS
from demopack.domain.actions import Action, ActionTarget, LLMResponse
from demopack.domain.words import shorten
from demopack.errors import ActionError

_EPS: Final = 0.002
"""Two places are the same within this fraction of the picture: a grid of 1000 rounds by half of that."""


_LOSS_WORDS: Final = {"scroll_steps": "no scroll_steps", "wait_seconds": "no wait_duration_s"}
_LISTED: Final = tuple(
    {one.uid: one for act in SPECIMENS.values() for one in (act.target, act.end) if one is not None}.values()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTrip:
    """What came back of one action.

    Attributes:
        kind: the same action; another one; no word for it; or an answer that the dialect's own parser refuses.
        differences: what is not the same, each in a few words.
    """

    kind: Literal["same", "changed", "silent", "refused"]
    differences: tuple[str, ...] = ()


def round_trip(dialect: str, act: PlacedAction) -> RoundTrip:
    """Write an action in a dialect, read it back, and compare."""
    wanted = act.action
    written = encode_answers(dialect, IdealAnswer(act=act, response=LLMResponse.of(wanted)))
    if not written:
        return RoundTrip(kind="silent")
    observation = Observation(size=act.size, elements=_LISTED)
    try:
        found = [decode_answer(answer, dialect=dialect, observation=observation).responses for answer in written]
    except ActionError as error:
        return RoundTrip(kind="refused", differences=(error.code,))
    differences = lost(wanted, [response.action for responses in found for response in responses])
    if not differences and dialect in CODECS:
        # What a parser must assume may be what was meant, by chance.
        differences = [word for code, word in _LOSS_WORDS.items() if code in CODECS[dialect].encode(act).losses]
    return RoundTrip(kind="changed" if differences else "same", differences=tuple(differences))


def lost(wanted: Action, found: Sequence[Action]) -> list[str]:
    """What of an action is not in the actions that were read, each in a few words."""
    if not found:
        return ["nothing was read"]
    first = found[0]
    if first.action_type != wanted.action_type:
        return [f"the action reads as {first.action_type}"]
    differences = [f"{len(found)} actions"] if len(found) > 1 else []
    if wanted.target is not None and not _same_place(wanted.target, first.target):
        differences.append("no target" if first.target is None else "another target")
    for name in sorted(set(wanted.parameters) | set(first.parameters)):
        ours, theirs = wanted.parameters.get(name), first.parameters.get(name)
        if not _equal(name, ours, theirs):
            read = shorten(f"{theirs:g}" if isinstance(theirs, float) else str(theirs), 24)
            other = f"another {name}" if name == "end_target" else f"{name} reads as {read}"
            differences.append(f"no {name}" if theirs is None else other)
    return differences


def _equal(name: str, ours: Any, theirs: Any) -> bool:  # noqa: ANN401 - parameters of any action
    if name == "end_target" and ours is not None and theirs is not None:
        return _same_place(ActionTarget.model_validate(ours), ActionTarget.model_validate(theirs))
    if name == "path" and ours is not None and theirs is not None:
        return len(ours) == len(theirs) and all(math.dist(a, b) <= _EPS for a, b in zip(ours, theirs, strict=True))
    return bool(ours == theirs)


def _same_place(ours: ActionTarget, theirs: ActionTarget | None) -> bool:
    """The same element, or a place on it."""
    if theirs is None:
        return False
    if ours.element_id is not None and ours.element_id == theirs.element_id:
        return True
    if ours.text and theirs.text and ours.text == theirs.text:
        return True
    if ours.bbox is None or theirs.bbox is None:
        return False
    x, y = theirs.bbox[0] + theirs.bbox[2] / 2, theirs.bbox[1] + theirs.bbox[3] / 2
    left, top, width, height = ours.bbox
    return left - _EPS <= x <= left + width + _EPS and top - _EPS <= y <= top + height + _EPS


def loss_table() -> dict[str, dict[str, RoundTrip]]:
    """Specimen -> dialect -> what came back."""
    return {name: {dialect: round_trip(dialect, act) for dialect in ANSWER_DIALECTS} for name, act in SPECIMENS.items()}
