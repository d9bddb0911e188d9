"""The pages of the installed ``miniwob`` package, found without importing it: that would want its whole simulator."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from demopack.errors import CaptureError


def page_path(task: str) -> Path:
    """The page of a task.

    Raises:
        CaptureError: the package is not installed, or it has no such task.
    """
    spec = find_spec("miniwob")
    if spec is None or not spec.submodule_search_locations:
        raise CaptureError(
            "The MiniWoB++ pages are not installed.", hint='Install them with: pip install "demopack[train]"'
        )
    path = Path(spec.submodule_search_locations[0]) / "html" / "miniwob" / f"{task}.html"
    if not path.is_file():
        raise CaptureError(f"The installed MiniWoB++ has no task {task}.")
    return path


def script(name: str) -> str:
    """One of the scripts beside this file."""
    return (Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8")
