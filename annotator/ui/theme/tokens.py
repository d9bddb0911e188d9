"""Colours, distances and sizes of the app. Knows no Qt.

Text on its ground has a contrast of at least 4.5, lines that mean something at least 3; a test holds both.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from demopack.domain.elements import ElementSource, ElementType

PaletteName = Literal["light", "dark", "contrast"]
Tone = Literal["muted", "accent", "success", "warning", "danger"]
"""Of a badge: the colour of the same name."""


class Palette:
    """The colours of one theme, as ``#rrggbb``.

    Attributes:
        dark: whether light text stands on dark ground.
        window: ground of windows and bars.
        surface: ground of cards, lists and fields.
        sunken: ground behind the screenshot.
        raised: ground of buttons.
        hover: ground of a button or row under the pointer.
        line: quiet separators.
        track: the part of a progress bar that is still to come.
        edge: edges of controls.
        text: what is read.
        muted: captions.
        faint: what is disabled.
        accent: selection, focus, the one main button.
        on_accent: text on it.
        accent_hover: the main button under the pointer.
        accent_soft: ground of a selected row.
        danger: errors, recording.
        danger_soft: ground of an error.
        warning: doubt, a paused recording.
        warning_soft: ground of a warning.
        success: approved, saved.
        success_soft: ground of good news.
        toast: ground of a passing message.
        on_toast: text on it.
    """

    def __init__(self, name: PaletteName) -> None:
        place = _NAMES.index(name)

        def of(light: str, dark: str, contrast: str) -> str:
            return (light, dark, contrast)[place]

        self.dark = name != "light"
        self.window = of("#f6f7f9", "#181b20", "#000000")
        self.surface = of("#ffffff", "#1f2329", "#000000")
        self.sunken = of("#e6e9ee", "#101216", "#000000")
        self.raised = of("#ffffff", "#282d35", "#000000")
        self.hover = of("#eceff3", "#2d333c", "#2b2b2b")
        self.line = of("#dfe3e8", "#30363f", "#ffffff")
        self.track = of("#dfe3e8", "#30363f", "#4a4a4a")
        self.edge = of("#848d9a", "#747d8b", "#ffffff")
        self.text = of("#1a1f27", "#e7eaef", "#ffffff")
        self.muted = of("#565f6c", "#a3acb9", "#ffffff")
        self.faint = of("#8a929e", "#6d7683", "#b8b8b8")
        self.accent = of("#2a5fdb", "#82a7ff", "#ffd800")
        self.on_accent = of("#ffffff", "#0c1528", "#000000")
        self.accent_hover = of("#1f4fc0", "#a0bcff", "#ffe766")
        self.accent_soft = of("#e4ecfd", "#27355a", "#3d3400")
        self.danger = of("#c4281c", "#ff8278", "#ff9c94")
        self.danger_soft = of("#fdecea", "#43211f", "#000000")
        self.warning = of("#8f5a00", "#e8b04b", "#ffd060")
        self.warning_soft = of("#fdf1d9", "#3d3018", "#000000")
        self.success = of("#17713c", "#63cf8f", "#7dffb0")
        self.success_soft = of("#e2f4e8", "#1c3a29", "#000000")
        self.toast = of("#262c36", "#e7eaef", "#ffffff")
        self.on_toast = of("#f4f6f9", "#181b20", "#000000")

    def badge(self, tone: Tone) -> tuple[str, str]:
        """Ground and text of a badge."""
        return self.hover if tone == "muted" else getattr(self, f"{tone}_soft"), getattr(self, tone)


_NAMES: Final[tuple[PaletteName, ...]] = ("light", "dark", "contrast")
PALETTES: Final[dict[PaletteName, Palette]] = {name: Palette(name) for name in _NAMES}


class _Space(NamedTuple):
    xs: int = 4
    s: int = 8
    m: int = 12
    l: int = 16  # noqa: E741 - the sizes read xs s m l xl
    xl: int = 24


class _Font(NamedTuple):
    caption: int = 11
    base: int = 13
    title: int = 16
    large: int = 22


class _Hit(NamedTuple):
    row: int = 24
    tool: int = 28


SPACE: Final = _Space()
FONT: Final = _Font()
HIT: Final = _Hit()
RADIUS: Final = 6

# Elements ---------------------------------------------------------------------------------------------------------

POINTER: Final = "#e0311b"
SELECTION: Final = "#2563eb"
HALO: Final = "#ffffff"
"""What the step did, and what is selected, is drawn in one colour with a halo, so that it shows on every screenshot,
whatever the theme."""

Family = Literal["text", "press", "enter", "scroll", "picture", "list", "group", "other"]

HUES: Final[dict[Family, str]] = {
    "text": "#757675",
    "press": "#4081ed",
    "enter": "#33985d",
    "scroll": "#139fd0",
    "picture": "#a306f8",
    "list": "#b93c99",
    "group": "#c6821c",
    "other": "#c53d2e",
}
"""One hue per family of types. Each stands out 3:1 from white and from near-black, because a screenshot may be either,
and any two stay apart for people without red or green cones."""

_FAMILIES: Final[dict[Family, tuple[ElementType, ...]]] = {
    "text": ("text", "hyperlink", "tabled_text", "draggable_text"),
    "press": ("button", "radio", "checkbox", "toggle"),
    "enter": ("input_field", "text_area", "dropdown", "spinner", "slider"),
    "scroll": (
        "scrollbar", "scrollbar_up_button", "scrollbar_down_button", "scrollbar_left_button",
        "scrollbar_right_button", "scrollbar_thumb", "resize_handle",
    ),
    "picture": ("icon", "image", "shape"),
    "list": ("menu", "menu_item", "tab", "list_item", "tree_item"),
    "group": ("window", "dialog", "toolbar"),
    "other": ("other",),
}  # fmt: skip
_FAMILY_OF: Final[dict[ElementType, Family]] = {kind: family for family, kinds in _FAMILIES.items() for kind in kinds}

LETTERS: Final[dict[ElementType, str]] = {
    "text": "T", "hyperlink": "H", "tabled_text": "Tt", "draggable_text": "Td",
    "button": "B", "radio": "R", "checkbox": "C", "toggle": "G",
    "input_field": "F", "text_area": "A", "dropdown": "D", "spinner": "N", "slider": "L",
    "scrollbar": "S", "scrollbar_up_button": "Su", "scrollbar_down_button": "Sd", "scrollbar_left_button": "Sl",
    "scrollbar_right_button": "Sr", "scrollbar_thumb": "St", "resize_handle": "Z",
    "icon": "I", "image": "P", "shape": "X",
    "menu": "M", "menu_item": "Mi", "tab": "Y", "list_item": "E", "tree_item": "V",
    "window": "W", "dialog": "Q", "toolbar": "U", "other": "O",
}  # fmt: skip
"""A letter for each type, because colour alone tells families only."""

LineStyle = Literal["solid", "dashed", "dotted", "double", "dash_dot", "sparse"]
LINES: Final[dict[ElementSource, LineStyle]] = {
    "human": "solid",
    "detector": "dashed",
    "describer": "dashed",
    "ocr": "dotted",
    "accessibility": "double",
    "rule": "dash_dot",
    "propagated": "sparse",
}
"""A line for each kind of source; what models found looks the same, whichever model it was. What was only carried over
is the faintest: nobody has found it there."""


def family_of(kind: ElementType) -> Family:
    """The family whose hue a type has."""
    return _FAMILY_OF[kind]
