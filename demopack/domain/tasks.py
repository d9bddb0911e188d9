"""Tasks of the task bank: what is to be done, where it comes from, and what came of it at each stage."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

from pydantic import Field

from demopack.domain.provenance import Provenance
from demopack.domain.records import Moment, Record
from demopack.domain.verdicts import DemoVerdict

SourceKind = Literal["manual", "how_to", "query", "task_file", "result", "demo", "evolved", "written"]
"""Where a task comes from: documentation, a how-to page, a search query, a file of tasks or of results, a recorded
demo, another task that was made harder, a person."""
SOURCE_KINDS: Final[tuple[SourceKind, ...]] = get_args(SourceKind)
FilterRule = Literal[
    "language", "too_short", "too_long", "no_plan", "not_actionable", "other_platform", "other_app", "duplicate",
    "set_aside",
]  # fmt: skip
"""Which rule leaves a task out; ``set_aside`` is a person's word, which no filter takes back."""
Stage = Literal["choose_template", "prefill", "instantiation_evaluation", "execute", "execute_eval"]
"""The stages of UFO's dataflow, under its names."""
STAGES: Final[tuple[Stage, ...]] = get_args(Stage)
TaskState = Literal[
    "collected", "filtered_out", "kept", "instantiated", "infeasible", "executed", "stage_failed", "complete",
    "incomplete", "unsure",
]  # fmt: skip
TASK_STATES: Final[tuple[TaskState, ...]] = get_args(TaskState)
_ENDS: Final[dict[str, TaskState]] = {"yes": "complete", "no": "incomplete", "unsure": "unsure"}


class TaskSource(Record):
    """Where a task was found.

    Attributes:
        kind: of the source.
        name: the file or address.
        place: in it, for instance a heading or ``line 12``; empty where the file is the task.
        id: that it gives the task; empty where it gives none.
    """

    kind: SourceKind
    name: str = ""
    place: str = ""
    id: str = ""


class FilterFinding(Record):
    """Why a task is left out.

    Attributes:
        rule: that it breaks.
        reason: a sentence for a person.
    """

    rule: FilterRule
    reason: str


class PlannedStep(Record):
    """One step of an instantiated plan: a function on a control.

    Attributes:
        subtask: what it is for, in words.
        control_label: number of the control in the list that the plan was made from; empty for none.
        control_text: its text; empty for a function without a control.
        function: name, in UFO's vocabulary; empty for a step that does nothing.
        args: of the function.
        success: whether it was performed; None where it was not tried.
        matched_text: text of the control that it was performed on; None where there was none.
    """

    subtask: str = ""
    control_label: str = ""
    control_text: str = ""
    function: str = ""
    args: dict[str, Any] = Field(default_factory=dict)
    success: bool | None = None
    matched_text: str | None = None


class Instantiation(Record):
    """A task made concrete on a document.

    Attributes:
        template: the document that it was made for, which stays as it is; empty where nobody says.
        document: the copy that it was made or done on, as it is now; empty where there is none.
        request: the task with the document's own objects in it.
        steps: the plan as functions on controls.
        observation: what the model saw of the document.
        thought: why it chose so.
        model: that made it; empty where it came from elsewhere.
    """

    template: str = ""
    document: str = ""
    request: str = ""
    steps: tuple[PlannedStep, ...] = ()
    observation: str = ""
    thought: str = ""
    model: str = ""


class Feasibility(Record):
    """Whether an instantiated task can be done, as the filter's judge says.

    Attributes:
        judge: the answer.
        thought: why.
        request_type: what kind of request it is where it cannot; empty or ``None`` where it can.
    """

    judge: bool
    thought: str = ""
    request_type: str = ""


class StageRecord(Record):
    """What a stage took.

    Attributes:
        seconds: of wall time, over all tries; None where nobody measured.
        error: why it ended without a result; empty where it did not.
        by: who did it; empty for a program.
    """

    seconds: float | None = Field(default=None, ge=0)
    error: str = ""
    by: Literal["", "person"] = ""


class TaskTry(Record):
    """One try at a task: what was planned and done, and what came of it.

    Attributes:
        instantiation: on a document.
        feasibility: of the instantiated task.
        stages: what each stage took that was tried.
        demo: id of the demo in which it was done; empty where nothing was done.
        verdict: whether it was done; None where nobody judged.
    """

    instantiation: Instantiation | None = None
    feasibility: Feasibility | None = None
    stages: dict[Stage, StageRecord] = Field(default_factory=dict[Stage, StageRecord])
    demo: str = ""
    verdict: DemoVerdict | None = None

    @property
    def plan_by(self) -> str:
        """The model that made the plan, else ``source``; ``person`` where somebody did it."""
        execution = self.stages.get("execute")
        if (execution is not None and execution.by) or self.instantiation is None or not self.instantiation.steps:
            return "person"
        return self.instantiation.model or "source"


class SourceDifference(Record):
    """Where a source's record differs from what an export writes of the same task.

    Attributes:
        path: keys and positions that lead to the value.
        ours: what an export wrote when the task came in; absent in it when ``is_added``.
        theirs: what the source says; absent in it when ``is_absent``.
        is_added: only the source has the value.
        is_absent: only the export has the value.
    """

    path: tuple[str | int, ...]
    ours: Any = None
    theirs: Any = None
    is_added: bool = False
    is_absent: bool = False


class WrittenParts(Record):
    """What a model wrote of a task, and what stood there before.

    Attributes:
        query: the search query in whose place the task stands; empty where the task is as it came.
        plan: whether the plan is the model's; there was none before.
        provenance: the model, and which prompts it was asked with.
    """

    query: str = ""
    plan: bool = False
    provenance: Provenance


class TaskOrigin(Record):
    """The record that a task was read from, as far as the task does not say the same.

    Attributes:
        format: name of the format, of :mod:`demopack.codecs.task_files`.
        differences: from what an export in that format writes.
    """

    format: str
    differences: tuple[SourceDifference, ...] = ()


class Task(Record):
    """One task, with what is known of it at every stage.

    Attributes:
        schema_version: of this record.
        id: unique in its bank.
        task: what is to be done, in a sentence.
        plan: how, one step in words each, without numbers.
        app: the program, lower case where the source says so; empty when unknown.
        app_version: of the program; empty when unknown.
        platform: ``windows``, ``macos``, ``linux``, ``web`` or what the source says; empty when unknown.
        source: where it comes from.
        evolved_from: id of the task that it is a harder form of; None for one that was collected.
        findings: why it is left out, none when it is kept; None before it was filtered.
        instantiation: on a document.
        feasibility: of the instantiated task.
        stages: what each stage took that was tried.
        demo: id of the demo in the library in which it was done; empty before.
        verdict: whether it was done.
        earlier: tries before the one that the five fields before tell of, oldest first.
        postponed: when a person last put it off; None where nobody did, or it was done since.
        written: what a model wrote of it; None where it is as it came, or as a person changed it.
        origin: the record that it was read from.
        provenance: who brought it in.
    """

    schema_version: Literal[1] = 1
    id: str = Field(min_length=1)
    task: str
    plan: tuple[str, ...] = ()
    app: str = ""
    app_version: str = ""
    platform: str = ""
    source: TaskSource
    evolved_from: str | None = None
    findings: tuple[FilterFinding, ...] | None = None
    instantiation: Instantiation | None = None
    feasibility: Feasibility | None = None
    stages: dict[Stage, StageRecord] = Field(default_factory=dict[Stage, StageRecord])
    demo: str = ""
    verdict: DemoVerdict | None = None
    earlier: tuple[TaskTry, ...] = ()
    postponed: Moment | None = None
    written: WrittenParts | None = None
    origin: TaskOrigin | None = None
    provenance: Provenance

    @property
    def tries(self) -> tuple[TaskTry, ...]:
        """Every try, oldest first: the earlier ones, and the one at hand where it came to an end."""
        if self.verdict is None and not self.demo and not any(stage.error for stage in self.stages.values()):
            return self.earlier
        names = ("instantiation", "feasibility", "stages", "demo", "verdict")
        return (*self.earlier, TaskTry.model_validate({name: getattr(self, name) for name in names}))

    @property
    def state(self) -> TaskState:
        """How far it came."""
        if self.verdict is not None:
            return _ENDS[self.verdict.complete]
        if any(stage.error for stage in self.stages.values()):
            return "stage_failed"
        if self.demo or (
            self.instantiation is not None and any(s.success is not None for s in self.instantiation.steps)
        ):
            return "executed"
        if self.feasibility is not None and not self.feasibility.judge:
            return "infeasible"
        if self.instantiation is not None and self.instantiation.request:
            return "instantiated"
        if self.findings is None:
            return "collected"
        return "filtered_out" if self.findings else "kept"
