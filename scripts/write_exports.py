"""Write docs/formats/exports.md from the exporters."""

from __future__ import annotations

from pathlib import Path

from demopack.codecs.sets.documentation import render

if __name__ == "__main__":
    path = Path(__file__).parents[1] / "docs" / "formats" / "exports.md"
    path.write_text(render(), encoding="utf-8", newline="\n")
