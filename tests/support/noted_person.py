"""A scripted person who writes down what they mean to do, so that a recording can be held against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from demopack.domain.geometry import Point, Rect
from demopack.domain.keys import join_keys, parse_key_info
from player.backends.base import Performer
from player.scripted_user import MouseButton, PracticeUser


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """One action as it was meant.

    Attributes:
        kind: an action type of the contract.
        what: its parameters in words: click type with modifiers, text, keys, or direction of the wheel.
        at: where it was aimed at, in pixels of the screen; None for the keyboard.
        end: where a drag ends.
        count: notches of the wheel.
    """

    kind: str
    what: str = ""
    at: Point | None = None
    end: Point | None = None
    count: int = 0


class NotedPerson(PracticeUser):
    """``meant`` holds what was done."""

    def __init__(self, device: Performer, *, speed: float = 1.0, seed: int = 0) -> None:
        super().__init__(device, speed=speed, seed=seed)
        self.meant: list[Meant] = []

    def hover(self, at: Point) -> None:
        self.meant.append(Meant(kind="hover", at=at))
        super().hover(at)

    def click(self, at: Point, *, button: MouseButton = "left", times: int = 1, holding: str = "") -> None:
        kind = {1: "single", 2: "double", 3: "triple"}[times]
        self.meant.append(Meant(kind="click", what=f"{holding.lower()} {kind}".strip(), at=at))
        super().click(at, button=button, times=times, holding=holding)

    def drag(self, start: Point, end: Point) -> None:
        self.meant.append(Meant(kind="drag", at=start, end=end))
        super().drag(start, end)

    def scroll(self, at: Point, *, down: int) -> None:
        self.meant.append(Meant(kind="scroll", what="down" if down > 0 else "up", at=at, count=abs(down)))
        super().scroll(at, down=down)

    def type_text(self, text: str) -> None:
        self.meant.append(Meant(kind="type", what=text))
        super().type_text(text)

    def press(self, keys: str, *, times: int = 1) -> None:
        for _ in range(times):
            self.meant.append(Meant(kind="press_key", what=join_keys(parse_key_info(keys))))
        super().press(keys, times=times)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One action as a pack tells it.

    Attributes:
        kind: the action type.
        what: as in :class:`Meant`.
        count: notches of the wheel.
        target: the box of the response's target; None where it has none.
        at: where the pointer was; None for the keyboard.
        end: where the pointer ended a drag.
    """

    kind: str
    what: str = ""
    count: int = 0
    target: Rect | None = None
    at: Point | None = None
    end: Point | None = None


def done(rows: Sequence[Mapping[str, Any]]) -> list[Done]:
    """What a pack says was done, from the rows of its ``steps.jsonl`` alone; ``finish_goal`` is left out."""
    found: list[Done] = []
    for row in rows:
        action = row["response"]["action"]
        kind, given = action["action_type"], action["parameters"]
        what = {
            "click": " ".join([*given.get("modifiers", ()), given.get("click_type", "single")]),
            "type": given.get("text_to_type", ""),
            "press_key": given.get("key_info", ""),
            "scroll": given.get("scroll_direction", ""),
        }.get(kind, "")
        box, pointer = row["target_box"], row["pointer"] or {}
        if kind != "finish_goal":
            found.append(
                Done(
                    kind=kind,
                    what=what,
                    count=given.get("scroll_steps", 0),
                    target=None if box is None else Rect(*box),
                    at=_point(pointer.get("x"), pointer.get("y")),
                    end=_point(pointer.get("end_x"), pointer.get("end_y")),
                )
            )
    return found


def _point(x: int | None, y: int | None) -> Point | None:
    return None if x is None or y is None else Point(x, y)


def compare(meant: Sequence[Meant], pack: Sequence[Done]) -> list[str]:
    """Where the pack says something else than what was meant; empty when it is the same."""
    wanted = joined(meant)
    found = [
        f"{number}: meant {a}, the pack has {b}"
        for number, (a, b) in enumerate(zip(wanted, pack, strict=False), start=1)
        if (a.kind, a.what, a.count) != (b.kind, b.what, b.count) or not _same_place(a, b)
    ]
    if len(wanted) != len(pack):
        found.append(f"meant {len(wanted)} actions, the pack has {len(pack)}: {[f'{b.kind} {b.what}' for b in pack]}")
    return found


def _same_place(meant: Meant, pack: Done) -> bool:
    """Whether the pointer acted on the very pixel, and the target named in the pack is where it acted."""
    if meant.at is None:
        return pack.at is None
    if pack.at is None or pack.target is None:
        return False
    on_point = pack.at == meant.at and pack.end == meant.end
    around = pack.target.contains(pack.at) or pack.target == Rect.at_point(pack.at)
    return on_point and around
