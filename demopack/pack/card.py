"""``README.md``: the dataset card. Its code runs as it stands, in the pack's folder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from demopack.domain.words import shorten
from demopack.pack.charts import card_numbers
from demopack.pack.manifest import Counts
from demopack.pack.preview import Preview
from demopack.pack.rows import DemoRow
from demopack.pack.sets.statistics import Statistics

__all__ = ["card_header", "plain", "render_card"]

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_HUB_LICENCES = frozenset({
    "apache-2.0", "mit", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc-by-nc-sa-4.0", "cc-by-nd-4.0",
    "cc-by-nc-nd-4.0", "odc-by", "odbl", "pddl", "agpl-3.0", "gpl-3.0", "bsd-3-clause", "unlicense",
})  # fmt: skip

_BODY = """\
# {title}

{intro}

| | |
| --- | --- |
| Demonstrations | {demos} |
| Steps | {steps} ({rationales} with a rationale) |
| Pictures | {frames} |
| Elements | {elements} |
| Licence | {licence} |

Open `index.html` to look at every step.

{pictures}
## Load it

Every line of `steps.jsonl` is one step: the picture *before* the action, and the LLMResponse that leads on from there.
Plain Python is enough; run this in the pack's folder.

For prompts, as examples in front of a question:

```python
import json, pathlib
steps = [json.loads(line) for line in pathlib.Path("steps.jsonl").read_text("utf-8").splitlines()]
for step in steps[:3]:
    picture = pathlib.Path(step["image"]).read_bytes() if step["image"] else b""
    print(step["task"], len(picture), json.dumps(step["response"], ensure_ascii=False))
```

For training, as pairs of question and answer:

```python
import json, pathlib
steps = [json.loads(line) for line in pathlib.Path("steps.jsonl").read_text("utf-8").splitlines()]
pairs = [(s["image"], s["task"], json.dumps(s["response"])) for s in steps if s["image"] and not s["doubts"]]
print(len(pairs), "of", len(steps), "steps have a picture and no doubt")
```

Leave out steps with `doubts` where only sure ones count. The parameters differ from action to action: loaders that
force one set of columns on every row fill them with nulls, so hand the response on as text, as above.

{numbers}
## What is in it

| file | one line or file for each |
| --- | --- |
| `demos.jsonl` | demonstration: task, outcome, pictures |
| `steps.jsonl` | step: LLMResponse, picture before and after, boxes in pixels, times, raw events, rationale, doubts |
| `elements.jsonl` | element on a picture: type, text, states, box, `element_id`, `track_id`, who found it |
| `frames/` | picture, PNG, stored once per demonstration |
| `schema/` | JSON Schema of each of these |
| `pack.json` | size and SHA-256 of every file, licence, consent, counts |

An LLMResponse is `{{reasoning, action: {{action_type, target, parameters}}, is_goal_complete}}`. A target names its
element in up to four ways, trusted in this order: `track_id`, `element_id`, `text`, `bbox`.

## Coordinates

- `bbox` is `[x, y, width, height]` as fractions 0..1 of the picture.
- `box`, `target_box` and `end_box` are `[x1, y1, x2, y2]` in pixels of the picture, `x2` and `y2` exclusive.
- A box of size zero is a point: no element lay under the pointer.
- `scroll_direction` is the way the view moves.
"""


def render_card(
    demos: Sequence[DemoRow], counts: Counts, previews: Sequence[Preview], *, licence: str, numbers: Statistics
) -> str:
    """The whole card; the same rows give the same text."""
    task = demos[0].task if len(demos) == 1 else ""
    title = shorten(task, 80) if task.strip() else f"{counts.demos} GUI demonstrations"
    body = _BODY.format(
        title=plain(title),
        intro=_intro(demos),
        demos=counts.demos,
        steps=counts.steps,
        rationales=counts.rationales,
        frames=counts.frames,
        elements=counts.elements,
        licence=plain(licence) or "none given: not to be published",
        pictures=_pictures(previews),
        numbers=card_numbers(numbers),
    )
    configs = {name: f"{name}.jsonl" for name in ("steps", "demos", "elements")}
    return f"{card_header(title, counts.steps, licence, configs)}\n{body}"


def card_header(
    title: str, steps: int, licence: str, configs: Mapping[str, str], *, sides: Sequence[str] = ("train",)
) -> str:
    """The YAML that dataset hubs read. JSON texts are valid YAML, so nothing in a title can break out.

    Args:
        title: of the data set.
        steps: how many.
        licence: SPDX expression; may be empty.
        configs: name -> files of each table; the first is the default. ``{part}`` in it is the side.
        sides: of the data, for instance train and test.
    """
    size = next((name for limit, name in _SIZES if steps < limit), "n>1M")
    lines = ["---", f"pretty_name: {json.dumps(title, ensure_ascii=False)}"]
    short = licence.lower()
    if short in _HUB_LICENCES:
        lines.append(f"license: {short}")
    else:
        lines += ["license: other", f"license_name: {json.dumps(licence or 'none')}"]
    lines += [
        "task_categories:",
        "- image-text-to-text",
        "tags:",
        *(f"- {tag}" for tag in ("gui-agent", "computer-use", "demonstration", "demopack")),
        f"size_categories:\n- {size}",
        "configs:",
    ]
    for number, (name, files) in enumerate(configs.items()):
        default = [] if number else ["  default: true"]
        lines += [f"- config_name: {name}", *default, "  data_files:"]
        for side in sides:
            lines += [f"  - split: {side}", f"    path: {files.replace('{part}', side)}"]
    return "\n".join([*lines, "---"])


def _intro(demos: Sequence[DemoRow]) -> str:
    if len(demos) == 1:
        app = f" in {plain(demos[0].app)}" if demos[0].app else ""
        words = f"A person's demonstration{app}, {demos[0].steps} steps, with a picture of the screen before each."
        task = plain(demos[0].task, limit=2000)
        return f"{words}\n\nThe task: {task}" if len(task) > 80 else words
    rows = [f"| {plain(d.task) or '-'} | {plain(d.app) or '-'} | {d.steps} | {d.outcome or 'unknown'} |" for d in demos]
    return "\n".join(["| task | app | steps | outcome |", "| --- | --- | --- | --- |", *rows])


def _pictures(previews: Sequence[Preview]) -> str:
    parts: list[str] = []
    for preview in previews:
        words = plain(preview.row.description)
        parts.append(f"**Step {preview.row.index + 1}.** {words}\n\n![{words}]({preview.file})\n")
    return "\n".join(parts)


def plain(text: str, *, limit: int = 200) -> str:
    """Text on one line that Markdown takes for text: no heading, link, table, HTML or emphasis can come of it."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return re.sub(r"([\\`*_{}\[\]<>|~&])", r"\\\1", line[:limit])
