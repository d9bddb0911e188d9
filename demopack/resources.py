"""Finds the files of ``assets/`` in a checkout and in an installed wheel alike."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from demopack.errors import DemopackError


@cache
def assets_root() -> Path:
    """The folder that holds the assets.

    Raises:
        DemopackError: neither the wheel's nor the checkout's folder is there, so the installation is damaged.
    """
    package = Path(__file__).resolve().parent
    for candidate in (package / "_assets", package.parent / "assets"):
        if candidate.is_dir():
            return candidate
    raise _missing("files are", package)


def asset(relative: str) -> Path:
    """The path of one asset, for instance ``icons/record.svg``.

    Raises:
        DemopackError: there is no such asset, so the installation is damaged.
    """
    path = assets_root() / relative
    if not path.exists():
        raise _missing(f"file {relative} is", assets_root())
    return path


def _missing(what: str, where: Path) -> DemopackError:
    return DemopackError(
        f"demopack's own {what} missing.", details=f"Looked in {where}.", hint="Install demopack again."
    )
