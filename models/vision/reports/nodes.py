"""What one node of an accessibility tree says of itself: its words, and its states."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from demopack.domain.elements import ATTRIBUTES, ElementType, State
from demopack.domain.trees import TreeNode

_STATES_OF: Final[Mapping[str, State]] = {
    "checked": "checked", "pressed": "checked", "focused": "focused", "expanded": "expanded", "selected": "highlighted",
}  # fmt: skip
_TOLD_FALSE: Final[frozenset[State]] = frozenset({"checked", "focused", "highlighted"})
"""States that a toolkit which tells them at all leaves out where they do not hold."""
_CHECKABLE: Final = frozenset({
    "check box", "radio button", "switch", "toggle button", "check menu item", "radio menu item", "page tab",
})  # fmt: skip
_NO_LETTERS: Final = re.compile("[\ue000-\uf8ff]")
"""Where fonts of icons have their pictures."""
_WIDGET: Final = re.compile(
    "(tool|toggle|check|radio|menu|spin|combo)?(button|item|label|entry|image|box|view)_?[0-9]+"
)
"""What a designer of windows calls a widget that nobody gave a name."""


def written(text: str) -> str:
    """What a person can read of a text."""
    return _NO_LETTERS.sub("", text).strip()


def one_line(text: str) -> str:
    """What a person can read of a text, without its breaks."""
    return " ".join(written(text).split())


def text_of(node: TreeNode) -> str:
    """What a node is called, else what its value is."""
    return written(node.name or node.value)


def name_of(node: TreeNode) -> str:
    """What a person calls a node; empty where only those who drew its window have a name for it."""
    return "" if _WIDGET.fullmatch(node.name) else node.name


def states_of(node: TreeNode, kind: ElementType) -> dict[State, bool]:
    """The states of a node that its type may have; what is not plain is left out."""
    said = set(node.states)
    found: dict[State, bool] = {}
    for word, state in _STATES_OF.items():
        if word in said:
            found[state] = True
    if node.role == "page tab":
        found["checked"] = bool({"selected", "focused"} & said)  # Qt says "focused" of the tab that is shown
    elif node.role in _CHECKABLE or "checkable" in said:
        found["checked"] = bool({"checked", "pressed"} & said)
    if "expandable" in said or node.role in {"combo box", "menu"}:
        found["expanded"] = "expanded" in said
    if kind == "menu_item":
        found["highlighted"] = bool({"selected", "focused", "armed"} & said)
    found["disabled"] = not {"enabled", "sensitive"} & said
    for state in _TOLD_FALSE - {"checked"}:
        found.setdefault(state, False)
    return {state: value for state, value in found.items() if state in ATTRIBUTES[kind].states}
