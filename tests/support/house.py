"""Counts of the product's code: size, and names that stand twice.

``python -m tests.support.house`` prints them; ``tests/unit/test_house.py`` holds them to their limits.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("demopack", "recorder", "models", "annotator", "player", "tasks", "demopack_cli")
"""What the wheel holds; ``lab/``, tests, benchmarks and scripts are not the product."""

SHORT_LINES = 60
"""A file below this is one that has to explain itself; stub ``__init__`` files aside."""


@dataclass(slots=True)
class Census:
    """What was counted.

    Attributes:
        lines: of all files, blank ones and docstrings included.
        code: lines that are neither blank, comment, docstring, import nor ``__all__``.
        files: Python files.
        short: files of fewer than ``SHORT_LINES`` lines.
        depth: folders from the package to the deepest file.
        classes: the places of each public class at the top of a module.
        rooms: lines of each package.
    """

    lines: int = 0
    code: int = 0
    files: int = 0
    short: int = 0
    depth: int = 0
    classes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    rooms: Counter[str] = field(default_factory=Counter)

    @property
    def twice(self) -> dict[str, list[str]]:
        """Public class names that stand more than once, with their files."""
        return {name: places for name, places in sorted(self.classes.items()) if len(places) > 1}


def census(root: Path = ROOT) -> Census:
    """Count the product below ``root``."""
    counted = Census()
    for path in sorted(path for package in PACKAGES for path in (root / package).rglob("*.py")):
        _count(path.relative_to(root), path.read_text(encoding="utf-8"), counted)
    return counted


def _count(path: Path, text: str, counted: Census) -> None:
    lines = text.splitlines()
    tree = ast.parse(text)
    passed_over = {number for node in ast.walk(tree) for number in _not_code(node)}
    counted.files += 1
    counted.lines += len(lines)
    counted.rooms[path.parts[0]] += len(lines)
    counted.code += sum(
        1
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.strip().startswith("#") and number not in passed_over
    )
    counted.short += len(lines) < SHORT_LINES and path.name != "__init__.py"
    counted.depth = max(counted.depth, len(path.parts) - 1)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            counted.classes[node.name].append(str(path))


def _not_code(node: ast.AST) -> range:
    """The lines of an import, of ``__all__`` or of a docstring; none of anything else."""
    if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        first = node.body[0] if node.body else None
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        return _lines_of(first) if is_text and isinstance(first.value.value, str) else range(0)
    names = [target.id for target in getattr(node, "targets", []) if isinstance(target, ast.Name)]
    return _lines_of(node) if isinstance(node, (ast.Import, ast.ImportFrom)) or "__all__" in names else range(0)


def _lines_of(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def importers_of(package: str, *, root: Path = ROOT, within: tuple[str, ...] = PACKAGES) -> list[str]:
    """The files below ``within`` that import a package, or a part of it."""
    paths = (path for folder in within for path in sorted((root / folder).rglob("*.py")))
    return [str(path.relative_to(root)) for path in paths if any(_is_in(name, package) for name in _imports_of(path))]


def _is_in(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def _imports_of(path: Path) -> Iterator[str]:
    return _imports(ast.parse(path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    counts = census()
    print(f"lines {counts.lines}, code {counts.code}, files {counts.files}, short {counts.short}, depth {counts.depth}")
    print("lines of each package:", ", ".join(f"{room} {lines}" for room, lines in counts.rooms.most_common()))
    print("names that stand twice:", len(counts.twice))
    for name, places in counts.twice.items():
        print(f"  {name}: {', '.join(places)}")
