"""Codecs: put actions into the vocabulary of another program, and read what models answer in it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from demopack.codecs.coordinates import CoordinateGrid
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction
from demopack.domain import actions
from demopack.domain.geometry import Size

Decoder = Callable[[Any, Observation], DecodedAnswer]
"""Reads a model's answer (text, or the message as its API returns it), given the screen that it was shown.

Raises :class:`demopack.errors.ActionError` where the answer cannot be used.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Codec:
    """One vocabulary.

    Attributes:
        name: how formats refer to it.
        title: for people.
        places: how it tells where something is, for people.
        encoder: puts one action into it, and tells losses that depend on more than the action; may raise
            :class:`demopack.codecs.placed_action.NotExpressibleError`.
        unsaid: codes of the losses that come up whenever an action has what the vocabulary does not say.
        decode: reads a model's answer in it; None where no answers come in it.
        coordinates: the numbers of its places, in which elements are listed, too; None where they are not listed so.
        system: what a model is told first, by the size of the picture it sees, as far as that is known; None where an
            API tells it, or a prompt of its own.
        sentences: name of the file that these words come from; empty without any.
    """

    name: str
    title: str
    places: str
    encoder: Callable[[PlacedAction], EncodedAction]
    unsaid: Collection[str]
    decode: Decoder | None = None
    coordinates: CoordinateGrid | None = None
    system: Callable[[Size | None], str] | None = None
    sentences: str = ""

    def encode(self, placed: PlacedAction) -> EncodedAction:
        """One action in this vocabulary, and all that is lost; empty where it has nothing for the action."""
        try:
            made = self.encoder(placed)
        except NotExpressibleError as error:
            return EncodedAction(losses=error.args)
        lost = tuple(code for code, has in _details(placed).items() if has and code in self.unsaid)
        assumed = tuple(
            told for code, told in (_ASSUMED[name] for name in placed.action.unsaid) if code not in self.unsaid
        )
        return replace(made, losses=lost + assumed + made.losses)


_ASSUMED: Final = {
    "wait_duration_s": ("wait_seconds", "wait_assumed"),
    "scroll_steps": ("scroll_steps", "scroll_assumed"),
}
"""Parameter that an action may be read without -> the loss of vocabularies that never say it, that of the others."""


def _details(placed: PlacedAction) -> dict[str, bool]:
    """Details that not every vocabulary can say, by the code of their loss, and whether the action has them."""
    match placed.action:
        case actions.ClickAction() as action:
            return {"target": True, "modifiers": bool(action.modifiers), "hold": action.hold_s is not None}
        case actions.TypeAction() as action:
            return {"submit": action.submit, "submit_left_out": action.submit}
        case actions.ScrollAction() as action:
            return {"target": True, "scroll_steps": True, "modifiers": bool(action.modifiers)}
        case actions.HoverAction() as action:
            return {"target": True, "hover_seconds": action.duration_s is not None}
        case actions.DragAction() as action:
            return {
                "target": True,
                "drag_start": True,
                "modifiers": bool(action.modifiers),
                "drag_button": action.button != "left",
                "drag_path": len(placed.way) > 2,
            }
        case actions.WaitAction():
            return {"wait_seconds": True}
        case actions.FinishGoalAction() as action:
            return {"finish_text": True, "finish_failure": action.status == "failure"}
        case _:
            return {}
