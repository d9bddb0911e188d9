"""Generated pages: equal seeds give equal pages, what they say of themselves is sound, sides share nothing held."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, ICON_SUBTYPES
from lab.screens.web import WebSource
from lab.screens.web.icon_names import ICON_NAMES, OWN_NAMES
from lab.screens.web.icon_shapes import ICON_SHAPES
from lab.screens.web.icons import GLYPHS, Icons
from lab.screens.web.packages import FONT_SETS, ICON_SETS, PACKAGES
from lab.screens.web.page import make_page
from lab.screens.web.page_style import contrast, draw_look
from lab.screens.web.sides import (
    HELD_ICONS,
    HELD_TEMPLATES,
    HELD_WIDGET_SETS,
    TEMPLATES,
    WIDGET_SET_TURNS,
    WIDGET_SETS,
    pairs,
)
from lab.screens.web.words import LANGUAGES, Words

FORMAT = Path(__file__).parents[2] / "docs" / "formats" / "screens.md"
PERMISSIVE = {"MIT", "ISC", "BSD-3-Clause", "Apache-2.0", "OFL-1.1", "CC-BY-4.0"}
# Every builder once, and every framework once.
EACH = sorted({(template, "own") for template in TEMPLATES} | {("form", kit) for kit in WIDGET_SETS})
REFERENCES = ("for", "data-mark-of", "data-pop")


class Reading(HTMLParser):
    """What a page holds: its nesting, ids, references and attributes."""

    VOID = frozenset({"input", "img", "br", "hr", "meta", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs if name != "placeholder"]
        self.faults.extend(f"{tag} has {name} twice" for name in set(names) if names.count(name) > 1)
        self.attributes.extend((name, value or "") for name, value in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag  # of drawings only
        self.attributes.extend((name, value or "") for name, value in attrs)

    def handle_endtag(self, tag: str) -> None:
        last = self.open.pop() if self.open else "nothing"
        if last != tag:
            self.faults.append(f"</{tag}> ends <{last}>")

    def all(self, *names: str) -> list[str]:
        return [value for name, value in self.attributes if name in names]


@cache
def reading(template: str, kit: str) -> Reading:
    page = make_page(template=template, kit=kit, seed=3, package_cache=None)
    read = Reading()
    read.feed(re.sub(r"<(script|style)>.*?</\1>", "", page.html, flags=re.DOTALL))
    return read


def test_equal_seeds_give_equal_pages_and_others_do_not() -> None:
    one, again, other = (make_page(template="mail", kit="own", seed=seed, package_cache=None) for seed in (5, 5, 6))
    assert one == again
    assert one.html != other.html


@pytest.mark.parametrize(("template", "kit"), EACH)
def test_a_page_is_whole_and_its_ids_are_its_own(template: str, kit: str) -> None:
    read = reading(template, kit)
    assert not read.open
    assert not read.faults
    ids = read.all("id")
    assert len(ids) == len(set(ids))
    assert set(read.all(*REFERENCES)) <= set(ids)


@pytest.mark.parametrize(("template", "kit"), EACH)
def test_what_a_page_says_of_itself_can_be_true(template: str, kit: str) -> None:
    read = reading(template, kit)
    assert set(read.all("data-truth-type")) <= {*ELEMENT_TYPES, "none"}
    assert set(read.all("data-truth-subtype")) <= {*ICON_NAMES, "none"}
    possible = set().union(*(attributes.states for attributes in ATTRIBUTES.values()))
    for told in read.all("data-truth-states"):
        states = json.loads(told)
        assert set(states) <= possible
        assert all(isinstance(value, bool) for value in states.values())


def test_icons_are_those_of_the_format_and_every_one_can_be_drawn() -> None:
    told = set(
        re.findall(r"[a-z_]+", FORMAT.read_text(encoding="utf-8").split("5. **Icons**")[1].split("6. **image**")[0])
    )
    assert set(ICON_SUBTYPES) <= set(ICON_NAMES) <= told
    assert set(ICON_SHAPES) == set(ICON_NAMES)
    assert set(GLYPHS) <= set(ICON_NAMES)
    assert {subtype for _, subtype in OWN_NAMES} <= set(ICON_NAMES)
    own = Icons(Random(1), key="own")
    drawn = {subtype: re.sub(r'data-truth-subtype="\w+"', "", own.draw(subtype, size=16)) for subtype in ICON_NAMES}
    assert len(set(drawn.values())) == len(drawn)


def test_nothing_held_for_tests_is_trained_on() -> None:
    train, val, test = (set(pairs(side)) for side in ("train", "val", "test"))
    assert train == val
    assert not train & test
    assert not {template for template, _ in train} & HELD_TEMPLATES
    assert not {kit for _, kit in train} & HELD_WIDGET_SETS
    assert all(template in HELD_TEMPLATES or kit in HELD_WIDGET_SETS for template, kit in test)
    assert 0.1 <= len(HELD_TEMPLATES) / len(TEMPLATES) <= 0.25
    assert 0.15 <= len(HELD_WIDGET_SETS) / len(WIDGET_SETS) <= 0.25
    assert set(ICON_SETS) > HELD_ICONS
    assert set(WIDGET_SETS) >= HELD_WIDGET_SETS | set(WIDGET_SET_TURNS)


def test_orders_are_repeatable_grow_at_their_end_and_share_no_seed() -> None:
    source = WebSource(packages=False)
    some, more = (source.specs(count=count, seed=2, side="train") for count in (40, 90))
    assert list(some) == list(more)[:10]
    assert len(more) == 23
    others = [source.specs(count=90, seed=seed, side=side) for side, seed in (("val", 2), ("test", 2), ("train", 3))]
    seeds = [{spec.seed for spec in specs} for specs in (more, *others)]
    assert sum(map(len, seeds)) == len(set().union(*seeds))
    assert {spec.group.split(".")[1] for spec in more} == {"own", "plain"}


def test_packages_are_pinned_and_free_to_use() -> None:
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", package.version) for package in PACKAGES.values())
    for package in PACKAGES.values():
        assert set(re.split(r" (?:AND|OR) ", package.licence)) <= PERMISSIVE
    assert len({package.folder for package in PACKAGES.values()}) == len(PACKAGES)
    needed = {kit.package for kit in WIDGET_SETS.values() if kit.package} | set(ICON_SETS) | set(FONT_SETS)
    assert needed == set(PACKAGES)


@pytest.mark.parametrize("dark", [False, True])
def test_texts_can_be_read_on_their_grounds(dark: bool) -> None:
    for seed in range(40):
        look = draw_look(Random(seed), dark=dark)
        assert contrast(look.text, look.panel) >= 6
        assert contrast(look.text, look.ground) >= 5
        assert contrast(look.on_accent, look.accent) >= 2.9
        assert contrast(look.on_chosen, look.chosen) >= 2.9


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_every_language_fills_every_kind_of_text(code: str) -> None:
    words = Words(Random(7), code=code)
    makers = (
        words.sentence, words.phrase, words.label, words.setting, words.name, words.date, words.price, words.email,
        words.file_name, words.site, words.phone, words.size, words.percent, words.heading, words.status, words.folder,
    )  # fmt: skip
    for make in makers:
        text = make()
        assert text.strip() == text != ""
        assert "{" not in text
    assert all(words.sentence().count("{") == 0 for _ in range(60))
    assert set(words.locale.commands) <= set(ICON_NAMES)
    assert len(words.locale.days) == 7
    assert len(words.locale.months) == 12
