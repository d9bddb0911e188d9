"""Write the tables of docs/formats/annotations.md from the formats of annotations."""

from __future__ import annotations

from pathlib import Path

from demopack.annotations.documentation import TABLES
from demopack.markup import fill

if __name__ == "__main__":
    path = Path(__file__).parents[1] / "docs" / "formats" / "annotations.md"
    path.write_text(fill(path.read_text(encoding="utf-8"), TABLES), encoding="utf-8", newline="\n")
