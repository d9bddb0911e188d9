"""The page on prompting says what the code does: its tables are made from it, its commands and names exist."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from demopack.errors import BadInputError
from demopack.markup import fill
from demopack.prompting.docs_tables import PAGES
from demopack_cli.prompt import command

TABLES = PAGES["prompting.md"]
PAGE = (Path(__file__).parents[2] / "docs" / "prompting.md").read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_code() -> None:
    assert fill(PAGE, TABLES) == PAGE, "run scripts/write_tables.py"
    assert set(re.findall(r"<!-- table: (\w+) -->", PAGE)) == {"dialects", "matrix", "lost", "ablation", "caap"}


def test_tables_next_to_one_another_are_made_each_for_itself() -> None:
    page = "<!-- table: ablation --><!-- end -->kept<!-- table: dialects -->\n<!-- end -->"
    made = fill(page, TABLES)
    assert "-->kept<!--" in made
    assert made.index("no_cot_no_demo") < made.index("kept") < made.index("UI-TARS")
    with pytest.raises(BadInputError, match="klingon"):
        fill("<!-- table: klingon --><!-- end -->", TABLES)


def test_every_option_on_the_page_is_an_option_of_the_command() -> None:
    options = {name for parameter in command.params for name in parameter.opts if name.startswith("--")}
    assert set(re.findall(r"--[a-z]+(?:-[a-z]+)*", re.sub(r"<!--.*?-->", "", PAGE, flags=re.DOTALL))) <= options


def test_every_import_on_the_page_works() -> None:
    found = re.findall(r"^from (demopack[\w.]*) import (.+)$", PAGE, flags=re.MULTILINE)
    assert len(found) >= 5
    for module, names in found:
        for name in names.split(", "):
            assert hasattr(importlib.import_module(module), name), f"{module}.{name}"
