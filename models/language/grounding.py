"""Checks that a rationale names only what is there: every quoted name must be on the screen, in the task, or typed.

The whole check is :mod:`models.language.check`; this is its first rule alone, for who needs nothing but the names.
"""

from __future__ import annotations

from demopack.domain.ports import StepContext
from demopack.domain.rationale import Rationale
from models.language.check.findings import case_of
from models.language.check.names import missing_names
from models.language.quoting import quote, quoted_names

__all__ = ["quote", "quoted_names", "ungrounded"]


def ungrounded(rationale: Rationale, context: StepContext) -> list[str]:
    """The quoted names that nothing on the screen, in the task or in the action accounts for; empty when all is well.

    What is said before the step may name elements of the before-screen; ``actual_effect`` those of the after-screen.
    Both may quote the task, the typed text, the application and the window's title. Rejected elements do not count.
    """
    case = case_of(rationale, context, after_visible=False)
    return [name.name for _, name, _ in missing_names(case) if name.quoted]
