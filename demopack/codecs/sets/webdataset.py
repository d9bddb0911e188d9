"""WebDataset: tar files with a picture and a JSON for each step, to be read in one go from anywhere."""

from __future__ import annotations

import io
import json
import tarfile
from typing import Any, Final

from demopack.codecs.losses import Loss
from demopack.codecs.output import Output
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import ExportOptions, Format, FormatWriter
from demopack.codecs.sets.questions import answer_text, element_lines, history

_SHARD_BYTES = 400 << 20


class _Writer(FormatWriter):
    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options)
        self._tar: tarfile.TarFile | None = None
        self._size = 0
        self._shards = 0
        self._part = ""
        output.at_end.callback(self._close)

    def add(self, demo: RecordedDemo) -> None:
        if self.output.part != self._part:
            self._close()
            self._part, self._shards = self.output.part, 0
        for step, frame in self.pictured(demo):
            # A dot in a key would begin the extension, so the demo's id stands in the JSON alone.
            key = f"d{self.demos:05}_s{step.index:05}"
            self._put(f"{key}.png", self.picture_bytes(demo, frame))
            self._put(f"{key}.json", json.dumps(self._row(demo, step), ensure_ascii=False).encode())

    def _row(self, demo: RecordedDemo, step: RecordedStep) -> dict[str, Any]:
        """Words, a number, and JSON as text.

        Some loaders take a column's type from the first few samples: a list that is empty there, or a value that is
        null, would be of no type, and the first one that is not would end the reading.
        """
        return {
            "demo": step.demo,
            "step": step.recorded.id,
            "index": step.number,
            "task": demo.head.task,
            "history": _text(history(demo, step, self.options)),
            "elements": _text(element_lines(step, self.options)),
            "response": answer_text(step, self.options),
            "target_box": _text(step.target_box and step.target_box.corners),
        }

    def _put(self, name: str, data: bytes) -> None:
        # A sample never begins in one shard and ends in another: its JSON follows its picture.
        tar = self._tar
        if tar is None or (self._size > _SHARD_BYTES and name.endswith(".png")):
            tar = self._next_shard()
        info = tarfile.TarInfo(name)
        info.size = len(data)
        info.mode = 0o644
        tar.addfile(info, io.BytesIO(data))
        self._size += len(data)

    def _next_shard(self) -> tarfile.TarFile:
        self._close()
        path = self.output.path(f"{self._part or 'train'}-{self._shards:05}.tar")
        self._tar = tarfile.TarFile(path, "w", format=tarfile.USTAR_FORMAT)
        self._shards += 1
        self._size = 0
        return self._tar

    def _close(self) -> None:
        if self._tar is not None:
            self._tar.close()
            self._tar = None

    def finish(self) -> None:
        """Close the last shard; there is always one."""
        if self._shards == 0:
            self._next_shard()
        self._close()


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


FORMAT: Final = Format(
    name="webdataset",
    title="WebDataset",
    files="train-*.tar",
    sides=True,
    reads="webdataset, datasets (webdataset)",
    about="Shards that are read in one stream, a picture and its row a step.",
    load=(
        "from webdataset import WebDataset\n"
        "\n"
        'rows = WebDataset("FOLDER/train-00000.tar").decode("pil").to_tuple("png", "json")'
    ),
    writer=_Writer,
    losses=(
        Loss(
            "columns",
            "history, elements, response and target_box are JSON text",
            "the loaders take types from the first samples, and give every row the keys of all others",
        ),
    ),
    uses=frozenset({"rationale", "elements", "marks", "history"}),
)
