"""Web pages in a headless Chromium: their pixels, and the truth about what can be seen on them."""

from __future__ import annotations

from models.training.screens.browser.browser import Browser
from models.training.screens.browser.chromium import chromium_command

__all__ = ["Browser", "chromium_command"]
