"""Texts for a page, drawn by chance from one language: names, dates, prices, messages, sentences."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from lab.screens.web.languages.english import ENGLISH
from lab.screens.web.languages.french import FRENCH
from lab.screens.web.languages.german import GERMAN
from lab.screens.web.languages.greek import GREEK
from lab.screens.web.languages.latin import LATIN
from lab.screens.web.languages.locale import Locale
from lab.screens.web.languages.russian import RUSSIAN
from lab.screens.web.languages.spanish import SPANISH

LANGUAGES = {t.code: t for t in (ENGLISH, GERMAN, FRENCH, SPANISH, RUSSIAN, GREEK, *LATIN)}
_SHARES = {"en": 46, "de": 10, "fr": 10, "es": 10, "ru": 5, "el": 4, **{t.code: 3 for t in LATIN}}
_LATIN = frozenset({"en", "de", "fr", "es", *(t.code for t in LATIN)})
_ENDINGS = ("pdf", "txt", "png", "jpg", "docx", "xlsx", "csv", "zip", "py", "md", "mp3", "html", "json", "svg", "odt")
_ASCII = str.maketrans("äöüßéèêàçñóíáúôîë", "aouseeeacnoiauoie")
_T = TypeVar("_T")


def pick_language(rng: Random) -> str:
    """A language code; English most often."""
    return rng.choices(list(_SHARES), weights=list(_SHARES.values()))[0]


class Words:
    """Texts in one language.

    Args:
        rng: where chance comes from.
        code: a key of ``LANGUAGES``.
    """

    def __init__(self, rng: Random, *, code: str) -> None:
        self._rng = rng
        self.locale: Locale = LANGUAGES[code]
        self._pool: list[str] = []

    # Made up --------------------------------------------------------------------------------------------------------

    def made_up(self, count: int) -> str:
        """Words of the language in no order, now and then one that no language has: nothing to learn by heart."""
        if not self._pool:
            texts = (*self.locale.phrases, *self.locale.sentences, *self.locale.things, *self.locale.labels)
            self._pool = sorted({word.strip(".,;:?!()") for text in texts for word in text.split() if "{" not in word})
            self._pool = [word for word in self._pool if word]
        found = [self._odd(self._rng.choice(self._pool)) for _ in range(count)]
        text = " ".join(found)
        return text[:1].upper() + text[1:]

    def _odd(self, word: str) -> str:
        """A word, or its letters in another order, or with a number."""
        share = self._rng.random()
        if share < 0.85 or len(word) < 3:
            return word
        if share < 0.94:
            return "".join(self._rng.sample(word, len(word))).lower()
        return f"{word}{self._rng.choice('-_ #')}{self._rng.randint(0, 999)}"

    # Single words -----------------------------------------------------------------------------------------------

    def command(self, subtype: str) -> str | None:
        """What a button with this icon says; None when the language has no word for it."""
        return self.locale.commands.get(subtype)

    def any_command(self) -> tuple[str, str]:
        """An icon subtype and its word."""
        return self._rng.choice(sorted(self.locale.commands.items()))

    def verb(self) -> str:
        """The word of a button."""
        return (
            self.made_up(self._rng.randint(1, 2)) if self._rng.random() < 0.2 else self._rng.choice(self.locale.verbs)
        )

    def label(self) -> str:
        """The name of a field."""
        return (
            self.made_up(self._rng.randint(1, 2)) if self._rng.random() < 0.2 else self._rng.choice(self.locale.labels)
        )

    def setting(self) -> str:
        """The name of something to switch on or off."""
        return (
            self.made_up(self._rng.randint(1, 4))
            if self._rng.random() < 0.25
            else self._rng.choice(self.locale.settings)
        )

    def thing(self) -> str:
        """What is sold, filed or talked of."""
        return (
            self.made_up(self._rng.randint(1, 3)) if self._rng.random() < 0.3 else self._rng.choice(self.locale.things)
        )

    def heading(self) -> str:
        """The title of a column."""
        return (
            self.made_up(self._rng.randint(1, 2))
            if self._rng.random() < 0.2
            else self._rng.choice(self.locale.headings)
        )

    def status(self) -> str:
        """The word of a badge."""
        return (
            self.made_up(self._rng.randint(1, 1))
            if self._rng.random() < 0.2
            else self._rng.choice(self.locale.statuses)
        )

    def folder(self) -> str:
        """A place of a mailbox or disk."""
        return (
            self.made_up(self._rng.randint(1, 2))
            if self._rng.random() < 0.25
            else self._rng.choice(self.locale.folders)
        )

    def first(self) -> str:
        """A given name."""
        return self._rng.choice(self.locale.firsts)

    def name(self) -> str:
        """A person's full name."""
        return f"{self.first()} {self._rng.choice(self.locale.lasts)}"

    def city(self) -> str:
        """A place."""
        return self._rng.choice(self.locale.cities)

    def phrase(self) -> str:
        """Two to six words."""
        return (
            self.made_up(self._rng.randint(2, 6)) if self._rng.random() < 0.4 else self._rng.choice(self.locale.phrases)
        )

    def menus(self, count: int) -> list[str]:
        """The first entries of a menu bar."""
        return list(self.locale.menus[:count])

    def several(self, words: Sequence[_T], count: int) -> list[_T]:
        """Different entries, as many as there are at most."""
        return self._rng.sample(list(words), min(count, len(words)))

    def short(self) -> str:
        """Any short text."""
        makers = (self.verb, self.thing, self.name, self.city, self.phrase, self.date, self.price, self.status)
        return self._rng.choice(makers)()

    # Longer texts -----------------------------------------------------------------------------------------------

    def sentence(self) -> str:
        """One whole sentence, or words that are as long as one."""
        if self._rng.random() < 0.4:
            return f"{self.made_up(self._rng.randint(4, 12))}."
        text = self._rng.choice(self.locale.sentences)
        return text.format(name=self.name(), city=self.city(), thing=self.thing().lower(), n=self._rng.randint(2, 28))

    def paragraph(self, sentences: int = 3) -> str:
        """Some sentences."""
        return " ".join(self.sentence() for _ in range(sentences))

    # Figures ----------------------------------------------------------------------------------------------------

    def number(self, most: int = 9999) -> str:
        """A whole number, now and then with its thousands set apart."""
        value = self._rng.randint(0, most)
        if value > 999 and self._rng.random() < 0.5:
            return f"{value:,}".replace(",", "," if self.locale.decimal == "." else ".")
        return str(value)

    def decimal(self, most: float = 100, *, digits: int = 2) -> str:
        """A number with digits behind the sign of the language."""
        return f"{self._rng.uniform(0, most):.{digits}f}".replace(".", self.locale.decimal)

    def percent(self) -> str:
        """A share."""
        return f"{self.decimal(100, digits=self._rng.randint(0, 1))}{self._rng.choice(['%', ' %'])}"

    def price(self) -> str:
        """An amount of money."""
        amount = self.decimal(self._rng.choice([20, 100, 900]))
        if self.locale.code == "en":
            return f"{self._rng.choice('$£€$')}{amount}"
        return f"{amount} {self._rng.choice(['€', '€', 'CHF' if self.locale.code in 'defr' else '$'])}"

    def date(self) -> str:
        """A day in one of the usual ways to write it."""
        rng = self._rng
        day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1996, 2027)
        name = self.locale.months[month - 1]
        forms = (
            f"{year}-{month:02}-{day:02}", f"{day:02}.{month:02}.{year}", f"{day:02}/{month:02}/{year}",
            f"{day} {name} {year}", f"{name[:3]} {day}", f"{month}/{day}/{year % 100:02}",
        )  # fmt: skip
        return rng.choice(forms)

    def time(self) -> str:
        """A time of day."""
        hour, minute = self._rng.randint(0, 23), self._rng.choice([0, 5, 12, 15, 30, 37, 45, 59])
        if self.locale.code == "en" and self._rng.random() < 0.5:
            return f"{hour % 12 or 12}:{minute:02} {'PM' if hour > 11 else 'AM'}"
        return f"{hour:02}:{minute:02}"

    def size(self) -> str:
        """How large a file is."""
        return f"{self.decimal(900, digits=self._rng.randint(0, 1))} {self._rng.choice(['KB', 'MB', 'GB', 'kB'])}"

    def phone(self) -> str:
        """A telephone number."""
        rng = self._rng
        return f"+{rng.randint(1, 49)} {rng.randint(100, 999)} {rng.randint(100, 999)} {rng.randint(1000, 9999)}"

    def email(self) -> str:
        """An address of the example domains."""
        latin = self if self.locale.code in _LATIN else Words(self._rng, code="en")
        first = "".join(c for c in latin.first().lower().translate(_ASCII) if c.isascii() and c.isalnum())
        host = self._rng.choice(["example.com", "example.org", "mail.example", "example.net"])
        return f"{first}{self._rng.choice(['', '.', '_'])}{self._rng.randint(1, 99)}@{host}"

    def site(self) -> str:
        """An address of a page."""
        path = self._rng.choice(["", "/shop", "/docs/start", "/login", "/search?q=lamp", "/a/1042", "/news"])
        return f"{self._rng.choice(['https://', 'www.', ''])}{self._rng.choice(['example.com', 'example.org'])}{path}"

    def file_name(self) -> str:
        """A name with an ending."""
        stem = self.thing()
        stem = self._rng.choice([stem, stem.lower().replace(" ", "_"), stem.replace(" ", "-"), f"IMG_{self.number()}"])
        return f"{stem.replace('.', '').replace(',', '')}.{self._rng.choice(_ENDINGS)}"

    def value(self, label: str) -> str:
        """What someone might have typed into a field; not always what the label asks for."""
        del label  # a field's content is read, not understood
        makers = (self.name, self.city, self.email, self.phone, self.date, self.thing, self.price, self.number)
        return self._rng.choice(makers)()
