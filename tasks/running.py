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
from demopack.domain.records import new_id
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
from tasks.results import SAVED, Mode, TaskLog, write_result
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
        model: that instantiates tasks; None where only execution is asked for.
        filter_model: that says which of them can be done; None for the same one.
        asks_for_template: whether the model chooses the template; else the one that is most like the task is taken.
        log: of every stage; None for none.
        again: whether what was done before is done anew.
        retries: whether what another model planned is planned and done anew.
    """

    out: Path
    templates: Path | None = None
    execution: ExecutionOptions = field(default_factory=ExecutionOptions)
    judge: Judge = verdict_of_rules
    model: TaskModel | None = None
    filter_model: TaskModel | None = None
    asks_for_template: bool = False
    log: TaskLog | None = None
    again: bool = False
    retries: bool = False


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
    """Take tasks through the stages of a mode; each stage is stored before the next one begins.

    What was done before stays as it is, unless the plan says otherwise: a request that was made concrete, what the
    filter said of it, and what was performed into the same folder of results. A run that was killed goes on there.

    Args:
        tasks: of the bank.
        mode: which stages.
        plan: what the run works with.
        bank: where the tasks are.
        library: where demos of what is done go.
        settings: of vision, privacy and player.
        provenance: of whoever runs them.
        finder: finds elements.
        token: cancels; the stage that is under way then stays as it was.

    Raises:
        BadInputError: the programs cannot be read.
        CancelledError: it was stopped.
    """
    run = _Run(
        programs=read_programs(plan.templates), plan=plan, bank=bank, library=library, settings=settings,
        provenance=provenance, finder=finder, token=token or CancelToken(),
    )  # fmt: skip
    for task in tasks:
        run.token.check()
        done = run.through(task, mode)
        yield TaskOutcome(task=done, file=write_result(done, plan.out, mode))


def failed_tasks(bank: TaskBank, model: str) -> list[Task]:
    """Tasks that were tried, and never with success, of whose tries none that was judged was this model's.

    What nobody is sure of, and what a filter refused, did not fail. A try of this model that was cut off goes on.
    """
    found = [task for state in ("incomplete", "stage_failed") for task in bank.tasks(TaskQuery(state=state))]
    under_way = [task for state in ("instantiated", "executed") for task in bank.tasks(TaskQuery(state=state))]
    found += [task for task in under_way if task.earlier and task.instantiation and task.instantiation.model == model]
    return [
        task
        for task in found
        if not any(one.verdict and (one.verdict.complete == "yes" or one.plan_by == model) for one in task.tries)
    ]


def _is_feasible(task: Task) -> bool:
    """Whether a task was instantiated and judged to be possible: what was not is never executed."""
    return task.feasibility is not None and task.feasibility.judge and not _error(task, "instantiation_evaluation")


def _is_planned_by(task: Task, model: TaskModel | None) -> bool:
    return task.instantiation is not None and model is not None and task.instantiation.model == model.port.name


def _is_instantiated(task: Task) -> bool:
    made = task.instantiation
    return made is not None and bool(made.request and made.steps) and not _error(task, "prefill")


def _error(task: Task, stage: Stage) -> str:
    return task.stages[stage].error if stage in task.stages else ""


@dataclass(frozen=True, kw_only=True)
class _Run:
    """A run under way; see :func:`run_tasks`."""

    programs: dict[str, TaskProgram]
    plan: RunPlan
    bank: TaskBank
    library: Library
    settings: Settings
    provenance: Provenance
    finder: ElementFinder
    token: CancelToken
    gesture: str = field(default_factory=lambda: new_id("gesture"))

    def through(self, task: Task, mode: Mode) -> Task:
        """A task after the stages of a mode that it has not been through yet."""
        again = self.plan.again or (self.plan.retries and not _is_planned_by(task, self.plan.model))
        if mode != "execution":
            if again or not _is_instantiated(task):
                task = self._keep(task, self._instantiated(task))
            asked = task.feasibility is not None and not _error(task, "instantiation_evaluation")
            if _is_instantiated(task) and not asked:
                task = self._keep(task, self._filtered(task))
        if mode == "execution" or (mode == "dataflow" and _is_instantiated(task) and _is_feasible(task)):
            if again or not self._is_performed(task):
                task = self._keep(task, self._executed(task))
                if self.plan.log is not None:
                    self.plan.log.executed(task, self.library)
            if self._is_performed(task) and task.verdict is None:
                task = self._keep(task, self._judged(task))
        return task

    def _keep(self, old: Task, new: Task) -> Task:
        self.bank.change([(old, new)], label="Run tasks", provenance=self.provenance, gesture=self.gesture)
        return new

    def _saved(self, task: Task, template: Path) -> Path:
        """Where the document of a task lies when it was performed."""
        return self.plan.out / SAVED / f"{file_name(task.id)}{template.suffix}"

    def _is_performed(self, task: Task) -> bool:
        """Whether a task was performed into this folder of results, well or not."""
        made = task.instantiation
        if made is None or not made.template or "execute" not in task.stages:
            return False
        saved = self._saved(task, Path(made.template))
        return made.document == str(saved) and saved.is_file() and Path(made.template).is_file()

    def _instantiated(self, task: Task) -> Task:
        """A task made concrete on its template; whatever goes wrong stands in it."""
        kept = task.instantiation.template if task.instantiation is not None else ""
        made = Instantiation(template=kept)
        task = task.but(earlier=task.tries, stages={}, verdict=None, demo="", feasibility=None, instantiation=made)
        if self.plan.model is None:
            return _failed(task, "prefill", "No model was named that instantiates tasks.")
        try:
            name, program = program_for(task.app, self.programs)
            task, template = self._template(task, name, program)
        except CancelledError:
            raise
        except DemopackError as error:
            return _failed(task, "choose_template", error.whole)
        task = task.but(instantiation=Instantiation(template=str(template), model=self.plan.model.port.name))
        began = time.monotonic()
        try:
            with scratch_folder() as folder:
                document = folder / f"{file_name(task.id)}{template.suffix}"
                shutil.copyfile(template, document)
                text = document_text(document)
                with (
                    opened_document(program, document, options=self.plan.execution),
                    open_executor(self.settings, finder=self.finder, token=self.token) as executor,
                ):
                    wait_for_window(executor, document)
                    seen = executor.observe()
            task = self.plan.model.instantiate(task, document.name, text, seen, JobControl(token=self.token))
            return _timed(task, "prefill", began)
        except CancelledError:
            raise
        except DemopackError as error:
            return _failed(_timed(task, "prefill", began), "prefill", error.whole)

    def _filtered(self, task: Task) -> Task:
        """A task with what the filter says of it; whatever goes wrong stands in it."""
        stage: Stage = "instantiation_evaluation"
        task = _failed(task, stage, "") if stage in task.stages else task
        model = self.plan.filter_model or self.plan.model
        if model is None:
            return _failed(task, stage, "No model was named that says what can be done.")
        began = time.monotonic()
        try:
            task = task.but(feasibility=model.filter(task, JobControl(token=self.token)))
            return _timed(task, stage, began)
        except CancelledError:
            raise
        except DemopackError as error:
            return _failed(_timed(task, stage, began), stage, error.whole)

    def _executed(self, task: Task) -> Task:
        """A task after its execution; whatever goes wrong stands in it."""
        kept: dict[Stage, StageRecord] = {s: one for s, one in task.stages.items() if s not in _AFTER_EXECUTION}
        task = task.but(earlier=task.tries, stages=kept, verdict=None, demo="")
        if task.instantiation is None or not task.instantiation.steps:
            return _failed(task, "execute", "The task was not instantiated: it has no plan of functions.")
        try:
            name, program = program_for(task.app, self.programs)
            task, template = self._template(task, name, program)
        except CancelledError:
            raise
        except DemopackError as error:
            return _failed(task, "choose_template", error.whole)
        made = task.instantiation or Instantiation()
        saved = self._saved(task, template)
        with scratch_folder() as folder:
            # Programs leave files beside the document, and find those of the last time: each run has its own folder.
            document = folder / saved.name
            shutil.copyfile(template, document)
            steps = tuple(step.but(success=None, matched_text=None) for step in made.steps)
            fresh = made.but(template=str(template), document=str(saved), steps=steps)
            task = execute_task(
                task.but(instantiation=fresh), program, document, self.library, self.settings,
                options=self.plan.execution, finder=self.finder, token=self.token,
            )  # fmt: skip
            make_private_folder(saved.parent)
            shutil.copyfile(document, saved)
        return task

    def _judged(self, task: Task) -> Task:
        """A task that was performed, with the verdict on it; whatever goes wrong stands in it."""
        made = task.instantiation or Instantiation()
        task = _failed(task, "execute_eval", "") if "execute_eval" in task.stages else task
        began = time.monotonic()
        try:
            saves = program_for(task.app, self.programs)[1].save
            pair = (Path(made.template), Path(made.document)) if saves else (None, None)
            task = task.but(verdict=self.plan.judge(task, *pair))
            note_verdict(self.library, task)
            return _timed(task, "execute_eval", began)
        except CancelledError:
            raise
        except DemopackError as error:
            return _failed(_timed(task, "execute_eval", began), "execute_eval", error.whole)

    def _template(self, task: Task, name: str, program: TaskProgram) -> tuple[Task, Path]:
        """The document that a task is done on a copy of: the one it names, else the template that fits it best.

        Raises:
            BadInputError: there is none.
            LanguageError: a model was to choose, and gave no answer.
        """
        made = task.instantiation or Instantiation()
        named = made.template or made.document
        if named and Path(named).is_file():
            return task, Path(named).resolve()
        if self.plan.templates is None:
            raise BadInputError(
                f"The task has no document{f': {named} is not there' if named else ''}.",
                hint="Name the folder of the templates with --templates.",
            )
        began = time.monotonic()
        templates = read_templates(self.plan.templates, name, program.endings)
        if self.plan.asks_for_template and self.plan.model is not None:
            choice = self.plan.model.choose(task, templates, JobControl(token=self.token))
        else:
            choice = choose_template(task.task, templates, seed=task.id)
        return _timed(task, "choose_template", began), choice.template.file.resolve()


def _timed(task: Task, stage: Stage, began: float) -> Task:
    """The task with the time of a stage; that of earlier tries counts, too."""
    before = task.stages.get(stage) or StageRecord()
    seconds = round((before.seconds or 0.0) + time.monotonic() - began, 3)
    return task.but(stages={**task.stages, stage: before.but(seconds=seconds)})


def _failed(task: Task, stage: Stage, error: str) -> Task:
    before = task.stages.get(stage) or StageRecord()
    return task.but(stages={**task.stages, stage: before.but(error=error)})
