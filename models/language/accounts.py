"""What the ledger takes and gives: limits, stored answers, sums."""

from __future__ import annotations

from dataclasses import dataclass

from models.language.port import BudgetError, Usage

__all__ = ["Limit", "Stored", "Totals", "passed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Dollars that attempts may cost together: all of the file, or those after one, and how a user calls that."""

    name: str
    dollars: float
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """An answer that was paid for: its value as JSON, what it took, and the model that gave it."""

    value: str
    usage: Usage
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Sums over attempts.

    Attributes:
        calls: attempts, failed ones included.
        input_tokens: of the questions.
        output_tokens: of the answers.
        cost: dollars; attempts without a known outcome count with the most they can have cost.
    """

    calls: int
    input_tokens: int
    output_tokens: int
    cost: float


def passed(limit: Limit, spent: float, most: float) -> BudgetError:
    """What is said when a request could pass a limit."""
    return BudgetError(
        f"The budget of ${limit.dollars:g} for {limit.name} would be passed: ${spent:.4f} are spent or promised, and"
        f" the next request may cost ${most:.4f}. It was not sent; every answer so far is kept.",
        hint="Raise it (setting language.budget for a library, --budget for one run), and go on.",
    )
