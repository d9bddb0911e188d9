"""What pages may be dressed in: packages of the npm registry, pinned, with their licences; all of them permissive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Package:
    """One package.

    Attributes:
        key: what we call it.
        name: in the registry.
        version: exact.
        licence: as its own package file says.
        kind: what it is good for.
    """

    key: str
    name: str
    version: str
    licence: str
    kind: Literal["css", "icons", "font"]

    @property
    def folder(self) -> str:
        """Its place in a cache folder."""
        return f"{self.name.strip('@').replace('/', '-')}-{self.version}"


def _rows(kind: Literal["css", "icons", "font"], text: str) -> tuple[Package, ...]:
    found: list[Package] = []
    for line in text.strip().splitlines():
        key, name, version, licence = line.split(maxsplit=3)
        found.append(Package(key, name, version, licence, kind))
    return tuple(found)


_CSS = _rows(
    "css",
    """
    bootstrap    bootstrap                    5.3.8    MIT
    bootstrap3   bootstrap                    3.4.1    MIT
    bootswatch   bootswatch                   5.3.8    MIT
    bulma        bulma                        1.0.4    MIT
    pico         @picocss/pico                2.1.1    MIT
    materialize  @materializecss/materialize  2.3.3    MIT
    foundation   foundation-sites             6.9.0    MIT
    fomantic     fomantic-ui-css              2.9.4    MIT
    uikit        uikit                        3.25.25  MIT
    primer       @primer/css                  22.3.2   MIT
    milligram    milligram                    1.4.1    MIT
    spectre      spectre.css                  0.5.9    MIT
    win98        98.css                       0.1.21   MIT
    winxp        xp.css                       0.3.0    MIT
    win7         7.css                        0.21.1   MIT
    nes          nes.css                      2.3.0    MIT
    water        water.css                    2.1.1    MIT
    mvp          mvp.css                      1.18.0   MIT
    new          @exampledev/new.css          1.1.3    MIT
    sakura       sakura.css                   1.5.1    MIT
    simple       simpledotcss                 2.3.7    MIT
    chota        chota                        0.9.2    MIT
    paper        papercss                     1.9.2    ISC
    picnic       picnic                       7.1.0    MIT
    pure         purecss                      3.1.0    BSD-3-Clause
    tabler       @tabler/core                 1.6.1    MIT
    govuk        govuk-frontend               6.6.0    MIT
    """,
)
_ICONS = _rows(
    "icons",
    """
    bootstrap-icons  bootstrap-icons                1.13.2   MIT
    fontawesome      @fortawesome/fontawesome-free  7.3.1    CC-BY-4.0 AND OFL-1.1 AND MIT
    mdi              @mdi/svg                       7.4.47   Apache-2.0
    feather          feather-icons                  4.29.2   MIT
    remix            remixicon                      4.9.1    Apache-2.0
    lucide           lucide-static                  1.62.0   ISC
    octicons         @primer/octicons               19.42.0  MIT
    boxicons         boxicons                       2.1.4    CC-BY-4.0 OR OFL-1.1 OR MIT
    ionicons         ionicons                       8.1.0    MIT
    """,
)
_FONTS = _rows(
    "font",
    """
    inter         @fontsource/inter           5.3.0  OFL-1.1
    roboto        @fontsource/roboto          5.3.0  OFL-1.1
    open-sans     @fontsource/open-sans       5.3.0  OFL-1.1
    noto-sans     @fontsource/noto-sans       5.3.0  OFL-1.1
    nunito        @fontsource/nunito          5.3.0  OFL-1.1
    merriweather  @fontsource/merriweather    5.3.0  OFL-1.1
    fira-sans     @fontsource/fira-sans       5.3.0  OFL-1.1
    pt-serif      @fontsource/pt-serif        5.3.0  OFL-1.1
    lato          @fontsource/lato            5.3.0  OFL-1.1
    montserrat    @fontsource/montserrat      5.3.0  OFL-1.1
    arimo         @fontsource/arimo           5.3.0  OFL-1.1
    tinos         @fontsource/tinos           5.3.0  OFL-1.1
    cousine       @fontsource/cousine         5.3.0  OFL-1.1
    comic-neue    @fontsource/comic-neue      5.3.0  OFL-1.1
    """,
)

PACKAGES: dict[str, Package] = {package.key: package for package in (*_CSS, *_ICONS, *_FONTS)}


@dataclass(frozen=True, slots=True)
class IconSet:
    """Where a set keeps its pictures.

    Attributes:
        key: of its package.
        patterns: paths in the package, ``{}`` stands for a name; several mean several weights of the same picture.
    """

    key: str
    patterns: tuple[str, ...]


ICON_SETS: dict[str, IconSet] = {
    s.key: s
    for s in (
        IconSet("bootstrap-icons", ("icons/{}.svg", "icons/{}-fill.svg")),
        IconSet("fontawesome", ("svgs/solid/{}.svg", "svgs/brands/{}.svg", "svgs/regular/{}.svg")),
        IconSet("mdi", ("svg/{}.svg", "svg/{}-outline.svg")),
        IconSet("feather", ("dist/icons/{}.svg",)),
        IconSet("remix", ("icons/*/{}-line.svg", "icons/*/{}-fill.svg", "icons/*/{}.svg")),
        IconSet("lucide", ("icons/{}.svg",)),
        IconSet("octicons", ("build/svg/{}-16.svg", "build/svg/{}-24.svg", "build/svg/{}-fill-16.svg")),
        IconSet("boxicons", ("svg/regular/bx-{}.svg", "svg/solid/bxs-{}.svg", "svg/logos/bxl-{}.svg")),
        IconSet("ionicons", ("dist/svg/{}-outline.svg", "dist/svg/{}.svg", "dist/svg/{}-sharp.svg")),
    )
}


@dataclass(frozen=True, slots=True)
class FontSet:
    """A family whose files a package holds, one file for each script and weight.

    Attributes:
        key: of its package.
        family: its CSS name.
        scripts: which of ours it can write.
    """

    key: str
    family: str
    scripts: tuple[str, ...] = ("latin", "latin-ext")


_ALL = ("latin", "latin-ext", "cyrillic", "greek")
FONT_SETS: dict[str, FontSet] = {
    s.key: s
    for s in (
        FontSet("inter", "Inter", _ALL),
        FontSet("roboto", "Roboto", _ALL),
        FontSet("open-sans", "Open Sans", _ALL),
        FontSet("noto-sans", "Noto Sans", _ALL),
        FontSet("nunito", "Nunito", ("latin", "latin-ext", "cyrillic")),
        FontSet("merriweather", "Merriweather", ("latin", "latin-ext", "cyrillic")),
        FontSet("fira-sans", "Fira Sans", _ALL),
        FontSet("pt-serif", "PT Serif", ("latin", "latin-ext", "cyrillic")),
        FontSet("lato", "Lato"),
        FontSet("montserrat", "Montserrat", ("latin", "latin-ext", "cyrillic")),
        FontSet("arimo", "Arimo", _ALL),
        FontSet("tinos", "Tinos", _ALL),
        FontSet("cousine", "Cousine", _ALL),
        FontSet("comic-neue", "Comic Neue", ("latin",)),
    )
}
