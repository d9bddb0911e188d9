"""Which MiniWoB++ tasks are drawn, and which of them no model of ours ever learns from."""

from __future__ import annotations

from typing import Final

from models.training.labelled_screens import Split

TASKS: Final[tuple[str, ...]] = (
    "choose-list", "circle-center", "click-button", "click-button-sequence", "click-checkboxes",
    "click-checkboxes-large", "click-checkboxes-soft", "click-checkboxes-transfer", "click-collapsible",
    "click-collapsible-2", "click-dialog", "click-dialog-2", "click-link", "click-menu", "click-menu-2",
    "click-option", "click-scroll-list", "click-tab", "click-tab-2", "click-tab-2-easy", "click-tab-2-hard",
    "click-tab-2-medium", "click-test", "click-test-2", "click-test-transfer", "click-widget", "copy-paste",
    "copy-paste-2", "drag-box", "drag-items", "drag-items-grid", "drag-sort-numbers", "email-inbox",
    "email-inbox-delete", "email-inbox-forward", "email-inbox-forward-nl", "email-inbox-forward-nl-turk",
    "email-inbox-important", "email-inbox-nl-turk", "email-inbox-noscroll", "email-inbox-reply",
    "email-inbox-star-reply", "enter-password", "enter-text", "enter-text-2", "enter-text-dynamic", "find-word",
    "focus-text", "focus-text-2", "guess-number", "highlight-text", "highlight-text-2", "identify-shape",
    "login-user", "login-user-popup", "multi-layouts", "multi-orderings", "read-table", "read-table-2",
    "resize-textarea", "scroll-text", "scroll-text-2", "simple-algebra", "simple-arithmetic", "unicode-test",
    "use-autocomplete", "use-spinner",
)  # fmt: skip
"""The 67 tasks of the CAAP paper, from its table of results by task."""

NEVER_TRAINED: Final[frozenset[str]] = frozenset((
    "circle-center", "click-checkboxes-large", "click-collapsible-2", "click-dialog-2", "click-menu-2", "click-option",
    "click-tab-2-hard", "click-test-transfer", "copy-paste-2", "drag-items-grid", "email-inbox-forward-nl-turk",
    "email-inbox-star-reply", "find-word", "focus-text-2", "highlight-text-2", "login-user-popup", "multi-orderings",
    "read-table-2", "scroll-text-2", "use-spinner",
))  # fmt: skip
"""One or two of each kind of widget: ticks, choices, tabs, menus, dialogs, tables, mail, dragging, reading, figures."""

SEEDS: Final[dict[Split, range]] = {"test": range(1000), "train": range(1000, 2900), "val": range(2900, 3000)}
"""The bands of the CAAP paper: nothing that is measured is ever learned."""


def tasks_of(side: Split) -> tuple[str, ...]:
    """The tasks that a side has screens of."""
    return TASKS if side == "test" else tuple(task for task in TASKS if task not in NEVER_TRAINED)
