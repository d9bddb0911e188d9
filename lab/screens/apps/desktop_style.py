"""How programs look: theme, font, size and scale, as the settings files and the environment that bring it about."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from demopack.domain.geometry import Size
from models.training.labelled_screens import Split

_GTK_THEMES: Final[Mapping[Split, tuple[str, ...]]] = {
    "train": ("Adwaita", "Adwaita:dark", "HighContrast", "Arc", "Arc-Dark", "Materia", "Numix", "Adwaita"),
    "val": ("Greybird", "Adwaita"),
    "test": ("Adwaita", "Materia-dark-compact", "HighContrastInverse", "Arc-Lighter"),
    "frozen": ("Adwaita", "Adwaita:dark", "HighContrastInverse", "Arc-Lighter"),
}
_QT_STYLES: Final[Mapping[Split, tuple[str, ...]]] = {
    "train": ("Fusion", "Windows", "Adwaita", "Fusion"),
    "val": ("Fusion", "Adwaita-Dark"),
    "test": ("Fusion", "Adwaita", "Windows"),
    "frozen": ("Fusion", "Windows", "Adwaita"),
}
TITLE_FAMILY: Final = "DejaVu Sans"
_PALETTES: Final = ("", "", "airy", "darker", "sand", "waves")
_FAMILIES: Final = ("DejaVu Sans", "DejaVu Sans", "Liberation Sans", "Noto Sans", "Lato", "Roboto")
_SIZES: Final = (Size(1280, 800), Size(1280, 720), Size(1024, 768), Size(1366, 768), Size(1600, 900), Size(1920, 1080))
_LARGE: Final = (Size(1920, 1080), Size(1680, 1050), Size(1600, 1200))
_ICONS: Final = ("Adwaita", "Papirus", "elementary-xfce", "breeze")
_FRAMES: Final = ("Clearlooks", "Onyx", "Bear2", "Natura", "Mikachu", "Breeze-ob", "Clearlooks-Olive", "Artwiz-boxed")
_BACKDROPS: Final = (
    (46, 52, 64),
    (0, 60, 90),
    (88, 110, 117),
    (200, 205, 210),
    (20, 20, 20),
    (120, 60, 90),
    (255, 255, 255),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DesktopStyle:
    """One look.

    Attributes:
        theme: GTK's theme or Qt's style.
        palette: colours of Qt's style; empty for its own.
        family: font.
        points: size of the font.
        size: of the screen, pixels.
        scale: pixels for each unit in which programs think.
        icons: icon theme.
        frame: theme of the window manager.
        backdrop: colour behind the windows.
        maximized: whether the window fills the screen.
    """

    theme: str
    palette: str
    family: str
    points: int
    size: Size
    scale: int
    icons: str
    frame: str
    backdrop: tuple[int, int, int]
    maximized: bool

    @property
    def font_pixels(self) -> float:
        """The font's size on the screen, at 96 dots per inch."""
        return self.points * 96 / 72 * self.scale

    @property
    def variant(self) -> dict[str, str]:
        """For the report."""
        return {
            "theme": f"{self.theme} {self.palette}".strip(),
            "font": f"{self.family} {self.points}",
            "size": f"{self.size.width}x{self.size.height}",
            "scale": str(self.scale),
            "icons": self.icons,
        }

    @property
    def title_pixels(self) -> float:
        """The size of the font in title bars; it is never scaled."""
        return _title_points(self.points) * 96 / 72

    def environment(self) -> dict[str, str]:
        """What a program is started with."""
        return {
            "GTK_THEME": self.theme,
            "GTK_OVERLAY_SCROLLING": "0",
            "GTK_USE_PORTAL": "0",
            "GDK_SCALE": str(self.scale),
            "QT_SCALE_FACTOR": str(self.scale),
            "QT_QPA_PLATFORMTHEME": "qt5ct",
            "QT_FONT_DPI": "96",
        }

    def files(self) -> dict[str, bytes]:
        """Settings in the home folder."""
        gtk = (
            f"[Settings]\ngtk-font-name={self.family} {self.points}\ngtk-icon-theme-name={self.icons}\n"
            "gtk-cursor-blink=0\ngtk-xft-dpi=98304\ngtk-enable-animations=0\ngtk-xft-antialias=1\n"
            "gtk-xft-hinting=1\ngtk-xft-hintstyle=hintslight\ngtk-xft-rgba=none\n"
        )
        colours = f"/usr/share/qt5ct/colors/{self.palette}.conf"
        qt = (
            f"[Appearance]\nstyle={self.theme}\nicon_theme={self.icons}\n"
            f"custom_palette={'true' if self.palette else 'false'}\ncolor_scheme_path={colours}\n"
            f"[Fonts]\ngeneral={_qt_font(self.family, self.points)}\n"
            f"fixed={_qt_font('DejaVu Sans Mono', self.points)}\n"
            "[Interface]\ncursor_flash_time=0\nstylesheets=@Invalid()\nmenus_have_icons=true\n"
        )
        return {
            ".config/gtk-3.0/settings.ini": gtk.encode(),
            ".config/qt5ct/qt5ct.conf": qt.encode(),
            ".config/qt6ct/qt6ct.conf": qt.replace("/qt5ct/", "/qt6ct/").encode(),
            ".config/openbox/rc.xml": _openbox(self.frame, self.points).encode(),
        }


def choose_look(rng: random.Random, *, qt: bool, side: Split) -> DesktopStyle:
    """A look by chance."""
    scale = 2 if rng.random() < 0.2 else 1
    return DesktopStyle(
        theme=rng.choice(_QT_STYLES[side] if qt else _GTK_THEMES[side]),
        palette=rng.choice(_PALETTES) if qt else "",
        family=rng.choice(("DejaVu Sans", "Open Sans") if side in {"test", "frozen"} else _FAMILIES),
        points=rng.choice((9, 10, 10, 11, 12)),
        size=rng.choice(_LARGE if scale == 2 else _SIZES),
        scale=scale,
        icons=rng.choice(_ICONS),
        frame=rng.choice(_FRAMES),
        backdrop=rng.choice(_BACKDROPS),
        maximized=rng.random() < 0.35,
    )


def _title_points(points: int) -> int:
    return max(8, points - 1)


def _qt_font(family: str, points: int) -> str:
    """A font as Qt 5 keeps it in settings."""
    return f'"{family},{points},-1,5,50,0,0,0,0,0"'


def _openbox(theme: str, points: int) -> str:
    places = "".join(
        f'<font place="{place}"><name>{TITLE_FAMILY}</name><size>{_title_points(points)}</size></font>'
        for place in ("ActiveWindow", "InactiveWindow")
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><openbox_config xmlns="http://openbox.org/3.4/rc">'
        f"<theme><name>{theme}</name><titleLayout>NLIMC</titleLayout><animateIconify>no</animateIconify>{places}</theme>"
        "<focus><focusNew>yes</focusNew></focus><placement><policy>Smart</policy></placement>"
        '<applications><application class="*"><focus>yes</focus></application></applications>'
        "</openbox_config>"
    )
