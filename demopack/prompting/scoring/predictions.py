"""Reads what a model answered, one JSON object a line: which step, and the answer as it came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

from demopack.codecs.observation import CoordinateSpace
from demopack.domain.actions import ActionTarget
from demopack.domain.geometry import Size
from demopack.errors import BadInputError
from demopack.json_lines import parse_object
from demopack.json_text import as_list, as_row, as_rows, whole_characters

Alternatives = Mapping[str, Sequence[ActionTarget]]
"""Step id -> further targets that are as good as the recorded one."""

_MAX_LINE: Final = 16 << 20
"""Characters of a line."""
_MAX_EMPTY: Final = 100_000
_ANSWERS: Final = ("answer", "answers", "prediction", "response", "output", "completion")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model answered at one step.

    Attributes:
        parts: one answer, or several that were given one after the other.
        dialect: how it is written; empty for the file's own.
        size: of the picture that the model was sent, where that was not the stored one.
        space: how it writes places, where that is not the dialect's own way.
        line: of the file, from 1.
    """

    parts: tuple[str | dict[str, Any], ...]
    dialect: str = ""
    size: Size | None = None
    space: CoordinateSpace | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAnswer:
    """What was said to a task as a whole, for instance its plan.

    Attributes:
        text: what was said; parts of a list on lines of their own.
        question: what was asked, where the row tells it as messages; empty otherwise.
    """

    text: str
    question: str = ""


@dataclass(slots=True)
class Predictions:
    """All answers of a file.

    Attributes:
        name: of the file.
        answers: by step id, or by demo id and index.
        used: lines that belonged to a step of the pack.
    """

    name: str
    answers: dict[str | tuple[str, int], Answer] = field(default_factory=dict[str | tuple[str, int], Answer])
    used: set[int] = field(default_factory=set[int])

    def of(self, demo: str, step: str, index: int) -> Answer | None:
        """The answer at a step; None where there is none."""
        found = self.answers.get(step) or self.answers.get((demo, index))
        if found is not None:
            self.used.add(found.line)
        return found


def read_predictions(path: Path) -> Predictions:
    """Read a file of answers.

    A line has ``step`` (its id), or ``demo`` and ``index`` (from 0); ``answer`` (text or object; ``response``,
    ``prediction``, ``output`` and ``completion`` mean the same, ``answers`` is a list; of messages in
    ``completion`` what the assistant says); and may have ``dialect``, ``image_size`` and ``space``.

    Raises:
        BadInputError: a line cannot be read, or two lines are about one step; the line is named.
    """
    found = Predictions(path.name)
    for number, row in _rows(path):
        answer = _answer(path, number, row)
        step, demo, index = row.get("step"), row.get("demo"), row.get("index")
        if isinstance(step, str):
            known = found.answers.setdefault(step, answer)
        elif isinstance(demo, str) and type(index) is int:
            known = found.answers.setdefault((demo, index), answer)
        else:
            raise _bad(path, number, "it names no step", "Give `step` (its id), or `demo` and `index`.")
        if known is not answer:
            raise _bad(path, number, f"line {known.line} is about the same step", "Give one line for each step.")
    return found


def read_task_answers(path: Path) -> dict[str, TaskAnswer]:
    """Read answers to tasks, by their ids: ``task_id`` in each line, and ``answer`` as for :func:`read_predictions`.

    ``plan``, a list of steps, may stand for the answer; ``prompt`` is what was asked.

    Raises:
        BadInputError: a line cannot be read, or two lines are about one task; the line is named.
    """
    found: dict[str, TaskAnswer] = {}
    for number, row in _rows(path):
        name = row.get("task_id")
        if not isinstance(name, str) or not name:
            raise _bad(path, number, "it names no task", "Give `task_id`.")
        if name in found:
            raise _bad(path, number, f"another line is about the task {name}, too", "Give one line for each task.")
        said = _answer(path, number, {"answer": row["plan"], **row} if "plan" in row else row)
        asked = [str(one.get("content") or "") for one in as_rows(row.get("prompt")) if one.get("role") == "user"]
        texts = [part if isinstance(part, str) else str(part.get("content") or "") for part in said.parts]
        found[name] = TaskAnswer(text="\n".join(texts), question="\n".join(asked))
    return found


def read_alternatives(path: Path) -> dict[str, list[ActionTarget]]:
    """Read further targets that are right: one JSON object a line, with ``step`` and ``targets``.

    Raises:
        BadInputError: a line cannot be read; it is named.
        ActionError: a target breaks the contract.
    """
    found: dict[str, list[ActionTarget]] = {}
    for number, row in _rows(path):
        step, targets = row.get("step"), as_list(row.get("targets"))
        if not isinstance(step, str) or not targets:
            raise _bad(path, number, "it lacks step or targets", 'Write {"step": …, "targets": [{"element_id": 3}]}.')
        for target in targets:
            found.setdefault(step, []).append(ActionTarget.model_validate(target))
    return found


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig") as stream:
            number = empty = 0
            while line := stream.readline(_MAX_LINE + 1):
                number += 1
                empty += line == "\n"
                if len(line) > _MAX_LINE or empty > _MAX_EMPTY:
                    why = "it is longer than 16 MB" if len(line) > _MAX_LINE else "nearly all lines are empty"
                    raise _bad(path, number, why, "Write one object a line.")
                if line.strip():
                    yield number, _object(path, number, line)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(
            f"The answers in {path} cannot be read.", details=str(error), hint="Name a file of JSON Lines in UTF-8."
        ) from error


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        return parse_object(whole_characters(line))
    except ValueError as error:
        raise _bad(path, number, f"it is no JSON object: {error}", "Write one object a line.") from error


def _answer(path: Path, number: int, row: dict[str, Any]) -> Answer:
    given = next((row[name] for name in _ANSWERS if name in row), None)
    if any(one.get("type") == "computer_call" for one in as_rows(given)):
        given = {"output": given}  # all of a response of OpenAI's is one answer: messages and reasons beside the call
    said = [one.get("content") for one in as_rows(row.get("completion")) if one.get("role") == "assistant"]
    if said and given is row["completion"] and all(isinstance(one, str) for one in said):
        given = said  # of a row that a model is trained on
    parts = [part for part in as_list(given) or [given] if isinstance(part, str) or as_row(part) is not None]
    if not parts or len(parts) != len(as_list(given) or [given]):
        raise _bad(path, number, "it has no answer", "Give `answer`: text, or the message as its API returned it.")
    size = [number for number in as_list(row.get("image_size")) if type(number) is int and number > 0]
    if len(size) != 2 and row.get("image_size") is not None:
        raise _bad(path, number, f"image_size is {row['image_size']!r}", "Give [width, height] in pixels.")
    space = next((name for name in get_args(CoordinateSpace) if name == row.get("space")), None)
    if space is None and row.get("space") is not None:
        raise _bad(path, number, f"space is {row['space']!r}", f"Give one of {', '.join(get_args(CoordinateSpace))}.")
    return Answer(
        parts=tuple(part if isinstance(part, str) else as_row(part) or {} for part in parts),
        dialect=str(row.get("dialect") or ""),
        size=Size(size[0], size[1]) if size else None,
        space=space,
        line=number,
    )


def _bad(path: Path, number: int, why: str, hint: str) -> BadInputError:
    return BadInputError(f"Line {number} of {path.name} cannot be used: {why}.", hint=hint)
