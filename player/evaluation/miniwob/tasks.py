"""Which MiniWoB++ tasks are measured, and what the CAAP paper reports for them."""

from __future__ import annotations

from typing import Final

CAAP_SUCCESS: Final[dict[str, float]] = {
    "choose-list": 1.00,
    "circle-center": 1.00,
    "click-button": 0.98,
    "click-button-sequence": 0.92,
    "click-checkboxes": 0.98,
    "click-checkboxes-large": 1.00,
    "click-checkboxes-soft": 1.00,
    "click-checkboxes-transfer": 1.00,
    "click-collapsible": 0.92,
    "click-collapsible-2": 0.90,
    "click-dialog": 1.00,
    "click-dialog-2": 1.00,
    "click-link": 1.00,
    "click-menu": 0.80,
    "click-menu-2": 0.92,
    "click-option": 0.96,
    "click-scroll-list": 0.94,
    "click-tab": 1.00,
    "click-tab-2": 0.96,
    "click-tab-2-easy": 1.00,
    "click-tab-2-hard": 0.98,
    "click-tab-2-medium": 1.00,
    "click-test": 1.00,
    "click-test-2": 0.92,
    "click-test-transfer": 0.92,
    "click-widget": 1.00,
    "copy-paste": 0.98,
    "copy-paste-2": 1.00,
    "drag-box": 1.00,
    "drag-items": 0.88,
    "drag-items-grid": 0.78,
    "drag-sort-numbers": 0.72,
    "email-inbox": 0.96,
    "email-inbox-delete": 1.00,
    "email-inbox-forward": 0.96,
    "email-inbox-forward-nl": 0.96,
    "email-inbox-forward-nl-turk": 0.82,
    "email-inbox-important": 1.00,
    "email-inbox-nl-turk": 0.90,
    "email-inbox-noscroll": 0.98,
    "email-inbox-reply": 0.96,
    "email-inbox-star-reply": 0.98,
    "enter-password": 1.00,
    "enter-text": 1.00,
    "enter-text-2": 1.00,
    "enter-text-dynamic": 1.00,
    "find-word": 0.82,
    "focus-text": 1.00,
    "focus-text-2": 1.00,
    "guess-number": 0.98,
    "highlight-text": 0.92,
    "highlight-text-2": 0.46,
    "identify-shape": 0.98,
    "login-user": 1.00,
    "login-user-popup": 1.00,
    "multi-layouts": 0.98,
    "multi-orderings": 1.00,
    "read-table": 0.94,
    "read-table-2": 0.74,
    "resize-textarea": 1.00,
    "scroll-text": 0.62,
    "scroll-text-2": 1.00,
    "simple-algebra": 1.00,
    "simple-arithmetic": 1.00,
    "unicode-test": 0.90,
    "use-autocomplete": 0.96,
    "use-spinner": 0.98,
}
"""The 67 tasks of the CAAP paper, and its agent's success with each: Table 6, full configuration, raw reward > 0."""

CAAP_CONFIGURATIONS: Final[dict[str, float]] = {
    "full": 0.944,
    "demo_without_cot": 0.920,
    "cot_without_demo": 0.857,
    "cot_with_action_only_demo": 0.911,
    "no_cot_no_demo": 0.809,
}
"""The configurations of Table 6 and the mean of each over the 67 tasks in the CAAP paper."""

FURTHER_TASKS: Final = (
    "drag-circle", "drag-single-shape", "find-greatest", "generate-number", "odd-or-even", "sign-agreement",
)  # fmt: skip
"""The six more of the paper's repository; no part of the field's set of 100 tasks."""

STANDARD_SET: Final = 100
"""Tasks in the set by which agents are compared; one that an agent does not try counts as 0."""

DEMO_SEEDS: Final = range(3000, 4000)
"""Of demos that are shown to agents, in the CAAP paper."""

EVALUATION_SEEDS: Final = range(1000)
"""On which agents are measured, and nothing else; solvers are written on seeds from 1000 to 1999."""
