"""Brings packages of the npm registry into a cache folder, with the ordinary npm client, when they are needed first."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import platformdirs
from filelock import FileLock

from demopack.errors import BadInputError
from demopack.replacing import made_beside
from lab.screens.web.packages import PACKAGES, Package

_SECONDS = 300.0
_WANTED = re.compile(r"\.css$|\.svg$|/package\.json$|/licen[cs]e[^/]*$|\.(?:woff2?|png|gif)$", re.IGNORECASE)
# A font package holds every weight and script; two weights of what we write are enough.
_FONT_WANTED = re.compile(r"-(?:latin|latin-ext|cyrillic|greek)-(?:400|700)-normal\.woff2$|/licen[cs]e", re.IGNORECASE)


def default_cache() -> Path:
    """Where packages are kept: ``DEMOPACK_WEB_PACKAGES``, or a folder in the user's cache."""
    given = os.environ.get("DEMOPACK_WEB_PACKAGES")
    return Path(given) if given else platformdirs.user_cache_path("demopack") / "web-packages"


class PackageSource(Protocol):
    """Where archives of packages come from."""

    def fetch(self, package: Package, folder: Path) -> Path:
        """Put the package's archive (``.tgz``) into a folder and say where it is.

        Raises:
            BadInputError: it cannot be had; the hint is the way out.
        """
        ...


class NpmPack:
    """The npm client, as it is set up on this computer."""

    def fetch(self, package: Package, folder: Path) -> Path:
        """See ``PackageSource``."""
        npm = shutil.which("npm")
        spec = f"{package.name}@{package.version}"
        if npm is None:
            raise BadInputError(
                f"The npm client is not installed, so the page style {spec} cannot be fetched; nothing was changed.",
                hint="Install npm (on Debian: apt-get install npm), or draw pages without packages.",
            )
        command = [npm, "pack", spec, "--silent", "--pack-destination", str(folder)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd=folder)
        except subprocess.TimeoutExpired as error:
            raise _unreachable(spec, f"no answer in {_SECONDS:.0f} s") from error
        found = sorted(folder.glob("*.tgz"))
        if done.returncode or not found:
            raise _unreachable(spec, done.stderr.strip()[-2000:])
        return found[0]


def _unreachable(spec: str, details: str) -> BadInputError:
    return BadInputError(
        f"The npm registry did not give the page style {spec}; nothing was changed.",
        details=details,
        hint="Check the network and `npm config get registry`, or draw pages without packages.",
    )


class PackageCache:
    """The packages in a cache folder; what is missing is fetched once.

    Args:
        folder: of the cache; created where it is missing.
        source: where missing packages come from.
    """

    def __init__(self, folder: Path | None = None, *, source: PackageSource | None = None) -> None:
        self.folder = folder or default_cache()
        self._source = source or NpmPack()

    def has(self, key: str) -> bool:
        """Whether a package is there already."""
        return (self.folder / PACKAGES[key].folder).is_dir()

    def path(self, key: str) -> Path:
        """The unpacked package.

        Raises:
            BadInputError: it is not there and cannot be fetched, or its archive is damaged.
        """
        package = PACKAGES[key]
        target = self.folder / package.folder
        if target.is_dir():
            return target
        self.folder.mkdir(parents=True, exist_ok=True)
        # Several renderers start at once and want the same package.
        with FileLock(self.folder / f"{package.folder}.lock"):
            if not target.is_dir():
                self._bring(package, target)
        return target

    def bring(self, keys: Iterable[str]) -> None:
        """Fetch what is missing of several packages, before anything is drawn.

        Raises:
            BadInputError: one of them cannot be had.
        """
        for key in keys:
            self.path(key)

    def _bring(self, package: Package, target: Path) -> None:
        with made_beside(target) as room:
            archive = self._source.fetch(package, room)
            unpacked = room / "unpacked"
            try:
                with tarfile.open(archive) as opened:
                    wanted = _FONT_WANTED if package.kind == "font" else _WANTED
                    members = [m for m in opened.getmembers() if m.isfile() and wanted.search(f"/{m.name}")]
                    opened.extractall(unpacked, members=members, filter="data")
            except (tarfile.TarError, OSError, EOFError) as error:
                raise BadInputError(
                    f"The archive of {package.name} {package.version} is damaged; nothing was changed.",
                    details=str(error),
                    hint="Try again; if it stays so, clear npm's cache with `npm cache clean --force`.",
                ) from error
            tops = sorted(p for p in unpacked.iterdir() if p.is_dir()) if unpacked.is_dir() else []
            if not tops:
                raise BadInputError(f"The archive of {package.name} {package.version} holds no style sheet.")
            tops[0].rename(target)
