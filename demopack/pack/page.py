"""``index.html``: a page to look at, without network, framework or server."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from demopack.codecs.step_marks import StepMarks, overlay
from demopack.domain.verdicts import StepVerdict
from demopack.domain.words import DOUBT_WORDS
from demopack.markup import Markup, json_html, tag, text
from demopack.pack.rows import DemoRow, ElementRow, StepRow
from demopack.pack.sets.statistics import MAX_BARS, SPREADS, TITLES, Distribution, PackStatistics
from demopack.resources import asset

MAX_STEPS: Final = 3000
MAX_ELEMENTS: Final = 60_000
"""No browser shows more in a time that anybody waits."""
_TOO_MANY: Final = {
    True: "There are too many elements to be drawn here; elements.jsonl has them all.",
    False: "There are too many steps to be shown here; steps.jsonl has them all.",
}

_FOREIGN_NAMES = frozenset({"apps", "rationales"})
"""What is named by somebody else."""

_FIELDS = (
    ("observation", "Observed"),
    ("thought", "Thought"),
    ("expected_effect", "Expected"),
    ("actual_effect", "Happened"),
    ("plan", "Remaining"),
    ("hindsight", "In hindsight"),
)
_IN_REASONING = frozenset({"thought", "expected_effect"})


def render_page(
    demos: Sequence[DemoRow], steps: Sequence[StepRow], elements: Sequence[ElementRow], *, numbers: PackStatistics
) -> str:
    """The whole page; the same rows give the same text.

    Of a pack with more than :data:`MAX_STEPS` steps it shows the figures alone, and of one with more than
    :data:`MAX_ELEMENTS` elements the steps without them, whoever writes it.
    """
    shows_steps, shows_elements = page_shows(demos)
    steps, elements = steps if shows_steps else (), elements if shows_elements else ()
    on_frame: dict[tuple[str, str], list[ElementRow]] = {}
    for row in elements:
        on_frame.setdefault((row.demo, row.frame), []).append(row)
    own = {demo.demo: [row for row in steps if row.demo == demo.demo] for demo in demos}
    sections = [_demo(number, demo, own[demo.demo], on_frame) for number, demo in enumerate(demos, start=1)]
    title = demos[0].task or "Demo pack" if len(demos) == 1 else f"{len(demos)} demonstrations"
    start, middle, end = fixed_parts()
    told = Markup() if shows_elements else tag("section", tag("p", _TOO_MANY[shows_steps], class_="quiet"))
    layout = tag("div", _rail(demos, own), tag("main", told, *sections, page_numbers(numbers)), class_="layout")
    return f"{start}{text(title)}{middle}<body>{layout}{end}"


def page_shows(demos: Sequence[DemoRow]) -> tuple[bool, bool]:
    """Whether the page of these demos shows their steps, and whether their elements."""
    steps = sum(demo.steps for demo in demos) <= MAX_STEPS
    return steps, steps and sum(demo.elements for demo in demos) <= MAX_ELEMENTS


@cache
def fixed_parts() -> tuple[str, str, str]:
    """What every page has: before its title, between the title and its body, and after what the body shows."""
    style = asset("pack_page/page.css").read_text(encoding="utf-8")
    script = asset("pack_page/page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    metas = (
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        # Nothing may run or be fetched but what the page itself brings.
        tag(
            "meta",
            http_equiv="Content-Security-Policy",
            content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; "
            f"script-src 'sha256-{digest}'",
        ),
    )
    start = f'<!doctype html>\n<html lang="en"><head>{"".join(metas)}<title>'
    return start, f"</title><style>{style}</style></head>", f"<script>{script}</script></body></html>\n"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _anchor(demo: int, step: StepRow) -> str:
    return f"d{demo}s{step.index + 1}"


def _rail(demos: Sequence[DemoRow], own: Mapping[str, Sequence[StepRow]]) -> Markup:
    keys = (("J", "next"), ("K", "back"), ("B", "before / after"), ("E", "elements"))
    parts = [tag("div", *(tag("span", tag("kbd", key), f" {what}") for key, what in keys), class_="keys")]
    for number, demo in enumerate(demos, start=1):
        entries = [tag("li", _rail_entry(_anchor(number, step), step)) for step in own[demo.demo]]
        parts += [tag("h2", demo.task or "No task", dir="auto"), tag("ol", *entries)]
    return tag("nav", *parts, class_="rail", aria_label="Steps")


def _rail_entry(anchor: str, step: StepRow) -> Markup:
    image = tag("span", class_="thumb")
    if step.image is not None:
        image = tag("img", class_="thumb", src=step.image, alt="", loading="lazy")
    doubt = tag("span", " ⚠", class_="doubt", title="Look at this step") if step.doubts else Markup()
    words = tag("span", tag("b", step.index + 1), step.description, doubt, class_="words", dir="auto")
    return tag("a", image, words, href=f"#{anchor}")


def _demo(
    number: int, demo: DemoRow, steps: Sequence[StepRow], on_frame: Mapping[tuple[str, str], Sequence[ElementRow]]
) -> Markup:
    done = {"success": ("good", "done"), "failure": ("bad", "not done"), None: ("", "outcome unknown")}[demo.outcome]
    facts = [demo.app, demo.platform, f"{demo.created_at:%Y-%m-%d}", _count(len(steps), "step"),
             _count(demo.elements, "element")]  # fmt: skip
    spans = [tag("span", fact) for fact in facts if fact]
    spans.append(tag("span", done[1], class_=done[0] or None))
    if demo.status != "complete":
        spans.append(tag("span", "cut off", class_="bad"))
    if demo.proof is not None:
        spans.append(tag("span", "done again", class_="good", title=f"Replayed as recorded: {demo.proof.words()}"))
    header = tag("header", tag("h1", demo.task or "No task", dir="auto"), tag("div", *spans, class_="facts"))
    articles = [_step(number, row, on_frame.get((row.demo, row.before.id if row.before else ""), ())) for row in steps]
    return tag("section", header, *articles, class_="demo")


def _step(demo: int, row: StepRow, elements: Sequence[ElementRow]) -> Markup:
    facts = ["" if row.review == "unreviewed" else row.review, "" if row.t_ms is None else f"{row.t_ms / 1000:.1f} s"]
    header = tag(
        "header",
        tag("span", row.index + 1, class_="number"),
        tag("h3", row.description, dir="auto"),
        tag("span", " · ".join(filter(None, facts)), class_="when"),
    )
    body = tag("div", _shot(row, elements), _side(row), class_="body")
    return tag("article", header, body, class_="step", id=_anchor(demo, row), tabindex="-1")


def _caption(marks: StepMarks, *, typed: bool) -> Markup:
    """What was typed or pressed, beside the field it went to, or at the bottom where that is unknown."""
    if not marks.caption:
        return Markup()
    words = f"⌨ {marks.caption}" if typed else marks.caption
    if marks.box is None:
        return tag("span", words, class_="caption free", dir="auto")
    x, top, bottom = marks.box.x1 / marks.width, marks.box.y1 / marks.height, marks.box.y2 / marks.height
    low = bottom > 0.9
    style = f"left:{min(x, 0.6):.2%};top:{top if low else bottom:.2%}"
    return tag("span", words, class_="caption low" if low else "caption", style=style, dir="auto")


def _shot(row: StepRow, elements: Sequence[ElementRow]) -> Markup:
    marks = row.marks
    if marks is None or row.image is None:
        missing = tag("div", "There is no picture of the screen before this step.", class_="nothing")
        return tag("figure", missing, class_="shot")
    typed = row.response["action"]["action_type"] == "type"
    pictures = [tag("img", class_="before", src=row.image, alt="The screen before the action", loading="lazy")]
    note = f"{marks.width} x {marks.height} px"
    switch = Markup()
    if row.after is not None and row.after.file != row.image:
        after = tag("img", class_="after", src=row.after.file, alt="The screen after the action", loading="lazy")
        pictures.append(after)
        switch = tag(
            "span",
            tag("button", "Before", type="button", value="before", aria_pressed="true"),
            tag("button", "After", type="button", value="after", aria_pressed="false"),
            class_="switch",
        )
    elif row.after is not None:
        note += " · nothing changed"
    ratio = f"aspect-ratio:{marks.width}/{marks.height};max-width:max(100%,{marks.width}px)"
    boxes = [
        (one.box, f"{one.number} {one.type}{f' “{one.text}”' if one.text else ''}")
        for one in elements
        if one.review != "rejected"
    ]
    caption = _caption(marks, typed=typed)
    stage = tag("div", *pictures, overlay(marks, boxes), caption, class_="stage", style=ratio)
    return tag("figure", stage, tag("figcaption", switch, tag("span", note)), class_="shot")


def _side(row: StepRow) -> Markup:
    parts = [_rationale(row)]
    if row.doubts:
        parts.append(tag("ul", *(tag("li", DOUBT_WORDS[doubt]) for doubt in row.doubts), class_="doubts"))
    if row.verdict is not None:
        parts.append(_judged(row.verdict))
    if row.note:
        parts.append(tag("div", tag("h4", "Note"), tag("p", row.note, dir="auto")))
    parts.append(tag("div", tag("h4", "LLMResponse"), tag("pre", json_html(row.response))))
    return tag("aside", *parts, class_="side")


def _judged(verdict: StepVerdict) -> Markup:
    words = {"no": "Wrong.", "yes": "Right.", "unsure": "Unsure whether it was right.", None: ""}[verdict.correct]
    needless = "Needless." if verdict.redundant == "yes" else ""
    labels = ", ".join(label.replace("_", " ") for label in verdict.labels)
    said = " ".join(part for part in (words, needless, verdict.reflection, f"({labels})" if labels else "") if part)
    return tag(
        "div",
        tag("h4", "Verdict", tag("small", f"by {verdict.provenance.name}")),
        tag("p", said or "Nothing to say.", dir="auto"),
    )


def _rationale(row: StepRow) -> Markup:
    rationale = row.rationale
    if rationale is None:
        return tag("div", tag("h4", "Reasoning"), tag("p", "Not written yet.", class_="quiet"))
    # Thought and expectation are the reasoning, unless a person worded it anew.
    shown = [(name, label) for name, label in _FIELDS if rationale.text is not None or name not in _IN_REASONING]
    pairs: list[Markup] = []
    for name, label in shown:
        said: str | tuple[str, ...] = getattr(rationale, name)
        if said:
            words = said if isinstance(said, str) else " → ".join(said)
            pairs += [tag("dt", label), tag("dd", words, dir="auto")]
    return tag(
        "div",
        tag("h4", "Reasoning", tag("small", f"by {rationale.provenance.name}")),
        tag("p", rationale.reasoning, class_="reasoning", dir="auto"),
        tag("dl", *pairs, class_="fields") if pairs else Markup(),
    )


def page_numbers(found: PackStatistics) -> Markup:
    """A section of the page."""
    spreads = [(title, getattr(found, name)) for name, title in SPREADS.items()]
    facts = [tag("span", f"{title.capitalize()}: {_spread_words(spread)}") for title, spread in spreads if spread]
    charts = [
        _chart(title, getattr(found, name), ours=name not in _FOREIGN_NAMES)
        for name, title in TITLES.items()
        if getattr(found, name)
    ]
    header = tag("header", tag("h1", "Numbers"), tag("div", *facts, class_="facts"))
    return tag("section", header, tag("div", *charts, class_="charts"), class_="demo numbers")


def _spread_words(spread: Distribution) -> str:
    if spread.least == spread.most:
        return f"{spread.least:g}"
    return f"{spread.least:g} to {spread.most:g}, median {spread.median:g}"


def _chart(title: str, counts: Mapping[str, int], *, ours: bool) -> Markup:
    """One card of bars; words of ours have underscores, which do not break, and are shown with blanks."""
    largest = max(counts.values())
    shown = list(counts.items())[:MAX_BARS]
    rows: list[Markup] = []
    for name, count in shown:
        bar = tag("span", class_="bar", style=f"--share:{count / largest:.4f}")
        words = name.replace("_", " ") if ours else name
        rows += [tag("dt", words, dir="auto"), tag("dd", bar, tag("small", f"{count:,}"))]
    more = tag("p", f"and {len(counts) - MAX_BARS} more", class_="quiet") if len(counts) > MAX_BARS else Markup()
    return tag("div", tag("h4", title), tag("dl", *rows), more)
