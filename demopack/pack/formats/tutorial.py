"""A tutorial to print: HTML with the pictures and what to click drawn on them, and the same as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from demopack.pack.card import plain
from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.lessons import Lesson, lessons
from demopack.pack.formats.output import Output
from demopack.pack.formats.shots import Shots
from demopack.pack.formats.trajectories import demo_name
from demopack.pack.html import Markup, tag
from demopack.pack.marks import marks_of
from demopack.pack.overlay import overlay
from demopack.pack.stream import DemoRows

__all__ = ["FORMAT"]

_STYLE = Markup("""
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1f;
  background: #fff }
h1 { line-height: 1.2 } h2 { font-size: 1.1rem; margin: 2rem 0 .25rem }
p { margin: .25rem 0 .5rem } .expect { color: #4a4a52 }
.shot { position: relative; border: 1px solid #c8c8d0; line-height: 0 }
.shot img { width: 100% } .shot svg { position: absolute; inset: 0; width: 100%; height: 100% }
svg * { fill: none; vector-effect: non-scaling-stroke } .halo { stroke: #fff; stroke-width: 5 }
.line { stroke: #c2185b; stroke-width: 2.5 } .dot { fill: #c2185b } .fill { fill: #c2185b22 }
@media print { body { margin: 0; max-width: none } section { break-inside: avoid } }
""")


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options
        self._shots = Shots(output, options)

    def add(self, demo: DemoRows) -> None:
        name = demo_name(demo)
        self._output.rows_in += len(demo.steps)
        steps = lessons(demo, self._options, self._shots, folder=f"{name}-images/")
        self._output.write(f"{name}.html", _page(demo, steps))
        self._output.write(f"{name}.md", _markdown(demo, steps))
        self._output.rows_out += len(demo.steps)

    def finish(self) -> None:
        """Say what became of the end."""
        self._output.notes.append(
            "The step that ends a demo is no step of a tutorial; what it says is left to the reader."
        )


def _title(demo: DemoRows) -> str:
    return demo.head.task.strip() or demo.head.demo


def _page(demo: DemoRows, steps: Sequence[Lesson]) -> str:
    sections = [_section(number, step) for number, step in enumerate(steps, start=1)]
    app = tag("p", f"In {demo.head.app}.") if demo.head.app else Markup()
    body = tag("body", tag("h1", _title(demo)), app, *sections)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", _title(demo)),
        tag("style", _STYLE),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _section(number: int, step: Lesson) -> Markup:
    parts = [tag("h2", f"{number}. {step.does}")]
    parts += [tag("p", step.why, dir="auto")] if step.why else []
    parts += [tag("p", f"Expect: {step.effect}", class_="expect", dir="auto")] if step.effect else []
    marks = marks_of(step.row)
    if step.image is not None:
        drawn = Markup() if marks is None else overlay(marks, [])
        image = tag("img", src=step.image, alt=f"The screen before step {number}")
        parts.append(tag("div", image, drawn, class_="shot"))
    return tag("section", *parts)


def _markdown(demo: DemoRows, steps: Sequence[Lesson]) -> str:
    lines = [f"# {plain(_title(demo))}", ""]
    for number, step in enumerate(steps, start=1):
        lines += [f"## {number}. {plain(step.does, limit=500)}", ""]
        lines += [plain(step.why, limit=2000), ""] if step.why else []
        lines += [f"*Expect:* {plain(step.effect, limit=2000)}", ""] if step.effect else []
        lines += [f"![The screen before step {number}]({step.image})", ""] if step.image is not None else []
    return "\n".join(lines)


FORMAT: Final = Format(
    name="tutorial",
    title="Tutorial to print",
    files="DEMO.html, DEMO.md, DEMO-images/",
    reads="people; a browser prints it to PDF",
    writer=_Writer,
    units=("episode",),
    losses=(
        Loss(code="elements", what="the elements", why="a tutorial shows those alone that are used"),
        Loss(code="response", what="the exact actions", why="a tutorial is words and pictures"),
    ),
    uses=frozenset({"rationale", "marks"}),
)
