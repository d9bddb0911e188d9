"""Consent to a replay: what a demo types and where, and which programs it starts. Pure."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from demopack.domain.actions import LaunchAction, PressKeyAction, TypeAction
from demopack.domain.demos import Demo
from demopack.domain.keys import parse_key_info
from demopack.domain.steps import Step
from demopack.domain.words import Translate
from demopack.redaction.recognisers import recognise
from demopack.redaction.summary import masked

_LONGEST: Final = 120
_LONGEST_SENT: Final = 2000  # of a text that Enter may follow: each part of it may be a command
_SHOWN: Final = {"\n": "⏎", "\r": "⏎", "\t": "⇥"}
_RUN: Final = 3  # blanks in a row that are shown by their number
_BLANK: Final = "\u00ad\u115f\u1160\u2800\u3164\uffa0"  # that Unicode calls letters and signs, and nobody sees
_PIECE: Final = re.compile(rf"[\s{_BLANK}]+|[^\s{_BLANK}]")
_SENDS: Final = (frozenset({"Enter"}), frozenset({"Ctrl", "J"}), frozenset({"Ctrl", "M"}))


@dataclass(frozen=True, slots=True, kw_only=True)
class SentKeys:
    """What one step sends to a program.

    Attributes:
        index: of the step, from 1.
        program: that got it in the recording; empty where the recording does not tell.
        words: what is typed or pressed, with secrets masked; of long texts that no Enter follows, beginning and end.
    """

    index: int
    program: str
    words: str


def keys_of(demo: Demo, *, tr: Translate = str) -> list[SentKeys]:
    """Everything that a demo types and presses, step by step; ``tr`` translates the words around it."""
    found: list[SentKeys] = []
    last_sent = max((index for index, step in enumerate(demo.steps, start=1) if _sends(step)), default=0)
    for index, step in enumerate(demo.steps, start=1):
        match step.action:
            case TypeAction(text_to_type=text, submit=submit):
                longest = _LONGEST_SENT if index <= last_sent else _LONGEST
                typed = _text(text, longest=longest, tr=tr)
                words = (tr("types {text} and Enter") if submit else tr("types {text}")).format(text=typed)
            case PressKeyAction(key_info=keys, presses=presses):
                pressed = tr("presses {keys} {count} times") if presses > 1 else tr("presses {keys}")
                words = pressed.format(keys=printable(keys), count=presses)
            case _:
                continue
        found.append(SentKeys(index=index, program=_program(step), words=words))
    return found


def values_words(values: Mapping[str, str]) -> str:
    """Values of variables as they are shown before they are typed: ``name “Bo Li”, city “Oslo”``."""
    return ", ".join(f"{printable(name)} {_text(value, longest=_LONGEST_SENT)}" for name, value in values.items())


def launches_of(demo: Demo) -> list[tuple[int, str]]:
    """The number of each step, from 1, that starts a program, and its whole command line."""
    return [
        (index, step.action.app)
        for index, step in enumerate(demo.steps, start=1)
        if isinstance(step.action, LaunchAction)
    ]


def programs_of(demo: Demo) -> list[str]:
    """The programs in whose windows a demo was recorded, in the order of their first step."""
    return list(dict.fromkeys(name for step in demo.steps if (name := _program(step))))


def program_of(command: str) -> str:
    """The program that a command line starts; the whole line where it is none."""
    try:
        words: Sequence[str] = command_words(command)
    except ValueError:
        words = ()
    return words[0] if words else command


def command_words(command: str) -> list[str]:
    """The program and the arguments of a command line, as the system that it is for divides one.

    On Windows a backslash divides folders and only double quotes hold words together.

    Raises:
        ValueError: a quote is not closed.
    """
    is_windows = sys.platform == "win32"
    if not is_windows:
        return shlex.split(command)
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters, words.escape, words.quotes = True, "", "", '"'
    return list(words)


def quoted(word: str) -> str:
    """A word as one writes it into a command line of this system."""
    return subprocess.list2cmdline([word]) if sys.platform == "win32" else shlex.quote(word)


def printable(text: str) -> str:
    """A text that a terminal can be given: what would move the cursor or turn the writing round is shown as a sign.

    Many blanks in a row are shown by their number (``[40 ␣]``): they could push what follows out of sight.
    """
    return "".join(shown for shown, _ in _pieces(text))


def _pieces(text: str) -> list[tuple[str, int]]:
    """What a text is shown as, piece by piece, and how many of its characters each piece is."""
    return [(_shown(piece), len(piece)) for piece in _PIECE.findall(text)]


def _shown(piece: str) -> str:
    sign = "".join(_SHOWN.get(c, "�" if c in _BLANK or not c.isprintable() else c) for c in piece)
    if len(piece) < _RUN:
        return sign
    counted = {mark: sign.count(mark) for mark in dict.fromkeys(sign)}
    runs = (f"{count} {'␣' if mark == ' ' else mark}" for mark, count in counted.items())
    return f"[{', '.join(runs)}]"


def _sends(step: Step) -> bool:
    """Whether a step sends Enter, after which what was typed may be done."""
    match step.action:
        case TypeAction(text_to_type=text, submit=submit):
            return submit or "\n" in text or "\r" in text
        case PressKeyAction(key_info=keys):
            return any(sent <= frozenset(parse_key_info(keys)) for sent in _SENDS)
        case _:
            return False


def _program(step: Step) -> str:
    if step.window is not None and step.window.app:
        return printable(step.window.app)
    return "" if step.focused is None else printable(step.focused.app)


def _text(text: str, *, longest: int, tr: Translate = str) -> str:
    """``“hello”``; of a longer text its beginning and its end, and how much there is between."""
    safe = text
    for match in reversed(recognise(text)):
        safe = f"{safe[: match.start]}{masked(match.value)}{safe[match.end :]}"
    pieces = _pieces(safe)
    if sum(len(shown) for shown, _ in pieces) <= longest:
        return tr("“{text}”").format(text="".join(shown for shown, _ in pieces))
    head = _first(pieces, longest // 2)
    tail = _first(pieces[: len(head) - 1 : -1], longest // 2)[::-1]
    between = sum(count for _, count in pieces[len(head) : len(pieces) - len(tail)])
    start, end = ("".join(shown for shown, _ in part) for part in (head, tail))
    cut = tr("“{start}” … {between} more characters … “{end}” ({total} characters)")
    return cut.format(start=start, between=between, end=end, total=len(text))


def _first(pieces: Sequence[tuple[str, int]], longest: int) -> list[tuple[str, int]]:
    """The first pieces that fit into a length."""
    taken: list[tuple[str, int]] = []
    for piece in pieces:
        longest -= len(piece[0])
        if longest < 0:
            break
        taken.append(piece)
    return taken
