"""What a check found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = ["Finding", "Severity"]

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
