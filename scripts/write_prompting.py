"""Write the tables of docs/prompting.md from the code."""

from __future__ import annotations

from pathlib import Path

from demopack.markup import fill
from demopack.prompting.docs_tables import TABLES

if __name__ == "__main__":
    path = Path(__file__).parents[1] / "docs" / "prompting.md"
    path.write_text(fill(path.read_text(encoding="utf-8"), TABLES), encoding="utf-8", newline="\n")
