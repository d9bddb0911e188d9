"""Why a step was taken, in fields; the contract's ``reasoning`` is rendered from them."""

from __future__ import annotations

from demopack.domain.provenance import Provenance
from demopack.domain.records import Record

__all__ = ["Rationale"]


class Rationale(Record):
    """The explanation of one step.

    Attributes:
        observation: what matters on the screen before the step.
        thought: what was chosen and why.
        expected_effect: what should happen.
        actual_effect: what the after-frame shows; hindsight, never rendered into ``reasoning``.
        text: a person's own wording of the reasoning; when set it is the reasoning, whatever the fields say.
        provenance: who wrote it; ``kind="template"`` for the deterministic writer.
    """

    observation: str = ""
    thought: str = ""
    expected_effect: str = ""
    actual_effect: str = ""
    text: str | None = None
    provenance: Provenance

    @property
    def reasoning(self) -> str:
        """The contract's reasoning: the person's words, else thought and expected effect; no hindsight."""
        if self.text is not None:
            return self.text
        return " ".join(part.strip() for part in (self.thought, self.expected_effect) if part.strip())
