"""What each dialect cannot express, found by writing one action of each kind in it and reading that back.

Nothing in the table is written by hand: a cell is empty where the action that was read is the action that was written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from demopack.domain.actions import ActionTarget, AgentAction
from demopack.domain.geometry import Point, Rect, to_norm_xywh
from demopack.errors import ActionError
from demopack.pack.formats.acts import Act
from demopack.pack.formats.specimens import SPECIMENS
from demopack.pack.formats.vocabularies import DIALECTS
from demopack.pack.rows import ElementRow
from demopack.prompting.answers.parsed import answer_of
from demopack.prompting.answers.read import ANSWER_DIALECTS, parse_answer
from demopack.prompting.answers.write import Ideal, answers_for
from demopack.prompting.scene import Scene, listed_rows

__all__ = ["Outcome", "action_of", "loss_table", "lost", "round_trip"]

_NEAR: Final = 0.002
"""Two places are the same within this fraction of the picture: a grid of 1000 rounds by half of that."""


_UNSAID: Final = {"scroll_steps": "no scroll_steps", "wait_seconds": "no wait_duration_s"}
_LISTED: Final = listed_rows(
    {row.uid: row for act in SPECIMENS.values() for row in (act.target, act.end) if row is not None}.values()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came back of one action.

    Attributes:
        kind: the same action; another one; no word for it; or an answer that the dialect's own parser refuses.
        differences: what is not the same, each in a few words.
    """

    kind: Literal["same", "changed", "silent", "refused"]
    differences: tuple[str, ...] = ()


def action_of(act: Act) -> AgentAction:
    """The action in the contract's form."""
    parameters = dict(act.parameters)
    if act.to is not None and act.kind == "drag":
        parameters["end_target"] = _place(act, act.to, act.end).to_wire()
        if len(act.way) > 2 and act.size is not None:
            parameters["path"] = [[p.x / act.size.width, p.y / act.size.height] for p in act.way[1:-1]]
    target = None
    if act.kind in {"click", "hover", "drag", "scroll", "type", "press_key", "extract_data"}:
        known = act.at is not None or act.target is not None
        target = _place(act, act.at, act.target) if known else None
    return AgentAction(action_type=act.kind, target=target, parameters=parameters)


def _place(act: Act, at: Point | None, element: ElementRow | None) -> ActionTarget:
    if act.size is None:
        return ActionTarget(element_id=None if element is None else element.element_id)
    box = Rect(*element.box) if element is not None else Rect.at_point(at or Point(0, 0))
    return ActionTarget(
        element_id=None if element is None else element.element_id,
        text=None if element is None else element.text,
        bbox=to_norm_xywh(box, act.size),
    )


def round_trip(dialect: str, act: Act) -> Outcome:
    """Write an action in a dialect, read it back, and compare."""
    wanted = action_of(act)
    written = answers_for(dialect, Ideal(act=act, response=answer_of(wanted)))
    if not written:
        return Outcome(kind="silent")
    scene = Scene(size=act.size, elements=_LISTED)
    try:
        found = [parse_answer(answer, dialect=dialect, scene=scene).responses for answer in written]
    except ActionError as error:
        return Outcome(kind="refused", differences=(error.code,))
    differences = lost(wanted, [response.action for responses in found for response in responses])
    if not differences and dialect != "llmresponse":
        # What a parser must assume may be what was meant, by chance.
        differences = [word for code, word in _UNSAID.items() if code in DIALECTS[dialect].say(act).losses]
    return Outcome(kind="changed" if differences else "same", differences=tuple(differences))


def lost(wanted: AgentAction, found: Sequence[AgentAction]) -> list[str]:
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
            differences.append(f"no {name}" if theirs is None else f"{name} reads as {_short(theirs)}")
    return differences


def _equal(name: str, ours: Any, theirs: Any) -> bool:  # noqa: ANN401 - parameters of any action
    if name == "end_target" and ours is not None and theirs is not None:
        return _same_place(ActionTarget.model_validate(ours), ActionTarget.model_validate(theirs))
    if name == "path" and ours is not None and theirs is not None:
        return len(ours) == len(theirs) and all(math.dist(a, b) <= _NEAR for a, b in zip(ours, theirs, strict=True))
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
    return left - _NEAR <= x <= left + width + _NEAR and top - _NEAR <= y <= top + height + _NEAR


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    text = " ".join(str(value).split())
    return text if len(text) <= 24 else f"{text[:23]}…"


def loss_table() -> dict[str, dict[str, Outcome]]:
    """Specimen -> dialect -> what came back."""
    return {name: {dialect: round_trip(dialect, act) for dialect in ANSWER_DIALECTS} for name, act in SPECIMENS.items()}
