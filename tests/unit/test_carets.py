"""Carets that blink, and what was typed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement
from demopack.pixels.carets import without_carets
from models.vision.typed_text import with_typed_text
from tests.support.small_demos import type_step

LETTER = Rect(52, 46, 54, 60)
"""The stem of a letter, which has the colour of the caret."""


def screen(*bars: Rect, shade: int = 250, ink: int = 20) -> RgbImage:
    image = np.full((120, 200, 3), shade, dtype=np.uint8)
    image[30:70, 40:160] = min(255, shade + 5)
    for box in (LETTER, *bars):
        image[box.y1 : box.y2, box.x1 : box.x2] = ink
    return image


@pytest.mark.parametrize(("shade", "ink"), [(250, 20), (20, 240)])
@pytest.mark.parametrize(
    "caret", [Rect(90, 40, 91, 59), Rect(90, 40, 92, 78), Rect(52, 40, 53, 64), Rect(51, 38, 53, 66)]
)
def test_a_caret_is_off_where_a_picture_beside_shows_it_off(caret: Rect, shade: int, ink: int) -> None:
    off, on = screen(shade=shade, ink=ink), screen(caret, shade=shade, ink=ink)
    other = np.zeros((10, 10, 3), dtype=np.uint8)
    assert np.array_equal(without_carets(on, [other, on, off]), off)
    assert without_carets(off, [on]) is off
    assert np.array_equal(on, screen(caret, shade=shade, ink=ink)), "what was given stays as it is"


@pytest.mark.parametrize(
    "bar",
    [
        Rect(90, 40, 91, 46),  # a point
        Rect(90, 40, 96, 59),  # a thumb
        Rect(90, 40, 110, 41),  # an underline
        Rect(52, 46, 54, 60),  # nothing new at all
    ],
)
def test_what_is_no_thin_upright_bar_stays(bar: Rect) -> None:
    on = screen(bar)
    assert np.array_equal(without_carets(on, [screen()]), on)


def test_what_changed_together_with_what_is_beside_it_stays() -> None:
    typed = screen(Rect(80, 46, 86, 60), Rect(88, 40, 89, 59))
    assert without_carets(typed, [screen()]) is typed
    frame = screen(Rect(60, 35, 140, 36), Rect(60, 64, 140, 65), Rect(60, 35, 61, 65), Rect(139, 35, 140, 65))
    assert without_carets(frame, [screen()]) is frame


BEFORE, AFTER, NEXT = (Frame(id=letter * 64, width=200, height=120) for letter in "abc")
FIELD = Rect(40, 30, 160, 70)


def element(kind: str, text: str | None, box: Rect = FIELD, **more: Any) -> Element:
    given = {"uid": f"{kind}_{box.x1}", "frame": AFTER.id, "type": kind, "box": box, "text": text, "source": "detector"}
    return Element.model_validate({**given, "confidence": 0.9, **more})


def after_typing(typed: str, *elements: Element, frame: Frame = AFTER, **more: Any) -> list[str | None]:
    steps = [type_step(0, BEFORE, AFTER, typed).but(**more), type_step(1, NEXT, None, "else")]
    changes = [Rect(50, 40, 120, 60)]
    return [one.text for one in with_typed_text(elements, frame.id, steps, changes=lambda _: changes)]


def test_what_was_typed_is_the_text_of_the_field_that_reads_about_so() -> None:
    field = element("input_field", "Zo\u00eb M\u00fcllerl")
    for frame in (AFTER, NEXT):
        assert after_typing("Zo\u00eb M\u00fcller", field, frame=frame) == ["Zo\u00eb M\u00fcller"]
    assert after_typing("Zo\u00eb M\u00fcller", field, frame=BEFORE) == [field.text]
    assert after_typing("voil\u00e0 \u2713", element("text_area", "voila V")) == ["voil\u00e0 \u2713"]
    # The field before the words that were found beside it; what did not change is another's.
    label = element("text", "Zoe Muller", Rect(50, 40, 100, 60))
    assert after_typing("Zo\u00eb M\u00fcller", label, field) == [label.text, "Zo\u00eb M\u00fcller"]
    assert after_typing("Zo\u00eb M\u00fcller", element("input_field", "Zoe Muller", Rect(0, 0, 30, 20))) == [
        "Zoe Muller"
    ]


def test_a_field_that_shows_something_else_keeps_what_was_read() -> None:
    for typed, shown in (("exam", "example.org"), ("ann", "Search"), ("abc", "ABC"), ("7", "70")):
        kept = after_typing(typed, element("input_field", shown))
        assert kept == ["7"] if typed == "7" else kept == [shown], typed
    told = element("input_field", "Zoe Muller", source="accessibility")
    assert after_typing("Zo\u00eb M\u00fcller", told) == ["Zoe Muller"]
    person = element("input_field", "Zoe Muller", review="approved")
    assert after_typing("Zo\u00eb M\u00fcller", person) == ["Zoe Muller"]


def test_a_secret_is_never_put_back() -> None:
    field = element("input_field", "secret password")
    assert after_typing("<secret:password>", field) == ["secret password"]
    assert after_typing("my <email:1>", element("input_field", "my email 1")) == ["my email 1"]
    secure = AccessibleElement(role="password text", secure=True)
    assert after_typing("secret passwort", field, focused=secure) == ["secret password"]
