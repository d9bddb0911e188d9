"""What many subjects of a search say, as columns: each different value is asked about once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from annotator.finding.query import CombinedTest, Test, ValueTest

T = TypeVar("T")
Mask: TypeAlias = npt.NDArray[np.bool_]


def _as_value_test(test: Test[T]) -> ValueTest[T]:
    return cast("ValueTest[T]", test) if isinstance(test, ValueTest) else ValueTest(test, bool)


class Columns(Generic[T]):
    """What many subjects say about each thing that was asked, kept for the next search.

    Args:
        subjects: makes them anew each time; always the same, in the same order.
        count: how many.
    """

    def __init__(self, subjects: Callable[[], Iterable[T]], count: int) -> None:
        self._subjects = subjects
        self._count = count
        self._columns: dict[Callable[[T], Hashable], tuple[list[Hashable], npt.NDArray[np.intp]]] = {}

    def all_but(self, left_out: Iterable[bool]) -> Mask:
        """The subjects without those for which this says so, in their order."""
        return ~np.fromiter(left_out, np.bool_, self._count)

    def fitting(self, test: Test[T], left: Mask | None = None) -> Mask:
        """Which of the subjects fit, in their order; with ``left`` only of these."""
        left = np.ones(self._count, dtype=np.bool_) if left is None else left
        if isinstance(test, CombinedTest):
            return self._combined(cast("CombinedTest[T]", test), left)
        one = _as_value_test(test)
        values, codes = self._column(one.read)
        fits = np.zeros(len(values), dtype=np.bool_)
        asked = np.unique(codes[left]) if np.count_nonzero(left) < len(values) else np.arange(len(values))
        fits[asked] = [one.holds(values[place]) for place in asked.tolist()]
        return left & fits[codes]

    def _combined(self, test: CombinedTest[T], left: Mask) -> Mask:
        if test.how == "all":
            # What has few values first: then fewer of the many are asked about.
            for one in sorted(test.tests, key=self._cost):
                left = self.fitting(one, left)
            return left
        found = np.zeros(self._count, dtype=np.bool_)
        for one in test.tests:
            found |= self.fitting(one, left & ~found)
        return found if test.how == "any" else left & ~found

    def _cost(self, test: Test[T]) -> int:
        return self._count if isinstance(test, CombinedTest) else len(self._column(_as_value_test(test).read)[0])

    def _column(self, read: Callable[[T], Hashable]) -> tuple[list[Hashable], npt.NDArray[np.intp]]:
        """The different values, and for each subject the place of its own among them."""
        known = self._columns.get(read)
        if known is None:
            places: dict[Hashable, int] = {}
            codes = [places.setdefault(read(subject), len(places)) for subject in self._subjects()]
            known = self._columns[read] = (list(places), np.array(codes, dtype=np.intp))
        return known
