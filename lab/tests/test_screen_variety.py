"""What screens are varied by: icons of every meaning, skins, sheets put together by chance, made-up words."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from demopack.domain.geometry import Rect
from lab.screens.browser.scrollbars import bar_parts
from lab.screens.qt.drawing import sets
from lab.screens.qt.looks import scheme
from lab.screens.qt.sheets import sheet
from lab.screens.qt.words.speech import LANGUAGES, Speech
from lab.screens.web import words as web_words
from lab.screens.web.fetch import PackageCache
from lab.screens.web.icon_names import SUBTYPES
from lab.screens.web.packages import PACKAGES
from lab.screens.web.page import make_page
from lab.screens.web.skins import ANY_SKINS, OWN_SKINS
from lab.screens.web.words import Words

SKINS = Path(web_words.__file__).with_name("sheets") / "skins.css"


def test_pages_of_icons_show_every_meaning_about_as_often() -> None:
    told: Counter[str] = Counter()
    for seed in range(24):
        html = make_page(template="toolbox", kit="own", seed=seed, package_cache=None).html
        told.update(re.findall(r'data-truth-subtype="(\w+)"', html))
    counts = [told[subtype] for subtype in SUBTYPES]
    assert min(counts) >= 20
    assert max(counts) < 12 * min(counts)


@pytest.mark.parametrize("template", ["writing", "editor"])
def test_what_is_written_in_is_a_text_area(template: str) -> None:
    pages = [make_page(template=template, kit="own", seed=seed, package_cache=None).html for seed in range(10)]
    assert all('data-truth-type="text_area"' in html or "<textarea" in html for html in pages)


def test_numbers_of_lines_are_no_text() -> None:
    pages = [make_page(template="editor", kit="own", seed=seed, package_cache=None).html for seed in range(10)]
    numbers = [one for html in pages for one in re.findall(r"<span([^>]*)>1</span><span", html)]
    assert numbers
    assert all('data-truth-skip="all"' in one for one in numbers)


def test_every_skin_has_rules_and_every_rule_a_skin() -> None:
    rules = set(re.findall(r"\.(\w+-\w+)(?= |::|\.chk)", SKINS.read_text(encoding="utf-8")))
    parts = {**ANY_SKINS, **OWN_SKINS}
    names = {f"{part}-{name}" for part, names in parts.items() for name in names}
    assert names <= rules
    assert {rule for rule in rules if rule.split("-")[0] in parts} <= names


def test_a_page_always_has_a_way_to_draw_the_focus() -> None:
    bodies = [make_page(template="form", kit="plain", seed=seed, package_cache=None).html for seed in range(12)]
    found = [re.search(r'<body class="([^"]*)"', html) for html in bodies]
    rings = {name for one in found if one for name in one[1].split() if name.startswith("ring-")}
    assert all(one and "ring-" in one[1] for one in found)
    assert len(rings) > 1


def test_sheets_put_together_by_chance_are_whole_and_differ() -> None:
    made = [sheet("drawn1", scheme(3), lambda sign, colour: f"{sign}{colour}.svg", Random(seed)) for seed in range(40)]
    assert made[5] == sheet("drawn1", scheme(3), lambda sign, colour: f"{sign}{colour}.svg", Random(5))
    assert len(set(made)) == len(made)
    for text in made:
        assert "$" not in text
        assert text.count("{") == text.count("}")
        assert "QPlainTextEdit" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_made_up_words_of_qt_windows_are_words(language: str) -> None:
    say = Speech(Random(3), language)
    texts = [say.made_up(3) for _ in range(50)]
    assert all(text.strip() == text and len(text.split()) >= 3 for text in texts)
    assert len(set(texts)) == len(texts)


def test_made_up_words_of_pages_are_never_templates() -> None:
    say = Words(Random(3), code="de")
    texts = [say.made_up(4) for _ in range(200)]
    assert len(set(texts)) == len(texts)
    assert all("{" not in text and text.strip() == text for text in texts)


def test_icons_of_a_set_take_a_colour_and_are_only_those_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "PackageCache", lambda: PackageCache(tmp_path))
    sets.set_keys.cache_clear()
    try:
        assert sets.set_keys() == ()
        folder = tmp_path / PACKAGES["feather"].folder / "dist" / "icons"
        folder.mkdir(parents=True)
        (folder / "home.svg").write_text('<svg viewBox="0 0 24 24"><path d="M1 1h4"/></svg>')
        sets.set_keys.cache_clear()
        assert sets.set_keys() == ("feather",)
        drawn = sets.set_svg("feather", "home", weight=0.5, colour="#123456")
        assert drawn is not None
        assert 'fill="#123456"' in drawn
        assert sets.set_svg("feather", "bell", weight=0.5, colour="#123456") is None
        assert sets.set_svg("feather", "no such meaning", weight=0.5, colour="#123456") is None
    finally:
        sets.set_keys.cache_clear()


def test_a_thumb_as_wide_as_its_track_is_told_from_it_by_what_is_in_view() -> None:
    image = np.full((100, 8, 3), 240, dtype=np.uint8)
    image[10:80] = 120
    (kind, box), *rest = bar_parts(image, Rect(0, 0, 8, 100), upright=True, part=0.7, at=1 / 3).parts
    assert (kind, box, rest) == ("scrollbar_thumb", Rect(0, 10, 8, 80), [])
