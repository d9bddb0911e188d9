"""Results of the task bank in UFO's folders: a file a task, filed by how it ended; and logs of each task's stages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from demopack.atomic import make_private_file, make_private_folder, write_bytes_atomic, write_text_atomic
from demopack.clock import utc_now
from demopack.codecs.tasks.records import encode_task
from demopack.domain.tasks import Stage, Task
from demopack.store.library import Library
from models.language.port import LanguageAnswer, LanguageError, LanguageRequest
from tasks.templates import file_name

Mode = Literal["instantiation", "execution", "dataflow"]
MODES: Final[tuple[Mode, ...]] = ("instantiation", "execution", "dataflow")
SAVED: Final = "saved_document"
_ENDS: Final = {"yes": "pass", "no": "fail", "unsure": "unsure"}


def folder_of(task: Task, mode: Mode) -> str:
    """Where a task's result lies: ``instantiation/instantiation_pass``, ``dataflow/execution_unsure`` and the like."""
    if mode == "instantiation":
        failed = any(one.error for one in task.stages.values()) or task.instantiation is None
        passed = not failed and (task.feasibility is None or task.feasibility.judge)
        return f"instantiation/instantiation_{'pass' if passed else 'fail'}"
    end = "fail" if task.verdict is None else _ENDS[task.verdict.complete]
    return f"{mode}/execution_{end}"


def write_result(task: Task, folder: Path, mode: Mode) -> Path:
    """Write a task's result; one of an earlier run is replaced, wherever it lies.

    Raises:
        DiskFullError: there is no room; what was there stays.
    """
    name = f"{file_name(task.id)}.json"
    place = folder / folder_of(task, mode)
    make_private_folder(place)
    text = json.dumps(encode_task(task, "ufo_result"), ensure_ascii=False, indent=4)
    write_text_atomic(place / name, text + "\n")
    for other in (folder / mode).glob(f"*/{name}"):
        if other.parent != place:
            other.unlink()
    return place / name


LOGS: Final = "logs"
_STAGES: Final[dict[str, Stage]] = {
    "tasks/template": "choose_template",
    "tasks/instantiate": "prefill",
    "tasks/filter": "instantiation_evaluation",
    "tasks/evaluate": "execute_eval",
}
"""The stage in which each prompt is asked."""


@dataclass(frozen=True, slots=True)
class TaskLog:
    """What happened in each stage of each task: ``logs/TASK/STAGE.jsonl``, a JSON object a line, oldest first.

    A line says when it was written (``at``). A question has ``prompt``, the whole ``question`` (a picture by what it
    shows), then ``answer``, ``model``, tokens, ``cost`` in dollars (0 where it was paid for before), ``seconds``, or
    ``error``. An execution has ``seconds``, ``error``, ``demo`` and its ``steps``; pictures lie beside it.

    Attributes:
        folder: of the results.
    """

    folder: Path

    def asked(self, question: LanguageRequest[Any], answer: LanguageAnswer[Any] | LanguageError) -> None:
        """Add a question, with its answer or why there is none."""
        if isinstance(answer, LanguageError):
            said: dict[str, Any] = {"error": answer.whole}
        else:
            said = {**answer.to_json(), "answer": answer.value.to_json()}
        line = {"prompt": question.prompt, "question": question.to_json(), **said}
        stage = _STAGES.get(question.prompt.partition("@")[0], "prefill")
        self._add(question.subject.removeprefix("tasks/"), stage, line)

    def executed(self, task: Task, library: Library) -> None:
        """Add an execution, with the picture before each step and at the end; older pictures go."""
        place = self._place(task.id)
        for old in place.glob("execute_*.png"):
            old.unlink()
        if task.demo:
            demo = library.demo(task.demo)
            frames = [(f"step_{n}", step.before) for n, step in enumerate(demo.steps, start=1)]
            for name, frame in [*frames, ("final", demo.head.final_frame)]:
                if frame is not None:
                    write_bytes_atomic(place / f"execute_{name}.png", library.png_bytes(frame.id), private=True)
        record = task.stages.get("execute")
        steps = () if task.instantiation is None else task.instantiation.steps
        said = {} if record is None else {"seconds": record.seconds, "error": record.error}
        self._add(task.id, "execute", {**said, "demo": task.demo, "steps": [step.to_json() for step in steps]})

    def _place(self, name: str) -> Path:
        place = self.folder / LOGS / file_name(name)
        make_private_folder(place)
        return place

    def _add(self, name: str, stage: Stage, line: dict[str, Any]) -> None:
        file = self._place(name) / f"{stage}.jsonl"
        make_private_file(file)
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"at": utc_now().isoformat(), **line}, ensure_ascii=False) + "\n")
