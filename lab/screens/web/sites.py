"""Real pages as a source of screens: documentation and galleries, at several window sizes and scroll positions."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from random import Random
from typing import Final

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.errors import CaptureError
from lab.screens.browser.browser import Browser
from lab.screens.browser.browser_input import BrowserInput
from lab.screens.sources import Rendered, Renderer, SampleSpec
from lab.screens.web.page import draw_window
from lab.screens.web.site_packages import Site, SiteCache, read_sites
from models.training.labelled_screens import SourceName, Split

_SCREENS_PER_PAGE: Final = 3
_DARK_SHARE: Final = 0.15
_TYPED_SHARE: Final = 0.25
_WORDS: Final = ("index", "Sep 12", "how to install", "12.5", "configuration", "Zoë", "none@example.org", "version 2")
_MIN_ELEMENTS: Final = 3
"""A page with fewer is empty, or shows that a script of it failed."""
_MAX_WAITS: Final = 10
_WAIT: Final = "return new Promise(done => setTimeout(done, 150))"
_SCROLL: Final = """
const scrolls = el => /auto|scroll/.test(getComputedStyle(el).overflowY);
const fits = el => el.scrollHeight > el.clientHeight + 40 && el.clientHeight > 120 && scrolls(el);
const inner = [...document.querySelectorAll('body *')].filter(fits);
const main = document.scrollingElement;
const all = main.scrollHeight > main.clientHeight + 40 ? [main, ...inner] : inner;
let moved = false;
for (const el of all) {
  const before = el.scrollTop;
  el.scrollTop = Math.round(arguments[0] * (el.scrollHeight - el.clientHeight));
  moved = moved || el.scrollTop !== before;
}
return moved;
"""
_FIELD: Final = """
const written = 'input:not([type]), input[type=text], input[type=search], textarea';
const fields = [...document.querySelectorAll(written)].filter(el => {
  const r = el.getBoundingClientRect();
  const inside = r.top > 0 && r.bottom < innerHeight && r.left > 0 && r.right < innerWidth;
  return inside && !el.disabled && el.checkVisibility() && r.width > 30;
});
const r = fields[Math.floor(arguments[0] * fields.length)]?.getBoundingClientRect();
return r ? [r.left + r.width / 2, r.top + r.height / 2] : null;
"""


class SitesSource:
    """Pages of ``sites.tsv``; a site is on one side with all its pages.

    Args:
        sites: to choose from.
        cache: where packages are kept; None for the user's cache folder.
    """

    def __init__(self, sites: Sequence[Site] | None = None, *, cache: SiteCache | None = None) -> None:
        self._sites = tuple(read_sites() if sites is None else sites)
        self._cache = cache or SiteCache()

    @property
    def name(self) -> SourceName:
        """``web``: these are web pages as the generated ones are."""
        return "web"

    def specs(self, *, count: int, seed: int, side: Split) -> Sequence[SampleSpec]:
        """One spec for a page of a site, each site in its turn; more screens of one seed begin with the same ones."""
        groups = [site.name for site in self._sites if site.side == side]
        rounds = range(-(-count // _SCREENS_PER_PAGE))
        return [
            SampleSpec(group=_group(groups[i % len(groups)]), side=side, seed=seed * 100_000 + i)
            for i in rounds if groups
        ]  # fmt: skip

    def renderer(self) -> AbstractContextManager[Renderer]:
        """See ``ScreenSource``."""
        return _opened({_group(site.name): site for site in self._sites}, self._cache)


def _group(name: str) -> str:
    return name.replace("/", "-").strip("@")


@contextmanager
def _opened(sites: dict[str, Site], cache: SiteCache) -> Generator[SiteRenderer]:
    with Browser(1280, 800) as browser:
        yield SiteRenderer(browser, sites, cache)


class SiteRenderer:
    """A browser that shows one page after the other.

    Args:
        browser: open.
        sites: by group.
        cache: where their pages are.
    """

    def __init__(self, browser: Browser, sites: dict[str, Site], cache: SiteCache) -> None:
        self._browser = browser
        self._hand = BrowserInput(browser)
        self._sites = sites
        self._cache = cache

    def render(self, spec: SampleSpec) -> Sequence[Rendered]:
        """The top of a page and what is further down.

        Raises:
            BadInputError: the package cannot be had.
            CaptureError: the browser failed, or nothing is on the page.
        """
        rng = Random(f"{spec.group}-{spec.seed}")  # noqa: S311 - nothing secret
        pages = self._cache.pages(self._sites[spec.group])
        path = rng.choice(pages)
        (width, height), scale = draw_window(rng)
        dark = rng.random() < _DARK_SHARE
        self._browser.view(width, height, scale=scale, dark=dark)
        self._browser.load_file(path)
        variant = {"page": path.stem[:60], "scale": f"{scale:g}", "ground": "dark" if dark else "light"}
        found: list[Rendered] = []
        for number in range(_SCREENS_PER_PAGE):
            place = 0.0 if number == 0 else rng.random()
            # Later pictures are drawn by the same numbers whether or not this one could be.
            typed, field, words = rng.random() < _TYPED_SHARE, rng.random(), rng.choice(_WORDS)
            if not self._browser.run(_SCROLL, place) and number:
                continue
            moment = f"at {place:.2f}"
            if typed and self._typed(field, words):
                moment += ", typed"
            image = self._at_rest()
            if any(np.array_equal(image, one.image) for one in found):
                continue
            elements = self._browser.truth(image)
            if len(elements) >= _MIN_ELEMENTS and not _is_blank(image):
                found.append(Rendered(image=image, elements=elements, variant={**variant, "moment": moment}))
        if not found:
            raise CaptureError(f"The page {path.name} shows nothing.")
        return found

    def _at_rest(self) -> RgbImage:
        """The picture once a page's own scripts have brought to an end what they move.

        Raises:
            CaptureError: something moves for good.
        """
        last = self._browser.picture()
        for _ in range(_MAX_WAITS):
            self._browser.run(_WAIT)
            image = self._browser.picture()
            if np.array_equal(image, last):
                return image
            last = image
        raise CaptureError("The page does not come to rest.")

    def _typed(self, share: float, words: str) -> bool:
        at = self._browser.run(_FIELD, share)
        if at is None:
            return False
        self._hand.click(*at)
        self._hand.type_text(words)
        return True


def _is_blank(image: RgbImage) -> bool:
    return bool((image == image[0, 0]).all())
