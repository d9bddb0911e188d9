"""The source of Qt screens: orders, and the process that draws them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Final

from lab.screens.qt.renderer import QtRenderer
from lab.screens.qt.sides import SCALES, WINDOW_TURNS, pairs, palettes, seed_base
from lab.screens.sources import Renderer, SampleSpec
from models.training.labelled_screens import SourceName, Split

_MOMENTS: Final = (1, 2, 2, 3)
"""Screens that come from one window; more would be too alike."""
_SEEDS: Final = 900_000_000


class QtSource:
    """Windows made up by chance, in several styles, palettes, fonts, scales and languages."""

    @property
    def name(self) -> SourceName:
        """Names the source in every screen."""
        return "qt"

    def specs(self, *, count: int, seed: int, side: Split) -> Sequence[SampleSpec]:
        """Orders for exactly ``count`` screens, each style with each kind of window in turn, some kinds more often.

        A group is a style and a kind of window; groups with a style or a kind that is held out are for testing only.
        """
        rng = random.Random(f"qt {seed} {side}")  # noqa: S311 - nothing secret
        combinations = [pair for pair in pairs(side) for _ in range(WINDOW_TURNS.get(pair[1], 1))]
        rng.shuffle(combinations)
        schemes = palettes(side)
        specs: list[SampleSpec] = []
        left = count
        for style, generator in itertools.cycle(combinations):
            if left <= 0:
                break
            moments = min(left, rng.choice(_MOMENTS))
            left -= moments
            specs.append(
                SampleSpec(
                    group=f"{style}.{generator}",
                    side=side,
                    seed=seed_base(side) + rng.randrange(_SEEDS),
                    variant={
                        "style": style,
                        "window": generator,
                        "palette": str(rng.choice(schemes)),
                        "scale": rng.choice(SCALES),
                        "moments": str(moments),
                    },
                )
            )
        return specs

    def renderer(self) -> AbstractContextManager[Renderer]:
        """Start the drawing process; it is ended by leaving the context.

        Raises:
            ModelError: PySide6 is missing, or cannot start.
        """
        return QtRenderer()
