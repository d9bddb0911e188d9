"""Generated web pages as a source of screens."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random

from models.training.screens.screen import Side, SourceName
from models.training.screens.sources import Studio, Ticket
from models.training.screens.web.fetch import Wardrobe
from models.training.screens.web.page import SCREENS_PER_PAGE
from models.training.screens.web.sides import KIT_TURNS, TEMPLATE_TURNS, pairs
from models.training.screens.web.studio import web_studio

__all__ = ["WebSource"]

_BLOCK = 10_000_000
_OFFSETS: dict[Side, int] = {"train": 0, "val": 3_000_000, "test": 6_000_000}


def _turns(template: str, kit: str) -> int:
    return TEMPLATE_TURNS.get(template, 1) * KIT_TURNS.get(kit, 1)


class WebSource:
    """Pages of several builders, dressed in several frameworks.

    Args:
        packages: whether frameworks, icon sets and fonts of the npm registry are used; without them only the browser's
            own style and looks drawn by chance.
        cache: where packages are kept; None for the user's cache folder.
    """

    def __init__(self, *, packages: bool = True, cache: Path | None = None) -> None:
        self._wardrobe = Wardrobe(cache) if packages else None

    @property
    def name(self) -> SourceName:
        """``web``."""
        return "web"

    def tickets(self, *, count: int, seed: int, side: Side) -> Sequence[Ticket]:
        """See ``ScreenSource``; more screens of one seed begin with the same ones."""
        groups = list(pairs(side, packages=self._wardrobe is not None))
        rng = Random(f"web-{side}-{seed}")  # noqa: S311 - nothing secret
        found: list[Ticket] = []
        turn: list[tuple[str, str]] = []
        for index in range(-(-count // SCREENS_PER_PAGE)):
            if not turn:
                turn = [pair for pair in groups for _ in range(_turns(*pair))]
                rng.shuffle(turn)
            template, kit = turn.pop()
            number = seed * _BLOCK + _OFFSETS[side] + index
            found.append(Ticket(group=f"{template}.{kit}", side=side, seed=number))
        return found

    def studio(self) -> AbstractContextManager[Studio]:
        """See ``ScreenSource``."""
        return web_studio(self._wardrobe)
