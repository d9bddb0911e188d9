"""Says things by chance: what stands on the buttons, in the fields and in the lists of made-up windows."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "tr", "ru")


@functools.cache
def word_lists(name: str) -> dict[str, list[str]]:
    """A file of words beside this module: a language by its code, or what is the same in all of them."""
    path = Path(__file__).with_name(f"{name}.json")
    return cast("dict[str, list[str]]", json.loads(path.read_text(encoding="utf-8")))


class Speech:
    """One speaker of one language; everything it says follows from its random numbers."""

    def __init__(self, rng: random.Random, language: str) -> None:
        self._rng = rng
        self.language = language
        self._own = word_lists(language)
        self._shared = word_lists("names")
        self._pool: list[str] = []
        self.months: Sequence[str] = self._own["months"]
        self.days: Sequence[str] = self._own["days"]

    def made_up(self, count: int) -> str:
        """Words of the language in no order, now and then one that no language has: nothing to learn by heart."""
        if not self._pool:
            texts = (*self._own["sentences"], *self._own["nouns"], *self._own["options"], *self._own["fields"])
            words = {word.strip(".,;:?!()…") for text in texts for word in text.split()}
            self._pool = sorted(word for word in words if word)
        text = " ".join(self._odd(self._rng.choice(self._pool)) for _ in range(count))
        return text[:1].upper() + text[1:]

    def _odd(self, word: str) -> str:
        """A word, or its letters in another order, or with a number."""
        share = self._rng.random()
        if share < 0.85 or len(word) < 3:
            return word
        if share < 0.94:
            return "".join(self._rng.sample(word, len(word))).lower()
        return f"{word}{self._rng.choice('-_ #')}{self._rng.randint(0, 999)}"

    def menus(self, count: int) -> list[str]:
        """Different titles for a menu bar, in their usual order."""
        chosen = sorted(self._rng.sample(range(len(self._own["menus"])), min(count, len(self._own["menus"]))))
        return [self._own["menus"][i] for i in chosen]

    def action(self) -> str:
        """What a button does."""
        return self._either(self._own["actions"], 0.2, 2)

    def actions(self, count: int) -> list[str]:
        """Different actions."""
        return self._some(self._own["actions"], count)

    def field(self) -> str:
        """What a form asks for."""
        return self._rng.choice(self._own["fields"])

    def fields(self, count: int) -> list[str]:
        """Different fields."""
        return self._some(self._own["fields"], count)

    def noun(self) -> str:
        """A thing."""
        return self._either(self._own["nouns"], 0.3, 2)

    def nouns(self, count: int) -> list[str]:
        """Different things."""
        return self._some(self._own["nouns"], count)

    def option(self) -> str:
        """What can be switched on."""
        return self._rng.choice(self._own["options"])

    def options(self, count: int) -> list[str]:
        """Different options."""
        return self._some(self._own["options"], count)

    def answers(self, count: int) -> list[str]:
        """Different short answers."""
        return self._some(self._own["answers"], count)

    def sentence(self) -> str:
        """A whole sentence, or words that are as long as one."""
        if self._rng.random() < 0.4:
            return f"{self.made_up(self._rng.randint(3, 11))}."
        return self._rng.choice(self._own["sentences"])

    def paragraph(self, count: int) -> str:
        """Several sentences."""
        return " ".join(self.sentence() for _ in range(count))

    def phrase(self, words: int) -> str:
        """The first words of a sentence."""
        return " ".join(self.sentence().split()[:words]).rstrip(".,;?!")

    def name(self) -> str:
        """A person's full name."""
        return f"{self._one('first')} {self._one('last')}"

    def city(self) -> str:
        """A town."""
        return self._one("cities")

    def email(self) -> str:
        """An address of nobody."""
        return f"{self._one('first')}.{self._one('last')}@{self._one('hosts')}".lower()

    def url(self) -> str:
        """An address of a page."""
        return f"https://{self._one('hosts')}/{self._one('stems')}/{self._rng.randrange(900)}"

    def file_name(self) -> str:
        """A file with an ending."""
        number = f"{self._rng.choice('-_ ')}{self._rng.randrange(1, 400)}" if self._rng.random() < 0.5 else ""
        return f"{self._one('stems')}{number}{self._one('endings')}"

    def path(self) -> str:
        """Where a file lies."""
        parts = [self.noun().replace(" ", "_") for _ in range(self._rng.randint(1, 3))]
        return "/".join(["", "home", self._one("first").lower(), *parts])

    def number(self, top: int = 10_000) -> str:
        """A number, sometimes with digits after the point."""
        if self._rng.random() < 0.4:
            return f"{self._rng.uniform(0, top):.{self._rng.randint(1, 3)}f}"
        return str(self._rng.randrange(top))

    def price(self) -> str:
        """An amount of money."""
        value = f"{self._rng.uniform(1, 3000):,.2f}"
        return self._rng.choice((f"${value}", f"€ {value}", f"{value} €", f"£{value}", f"{value} kr"))

    def date(self) -> str:
        """A day in one of several forms."""
        day, month, year = self._rng.randint(1, 28), self._rng.randint(1, 12), self._rng.randint(1998, 2031)
        forms = (
            f"{year}-{month:02}-{day:02}",
            f"{day:02}.{month:02}.{year}",
            f"{month}/{day}/{year % 100:02}",
            f"{day} {self.months[month - 1]} {year}",
        )
        return self._rng.choice(forms)

    def clock(self) -> str:
        """A time of day."""
        return f"{self._rng.randrange(24):02}:{self._rng.randrange(60):02}"

    def amount(self) -> str:
        """A size of a file."""
        return f"{self._rng.uniform(1, 999):.1f} {self._rng.choice(('KB', 'MB', 'GB', 'kB', 'MiB'))}"

    def cell(self) -> str:
        """What may stand in a table."""
        makers = (self.number, self.price, self.date, self.name, self.noun, self.city, self.file_name, self.clock)
        return self._rng.choice(makers)()

    def code(self, lines: int) -> list[str]:
        """Lines that look like a program."""
        return [self._code_line() for _ in range(lines)]

    def _code_line(self) -> str:
        line = self._one("code").replace("{a}", self._one("names")).replace("{b}", self._one("names"))
        return line.replace("{c}", self._one("stems")).replace("{n}", str(self._rng.randrange(100)))

    def _one(self, pool: str) -> str:
        return self._rng.choice(self._shared[pool])

    def _either(self, pool: Sequence[str], share: float, words: int) -> str:
        """One of the pool, or made-up words in this share of all cases."""
        if self._rng.random() < share:
            return self.made_up(self._rng.randint(1, words))
        return self._rng.choice(pool)

    def _some(self, pool: Sequence[str], count: int) -> list[str]:
        unique = list(dict.fromkeys(pool))
        chosen = self._rng.sample(unique, min(count, len(unique)))
        made_up = (self.made_up(self._rng.randint(1, 3)) if self._rng.random() < 0.25 else text for text in chosen)
        return list(dict.fromkeys(made_up))
