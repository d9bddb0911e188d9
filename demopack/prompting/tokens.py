"""How many tokens a prompt has, about: a rule that needs no network and no tokenizer, the same on every machine.

Counted are, each as one: runs of up to eight letters of an alphabet, runs of up to three digits, every ideograph, runs
of one and the same sign, line ends. Two letters of other alphabets than the Latin one count as one. A picture counts
as its pixels over 750. Every message costs four on top.
"""

from __future__ import annotations

import math
import re
from typing import Final

__all__ = ["MESSAGE_TOKENS", "picture_tokens", "text_tokens"]

MESSAGE_TOKENS: Final = 4
_LETTERS, _DIGITS, _OTHER_LETTERS, _PIXELS = 8, 3, 2, 750
_PIECE = re.compile(
    r"(?P<latin>[A-Za-z\u00c0-\u024f]+)"
    r"|(?P<digits>[0-9]+)"
    r"|(?P<ideograph>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])"
    r"|(?P<other>[^\W\d_]+)"
    r"|(?P<space>[ \t]+)"
    r"|(?P<sign>(?P<one>.)(?P=one)*)",
    re.DOTALL,
)


def text_tokens(text: str) -> int:
    """About how many tokens a text has."""
    total = 0
    for match in _PIECE.finditer(text):
        kind, length = match.lastgroup, match.end() - match.start()
        if kind == "latin":
            total += math.ceil(length / _LETTERS)
        elif kind == "digits":
            total += math.ceil(length / _DIGITS)
        elif kind == "other":
            total += math.ceil(length / _OTHER_LETTERS)
        elif kind != "space":
            # One blank belongs to the word after it; only indentation costs.
            total += 1
        else:
            total += length > 1
    return total


def picture_tokens(width: int, height: int) -> int:
    """About how many tokens a picture has."""
    return math.ceil(width * height / _PIXELS)
