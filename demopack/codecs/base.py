"""Codecs: put actions into the vocabulary of another program, and read what models answer in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack, cast

from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction
from demopack.domain.actions import (
    ClickAction,
    DragAction,
    ExtractDataAction,
    FinishGoalAction,
    HoverAction,
    LaunchAction,
    PressKeyAction,
    ScrollAction,
    TypeAction,
    WaitAction,
)
from demopack.errors import ActionError

Encoder = Callable[[PlacedAction], EncodedAction]
"""Puts one action into a vocabulary."""
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
        encode: puts one action into it.
        decode: reads a model's answer in it; None where no answers come in it.
    """

    name: str
    title: str
    places: str
    encode: Encoder
    decode: Decoder | None = None


class ActionEncoders(TypedDict, total=False):
    """Encoders of the kinds of actions that a vocabulary knows.

    Each may raise :class:`demopack.codecs.placed_action.NotExpressibleError`.
    """

    click: Callable[[ClickAction, PlacedAction], EncodedAction]
    type: Callable[[TypeAction, PlacedAction], EncodedAction]
    press_key: Callable[[PressKeyAction, PlacedAction], EncodedAction]
    scroll: Callable[[ScrollAction, PlacedAction], EncodedAction]
    drag: Callable[[DragAction, PlacedAction], EncodedAction]
    hover: Callable[[HoverAction, PlacedAction], EncodedAction]
    wait: Callable[[WaitAction, PlacedAction], EncodedAction]
    launch: Callable[[LaunchAction, PlacedAction], EncodedAction]
    extract_data: Callable[[ExtractDataAction, PlacedAction], EncodedAction]
    finish_goal: Callable[[FinishGoalAction, PlacedAction], EncodedAction]


def encoder(*, unsaid: Collection[str] = (), **encoders: Unpack[ActionEncoders]) -> Encoder:
    """An encoder out of one for each kind of action; the vocabulary has nothing for the other kinds.

    Args:
        unsaid: codes of the losses that come up whenever an action has what the vocabulary does not say.
        encoders: by kind; losses that depend on more than the action they tell themselves.
    """
    by_kind = cast("Mapping[str, Callable[[Any, PlacedAction], EncodedAction]]", encoders)

    def encode(placed: PlacedAction) -> EncodedAction:
        kind = placed.action.action_type
        if kind not in by_kind:
            return EncodedAction(losses=("no_word",))
        try:
            made = by_kind[kind](placed.action, placed)
        except NotExpressibleError as error:
            return EncodedAction(losses=error.args)
        lost = tuple(code for code, has in _details(placed).items() if has and code in unsaid)
        return replace(made, losses=lost + made.losses) if made.calls and lost else made

    return encode


def _details(placed: PlacedAction) -> dict[str, bool]:
    """Details that not every vocabulary can say, by the code of their loss, and whether the action has them."""
    match placed.action:
        case ClickAction() as action:
            return {"target": True, "modifiers": bool(action.modifiers), "hold": action.hold_s is not None}
        case TypeAction() as action:
            return {"submit": action.submit, "submit_left_out": action.submit}
        case ScrollAction() as action:
            return {"target": True, "scroll_steps": True, "modifiers": bool(action.modifiers)}
        case HoverAction() as action:
            return {"target": True, "hover_seconds": action.duration_s is not None}
        case DragAction() as action:
            return {
                "target": True,
                "drag_start": True,
                "modifiers": bool(action.modifiers),
                "drag_button": action.button != "left",
                "drag_path": len(placed.way) > 2,
            }
        case WaitAction():
            return {"wait_seconds": True}
        case FinishGoalAction() as action:
            return {"finish_text": True, "finish_failure": action.status == "failure"}
        case _:
            return {}


def text_only(decode: Callable[[str, Observation], DecodedAnswer]) -> Decoder:
    """A decoder that refuses everything but text."""

    def decode_text(answer: Any, observation: Observation) -> DecodedAnswer:  # noqa: ANN401 - checked here
        if not isinstance(answer, str):
            raise ActionError("The answer is an object, not text.", "wrong_type", "", "Give the answer as text.")
        return decode(answer, observation)

    return decode_text
