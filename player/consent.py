"""What a person has to know before a demo takes over: what is typed and where, and which programs are started. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demopack.domain.demos import Demo
from demopack.domain.parameters import LaunchParameters, PressKeyParameters, TypeParameters
from demopack.domain.steps import Step
from demopack.redaction.recognisers import recognise
from demopack.redaction.words import masked

__all__ = ["Keys", "Launch", "keys_of", "launches_of", "printable", "program_of", "programs_of"]

_LONGEST: Final = 60
_SHOWN: Final = {"\n": "⏎", "\t": "⇥"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """What one step sends to a program.

    Attributes:
        index: of the step, from 1.
        program: that got it in the recording; empty where the recording does not tell.
        words: what is typed or pressed, with secrets masked and long texts cut.
    """

    index: int
    program: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A program that one step starts.

    Attributes:
        index: of the step, from 1.
        program: its name, as it stands first in the command line.
        command: the whole command line.
    """

    index: int
    program: str
    command: str


def keys_of(demo: Demo) -> list[Keys]:
    """Everything that a demo types and presses, step by step."""
    found: list[Keys] = []
    for index, step in enumerate(demo.steps, start=1):
        match step.action.typed:
            case TypeParameters(text_to_type=text, submit=submit):
                words = f"types {_text(text)}{' and Enter' if submit else ''}"
            case PressKeyParameters(key_info=keys, presses=presses):
                words = f"presses {printable(keys)}{f' {presses} times' if presses > 1 else ''}"
            case _:
                continue
        found.append(Keys(index=index, program=_program(step), words=words))
    return found


def launches_of(demo: Demo) -> list[Launch]:
    """Every program that a demo starts."""
    return [
        Launch(index=index, program=program_of(typed.app), command=typed.app)
        for index, step in enumerate(demo.steps, start=1)
        if isinstance(typed := step.action.typed, LaunchParameters)
    ]


def programs_of(demo: Demo) -> list[str]:
    """The programs in whose windows a demo was recorded, in the order of their first step."""
    return list(dict.fromkeys(name for step in demo.steps if (name := _program(step))))


def program_of(command: str) -> str:
    """The program that a command line starts; the whole line where it is none."""
    try:
        words: Sequence[str] = shlex.split(command)
    except ValueError:
        words = ()
    return words[0] if words else command


def printable(text: str) -> str:
    """A text that a terminal can be given: what would move the cursor or turn the writing round is shown as a sign."""
    return "".join(_SHOWN.get(char, char if char.isprintable() else "�") for char in text)


def _program(step: Step) -> str:
    if step.window is not None and step.window.app:
        return printable(step.window.app)
    return "" if step.focused is None else printable(step.focused.app)


def _text(text: str) -> str:
    """``“hello”``; a text that was cut says how long it is."""
    safe = text
    for match in reversed(recognise(text)):
        safe = f"{safe[: match.start]}{masked(match.value)}{safe[match.end :]}"
    shown = printable(safe)
    if len(shown) <= _LONGEST:
        return f"“{shown}”"
    return f"“{shown[: _LONGEST - 1]}…” ({len(text)} characters)"
