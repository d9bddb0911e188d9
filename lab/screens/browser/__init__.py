"""Web pages in a headless Chromium: their pixels, and the truth about what can be seen on them."""

from __future__ import annotations

from lab.screens.browser.browser import Browser
from lab.screens.browser.browser_input import BrowserInput

__all__ = ["Browser", "BrowserInput"]
