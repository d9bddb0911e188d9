"""Hugging Face: parquet with the pictures inside, one file for steps, one for episodes, and a card that names both."""

from __future__ import annotations

from typing import Any, Final

from demopack.pack.card import card_header
from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.output import Output
from demopack.pack.formats.parquet import ParquetTable
from demopack.pack.formats.questions import answer_text, element_line, history
from demopack.pack.formats.shots import numbered, picture_name
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows

__all__ = ["FORMAT"]

_SHARD_BYTES = 400 << 20
_STEPS = {
    "image": "image", "demo": "string", "step": "string", "index": "int", "task": "string", "app": "string",
    "history": "strings", "elements": "strings", "response": "string", "image_size": "ints", "target_box": "ints",
    "end_box": "ints",
}  # fmt: skip
_EPISODES = {
    "demo": "string", "task": "string", "app": "string", "platform": "string", "outcome": "string", "steps": "int",
    "responses": "strings",
}  # fmt: skip

_BODY = """
# {title}

{steps} steps of {demos} demonstrations. A row of `steps` is one step: the picture *before* the action, and the response
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


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options
        self._shard = 0
        self._size = 0
        self._steps: ParquetTable | None = None
        self._episodes: ParquetTable | None = None
        self._parts: list[str] = []
        self._demos = 0
        output.at_end.callback(self._close)

    def add(self, demo: DemoRows) -> None:
        self._demos += 1
        episodes = self._episodes_of(self._output.part)
        for row in demo.steps:
            self._output.rows_in += 1
            self._add_step(demo, row)
            self._output.rows_out += 1
        head = demo.head
        episodes.add(
            {
                "demo": head.demo,
                "task": head.task,
                "app": head.app,
                "platform": head.platform,
                "outcome": head.outcome,
                "steps": len(demo.steps),
                "responses": [answer_text(row, self._options) for row in demo.steps],
            }
        )

    def _episodes_of(self, part: str) -> ParquetTable:
        """The table of a side; what was open of the side before is finished: the demos of a side come together."""
        if self._episodes is None or self._parts[-1] != part:
            self._close()
            self._steps, self._shard, self._size = None, 0, 0
            self._parts.append(part)
            self._episodes = ParquetTable(self._output.path(f"episodes/{part}-00000.parquet"), _EPISODES)
            self._next_shard()
        return self._episodes

    def _add_step(self, demo: DemoRows, row: StepRow) -> None:
        picture, size = self._picture(demo, row)
        found = demo.on(row) if self._options.elements else ()
        values: dict[str, Any] = {
            "image": picture,
            "demo": row.demo,
            "step": row.step,
            "index": row.index,
            "task": row.task,
            "app": demo.head.app,
            "history": history(demo, row, self._options),
            "elements": [element_line(element) for element in found],
            "response": answer_text(row, self._options),
            "image_size": row.image_size,
            "target_box": row.target_box,
            "end_box": row.end_box,
        }
        if self._steps is None or self._size > _SHARD_BYTES:
            self._next_shard()
        if self._steps is not None:
            self._steps.add(values, size=size)
        self._size += size

    def _next_shard(self) -> None:
        if self._steps is not None:
            self._steps.close()
        self._steps = ParquetTable(self._output.path(f"data/{self._parts[-1]}-{self._shard:05}.parquet"), _STEPS)
        self._shard += 1
        self._size = 0

    def _picture(self, demo: DemoRows, row: StepRow) -> tuple[dict[str, Any] | None, int]:
        if row.before is None:
            return None, 0
        data = demo.pictures.read(row.before.file)
        found = demo.on(row)
        if self._options.marks and found:
            data = numbered(data, found)
        return {"bytes": data, "path": picture_name(row.before.file, "")}, len(data)

    def finish(self) -> None:
        if self._episodes is None:
            self._episodes_of(self._output.part)
        self._close()
        self._output.write("README.md", self._card())

    def _close(self) -> None:
        for table in (self._steps, self._episodes):
            if table is not None:
                table.close()

    def _card(self) -> str:
        title = f"{self._demos} GUI demonstrations"
        configs = {"steps": "data/{part}-*.parquet", "episodes": "episodes/{part}-*.parquet"}
        header = card_header(title, self._output.rows_out, self._output.licence, configs, sides=self._parts)
        body = _BODY.format(title=title, steps=self._output.rows_out, demos=self._demos, part=self._parts[0])
        return f"{header}\n{body}"


FORMAT: Final = Format(
    name="huggingface",
    title="Hugging Face data set",
    files="data/*.parquet, episodes/*.parquet, README.md",
    reads="datasets.load_dataset of the folder, the hub's viewer",
    load='load_dataset("FOLDER", "steps", split="train")',
    writer=_Writer,
    losses=(
        Loss(
            code="json_text",
            what="responses are JSON text, not columns",
            why="columns would give every row the parameters of all others, as nulls",
        ),
    ),
    uses=frozenset({"rationale", "elements", "marks", "history"}),
    sides=True,
)
