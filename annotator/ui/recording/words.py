"""What the start panel says about privacy and about what it tried out; knows no Qt."""

from __future__ import annotations

from typing import Final

from annotator.words import tr
from demopack.settings import PrivacySettings
from recorder.privacy.text_hold import ABSENT_HELD, ABSENT_STORED, HELD, LOST_HELD, LOST_STORED

__all__ = ["CHECK_TITLES", "privacy_words", "problem_title", "spoken"]

CHECK_TITLES: Final[dict[str, str]] = {
    "input": tr("Input"),
    "pictures": tr("Pictures"),
    "accessibility": tr("Accessibility"),
    "disk": tr("Disk"),
    "hotkeys": tr("Hot-keys"),
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


_SENTENCES: Final[dict[str, str]] = {
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
    "Programs tell nothing about their fields, so passwords cannot be recognised.": tr(
        "Programs tell nothing about their fields, so passwords cannot be recognised."
    ),
    "Switched off in the settings: nobody tells which fields hold passwords.": tr(
        "Switched off in the settings: nobody tells which fields hold passwords."
    ),
    "Everything you type is held back as a secret.": tr("Everything you type is held back as a secret."),
    "What you type is stored, passwords too.": tr("What you type is stored, passwords too."),
    "Install at-spi2-core and log in again; until then pause before you type one.": tr(
        "Install at-spi2-core and log in again; until then pause before you type one."
    ),
    "Switch it on under Privacy, or pause before you type one.": tr(
        "Switch it on under Privacy, or pause before you type one."
    ),
    "Pause before you type one.": tr("Pause before you type one."),
    "Keyboard and mouse can no longer be watched.": tr("Keyboard and mouse can no longer be watched."),
    "Everything up to now is kept. Start a new recording.": tr("Everything up to now is kept. Start a new recording."),
    "Your input arrives, but no pictures of the screen do.": tr(
        "Your input arrives, but no pictures of the screen do."
    ),
    "No input has been seen yet. If you did something, input cannot be watched here.": tr(
        "No input has been seen yet. If you did something, input cannot be watched here."
    ),
}
"""What the recorder says, which knows no other language; longer texts come before their parts."""

_TITLES: Final[dict[str, str]] = {
    LOST_HELD: tr("Text is held back"),
    ABSENT_HELD: tr("Text is held back"),
    ABSENT_STORED: tr("Passwords are stored"),
    # Both come of what the person has just said.
    LOST_STORED: "",
    HELD: "",
}


def spoken(text: str) -> str:
    """What the recorder says, in the user's language as far as it is known there."""
    for english, words in _SENTENCES.items():
        text = text.replace(english, words)
    return text


def problem_title(problem: str) -> str:
    """A problem in the few words that the bar has room for; empty where nothing need be said."""
    return _TITLES.get(problem, spoken(problem).partition(". ")[0].removesuffix("."))
