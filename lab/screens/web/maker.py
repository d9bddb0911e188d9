"""What a page builder holds in its hands: chance, words, icons, the framework and its look."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from lab.screens.web.icons import Icons
from lab.screens.web.page_style import PageStyle
from lab.screens.web.widget_set import WidgetSet
from lab.screens.web.words import Words


@dataclass(slots=True, kw_only=True)
class Maker:
    """Everything that a page builder draws from; builders are pure functions of it.

    Attributes:
        rng: the only source of chance.
        words: in the page's language.
        icons: in the page's manner.
        families: further manners, for pages that show many icons.
        kit: the framework.
        look: colours and sizes.
        width: of the window, CSS pixels.
        height: of the window, CSS pixels.
        popups: HTML of what is opened later: menus, dialogs; each hidden and with an id of its own.
        habits: choices that hold for the whole page, such as where labels stand.
    """

    rng: Random
    words: Words
    icons: Icons
    kit: WidgetSet
    look: PageStyle
    width: int
    height: int
    families: tuple[Icons, ...] = ()
    popups: list[str] = field(default_factory=list[str])
    habits: dict[str, str] = field(default_factory=dict[str, str])
    _ids: int = 0

    def new_id(self) -> str:
        """An id that nothing else on the page has."""
        self._ids += 1
        return f"x{self._ids}"

    def chance(self, share: float) -> bool:
        """True in this share of all cases."""
        return self.rng.random() < share

    def habit(self, name: str, *choices: str) -> str:
        """One of several ways, the same on the whole page."""
        if name not in self.habits:
            self.habits[name] = self.rng.choice(choices)
        return self.habits[name]

    def habits_int(self, name: str, *choices: int) -> int:
        """A habit that is a number."""
        return int(self.habit(name, *(str(one) for one in choices)))

    def any_icons(self) -> Icons:
        """The page's manner of icons, or one of the further ones."""
        return self.rng.choice((self.icons, *self.families))

    @property
    def icon_size(self) -> int:
        """The usual size of icons, CSS pixels."""
        return self.habits_int("icon_size", 14, 16, 16, 18, 20, 24, 24, 28)
