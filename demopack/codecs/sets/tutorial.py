"""A tutorial to print: HTML with the pictures and what to click drawn on them, and the same as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from demopack.codecs.losses import Loss
from demopack.codecs.recorded_demo import RecordedDemo
from demopack.codecs.sets.base import Format
from demopack.codecs.sets.how_to import HowToStep, HowToWriter
from demopack.codecs.sets.questions import demo_name
from demopack.codecs.step_marks import overlay, step_marks
from demopack.markup import Markup, plain, tag

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


class _Writer(HowToWriter):
    note = "The step that ends a demo is no step of a tutorial; what it says is left to the reader."

    def add(self, demo: RecordedDemo) -> None:
        name = demo_name(demo)
        steps = self.how_to_steps(demo, f"{name}-images/")
        self.output.write(f"{name}.html", _page(demo, steps))
        self.output.write(f"{name}.md", _markdown(demo, steps))


def _title(demo: RecordedDemo) -> str:
    return demo.head.task.strip() or demo.head.id


def _page(demo: RecordedDemo, steps: Sequence[HowToStep]) -> str:
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


def _section(number: int, step: HowToStep) -> Markup:
    parts = [tag("h2", f"{number}. {step.does}")]
    parts += [tag("p", step.why, dir="auto")] if step.why else []
    parts += [tag("p", f"Expect: {step.effect}", class_="expect", dir="auto")] if step.effect else []
    recorded, size = step.step, step.step.observation.size
    if step.image is not None and size is not None:
        parameters, pointer = recorded.response.action.parameters, recorded.recorded.pointer
        drawn = overlay(step_marks(size, parameters, target=recorded.target_box, end=recorded.end_box, pointer=pointer))
        image = tag("img", src=step.image, alt=f"The screen before step {number}")
        parts.append(tag("div", image, drawn, class_="shot"))
    return tag("section", *parts)


def _markdown(demo: RecordedDemo, steps: Sequence[HowToStep]) -> str:
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
        Loss("elements", "the elements", "a tutorial shows those alone that are used"),
        Loss("response", "the exact actions", "a tutorial is words and pictures"),
    ),
    uses=frozenset({"rationale", "marks"}),
)
