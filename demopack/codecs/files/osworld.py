"""OSWorld's runs: a folder with ``traj.jsonl`` for each demo, and the screen *after* every action."""

from __future__ import annotations

import contextlib
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from demopack.codecs.action_builder import Place
from demopack.codecs.files.base import ImportLog, SkippedDemos, json_lines
from demopack.codecs.files.builder import DemoBuilder, demo_id, file_importer
from demopack.codecs.files.json_object import BadRowError, JsonObject, unpacked
from demopack.codecs.files.source import SourceFiles
from demopack.codecs.observation import Observation
from demopack.domain.actions import Action
from demopack.domain.frames import Frame
from demopack.domain.geometry import Size
from demopack.json_text import as_list, object_in

_FIRST: Final = ("initial.png", "step_0.png", "initial_screenshot.png", "step_reset.png")
_TABLE: Final = "traj.jsonl"
_DOMAINS: Final = frozenset(
    {"chrome", "gimp", "libreoffice_calc", "libreoffice_impress", "libreoffice_writer", "multi_apps", "os",
     "thunderbird", "vlc", "vs_code"}
)  # fmt: skip
_WORDS: Final = frozenset({"WAIT", "DONE", "FAIL"})
_OPENING_ACTIONS: Final = frozenset({"KEY_DOWN", "MOUSE_DOWN"})
_TIMES: Final = ("%Y%m%d@%H%M%S%f", "%Y%m%d@%H%M%S")
_DEFAULT_SIZE: Final = Size(1920, 1080)


def _first_screen(rows: Sequence[JsonObject], builder: DemoBuilder) -> Frame | None:
    """The screen before the first action; reported, as is where the others come from."""
    log = builder.log
    if not rows:
        return None
    if rows[0].get("screenshot_file_before_exec"):
        log.assume("before", "the screen before a line is the one that it names itself", log.source)
        return None
    why = "pictures show the screen after a line, so the one before a line is the picture of the line before it"
    log.assume("before", why, log.source)
    home = posixpath.dirname(rows[0].file)
    found = next((name for base in _FIRST if builder.frames.files.has(name := posixpath.join(home, base))), None)
    if found is None:
        why = "the screen before the first line is nowhere; the step has no picture"
        log.assume("no_first", why, log.source)
        return None
    log.assume("first", f"the screen before the first line is {posixpath.basename(found)}", log.source)
    return builder.frames.file(found)


def _any_screen(rows: Sequence[JsonObject], builder: DemoBuilder) -> Frame | None:
    """Some picture of the run, whose size tells that of the screen; None where there is none that can be read."""
    files = builder.frames.files
    for row in rows:
        for field_name in ("screenshot_file_before_exec", "screenshot_file"):
            named = row.get(field_name)
            found = files.find(named, near=row.file) if isinstance(named, str) and named else None
            with contextlib.suppress(BadRowError):
                if found is not None:
                    return builder.frames.file(found)
    return None


def _outcome_of(files: SourceFiles, name: str, rows: Sequence[JsonObject], log: ImportLog) -> dict[str, Any]:
    """How it ended: result.txt, else the reward of the last line; fields of a demo's head.

    Raises:
        BadRowError: the score is no number.
    """
    beside = posixpath.join(posixpath.dirname(name), "result.txt")
    score: float | None = None
    if files.has(beside):
        text = files.read(beside, limit=1 << 16).decode("utf-8", "replace").strip()
        try:
            score = float(text)
        except ValueError as error:
            row = JsonObject(data={}, file=beside)
            raise row.wrong("", f"it says {text[:40]!r}, not a score") from error
    elif rows and rows[-1].flag("done") and rows[-1].number("reward") is not None:
        score = rows[-1].number("reward")
        log.assume("reward", "there is no result.txt; the reward of the last line tells how it ended", name)
    if score is None:
        return {}
    if 0 < score < 1:
        log.assume("score", "a score between 0 and 1 is neither success nor failure; how it ended is left open", name)
        return {"outcome_reason": f"OSWorld's score was {score:g}."}
    return {"outcome": "success" if score >= 1 else "failure"}


def _task_of(files: SourceFiles, name: str) -> str:
    """The task's words, where a JSON file beside the trajectory or OSWorld's example of the same name has them."""
    home = posixpath.dirname(name)
    ident = posixpath.basename(home)
    beside = [one for one in files.names if posixpath.dirname(one) == home and one.endswith(".json")]
    named = [one for one in files.names if ident and posixpath.basename(one) == f"{ident}.json"]
    for one in [*beside, *named]:
        try:
            value = files.json(one)
        except BadRowError:
            continue  # not ours; what it says is only a help
        words = object_in(value).get("instruction")
        if isinstance(words, str):
            files.taken.add(one)
            return words
    return ""


@dataclass(slots=True, kw_only=True)
class _Group:
    """Lines that say one thing together.

    Attributes:
        lines: in order.
        calls: the actions of them.
    """

    lines: list[JsonObject] = field(default_factory=list[JsonObject])
    calls: list[Any] = field(default_factory=list[Any])

    @property
    def open(self) -> bool:
        """Whether something is held down or the pointer is only on its way."""
        held = 0
        for name in map(_name, self.calls):
            held += (name in _OPENING_ACTIONS) - (name in {"KEY_UP", "MOUSE_UP"})
        return held > 0

    def takes(self, row: JsonObject, call: Any) -> bool:  # noqa: ANN401 - any JSON value
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


def _step_id(row: JsonObject) -> object:
    return object_in(row.get("info")).get("step")


def _name(call: Any) -> str:  # noqa: ANN401 - any JSON value
    return str(object_in(call).get("action_type", "")).upper()


def _demo(row: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    name, files, log = row.file, builder.frames.files, builder.log
    bad = SkippedDemos(allowed=builder.options.skip_bad)
    rows: list[JsonObject] = []
    for line in json_lines(files, name, bad):
        with bad.guarding(line.place):
            _when(line)
            rows.append(line)
    builder.demo = demo_id("osworld", posixpath.dirname(name), *(repr(sorted(row.data.items())) for row in rows))
    log.rows_in = len(rows)
    log.skip_lines(bad)
    builder.note_gaps(rows, "step_num", twice=True)
    _steps(rows, builder)
    # OSWorld files its runs by domain: results/.../chrome/ID/traj.jsonl.
    app = next((part for part in reversed(name.split("/")[:-1]) if part in _DOMAINS), "")
    if app:
        log.assume("app", "the program is taken from the name of the folder", name)
    created = _when(rows[0]) if rows else None
    if created is not None:
        log.assume("timezone", "times have no time zone; they are taken as UTC", name)
    head = {"task": _task_of(files, name), "app": app, "created": created, **_outcome_of(files, name, rows, log)}
    return {**head, "final_frame": builder.steps[-1].after if builder.steps else None}


def _when(row: JsonObject) -> datetime | None:
    text = row.text("action_timestamp").strip()
    for form in _TIMES:
        try:
            found = datetime.strptime(text, form)  # noqa: DTZ007 - UTC, as the report says
        except ValueError:
            continue
        return row.moment("action_timestamp", found)
    return None


def _steps(rows: Sequence[JsonObject], builder: DemoBuilder) -> None:
    began = next((when for row in rows if (when := _when(row)) is not None), None)
    screen = _first_screen(rows, builder)
    sized = _any_screen(rows, builder)
    pointer: Place | None = None
    for group in _groups(rows, builder):
        after: Frame | None = None
        with builder.guarded(group.lines[0].place, rows=len(group.lines)):
            before = builder.picture(group.lines[0], "screenshot_file_before_exec") or screen
            after = builder.picture(group.lines[-1], "screenshot_file")
            observation = _observation(group.lines[0].place, builder, before, before or after or sized)
            actions = _group(group, builder, before, after, began, replace(observation, pointer=pointer))
            pointer = next(filter(None, map(_left_at, reversed(actions))), pointer)
        screen = after


def _left_at(action: Action) -> Place | None:
    """Where an action leaves the pointer, as fractions of the picture; None where it does not move it."""
    target = action.end or action.target
    return None if target is None or target.bbox is None else target.bbox[:2]


def _observation(place: str, builder: DemoBuilder, before: Frame | None, sized: Frame | None) -> Observation:
    """The screen that places of a line are meant for.

    Args:
        place: of the line.
        builder: hears what is assumed.
        before: the picture before it.
        sized: that picture, else another one of the run.
    """
    log = builder.log
    size = builder.units(otherwise="pixels", frame=sized, where=place)
    if size is None:
        log.assume("usual_screen", "the screen's size is not known; OSWorld's 1920 x 1080 is taken", place)
        size = _DEFAULT_SIZE
    elif before is None and builder.options.screen is None:
        why = "the screen before a line is not there; it is taken to be as large as another picture of the run"
        log.assume("size_of_other", why, place)
    return Observation(size=size, space="pixels")


def _groups(rows: Sequence[JsonObject], builder: DemoBuilder) -> Iterator[_Group]:
    group = _Group()
    for row in rows:
        call: Any = None
        with builder.guarded(row.place, rows=0):
            call = _call(row)
        if call is None:
            continue
        if not group.takes(row, call):
            yield group
            group = _Group()
        group.lines.append(row)
        group.calls += as_list(call) if isinstance(call, list) else [call]
        builder.note_twice(row)
    if group.lines:
        yield group


def _call(row: JsonObject) -> Any:  # noqa: ANN401 - any JSON value
    """The action of a line: an object, a list of them, a word, or code."""
    value, twice = unpacked(row.get("action"))
    if twice:
        row.twice.append("action")
    if isinstance(value, str) and not value.strip():
        value = None
    if value is None:
        raise row.wrong("action", "it is missing", code="no_action")
    return {"action_type": value.strip()} if isinstance(value, str) and value.strip() in _WORDS else value


def _group(
    group: _Group,
    builder: DemoBuilder,
    before: Frame | None,
    after: Frame | None,
    began: datetime | None,
    observation: Observation,
) -> list[Action]:
    first, log = group.lines[0], builder.log
    place, when = first.place, _when(first)
    value: Any = list[Any](group.calls)
    dialect = "osworld"
    if any(isinstance(call, str) for call in group.calls):
        value, dialect = _without_imports("\n".join(str(call) for call in group.calls)), "pyautogui"
    actions = builder.decode(first, "action", value, dialect=dialect, observation=observation, where=place)
    response = first.text("response")
    if response:
        log.assume("response", "what the agent answered is taken as the thought of the step, as a whole", place)
    begun = len(builder.steps)
    builder.several(
        actions,
        before=before,
        where=place,
        seconds=None if when is None or began is None else (when - began).total_seconds(),
        rationale=builder.rationale(response),
    )
    if after is not None and builder.steps[begun].action.action_type != "finish_goal":
        builder.steps[-1] = builder.steps[-1].model_copy(update={"after": after})
    return actions


def _without_imports(code: str) -> str:
    """The calls alone: agents write ``import pyautogui; pyautogui.click(1, 2)``."""
    parts = (part.strip() for line in code.split("\n") for part in _parts(line))
    return "\n".join(part for part in parts if part and not part.startswith(("import ", "from ")))


def _parts(line: str) -> list[str]:
    head, _, rest = line.partition(";")
    return [head, *_parts(rest)] if head.strip().startswith(("import ", "from ")) and rest else [line]


IMPORTER: Final = file_importer(
    name="osworld",
    title="OSWorld traj.jsonl",
    files="traj.jsonl in a folder for each demo, with its pictures",
    before="the picture of the line before, initial.png or step_0.png for the first; or screenshot_file_before_exec",
    is_ours=lambda _files, name: posixpath.basename(name) == _TABLE,
    demo=_demo,
    unit="line",
)
