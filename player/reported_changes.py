"""What a step changed in the recording by what programs reported, and whether it has done so again. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from demopack.domain.demos import Demo
from demopack.domain.steps import Step
from demopack.domain.text_likeness import plain_text
from demopack.domain.trees import TreeNode, WindowTree
from player.focus_match import title_agrees
from player.node_match import match_node

_TOLD: Final = frozenset({"checked", "pressed", "selected", "expanded", "focused"})
"""States that a step may change."""
_SURE: Final = frozenset({"checked", "pressed"})
_CHECKABLE: Final = frozenset({
    "check box", "radio button", "switch", "check menu item", "radio menu item",
})  # fmt: skip
_RANGES: Final = frozenset({"slider", "spin button", "dial"})
_SCROLLED: Final = frozenset({"scroll bar", "progress bar"})
_VALUE_SHARE: Final = 0.05
"""Of a slider's range: closer than that no hand puts it."""
_MIN_SHARE: Final = 0.6


def recorded_change(step: Step, demo: Demo) -> tuple[list[WindowTree], list[WindowTree]] | None:
    """The trees of its program's windows before and after a step; None where the recording lacks one of them."""
    places = [place for place, one in enumerate(demo.steps) if one.id == step.id]
    following = demo.steps[places[0] + 1] if places and places[0] + 1 < len(demo.steps) else None
    if following is None or not step.trees or not following.trees:
        return None
    programs = {one.window.app for one in (step, following) if one.window is not None}
    before, after = (
        [
            tree
            for one in trees
            if (tree := demo.trees.get(one.tree)) is not None
            and tree.nodes
            and not tree.is_title_bar
            and tree.app in programs
        ]
        for trees in (step.trees, following.trees)
    )
    return (before, after) if before and after else None


def has_changed_so(
    before: Sequence[WindowTree], after: Sequence[WindowTree], live: Sequence[WindowTree]
) -> bool | None:
    """Whether the live windows show what a step changed in the recorded ones.

    False where a field holds another text, a box is ticked otherwise, a slider stands elsewhere, or a window is there
    or gone against the recording. True where all that agrees, and most of what else changed; None where nothing changed
    or too little of it tells.

    Args:
        before: trees of the recorded windows before the step.
        after: as before it, for after it.
        live: trees of the windows now.
    """
    found: list[bool] = []
    for tree in after:
        old, now = _window(tree, before), _window(tree, live)
        if now is None:
            return False
        if old is None:
            found.append(True)
            continue
        known = Counter(_content(node) for node in old.nodes)
        for index, node in enumerate(tree.nodes):
            content = _content(node)
            if known[content]:
                known[content] -= 1
                continue
            if node.role in _SCROLLED or node.parent is None:
                continue
            at = match_node(tree, index, old)
            was = old.nodes[at] if isinstance(at, int) else None
            if was is not None and _is_so(node, was, was):
                continue  # it was so before, and tells nothing about the step
            there = match_node(tree, index, now)
            same = isinstance(there, int) and _is_so(node, now.nodes[there], was)
            if isinstance(there, int) and _is_sure(node, was) and not _is_so(node, now.nodes[there], was, told=_SURE):
                return False
            found.append(same)
    gone = [tree for tree in before if _window(tree, after) is None]
    if any(_window(tree, live) is not None for tree in gone):
        return False
    found += [True for _ in gone]
    return True if found and sum(found) >= _MIN_SHARE * len(found) else None


def _window(tree: WindowTree, others: Sequence[WindowTree]) -> WindowTree | None:
    """The window of the same program and title."""
    fitting = (one for one in others if one.nodes and one.app == tree.app)
    return next((one for one in fitting if title_agrees(tree.title, one.title, app=tree.app) != "unlike"), None)


def _content(node: TreeNode) -> tuple[object, ...]:
    value = None if node.range is None or node.role in _SCROLLED else node.range.value
    return node.role, plain_text(node.name), node.value, frozenset(node.states) & _TOLD, value


def _is_sure(node: TreeNode, was: TreeNode | None) -> bool:
    """Whether what a node has become is what the step was for: a text, a tick, a value; not merely the focus."""
    if "editable" in node.states:
        return was is None or node.value != was.value
    if node.role in _CHECKABLE:
        return was is None or (set(node.states) ^ set(was.states)) & _SURE != set()
    return node.role in _RANGES and node.range is not None and (was is None or was.range != node.range)


def _is_so(node: TreeNode, now: TreeNode, was: TreeNode | None, *, told: frozenset[str] = _TOLD) -> bool:
    """Whether a live node is as the recorded one became, as far as these states tell."""
    if (set(node.states) & told) != (set(now.states) & told):
        return False
    if "editable" in node.states:
        return _is_written(node.value, now.value, "" if was is None else was.value)
    if node.role in _RANGES and node.range is not None and now.range is not None:
        span = max(node.range.maximum - node.range.minimum, now.range.maximum - now.range.minimum)
        return abs(node.range.value - now.range.value) <= _VALUE_SHARE * span
    return node.value == now.value


def _is_written(value: str, now: str, was: str) -> bool:
    """Whether a text has become what the recorded one became: of several lines, those that the step wrote are there.

    A larger window shows more lines, and they may stand in another order.
    """
    lines, old = value.split("\n"), was.split("\n")
    if len(lines) == 1 or not was:
        return value == now
    here = set(now.split("\n"))
    # The last line may be cut off.
    written = [line for line in lines[:-1] if line not in old]
    erased = [line for line in old[:-1] if line.strip() and line not in lines]
    return all(line in here for line in written) and not any(line in here for line in erased[:1])
