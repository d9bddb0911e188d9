"""Which builders and frameworks there are, and which of them nothing is ever trained on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from models.training.screens.screen import Side
from models.training.screens.web.kit import Kit
from models.training.screens.web.kits.own import OWN, PLAIN
from models.training.screens.web.maker import Maker
from models.training.screens.web.pages.forms import form_page
from models.training.screens.web.pages.mail import mail_page
from models.training.screens.web.pages.settings import settings_page
from models.training.screens.web.pages.shop import shop_page
from models.training.screens.web.pages.tables import dense_page, record_page

__all__ = ["HELD_ICONS", "HELD_KITS", "HELD_TEMPLATES", "KITS", "TEMPLATES", "pairs"]

TEMPLATES: dict[str, Callable[[Maker], str]] = {
    "form": form_page,
    "records": record_page,
    "dense": dense_page,
    "mail": mail_page,
    "settings": settings_page,
    "shop": shop_page,
}
HELD_TEMPLATES: frozenset[str] = frozenset()

KITS: dict[str, Kit] = {kit.key: kit for kit in (PLAIN, OWN)}
HELD_KITS: frozenset[str] = frozenset()
HELD_ICONS = frozenset({"octicons", "ionicons"})


def pairs(side: Side, *, packages: bool = True) -> Sequence[tuple[str, str]]:
    """Builder and framework of the groups of a side, in a fixed order.

    A test screen has a builder or a framework that no screen of the other sides has.

    Args:
        side: train and val share their groups.
        packages: whether frameworks that must be fetched are among them.
    """
    found: list[tuple[str, str]] = []
    for template in TEMPLATES:
        for kit in KITS.values():
            held = template in HELD_TEMPLATES or kit.key in HELD_KITS
            if held == (side == "test") and (packages or kit.package is None):
                found.append((template, kit.key))
    return found
