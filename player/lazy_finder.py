"""A finder that is opened when it is first needed: a replay of an unchanged screen needs none."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point
from demopack.domain.ports import ElementFinder
from demopack.jobs import JobControl

__all__ = ["LazyFinder"]


class LazyFinder:
    """Satisfies the ``ElementFinder`` port; use it in a ``with`` block.

    Args:
        opener: opens the real finder, for instance ``lambda: open_finder(settings.vision)``.
    """

    def __init__(self, opener: Callable[[], AbstractContextManager[ElementFinder]]) -> None:
        self._opener = opener
        self._stack = contextlib.ExitStack()
        self._finder: ElementFinder | None = None

    @property
    def name(self) -> str:
        """Of the real finder; opens it."""
        return self._open().name

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:
        """As the real finder."""
        return self._open().find(image, frame, control=control, near=near)

    def __enter__(self) -> LazyFinder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _open(self) -> ElementFinder:
        if self._finder is None:
            self._finder = self._stack.enter_context(self._opener())
        return self._finder
