"""What an evaluation says."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from demopack.domain.records import Record
from lab.evaluation.figures import Figures


class WorkerFigures(Record):
    """What the process that finds elements costs.

    Attributes:
        ready_s: from its start to its first answer, seconds; None when it was not started.
        memory_mb: most memory it ever held, MB; None where the system does not tell.
    """

    ready_s: float | None = None
    memory_mb: float | None = None


class WorstScreen(Record):
    """One of the worst screens.

    Attributes:
        folder: of its set.
        source: of the screen.
        group: of the screen.
        name: of the screen.
        quality: F1 of elements found with their right type.
        missed: true elements that were not found.
        false: found elements that are none.
        mistyped: found with another type.
    """

    folder: str
    source: str
    group: str
    name: str
    quality: float
    missed: int
    false: int
    mistyped: int


class Report(Record):
    """The figures of one finder on some screens.

    Attributes:
        schema_version: of this form.
        finder: name of the models.
        created: wall clock, UTC.
        sets: folders that were measured.
        sides: that were asked for; empty for all.
        sources: that were asked for; empty for all.
        limit: most screens of a group; None for all.
        overall: over every screen.
        by_source: the same by kind of program.
        unseen: by kind of program, only groups that no model was trained on.
        groups: by ``source/group``.
        worker: what the process costs.
        worst: the worst screens, worst first, at most three of a group.
    """

    schema_version: Literal[1] = 1
    finder: str
    created: datetime
    sets: tuple[str, ...]
    sides: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    limit: int | None = None
    overall: Figures
    by_source: dict[str, Figures] = Field(default_factory=dict[str, Figures])
    unseen: dict[str, Figures] = Field(default_factory=dict[str, Figures])
    groups: dict[str, Figures] = Field(default_factory=dict[str, Figures])
    worker: WorkerFigures = WorkerFigures()
    worst: tuple[WorstScreen, ...] = ()
