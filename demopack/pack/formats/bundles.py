"""What bundles of examples share: pictures as base64, and files that are written item by item."""

from __future__ import annotations

import base64
import contextlib
import json
from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import IO, Any, ClassVar

from demopack.pack.formats.base import ExportOptions
from demopack.pack.formats.hearing import hear
from demopack.pack.formats.output import Output
from demopack.pack.formats.questions import question
from demopack.pack.formats.shots import numbered
from demopack.pack.formats.spoken import Dialect, Spoken
from demopack.pack.formats.trajectories import after, demo_name
from demopack.pack.rows import StepRow, StoredFrame
from demopack.pack.stream import DemoRows

__all__ = ["BundleWriter", "Items", "split_message"]


class Items:
    """A list inside a JSON file, one item to a line."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._first = True

    def add(self, item: dict[str, Any]) -> None:
        """One more item."""
        self._file.write(("\n" if self._first else ",\n") + json.dumps(item, ensure_ascii=False, allow_nan=False))
        self._first = False


def split_message(spoken: Spoken) -> tuple[list[dict[str, Any]], str]:
    """The calls, and the text that a vocabulary without a word for the end says instead."""
    calls = [call for call in spoken.calls if call.get("type") != "message"]
    words = [str(call["text"]) for call in spoken.calls if call.get("type") == "message"]
    return calls, " ".join(words)


class BundleWriter(ABC):
    """One file for each demo: a talk in a provider's own form, to stand in front of a question.

    Args:
        output: the export.
        options: as chosen.
        dialect: the provider's vocabulary.
    """

    head: ClassVar[dict[str, Any]]
    """Fields of the file before the list."""
    key: ClassVar[str]
    """Name of the list."""

    def __init__(self, output: Output, options: ExportOptions, dialect: Dialect) -> None:
        self.output = output
        self.options = options
        self._dialect = dialect

    def add(self, demo: DemoRows) -> None:
        """Write one demo."""
        with self._items(demo) as items:
            started = False
            for row in demo.steps:
                self.output.rows_in += 1
                spoken = hear(self.output, self._dialect, demo, row)
                if spoken is None:
                    continue
                self.output.rows_out += 1
                if not started:
                    self.ask(items, demo, row, question(demo, row, self.options))
                    started = True
                self.tell(items, demo, row, spoken)

    @contextlib.contextmanager
    def _items(self, demo: DemoRows) -> Generator[Items]:
        with self.output.path(f"{demo_name(demo)}.json").open("w", encoding="utf-8", newline="\n") as file:
            head = "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in self.head.items())
            file.write(f"{{\n{head}{json.dumps(self.key)}: [")
            yield Items(file)
            file.write("\n]\n}\n")

    def picture(self, demo: DemoRows, frame: StoredFrame) -> str:
        """A picture as base64."""
        data = demo.pictures.read(frame.file)
        found = demo.elements.get(frame.id, ())
        if self.options.marks and found:
            data = numbered(data, found)
        return base64.b64encode(data).decode("ascii")

    def shown_after(self, demo: DemoRows, row: StepRow) -> str | None:
        """The picture after a step as base64."""
        frame = after(demo, row)
        return None if frame is None else self.picture(demo, frame)

    @abstractmethod
    def ask(self, items: Items, demo: DemoRows, row: StepRow, text: str) -> None:
        """Write the task and the first picture."""

    @abstractmethod
    def tell(self, items: Items, demo: DemoRows, row: StepRow, spoken: Spoken) -> None:
        """Write one step and what it led to."""

    def finish(self) -> None:
        """Say how the parts of a step are told apart."""
        self.output.notes.append("The picture after a step of several calls stands after the last of them.")
