"""Provenance: who did it, when and why, kept beside everything that can be edited."""

from __future__ import annotations

from typing import Literal

from demopack.clock import utc_now
from demopack.domain.records import Moment, Record


class Provenance(Record):
    """The origin of a value.

    Attributes:
        kind: a person, a trained model, a fixed template, or the recorder itself.
        name: login or display name, model name with version, or program part.
        at: wall clock, UTC.
        reason: why, in a few words; may be empty.
    """

    kind: Literal["human", "model", "template", "recorder"]
    name: str
    at: Moment
    reason: str = ""


def by_human(name: str = "user", *, reason: str = "") -> Provenance:
    """A person, now."""
    return Provenance(kind="human", name=name, at=utc_now(), reason=reason)


def by_program(kind: Literal["model", "template", "recorder"], name: str, *, reason: str = "") -> Provenance:
    """A program, now."""
    return Provenance(kind=kind, name=name, at=utc_now(), reason=reason)
