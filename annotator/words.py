"""The user's language: whatever a person reads in the app goes through :func:`tr`.

The texts in the code are English; they are the keys of the translations in ``assets/translations``. What varies stands
in braces and is filled in after translating: ``tr("{count} steps").format(count=7)``. Texts at module level are
translated when their module is imported: a language is chosen before any window is made, and holds until the app ends.
"""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Callable, Sequence

from demopack.domain.elements import ELEMENT_TYPES
from demopack.domain.roles import TYPES_OF_ROLES


class _Translation:
    translate: Callable[[str], str] | None = None


def tr(text: str) -> str:
    """A text in the user's language; the text itself where it has no translation."""
    translate = _Translation.translate
    return text if translate is None else (translate(text) or text)


def capital(text: str) -> str:
    """A text at the beginning of a line; the rest stays as it is, because some languages write nouns large."""
    return text[:1].upper() + text[1:]


def date_words(day: dt.date) -> str:
    """A day as a person writes it."""
    months = (
        tr("Jan"), tr("Feb"), tr("Mar"), tr("Apr"), tr("May"), tr("Jun"), tr("Jul"), tr("Aug"), tr("Sep"), tr("Oct"),
        tr("Nov"), tr("Dec"),
    )  # fmt: skip
    return tr("{day} {month} {year}").format(day=day.day, month=months[day.month - 1], year=day.year)


def number_words(count: int) -> str:
    """A count with its thousands apart, by a narrow space: that is read in every language."""
    return f"{count:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def clock_words(seconds: int) -> str:
    """A length of time as a clock shows it, for instance ``00:42`` or ``1:02:03``."""
    hours, rest = divmod(seconds, 3600)
    clock = f"{rest // 60:02}:{rest % 60:02}"
    return f"{hours}:{clock}" if hours else clock


def key_words(keys: str) -> str:
    """A key, alone or with others held, as keyboards of the user's language name it; ``ctrl+A`` is ``Ctrl+A``."""
    names = {"ctrl": tr("Ctrl"), "alt": tr("Alt"), "shift": tr("Shift"), "meta": tr("Meta")}
    held, plus, key = keys.rpartition("+") if not keys.endswith("+") else (keys[:-2], keys[-2:-1], keys[-1:])
    parts = [names.get(part.casefold(), part) for part in held.split("+")] if held else []
    return "+".join([*parts, names.get(key.casefold(), key)]) if plus or held else names.get(keys.casefold(), keys)


def role_word(role: str) -> str:
    """A role of accessibility interfaces, or a type of elements, in the user's language where it has a word for it."""
    kind = TYPES_OF_ROLES.get(role, role)
    return tr(kind.replace("_", " ")) if kind in ELEMENT_TYPES and kind != "other" else role


def spoken_in(text: str, sentences: Sequence[str]) -> str:
    """What another room says, in the user's language as far as it is known there.

    Args:
        text: English.
        sentences: what it may hold, with a name in braces for what varies; longer ones come before their parts.
    """
    for english in sentences:
        words = tr(english)
        if words != english:
            text = _pattern(english).sub(functools.partial(_filled, words), text)
    return text


def _filled(words: str, found: re.Match[str]) -> str:
    varies = found.groupdict()
    for name in varies.keys() & {"key", "keys"}:
        varies[name] = ", ".join(map(key_words, varies[name].split(", ")))
    for name in varies.keys() & {"role", "old_role"}:
        varies[name] = role_word(varies[name])
    return words.format(**varies)


@functools.cache
def _pattern(english: str) -> re.Pattern[str]:
    roles = re.sub(r"\\{(\w*role)\\}", r"(?P<\1>[a-z_ ]+)", re.escape(english))
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", roles), re.DOTALL)


def set_translation(translate: Callable[[str], str] | None) -> None:
    """Translate by this from now on; None for English.

    Args:
        translate: gives an empty text where it knows none.
    """
    _Translation.translate = translate
