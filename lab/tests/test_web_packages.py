"""Packages for pages: fetched once, only what is needed of them, with a clear word when they cannot be had."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from demopack.errors import BadInputError
from lab.screens.web.fetch import NpmPack, PackageCache, default_cache
from lab.screens.web.icons import Icons, find_icon
from lab.screens.web.packages import Package

SVG = b'<?xml version="1.0"?><svg viewBox="0 0 9 9" width="9"><path d="M0 0h9"/></svg>\n'


class Registry:
    """A folder that stands for the registry."""

    def __init__(self, files: dict[str, bytes], *, damaged: bool = False) -> None:
        self.files = files
        self.damaged = damaged
        self.asked: list[str] = []

    def fetch(self, package: Package, folder: Path) -> Path:
        self.asked.append(f"{package.name}@{package.version}")
        path = folder / "package.tgz"
        with tarfile.open(path, "w:gz") as archive:
            for name, data in self.files.items():
                entry = tarfile.TarInfo(f"package/{name}")
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
        if self.damaged:
            path.write_bytes(path.read_bytes()[:40])
        return path


def test_a_package_is_fetched_once_and_without_its_programs(tmp_path: Path) -> None:
    registry = Registry({"dist/css/bootstrap.min.css": b"a{}", "dist/js/bootstrap.js": b"x", "LICENSE": b"MIT"})
    for _ in range(2):
        root = PackageCache(tmp_path, source=registry).path("bootstrap")
        assert (root / "dist/css/bootstrap.min.css").read_bytes() == b"a{}"
    assert registry.asked == ["bootstrap@5.3.8"]
    assert (root / "LICENSE").exists()
    assert not (root / "dist/js").exists()
    assert [p.name for p in tmp_path.iterdir() if p.is_dir()] == ["bootstrap-5.3.8"]


def test_of_fonts_only_the_needed_weights_and_scripts_are_kept(tmp_path: Path) -> None:
    names = ("inter-latin-400-normal.woff2", "inter-latin-100-italic.woff2", "inter-vietnamese-400-normal.woff2")
    registry = Registry({f"files/{name}": b"font" for name in names})
    root = PackageCache(tmp_path, source=registry).path("inter")
    assert [path.name for path in (root / "files").iterdir()] == ["inter-latin-400-normal.woff2"]


@pytest.mark.parametrize(
    "registry", [Registry({"a.css": b"a{}"}, damaged=True), Registry({"readme.txt": b"nothing to wear"})]
)
def test_a_damaged_or_empty_package_is_named_and_leaves_nothing(tmp_path: Path, registry: Registry) -> None:
    with pytest.raises(BadInputError, match="bulma"):
        PackageCache(tmp_path, source=registry).path("bulma")
    assert not [p for p in tmp_path.iterdir() if p.is_dir()]


def test_without_npm_the_way_out_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInputError, match=r"npm client is not installed.*bulma@1") as caught:
        PackageCache(tmp_path / "cache", source=NpmPack()).path("bulma")
    assert "without packages" in caught.value.hint


def test_a_registry_that_does_not_answer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'no such host' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(BadInputError, match="registry did not give") as caught:
        PackageCache(tmp_path / "cache", source=NpmPack()).path("bulma")
    assert "no such host" in caught.value.details
    assert "npm config get registry" in caught.value.hint


def test_the_cache_can_be_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DEMOPACK_WEB_PACKAGES", str(tmp_path))
    assert default_cache() == tmp_path


def test_a_set_draws_what_it_has_and_ours_stands_in_for_the_rest(tmp_path: Path) -> None:
    from random import Random

    package_cache = PackageCache(tmp_path, source=Registry({"dist/icons/trash.svg": SVG}))
    root = package_cache.path("feather")
    assert find_icon(root, "feather", ("delete", "trash")) == root / "dist/icons/trash.svg"
    icons = Icons(Random(1), key="feather", package_cache=package_cache)
    ours = icons.draw("search", size=16)
    theirs = icons.draw("delete", size=20)
    assert 'viewBox="0 0 9 9"' in theirs
    assert 'width="20"' in theirs
    assert 'fill="currentColor"' in theirs
    assert 'data-truth-subtype="delete"' in theirs
    assert "<?xml" not in theirs
    assert 'viewBox="0 0 24 24"' in ours
