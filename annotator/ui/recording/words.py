"""What the start panel says about privacy and about what it tried out; knows no Qt."""

from __future__ import annotations

from typing import Final

from annotator.words import tr
from demopack.settings import PrivacySettings

__all__ = ["CHECK_TITLES", "privacy_words"]

CHECK_TITLES: Final[dict[str, str]] = {
    "input": tr("Input"),
    "pictures": tr("Pictures"),
    "accessibility": tr("Accessibility"),
    "disk": tr("Disk"),
    "hotkeys": "Hot-keys",
    "library": tr("Library"),
}
"""The lines of the self-test, in their order."""

_MANY = 4


def privacy_words(settings: PrivacySettings) -> str:
    """What will be left out of the recording, in two or three short sentences."""
    if settings.accessibility:
        words = [tr("Passwords are left out where programs tell which fields hold them.")]
    else:
        words = [tr("Programs are not asked about their fields: pause before you type a password.")]
    left_out = [*settings.blocked_apps, *(f"“{title}”" for title in settings.blocked_titles)]
    regions = len(settings.blocked_regions)
    if regions:
        left_out.append(tr("1 region") if regions == 1 else tr("{regions} regions").format(regions=regions))
    if len(left_out) > _MANY:
        left_out = [*left_out[: _MANY - 1], tr("{value} more").format(value=len(left_out) - _MANY + 1)]
    words.append(
        tr("Never recorded: {join}.").format(join=", ".join(left_out)) if left_out else tr("No application is blocked.")
    )
    if settings.clipboard:
        words.append(tr("Clipboard texts are kept."))
    return " ".join(words)
