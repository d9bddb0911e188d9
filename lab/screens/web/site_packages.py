"""Real pages: documentation packages of Debian and galleries of npm packages, unpacked into a cache folder."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal, cast, get_args

import platformdirs
from filelock import FileLock

from demopack.atomic import write_text_atomic
from demopack.errors import BadInputError
from demopack.replacing import made_beside
from models.training.labelled_screens import Split

SITES_TABLE: Final = Path(__file__).with_name("sites.tsv")
"""Side and package of each site; what a rule chose is said in docs/formats/screens.md."""
_SHARED: Final = (
    "libjs-jquery", "libjs-underscore", "libjs-sphinxdoc", "libjs-modernizr", "sphinx-rtd-theme-common",
    "fonts-font-awesome", "fonts-lato",
)  # fmt: skip
"""What pages of documentation packages refer to: scripts, style sheets and fonts that lie in packages of their own."""
_LEFT_OUT: Final = {
    "uikit": {
        "tests/js/test.js": """document.write('<link rel="stylesheet" href="../dist/css/uikit.css">'
  + '<script src="../dist/js/uikit.js"><\\/script><script src="../dist/js/uikit-icons.js"><\\/script>');
"""
    }
}
"""What a package leaves out that its pages need to be dressed: path and text."""
_SECONDS: Final = 300.0
_MAX_PAGE_BYTES: Final = 1_500_000
_NO_PAGE: Final = re.compile(r"<frameset|<iframe|http-equiv=[\"']?refresh", re.IGNORECASE)
"""Frames hold documents of their own, which the page's script does not reach; a redirection shows another page."""


@dataclass(frozen=True, slots=True)
class Site:
    """Pages that one package holds.

    Attributes:
        name: of the group; the package's own.
        side: what its screens may be used for.
        registry: who has the package.
        version: exact, of npm packages; Debian has one.
        folder: of an npm package, where its pages are.
    """

    name: str
    side: Split
    registry: Literal["debian", "npm"] = "debian"
    version: str = ""
    folder: str = ""


def read_sites(path: Path = SITES_TABLE) -> tuple[Site, ...]:
    """The sites of a table of side and package, parted by a tab; lines with # say something about it.

    Raises:
        ValueError: a line has other columns, or a side that there is not.
    """
    found: list[Site] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        side, package = line.split("\t")
        if side not in get_args(Split):
            raise ValueError(f"{path.name}: {line!r} has no such side.")
        if package.startswith("npm:"):
            name, _, place = package.removeprefix("npm:").rpartition("@")
            version, _, folder = place.partition("/")
            found.append(Site(name, cast("Split", side), "npm", version, folder))
        else:
            found.append(Site(package, cast("Split", side)))
    return tuple(found)


class SiteCache:
    """Unpacked packages in a cache folder; what is missing is fetched once, with apt's and npm's own clients.

    Args:
        folder: of the cache; created where it is missing.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or platformdirs.user_cache_path("demopack") / "site-packages"

    def pages(self, site: Site) -> tuple[Path, ...]:
        """The HTML files of a site, in a fixed order; without those that show other documents in frames.

        Raises:
            BadInputError: the package cannot be had, or holds no page.
        """
        found = self._npm(site) if site.registry == "npm" else self._debian(site)
        if not found:
            raise BadInputError(f"The package {site.name} holds no page that could be drawn.")
        return found

    def _debian(self, site: Site) -> tuple[Path, ...]:
        # One tree for all: pages refer to scripts of other packages by relative links.
        root = self._folder / "debian"
        root.mkdir(parents=True, exist_ok=True)
        with FileLock(self._folder / "debian.lock"):
            for package in (*_SHARED, site.name):
                if not (root / f".{package}").exists():
                    _unpack_debian(package, root)
        files = (root / f".{site.name}").read_text(encoding="utf-8").splitlines()
        return _pages(tuple(root / name for name in files))

    def _npm(self, site: Site) -> tuple[Path, ...]:
        target = self._folder / f"{site.name.strip('@').replace('/', '-')}-{site.version}"
        self._folder.mkdir(parents=True, exist_ok=True)
        with FileLock(self._folder / f"{target.name}.lock"):
            if not target.is_dir():
                _unpack_npm(f"{site.name}@{site.version}", target)
                for name, text in _LEFT_OUT.get(site.name, {}).items():
                    write_text_atomic(target / name, text)
        return _pages(tuple(_files(target / site.folder)))


def _unpack_debian(package: str, root: Path) -> None:
    with made_beside(root / package) as room:
        _run(["apt-get", "download", package], room, package)
        archive = next(room.glob("*.deb"), None)
        if archive is None:
            raise _unreachable(package, "apt-get wrote no archive")
        tree = room / "tree"
        _run(["dpkg-deb", "--extract", str(archive), str(tree)], room, package)
        files = [str(path.relative_to(tree)) for path in _files(tree)]
        shutil.copytree(tree, root, symlinks=True, dirs_exist_ok=True)
    write_text_atomic(root / f".{package}", "\n".join(files))


def _unpack_npm(package: str, target: Path) -> None:
    with made_beside(target) as room:
        _run(["npm", "pack", package, "--silent"], room, package)
        archive = next(room.glob("*.tgz"), None)
        if archive is None:
            raise _unreachable(package, "npm wrote no archive")
        unpacked = room / "unpacked"
        with tarfile.open(archive) as opened:
            opened.extractall(unpacked, filter="data")
        next(path for path in unpacked.iterdir() if path.is_dir()).rename(target)


def _run(command: list[str], folder: Path, package: str) -> None:
    if shutil.which(command[0]) is None:
        raise _unreachable(package, f"{command[0]} is not installed")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd=folder)
    except subprocess.TimeoutExpired as error:
        raise _unreachable(package, f"no answer in {_SECONDS:.0f} s") from error
    if done.returncode:
        raise _unreachable(package, done.stderr.strip()[-2000:])


def _unreachable(package: str, details: str) -> BadInputError:
    return BadInputError(
        f"The package {package} could not be fetched; nothing was changed.",
        details=details,
        hint="Documentation needs a Debian with apt, galleries need npm; check the network and their lists.",
    )


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.htm*")) if path.suffix in {".html", ".htm"}]


@cache
def _pages(files: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(path for path in files if path.is_file() and _is_page(path))


def _is_page(path: Path) -> bool:
    if path.stat().st_size > _MAX_PAGE_BYTES:
        return False
    text = path.read_text(encoding="utf-8", errors="replace")
    return "<body" in text.casefold() and not _NO_PAGE.search(text)
