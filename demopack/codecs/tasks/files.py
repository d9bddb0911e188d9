"""Reads tasks from files: JSON, JSON Lines, CSV, lists of queries, manuals and how-to pages in HTML or Markdown."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from demopack.codecs.files.json_object import BadRowError, JsonObject
from demopack.codecs.files.source import LINE_LIMIT, SourceFiles
from demopack.codecs.tasks.pages import PagePortion, PageTask, page_portions, read_page
from demopack.codecs.tasks.records import decode_task, task_id
from demopack.domain.provenance import Provenance
from demopack.domain.tasks import SourceKind, Task, TaskSource
from demopack.json_text import parse_json, without_comments

ENDINGS: Final[Mapping[str, str]] = {
    ".json": "json", ".jsonl": "lines", ".ndjson": "lines", ".csv": "table", ".tsv": "table", ".txt": "queries",
    ".md": "page", ".markdown": "page", ".html": "page", ".htm": "page", ".xhtml": "page",
}  # fmt: skip
"""How a file is read, by how its name ends."""
_MARKDOWN: Final = frozenset({".md", ".markdown"})
_PRINTED_STEPS: Final = re.compile(r'("plan"\s*:\s*\[)([^\]"]*)(\])')
"""A plan as the paper prints it: a step a line, without quotes."""
_TITLES: Final = ("task", "title", "request", "instruction")
_STEPS: Final = ("plan", "steps", "refined_steps")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFileOptions:
    """What a person says of files beyond what stands in them.

    Attributes:
        kind: of source; None to tell it by the file.
        app: that tasks are for whose file does not say it; likewise the next two.
        app_version: of the program.
        platform: that it runs on.
        skip_bad: whether what cannot be read is left out and counted.
    """

    kind: SourceKind | None = None
    app: str = ""
    app_version: str = ""
    platform: str = ""
    skip_bad: bool = False


@dataclass(slots=True, kw_only=True)
class TaskReading:
    """What was read.

    Attributes:
        files: how many gave tasks.
        without_steps: pages in which no list of steps was found.
        ignored: files of other kinds.
        skipped: what could not be read, and why.
    """

    files: int = 0
    without_steps: list[str] = field(default_factory=list[str])
    ignored: list[str] = field(default_factory=list[str])
    skipped: list[BadRowError] = field(default_factory=list[BadRowError])


def read_tasks(
    files: SourceFiles, options: TaskFileOptions, *, provenance: Provenance, report: TaskReading
) -> Iterator[Task]:
    """The tasks of a folder, a zip or a file, in order.

    Args:
        files: where they are.
        options: what the person says.
        provenance: of whoever brings them in.
        report: gets what was read and what was not.

    Raises:
        BadRowError: something cannot be read, unless that is to be skipped; it names file, line and field.
    """
    for name in files.tables:
        ending = name[name.rfind(".") :].lower() if "." in name else ""
        how = ENDINGS.get(ending)
        if how is None:
            report.ignored.append(name)
            continue
        known = 0
        for task in _guarded(_tasks_of(files, name, how, options, provenance), options, report):
            known += 1
            yield _with_options(task, options)
        report.files += bool(known)
        if how == "page" and not known:
            report.without_steps.append(name)


def read_portions(
    files: SourceFiles, options: TaskFileOptions, *, report: TaskReading
) -> Iterator[tuple[str, PagePortion]]:
    """The words of those pages of a folder, a zip or a file that have no list of steps, each with its file's name.

    Args:
        files: where they are.
        options: what the person says.
        report: gets what was read and what was not.

    Raises:
        BadRowError: a page cannot be read, unless that is to be skipped.
    """
    for name in files.tables:
        ending = name[name.rfind(".") :].lower() if "." in name else ""
        if ENDINGS.get(ending) != "page":
            report.ignored.append(name)
            continue
        try:
            text = _text(files, name)
        except BadRowError as error:
            if not options.skip_bad:
                raise
            report.skipped.append(error)
            continue
        markdown = ending in _MARKDOWN
        if next(read_page(text, markdown=markdown, how_to=options.kind == "how_to"), None) is None:
            report.files += 1
            yield from ((name, part) for part in page_portions(text, markdown=markdown))


def _guarded(tasks: Iterator[Task | BadRowError], options: TaskFileOptions, report: TaskReading) -> Iterator[Task]:
    while True:
        try:
            found = next(tasks)
        except StopIteration:
            return
        except BadRowError as error:  # the whole file
            found = error
        if isinstance(found, Task):
            yield found
        elif options.skip_bad:
            report.skipped.append(found)
        else:
            raise found


def _with_options(task: Task, options: TaskFileOptions) -> Task:
    told = {name: getattr(options, name) for name in ("app", "app_version", "platform")}
    fresh: dict[str, Any] = {name: value for name, value in told.items() if value and not getattr(task, name)}
    if options.kind is not None and task.source.kind != options.kind:
        fresh["source"] = task.source.but(kind=options.kind)
    return task.but(**fresh) if fresh else task


def _tasks_of(
    files: SourceFiles, name: str, how: str, options: TaskFileOptions, provenance: Provenance
) -> Iterator[Task | BadRowError]:
    """Each task of a file, or why one cannot be read."""
    if how == "page":
        yield from _page(files, name, options, provenance)
    elif how == "queries" or options.kind == "query":
        yield from _queries(files, name, provenance)
    else:
        for row in _rows(files, name, how):
            try:
                yield row if isinstance(row, BadRowError) else decode_task(row, name=name, provenance=provenance)
            except BadRowError as error:
                yield error


def _rows(files: SourceFiles, name: str, how: str) -> Iterator[JsonObject | BadRowError]:
    if how == "table":
        yield from _table(files, name)
    elif how == "lines":
        for number, text in files.lines(name):
            try:
                value: object = parse_json(text)
            except ValueError as error:
                yield BadRowError(f"it is not JSON ({error})", file=name, line=number)
                continue
            yield _object(value, name, line=number)
    else:
        value = _json(files, name)
        if isinstance(value, list):
            for index, one in enumerate(cast("list[object]", value)):
                yield _object(one, name, at=f"[{index}]")
        else:
            yield _object(value, name)


def _object(value: object, name: str, *, line: int = 0, at: str = "") -> JsonObject | BadRowError:
    if not isinstance(value, dict):
        return BadRowError("it is not an object", file=name, line=line, field=at)
    return JsonObject(data=cast("dict[str, Any]", value), file=name, line=line, at=at)


def _text(files: SourceFiles, name: str) -> str:
    try:
        return files.read(name, limit=LINE_LIMIT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRowError("it is not UTF-8", file=name) from error


def _json(files: SourceFiles, name: str) -> object:
    """The value of a JSON file, with comments, or with a plan as the paper prints it."""
    text = _text(files, name)
    try:
        return cast("object", parse_json(without_comments(text)))
    except ValueError as error:
        printed = _PRINTED_STEPS.sub(_quoted_steps, text)
        if printed != text:
            try:
                return cast("object", parse_json(printed))
            except ValueError:
                pass
        raise BadRowError(f"it is not JSON ({error})", file=name) from error


def _quoted_steps(found: re.Match[str]) -> str:
    lines = [line.strip() for line in found[2].splitlines() if line.strip()]
    return found[1] + ", ".join(json.dumps(line.rstrip(",")) for line in lines) + found[3]


def _table(files: SourceFiles, name: str) -> Iterator[JsonObject | BadRowError]:
    """Rows of a table with a head line; steps stand in one cell, a line each, or in columns step 1, step 2, ..."""
    delimiter = "\t" if name.lower().endswith(".tsv") else ","
    reader = csv.reader(io.StringIO(_text(files, name), newline=""), delimiter=delimiter, strict=True)
    try:
        head = [cell.strip() for cell in next(reader, list[str]())]
        plain = [cell.lower().replace(" ", "_") for cell in head]
        title = next((one for one in _TITLES if one in plain), None)
        if title is None:
            yield BadRowError(
                f"its head line has no column {', '.join(_TITLES[:-1])} or {_TITLES[-1]}", file=name, line=1
            )
            return
        if len(set(plain)) < len(plain):
            yield BadRowError("two columns of its head line have the same name", file=name, line=1)
            return
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(head):
                why = f"it has {len(cells)} cells and the head line {len(head)}"
                yield BadRowError(why, file=name, line=reader.line_num)
                continue
            yield JsonObject(data=_cells(dict(zip(plain, cells, strict=True)), title), file=name, line=reader.line_num)
    except csv.Error as error:
        yield BadRowError(f"it is no table ({error})", file=name, line=reader.line_num)


def _cells(row: dict[str, str], title: str) -> dict[str, Any]:
    """A row as a record: its task, its plan, and every other column as it is."""
    steps = next((row[one] for one in _STEPS if one in row), None)
    single = {key: value for key, value in row.items() if re.fullmatch(r"step_?\d+", key)}
    plan = [line for line in (steps or "").splitlines() if line.strip()] or [v for v in single.values() if v.strip()]
    others = {k: v for k, v in row.items() if k not in {title, *_STEPS} and k not in single and v.strip()}
    return {"task": row[title], "plan": plan, **others}


def _queries(files: SourceFiles, name: str, provenance: Provenance) -> Iterator[Task | BadRowError]:
    """A query a line, or a column ``query`` of a table."""
    found: Iterator[tuple[int, str]] = files.lines(name)
    if ENDINGS.get(name[name.rfind(".") :].lower()) == "table":
        reader = csv.DictReader(io.StringIO(_text(files, name), newline=""))
        column = next((one for one in reader.fieldnames or () if one.strip().lower() == "query"), None)
        if column is None:
            yield BadRowError("its head line has no column query", file=name, line=1)
            return
        found = ((reader.line_num, (row[column] or "").strip()) for row in reader)
    for line, query in found:
        if query:
            source = TaskSource(kind="query", name=name, place=f"line {line}")
            yield Task(id=task_id(name, "query", query), task=query, source=source, provenance=provenance)


def _page(files: SourceFiles, name: str, options: TaskFileOptions, provenance: Provenance) -> Iterator[Task]:
    kind: SourceKind = options.kind or "manual"
    markdown = name[name.rfind(".") :].lower() in _MARKDOWN
    seen: dict[str, int] = {}
    for one in read_page(_text(files, name), markdown=markdown, how_to=kind == "how_to"):
        identity = task_id(name, one.place, one.task, *one.plan)
        seen[identity] = seen.get(identity, 0) + 1
        if seen[identity] == 1:
            yield _of_page(one, identity, TaskSource(kind=kind, name=name, place=one.place), provenance)


def _of_page(one: PageTask, identity: str, source: TaskSource, provenance: Provenance) -> Task:
    return Task(id=identity, task=one.task, plan=one.plan, source=source, provenance=provenance)
