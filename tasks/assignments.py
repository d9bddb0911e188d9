"""Tasks that a person does: the next one of the queue, its document opened from a copy, and what came of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from demopack.atomic import make_private_folder
from demopack.clock import utc_now
from demopack.domain.demos import Demo
from demopack.domain.tasks import Instantiation, PlannedStep, Stage, StageRecord, Task, TaskState
from demopack.errors import DemopackError
from demopack.store import TEMPLATES
from tasks.bank import TaskBank, TaskQuery
from tasks.templates import TaskProgram, choose_template, file_name, program_for, read_programs, read_templates

DOCUMENTS: Final = "task_documents"
"""Folder of the copies that persons work on, likewise."""
_QUEUE: Final[tuple[TaskState, ...]] = ("instantiated", "kept", "collected")
"""States of the tasks that wait for a person, the ripest first."""
_DONE: Final[tuple[Stage, ...]] = ("execute", "execute_eval")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAssignment:
    """A task that a person is to do.

    Attributes:
        task: as it was when it was taken.
        template: the document that it is done on a copy of; None where there is none.
        document: the copy.
        program: that opens it.
        why: there is no document; empty where there is one.
    """

    task: Task
    template: Path | None = None
    document: Path | None = None
    program: TaskProgram | None = None
    why: str = ""

    def open(self, environment: Mapping[str, str]) -> None:
        """Open the copy in its program, which goes on by itself; nothing where there is none.

        Raises:
            BadInputError: it cannot be started.
        """
        if self.program is not None and self.document is not None:
            profile = self.document.parent.parent / "profile"
            make_private_folder(profile)
            self.program.start(self.document, profile=profile, environment=environment)


def waiting_tasks(bank: TaskBank) -> Iterator[Task]:
    """The queue: instantiated tasks before those that were kept and collected, and what was put off at the end."""
    later: list[Task] = []
    for state in _QUEUE:
        for task in bank.tasks(TaskQuery(state=state)):
            if task.postponed is None:
                yield task
            else:
                later.append(task)
    yield from sorted(later, key=lambda task: task.postponed or utc_now())


def assign(task: Task, folder: Path) -> TaskAssignment:
    """Copy the document that a task is done on; without one the task can be done all the same.

    Args:
        task: to be done.
        folder: the library.
    """
    made = task.instantiation or Instantiation()
    try:
        name, program = program_for(task.app, read_programs(folder / TEMPLATES))
        if made.template and Path(made.template).is_file():
            template = Path(made.template)
        else:
            templates = read_templates(folder / TEMPLATES, name, program.endings)
            template = choose_template(task.task, templates, seed=task.id).template.file
        document = folder / DOCUMENTS / file_name(task.id) / template.name
        make_private_folder(document.parent)
        shutil.copyfile(template, document)
    except DemopackError as error:
        return TaskAssignment(task=task, why=error.whole)
    except OSError as error:
        return TaskAssignment(task=task, why=f"The template cannot be copied: {error.strerror}.")
    return TaskAssignment(task=task, template=template, document=document, program=program)


def finish(assignment: TaskAssignment, demo: Demo) -> Task:
    """The task as a person did it, with the steps of the demo in the place of planned ones, judged by the rules.

    Args:
        assignment: what was to be done.
        demo: in which it was done.
    """
    from tasks.evaluation import verdict_of_rules  # it brings the player along, and the app shows tasks without

    task, document = assignment.task, assignment.document
    made = task.instantiation or Instantiation()
    steps = tuple(_performed_steps(demo))
    pair = (assignment.template, document) if document is not None else (None, None)
    done = task.but(
        instantiation=made.but(
            request=made.request or task.task,
            template="" if assignment.template is None else str(assignment.template),
            document="" if document is None else str(document),
            steps=steps,
        ),
        demo=demo.head.id,
        postponed=None,
        verdict=None,
        stages={**_before(task), "execute": StageRecord(seconds=_seconds(demo), by="person")},
    )
    try:
        return done.but(verdict=verdict_of_rules(done, *pair))
    except DemopackError as error:
        return done.but(stages={**done.stages, "execute_eval": StageRecord(error=error.whole)})


def refuse(task: Task, reason: str, demo: str = "") -> Task:
    """The task as one that a person could not do.

    Args:
        task: that was to be done.
        reason: in the person's words.
        demo: id of the recording of the attempt; empty for none.
    """
    failed = StageRecord(error=reason.strip() or "A person could not do it.", by="person")
    return task.but(demo=demo, verdict=None, postponed=None, stages={**_before(task), "execute": failed})


def postpone(task: Task) -> Task:
    """The task at the end of the queue."""
    return task.but(postponed=utc_now())


def _before(task: Task) -> dict[Stage, StageRecord]:
    """The stages before an execution."""
    return {stage: record for stage, record in task.stages.items() if stage not in _DONE}


def _seconds(demo: Demo) -> float:
    """From the first to the last step of a demo."""
    times = [(step.started_ns, step.ended_ns) for step in demo.steps]
    return round(max(0, times[-1][1] - times[0][0]) / 1e9, 3) if times else 0.0


def _performed_steps(demo: Demo) -> Iterator[PlannedStep]:
    """What was done, as functions on controls in UFO's vocabulary; what it has no word for has no function there."""
    from demopack.codecs.recorded_demo import recorded_step
    from demopack.codecs.ufo import CODEC
    from demopack.domain.binding import response_of
    from demopack.domain.elements import numbered
    from demopack.domain.words import describe_step_in

    elements = {frame.id: numbered(demo.ordered(frame.id)) for frame in demo.frames() if frame.id in demo.elements}
    for index, step in enumerate(demo.steps):
        if step.action.action_type == "finish_goal" or step.review == "rejected":
            continue
        response = response_of(step, demo)
        words = describe_step_in(demo, step)
        done = recorded_step(
            step.but(action=response.action),
            head=demo.head,
            index=index,
            response=response,
            description=words,
            elements=() if step.before is None else elements.get(step.before.id, ()),
            image="",
        )
        target = done.placed.target
        text = "" if target is None else target.text or ""
        calls: tuple[Any, ...] = CODEC.encode(done.placed).calls
        nothing: dict[str, Any] = {"Function": step.action.action_type, "Args": {}}
        for call in calls or (nothing,):
            yield PlannedStep(
                subtask=words,
                control_label="" if target is None else str(target.number),
                control_text=text,
                function=call["Function"] or step.action.action_type,
                args=call["Args"],
                success=True,
                matched_text=text or None,
            )
