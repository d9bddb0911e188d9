"""What can be done with the selected demo: one list for its menu and for the bar under the cards."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.words import tr
from demopack.domain.demos import DemoSummary

__all__ = ["Offer", "offers_of", "told_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One thing to do.

    Attributes:
        name: ``open``, ``delete``, ``restore``, ``erase``, ``join`` or ``free``.
        words: on the button.
        tip: what will happen.
        keys: its key on the cards; empty for none.
    """

    name: str
    words: str
    tip: str
    keys: str = ""


_OPEN = Offer(name="open", words=tr("Open it"), tip=tr("Open this demo"), keys="Return")
_DELETE = Offer(name="delete", words=tr("Delete"), tip=tr("Take it off the list; it can be restored"), keys="Delete")
_RESTORE = Offer(name="restore", words=tr("Restore"), tip=tr("Put this demo back on the list"), keys="Return")
_ERASE = Offer(
    name="erase", words=tr("Erase for good …"), tip=tr("Remove this demo and its pictures from the disk"), keys="Delete"
)
_TAKE = (
    Offer(
        name="join",
        words=tr("Join"),
        tip=tr("Put this take in the place of its demo's old end; one undo takes it back"),
    ),
    Offer(name="free", words=tr("Keep as a demo"), tip=tr("Make this take a demo of its own")),
    Offer(name="delete", words=tr("Discard"), tip=tr("Take it off the list; it can be restored"), keys="Delete"),
)


def offers_of(summary: DemoSummary, *, deleted: bool) -> tuple[Offer, ...]:
    """What can be done with a demo, the likeliest first."""
    if deleted:
        return (_RESTORE, _ERASE)
    if summary.damage:
        return (_OPEN, _DELETE)
    if summary.head.status == "recording":
        return (_OPEN,)
    return (_OPEN, *_TAKE) if summary.head.take_of else (_OPEN, _DELETE)


def told_of(summary: DemoSummary | None, *, deleted: bool) -> str:
    """What has to be said about a demo before something is done with it; empty for an ordinary one."""
    if summary is None:
        return ""
    if deleted:
        return tr("Deleted demos stay on this disk until they are erased.")
    if summary.damage:
        return tr(
            "This demo is damaged and cannot be opened. {reason} “demopack repair” mends what can be mended."
        ).format(reason=summary.damage)
    if summary.head.take_of and summary.head.status != "recording":
        cut = tr(" It was cut off.") if summary.head.status == "partial" else ""
        missing = f" {summary.head.missing}" if summary.head.missing else cut
        return tr("This is a take: another demo recorded again from one of its steps on.{missing}").format(
            missing=missing
        )
    return summary.head.missing if summary.head.status == "partial" else ""
