"""Results of the task bank in UFO's folders: a file a task, filed by how it ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, Literal

from demopack.atomic import make_private_folder, write_text_atomic
from demopack.codecs.tasks.records import encode_task
from demopack.domain.tasks import Task
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
