"""Cards, bank accounts, telephone numbers and IP addresses: numbers that can be checked, not only guessed."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from demopack.redaction.matches import Span

# Networks: prefix range and the lengths that are in use.
_NETWORKS: tuple[tuple[int, int, frozenset[int]], ...] = (
    (4, 4, frozenset({13, 16, 19})),  # Visa
    (51, 55, frozenset({16})),  # Mastercard
    (2221, 2720, frozenset({16})),
    (34, 34, frozenset({15})),  # American Express
    (37, 37, frozenset({15})),
    (300, 305, frozenset({14, 16})),  # Diners
    (36, 36, frozenset({14, 16})),
    (38, 39, frozenset({14, 16})),
    (6011, 6011, frozenset({16, 19})),  # Discover
    (644, 659, frozenset({16, 19})),
    (3528, 3589, frozenset({16, 19})),  # JCB
    (62, 62, frozenset({16, 17, 18, 19})),  # UnionPay
    (81, 81, frozenset({16, 19})),
    (2200, 2204, frozenset({16, 19})),  # Mir
    (5018, 5018, frozenset(range(12, 20))),  # Maestro
    (5020, 5020, frozenset(range(12, 20))),
    (5038, 5038, frozenset(range(12, 20))),
    (5893, 5893, frozenset(range(12, 20))),
    (6304, 6304, frozenset(range(12, 20))),
    (6759, 6763, frozenset(range(12, 20))),
)
_DIGIT_GROUPS = re.compile(r"(?<![\w.+])[0-9]{2,19}(?:[ \u00a0\u2009\u202f-][0-9]{2,19})*(?!\w)", re.ASCII)
_GROUP = re.compile(r"[0-9]+")


def luhn(digits: str) -> bool:
    """Whether the check digit of a card number is right."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _is_card(digits: str) -> bool:
    known = any(
        len(digits) in lengths and low <= int(digits[: len(str(low))]) <= high for low, high, lengths in _NETWORKS
    )
    return known and luhn(digits)


def cards(text: str) -> Iterator[Span]:
    """Payment cards: a prefix and a length that a network uses, and the right check digit; groups may be apart."""
    for run in _DIGIT_GROUPS.finditer(text):
        groups = [(run.start() + g.start(), run.start() + g.end()) for g in _GROUP.finditer(run.group())]
        first = 0
        while first < len(groups):
            # A date or a check number may follow the card in the same run of groups.
            last = _card_from(text, groups, first)
            if last is not None:
                start, end = groups[first][0], groups[last][1]
                yield "card", start, end
            first = first + 1 if last is None else last + 1


def _card_from(text: str, groups: list[tuple[int, int]], first: int) -> int | None:
    """The last group of the longest card that begins with one group."""
    digits, found = "", None
    if text[groups[first][0]] in "0179":
        return None  # no network begins so, and most numbers do
    for place in range(first, min(first + 10, len(groups))):
        start, end = groups[place]
        digits += text[start:end]
        if len(digits) > 19:
            break
        if len(digits) >= 12 and _is_card(digits):
            found = place
    return found


_IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29,
    "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29,
    "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28,
    "HN": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20,
    "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19,
    "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29,
    "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24,
    "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
    "YE": 30,
}  # fmt: skip
_IBAN_HEAD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[ -]?[0-9]{2}")
_IBAN_GAPS = frozenset(" -\u00a0\u2009\u202f")


def mod_97(iban: str) -> bool:
    """Whether the check digits of an IBAN (capitals and digits only) are right."""
    moved = iban[4:] + iban[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def ibans(text: str) -> Iterator[Span]:
    """Bank accounts: a country, its length, and the right check digits; groups may be apart."""
    for head in _IBAN_HEAD.finditer(text):
        length = _IBAN_LENGTHS.get(head.group()[:2].upper(), 0)
        end = _iban_end(text, head.start(), length) if length else None
        if end is not None:
            yield "iban", head.start(), end


def _iban_end(text: str, start: int, length: int) -> int | None:
    kept: list[str] = []
    for place in range(start, min(start + 2 * length, len(text))):
        char = text[place]
        if char.isascii() and char.isalnum():
            kept.append(char.upper())
        elif char not in _IBAN_GAPS:
            return None
        if len(kept) == length:
            cut = place + 1 < len(text) and text[place + 1].isalnum()
            return place + 1 if not cut and mod_97("".join(kept)) else None
    return None


_NOT_AFTER = r"(?<![\w.+/:-])(?<![0-9] )"
_PHONES = (
    # +49 171 2345678, +1 (555) 010-1234
    re.compile(r"(?<![\w.+])\+[1-9][0-9]{0,3}(?:[ ./\u00a0-]{0,2}\(?[0-9]{1,8}\)?){1,7}(?!\w)", re.ASCII),
    # 0049 171 2345678
    re.compile(_NOT_AFTER + r"00[1-9][0-9]{0,2}(?:[ ./\u00a0-]{0,2}\(?[0-9]{1,8}\)?){1,7}(?!\w)", re.ASCII),
    # (030) 123456, 0171/2345678, 020 7946 0958: a leading zero and at least one gap
    re.compile(_NOT_AFTER + r"\(?0[1-9][0-9]{0,4}\)?[ /\u00a0-]{1,2}[0-9]{3,8}(?:[ -][0-9]{2,6}){0,3}(?![:.,]\d|\w)"),
    # (555) 010-1234, 555-010-1234, 555.010.1234
    re.compile(_NOT_AFTER + r"(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[-. ])[0-9]{3}[-. ][0-9]{4}(?![\w-]|[.:]\d)"),
)
"""A number that follows another one after a blank is the rest of something longer."""


def phones(text: str) -> Iterator[Span]:
    """Telephone numbers with a country code, a leading zero and gaps, or in the North American form."""
    for pattern in _PHONES:
        for found in pattern.finditer(text):
            # The brackets of the sentence around it are not the number's own.
            opened, closed = found.group().count("("), found.group().count(")")
            start = found.start() + (opened > closed and found.group().startswith("("))
            end = found.end() - (closed > opened and found.group().endswith(")"))
            if 8 <= sum(char.isdigit() for char in found.group()) <= 15:
                yield "phone", start, end


_IPV4 = re.compile(r"(?<![\w.-])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![\w-]|\.\d)", re.ASCII)
_IPV6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]{6,39}(?![\w:])", re.ASCII)
_VERSION = re.compile(r"(?:version|release|build|v)\W{0,3}$", re.IGNORECASE)


def ips(text: str) -> Iterator[Span]:
    """Addresses of the public internet; addresses that mean the same in every house tell nothing."""
    for found in _IPV4.finditer(text):
        if not _VERSION.search(text[max(0, found.start() - 12) : found.start()]) and _is_public(found.group()):
            yield "ip", found.start(), found.end()
    for found in _IPV6.finditer(text):
        if found.group().count(":") >= 2 and _is_public(found.group()):
            yield "ip", found.start(), found.end()


def _is_public(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    # Addresses for documentation count as well: whoever writes one means somebody's address.
    house = parsed.is_loopback or parsed.is_unspecified or parsed.is_link_local or parsed.is_multicast
    example = address.startswith(("192.0.2.", "198.51.100.", "203.0.113.", "2001:db8:"))
    return not house and (parsed.is_global or example)
