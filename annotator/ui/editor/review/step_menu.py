"""The menu of the step list: the same actions as the keys, and only those that make sense just now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from annotator.step_split import parts_of
from annotator.view_state import ViewState

__all__ = ["MENU", "step_menu"]

MENU: Final = (
    ("approve", "edit_note", "edit_variable"),
    ("move_up", "move_down", "split_step", "merge_steps", "insert_step"),
    ("use_before", "use_after"),
    ("rerecord",),
    ("delete_in_list",),
)
"""Names of the editor's actions, with a line between the groups."""


def step_menu(parent: QWidget, actions: Mapping[str, QAction], view: ViewState, *, selected: int) -> QMenu:
    """A menu that deletes itself when it is closed.

    Args:
        parent: whose menu it is.
        actions: by name, as the table of keys has them.
        view: where the user is.
        selected: how many steps are selected.

    Raises:
        KeyError: an action is missing.
    """
    menu = QMenu(parent)
    step = view.step
    one = selected <= 1
    possible = {
        "approve": one,
        "edit_note": one,
        "edit_variable": one and step is not None and step.action.action_type == "type",
        "split_step": one and step is not None and parts_of(step) > 1,
        "insert_step": one,
        "use_before": one and view.peeked is not None,
        "use_after": one and view.peeked is not None,
        "rerecord": one,
    }
    for group in MENU:
        shown = [actions[name] for name in group if possible.get(name, True)]
        if shown and not menu.isEmpty():
            menu.addSeparator()
        menu.addActions(shown)
    return menu
