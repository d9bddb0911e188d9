"""Report of a quickstart: what it did and whether it holds."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


def _states() -> dict[str, Any]:
    return {}


@dataclass(kw_only=True)
class Stage:
    """One part of the line.

    Attributes:
        name: ``record``, ``parse``, ``rationale``, ``export`` or ``replay``.
        seconds: how long it took.
        figures: what it made.
    """

    name: str
    seconds: float = 0.0
    figures: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(kw_only=True)
class QuickstartReport:
    """Everything that can be judged.

    Attributes:
        demo_id: what was recorded.
        stages: in order.
        steps: of the demo, in words.
        not_done: where the practice app's own state after the person's work is not what the task asks for.
        not_redone: the same after the replay.
        state_recorded: the practice app's own state after the person's work.
        state_replayed: the same after the replay.
        findings: of the pack's check, one line each.
        pack_errors: how many of them are errors.
        replay: the player's own report.
        seconds: in all.
        problem: the sentence of the error that ended it; empty when it came to its end.
    """

    demo_id: str = ""
    stages: list[Stage] = field(default_factory=list[Stage])
    steps: list[str] = field(default_factory=list[str])
    not_done: list[str] = field(default_factory=list[str])
    not_redone: list[str] = field(default_factory=list[str])
    state_recorded: dict[str, Any] = field(default_factory=_states)
    state_replayed: dict[str, Any] = field(default_factory=_states)
    findings: list[str] = field(default_factory=list[str])
    pack_errors: int = 0
    replay: dict[str, Any] = field(default_factory=_states)
    seconds: float = 0.0
    problem: str = ""

    @property
    def complete(self) -> bool:
        """Whether every stage came to its end."""
        return not self.problem and [stage.name for stage in self.stages] == list(STAGES)

    @property
    def same_state(self) -> bool:
        """Whether the replay left the practice app as the person had left it."""
        return _judged(self.state_recorded) == _judged(self.state_replayed)

    def faults(self) -> list[str]:
        """Why it does not hold, in words; empty when it does."""
        found = [f"After the recording: {line}" for line in self.not_done]
        found += [f"After the replay: {line}" for line in self.not_redone]
        found += [line for line in self.findings if " error " in line]
        if not self.complete:
            found.append(self.problem or "It did not come to its end.")
        elif not self.same_state:
            found.append("The replay left the practice app in another state than the person did.")
        return found

    def to_json(self) -> dict[str, Any]:
        """Everything, with the verdict."""
        faults = self.faults()
        return {"ok": not faults, "faults": faults, "same_state": self.same_state, **asdict(self)}


STAGES = ("record", "parse", "rationale", "export", "replay")


def _judged(state: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(state.get(key) for key in ("fields", "submitted", "submissions", "result"))
