"""The two ways in which the app talks to the user, as one thing that the pages get."""

from __future__ import annotations

from collections.abc import Callable

from annotator.ui.banner import Banner, Toast

__all__ = ["Messages"]


class Messages:
    """Errors go to the banner and stay; news go to the toast and pass."""

    def __init__(self, banner: Banner, toast: Toast) -> None:
        self._banner = banner
        self._toast = toast

    def show_error(self, error: Exception) -> None:
        """Show what went wrong."""
        self._banner.show_error(error)

    def say(self, text: str, *, button: str = "", action: Callable[[], None] | None = None) -> None:
        """Show what was done, and one thing to do about it."""
        self._toast.say(text, button=button, action=action)
