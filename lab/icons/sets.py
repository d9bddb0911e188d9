"""Icon sets whose drawings are learned from: packages of the npm registry, pinned, all of them permissive."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from filelock import FileLock

from demopack.atomic import write_bytes_atomic
from demopack.errors import BadInputError
from demopack.replacing import made_beside
from lab.icons.meanings import MEANINGS, NOTHING, meaning_of
from lab.screens.qt.glyphs import GLYPHS, glyph_svg
from lab.screens.web.fetch import NpmPack, PackageSource, default_cache
from lab.screens.web.icon_shapes import ICON_SHAPES
from lab.screens.web.packages import Package

_MOST, _MOST_NOTHING = 5, 40
"""Drawings of one meaning that are taken of a set."""
_NAME = "@iconify-json/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One picture of a set.

    Attributes:
        kind: the set.
        name: in the set.
        meaning: one of the classes that are learned.
        svg: the picture; ``currentColor`` is black.
        coloured: whether it has colours of its own.
    """

    kind: str
    name: str
    meaning: str
    svg: str
    coloured: bool = False


def _packages(text: str) -> dict[str, Package]:
    found: dict[str, Package] = {}
    for line in text.strip().splitlines():
        key, version, licence = line.split(maxsplit=2)
        found[key] = Package(key, f"{_NAME}{key}", version, licence, "icons")
    return found


SETS: Final = _packages(
    """
    akar-icons         1.2.7   MIT
    ant-design         1.2.9   MIT
    basil              1.2.4   CC-BY-4.0
    bytesize           1.2.2   MIT
    carbon             1.2.29  Apache-2.0
    cil                1.2.3   CC-BY-4.0
    clarity            1.2.4   MIT
    codicon            1.2.74  CC-BY-4.0
    el                 1.2.2   OFL-1.1
    ep                 1.2.4   MIT
    eva                1.2.3   MIT
    fa                 1.2.2   OFL-1.1
    flat-color-icons   1.2.3   MIT
    fluent             1.2.60  MIT
    fluent-color       1.2.21  MIT
    gg                 1.2.2   MIT
    grommet-icons      1.2.4   Apache-2.0
    heroicons          1.2.3   MIT
    humbleicons        1.2.20  MIT
    ic                 1.2.4   Apache-2.0
    icon-park          1.2.4   Apache-2.0
    icon-park-outline  1.2.4   Apache-2.0
    iconoir            1.2.11  MIT
    jam                1.2.3   MIT
    la                 1.2.1   Apache-2.0
    lets-icons         1.2.2   CC-BY-4.0
    majesticons        1.2.5   MIT
    material-symbols   1.2.98  Apache-2.0
    mingcute           1.2.8   Apache-2.0
    oi                 1.2.0   MIT
    ph                 1.2.2   MIT
    pixelarticons      1.2.9   MIT
    prime              1.2.5   MIT
    qlementine-icons   1.2.16  MIT
    radix-icons        1.2.6   MIT
    simple-line-icons  1.2.1   MIT
    solar              1.2.13  CC-BY-4.0
    tabler             1.2.41  MIT
    tdesign            1.2.19  MIT
    teenyicons         1.2.2   MIT
    uil                1.2.3   Apache-2.0
    vaadin             1.2.1   Apache-2.0
    zondicons          1.2.2   MIT
    """
)
VAL_SETS: Final = _packages(
    """
    f7           1.2.2   MIT
    fluent-mdl2  1.2.1   MIT
    garden       1.2.6   Apache-2.0
    mynaui       1.2.19  MIT
    ooui         1.2.24  MIT
    oui          1.2.6   Apache-2.0
    """
)
"""Never learned from: how well a network does on sets it has not seen."""
TEST_SETS: Final = _packages(
    """
    ion      1.2.7   MIT
    octicon  1.2.36  MIT
    """
)
"""The sets that no page of the sides train and val shows either; measured at the end, once."""


def has_set(package: Package, *, folder: Path | None = None) -> bool:
    """Whether a set lies on this machine, so that nothing need be fetched."""
    return _file(package, folder or default_cache()).is_file()


def drawings_of(package: Package, *, folder: Path | None = None, source: PackageSource | None = None) -> list[Drawing]:
    """The pictures of a set whose meanings are known; of each meaning a few.

    Args:
        package: of :data:`SETS`, :data:`VAL_SETS` or :data:`TEST_SETS`.
        folder: where packages are kept.
        source: where a missing one comes from.

    Raises:
        BadInputError: it is not there and cannot be fetched, or it is damaged.
    """
    data = _read(package, folder or default_cache(), source or NpmPack())
    try:
        icons = cast("Mapping[str, Mapping[str, Any]]", data["icons"])
        return list(_known(package.key, data, icons))
    except (KeyError, TypeError, AttributeError) as error:
        raise BadInputError(f"The icon set {package.name} {package.version} is damaged.", details=str(error)) from error


def _known(key: str, data: Mapping[str, Any], icons: Mapping[str, Mapping[str, Any]]) -> Iterator[Drawing]:
    by_meaning: dict[str, list[str]] = {}
    for name in icons:
        meaning = meaning_of(name, prefix=key)
        if meaning is not None:
            by_meaning.setdefault(meaning, []).append(name)
    for meaning, names in sorted(by_meaning.items()):
        most = _MOST_NOTHING if meaning == NOTHING else _MOST
        # Evenly over the names, because neighbours are one picture in several sizes.
        chosen = [names[i * len(names) // most] for i in range(most)] if len(names) > most else names
        for name in chosen:
            icon = icons[name]
            body = str(icon["body"])
            # Our renderer knows neither masks nor clips.
            if "<mask" in body or "<clipPath" in body or "<animate" in body:
                continue
            yield Drawing(
                kind=key, name=name, meaning=meaning, svg=_svg(body, data, icon), coloured="currentColor" not in body
            )


def _svg(body: str, data: Mapping[str, Any], icon: Mapping[str, Any]) -> str:
    left, top = icon.get("left", 0), icon.get("top", 0)
    width = icon.get("width", data.get("width", 16))
    height = icon.get("height", data.get("height", 16))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{width}" '
        f'height="{height}" viewBox="{left} {top} {width} {height}">{body.replace("currentColor", "#000000")}</svg>'
    )


def _file(package: Package, folder: Path) -> Path:
    return folder / f"{package.folder}.json"


def _read(package: Package, folder: Path, source: PackageSource) -> dict[str, Any]:
    path = _file(package, folder)
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f"{package.folder}.lock"):
            if not path.is_file():
                _bring(package, path, source)
    try:
        data: Any = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BadInputError(
            f"{path} is damaged.", details=str(error), hint="Delete it; it is fetched again."
        ) from error
    return cast("dict[str, Any]", data) if isinstance(data, dict) else {}


def _bring(package: Package, path: Path, source: PackageSource) -> None:
    with made_beside(path) as made:
        archive = source.fetch(package, made)
        try:
            with tarfile.open(archive) as opened:
                member = opened.extractfile("package/icons.json")
                data = b"" if member is None else member.read()
        except (tarfile.TarError, OSError, EOFError, KeyError) as error:
            raise BadInputError(
                f"The archive of {package.name} {package.version} is damaged; nothing was changed.",
                details=str(error),
                hint="Try again; if it stays so, clear npm's cache with `npm cache clean --force`.",
            ) from error
    write_bytes_atomic(path, data)


def own_drawings() -> list[Drawing]:
    """The drawings that come with the screen factory: those of pages and those of Qt windows."""
    found: list[Drawing] = []
    for meaning, shapes in ICON_SHAPES.items():
        body = f'<g fill="none" stroke="#000000" stroke-width="2" stroke-linecap="round">{shapes}</g>'
        svg = _svg(body.replace("currentColor", "#000000"), {"width": 24, "height": 24}, {})
        found.append(Drawing(kind="own", name=meaning, meaning=meaning, svg=svg))
    for meaning, paths in GLYPHS.items():
        for number, path in enumerate(paths):
            for width in (1.5, 2.2):
                svg = glyph_svg(path, colour="#000000", width=width)
                found.append(Drawing(kind="lines", name=f"{meaning}-{number}-{width}", meaning=meaning, svg=svg))
    return [one for one in found if one.meaning in MEANINGS]
