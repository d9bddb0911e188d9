"""The charts of a pack's page: bars as long as their numbers say, in words that can be read."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from demopack.pack.page import page_numbers
from demopack.pack.sets.statistics import TITLES, PackStatistics
from demopack.resources import asset


def _page() -> str:
    counts: dict[str, Any] = {field.name: {} for field in fields(PackStatistics) if field.name in TITLES}
    counts |= {"actions": {"press_key": 1200, "click": 300}, "apps": {"my_app": 1}}
    others = {field.name: None for field in fields(PackStatistics) if field.name not in TITLES}
    return str(page_numbers(PackStatistics(**others, **counts)))


def test_bars_are_as_long_as_their_numbers_say() -> None:
    shares = [float(share) for share in re.findall(r"--share:([\d.]+)", _page())]
    assert shares == [1.0, 0.25, 1.0]
    css = asset("pack_page/page.css").read_text(encoding="utf-8")
    (rule,) = re.findall(r"\.charts \.bar \{([^}]*)\}", css)
    assert "var(--share)" in rule
    assert "max-width" not in rule, "a limit would make long bars equal"


def test_our_words_can_break_and_given_names_stay() -> None:
    page = _page()
    assert ">press key</dt>" in page
    assert ">my_app</dt>" in page
    assert ">1,200</small>" in page
