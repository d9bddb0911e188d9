"""The screens on which a finder did worst, a few of each group, so that one bad group does not hide the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lab.evaluation.judge import Judged
from lab.evaluation.report import WorstScreen

_OF_A_GROUP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Bad:
    """A screen that may be among the worst."""

    row: WorstScreen
    judged: Judged
    picture: Path

    @property
    def rank(self) -> tuple[float, int, str, str]:
        """Worst first; of equal ones those with more mistakes."""
        row = self.row
        return (row.quality, -(row.missed + row.false + row.mistyped), row.group, row.name)


@dataclass(slots=True)
class Worst:
    """Keeps the worst of each group, so that memory does not grow with the number of screens.

    Attributes:
        count: how many are wanted in the end.
    """

    count: int
    groups: dict[tuple[str, str], list[Bad]] = field(default_factory=dict[tuple[str, str], list[Bad]])

    def add(self, judged: Judged, *, folder: str, picture: Path) -> None:
        """Look at one more screen; one without a mistake is never among the worst."""
        mistyped = sum(pair.truth.type != pair.found.type for pair in judged.pairs)
        if not (judged.missed or judged.false or mistyped):
            return
        screen = judged.screen
        row = WorstScreen(
            folder=folder,
            source=screen.source,
            group=screen.group,
            name=screen.name,
            quality=round(judged.quality, 4),
            missed=len(judged.missed),
            false=len(judged.false),
            mistyped=mistyped,
        )
        group = self.groups.setdefault((screen.source, screen.group), [])
        group.append(Bad(row=row, judged=judged, picture=picture))
        group.sort(key=lambda bad: bad.rank)
        del group[_OF_A_GROUP:]

    def ranked(self) -> list[Bad]:
        """Worst first."""
        every = [bad for group in self.groups.values() for bad in group]
        return sorted(every, key=lambda bad: bad.rank)[: self.count]
