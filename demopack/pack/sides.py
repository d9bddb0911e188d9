"""The sides of a divided pack: which packs of a folder are meant for training and which for measuring."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

from demopack.pack.lines import parse_object

__all__ = ["SPLITS", "parts_of", "side_of"]

SPLITS: Final = "SPLITS.json"
"""What ``demopack pack split`` leaves beside the packs of the sides."""
_LARGEST: Final = 64 << 20


def side_of(pack: Path) -> str:
    """Which side of a division a pack is, for instance ``test``; empty for a pack that nobody divided."""
    pack = pack.absolute()
    return pack.name if pack.name in _sides(pack.parent) else ""


def parts_of(path: Path) -> list[Path]:
    """The packs of a folder that holds a division, in its order; any other path is itself."""
    found = [path / side for side in _sides(path) if (path / side).is_dir()] if path.is_dir() else []
    return found or [path]


def _sides(folder: Path) -> list[str]:
    """The sides that a folder says it holds; what is no such file holds none."""
    file = folder / SPLITS
    try:
        if file.stat().st_size > _LARGEST:
            return []
        said: object = parse_object(file.read_text(encoding="utf-8")).get("sides")
    except (OSError, ValueError, RecursionError):
        return []
    # The names become folders and files of exports.
    names = cast("dict[str, object]", said) if isinstance(said, dict) else {}
    return [name for name in names if name.isidentifier() and name.isascii()]
