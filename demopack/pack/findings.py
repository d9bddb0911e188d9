"""Findings of a check: no more of each rule than a person can use, and nothing that only repeats another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a pack.

    Attributes:
        rule: the stable id, for instance ``G05``.
        severity: an error makes the pack unfit; a warning should be looked at.
        file: path inside the pack.
        line: of that file, from 1; None where the file as a whole is meant.
        message: what is wrong, with the values.
        fix: what to do about it.
    """

    rule: str
    severity: Severity
    file: str
    line: int | None
    message: str
    fix: str

    def to_json(self) -> dict[str, Any]:
        """All fields as a plain dict."""
        return asdict(self)

    def as_error(self) -> Finding:
        """The same as an error, where more is asked of a pack than usual."""
        return replace(self, severity="error")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What was looked at, and what was found.

    Attributes:
        kind: what the folder is: one of :data:`demopack.pack.report.KINDS`.
        findings: errors first.
        checked: ids of the rules that were applied.
        skipped: rule id -> why it could not be applied.
        files: how many were looked at.
        unchanged: of these, known from an earlier check and not read again.
    """

    kind: str
    findings: Sequence[Finding]
    checked: Sequence[str]
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    files: int = 0
    unchanged: int = 0

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return all(finding.severity != "error" for finding in self.findings)


_MAX_OF_A_RULE = 1000


class Findings:
    """What a check has found so far.

    Where rows are missing or belong to nobody, everything that counts or joins them would only repeat that. Such
    findings are given to :meth:`join` and :meth:`count`, and dropped at the end if the tables turned out broken.

    Attributes:
        torn: whether a table is missing or has lines that cannot be read.
        mixed: whether rows belong to nobody, or do not stand together.
    """

    def __init__(self) -> None:
        self.torn = False
        self.mixed = False
        self._plain: list[Finding] = []
        self._joining: list[Finding] = []
        self._counting: list[Finding] = []
        self._times: Counter[str] = Counter()

    def add(self, *found: Finding) -> None:
        """Keep findings that stand by themselves."""
        self._keep(self._plain, found)

    def join(self, found: Iterable[Finding]) -> None:
        """Keep findings that hold only where every row can be read."""
        self._keep(self._joining, found)

    def count(self, found: Iterable[Finding]) -> None:
        """Keep findings that hold only where every row can be read and belongs to a demo, once."""
        self._keep(self._counting, found)

    def _keep(self, where: list[Finding], found: Iterable[Finding]) -> None:
        # A pack that is wrong everywhere must not fill the memory with saying so.
        for finding in found:
            self._times[finding.rule] += 1
            if self._times[finding.rule] <= _MAX_OF_A_RULE:
                where.append(finding)

    def all(self) -> list[Finding]:
        """Errors first, then by rule, file and line; at most a thousand of each rule, the last of which says so."""
        kept = list(self._plain)
        if not self.torn:
            kept += self._joining
            kept += [] if self.mixed else self._counting
        last = {finding.rule: number for number, finding in enumerate(kept)}
        for rule, number in last.items():
            more = self._times[rule] - _MAX_OF_A_RULE
            if more > 0:
                message = f"{kept[number].message} {more} more are not listed."
                kept[number] = replace(kept[number], message=message)
        return sorted(kept, key=lambda f: (f.severity != "error", f.rule, f.file, f.line or 0))
