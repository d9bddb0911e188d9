"""The assignment of least total cost, from scipy, with types."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["assign"]


def assign(costs: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pairs (row, column), each row and column at most once, with the least sum of costs.

    Args:
        costs: shape (rows, columns), finite.
    """
    # By name: scipy ships no types, and importing it takes longer than most programs need.
    optimize: Any = importlib.import_module("scipy.optimize")
    rows, columns = optimize.linear_sum_assignment(costs)
    return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True)]
