"""Made-up secrets and personal data, put together at run time: no scanner finds one in our files, and none is real."""

from __future__ import annotations

import random
import string

_CHARS = string.ascii_letters + string.digits
_CARD_FORMS = [("4", 16), ("4", 13), ("51", 16), ("55", 16), ("2221", 16), ("34", 15), ("37", 15), ("6011", 16),
               ("36", 14), ("3528", 16), ("62", 16), ("65", 16)]  # fmt: skip
_IBAN_FORMS = [("DE", "d" * 18), ("GB", "llll" + "d" * 14), ("FR", "d" * 10 + "c" * 11 + "dd"),
               ("NL", "llll" + "d" * 10),
               ("NO", "d" * 11), ("MT", "llll" + "d" * 5 + "c" * 18), ("CH", "d" * 5 + "c" * 12)]  # fmt: skip


def randomly(size: int, chars: str = _CHARS, *, seed: int = 7) -> str:
    """The same thrown text for the same arguments."""
    rng = random.Random(f"{size}{chars}{seed}")
    return "".join(rng.choice(chars) for _ in range(size))


def make_card(rng: random.Random) -> str:
    """A card number with the right check digit, no separators."""
    prefix, size = rng.choice(_CARD_FORMS)
    body = prefix + "".join(rng.choice(string.digits) for _ in range(size - len(prefix) - 1))
    total = sum(sum(divmod(int(char) * (2 if place % 2 == 0 else 1), 10)) for place, char in enumerate(reversed(body)))
    return body + str(-total % 10)


def make_iban(rng: random.Random) -> str:
    """An account number with the right check digits, no separators."""
    country, form = rng.choice(_IBAN_FORMS)
    pools = {"d": string.digits, "l": string.ascii_uppercase, "c": string.digits + string.ascii_uppercase}
    body = "".join(rng.choice(pools[char]) for char in form)
    number = int("".join(str(int(char, 36)) for char in f"{body}{country}00"))
    return f"{country}{98 - number % 97:02}{body}"


CARDS = [make_card(random.Random(seed)) for seed in range(6)]
IBANS = [make_iban(random.Random(seed)) for seed in range(6)]

PRIVATE: list[tuple[str, str]] = [
    ("email", "jane.doe+news@mail.example.com"),
    ("email", "jürgen@bücher.example"),
    ("phone", "+49 171 2345678"),
    ("phone", "+1 (555) 010-1234"),
    ("phone", "0049 30 1234567"),
    ("phone", "0171/2345678"),
    ("phone", "020 7946 0958"),
    ("phone", "(555) 010-1234"),
    ("phone", "555-010-1234"),
    *(("card", card) for card in CARDS),
    *(("iban", iban) for iban in IBANS),
    ("ip", "203.0.113.77"),
    ("ip", "2001:db8::8a2e:370:7334"),
    ("token", "AK" + "IA" + randomly(16, string.ascii_uppercase + string.digits)),
    ("token", "gh" + "p_" + randomly(36)),
    ("token", "github" + "_pat_" + randomly(22) + "_" + randomly(59)),
    ("token", "gl" + "pat-" + randomly(20)),
    ("token", "xox" + "b-" + randomly(12, string.digits) + "-" + randomly(12, string.digits) + "-" + randomly(24)),
    ("token", "AI" + "za" + randomly(35)),
    ("token", "sk_" + "live_" + randomly(24)),
    ("token", "sk" + "-proj-" + randomly(48)),
    ("token", "sk" + "-ant-api03-" + randomly(90)),
    ("token", "npm" + "_" + randomly(36)),
    ("token", "SG" + "." + randomly(22) + "." + randomly(43)),
    ("token", "eyJ" + randomly(33) + "." + randomly(60) + "." + randomly(43)),
    ("token", randomly(32, "0123456789abcdef") + "-us7"),
    ("key", randomly(32)),
    ("key", randomly(40, _CHARS, seed=3) + "=="),
    ("key", randomly(40, "0123456789abcdef")),
]
"""Kind and value; each is found whole."""
