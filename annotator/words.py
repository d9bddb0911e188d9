"""The user's language: whatever a person reads in the app goes through :func:`tr`.

The texts in the code are English; they are the keys of the translations in ``assets/translations``. What varies stands
in braces and is filled in after translating: ``tr("{count} steps").format(count=7)``. Texts at module level are
translated when their module is imported: a language is chosen before any window is made, and holds until the app ends.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["is_translated", "speak", "tr"]


class _Tongue:
    translate: Callable[[str], str] | None = None


def tr(text: str) -> str:
    """A text in the user's language; the text itself where it has no translation."""
    translate = _Tongue.translate
    return text if translate is None else (translate(text) or text)


def is_translated() -> bool:
    """Whether another language than English is spoken."""
    return _Tongue.translate is not None


def speak(translate: Callable[[str], str] | None) -> None:
    """Translate by this from now on; None for English.

    Args:
        translate: gives an empty text where it knows none.
    """
    _Tongue.translate = translate
