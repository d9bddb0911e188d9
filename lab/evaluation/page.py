"""``index.html`` of an evaluation: the figures, and the worst screens drawn. One file, no network, no script."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from demopack.domain.elements import Element
from demopack.markup import Markup, tag
from demopack.resources import asset
from lab.evaluation.judge import Judged
from lab.evaluation.report import Report, WorstScreen
from lab.evaluation.tables import alone_table, confusion_table, figures_table, groups_table, types_table
from models.training.labelled_screens import GroundTruth

_AS_IT_IS = 150_000
"""Bytes of a PNG that goes into the page unchanged; a larger one is packed tighter."""
_WIDE = 600
"""Pixels of a picture that takes the whole width of the page."""
_SMALL = 300
"""Pixels of a picture that is enlarged."""
_KINDS = (
    ("missed", "missed: a true element that was not found"),
    ("false", "false alarm: a found element that is none"),
    ("mistyped", "found with another type"),
    ("right", "found with its type"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A screen that the page shows."""

    row: WorstScreen
    judged: Judged
    picture: Path


def render_page(report: Report, drawn: Sequence[Drawn]) -> str:
    """The whole page.

    Args:
        report: the figures.
        drawn: the worst screens, in the order in which they are shown.
    """
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag(
            "meta",
            http_equiv="Content-Security-Policy",
            content="default-src 'none'; img-src data:; style-src 'unsafe-inline'",
        ),
        tag("title", f"Found elements: {report.finder}"),
        tag("style", Markup(asset("eval_page/page.css").read_text(encoding="utf-8"))),
    )
    body = tag("body", _header(report), *_figures(report), *_screens(drawn))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _header(report: Report) -> Markup:
    facts = [
        report.finder,
        f"{report.created:%Y-%m-%d %H:%M} UTC",
        f"{report.overall.screens} screens",
        f"{report.overall.at50.truth} true elements",
        "sides: " + (", ".join(report.sides) or "all"),
        *report.sets,
    ]
    spans = [tag("span", fact) for fact in facts]
    return tag("header", tag("h1", "How well elements are found"), tag("div", *spans, class_="facts"))


def _figures(report: Report) -> list[Markup]:
    note = tag(
        "p",
        "F1, precision and recall pair found and true boxes one to one at an overlap of 0.5, whatever their type. "
        "Types, states, texts and subtypes are compared on these pairs. Leaves are elements that hold no other. "
        "Unseen: groups that no model was trained on. All shares in percent.",
        class_="note",
    )
    return [
        tag("h2", "Figures"),
        note,
        figures_table(report),
        tag("h2", "Sources on their own"),
        alone_table(report.overall),
        tag("h2", "Types"),
        types_table(report.overall),
        tag("details", tag("summary", "Which type was taken for which"), confusion_table(report.overall)),
        tag("details", tag("summary", f"All {len(report.groups)} groups, worst first"), groups_table(report)),
    ]


def _screens(drawn: Sequence[Drawn]) -> list[Markup]:
    if not drawn:
        return [tag("h2", "Worst screens"), tag("p", "Not one mistake on any screen.", class_="note")]
    figures = tag("div", *(_screen(one) for one in drawn), class_="screens")
    return [tag("h2", f"The {len(drawn)} worst screens"), _legend(), figures]


def _legend() -> Markup:
    labels = [
        tag(
            "label",
            Markup(f'<input type="checkbox" id="show-{kind}" checked>'),
            tag(
                "svg", tag("rect", class_=kind, x=2, y=2, width=24, height=12), viewBox="0 0 28 16", aria_hidden="true"
            ),
            words,
        )
        for kind, words in _KINDS
    ]
    return tag("div", *labels, class_="legend")


def _screen(one: Drawn) -> Markup:
    row, screen = one.row, one.judged.screen
    facts = [
        f"F1 with type {row.quality:.2f}",
        f"{row.missed} missed",
        f"{row.false} false",
        f"{row.mistyped} of another type",
        f"{len(screen.elements)} true elements",
        f"{one.judged.seconds:.2f} s",
        " ".join(screen.variant.values()),
    ]
    caption = tag(
        "figcaption",
        tag("b", f"{row.source} / {row.group} / {row.name}"),
        tag("div", *(tag("span", fact) for fact in facts if fact), class_="facts"),
    )
    small = screen.width <= _SMALL
    width = screen.width * 2 if small else screen.width
    image = tag("img", src=_data(one.picture), width=width, alt=f"{row.group} {row.name}")
    stage = tag("div", image, _drawing(one.judged), class_="stage small" if small else "stage")
    wide = "screen large" if width > _WIDE else "screen"
    return tag("figure", caption, stage, _mistakes(one.judged), class_=wide)


def _drawing(judged: Judged) -> Markup:
    parts: list[Markup] = []
    for pair in judged.pairs:
        kind = "right" if pair.truth.type == pair.found.type else "mistyped"
        parts.append(_rect(pair.found, kind, f"{_words(pair.truth)} → {_words(pair.found)}"))
    parts += [_rect(element, "false", f"false: {_words(element)}") for element in judged.false]
    parts += [_rect(truth, "missed", f"missed: {_words(truth)}") for truth in judged.missed]
    size = f"0 0 {judged.screen.width} {judged.screen.height}"
    return tag("svg", *parts, viewBox=size, preserveAspectRatio="none")


def _rect(one: GroundTruth | Element, kind: str, title: str) -> Markup:
    box = one.box
    place = {"x": box.x1, "y": box.y1, "width": max(1, box.width), "height": max(1, box.height)}
    mark = tag("rect", tag("title", title), class_=kind, **place)
    # A mistake often lies on the very line that a border drew: a light ground lets it be seen.
    return Markup(tag("rect", class_=f"{kind} ground", **place) + mark) if kind in {"missed", "false"} else mark


def _mistakes(judged: Judged) -> Markup:
    lines = [tag("li", tag("b", "missed ", class_="in-missed"), _words(truth)) for truth in judged.missed]
    lines += [tag("li", tag("b", "false ", class_="in-false"), _words(element)) for element in judged.false]
    lines += [
        tag("li", tag("b", "type ", class_="in-mistyped"), f"{_words(pair.truth)} → {pair.found.type}")
        for pair in judged.pairs
        if pair.truth.type != pair.found.type
    ]
    return tag("details", tag("summary", "Every mistake in words"), tag("ul", *lines))


def _words(one: GroundTruth | Element) -> str:
    box = one.box
    said = f" “{one.text}”" if one.text else ""
    kind = f" ({one.subtype})" if one.subtype else ""
    return f"{one.type}{kind}{said} [{box.x1}, {box.y1}, {box.x2}, {box.y2}]"


def _data(picture: Path) -> str:
    data, kind = picture.read_bytes(), "png"
    if len(data) > _AS_IT_IS:
        packed = io.BytesIO()
        with Image.open(picture) as opened:
            opened.convert("RGB").save(packed, "WEBP", quality=80)
        data, kind = packed.getvalue(), "webp"
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
