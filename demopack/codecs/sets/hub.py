"""Hugging Face: parquet with the pictures inside, one file for steps, one for episodes, and a card that names both."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from demopack.codecs.losses import Loss
from demopack.codecs.output import Output
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import ExportOptions, Format, FormatWriter, picture_name
from demopack.codecs.sets.parquet import IMAGE, INT, STRING, Kind, ParquetTable, list_of
from demopack.codecs.sets.questions import answer_text, element_lines, history
from demopack.domain.words import counted

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_HUB_LICENCES = frozenset({
    "apache-2.0", "mit", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc-by-nc-sa-4.0", "cc-by-nd-4.0",
    "cc-by-nc-nd-4.0", "odc-by", "odbl", "pddl", "agpl-3.0", "gpl-3.0", "bsd-3-clause", "unlicense",
})  # fmt: skip
_STEPS: Final[Mapping[str, Kind]] = {
    "image": IMAGE, "demo": STRING, "step": STRING, "index": INT, "task": STRING, "app": STRING,
    "history": list_of(STRING), "elements": list_of(STRING), "response": STRING, "image_size": list_of(INT),
    "target_box": list_of(INT), "end_box": list_of(INT),
}  # fmt: skip
_EPISODES: Final[Mapping[str, Kind]] = {
    "demo": STRING, "task": STRING, "app": STRING, "platform": STRING, "outcome": STRING, "steps": INT,
    "responses": list_of(STRING),
}  # fmt: skip

_BODY = """
# {title}

{steps} of {demos}. A row of `steps` is one step: the picture *before* the action, and the response
that leads on from there, as JSON text, because the parameters differ from action to action.

```python
import json

from datasets import load_dataset

steps = load_dataset("parquet", data_files="data/{part}-*.parquet", split="train")
print(steps[0]["task"], json.loads(steps[0]["response"]))
```

`bbox` in a response is `[x, y, width, height]` in fractions 0..1 of the picture; `target_box` and `end_box` are
`[x1, y1, x2, y2]` in its pixels. `EXPORT_LOG.json` says what was left out.
"""


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


class _Writer(FormatWriter):
    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options)
        self._tables: list[ParquetTable] = []
        self._parts: list[str] = []
        output.at_end.callback(self._close)

    def add(self, demo: RecordedDemo) -> None:
        steps, episodes = self._tables_of(self.output.part)
        for step in self.every(demo):
            self._add_step(steps, demo, step)
        head = demo.head
        episodes.add(
            {
                "demo": head.id,
                "task": head.task,
                "app": head.app,
                "platform": head.platform,
                "outcome": head.outcome,
                "steps": len(demo.steps),
                "responses": [answer_text(step, self.options) for step in demo.steps],
            }
        )

    def _tables_of(self, part: str) -> list[ParquetTable]:
        """The two tables of a side; those of the side before are finished: the demos of a side come together."""
        if self._parts[-1:] != [part]:
            self._close()
            self._parts.append(part)
            named = ((f"data/{part}", _STEPS), (f"episodes/{part}", _EPISODES))
            self._tables = [ParquetTable(self.output, name, columns) for name, columns in named]
        return self._tables

    def _add_step(self, steps: ParquetTable, demo: RecordedDemo, step: RecordedStep) -> None:
        frame = step.recorded.before
        data = b"" if frame is None else self.picture_bytes(demo, frame)
        picture = None if frame is None else {"bytes": data, "path": picture_name(demo.files[frame.id], "")}
        values: dict[str, Any] = {
            "image": picture,
            "demo": step.demo,
            "step": step.recorded.id,
            "index": step.number,
            "task": demo.head.task,
            "app": demo.head.app,
            "history": history(demo, step, self.options),
            "elements": element_lines(step, self.options),
            "response": answer_text(step, self.options),
            "image_size": step.image_size,
            "target_box": step.target_box and step.target_box.corners,
            "end_box": step.end_box and step.end_box.corners,
        }
        steps.add(values, size=len(data))

    def finish(self) -> None:
        if not self._parts:
            self._tables_of(self.output.part)
        self._close()
        self.output.write("README.md", self._card())

    def _close(self) -> None:
        for table in self._tables:
            table.close()

    def _card(self) -> str:
        title = counted(self.demos, "GUI demonstration")
        configs = {"steps": "data/{part}-*.parquet", "episodes": "episodes/{part}-*.parquet"}
        header = card_header(title, self.output.rows_out, self.output.licence, configs, sides=self._parts)
        steps, demos = counted(self.output.rows_out, "step"), counted(self.demos, "demonstration")
        body = _BODY.format(title=title, steps=steps, demos=demos, part=self._parts[0])
        return f"{header}\n{body}"


FORMAT: Final = Format(
    name="huggingface",
    title="Hugging Face data set",
    files="data/*.parquet, episodes/*.parquet, README.md",
    reads="datasets.load_dataset of the folder, the hub's viewer",
    about="Parquet with the pictures inside, one row a step: loads with one call and shows on the hub.",
    load=('from datasets import load_dataset\n\nsteps = load_dataset("FOLDER", "steps", split="train")'),
    writer=_Writer,
    losses=(
        Loss(
            "json_text",
            "responses are JSON text, not columns",
            "columns would give every row the parameters of all others, as nulls",
        ),
    ),
    uses=frozenset({"rationale", "elements", "marks", "history"}),
    sides=True,
)
