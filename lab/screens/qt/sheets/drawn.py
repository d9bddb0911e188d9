"""Style sheets that nobody has written: each part of a program is drawn in one of several ways, by chance.

The ways are in ``drawn.json``: rules, or only what stands between the braces of one. A number in braces is filled in
here, any other name by ``sheets``.
"""

from __future__ import annotations

import functools
import json
import random
from pathlib import Path
from typing import Final, cast

_EDITS: Final = "QLineEdit, QComboBox, QAbstractSpinBox"
_AREAS: Final = "QTextEdit, QPlainTextEdit, QListView, QTreeView, QTableView"
_TICKS: Final = ("QCheckBox::indicator", "QGroupBox::indicator", "QListView::indicator", "QTreeView::indicator")
_ROWS: Final = "QListView::item:selected, QTreeView::item:selected, QTableView::item:selected"


@functools.cache
def _ways() -> dict[str, list[str]]:
    text = Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
    return cast("dict[str, list[str]]", json.loads(text))


def drawn_sheet(rng: random.Random) -> str:
    """A style sheet with the names of ``sheets`` in it; equal random numbers give equal sheets."""
    numbers = {
        "r": rng.choice((0, 2, 3, 5, 8)), "p": rng.choice((2, 3, 4, 6)), "w": rng.choice((8, 12, 18)),
        "m": rng.choice((12, 14, 16, 18)),
    }  # fmt: skip
    rules = (*_ways()["always"], *_controls(rng), *_bars(rng), *_views(rng))
    return _filled("\n".join(rules), numbers)


def _filled(text: str, numbers: dict[str, int]) -> str:
    for name, value in numbers.items():
        text = text.replace(f"${{{name}}}", str(value))
    return text


def _way(rng: random.Random, part: str) -> str:
    return rng.choice(_ways()[part])


def _controls(rng: random.Random) -> list[str]:
    focus = _way(rng, "focus")
    focused = ", ".join(f"{one}:focus" for one in (*_EDITS.split(", "), "QTextEdit", "QPlainTextEdit", "QPushButton"))
    ticked = ", ".join(f"{one}:checked" for one in _TICKS)
    return [
        _way(rng, "buttons"),
        f"{_EDITS} {_way(rng, 'fields')}",
        f"{_AREAS} {_way(rng, 'areas')}",
        f"{focused} {{ {focus} }}",
        f"{', '.join(_TICKS)} {_way(rng, 'marks')}",
        f"{ticked} {_way(rng, 'ticked')}",
        f"QRadioButton::indicator:checked {{ {_way(rng, 'dots')} }}",
        f"QCheckBox:focus, QRadioButton:focus {{ {_way(rng, 'rings')} }}",
        _way(rng, "tools"),
        _way(rng, "groups"),
        _way(rng, "tabs"),
        _way(rng, "tab_focus"),
    ]


def _bars(rng: random.Random) -> list[str]:
    """Scroll bars, thin or with buttons, and sliders."""
    arrows = rng.random() < 0.35
    size = rng.choice((14, 16, 18) if arrows else (6, 8, 8, 10, 12, 14))
    track, room = _way(rng, "tracks"), size if arrows else 0
    groove = f"background: {_way(rng, 'grooves')};"
    thin = rng.choice((2, 4, 6))
    return [
        f"QScrollBar:vertical {{ {track} width: {size}px; margin: {room}px 0; }}",
        f"QScrollBar:horizontal {{ {track} height: {size}px; margin: 0 {room}px; }}",
        _filled(f"QScrollBar::handle {{ {_way(rng, 'thumbs')} }}", {"h": max(1, size // 2 - 2)}),
        _filled(_way(rng, "arrows" if arrows else "no_arrows"), {"s": size}),
        f"QSlider::groove:horizontal {{ height: {thin}px; {groove} border-radius: {thin // 2}px; }}",
        f"QSlider::groove:vertical {{ width: {thin}px; {groove} border-radius: {thin // 2}px; }}",
        "QSlider::sub-page:horizontal { background: $accent; }" if rng.random() < 0.5 else "",
        _way(rng, "sliders"),
    ]


def _views(rng: random.Random) -> list[str]:
    """Rows, menus and bars."""
    high, entry = rng.choice((0, 2, 4, 7)), rng.choice((3, 5, 7))
    bar, strip = rng.choice(("$window", "$button", "$base")), rng.choice(("$button", "$window", "$alternate"))
    return [
        f"QListView::item {{ padding: {high}px; }}",
        f"{_ROWS} {{ {_way(rng, 'chosen')} }}",
        f"QMenuBar {{ background: {bar}; }}",
        f"QMenuBar::item {{ padding: {entry}px 9px; background: transparent; }}",
        f"QMenuBar::item:selected {{ {_way(rng, 'chosen')} }}",
        f"QMenu {{ background: $base; border: 1px solid $border; padding: {rng.choice((0, 3, 6))}px 0; }}",
        f"QMenu::item {{ padding: {entry}px 28px {entry}px 26px; }}",
        f"QMenu::item:selected {{ {_way(rng, 'chosen')} }}",
        f"QToolBar {{ background: {strip}; border: 0; padding: 3px; spacing: 3px; }}",
        f"QProgressBar {{ border: {rng.choice((0, 1))}px solid $border; background: $alternate; text-align: center; }}",
    ]
