"""Words about tasks of the bank: how far they came, why they are left out, where they come from, what was done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Final

from annotator.words import date_words, spoken_in, tr
from demopack.domain.provenance import Provenance
from demopack.domain.tasks import FilterRule, PlannedStep, SourceKind, Stage, Task, TaskState
from demopack.errors import DemopackError
from tasks.bank import FunnelStage, TaskRow

STATE_WORDS: Final[Mapping[TaskState, str]] = {
    "collected": tr("collected"),
    "filtered_out": tr("filtered out"),
    "kept": tr("kept"),
    "instantiated": tr("instantiated"),
    "infeasible": tr("not feasible"),
    "executed": tr("executed"),
    "stage_failed": tr("failed"),
    "complete": tr("judged yes"),
    "incomplete": tr("judged no"),
    "unsure": tr("judged unsure"),
}
_RULES: Final[Mapping[FilterRule, str]] = {
    "language": tr("another language"),
    "too_short": tr("too short"),
    "too_long": tr("too long"),
    "no_plan": tr("no plan"),
    "not_actionable": tr("nothing to do"),
    "other_platform": tr("another platform"),
    "other_app": tr("another program"),
    "duplicate": tr("duplicate"),
    "set_aside": tr("set aside"),
}
_KINDS: Final[Mapping[SourceKind, str]] = {
    "manual": tr("manual"),
    "how_to": tr("how-to page"),
    "query": tr("search query"),
    "task_file": tr("file of tasks"),
    "result": tr("file of results"),
    "demo": tr("recorded demo"),
    "evolved": tr("harder form of a task"),
    "written": tr("written by a person"),
}
_STAGES: Final[Mapping[Stage, str]] = {
    "choose_template": tr("Template chosen"),
    "prefill": tr("Instantiated"),
    "instantiation_evaluation": tr("Filtered as an instantiated task"),
    "execute": tr("Executed"),
    "execute_eval": tr("Judged"),
}
FUNNEL_WORDS: Final[Mapping[FunnelStage, str]] = {
    "collected": tr("Collected"),
    "kept": tr("Kept by the filter"),
    "planned": tr("With a plan"),
    "instantiated": tr("Instantiated"),
    "feasible": tr("Feasible"),
    "executed": tr("Executed"),
    "complete": tr("Judged yes"),
}

TASK_SENTENCES: Final = (
    "It reads as “{language}”, not as “{wanted}”.",
    "Its task has {count} words.",
    "Its task has 1 word.",
    "Its plan has {count} steps.",
    "Its plan has 1 step.",
    "It has no plan.",
    "It asks for an explanation (“{words}”), and has no steps.",
    "It is the name of a subject, and has no steps.",
    "It is {likeness} like {task}, “{words}”.",
    "It speaks of “{words}”.",
    "It is for {platform}.",
    "A person set it aside.",
    "A person could not do it.",
    "Its plan has no step.",
    "Step {number} is empty.",
    "Step {number} was not performed.",
    "Step {number} was not successful.",
    "Step {number} was done without its control “{control}”.",
    "The execution ended with an error:",
    "1 text was typed, and the document is as it was.",
    "{count} texts were typed, and the document is as it was.",
    "The document holds nothing of what was typed, for instance “{text}”.",
    "Every step was performed, and the document changed; whether that is the task, nobody has judged.",
    "Every step was performed, and the document is as it was; whether that is the task, nobody has judged.",
    "Every step was performed; whether that is the task, nobody has judged.",
    "No control reads “{text}”; “{other}” is {likeness} like it.",
    "No control reads “{text}”.",
    "The template cannot be copied: {why}.",
    "Nobody said how a document of {app} is opened.",
    "There is no template in {place}.",
    "{program} cannot be started: {why}.",
    "Known are {programs}. Add it to programs.toml in the folder of the templates.",
    "Put a document with a name ending in {endings} there.",
    "Put a document there.",
    "Install it, or change it in programs.toml.",
    "The task {key} is damaged; every other one is safe.",
    "Remove it, or import it anew.",
)
"""What filters, rules and the queue say, which know no other language, with a name in braces for what varies.

Longer texts come before their parts.
"""


def spoken_task(text: str) -> str:
    """What is said of a task, in the user's language as far as it is known there."""
    return spoken_in(text, TASK_SENTENCES)


def spoken_task_error(error: Exception) -> Exception:
    """Why something cannot be done with a task; as :func:`spoken_task`."""
    if not isinstance(error, DemopackError):
        return error
    return DemopackError(spoken_task(error.user_message), details=error.details, hint=spoken_task(error.hint))


def row_facts(row: TaskRow) -> str:
    """Program, why it is left out, number of steps and source, in one line."""
    rules = {str(rule): words for rule, words in _RULES.items()}
    steps = tr("1 step") if row.steps == 1 else tr("{count} steps").format(count=row.steps)
    out = ", ".join(rules.get(rule, rule) for rule in row.rules)
    return " · ".join(part for part in (row.app, out, steps if row.steps else tr("no plan"), source_name(row)) if part)


def source_name(row: TaskRow) -> str:
    """The file's name without its folders, else the kind of source."""
    return short_source(row.source) or {str(kind): words for kind, words in _KINDS.items()}.get(row.kind, row.kind)


def short_source(name: str) -> str:
    """A file's name without its folders; an address without what they all begin with."""
    scheme, is_address, rest = name.partition("://")
    return rest.removeprefix("www.") if is_address and scheme in {"http", "https"} else PurePath(name).name


def origin_words(task: Task) -> str:
    """Program, platform and where the task comes from, in one line."""
    source = task.source
    about = (task.app, task.app_version, task.platform, _KINDS[source.kind], short_source(source.name), source.place)
    return " · ".join(part for part in about if part)


def performed_words(step: PlannedStep) -> str:
    """What a step is for, and on which control."""
    on = step.matched_text or step.control_text
    return step.subtask or (f"{step.function} “{on}”" if on else step.function)


def history_lines(task: Task) -> Iterator[str]:
    """What became of a task, oldest first."""
    yield tr("Brought in {who}").format(who=_by(task.provenance))
    if task.written is not None:
        yield tr("Words by a model {who}").format(who=_by(task.written.provenance))
    for stage, words in _STAGES.items():
        record = task.stages.get(stage)
        if record is None:
            continue
        if record.by == "person":
            words = tr("{what} by a person").format(what=words)
        if record.seconds is not None:
            words = tr("{what}, {seconds:.1f} s").format(what=words, seconds=record.seconds)
        yield tr("{what}: {why}").format(what=words, why=spoken_task(record.error)) if record.error else words
    if task.postponed is not None:
        yield tr("Put off on {day}").format(day=date_words(task.postponed.astimezone().date()))
    if task.verdict is not None:
        yield tr("Judged {who}").format(who=_by(task.verdict.provenance))


def _by(provenance: Provenance) -> str:
    at = provenance.at.astimezone()
    return tr("by {name}, {day}").format(name=provenance.name, day=f"{date_words(at.date())}, {at:%H:%M}")
