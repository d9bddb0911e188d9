"""Forgets for good what the task bank and the answers of language models tell of a task or a demo."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from demopack.store.library import Library
from models.language.usage_log import forget_answers
from tasks.bank import FILE, ErasedTasks, TaskBank


def forget_tasks(bank: TaskBank, ids: Collection[str]) -> ErasedTasks:
    """Erase tasks, their harder forms, and what models answered about them; see :meth:`TaskBank.erase`.

    Demos in which they were done stay, and so do the folders of results: the bank does not know of these.

    Raises:
        BadInputError: an id is of no task.
        LibraryError: the folder cannot be written, or is busy.
    """
    erased = bank.erase(ids)
    _forget_answers(bank.folder, erased)
    return erased


def forget_demo(folder: Path, demo: str, *, keep_demo: bool = False) -> ErasedTasks:
    """Erase what is told of a demo beside the library: answers about it, and what the task bank made or said of it.

    Args:
        folder: the library.
        demo: its id.
        keep_demo: a part of it stays in the library.

    Raises:
        LibraryError: the folder cannot be written, or is busy.
    """
    forget_answers(folder, demo)
    if not (folder / FILE).exists():
        return ErasedTasks()
    with TaskBank.open(folder, create=False) as bank:
        erased = bank.erase((), demo=demo, keep_demo=keep_demo)
    _forget_answers(folder, erased)
    return erased


def erase_demo(library: Library, demo: str) -> None:
    """Erase a demo for good, and whatever else in the library's folder tells of it; see :meth:`Library.erase_demo`.

    Raises:
        LibraryError: it is still being recorded, or the folder cannot be written.
    """
    library.erase_demo(demo)
    forget_demo(library.folder, demo)


def _forget_answers(folder: Path, erased: ErasedTasks) -> None:
    # Runs asked under the bare id once.
    forget_answers(folder, *(f"{place}{name}" for name in (*erased.gone, *erased.renewed) for place in ("tasks/", "")))
