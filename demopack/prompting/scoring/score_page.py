"""The page of a scoring: the figures, and the failures drawn on their screens. No network, no script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from demopack.domain.actions import Action
from demopack.domain.geometry import Rect, Size
from demopack.domain.words import describe_action, shorten
from demopack.markup import Markup, tag
from demopack.prompting.scoring.metrics import METRICS, MetricGroup, MetricValue, ScoreReport
from demopack.prompting.scoring.step_scores import StepScore
from demopack.resources import asset


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureView:
    """A failure that the page shows.

    Attributes:
        score: what was judged.
        task: of its demo.
        picture: path of the screen, from the page; empty where there is none.
    """

    score: StepScore
    task: str
    picture: str


def render_page(report: ScoreReport, shown: Sequence[FailureView], *, failures: int) -> str:
    """The whole page.

    Args:
        report: the figures.
        shown: the failures to draw, in order.
        failures: how many there are in all.
    """
    policy = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("title", f"Answers: {report.predictions}"),
        tag("style", Markup(asset("eval_page/page.css").read_text(encoding="utf-8"))),
    )
    facts = [
        report.predictions,
        f"pack {report.pack}",
        f"read as {report.dialect}",
        _count(report.tasks, "task"),
        f"{_count(report.steps, 'step')}, {report.answered} answered",
        *(f"{count} unreadable: {code}" for code, count in report.unreadable.items()),
        *([f"{_count(report.unused, 'answer')} to steps that are not in the pack"] if report.unused else []),
    ]
    header = tag(
        "header",
        tag("h1", "How well the answers fit the demos"),
        tag("div", *(tag("span", fact) for fact in facts), class_="facts"),
    )
    parts = [header, tag("h2", "Figures"), _meaning(), _table([MetricGroup(name="all", steps=report.steps,
             figures=report.figures)])]  # fmt: skip
    parts += [tag("h2", "By action"), _table(report.by_action), tag("h2", "By application"), _table(report.by_app)]
    parts += _failures(shown, failures)
    return f"<!doctype html>\n{tag('html', head, tag('body', *parts, class_='score'), lang='en')}\n"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _meaning() -> Markup:
    items = [tag("li", words) for words in METRICS.values()]
    note = tag(
        "p",
        "Shares in percent; below them the interval that holds the true share with 95 %, from drawing the tasks again "
        "and again. A step without a readable answer counts as wrong.",
        class_="note",
    )
    return Markup(note + tag("details", tag("summary", "What the figures mean"), tag("ul", *items)))


def _table(groups: Sequence[MetricGroup]) -> Markup:
    names = [name for name in METRICS if any(name in group.figures for group in groups)]
    head = tag("tr", tag("th", ""), tag("th", "steps"), *(tag("th", name) for name in names))
    rows = [
        tag("tr", tag("th", group.name), tag("td", group.steps), *(_cell(group.figures.get(name)) for name in names))
        for group in groups
    ]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="wide")


def _cell(figure: MetricValue | None) -> Markup:
    if figure is None:
        return tag("td", "-", class_="none")
    title = f"{figure.hits} of {figure.of}"
    if figure.low is None or figure.high is None:
        return tag("td", f"{100 * figure.value:.1f}", title=title)
    interval = tag("div", f"{100 * figure.low:.0f} to {100 * figure.high:.0f}", class_="note")
    return tag("td", f"{100 * figure.value:.1f}", interval, title=title)


def _failures(shown: Sequence[FailureView], failures: int) -> list[Markup]:
    if not failures:
        return [tag("h2", "Failures"), tag("p", "Every step is right.", class_="note")]
    legend = tag(
        "div",
        *(
            tag(
                "span",
                tag("svg", tag("rect", class_=kind, x=2, y=2, width=24, height=12), viewBox="0 0 28 16",
                    aria_hidden="true"),
                f" {words}",
            )
            for kind, words in (("right", "what would have been right"), ("missed", "what was answered"))
        ),
        class_="legend",
    )  # fmt: skip
    title = f"{len(shown)} of {failures} failures" if len(shown) < failures else _count(failures, "failure")
    return [tag("h2", title), legend, tag("div", *(_failure(one) for one in shown), class_="screens")]


def _failure(one: FailureView) -> Markup:
    score = one.score
    facts = [f"recorded: {score.step.description}", f"answered: {_answer_words(score)}"]
    caption = tag(
        "figcaption",
        tag("b", f"{shorten(one.task, 60)}, step {score.step.index + 1}"),
        tag("div", *(tag("span", fact, dir="auto") for fact in [*facts, f"wrong: {', '.join(_wrong(score))}"]),
            class_="facts"),
    )  # fmt: skip
    stage = Markup()
    if one.picture and score.truth.size is not None:
        picture = tag("img", src=one.picture, alt="The screen before the step", loading="lazy")
        stage = tag("div", picture, _drawing(score, score.truth.size), class_="stage")
    reasoning = score.responses[0].reasoning.strip() if score.responses else ""
    more = tag("details", tag("summary", "Reasoning"), tag("p", reasoning, dir="auto")) if reasoning else Markup()
    return tag("figure", caption, stage, more, class_="screen")


def _answer_words(score: StepScore) -> str:
    if not score.responses:
        return shorten(score.problem, 160)
    words = ", then ".join(_words(response.action) for response in score.responses[:3])
    return words + (" …" if len(score.responses) > 3 else "")


def _words(action: Action) -> str:
    named = "" if action.target is None or action.target.text is None else f" “{shorten(action.target.text)}”"
    return f"{describe_action(action)}{named}"


def _wrong(score: StepScore) -> list[str]:
    if score.verdict is None:
        return ["no answer that can be used"]
    found = [] if score.verdict.object is not False else ["object"]
    if not score.verdict.operation:
        found.append("operation" if score.verdict.kind else "action type")
    return [*found, *([] if score.status else ["status"])]


def _drawing(score: StepScore, size: Size) -> Markup:
    goals = (*score.truth.goals, *score.truth.ends)
    drawn = [("right", goal.box if goal.at is None else Rect.at_point(goal.at)) for goal in goals]
    if score.verdict is not None and score.verdict.aim is not None:
        drawn.append(("missed", score.verdict.aim.box))
    parts = [_box(box, kind, size) for kind, box in drawn if box is not None]
    return tag("svg", *parts, viewBox=f"0 0 {size.width} {size.height}", preserveAspectRatio="none", aria_hidden="true")


def _box(box: Rect, kind: str, size: Size) -> Markup:
    """A box; a point as a small square around it."""
    if box.area == 0:
        reach = max(6, round(math.hypot(size.width, size.height) * 0.008))
        box = Rect(box.x1 - reach, box.y1 - reach, box.x1 + reach, box.y1 + reach)
    place = {"x": box.x1, "y": box.y1, "width": box.width, "height": box.height}
    return Markup(tag("rect", class_="ground", **place) + tag("rect", class_=kind, **place))
