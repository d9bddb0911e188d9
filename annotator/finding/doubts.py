"""How unsure each element of an open demo is, worked out once for each value."""

from __future__ import annotations

from demopack.domain.elements import Element
from models.vision.doubt import ElementDoubt, element_doubt

__all__ = ["Doubts"]


class Doubts:
    """A memory in front of :func:`models.vision.doubt.element_doubt`: elements are values, so one answer lasts."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Element, ElementDoubt]] = {}

    def of(self, element: Element) -> ElementDoubt:
        """The doubt about one element."""
        known = self._known.get(element.uid)
        if known is None or known[0] is not element:
            known = self._known[element.uid] = (element, element_doubt(element))
        return known[1]
