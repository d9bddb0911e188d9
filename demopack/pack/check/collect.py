"""Gathers findings: no more of each rule than a person can use, and none that only repeat another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from demopack.pack.findings import Finding

__all__ = ["Findings"]

_MOST = 1000


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
            if self._times[finding.rule] <= _MOST:
                where.append(finding)

    def all(self) -> list[Finding]:
        """Errors first, then by rule, file and line; at most a thousand of each rule, the last of which says so."""
        kept = list(self._plain)
        if not self.torn:
            kept += self._joining
            kept += [] if self.mixed else self._counting
        last = {finding.rule: number for number, finding in enumerate(kept)}
        for rule, number in last.items():
            more = self._times[rule] - _MOST
            if more > 0:
                kept[number] = kept[number].worded(f"{kept[number].message} {more} more are not listed.")
        return sorted(kept, key=lambda f: (f.severity != "error", f.rule, f.file, f.line or 0))
