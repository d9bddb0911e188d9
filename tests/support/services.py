"""Services of the app of which a test does some itself."""

from __future__ import annotations

import copy
from typing import Any

from annotator.ui.services import Services


def with_calls(services: Services, **calls: Any) -> Services:
    """The same services with these calls, or these settings, in the place of their own."""
    made = copy.copy(services)
    vars(made).update(calls)
    return made
