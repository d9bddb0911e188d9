"""Rows for reinforcement learning as verl and EasyR1 read them, and the file that names our reward functions.

A row is one step: a prompt with its picture, and everything that an answer is judged by as JSON text
(:mod:`demopack.codecs.expected_action`). verl takes ``prompt`` (messages) and ``reward_model``; EasyR1 takes
``problem`` (the same prompt as one text) and ``answer``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from demopack.codecs.expected_action import expected_action
from demopack.codecs.losses import Loss
from demopack.codecs.output import Output
from demopack.codecs.recorded_demo import RecordedDemo
from demopack.codecs.sets.base import ExportOptions, Format, FormatWriter, picture_name
from demopack.codecs.sets.parquet import IMAGE, INT, STRING, Kind, ParquetTable, list_of
from demopack.codecs.sets.questions import PLACEHOLDER_LOSS, SYSTEM, element_list, question, without_placeholders

DATA_SOURCE: Final = "demopack"
STYLE: Final = "rule"
"""Of a reward that a function gives."""
_COLUMNS: Final[Mapping[str, Kind]] = {
    "data_source": STRING,
    "prompt": list_of({"role": STRING, "content": STRING}),
    "images": list_of(IMAGE),
    "ability": STRING,
    "reward_model": {"style": STRING, "ground_truth": STRING},
    "extra_info": {
        "index": INT, "split": STRING, "demo": STRING, "step": STRING, "number": INT, "action_type": STRING,
        "task": STRING, "app": STRING,
    },
    "problem": STRING,
    "answer": STRING,
}  # fmt: skip
REWARD_FILE: Final = '''\
"""Reward functions for the rows of this folder; they need `pip install demopack` where the trainer runs.

verl:   custom_reward_function.path=FOLDER/reward.py custom_reward_function.name=compute_score
EasyR1: worker.reward.reward_function=FOLDER/reward.py:compute_scores
"""

from demopack.prompting.scoring.reward import REWARD_NAME, REWARD_TYPE, compute_score, compute_scores

__all__ = ["REWARD_NAME", "REWARD_TYPE", "compute_score", "compute_scores"]
'''


class _Writer(FormatWriter):
    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options)
        self._part = ""
        self._table: ParquetTable | None = None
        output.at_end.callback(self._close)

    def add(self, demo: RecordedDemo) -> None:
        for step, frame in self.pictured(demo):
            asks = without_placeholders(
                question(demo, step, self.options, element_list(step, self.options)), self.output, step.name
            )
            truth = expected_action(demo, step.index).to_json_text()
            data = self.picture_bytes(demo, frame)
            row = {
                "data_source": DATA_SOURCE,
                "prompt": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": f"<image>{asks}"}],
                "images": [{"bytes": data, "path": picture_name(demo.files[frame.id], "")}],
                "ability": "gui",
                "reward_model": {"style": STYLE, "ground_truth": truth},
                "extra_info": {
                    "index": self.output.rows_out - 1,
                    "split": self.output.part,
                    "demo": step.demo,
                    "step": step.recorded.id,
                    "number": step.number,
                    "action_type": step.response.action.action_type,
                    "task": demo.head.task,
                    "app": demo.head.app,
                },
                "problem": f"<image>{SYSTEM}\n\n{asks}",
                "answer": truth,
            }
            self._table_of(self.output.part).add(row, size=len(data))

    def _table_of(self, part: str) -> ParquetTable:
        """The table of a side; that of the side before is finished: the demos of a side come together."""
        if self._table is None or self._part != part:
            self._close()
            self._part, self._table = part, ParquetTable(self.output, part, _COLUMNS, group=20)
        return self._table

    def finish(self) -> None:
        if self._table is None:
            self._table_of(self.output.part)
        self._close()
        self.output.write("reward.py", REWARD_FILE)

    def _close(self) -> None:
        if self._table is not None:
            self._table.close()


FORMAT: Final = Format(
    name="rl",
    title="Rows for reinforcement learning, with a reward function",
    files="train-*.parquet, reward.py",
    reads="verl (prompt, reward_model), EasyR1 (problem, answer), datasets",
    about="A prompt a step with its picture and all that is right there, and a reward function: for verl and EasyR1.",
    load=(
        "from datasets import load_dataset\n"
        "\n"
        'rows = load_dataset("parquet", data_files="FOLDER/train-*.parquet", split="train")'
    ),
    writer=_Writer,
    losses=(
        Loss("reasoning", "the reasons", "a model is rewarded for its action, and finds its own"),
        PLACEHOLDER_LOSS,
    ),
    uses=frozenset({"elements", "marks", "history"}),
    sides=True,
)
