"""What is told about a run of the judge."""

from __future__ import annotations

from typing import Final, Literal

from demopack.domain.records import Record
from demopack.domain.verdicts import DemoVerdict, StepVerdict

__all__ = ["LOCAL", "JudgeReport", "JudgedStep"]

LOCAL: Final = "local-labels-1"
"""Who judges where no model is asked."""


class JudgedStep(Record):
    """What became of one step.

    Attributes:
        step: number, from 1.
        state: judged now; kept, because this judge had said something already; or failed, and ``message`` says why.
        verdict: what is known about it now; None when nothing is.
        left_out: whether it is marked to be left out of exports.
        message: why there is no answer.
    """

    step: int
    state: Literal["judged", "kept", "failed"]
    verdict: StepVerdict | None = None
    left_out: bool = False
    message: str = ""


class JudgeReport(Record):
    """What was said about a demo.

    Attributes:
        demo: id.
        judge: name of the model, or ``local-labels-1``.
        steps: each of them.
        verdict: about the demo as a whole; None where no model was asked, or where it failed.
        calls: answers that were got now.
        input_tokens: that the answers took.
        output_tokens: likewise.
        cost: dollars; None when a price is not known.
        trouble: why it was ended early, or why the demo has no verdict; empty when all went well.
    """

    demo: str
    judge: str
    steps: tuple[JudgedStep, ...]
    verdict: DemoVerdict | None = None
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    trouble: str = ""
