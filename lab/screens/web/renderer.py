"""Draws pages in a browser, several moments of each."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from demopack.errors import CaptureError
from demopack.pixels.foreground import foreground_box
from lab.screens.browser.browser import Browser
from lab.screens.browser.browser_input import BrowserInput
from lab.screens.sources import Rendered, SampleSpec
from lab.screens.web.fetch import PackageCache
from lab.screens.web.page import Act, Page, make_page
from lab.screens.web.sides import HELD_TEMPLATES, HELD_WIDGET_SETS
from models.training.labelled_screens import GroundTruth

_TICKED = frozenset({"checkbox", "radio", "toggle"})
_STANDS_OUT = 40
"""Steps of a channel between the chosen row of an opened list and the others."""


class WebRenderer:
    """A running browser that shows one page after the other.

    Args:
        browser: open.
        package_cache: where packages lie; without one only pages that need none can be drawn.
    """

    def __init__(self, browser: Browser, *, package_cache: PackageCache | None) -> None:
        self._browser = browser
        self._hand = BrowserInput(browser)
        self._package_cache = package_cache

    def render(self, spec: SampleSpec) -> Sequence[Rendered]:
        """The moments of the spec's page; those that change nothing are left out.

        Raises:
            BadInputError: a package is missing.
            CaptureError: the browser failed.
        """
        template, kit = spec.group.split(".")
        held = template in HELD_TEMPLATES or kit in HELD_WIDGET_SETS
        page = make_page(template=template, kit=kit, seed=spec.seed, package_cache=self._package_cache, held=held)
        self._browser.view(page.width, page.height, scale=page.scale, dark=page.dark)
        self._browser.load_html(page.html)
        self._browser.settle()
        return list(self._moments(page))

    def _moments(self, page: Page) -> Iterator[Rendered]:
        last: RgbImage | None = None
        for acts in page.moments:
            opened = self._act(page, acts)
            image = self._browser.picture()
            if last is None or not np.array_equal(last, image):
                last = image
                variant = {**page.variant, "moment": acts[-1][0] if acts else "still"}
                elements = self._elements(image, doubtful=opened)
                if elements is not None:
                    yield Rendered(image=image, elements=elements, variant=variant)
            if opened:
                self._hand.press("Escape")

    def _act(self, page: Page, acts: Sequence[Act]) -> bool:
        """Bring a moment about; whether the browser's own list was opened."""
        opened = False
        for name, given in acts:
            answer = self._browser.run("return window.__act(...arguments)", name, *given)
            # Where the list of a scaled page stands is not known.
            if name == "native" and answer and page.scale == 1:
                self._hand.click(*answer)
                opened = True
        return opened

    def _elements(self, image: RgbImage, *, doubtful: bool) -> Sequence[GroundTruth] | None:
        labels = self._browser.run("return window.__tell()")
        try:
            found = _with_labels(self._browser.truth(image), labels, scale=self._browser.scale)
        except CaptureError:
            if doubtful:
                return None
            raise
        return found if not doubtful or _list_is_there(image, found) else None


def _with_labels(
    elements: Sequence[GroundTruth], labels: Sequence[tuple[float, float, float, float, str]], *, scale: float
) -> list[GroundTruth]:
    """The same elements, boxes to tick with the words that stand beside them.

    Args:
        elements: of a picture.
        labels: left, top, right and bottom of each box in CSS pixels, and its words.
        scale: picture pixels for one CSS pixel.
    """
    known = [(Rect(*(round(value * scale) for value in label[:4])), label[4]) for label in labels]
    found: list[GroundTruth] = []
    for one in elements:
        if one.type in _TICKED and one.text is None:
            words = next((text for box, text in known if iou(box, one.box) > 0.5), None)
            found.append(one.model_copy(update={"text": words}) if words else one)
        else:
            found.append(one)
    return found


def _list_is_there(image: RgbImage, elements: Sequence[GroundTruth]) -> bool:
    """Whether the rows of an opened list lie where they are drawn: near an edge it may have opened upwards."""
    rows = [one for one in elements if one.type == "menu_item"]
    chosen = [one for one in rows if one.states.get("highlighted")]
    if len(chosen) != 1 or any(foreground_box(image, one.box) is None for one in rows if one.text):
        return False
    grounds = [image[one.box.y1 + 2, one.box.x1 + 2].astype(int) for one in rows if one is not chosen[0]]
    own = image[chosen[0].box.y1 + 2, chosen[0].box.x1 + 2].astype(int)
    return all(int(np.abs(own - ground).max()) > _STANDS_OUT for ground in grounds)


@contextmanager
def web_renderer(package_cache: PackageCache | None) -> Generator[WebRenderer]:
    """A renderer with a browser of its own.

    Raises:
        CaptureError: no Chromium is installed, or it does not start.
    """
    with Browser(1280, 800) as browser:
        yield WebRenderer(browser, package_cache=package_cache)
