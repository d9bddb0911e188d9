"""Which builders and frameworks there are, and which of them nothing is ever trained on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lab.screens.web.maker import Maker
from lab.screens.web.pages.boards import board_page
from lab.screens.web.pages.calendars import calendar_page
from lab.screens.web.pages.chat import chat_page
from lab.screens.web.pages.checkout import checkout_page
from lab.screens.web.pages.coding import editor_page
from lab.screens.web.pages.dashboard import dashboard_page
from lab.screens.web.pages.desktop import desktop_page, program_page
from lab.screens.web.pages.files import files_page
from lab.screens.web.pages.forms import form_page
from lab.screens.web.pages.lists import list_page
from lab.screens.web.pages.login import login_page
from lab.screens.web.pages.mail import mail_page
from lab.screens.web.pages.mixers import mixer_page
from lab.screens.web.pages.player import player_page
from lab.screens.web.pages.settings import settings_page
from lab.screens.web.pages.sheets import sheet_page
from lab.screens.web.pages.shop import shop_page
from lab.screens.web.pages.switches import switches_page
from lab.screens.web.pages.tables import dense_page, record_page
from lab.screens.web.pages.toolbox import toolbox_page
from lab.screens.web.pages.wiki import wiki_page
from lab.screens.web.pages.writing import writing_page
from lab.screens.web.widget_set import WidgetSet
from lab.screens.web.widget_sets import bootstraps, classless, large, lean, own, retro
from models.training.labelled_screens import Split

TEMPLATES: dict[str, Callable[[Maker], str]] = {
    "form": form_page,
    "records": record_page,
    "dense": dense_page,
    "mail": mail_page,
    "settings": settings_page,
    "shop": shop_page,
    "dashboard": dashboard_page,
    "wiki": wiki_page,
    "login": login_page,
    "files": files_page,
    "editor": editor_page,
    "desktop": desktop_page,
    "program": program_page,
    "board": board_page,
    "player": player_page,
    "chat": chat_page,
    "calendar": calendar_page,
    "checkout": checkout_page,
    "toolbox": toolbox_page,
    "writing": writing_page,
    "switches": switches_page,
    "mixer": mixer_page,
    "sheet": sheet_page,
    "list": list_page,
}
HELD_TEMPLATES = frozenset({"chat", "calendar", "checkout"})

WIDGET_SETS: dict[str, WidgetSet] = {
    kit.key: kit
    for kit in (
        own.PLAIN, own.OWN,
        bootstraps.BOOTSTRAP, bootstraps.BOOTSWATCH, bootstraps.BOOTSTRAP3, bootstraps.TABLER,
        large.BULMA, large.MATERIALIZE, large.FOUNDATION, large.FOMANTIC, lean.UIKIT, lean.PRIMER, lean.SPECTRE,
        lean.PAPER, lean.PURE, lean.GOVUK,
        classless.PICO, classless.WATER, classless.MVP, classless.NEW, classless.SAKURA, classless.SIMPLE,
        classless.MILLIGRAM, classless.CHOTA, classless.PICNIC,
        retro.WIN98, retro.WINXP, retro.WIN7, retro.NES,
    )
}  # fmt: skip
HELD_WIDGET_SETS = frozenset({"fomantic", "primer", "winxp", "water", "simple"})
WIDGET_SET_TURNS = {"own": 8, "plain": 2, "bootswatch": 3}
"""How often a framework has its turn where others have one: looks drawn by chance are never the same twice."""
TEMPLATE_TURNS = {
    "form": 2, "settings": 2, "desktop": 4, "program": 3,
    "toolbox": 5, "writing": 5, "switches": 5, "mixer": 3, "sheet": 2, "list": 3,
}  # fmt: skip
"""The same for builders: what few pages have must come up often enough."""
HELD_ICONS = frozenset({"octicons", "ionicons"})


def pairs(side: Split, *, packages: bool = True) -> Sequence[tuple[str, str]]:
    """Builder and framework of the groups of a side, in a fixed order.

    A test screen has a builder or a framework that no screen of the other sides has.

    Args:
        side: train and val share their groups.
        packages: whether frameworks that must be fetched are among them.
    """
    found: list[tuple[str, str]] = []
    for template in TEMPLATES:
        for kit in WIDGET_SETS.values():
            held = template in HELD_TEMPLATES or kit.key in HELD_WIDGET_SETS
            if held == (side == "test") and (packages or kit.package is None):
                found.append((template, kit.key))
    return found
