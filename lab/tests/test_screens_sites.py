"""Real pages as a source: which pages of a package count, and that each picture belongs to its truth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demopack.errors import BadInputError, CaptureError
from lab.screens.browser.browser import Browser
from lab.screens.sources import SampleSpec
from lab.screens.web.site_packages import SITES_TABLE, Site, SiteCache, read_sites
from lab.screens.web.sites import SiteRenderer, SitesSource

_LINES = "".join(f"<p>Line {i} leads to <a href='#x{i}'>chapter {i}</a> and goes on.</p>" for i in range(60))
_GUIDE = f"""<!DOCTYPE html><meta charset=utf-8><title>Guide</title><body>
<nav><a href="index.html">Home</a> » <a href="guide.html">Guide</a></nav>
<form><input name=q><button>Go</button><button style="border:0;background:none"></button></form>{_LINES}
<script>let at = 0; const move = () => {{ document.querySelector('nav').style.paddingLeft = ++at + 'px';
if (at < 90) requestAnimationFrame(move); }}; move();</script>"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> SiteCache:
    """What lies in it is not fetched."""
    folder = tmp_path_factory.mktemp("packages")
    pages = folder / "guide-1.0" / "html"
    pages.mkdir(parents=True)
    (pages / "guide.html").write_text(_GUIDE, encoding="utf-8")
    (pages / "tree.html").write_text("<body><iframe src='guide.html'></iframe></body>", encoding="utf-8")
    (pages / "old.html").write_text("<meta http-equiv=refresh content='0;url=x'><body></body>", encoding="utf-8")
    (pages / "part.html").write_text("<p>no document</p>", encoding="utf-8")
    (pages / "empty.html").write_text("<!DOCTYPE html><body></body>", encoding="utf-8")
    return SiteCache(folder)


GUIDE = Site("guide", "val", "npm", "1.0", "html")


@pytest.fixture(scope="module")
def renderer(cache: SiteCache) -> Iterator[SiteRenderer]:
    with Browser(1280, 800) as browser:
        yield SiteRenderer(browser, {"guide": GUIDE}, cache)


def test_the_table_has_ten_frozen_sites_and_none_of_them_came_later() -> None:
    sites = read_sites()
    assert sum(site.side == "frozen" for site in sites) == 10
    assert all(site.registry == "debian" for site in sites if site.side == "frozen")
    assert Site("uikit", "train", "npm", "3.25.29", "tests") in sites
    assert len({site.name for site in sites}) == len(sites)
    assert SITES_TABLE.is_file()


def test_a_table_with_an_unknown_side_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sites.tsv").write_text("trian\tguide-doc\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no such side"):
        read_sites(tmp_path / "sites.tsv")


def test_frames_redirections_and_parts_of_pages_are_no_pages(cache: SiteCache) -> None:
    assert [path.name for path in cache.pages(GUIDE)] == ["empty.html", "guide.html"]


def test_a_package_without_pages_says_so(tmp_path: Path) -> None:
    (tmp_path / "bare-1.0").mkdir()
    with pytest.raises(BadInputError, match="holds no page"):
        SiteCache(tmp_path).pages(Site("bare", "val", "npm", "1.0"))


def test_sites_take_turns_and_more_screens_begin_with_the_same() -> None:
    source = SitesSource([GUIDE, Site("@a/b", "val"), Site("other", "train")])
    few, many = (source.specs(count=n, seed=0, side="val") for n in (6, 12))
    assert [spec.group for spec in many] == ["guide", "a-b", "guide", "a-b"]
    assert list(many[:2]) == list(few)
    assert not source.specs(count=5, seed=0, side="test")


@pytest.fixture(scope="module")
def specs(cache: SiteCache) -> dict[str, SampleSpec]:
    """A spec that shows the guide and one that shows the empty page."""
    from random import Random

    pages = cache.pages(GUIDE)
    found = {}
    for seed in range(40):
        found.setdefault(Random(f"guide-{seed}").choice(pages).stem, SampleSpec(group="guide", side="val", seed=seed))
    return found


def test_pictures_are_taken_at_rest_and_show_what_their_truth_says(
    renderer: SiteRenderer, specs: dict[str, SampleSpec]
) -> None:
    moments = renderer.render(specs["guide"])

    assert len(moments) > 1
    assert not any(np.array_equal(moments[0].image, other.image) for other in moments[1:])
    scale = float(moments[0].variant["scale"])
    top = moments[0].elements
    (home,) = (one for one in top if one.text == "Home")
    # Its script had moved it all the way.
    assert abs(home.box.x1 - 98 * scale) <= 4
    assert home.type == "hyperlink"
    assert [one.type for one in top if one.text == "»"] == ["text"]
    # A button that nothing shows is none.
    assert [one.text for one in top if one.type == "button"] == ["Go"]
    for moment in moments:
        assert sum(one.type == "hyperlink" for one in moment.elements) > 2


def test_a_page_that_shows_nothing_is_reported(renderer: SiteRenderer, specs: dict[str, SampleSpec]) -> None:
    with pytest.raises(CaptureError, match="shows nothing"):
        renderer.render(specs["empty"])
