"""Write the tables of the pages on formats and prompts from the code."""

from __future__ import annotations

from pathlib import Path

from demopack.markup import fill
from demopack.prompting.docs_tables import PAGES

if __name__ == "__main__":
    for page, tables in PAGES.items():
        path = Path(__file__).parents[1] / "docs" / page
        path.write_text(fill(path.read_text(encoding="utf-8"), tables), encoding="utf-8", newline="\n")
