"""What a source of screens must offer, so that one factory can run them all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from demopack.domain.frames import RgbImage
from models.training.labelled_screens import GroundTruth, SourceName, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSpec:
    """An order for one screen, or for a few that come from one run; equal specs give equal screens.

    Attributes:
        group: task, page template, style or application.
        side: decided by the group, or by the seed where a group is on two sides.
        seed: for everything that is drawn by chance.
        variant: theme, font, scale and so on, as far as they are decided before drawing.
    """

    group: str
    side: Split
    seed: int
    variant: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A picture, shape (height, width, 3), uint8, and what is on it."""

    image: RgbImage
    elements: Sequence[GroundTruth]
    variant: dict[str, str] = field(default_factory=dict[str, str])


class Renderer(Protocol):
    """A running browser, Qt or desktop; used by one process, one spec after the other."""

    def render(self, spec: SampleSpec) -> Sequence[Rendered]:
        """The screens of a spec, at least one where all goes well: several moments of one page, for instance.

        Raises:
            DemopackError: this spec cannot be drawn; the next may.
        """
        ...


class ScreenSource(Protocol):
    """A kind of programs."""

    @property
    def name(self) -> SourceName:
        """Names the source in every screen."""
        ...

    def specs(self, *, count: int, seed: int, side: Split) -> Sequence[SampleSpec]:
        """Orders for about ``count`` screens of one side, balanced over the groups; equal arguments, equal orders."""
        ...

    def renderer(self) -> AbstractContextManager[Renderer]:
        """Start what draws; ended by leaving the context, however that happens.

        Raises:
            DemopackError: a program or package is missing; it says which and how to get it.
        """
        ...
