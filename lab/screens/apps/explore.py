"""What is done next in a program: menus, tabs, rows and dialogs are opened, as somebody would who looks around."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Final, Literal

from demopack.domain.geometry import Point, Rect
from lab.screens.apps.desktop import AppDesktop
from lab.screens.apps.desktop_state import Moment, Node

_HARMFUL: Final = re.compile(
    r"quit|exit|close|print|send|mail|delete|remove|trash|log ?out|shut|terminal|full ?screen|kiosk|minimi|donat|"
    r"website|"
    r"online|web |report|update|hide|detach|sessions?|quick start|tip of|manual|contents|help$|documentation|homepage|"
    r"language|duplicate|iconify|show menu|menu ?bar|translate|bug|new window|move to|undock",
    re.IGNORECASE,
)
_WELCOME: Final = re.compile(
    r"preferenc|option|setting|about|find|replace|go to|open|propert|new|save as|zoom|font|color|colour|configure|"
    r"insert|sort|format|tool|filter|add|edit|view|mode|statistic|column|import|export|bookmark|wrap|number|scientific",
    re.IGNORECASE,
)
_WORDS: Final = ("Oslo", "42", "garden", "river bridge", "a+b", "3.14", "early morning", "Ann")

_NOWHERE: Final = Point(0, 0)
Kind = Literal["click", "right", "key", "type", "wheel", "act"]


@dataclass(frozen=True, slots=True)
class ExplorationStep:
    """One thing to do.

    Attributes:
        kind: how.
        at: where, for a click.
        keys: what is pressed or typed.
        name: for the report.
    """

    kind: Kind
    at: Point = _NOWHERE
    keys: str = ""
    name: str = ""


def do(desktop: AppDesktop, deed: ExplorationStep) -> None:
    """Do it."""
    if deed.kind == "key":
        desktop.key(*deed.keys.split())
    elif deed.kind == "type":
        desktop.click(deed.at)
        desktop.write(deed.keys)
    elif deed.kind == "wheel":
        desktop.click(deed.at, button=5)
    else:
        desktop.click(deed.at, button=3 if deed.kind == "right" else 1)


def choose_deed(moment: Moment, rng: random.Random) -> ExplorationStep:
    """Something sensible to do in the state that a program is in."""
    if moment.windows and moment.windows[0].kind == "popup":
        return _in_menu(moment, rng)
    choices: list[tuple[int, ExplorationStep]] = []
    active = next((w.box for w in moment.windows if w.active), None)
    bars: set[int] = set()
    for top in (t for program in moment.programs for t in program.children):
        for node in top.walk():
            if node.role == "menu bar":
                bars |= {id(child) for child in node.children}
            if node.shown and node.box is not None and _reachable(node.box, active):
                choices += _deeds(node, id(node) in bars, rng)
    if any(w.kind == "dialog" and w.active for w in moment.windows):
        choices.append((3, ExplorationStep("key", keys="Escape", name="close dialog")))
    choices.append((1, ExplorationStep("key", keys="Tab Tab", name="tab")))
    return rng.choices([deed for _, deed in choices], weights=[weight for weight, _ in choices])[0]


def _reachable(box: Rect, active: Rect | None) -> bool:
    return active is None or active.contains(box.center)


_ROLES: Final[dict[str, tuple[int, str]]] = {
    "page tab": (10, "tab"),
    "check box": (3, "check box"),
    "radio button": (3, "radio button"),
    "toggle button": (3, "toggle button"),
    "combo box": (6, "combo"),
    "table cell": (1, "row"),
    "list item": (1, "row"),
    "tree item": (1, "row"),
}
"""What is clicked, how often compared with others, and how that is called."""
_LARGE: Final = frozenset({"table", "tree", "tree table", "text", "list", "terminal"})


def _deeds(node: Node, in_bar: bool, rng: random.Random) -> list[tuple[int, ExplorationStep]]:  # noqa: FBT001 - private
    assert node.box is not None
    at, name, role = node.box.center, node.name[:40], node.role
    if "sensitive" not in node.states and "enabled" not in node.states:
        return []
    if in_bar:
        return [(12, ExplorationStep("click", at, name=f"menu {name}"))]
    if _HARMFUL.search(node.name) or (role == "page tab" and "selected" in node.states):
        return []
    if role in _ROLES:
        weight, called = _ROLES[role]
        return [(weight, ExplorationStep("click", at, name=f"{called} {name}"))]
    if role == "push button" and _WELCOME.search(node.name):
        return [(3, ExplorationStep("click", at, name=f"button {name}"))]
    if role in {"text", "entry"} and "editable" in node.states and "multi line" not in node.states:
        return [(3, ExplorationStep("type", at, rng.choice(_WORDS), name="type"))]
    if role in _LARGE and node.box.height > 150:
        return [
            (2, ExplorationStep("right", at, name=f"context menu {role}")),
            (2, ExplorationStep("wheel", at, name=f"scroll {role}")),
        ]
    return []


def _in_menu(moment: Moment, rng: random.Random) -> ExplorationStep:
    """In an opened menu: another entry, or something that opens a dialog."""
    popup = moment.windows[0].box
    found: list[ExplorationStep] = []
    for program in moment.programs:
        for node in program.walk():
            inside = node.shown and node.box is not None and popup.encloses(node.box)
            on = "sensitive" in node.states or "enabled" in node.states
            if (
                (
                    inside
                    and on
                    and node.box is not None
                    and node.role in {"menu item", "menu", "check menu item", "list item"}
                )
                and _WELCOME.search(node.name)
                and not _HARMFUL.search(node.name)
            ):
                found.append(ExplorationStep("click", node.box.center, name=f"item {node.name[:40]}"))
    if found and rng.random() < 0.65:
        return rng.choice(found)
    if rng.random() < 0.4:
        return ExplorationStep("key", keys="ArrowDown ArrowDown", name="down")
    return ExplorationStep("key", keys="Escape Escape", name="close menu")
