"""Puts a step into a vocabulary, and counts what that loses."""

from __future__ import annotations

from demopack.pack.formats.acts import act_of
from demopack.pack.formats.output import Output
from demopack.pack.formats.spoken import WHY, Dialect, Spoken
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows, named

__all__ = ["hear"]


def hear(output: Output, dialect: Dialect, demo: DemoRows, row: StepRow) -> Spoken | None:
    """The step in a vocabulary; None where it has no word for it, which is counted as left out."""
    spoken = dialect.say(act_of(row, demo))
    where = named(row)
    if spoken.silent:
        code = spoken.losses[0] if spoken.losses else "no_word"
        output.left_out.add(code, WHY[code], where)
        return None
    for code in spoken.losses:
        output.lost.add(code, WHY[code], where)
    return spoken
