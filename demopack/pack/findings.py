"""What a check found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

__all__ = ["CheckReport", "Finding", "Severity"]

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

    def worded(self, message: str) -> Finding:
        """The same in other words."""
        return replace(self, message=message)

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
