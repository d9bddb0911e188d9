"""Draws pages in a browser, several moments of each."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from models.training.screens.browser.browser import Browser
from models.training.screens.sources import Rendered, Ticket
from models.training.screens.web.fetch import Wardrobe
from models.training.screens.web.page import Page, make_page
from models.training.screens.web.sides import HELD_KITS, HELD_TEMPLATES

__all__ = ["WebStudio", "web_studio"]


class WebStudio:
    """A running browser that shows one page after the other.

    Args:
        browser: open.
        wardrobe: where packages lie; without one only pages that need none can be drawn.
    """

    def __init__(self, browser: Browser, *, wardrobe: Wardrobe | None) -> None:
        self._browser = browser
        self._wardrobe = wardrobe

    def render(self, ticket: Ticket) -> Sequence[Rendered]:
        """The moments of the ticket's page; those that change nothing are left out.

        Raises:
            BadInputError: a package is missing.
            CaptureError: the browser failed.
        """
        template, kit = ticket.group.split(".")
        held = template in HELD_TEMPLATES or kit in HELD_KITS
        page = make_page(template=template, kit=kit, seed=ticket.seed, wardrobe=self._wardrobe, held=held)
        self._browser.view(page.width, page.height, scale=page.scale, dark=page.dark)
        self._browser.load_html(page.html)
        self._browser.settle()
        return list(self._moments(page))

    def _moments(self, page: Page) -> Iterator[Rendered]:
        last: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None = None
        for acts in page.moments:
            for name, given in acts:
                self._browser.run("return window.__act(...arguments)", name, *given)
            image = self._browser.picture()
            if last is not None and np.array_equal(last, image):
                continue
            last = image
            self._browser.run("window.__tell()")
            variant = {**page.variant, "moment": acts[-1][0] if acts else "still"}
            yield Rendered(image=image, elements=self._browser.truth(image), variant=variant)


@contextmanager
def web_studio(wardrobe: Wardrobe | None) -> Generator[WebStudio]:
    """A studio with a browser of its own.

    Raises:
        CaptureError: no Chromium is installed, or it does not start.
    """
    with Browser(1280, 800) as browser:
        yield WebStudio(browser, wardrobe=wardrobe)
