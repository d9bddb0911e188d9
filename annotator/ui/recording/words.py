"""What the start panel says about privacy and about what it tried out; knows no Qt."""

from __future__ import annotations

from typing import Final

from annotator.words import tr
from demopack.settings import PrivacySettings
from recorder.privacy.text_hold import ABSENT_HELD, ABSENT_STORED, HELD, LOST_HELD, LOST_STORED

__all__ = ["CHECK_TITLES", "privacy_words", "problem_words"]

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


_PROBLEMS: Final[dict[str, str]] = {
    LOST_HELD: tr(
        "Programs no longer tell which fields hold passwords. Everything you type is held back as a secret now, "
        "until you say that it may be stored again."
    ),
    LOST_STORED: tr(
        "Programs no longer tell which fields hold passwords. What you type is stored, passwords too: "
        "hold it back or pause before you type one."
    ),
    ABSENT_HELD: tr("Programs do not tell which fields hold passwords. Everything you type is held back as a secret."),
    ABSENT_STORED: tr(
        "Programs do not tell which fields hold passwords. What you type is stored, passwords too: "
        "hold it back or pause before you type one."
    ),
    HELD: tr("Everything you type is held back as a secret. Steps say that something was typed, and not what."),
}


def problem_words(problem: str) -> str:
    """What a recording says is wrong, in the user's language where it is known there."""
    return _PROBLEMS.get(problem, problem)
