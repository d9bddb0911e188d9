"""What the start panel says about privacy and about what it tried out; knows no Qt."""

from __future__ import annotations

from typing import Final

from demopack.settings import PrivacySettings

__all__ = ["CHECK_TITLES", "privacy_words"]

CHECK_TITLES: Final[dict[str, str]] = {
    "input": "Input",
    "pictures": "Pictures",
    "accessibility": "Accessibility",
    "disk": "Disk",
    "hotkeys": "Hot-keys",
    "library": "Library",
}
"""The lines of the self-test, in their order."""

_MANY = 4


def privacy_words(settings: PrivacySettings) -> str:
    """What will be left out of the recording, in two or three short sentences."""
    if settings.accessibility:
        words = ["Passwords are left out where programs tell which fields hold them."]
    else:
        words = ["Programs are not asked about their fields: pause before you type a password."]
    left_out = [*settings.blocked_apps, *(f"“{title}”" for title in settings.blocked_titles)]
    regions = len(settings.blocked_regions)
    if regions:
        left_out.append("1 region" if regions == 1 else f"{regions} regions")
    if len(left_out) > _MANY:
        left_out = [*left_out[: _MANY - 1], f"{len(left_out) - _MANY + 1} more"]
    words.append(f"Never recorded: {', '.join(left_out)}." if left_out else "No application is blocked.")
    if settings.clipboard:
        words.append("Clipboard texts are kept.")
    return " ".join(words)
