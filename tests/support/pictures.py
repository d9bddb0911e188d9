"""Draws a small but believable form as an application would show it, and says which elements are on it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.elements import ElementType, State
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect

FORM_SIZE = (960, 600)

_INK, _MUTED, _LINE, _PAPER, _BLUE = "#1d2733", "#66717e", "#c6ced8", "#ffffff", "#2463c9"


@dataclass(frozen=True, kw_only=True)
class FormElement:
    """What a perfect detector would find on the form."""

    name: str
    type: ElementType
    box: Rect
    text: str | None = None
    states: dict[State, bool] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FormScreen:
    """The state of the form; ``changed`` makes the next one.

    Attributes:
        name: content of the field *Full name*.
        focused: name of the element with the cursor; empty for none.
        country: choice of the drop-down.
        open: whether the drop-down shows its list.
        news: the check box.
        budget: the slider, 0..1.
        first_order: number of the first row of the list on the right.
        saved: whether the green banner is shown.
    """

    name: str = ""
    focused: str = ""
    country: str = "Choose …"
    open: bool = False
    news: bool = False
    budget: float = 0.2
    first_order: int = 1001
    saved: bool = False

    def changed(self, **fields: object) -> FormScreen:
        return replace(self, **fields)  # type: ignore[arg-type]

    def elements(self) -> list[FormElement]:
        """Every element in no particular order, boxes in pixels."""
        knob = 60 + round(self.budget * 320)
        found = [
            FormElement(name="title", type="text", box=Rect(60, 62, 262, 90), text="New customer"),
            FormElement(
                name="full_name", type="input_field", box=Rect(60, 134, 420, 170), text=self.name or None,
                states={"focused": self.focused == "full_name"},
            ),
            FormElement(name="full_name_label", type="text", box=Rect(60, 112, 130, 130), text="Full name"),
            FormElement(name="country_label", type="text", box=Rect(60, 186, 114, 204), text="Country"),
            FormElement(
                name="country", type="dropdown", box=Rect(60, 208, 420, 244), text=self.country,
                states={"expanded": self.open},
            ),
            FormElement(
                name="news", type="checkbox", box=Rect(60, 272, 224, 296), text="Send me the news",
                states={"checked": self.news},
            ),
            FormElement(name="budget_label", type="text", box=Rect(60, 318, 112, 336), text="Budget"),
            FormElement(name="budget", type="slider", box=Rect(50, 340, 400, 368)),
            FormElement(name="budget_knob", type="shape", box=Rect(knob - 8, 346, knob + 8, 362)),
            FormElement(name="save", type="button", box=Rect(60, 412, 180, 448), text="Save customer"),
            FormElement(name="cancel", type="button", box=Rect(196, 412, 286, 448), text="Cancel"),
            FormElement(name="orders_title", type="text", box=Rect(520, 112, 606, 130), text="Last orders"),
            FormElement(name="orders_bar", type="scrollbar", box=Rect(892, 138, 904, 448)),
        ]  # fmt: skip
        found += [
            FormElement(
                name=f"order_{self.first_order + i}", type="list_item", box=Rect(520, 140 + i * 44, 888, 180 + i * 44),
                text=f"Order {self.first_order + i}",
            )
            for i in range(7)
        ]  # fmt: skip
        if self.open:
            found = [e for e in found if e.name not in {"news", "budget_label"}]  # the list covers them
            found += [
                FormElement(name=f"option_{i}", type="list_item", box=Rect(62, y, 418, y + 30), text=text)
                for i, (y, text) in enumerate(((248, "Austria"), (280, "Ghana"), (312, "United Kingdom")))
            ]
        if self.saved:
            found.append(FormElement(name="banner", type="text", box=Rect(60, 478, 420, 514), text="Customer saved"))
        return found

    def box(self, name: str) -> Rect:
        """Where an element lies."""
        return next(e.box for e in self.elements() if e.name == name)

    def draw(self) -> RgbImage:
        """The picture, shape (600, 960, 3)."""
        image = Image.new("RGB", FORM_SIZE, "#eef1f5")
        pen = ImageDraw.Draw(image)
        _window(pen)
        for element in self.changed(open=False).elements():
            _DRAW.get(element.type, _draw_text)(pen, element, self)
        if self.open:  # the list lies on top of everything
            pen.rectangle((60, 246, 420, 346), fill=_PAPER, outline=_LINE)
            for element in self.elements():
                if element.name.startswith("option_"):
                    _text(pen, element.box, element.text or "", inset=10)
        return np.asarray(image, dtype=np.uint8)


def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _text(
    pen: ImageDraw.ImageDraw, box: Rect, text: str, *, size: float = 15, fill: str = _INK, inset: int = 0
) -> None:
    pen.text((box.x1 + inset, (box.y1 + box.y2) / 2), text, font=_font(size), fill=fill, anchor="lm")


def _window(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((0, 0, 960, 32), fill="#27313d")
    pen.text((16, 16), "Customers", font=_font(14), fill="#f1f4f7", anchor="lm")
    for i, colour in enumerate(("#e5645c", "#e0b54a", "#5bb566")):
        pen.ellipse((892 + i * 20, 10, 904 + i * 20, 22), fill=colour)
    pen.rounded_rectangle((32, 48, 448, 560), 8, fill=_PAPER, outline=_LINE)
    pen.rounded_rectangle((492, 48, 928, 560), 8, fill=_PAPER, outline=_LINE)


def _draw_text(pen: ImageDraw.ImageDraw, element: FormElement, screen: FormScreen) -> None:
    if element.name == "banner":
        pen.rounded_rectangle(_corners(element.box), 6, fill="#ddf3e2", outline="#58a86a")
        _text(pen, element.box, element.text or "", fill="#1c6b31", inset=12)
        return
    label = element.name.endswith("_label")
    size = 22 if element.name == "title" else 13 if label else 15
    _text(pen, element.box, element.text or "", size=size, fill=_MUTED if label else _INK)


def _draw_field(pen: ImageDraw.ImageDraw, element: FormElement, screen: FormScreen) -> None:
    focused = element.states.get("focused", False)
    pen.rounded_rectangle(
        _corners(element.box), 5, fill=_PAPER, outline=_BLUE if focused else _LINE, width=2 if focused else 1
    )
    _text(pen, element.box, element.text or "", inset=10)
    if focused:
        x = element.box.x1 + 12 + round(pen.textlength(element.text or "", font=_font(15)))
        pen.line((x, element.box.y1 + 8, x, element.box.y2 - 9), fill=_INK)


def _draw_dropdown(pen: ImageDraw.ImageDraw, element: FormElement, screen: FormScreen) -> None:
    _draw_field(pen, element, screen)
    x, y = element.box.x2 - 22, element.box.center.y
    pen.polygon([(x, y - 3), (x + 10, y - 3), (x + 5, y + 4)], fill=_MUTED)


def _draw_checkbox(pen: ImageDraw.ImageDraw, element: FormElement, screen: FormScreen) -> None:
    box = element.box
    checked = element.states["checked"]
    square = (box.x1, box.y1 + 3, box.x1 + 18, box.y1 + 21)
    pen.rounded_rectangle(square, 4, fill=_BLUE if checked else _PAPER, outline=_BLUE if checked else _LINE)
    if checked:
        pen.line((box.x1 + 4, box.y1 + 12, box.x1 + 8, box.y1 + 16, box.x1 + 14, box.y1 + 8), fill=_PAPER, width=2)
    _text(pen, box, element.text or "", inset=28)


def _draw_slider(pen: ImageDraw.ImageDraw, element: FormElement, screen: FormScreen) -> None:
    pen.rounded_rectangle((60, 351, 380, 357), 3, fill="#dbe1e8")
    pen.rounded_rectangle((60, 351, 60 + round(screen.budget * 320), 357), 3, fill=_BLUE)


def _draw_shape(pen: ImageDraw.ImageDraw, element: FormElement, screen: FormScreen) -> None:
    pen.ellipse(_corners(element.box), fill=_PAPER, outline=_BLUE, width=2)


def _draw_button(pen: ImageDraw.ImageDraw, element: FormElement, screen: FormScreen) -> None:
    primary = element.name == "save"
    pen.rounded_rectangle(
        _corners(element.box), 6, fill=_BLUE if primary else _PAPER, outline=None if primary else _LINE
    )
    pen.text(
        (element.box.center.x, element.box.center.y), element.text or "", font=_font(14), anchor="mm",
        fill=_PAPER if primary else _INK,
    )  # fmt: skip


def _draw_item(pen: ImageDraw.ImageDraw, element: FormElement, screen: FormScreen) -> None:
    if element.name.startswith("option_"):
        return
    _text(pen, element.box, element.text or "", inset=8)
    pen.text((element.box.x2 - 8, element.box.center.y), "shipped", font=_font(13), fill=_MUTED, anchor="rm")
    pen.line((element.box.x1, element.box.y2 + 2, element.box.x2, element.box.y2 + 2), fill="#e7ebf0")


def _draw_scrollbar(pen: ImageDraw.ImageDraw, element: FormElement, screen: FormScreen) -> None:
    pen.rounded_rectangle(_corners(element.box), 5, fill="#eceff3")
    top = element.box.y1 + (screen.first_order - 1001) * 8
    pen.rounded_rectangle((element.box.x1 + 1, top, element.box.x2 - 2, top + 90), 5, fill="#b4bdc8")


def _corners(box: Rect) -> tuple[int, int, int, int]:
    return (box.x1, box.y1, box.x2 - 1, box.y2 - 1)


_DRAW = {
    "input_field": _draw_field,
    "dropdown": _draw_dropdown,
    "checkbox": _draw_checkbox,
    "slider": _draw_slider,
    "shape": _draw_shape,
    "button": _draw_button,
    "list_item": _draw_item,
    "scrollbar": _draw_scrollbar,
}


def swatch(screen: FormScreen) -> RgbImage:
    """A colour for each state of the form, of the form's size, ruled so that no part of it is blank."""
    red, green, blue = hashlib.sha256(repr(screen).encode()).digest()[:3]
    image = plain_image(*FORM_SIZE, (red, green, blue))
    image[::4] ^= 64
    return image


def plain_image(width: int, height: int, colour: tuple[int, int, int] = (240, 240, 240)) -> RgbImage:
    """One colour."""
    return np.full((height, width, 3), colour, dtype=np.uint8)


def noise_image(width: int, height: int, *, seed: int) -> RgbImage:
    """Random pixels, the same for the same seed."""
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
