"""``README.md``: the dataset card. Its code runs as it stands, in the pack's folder."""

from __future__ import annotations

from collections.abc import Sequence

from demopack.codecs.sets.hub import card_header
from demopack.domain.words import counted, shorten
from demopack.markup import plain
from demopack.pack.manifest import Counts
from demopack.pack.rows import DemoRow
from demopack.pack.sets.statistics import PackStatistics, statistics_text
from demopack.pack.thumbnails import Thumbnail

_ESCAPES = str.maketrans({"`": "'", "<": "\u2039", ">": "\u203a"})
"""Not every reader of Markdown leaves a block of text alone."""

_BODY = """\
# {title}

{intro}

| | |
| --- | --- |
| Demonstrations | {demos} |
| Steps | {steps} ({rationales} with a rationale) |
| Pictures | {frames} |
| Elements | {elements} |
| Done again | {proven} |
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

## Numbers

```text
{numbers}
```

## What is in it

| file | one line or file for each |
| --- | --- |
| `demos.jsonl` | demonstration: task, outcome, pictures |
| `steps.jsonl` | step: LLMResponse, picture before and after, boxes in pixels, times, raw events, rationale, doubts |
| `elements.jsonl` | element on a picture: type, text, states, box, `element_id`, `track_id`, who found it |
| `trees.jsonl` | accessibility tree of a window, as its program reported it; steps name the rows by `tree` |
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
    demos: Sequence[DemoRow], counts: Counts, thumbnails: Sequence[Thumbnail], *, licence: str, numbers: PackStatistics
) -> str:
    """The whole card; the same rows give the same text."""
    task = demos[0].task if len(demos) == 1 else ""
    title = shorten(task, 80) if task.strip() else counted(counts.demos, "GUI demonstration")
    body = _BODY.format(
        title=plain(title),
        intro=_intro(demos),
        demos=counts.demos,
        steps=counts.steps,
        rationales=counts.rationales,
        frames=counts.frames,
        elements=counts.elements,
        proven=_proven(demos),
        licence=plain(licence) or "none given: not to be published",
        pictures=_pictures(thumbnails),
        # A block of text, out of which no name can break.
        numbers="\n".join(statistics_text(numbers)).translate(_ESCAPES),
    )
    configs = {name: f"{name}.jsonl" for name in ("steps", "demos", "elements")}
    return f"{card_header(title, counts.steps, licence, configs)}\n{body}"


def _proven(demos: Sequence[DemoRow]) -> str:
    """How many demonstrations a replay has done again."""
    proofs = [demo.proof for demo in demos if demo.proof is not None]
    if len(demos) == 1 and proofs:
        return f"yes, by a replay that reached the recorded state ({proofs[0].words()})"
    return f"{len(proofs)} of {len(demos)}, by a replay that reached the recorded state"


def _intro(demos: Sequence[DemoRow]) -> str:
    if len(demos) == 1:
        app = f" in {plain(demos[0].app)}" if demos[0].app else ""
        steps = counted(demos[0].steps, "step")
        words = f"A person's demonstration{app}, {steps}, with a picture of the screen before each."
        task = plain(demos[0].task, limit=2000)
        return f"{words}\n\nThe task: {task}" if len(task) > 80 else words
    rows = [f"| {plain(d.task) or '-'} | {plain(d.app) or '-'} | {d.steps} | {d.outcome or 'unknown'} |" for d in demos]
    return "\n".join(["| task | app | steps | outcome |", "| --- | --- | --- | --- |", *rows])


def _pictures(thumbnails: Sequence[Thumbnail]) -> str:
    parts: list[str] = []
    for thumbnail in thumbnails:
        words = plain(thumbnail.row.description)
        parts.append(f"**Step {thumbnail.row.index + 1}.** {words}\n\n![{words}]({thumbnail.file})\n")
    return "\n".join(parts)
