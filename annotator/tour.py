"""Hints of the first time, in their order. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from annotator.words import tr

HintName: TypeAlias = Literal["open", "slider", "decide", "attributes", "carry", "approve", "export"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """One hint.

    Attributes:
        name: tells what it stands beside.
        title: in a few words.
        words: what can be done; ``{keys}`` are those of the actions below.
        actions: names of the editor's actions whose keys are told, in their order.
    """

    name: HintName
    title: str
    words: str
    actions: tuple[str, ...] = ()


HINTS: Final[tuple[Hint, ...]] = (
    Hint(name="open", title=tr("Open a demo"), words=tr("Double-click it, or press Enter. The tour goes on inside.")),
    Hint(
        name="slider",
        title=tr("How sure must a suggestion be?"),
        words=tr("The slider hides boxes whose finder was less sure. Nothing is changed by that."),
    ),
    Hint(
        name="decide",
        title=tr("Accept or reject"),
        words=tr("{keys}: accept or reject the suggestion and go to the next. Drag to draw what is missing."),
        actions=("accept_suggestion", "reject_suggestion"),
    ),
    Hint(
        name="attributes",
        title=tr("States by keyboard"),
        words=tr("{keys}: digits set the values of the selected element, Tab goes to the next."),
        actions=("attribute_mode",),
    ),
    Hint(
        name="carry",
        title=tr("Work once, not on every screen"),
        words=tr("{keys}: brings along from the previous step what is still there."),
        actions=("carry_over",),
    ),
    Hint(
        name="approve",
        title=tr("Approve and go on"),
        words=tr("{keys}: approves, and goes to what is next to look at. Ctrl+Z takes anything back, without end."),
        actions=("approve",),
    ),
    Hint(
        name="export",
        title=tr("Give it away"),
        words=tr("Export writes a pack. {keys} shows every key, and More shows this tour again."),
        actions=("help",),
    ),
)
