"""Generated web pages as a source of screens."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random

from lab.screens.sources import Renderer, SampleSpec
from lab.screens.web.fetch import PackageCache
from lab.screens.web.page import SCREENS_PER_PAGE
from lab.screens.web.renderer import web_renderer
from lab.screens.web.sides import TEMPLATE_TURNS, WIDGET_SET_TURNS, pairs
from models.training.labelled_screens import SourceName, Split

_BLOCK = 10_000_000
_OFFSETS: dict[Split, int] = {"train": 0, "val": 3_000_000, "test": 6_000_000}


def _turns(template: str, kit: str) -> int:
    return TEMPLATE_TURNS.get(template, 1) * WIDGET_SET_TURNS.get(kit, 1)


class WebSource:
    """Pages of several builders, dressed in several frameworks.

    Args:
        packages: whether frameworks, icon sets and fonts of the npm registry are used; without them only the browser's
            own style and looks drawn by chance.
        cache: where packages are kept; None for the user's cache folder.
    """

    def __init__(self, *, packages: bool = True, cache: Path | None = None) -> None:
        self._package_cache = PackageCache(cache) if packages else None

    @property
    def name(self) -> SourceName:
        """``web``."""
        return "web"

    def specs(self, *, count: int, seed: int, side: Split) -> Sequence[SampleSpec]:
        """See ``ScreenSource``; more screens of one seed begin with the same ones."""
        groups = list(pairs(side, packages=self._package_cache is not None))
        rng = Random(f"web-{side}-{seed}")  # noqa: S311 - nothing secret
        found: list[SampleSpec] = []
        turn: list[tuple[str, str]] = []
        for index in range(-(-count // SCREENS_PER_PAGE)):
            if not turn:
                turn = [pair for pair in groups for _ in range(_turns(*pair))]
                rng.shuffle(turn)
            template, kit = turn.pop()
            number = seed * _BLOCK + _OFFSETS[side] + index
            found.append(SampleSpec(group=f"{template}.{kit}", side=side, seed=number))
        return found

    def renderer(self) -> AbstractContextManager[Renderer]:
        """See ``ScreenSource``."""
        return web_renderer(self._package_cache)
