"""A scripted person who writes down what they mean to do, so that a recording can be held against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from demopack.domain.actions import ActionTarget, LLMResponse
from demopack.domain.geometry import NormBox, Point, Rect, Size, from_norm_xywh
from demopack.domain.keys import join_keys, parse_key_info
from demopack.quickstart.person import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """One action as it was meant.

    Attributes:
        kind: an action type of the contract.
        what: its parameters in words: click type with modifiers, text, keys, or direction of the wheel.
        box: what it was aimed at, in pixels of the screen; None for the keyboard.
        end: where a drag ends.
        count: notches of the wheel.
    """

    kind: str
    what: str = ""
    box: Rect | None = None
    end: Point | None = None
    count: int = 0


class NotedPerson:
    """The verbs of :class:`Person`, aimed at boxes; ``meant`` holds what was done."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.meant: list[Meant] = []

    def click(self, box: Rect, *, times: int = 1, holding: str = "") -> None:
        kind = {1: "single", 2: "double", 3: "triple"}[times]
        self._note(Meant(kind="click", what=f"{holding.lower()} {kind}".strip(), box=box))
        self.person.click(box.center, times=times, holding=holding)

    def drag(self, box: Rect, to: Point) -> None:
        self._note(Meant(kind="drag", box=box, end=to))
        self.person.drag(box.center, to)

    def scroll(self, box: Rect, *, down: int) -> None:
        self._note(Meant(kind="scroll", what="down" if down > 0 else "up", box=box, count=abs(down)))
        self.person.scroll(box.center, down=down)

    def type_text(self, text: str) -> None:
        self._note(Meant(kind="type", what=text))
        self.person.type_text(text)

    def press(self, keys: str, *, times: int = 1) -> None:
        for _ in range(times):
            self._note(Meant(kind="press_key", what=join_keys(parse_key_info(keys))))
        self.person.press(keys, times=times)

    def _note(self, meant: Meant) -> None:
        self.meant.append(meant)


def joined(actions: Sequence[Meant]) -> list[Meant]:
    """Turns of the wheel in one direction that follow each other are one; so are texts."""
    found: list[Meant] = []
    for action in actions:
        last = found[-1] if found else None
        if last is not None and last.kind == action.kind == "scroll" and last.what == action.what:
            found[-1] = replace(last, count=last.count + action.count)
        elif last is not None and last.kind == action.kind == "type":
            found[-1] = replace(last, what=last.what + action.what)
        else:
            found.append(action)
    return found


def done(responses: Sequence[LLMResponse], sizes: Sequence[Size]) -> list[Meant]:
    """What a pack says was done, in the same words; ``finish_goal`` is left out.

    Args:
        responses: of the pack, in order.
        sizes: of each response's before-frame.
    """
    found: list[Meant] = []
    for response, size in zip(responses, sizes, strict=True):
        action = response.action
        given = action.parameters
        if action.action_type == "finish_goal":
            continue
        what = {
            "click": " ".join([*given.get("modifiers", ()), given.get("click_type", "single")]),
            "type": given.get("text_to_type", ""),
            "press_key": given.get("key_info", ""),
            "scroll": given.get("scroll_direction", ""),
        }.get(action.action_type, "")
        end = action.end_target
        found.append(
            Meant(
                kind=action.action_type,
                what=what,
                box=_box(action.target, size),
                end=None if end is None else _center(end, size),
                count=given.get("scroll_steps", 0) if action.action_type == "scroll" else 0,
            )
        )
    return found


def _box(target: ActionTarget | None, size: Size) -> Rect | None:
    return None if target is None or target.bbox is None else from_norm_xywh(_norm(target), size)


def _center(target: ActionTarget, size: Size) -> Point:
    return from_norm_xywh(_norm(target), size).center


def _norm(target: ActionTarget) -> NormBox:
    assert target.bbox is not None
    return target.bbox


def compare(meant: Sequence[Meant], pack: Sequence[Meant]) -> list[str]:
    """Where the pack says something else than what was meant; empty when it is the same.

    A pointer action agrees when the target of the pack and the box that was aimed at have pixels in common.
    """
    wanted, got = joined(meant), joined(pack)
    found = [
        f"{number}: meant {a}, pack has {b}"
        for number, (a, b) in enumerate(zip(wanted, got, strict=False), start=1)
        if (a.kind, a.what, a.count) != (b.kind, b.what, b.count) or not _same_place(a, b)
    ]
    if len(wanted) != len(got):
        found.append(f"meant {len(wanted)} actions, the pack has {len(got)}: {[f'{a.kind} {a.what}' for a in got]}")
    return found


def _same_place(meant: Meant, pack: Meant) -> bool:
    if meant.box is None or pack.kind == "scroll":
        return True  # the keyboard's target, if any, is a reading of the screen; the wheel may turn over anything
    if pack.box is None:
        return False
    near = meant.end is None or (
        pack.end is not None and abs(meant.end.x - pack.end.x) <= 60 and abs(meant.end.y - pack.end.y) <= 60
    )
    touches = meant.box.contains(pack.box.center) or meant.box.intersection(pack.box) is not None
    return touches and near
