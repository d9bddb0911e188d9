"""What trajectory formats share: the clock, the picture after a step, and a file for each demo."""

from __future__ import annotations

from datetime import datetime, timedelta

from demopack.pack.formats.output import EXPORT_LOG
from demopack.pack.names import safe_name
from demopack.pack.rows import StepRow, StoredFrame
from demopack.pack.stream import DemoRows

__all__ = ["after", "demo_name", "when"]


def after(demo: DemoRows, row: StepRow) -> StoredFrame | None:
    """The picture after a step: its own, else the next step's, else the last of the demo."""
    if row.after is not None:
        return row.after
    if row.index + 1 < len(demo.steps):
        return demo.steps[row.index + 1].before
    return demo.head.final_frame or row.before


def when(demo: DemoRows, row: StepRow) -> datetime:
    """Wall clock of a step's first event; the start of the demo where that is not known."""
    return demo.head.created_at + timedelta(milliseconds=row.t_ms or 0.0)


def demo_name(demo: DemoRows) -> str:
    """A file name for the demo; never that of the log."""
    name = safe_name(demo.head.demo)
    return f"{name}_" if name == EXPORT_LOG.removesuffix(".json") else name
