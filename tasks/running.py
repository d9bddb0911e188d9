"""Takes tasks through the stages of UFO's dataflow, one after the other; an error of one ends none of the others."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from demopack.atomic import make_private_folder
from demopack.domain.ports import ElementFinder
from demopack.domain.provenance import Provenance
from demopack.domain.tasks import Instantiation, Stage, StageRecord, Task
from demopack.errors import BadInputError, CancelledError, DemopackError
from demopack.jobs import CancelToken, JobControl
from demopack.replacing import scratch_folder
from demopack.settings import Settings
from demopack.store import Library
from player.executor import open_executor
from tasks.bank import TaskBank, TaskQuery
from tasks.documents import document_text
from tasks.evaluation import Judge, note_verdict, verdict_of_rules
from tasks.execution import ExecutionOptions, execute_task, opened_document, wait_for_window
from tasks.instantiation import TaskModel
from tasks.results import SAVED, Mode, write_result
from tasks.templates import TaskProgram, choose_template, file_name, program_for, read_programs, read_templates

_AFTER_EXECUTION: Final[tuple[Stage, ...]] = ("execute", "execute_eval")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """What a run works with.

    Attributes:
        out: folder of the results.
        templates: folder of the templates; None where tasks name their documents themselves.
        execution: how plans are performed.
        judge: of what was done; rules alone by default.
        model: that instantiates tasks and says which of them can be done; None where only execution is asked for.
    """

    out: Path
    templates: Path | None = None
    execution: ExecutionOptions = field(default_factory=ExecutionOptions)
    judge: Judge = verdict_of_rules
    model: TaskModel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOutcome:
    """What became of a task.

    Attributes:
        task: as it is now.
        file: of its result.
    """

    task: Task
    file: Path

    def to_json(self) -> dict[str, object]:
        """For ``--json``."""
        verdict = self.task.verdict
        return {
            "id": self.task.id,
            "state": self.task.state,
            "complete": None if verdict is None else verdict.complete,
            "reason": _reason(self.task),
            "demo": self.task.demo,
            "tries": len(self.task.tries),
            "file": str(self.file),
        }

    def __str__(self) -> str:
        return f"{self.task.id}\t{self.task.state}\t{_reason(self.task)}"


def _reason(task: Task) -> str:
    if task.verdict is not None:
        return task.verdict.reason
    return next((one.error for one in task.stages.values() if one.error), "")


def run_tasks(
    tasks: Iterable[Task],
    mode: Mode,
    plan: RunPlan,
    *,
    bank: TaskBank,
    library: Library,
    settings: Settings,
    provenance: Provenance,
    finder: ElementFinder,
    token: CancelToken | None = None,
) -> Iterator[TaskOutcome]:
    """Take tasks through the stages of a mode; each is stored and its result written before the next one begins.

    Args:
        tasks: of the bank.
        mode: which stages.
        plan: what the run works with.
        bank: where the tasks are.
        library: where demos of what is done go.
        settings: of vision, privacy and player.
        provenance: of whoever runs them.
        finder: finds elements.
        token: cancels; the task that is under way then stays as it was.

    Raises:
        BadInputError: the programs cannot be read.
        CancelledError: it was stopped.
    """
    token = token or CancelToken()
    programs = read_programs(plan.templates)
    for task in tasks:
        token.check()
        done = task.but(earlier=task.tries)
        if mode != "execution":
            done = _instantiated(done, programs, plan, settings, finder, token)
        if mode == "execution" or (mode == "dataflow" and _is_feasible(done)):
            done = _executed(done, programs, plan, library, settings, finder, token)
        bank.change([(task, done)], label=f"Run “{task.id}”", provenance=provenance)
        yield TaskOutcome(task=done, file=write_result(done, plan.out, mode))


def failed_tasks(bank: TaskBank, model: str) -> list[Task]:
    """Tasks that were tried, and never with success, of whose tries none that was judged was this model's.

    What nobody is sure of, and what a filter refused, did not fail.
    """
    states = ("incomplete", "stage_failed")
    found = [task for state in states for task in bank.tasks(TaskQuery(state=state))]
    return [
        task
        for task in found
        if not any(one.verdict and (one.verdict.complete == "yes" or one.plan_by == model) for one in task.tries)
    ]


def _is_feasible(task: Task) -> bool:
    """Whether a task was instantiated and judged to be possible: what was not is never executed."""
    return task.state == "instantiated" and task.feasibility is not None and task.feasibility.judge


def _instantiated(
    task: Task,
    programs: dict[str, TaskProgram],
    plan: RunPlan,
    settings: Settings,
    finder: ElementFinder,
    token: CancelToken,
) -> Task:
    """A task made concrete on its template, and judged whether it can be done; whatever goes wrong stands in it."""
    kept = task.instantiation.template if task.instantiation is not None else ""
    task = task.but(stages={}, verdict=None, demo="", feasibility=None, instantiation=Instantiation(template=kept))
    if plan.model is None:
        return _failed(task, "prefill", "No model was named that instantiates tasks.")
    try:
        name, program = program_for(task.app, programs)
        task, template = _template(task, name, program, plan)
    except DemopackError as error:
        return _failed(task, "choose_template", error.whole)
    task = task.but(instantiation=Instantiation(template=str(template), model=plan.model.port.name))
    began, stage = time.monotonic(), "prefill"
    control = JobControl(token=token)
    try:
        with scratch_folder() as folder:
            document = folder / f"{file_name(task.id)}{template.suffix}"
            shutil.copyfile(template, document)
            text = document_text(document)
            with (
                opened_document(program, document, options=plan.execution),
                open_executor(settings, finder=finder, token=token) as executor,
            ):
                wait_for_window(executor, document)
                seen = executor.observe()
        task = plan.model.instantiate(task, document.name, text, seen, control)
        task, began, stage = _timed(task, "prefill", began), time.monotonic(), "instantiation_evaluation"
        task = task.but(feasibility=plan.model.filter(task, control))
        return _timed(task, "instantiation_evaluation", began)
    except CancelledError:
        raise
    except DemopackError as error:
        failed: Stage = "prefill" if stage == "prefill" else "instantiation_evaluation"
        return _failed(_timed(task, failed, began), failed, error.whole)


def _executed(
    task: Task,
    programs: dict[str, TaskProgram],
    plan: RunPlan,
    library: Library,
    settings: Settings,
    finder: ElementFinder,
    token: CancelToken,
) -> Task:
    """A task after execution and evaluation; whatever goes wrong stands in it."""
    kept: dict[Stage, StageRecord] = {stage: one for stage, one in task.stages.items() if stage not in _AFTER_EXECUTION}
    task = task.but(stages=kept, verdict=None, demo="")
    if task.instantiation is None or not task.instantiation.steps:
        return _failed(task, "execute", "The task was not instantiated: it has no plan of functions.")
    try:
        name, program = program_for(task.app, programs)
        task, template = _template(task, name, program, plan)
    except DemopackError as error:
        return _failed(task, "choose_template", error.whole)
    made = task.instantiation or Instantiation()
    with scratch_folder() as folder:
        # Programs leave files beside the document, and find those of the last time: each run has a folder of its own.
        before, document = folder / template.name, folder / "open" / f"{file_name(task.id)}{template.suffix}"
        document.parent.mkdir()
        for copy in (before, document):
            shutil.copyfile(template, copy)
        saved = plan.out / SAVED / document.name
        steps = tuple(step.but(success=None, matched_text=None) for step in made.steps)
        fresh = made.but(template=str(template), document=str(saved), steps=steps)
        task = execute_task(
            task.but(instantiation=fresh), program, document, library, settings,
            options=plan.execution, finder=finder, token=token,
        )  # fmt: skip
        make_private_folder(saved.parent)
        shutil.copyfile(document, saved)
        began = time.monotonic()
        try:
            pair = (before, document) if program.save else (None, None)
            task = task.but(verdict=plan.judge(task, *pair))
            note_verdict(library, task)
            return _timed(task, "execute_eval", began)
        except CancelledError:
            raise
        except DemopackError as error:
            return _failed(_timed(task, "execute_eval", began), "execute_eval", error.whole)


def _template(task: Task, name: str, program: TaskProgram, plan: RunPlan) -> tuple[Task, Path]:
    """The document that a task is done on a copy of: the one it names, else the template that is most like it.

    Raises:
        BadInputError: there is none.
    """
    made = task.instantiation or Instantiation()
    named = made.template or made.document
    if named and Path(named).is_file():
        return task, Path(named).resolve()
    if plan.templates is None:
        raise BadInputError(
            f"The task has no document{f': {named} is not there' if named else ''}.",
            hint="Name the folder of the templates with --templates.",
        )
    began = time.monotonic()
    choice = choose_template(task.task, read_templates(plan.templates, name, program.endings), seed=task.id)
    return _timed(task, "choose_template", began), choice.template.file.resolve()


def _timed(task: Task, stage: Stage, began: float) -> Task:
    """The task with the time of a stage; that of earlier tries counts, too."""
    before = task.stages.get(stage) or StageRecord()
    seconds = round((before.seconds or 0.0) + time.monotonic() - began, 3)
    return task.but(stages={**task.stages, stage: before.but(seconds=seconds)})


def _failed(task: Task, stage: Stage, error: str) -> Task:
    before = task.stages.get(stage) or StageRecord()
    return task.but(stages={**task.stages, stage: before.but(error=error)})
