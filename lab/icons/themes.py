"""Icons of the desktop's themes that are installed on this machine, file by file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lab.screens.qt.theme_names import THEME_NAMES

_FOLDER: Final = Path("/usr/share/icons")
_THEMES: Final = (
    "Adwaita", "breeze", "breeze-dark", "Papirus", "Papirus-Dark", "elementary-xfce", "elementary-xfce-dark", "Tango",
)  # fmt: skip
_MOST: Final = 6
"""Files of one theme for one meaning: sizes are often drawings of their own."""


def theme_files(folder: Path = _FOLDER) -> Iterator[tuple[str, str, Path]]:
    """Theme, meaning and file of every icon whose meaning is known; a link and what it leads to are one."""
    meanings = {name: meaning for meaning, names in THEME_NAMES.items() for name in names.split()}
    for theme in _THEMES:
        found: dict[str, dict[Path, None]] = {}
        for path in sorted((folder / theme).rglob("*")):
            meaning = meanings.get(path.stem.removesuffix("-symbolic"))
            if meaning is not None and path.suffix in {".svg", ".png"} and path.is_file():
                found.setdefault(meaning, {})[path.resolve()] = None
        for meaning, paths in sorted(found.items()):
            files = list(paths)
            some = [files[i * len(files) // _MOST] for i in range(_MOST)] if len(files) > _MOST else files
            for path in some:
                yield theme, meaning, path
