"""OSWorld's runs: a folder with ``traj.jsonl`` for each demo, and the screen *after* every action."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from demopack.domain.frames import Frame
from demopack.domain.geometry import Size
from demopack.importing.building import Builder, Imported, ImportOptions, demo_id
from demopack.importing.files import Files
from demopack.importing.importer import Importer, Skipped, rows_of_lines
from demopack.importing.osworld_folder import first_screen, outcome_of, task_of
from demopack.importing.pictures import Shelf
from demopack.importing.reading import action_in, actions_of, guarded, look_at_numbers, note_twice, picture_of, units
from demopack.importing.report import Ledger
from demopack.importing.values import Row, list_in, object_in, unpacked
from demopack.prompting.scene import Scene

__all__ = ["IMPORTER"]

_TABLE: Final = "traj.jsonl"
_DOMAINS: Final = frozenset(
    {"chrome", "gimp", "libreoffice_calc", "libreoffice_impress", "libreoffice_writer", "multi_apps", "os",
     "thunderbird", "vlc", "vs_code"}
)  # fmt: skip
_WORDS: Final = frozenset({"WAIT", "DONE", "FAIL"})
_OPENS: Final = frozenset({"KEY_DOWN", "MOUSE_DOWN"})
_TIMES: Final = ("%Y%m%d@%H%M%S%f", "%Y%m%d@%H%M%S")
_USUAL: Final = Size(1920, 1080)


@dataclass(slots=True, kw_only=True)
class _Group:
    """Lines that say one thing together.

    Attributes:
        lines: in order.
        calls: the actions of them.
    """

    lines: list[Row] = field(default_factory=list[Row])
    calls: list[Any] = field(default_factory=list[Any])

    @property
    def open(self) -> bool:
        """Whether something is held down or the pointer is only on its way."""
        held = 0
        for name in map(_name, self.calls):
            held += (name in _OPENS) - (name in {"KEY_UP", "MOUSE_UP"})
        return held > 0

    def takes(self, row: Row, call: Any) -> bool:  # noqa: ANN401 - any JSON value
        """Whether a further line belongs to these."""
        if not self.lines:
            return True
        last = self.lines[-1]
        if _step_id(row) is not None or _step_id(last) is not None:
            return _step_id(row) == _step_id(last)
        shot = row.get("screenshot_file")
        same = shot is not None and shot == last.get("screenshot_file")
        drags = _name(self.calls[-1]) == "MOVE_TO" and _name(call) == "DRAG_TO"
        return self.open or same or drags


def _step_id(row: Row) -> object:
    return object_in(row.get("info")).get("step")


def _name(call: Any) -> str:  # noqa: ANN401 - any JSON value
    return str(object_in(call).get("action_type", "")).upper()


def sniff(files: Files) -> bool:
    """Whether there is a ``traj.jsonl``."""
    return any(posixpath.basename(name) == _TABLE for name in files.tables)


def read(files: Files, options: ImportOptions, skipped: Skipped) -> Iterator[Imported]:
    """Every folder with a ``traj.jsonl``.

    Raises:
        BadRowError: a line or a picture is bad; with ``skip_bad`` it is counted instead.
    """
    for name in files.tables:
        if files.only or posixpath.basename(name) == _TABLE:
            files.taken.add(name)
            with skipped.guarding(name):
                yield _demo(name, files, options)


def _demo(name: str, files: Files, options: ImportOptions) -> Imported:
    shelf = Shelf(files)
    bad = Skipped(allowed=options.skip_bad)
    rows = list(rows_of_lines(files, name, bad))
    ident = demo_id("osworld", posixpath.dirname(name), *(repr(sorted(row.data.items())) for row in rows))
    ledger = Ledger(name, unit="line")
    builder = Builder(title=IMPORTER.title, demo=ident, ledger=ledger, options=options)
    ledger.rows_in = len(rows) + sum(item.count for item in bad.tally.items())
    for item in bad.tally.items():
        for number in range(item.count):
            ledger.skip(item.code, item.why, item.examples[min(number, len(item.examples) - 1)])
    look_at_numbers(rows, "step_num", ledger, twice=True)
    _steps(rows, shelf, builder, _Clock(rows))
    words, app, ending = task_of(files, name), _app(name, ledger), outcome_of(files, name, rows, ledger)
    created = _when(rows[0]) if rows else None
    if created is not None:
        ledger.assume("timezone", "times have no time zone; they are taken as UTC", name)
    return builder.finish(
        shelf.image,
        task=builder.task(words),
        app=app,
        created_at=builder.untimed(created),
        **ending,
        final_frame=builder.steps[-1].after if builder.steps else None,
    )


def _app(name: str, ledger: Ledger) -> str:
    """OSWorld files its runs by domain: results/.../chrome/ID/traj.jsonl."""
    found = next((part for part in reversed(name.split("/")[:-1]) if part in _DOMAINS), "")
    if found:
        ledger.assume("app", "the program is taken from the name of the folder", name)
    return found


class _Clock:
    """Seconds since the first line."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._first = next((when for row in rows if (when := _when(row)) is not None), None)

    def of(self, row: Row) -> float | None:
        """None where the line has no time."""
        when = _when(row)
        return None if when is None or self._first is None else (when - self._first).total_seconds()


def _when(row: Row) -> datetime | None:
    text = row.text("action_timestamp").strip()
    for form in _TIMES:
        try:
            # The file has no zone; UTC is what the report says.
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _steps(rows: Sequence[Row], shelf: Shelf, builder: Builder, clock: _Clock) -> None:
    screen = first_screen(shelf, rows, builder)
    for group in _groups(rows, builder):
        after: Frame | None = None
        with guarded(builder, group.lines[0].place, rows=len(group.lines)):
            before = _picture(shelf, group.lines[0], "screenshot_file_before_exec", builder) or screen
            after = _picture(shelf, group.lines[-1], "screenshot_file", builder)
            _group(group, builder, before, after, clock)
        screen = after


def _picture(shelf: Shelf, row: Row, name: str, builder: Builder) -> Frame | None:
    return picture_of(shelf, row, name, row.text(name), builder)


def _groups(rows: Sequence[Row], builder: Builder) -> Iterator[_Group]:
    group = _Group()
    for row in rows:
        call: Any = None
        with guarded(builder, row.place, rows=0):
            call = _call(row)
        if call is None:
            continue
        if not group.takes(row, call):
            yield group
            group = _Group()
        group.lines.append(row)
        group.calls += list_in(call) if isinstance(call, list) else [call]
        note_twice(row, builder.ledger)
    if group.lines:
        yield group


def _call(row: Row) -> Any:  # noqa: ANN401 - any JSON value
    """The action of a line: an object, a list of them, a word, or code."""
    value, twice = unpacked(row.get("action"))
    if twice:
        row.twice.append("action")
    if isinstance(value, str) and not value.strip():
        value = None
    if value is None:
        raise row.wrong("action", "it is missing", code="no_action")
    return {"action_type": value.strip()} if isinstance(value, str) and value.strip() in _WORDS else value


def _group(group: _Group, builder: Builder, before: Frame | None, after: Frame | None, clock: _Clock) -> None:
    first, ledger = group.lines[0], builder.ledger
    place = first.place
    size = units(
        builder.options, otherwise="pixels", frame=None if before is None else before.size, ledger=ledger, where=place
    )
    if size is None:
        ledger.assume("usual_screen", "the screen's size is not known; OSWorld's 1920 x 1080 is taken", place)
        size = _USUAL
    scene = Scene(size=size, space="pixels")
    if any(isinstance(call, str) for call in group.calls):
        said: Any = "\n".join(str(call) for call in group.calls)
        parsed = action_in(first, "action", _without_imports(said), dialect="pyautogui", scene=scene)
    else:
        parsed = action_in(first, "action", list[Any](group.calls), dialect="osworld", scene=scene)
    response = first.text("response")
    if response:
        ledger.assume("response", "what the agent answered is taken as the thought of the step, as a whole", place)
    begun = len(builder.steps)
    builder.several(
        actions_of(parsed, ledger, place),
        before=before,
        where=place,
        seconds=clock.of(first),
        rationale=builder.rationale(response),
    )
    if after is not None and builder.steps[begun].action.action_type != "finish_goal":
        builder.steps[-1] = builder.steps[-1].model_copy(update={"after": after})


def _without_imports(code: str) -> str:
    """The calls alone: agents write ``import pyautogui; pyautogui.click(1, 2)``."""
    parts = (part.strip() for line in code.split("\n") for part in _parts(line))
    return "\n".join(part for part in parts if part and not part.startswith(("import ", "from ")))


def _parts(line: str) -> list[str]:
    head, _, rest = line.partition(";")
    return [head, *_parts(rest)] if head.strip().startswith(("import ", "from ")) and rest else [line]


IMPORTER: Final = Importer(
    name="osworld",
    title="OSWorld traj.jsonl",
    files="traj.jsonl in a folder for each demo, with its pictures",
    before="the picture of the line before, initial.png or step_0.png for the first; or screenshot_file_before_exec",
    sniff=sniff,
    read=read,
)
