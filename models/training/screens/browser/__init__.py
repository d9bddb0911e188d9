"""Web pages in a headless Chromium: their pixels, and the truth about what can be seen on them."""

from __future__ import annotations

from models.training.screens.browser.browser import Browser
from models.training.screens.browser.hand import Hand

__all__ = ["Browser", "Hand"]
