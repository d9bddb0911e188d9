"""The span that differs between the elements of a frame before and after an edit."""

from __future__ import annotations

from annotator.document import changed_span


def test_the_span_that_differs() -> None:
    a, b, c, d = (object() for _ in range(4))
    assert changed_span([a, b, c], [a, b, c]) == (3, 3, 3)
    assert changed_span([a, b, c], [a, d, c]) == (1, 2, 2)
    assert changed_span([a, b], [a, c, b]) == (1, 1, 2)
    assert changed_span([a, b, c], [b, c]) == (0, 1, 0)
    assert changed_span([], [a]) == (0, 0, 1)
    assert changed_span([a, a], [a, a, a]) == (2, 2, 3)
