"""WebDataset: tar files with a picture and a JSON for each step, to be read in one go from anywhere."""

from __future__ import annotations

import io
import json
import tarfile
from typing import Any, Final

from demopack.pack.formats.base import ExportOptions, Format
from demopack.pack.formats.chats import LEFT_OUT
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import answer, element_line, history
from demopack.pack.formats.shots import numbered
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows, named

__all__ = ["FORMAT"]

_SHARD_BYTES = 400 << 20


class _Writer:
    def __init__(self, output: Output, options: ExportOptions) -> None:
        self._output = output
        self._options = options
        self._tar: tarfile.TarFile | None = None
        self._size = 0
        self._shards = 0
        self._demos = 0
        self._part = ""
        output.at_end.callback(self._close)

    def add(self, demo: DemoRows) -> None:
        self._demos += 1
        if self._output.part != self._part:
            self._close()
            self._part, self._shards = self._output.part, 0
        for row in demo.steps:
            self._output.rows_in += 1
            if row.before is None:
                self._output.left_out.add("no_picture", LEFT_OUT["no_picture"], named(row))
                continue
            # A dot in a key would begin the extension, so the demo's id stands in the JSON alone.
            key = f"d{self._demos:05}_s{row.index:05}"
            data = demo.pictures.read(row.before.file)
            found = demo.on(row)
            if self._options.marks and found:
                data = numbered(data, found)
            self._put(f"{key}.png", data)
            self._put(f"{key}.json", json.dumps(self._row(demo, row), ensure_ascii=False).encode())
            self._output.rows_out += 1

    def _row(self, demo: DemoRows, row: StepRow) -> dict[str, Any]:
        found = demo.on(row) if self._options.elements else ()
        return {
            "demo": row.demo,
            "step": row.step,
            "index": row.index,
            "task": row.task,
            "history": history(demo, row, self._options),
            "elements": [element_line(element) for element in found],
            "response": answer(row, self._options),
            "target_box": row.target_box,
        }

    def _put(self, name: str, data: bytes) -> None:
        # A sample never begins in one shard and ends in another: its JSON follows its picture.
        if self._tar is None or (self._size > _SHARD_BYTES and name.endswith(".png")):
            self._next_shard()
        info = tarfile.TarInfo(name)
        info.size = len(data)
        info.mode = 0o644
        if self._tar is not None:
            self._tar.addfile(info, io.BytesIO(data))
        self._size += len(data)

    def _next_shard(self) -> None:
        self._close()
        path = self._output.path(f"{self._part or 'train'}-{self._shards:05}.tar")
        self._tar = tarfile.TarFile(path, "w", format=tarfile.USTAR_FORMAT)
        self._shards += 1
        self._size = 0

    def _close(self) -> None:
        if self._tar is not None:
            self._tar.close()
            self._tar = None

    def finish(self) -> None:
        """Close the last shard; there is always one."""
        if self._shards == 0:
            self._next_shard()
        self._close()


FORMAT: Final = Format(
    name="webdataset",
    title="WebDataset",
    files="train-*.tar",
    sides=True,
    reads="webdataset, datasets (webdataset)",
    load='WebDataset("FOLDER/train-00000.tar").decode("pil").to_tuple("png", "json")',
    writer=_Writer,
    uses=frozenset({"rationale", "elements", "marks", "history"}),
)
