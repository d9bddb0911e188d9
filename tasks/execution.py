"""Performs an instantiated plan on the opened document, without a model: controls are found by their text.

A mismatch ends the task there and then, with the picture of that moment; the document is put back as it was.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from demopack.codecs.observation import Observation
from demopack.codecs.ufo import decode
from demopack.domain.actions import LLMResponse, PressKeyAction, WaitAction
from demopack.domain.ports import ElementFinder
from demopack.domain.provenance import Provenance, by_program
from demopack.domain.rationale import Rationale
from demopack.domain.tasks import Instantiation, PlannedStep, StageRecord, Task
from demopack.errors import ActionError, CancelledError, DemopackError
from demopack.jobs import CancelToken
from demopack.processes import end_process
from demopack.replacing import scratch_folder
from demopack.settings import Settings
from demopack.store import Library
from player.executor import Executor, open_executor
from player.observing import LiveObservation
from player.run_recorder import RunRecorder
from recorder.desktop.private_display import PrivateDesktop, on_display
from tasks.matching import MatchRules, find_control
from tasks.templates import TaskProgram

MAX_STEPS: Final = 30
_OPEN_S: Final = 60.0
"""Longest wait for the window of a document."""
_POLL_S: Final = 0.25
_REST_S: Final = 1.0
"""What a step opens may come a moment after what it closes: so long nothing is looked for."""
_LATE_S: Final = 6.0
"""How long a control may take to appear."""
_NEEDS_CONTROL: Final = frozenset({"click_input", "set_edit_text"})
"""Functions that do nothing without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionOptions:
    """How plans are performed.

    Attributes:
        match: how controls are found.
        max_steps: of a plan; a longer one is not begun.
        screen: size of the private screen, pixels.
    """

    match: MatchRules = field(default_factory=MatchRules)
    max_steps: int = MAX_STEPS
    screen: tuple[int, int] = (1366, 900)


@dataclass(slots=True, kw_only=True)
class _PlanRun:
    """A plan under way.

    Attributes:
        executor: that performs it.
        recorder: that keeps it.
        options: how.
        author: of the plan.
        done: the steps so far, with what came of them.
    """

    executor: Executor
    recorder: RunRecorder
    options: ExecutionOptions
    author: Provenance
    done: list[PlannedStep] = field(default_factory=list[PlannedStep])

    def perform(self, steps: tuple[PlannedStep, ...]) -> str:
        """Perform the steps, one after the other; returns why it ended early, or nothing."""
        if len(steps) > self.options.max_steps:
            return f"The plan has {len(steps)} steps, more than the {self.options.max_steps} that are performed."
        for number, step in enumerate(steps, start=1):
            error = self._step(step, [later.subtask for later in steps[number:] if later.subtask])
            if error:
                return f"Step {number} execution failed: {error}"
        return ""

    def _step(self, step: PlannedStep, plan: Sequence[str]) -> str:
        """Perform one step and note what came of it; returns what is wrong, or nothing.

        Args:
            step: of the plan.
            plan: what remains to be done after it, in words.
        """
        if not step.function:
            self.done.append(step.but(success=False, matched_text=None))
            return "it has no function."
        observation, matched, why = self._find(step)
        if why:
            self.done.append(step.but(success=False, matched_text=None))
            return why
        number = None if matched is None else str(matched[0])
        text = None if matched is None else matched[1]
        try:
            responses = _responses(step, number, text, observation.for_prompt())
        except ActionError as error:
            self.done.append(step.but(success=False, matched_text=text))
            return error.whole
        for index, response in enumerate(responses):
            done = self.executor.execute(response, observation if not index else None)
            left = (step.subtask, *plan) if index + 1 < len(responses) and step.subtask else tuple(plan)
            reason = Rationale(thought=step.subtask, plan=left, provenance=self.author) if step.subtask else None
            self.recorder.add(done, answer={"plan": step.to_json()}, rationale=reason)
            if not done.result.ok:
                self.done.append(step.but(success=False, matched_text=text))
                return f"{done.result.code}: {done.result.told}"
            self.executor.control.token.wait(_REST_S)
        self.done.append(step.but(success=True, matched_text=text))
        return ""

    def _find(self, step: PlannedStep) -> tuple[LiveObservation, tuple[int, str] | None, str]:
        """The screen, number and text of the control on it, and why there is none; a late one is waited for."""
        deadline = time.monotonic() + _LATE_S
        while True:
            observation = self.executor.observe()
            if not step.control_text:
                return observation, None, "it names no control." if step.function in _NEEDS_CONTROL else ""
            window = None if observation.window is None else observation.box_of(observation.window)
            found = find_control(
                step.control_text, step.control_label, observation.elements, self.options.match, window=window
            )
            if found.element is not None:
                return observation, (found.element.number, found.element.text or ""), ""
            if time.monotonic() > deadline:
                return observation, None, found.why
            self.executor.control.token.wait(_POLL_S)


def _responses(
    step: PlannedStep, number: str | None, text: str | None, observation: Observation
) -> tuple[LLMResponse, ...]:
    """A planned step as responses on the screen as it is.

    Raises:
        ActionError: no action of ours does that.
    """
    call = {
        "function": step.function,
        "args": step.args,
        "control_label": number or "",
        "control_name": text or "",
        "subtask": step.subtask,
    }
    found = decode(call, observation).responses
    if step.function != "set_edit_text" or not step.args.get("clear_current_text"):
        return found
    # What the field holds goes first: everything in it is selected, and typing replaces it.
    target = found[0].action.target
    select = LLMResponse.of(PressKeyAction(target=target, key_info="Ctrl+A"), reasoning=found[0].reasoning)
    return (select, *(LLMResponse.of(one.action.replace(target=None)) for one in found))


@contextlib.contextmanager
def opened_document(program: TaskProgram, document: Path, *, options: ExecutionOptions) -> Generator[PrivateDesktop]:
    """A screen of its own on which a document is open; the program is ended with the block.

    Raises:
        CaptureError: there is no X server to start.
        BadInputError: the program cannot be started.
        DemopackError: its window did not come.
    """
    width, height = options.screen
    with (
        scratch_folder() as profile,
        PrivateDesktop(width=width, height=height) as desktop,
        on_display(desktop.environment()),
    ):
        process = program.start(document, profile=profile, environment=desktop.environment())
        try:
            yield desktop
        finally:
            end_process(process)


def wait_for_window(executor: Executor, document: Path) -> None:
    """Wait until a window is there; on a screen of its own that is the document's.

    Raises:
        DemopackError: it did not come.
        CancelledError: it was stopped.
    """
    deadline = time.monotonic() + _OPEN_S
    while not any(window.title for window in executor.windows):
        executor.control.token.check()
        if time.monotonic() > deadline:
            raise DemopackError(
                f"No window of {document.name} came within {_OPEN_S:g} seconds.", hint="Open it by hand, and look."
            )
        executor.control.token.wait(_POLL_S)


def execute_task(
    task: Task,
    program: TaskProgram,
    document: Path,
    library: Library,
    settings: Settings,
    *,
    options: ExecutionOptions | None = None,
    finder: ElementFinder | None = None,
    token: CancelToken | None = None,
) -> Task:
    """Perform a task's instantiated plan on a document, on a screen of its own; what was done is a demo of the library.

    It is recorded beside the library and handed over at the end: several tasks may be performed at once, and a process
    that is killed leaves no half of a demo.

    Args:
        task: with an instantiation.
        program: that opens the document.
        document: the copy of the template; put back as it was where the plan ends early.
        library: where the demo goes.
        settings: of vision, privacy and player.
        options: how it is performed.
        finder: finds elements; None to open the one of the settings.
        token: cancels.

    Returns:
        The task with what came of each step, the demo, time and error; what goes wrong on the screen is told there.

    Raises:
        CancelledError: it was stopped.
    """
    made = task.instantiation or Instantiation()
    options, token = options or ExecutionOptions(), token or CancelToken()
    began = time.monotonic()
    run: _PlanRun | None = None
    error = demo = ""
    with scratch_folder() as kept, Library.open(kept / "library") as own:
        original = kept / document.name
        shutil.copyfile(document, original)
        try:
            with (
                opened_document(program, document, options=options),
                open_executor(settings, finder=finder, token=token) as executor,
            ):
                wait_for_window(executor, document)
                with RunRecorder(own, task=made.request or task.task, finder=executor.finder) as recorder:
                    demo = recorder.demo_id
                    author = by_program("model", made.model) if made.model else task.provenance
                    run = _PlanRun(executor=executor, recorder=recorder, options=options, author=author)
                    error = run.perform(made.steps)
                    if not error and program.save:
                        executor.execute(LLMResponse.of(PressKeyAction(key_info=program.save)))
                        executor.execute(LLMResponse.of(WaitAction(wait_duration_s=1.5)))
                    recorder.finish("failure" if error else "success", reason=error, final=executor.observe())
                    demo = demo if recorder.steps else ""
        except CancelledError:
            shutil.copyfile(original, document)
            raise
        except DemopackError as wrong:
            error = wrong.whole
        if error:
            shutil.copyfile(original, document)
        if demo:
            hand_over(demo, own, library)
    done = () if run is None else tuple(run.done)
    steps = (*done, *made.steps[len(done) :])
    before = task.stages.get("execute")
    seconds = round(time.monotonic() - began + (0.0 if before is None else before.seconds or 0.0), 3)
    return task.but(
        instantiation=made.but(steps=steps),
        demo=demo,
        stages={**task.stages, "execute": StageRecord(seconds=seconds, error=error)},
    )


def hand_over(name: str, source: Library, library: Library) -> None:
    """Store a demo of one library in another, with its pictures.

    Raises:
        LibraryError: it is there already, or cannot be written.
    """
    demo = source.demo(name)
    for frame in demo.frames():
        library.put_image(source.get_image(frame.id))
    library.add_demo(demo)
