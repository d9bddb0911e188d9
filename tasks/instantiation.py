"""Makes a task concrete on an open document: a model writes request and plan, which are held against the window."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

from pydantic import Field

from demopack.codecs.lam import control_items
from demopack.codecs.texts import function_lines, texts
from demopack.codecs.ufo import UFO_FUNCTIONS
from demopack.codecs.ufo_answers import said_calls
from demopack.domain.records import Record
from demopack.domain.tasks import Feasibility, Instantiation, PlannedStep, Task, TaskTry
from demopack.domain.words import counted, shorten
from demopack.errors import ActionError
from demopack.jobs import JobControl
from demopack.json_text import object_in
from models.language.picture_views import target_pictures
from models.language.port import LanguageAnswer, LanguageError, LanguagePort, LanguageRequest, PromptImage, wait_for
from models.language.prompts import PromptCatalogue
from player.observing import LiveObservation
from tasks.asking import ask_right
from tasks.results import TaskLog
from tasks.templates import TaskTemplate, TemplateChoice, choose_template

T = TypeVar("T", bound=Record)
MORE_WORDS: Final = 50
"""Words by which an instantiated task may be longer than the task."""
_TOLD_TRIES, _WHY_LETTERS = 3, 600
"""So many of the latest tries are told, of why they failed so many letters."""
_DOCUMENT_LETTERS, _CONTROLS = 4000, 400
"""Of a document so many letters, of a window so many controls are told."""
_TEMPLATE_PICTURES: Final = 10
"""Of so many templates pictures are shown."""
_ONLY_FOR: Final = {
    "click_on_coordinates": r"draw|shape|line|canvas|picture|image|chart|place|point",
    "drag_on_coordinates": r"draw|drag|move|resize|size|shape|line|canvas|picture|image|chart|select|width|height",
    "wheel_mouse_input": r"scroll|zoom|page|far|end of|bottom",
    "select_text": r"select|text|word|sentence|paragraph|line|format|bold|italic|highlight|colou?r|font|delete|replace",
}
"""Functions that are offered only where a task or its steps speak of such a thing; all others always are."""
_NEEDS_CONTROL: Final = frozenset({"click_input", "set_edit_text"})
RequestType = Literal["None", "Non_task", "App_involve", "Env", "Others"]


class InstantiationReply(Record):
    """A task made concrete."""

    observation: str = Field(description="What of the document and the window matters.")
    thought: str = Field(description="Why the plan does the task.")
    new_task: str = Field(description="The task with the document's own words in it.")
    actions_plan: str = Field(description="The calls, a JSON object a line.")


class TemplateReply(Record):
    """The document that suits a task best."""

    template: str = Field(description="The name of the document, as it stands in the list.")
    reason: str = Field(description="Why it suits.")


class FilterReply(Record):
    """Whether a task can be done."""

    judge: Literal["yes", "no"] = Field(description="Whether it can be done here.")
    thought: str = Field(description="Why.")
    request_type: RequestType = Field(description="What stands against it; None where nothing does.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskModel:
    """A language model that takes part in a run.

    Attributes:
        port: the model.
        catalogue: the prompts.
        max_steps: of a plan.
        log: of what it is asked; None for none.
    """

    port: LanguagePort
    catalogue: PromptCatalogue
    max_steps: int = 30
    log: TaskLog | None = None

    def choose(self, task: Task, templates: Sequence[TaskTemplate], control: JobControl) -> TemplateChoice:
        """The template that the model takes for a task; one that there is not is told back to it.

        Nobody is asked where there is one alone, or nothing is known of any: that is a matter of chance.

        Raises:
            LanguageError: there is no answer that names one of them.
            CancelledError: it was stopped.
        """
        seen = {f"{one.file.name}": one.image for one in templates if one.image is not None and self.port.sees}
        if len(templates) == 1 or not (seen or any(one.description for one in templates)):
            return choose_template(task.task, templates, seed=task.id)
        by_name = {one.file.name: one for one in templates}
        pictures = tuple(
            PromptImage(png=path.read_bytes(), what=name) for name, path in list(seen.items())[:_TEMPLATE_PICTURES]
        )

        def request(wrong: str) -> LanguageRequest[TemplateReply]:
            told = (f"- {name}{f': {one.description}' if one.description else ''}" for name, one in by_name.items())
            values = {
                "task": task.task,
                "steps": "\n".join(f"{number}. {step}" for number, step in enumerate(task.plan, start=1)),
                "templates": "\n".join(told),
                "shown": ", ".join(one.what for one in pictures),
                "findings": wrong,
            }
            template, about = self.catalogue.get("tasks/template"), f"tasks/{task.id}"
            asked = {"templates": pictures} if pictures else {}
            return template.fill(TemplateReply, values, pictures=asked, max_tokens=300, subject=about)

        def faults(reply: TemplateReply) -> list[str]:
            if reply.template in by_name:
                return []
            return [f"There is no document “{shorten(reply.template, 60)}”; there is {', '.join(by_name)}."]

        reply = self.ask(request, faults, control).value
        return TemplateChoice(template=by_name[reply.template], how="model")

    def instantiate(self, task: Task, document: str, text: str, seen: LiveObservation, control: JobControl) -> Task:
        """The task with a request and a plan on a document.

        Args:
            task: as it was collected.
            document: its name.
            text: what stands in it.
            seen: the screen with the document open.
            control: cancelling.

        Raises:
            LanguageError: there is no answer that holds; it says what is wrong with the last one.
            CancelledError: it was stopped.
        """
        functions = functions_for(task)
        names = {str(one["name"]) for one in functions}
        controls = control_items(seen.elements)[:_CONTROLS]
        pictures: dict[str, tuple[PromptImage, ...]] = {}
        if self.port.sees:
            pictures = {"screen": target_pictures(seen.image, None)[:1]}

        def request(wrong: str) -> LanguageRequest[InstantiationReply]:
            values = {
                "task": task.task,
                "steps": "\n".join(f"{number}. {step}" for number, step in enumerate(task.plan, start=1)),
                "name": document,
                "document": shorten(text, _DOCUMENT_LETTERS) if text else "(nothing)",
                "controls": "\n".join(json.dumps(one, ensure_ascii=False) for one in controls) or "(none)",
                "functions": function_lines(functions),
                "words": str(len(task.task.split()) + MORE_WORDS),
                "earlier": "\n\n".join(told_tries(task.earlier[-_TOLD_TRIES:])),
                "findings": wrong,
            }
            template = self.catalogue.get("tasks/instantiate")
            return template.fill(
                InstantiationReply, values, pictures=pictures, max_tokens=2500, subject=f"tasks/{task.id}"
            )

        def faults(reply: InstantiationReply) -> list[str]:
            return faults_of_instantiation(reply, task, names, max_steps=self.max_steps)

        answer = self.ask(request, faults, control)
        reply = answer.value
        made = (task.instantiation or Instantiation()).but(
            request=" ".join(reply.new_task.split()),
            steps=tuple(read_plan(reply.actions_plan)),
            observation=reply.observation,
            thought=reply.thought,
        )
        return task.but(instantiation=made)

    def filter(self, task: Task, control: JobControl) -> Feasibility:
        """Whether an instantiated task can be done.

        Raises:
            LanguageError: there is no answer.
            CancelledError: it was stopped.
        """
        made = task.instantiation or Instantiation()

        def request(_wrong: str) -> LanguageRequest[FilterReply]:
            values = {"task": made.request or task.task, "program": task.app, "plan": plan_lines(made.steps)}
            template = self.catalogue.get("tasks/filter")
            return template.fill(FilterReply, values, pictures={}, max_tokens=400, subject=f"tasks/{task.id}")

        reply = self.ask(request, lambda _: [], control).value
        return Feasibility(judge=reply.judge == "yes", thought=reply.thought, request_type=reply.request_type)

    def ask(
        self,
        request: Callable[[str], LanguageRequest[T]],
        faults: Callable[[T], list[str]],
        control: JobControl,
    ) -> LanguageAnswer[T]:
        """The first answer without a fault; the model is told of each what was wrong with it."""
        asking = ask_right(request, faults)
        answer: LanguageAnswer[Any] | None = None
        try:
            while True:
                question = asking.send(answer)  # type: ignore[arg-type] # None begins it
                try:
                    answer = wait_for(self.port.submit(question), control)
                except LanguageError as error:
                    self._note(question, error)
                    asking.throw(error)  # it ends there, one way or the other
                else:
                    self._note(question, answer)
        except StopIteration as end:
            found: LanguageAnswer[T] = end.value
            return found

    def _note(self, question: LanguageRequest[Any], answer: LanguageAnswer[Any] | LanguageError) -> None:
        if self.log is not None:
            self.log.asked(question, answer)


def told_tries(tries: Sequence[TaskTry]) -> list[str]:
    """What came of tries that failed, for whoever plans the next one; those without a plan tell nothing."""
    found: list[str] = []
    for one in tries:
        made = one.instantiation
        if made is None or not made.steps or (one.verdict is not None and one.verdict.complete == "yes"):
            continue
        why = one.verdict.reason if one.verdict is not None else ""
        why = why or next((stage.error for stage in one.stages.values() if stage.error), "") or "Nobody said why."
        found.append(f"{made.request}\n{plan_lines(made.steps)}\nWhat came of it: {shorten(why, _WHY_LETTERS)}")
    return found


def functions_for(task: Task) -> list[dict[str, Any]]:
    """The functions that are offered for a task, as definitions."""
    known: list[dict[str, Any]] = json.loads(texts("lam").get("functions"))
    words = " ".join((task.task, *task.plan))
    return [
        one
        for one in known
        if (pattern := _ONLY_FOR.get(one["name"])) is None or re.search(pattern, words, re.IGNORECASE)
    ]


def read_plan(text: str) -> list[PlannedStep]:
    """The calls of a plan, in order.

    Raises:
        ActionError: it cannot be read, or has no call.
    """
    rows = said_calls({"actions_plan": text}, functions=UFO_FUNCTIONS).rows
    return [
        PlannedStep(
            subtask=str(row.get("step") or row.get("subtask") or ""),
            control_label=str(row.get("control_label") or ""),
            control_text=str(row.get("control_name") or ""),
            function=str(row.get("function") or "").strip(),
            args=object_in(row.get("args")),
        )
        for row in rows
    ]


def plan_lines(steps: Sequence[PlannedStep]) -> str:
    """A plan for a prompt, a step a line."""
    return "\n".join(
        f"{number}. {step.subtask} [{step.function}{f' on “{step.control_text}”' if step.control_text else ''}"
        f" {json.dumps(step.args, ensure_ascii=False)}]"
        for number, step in enumerate(steps, start=1)
    )


def faults_of_instantiation(reply: InstantiationReply, task: Task, functions: set[str], *, max_steps: int) -> list[str]:
    """What is wrong with an answer, in sentences for the model."""
    faults: list[str] = []
    words, most = len(reply.new_task.split()), len(task.task.split()) + MORE_WORDS
    if not words:
        faults.append("new_task is empty.")
    elif words > most:
        faults.append(f"new_task has {words} words; at most {most} are allowed.")
    try:
        steps = read_plan(reply.actions_plan)
    except ActionError as error:
        return [*faults, f"actions_plan: {error.whole}"]
    if len(steps) > max_steps:
        faults.append(f"The plan has {counted(len(steps), 'call')}; at most {max_steps} are allowed.")
    for number, step in enumerate(steps, start=1):
        if step.function not in functions:
            named = f"“{shorten(step.function, 40)}” is no function" if step.function else "it has no function"
            faults.append(f"Call {number}: {named}; there is {', '.join(sorted(functions))}.")
        elif step.function in _NEEDS_CONTROL and not step.control_text.strip():
            faults.append(f"Call {number}: {step.function} needs a control; give its text.")
    return faults
