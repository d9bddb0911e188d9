"""Moments from which a person looks back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from annotator.words import tr

__all__ = ["BEGINNING", "SINCE", "Since", "moment_of"]

Since = Literal["ever", "opened", "hour", "today", "chosen"]
SINCE: Final[dict[Since, str]] = {
    "ever": tr("At any time"),
    "opened": tr("Since I opened it"),
    "hour": tr("In the last hour"),
    "today": tr("Today"),
    "chosen": tr("Since a time…"),
}
"""The choices in words, in the order in which they are offered."""

BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)


def moment_of(since: Since, *, now: datetime, opened: datetime, chosen: datetime) -> datetime | None:
    """When a choice begins; None for ever.

    Args:
        since: the choice.
        now: the moment, in the time zone in which a day begins.
        opened: when the demo was opened.
        chosen: what the person chose.
    """
    return {
        "ever": None,
        "opened": opened,
        "hour": now - timedelta(hours=1),
        "today": now.replace(hour=0, minute=0, second=0, microsecond=0),
        "chosen": chosen,
    }[since]
