"""The loop of an agent: look at the screen, ask a model, perform what it answers, until the task is done."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Protocol, cast

from PIL import Image

from demopack.clock import now_ns
from demopack.codecs.base import Codec
from demopack.codecs.catalogue import decode_answer, feedback
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.described_targets import Grounder
from demopack.codecs.observation import HeldDrag, Observation
from demopack.codecs.recorded_demo import DemoSource, RecordedDemo, RecordedStep, told_action
from demopack.codecs.uipath import codec_with
from demopack.codecs.uipath_registry import apply_operations
from demopack.domain.actions import ActionTarget, ExtractDataAction, FinishGoalAction, LLMResponse
from demopack.domain.elements import element_at
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import from_norm_xywh
from demopack.domain.provenance import Provenance, by_program
from demopack.domain.rationale import Rationale
from demopack.domain.words import as_order, counted
from demopack.errors import (
    ActionError,
    BadInputError,
    CancelledError,
    CaptureError,
    DiskFullError,
    LibraryError,
    ModelError,
)
from demopack.jobs import JobControl
from demopack.prompting.agent_state import AgentState, live_step
from demopack.prompting.prompt import Message, Prompt, PromptOptions
from demopack.prompting.prompt_builder import agent_system, choose_shots, prompt_with
from models.language.port import (
    BudgetError,
    ChatMessage,
    LanguageAnswer,
    LanguageError,
    LanguagePort,
    LanguageRequest,
    PlainText,
    PromptImage,
    Usage,
    wait_for,
)
from player.agent_report import END_WORDS, AgentEnd, AgentReport
from player.executor import ActionResult, ExecutedAction
from player.observing import LiveObservation
from player.run_recorder import RunRecorder
from player.screen_changes import acted_box, kept_elements, renumbered
from player.screen_matcher import frame_of_grab

AGENT_DIALECTS: Final = ("llmresponse", "caap", "uipath", "lam", "ui-tars", "ui-tars-1.5", "qwen", "qwen2.5-vl")
"""Dialects that prompts are built in and answers are read in."""
_POLL_S: Final = 0.02
"""How soon a stopped run stops to wait for the model, seconds."""
_KEPT_PICTURES: Final = 3
"""Of so many of the latest screens a prompt may show the picture."""
_POINTS_IN: Final = "ui-tars"
"""The dialect in which a pointing model is asked."""
_POINT_TOKENS: Final = 300
_MAX_TOKENS: Final = 2000
"""The longest answer: four sections of reasoning and a dozen actions."""


class Hands(Protocol):
    """What looks and acts for an agent; :class:`player.executor.Executor` is one."""

    @property
    def control(self) -> JobControl:
        """For waiting: its token looks out for the person who stops it."""
        ...

    def observe(self) -> LiveObservation:
        """The screen now; raises CaptureError, ModelError, CancelledError."""
        ...

    def execute(self, response: LLMResponse, observation: LiveObservation | None = None) -> ExecutedAction:
        """Perform a response; raises CaptureError, ModelError."""
        ...

    def preview(self, response: LLMResponse, observation: LiveObservation) -> ActionResult:
        """Where it would act."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAction:
    """An action that is about to be done.

    Attributes:
        number: of the action in the run, from 1.
        response: what is to be done.
        words: the same in one sentence, as an order; without what goes into a secure field.
        reason: why, likewise.
        observation: the screen that it is to be done on.
        place: where it would act; with an error where its target is not there.
    """

    number: int
    response: LLMResponse
    words: str
    reason: str
    observation: LiveObservation
    place: ActionResult


class AgentWatcher:
    """Told what an agent does; this class itself allows everything and says nothing."""

    def asks(self, turn: int) -> None:
        """The model is about to be asked."""

    def allows(self, planned: PlannedAction) -> bool:
        """Whether an action may be done; called before each one."""
        del planned
        return True

    def did(self, planned: PlannedAction, executed: ExecutedAction) -> None:
        """An action was executed."""

    def is_over(self) -> bool:
        """Whether the task has ended, as whoever set it can tell; asked after each action."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """How an agent works.

    Attributes:
        dialect: one of :data:`AGENT_DIALECTS`.
        max_steps: actions until it ends; a turn without any counts as one.
        repairs: how often in one turn an answer that cannot be used is asked for again.
        prompt: how prompts are built.
        date: today, as YYYY-MM-DD, for dialects that tell it.
        max_tokens: the longest answer.
        ground: finds what UiPath's planner describes; by its words when None.
    """

    dialect: str = "llmresponse"
    max_steps: int = 30
    repairs: int = 3
    prompt: PromptOptions = field(default_factory=lambda: PromptOptions(budget=32_000))
    date: str = ""
    max_tokens: int = _MAX_TOKENS
    ground: Grounder | None = None


class _EndError(Exception):
    """The run ends here; never leaves the loop."""

    def __init__(self, end: AgentEnd, reason: str = "") -> None:
        super().__init__(reason)
        self.end: AgentEnd = end
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """One answer, and what is needed to carry it out."""

    observation: LiveObservation
    screen: Observation
    prompt: Prompt
    parsed: DecodedAnswer
    text: str
    row: Mapping[str, Any]


class Agent:
    """One run of one task.

    Attributes:
        report: of the run so far.
    """

    def __init__(
        self,
        hands: Hands,
        port: LanguagePort,
        *,
        task: str,
        options: AgentOptions | None = None,
        demos: DemoSource | None = None,
        recorder: RunRecorder | None = None,
        watcher: AgentWatcher | None = None,
        pointer: LanguagePort | None = None,
    ) -> None:
        """Take the parts; nothing is looked at or asked yet.

        Args:
            hands: look and act.
            port: the model.
            task: in the person's words.
            options: how.
            demos: examples; those that fit the task best are chosen once.
            recorder: keeps the run; None keeps nothing.
            watcher: is told, and may forbid.
            pointer: a model that sees and is trained to point, as UI-TARS: finds what UiPath's planner describes.

        Raises:
            BadInputError: there is no task or no such dialect, or the pointer sees nothing.
            PackError: the demos cannot be read.
        """
        self._hands, self._port, self._recorder = hands, port, recorder
        self._options = options or AgentOptions()
        self._watcher = watcher or AgentWatcher()
        self._task = task.strip()
        if not self._task:
            raise BadInputError(
                "There is no task.", hint='Say what is to be done, for instance --task "Log in as Ada".'
            )
        if self._options.dialect not in AGENT_DIALECTS:
            raise BadInputError(
                f"An agent does not speak “{self._options.dialect}”.", hint=f"Use one of {', '.join(AGENT_DIALECTS)}."
            )
        prompt = self._options.prompt
        self._prompt_options = prompt.model_copy(update={"pictures": prompt.pictures and port.sees})
        self._shots: Sequence[RecordedDemo] = (
            () if demos is None else choose_shots(demos, self._task, options=self._prompt_options)
        )
        if pointer is not None and not pointer.sees:
            raise BadInputError(f"{pointer.name} takes no pictures, so it cannot point.", hint="Choose one that sees.")
        self._pointer = pointer
        ground = self._options.ground if pointer is None else self._point_at
        is_planner = self._options.dialect == "uipath"
        self._codec: str | Codec = codec_with(ground=ground) if is_planner and ground else self._options.dialect
        self._author: Provenance = by_program("model", port.name)
        self.report = AgentReport(task=self._task, model=port.name, dialect=self._options.dialect)
        self._used = 0
        self._history: list[RecordedStep] = []
        self._last_response = self._failure = ""
        self._failed = ("", 0)
        self._memory: dict[str, dict[str, Any]] = {}
        self._plan: tuple[str, ...] = ()
        self._held: HeldDrag | None = None
        self._pictures: dict[str, RgbImage] = {}
        self._spent = Usage(input_tokens=0, output_tokens=0, cost=0.0)

    def run(self) -> AgentReport:
        """Work until the end; whatever ends it is told in the report, and what was done is recorded."""
        began = now_ns()
        if self._recorder is not None:
            self._note(demo=self._recorder.demo_id)
        try:
            while True:
                if self._used >= self._options.max_steps:
                    used = f"{counted(self._options.max_steps, 'action')} may be done"
                    raise _EndError("steps", f"{used}, and the task is not done.")
                self._carry_out(self._next_turn())
        except _EndError as end:
            self._note(end=end.end, reason=end.reason or f"{END_WORDS[end.end].capitalize()}.")
        except CancelledError as error:
            self._note(end="stopped", reason=error.user_message)
        except (LanguageError, BadInputError) as error:
            self._note(end="budget" if isinstance(error, BudgetError) else "model", reason=str(error))
        except (CaptureError, ModelError) as error:
            self._note(end="screen", reason=str(error))
        except (DiskFullError, LibraryError) as error:
            self._note(end="library", reason=str(error))
        self._note(seconds=round((now_ns() - began) / 1e9, 3), memory=self._memory)
        self._finish()
        return self.report

    def first_answer(self) -> tuple[Prompt, str, list[PlannedAction]]:
        """What the model answers to the screen now, and where each of its actions would act; nothing is performed.

        Raises:
            CaptureError: the screen cannot be read.
            ModelError: the finder failed, or the model gave no usable answer.
            CancelledError: it was stopped.
        """
        try:
            turn = self._next_turn()
        except _EndError as end:
            raise LanguageError(end.reason) from end
        planned = [
            self._planned(response, turn.observation, number)
            for number, response in enumerate(turn.parsed.responses, start=1)
        ]
        return turn.prompt, turn.text, planned

    # Asking ---------------------------------------------------------------------------------------------------------

    def _next_turn(self) -> _Turn:
        observing = now_ns()
        observation = self._hands.observe()
        self._keep_picture(observation)
        screen = replace(observation.for_prompt(image=observation.frame.id), held=self._held)
        prompting = now_ns()
        state = AgentState(
            task=self._task,
            observation=screen,
            history=self._history,
            last_response=self._last_response,
            failure=self._failure,
            memory=self._memory,
            plan=self._plan,
            date=self._options.date,
            last_turn=self._options.max_steps - self._used <= 1,
        )
        prompt = prompt_with(state, self._shots, dialect=self._options.dialect, options=self._prompt_options)
        asking = now_ns()
        self._note(turns=self.report.turns + 1)
        self._watcher.asks(self.report.turns)
        answer, parsed, refused = self._answer(prompt, screen)
        self._last_response, self._failure = answer.value.text, ""
        self._held = parsed.held
        self._memory = apply_operations(self._memory, parsed.memory)
        if plan := parsed.sections.get("plan"):
            steps = cast("list[object]", plan) if isinstance(plan, list) else [plan]
            self._plan = tuple(map(str, steps))
        row: dict[str, Any] = {
            "turn": self.report.turns,
            "dialect": self._options.dialect,
            "prompt": prompt.version,
            "shots": list(prompt.shots),
            "model": answer.model,
            "answer": answer.value.text,
            "notes": list(parsed.notes),
            "repairs": refused,
            "tokens": [answer.usage.input_tokens, answer.usage.output_tokens],
            "cost": answer.paid,
            "seconds": {
                "observe": round((prompting - observing) / 1e9, 3),
                "prompt": round((asking - prompting) / 1e9, 3),
                "model": round((now_ns() - asking) / 1e9, 3),
            },
        }
        return _Turn(
            observation=observation, screen=screen, prompt=prompt, parsed=parsed, text=answer.value.text, row=row
        )

    def _answer(
        self, prompt: Prompt, screen: Observation
    ) -> tuple[LanguageAnswer[PlainText], DecodedAnswer, list[dict[str, str]]]:
        """The first answer that can be used, what it says, and those before it with what the model was told of them."""
        talk = self._talk(prompt)
        refused: list[dict[str, str]] = []
        while True:
            answer = self._ask(self._port, self._request(prompt, talk, max_tokens=self._options.max_tokens))
            try:
                parsed = decode_answer(answer.value.text, dialect=self._codec, observation=screen)
                if parsed.held is None:
                    _ = parsed.response  # raises where the contract has no action for it
            except ActionError as error:
                told = feedback(error, dialect=self._options.dialect)
                if len(refused) == self._options.repairs:
                    raise _EndError(
                        "unreadable",
                        f"{counted(len(refused) + 1, 'answer')} in a row could not be used; of the last one: "
                        f"{error.user_message}",
                    ) from error
                refused.append({"answer": answer.value.text, "told": told})
                self._note(repairs=self.report.repairs + 1)
                talk += [
                    ChatMessage(role="assistant", parts=(answer.value.text,)),
                    ChatMessage(role="user", parts=(told,)),
                ]
                continue
            return answer, parsed, refused

    def _talk(self, prompt: Prompt) -> list[ChatMessage]:
        """The messages of a prompt with their pictures; what holds for all of them is the request's."""
        return [_sent(message, self._image) for message in prompt.messages if message.role != "system"]

    def _request(self, prompt: Prompt, talk: Sequence[ChatMessage], *, max_tokens: int) -> LanguageRequest[PlainText]:
        return LanguageRequest(
            prompt=f"agent/{prompt.version}",
            system=agent_system(prompt),
            parts=talk[-1].parts,
            earlier=tuple(talk[:-1]),
            answer=PlainText,
            max_tokens=max_tokens,
            subject=f"{self.report.demo or 'agent'}/turn_{self.report.turns}",
        )

    def _point_at(self, description: str, screen: Observation) -> ActionTarget:
        """Where the pointing model sees what is described: the element there, else the place.

        Raises:
            ActionError: it points at nothing, or beside the screen.
        """
        assert self._pointer is not None
        bare = replace(screen, elements=(), held=None)
        prompt = prompt_with(
            AgentState(task=description, observation=bare), (), dialect=_POINTS_IN, options=self._options.prompt
        )
        answer = self._ask(self._pointer, self._request(prompt, self._talk(prompt), max_tokens=_POINT_TOKENS))
        parsed = decode_answer(answer.value.text, dialect=_POINTS_IN, observation=bare)
        target = parsed.response.action.target
        if target is None or target.bbox is None or screen.size is None:
            raise ActionError(
                f"“{description}” was not found on the screen.",
                code="not_grounded",
                field="description",
                hint="Describe it otherwise, or scroll until it can be seen.",
            )
        element = element_at(screen.elements, from_norm_xywh(target.bbox, screen.size).center)
        number = next((one for one in screen.elements if one is element), None)
        return target if number is None else screen.target(number)

    def _ask(self, port: LanguagePort, request: LanguageRequest[PlainText]) -> LanguageAnswer[PlainText]:
        began = now_ns()
        try:
            answer = wait_for(port.submit(request), self._hands.control, poll_s=_POLL_S)
        finally:
            self._note(model_seconds=round(self.report.model_seconds + (now_ns() - began) / 1e9, 3))
        if not answer.cached:
            self._spent += answer.usage
            spent = self._spent
            self._note(input_tokens=spent.input_tokens, output_tokens=spent.output_tokens, cost=spent.cost or 0.0)
        return answer

    def _keep_picture(self, observation: LiveObservation) -> None:
        self._pictures.pop(observation.frame.id, None)
        self._pictures[observation.frame.id] = observation.image
        for old in list(self._pictures)[:-_KEPT_PICTURES]:
            del self._pictures[old]

    def _image(self, path: str) -> PromptImage | None:
        """The picture of a screen; None for one that is too old."""
        image = self._pictures.get(path)
        return None if image is None else PromptImage(png=png_of(image), what="screen")

    # Acting ---------------------------------------------------------------------------------------------------------

    def _carry_out(self, turn: _Turn) -> None:
        """Perform one action of an answer after the other, as long as the screen is the one that it is about."""
        observation, acted = turn.observation, None
        if not turn.parsed.responses:
            self._used += 1
        if self._recorder is not None:
            self._recorder.expect(turn.parsed.responses)
        for index, response in enumerate(turn.parsed.responses):
            if self._used >= self._options.max_steps:
                return
            if index:
                now = self._hands.observe()
                kept = kept_elements(turn.observation, now, acted=acted)
                if kept is None:
                    return
                response = renumbered(response, turn.observation, now, kept)
                observation = now
            self._used += 1
            executed = self._do(response, observation, turn, memory=turn.parsed.memory if not index else ())
            if executed is None or not self._may_go_on(response, executed, turn):
                return
            acted = acted_box(response, observation, executed.result.element_id)

    def _may_go_on(self, response: LLMResponse, executed: ExecutedAction, turn: _Turn) -> bool:
        """Whether the rest of the answer may still be right; ends the run where it has come to its end."""
        result = executed.result
        if response.is_goal_complete or isinstance(response.action, FinishGoalAction):
            self._end_goal(response, executed, turn)
        if self._watcher.is_over():
            raise _EndError("over")
        if result.code == "stopped":
            raise _EndError("stopped", result.told)
        # What changed nothing leaves the rest as right as it was.
        return result.code in {"", "no_effect"}

    def _do(
        self,
        response: LLMResponse,
        observation: LiveObservation,
        turn: _Turn,
        *,
        memory: Sequence[Mapping[str, Any]] = (),
    ) -> ExecutedAction | None:
        """Execute and note one action; None where it may not be done."""
        planned = self._planned(response, observation, self._used)
        asked = now_ns()
        allowed = self._watcher.allows(planned)
        self._note(person_seconds=round(self.report.person_seconds + (now_ns() - asked) / 1e9, 3))
        if not allowed:
            self._tell_failure(f"The person did not allow this: {planned.words}.")
            self._note(failed=self.report.failed + 1)
            return None
        executed = self._hands.execute(response, observation)
        result = executed.result
        self._watcher.did(planned, executed)
        told = result.told if result.code else ""
        if result.performed and not result.code:
            self._failed = ("", 0)
        if result.performed:
            full = _with_element(response, observation, result)
            after = None if executed.after is None else frame_of_grab(executed.after, executed.after.image)
            screens = (observation.frame, after)
            # What its two screens tell is told as they tell it: a model is trained on the same words.
            said = "" if result.code == "no_effect" else told
            self._history.append(live_step(full, observation.for_prompt(), result=said, memory=memory, screens=screens))
            self._note(steps=self.report.steps + 1)
        if result.code:
            self._tell_failure(told if result.performed else f"This was not done: {planned.words}. {told}")
            self._note(failed=self.report.failed + 1)
        action = response.action
        if isinstance(action, ExtractDataAction) and result.performed:
            self._note(data=(*self.report.data, {"description": action.description, "data": action.data}))
        if self._recorder is not None:
            rationale = self._rationale(turn.parsed, response)
            self._recorder.add(executed, answer=turn.row, rationale=rationale)
        return executed

    def _tell_failure(self, words: str) -> None:
        """Tell the model in the next prompt what went wrong, and how often it did.

        A prompt that said the same again would be answered the same again, without the model being asked.
        """
        before, times = self._failed
        times = times + 1 if words == before else 1
        self._failed = (words, times)
        self._failure = words if times == 1 else f"{words} That was {times} times in a row: do something else."

    def _end_goal(self, response: LLMResponse, executed: ExecutedAction, turn: _Turn) -> None:
        """End the run where the model says that there is nothing left to do, and all went well."""
        action = response.action
        if isinstance(action, FinishGoalAction):
            if action.gives_up:
                raise _EndError("gave_up", response.reasoning)
            raise _EndError("complete", response.reasoning)
        if executed.result.ok:
            self._do(LLMResponse.of(FinishGoalAction()), executed.observation, turn)
            raise _EndError("complete", response.reasoning)

    def _planned(self, response: LLMResponse, observation: LiveObservation, number: int) -> PlannedAction:
        place = self._hands.preview(response, observation)
        shown = ExecutedAction(response=response, observation=observation, result=place).shown
        step = live_step(_with_element(shown, observation, place), observation.for_prompt())
        hide: Callable[[str], str] = str if self._recorder is None else self._recorder.hide
        return PlannedAction(
            number=number,
            response=response,
            words=hide(told_action(step.placed, tr=as_order)),
            reason=hide(shown.reasoning),
            observation=observation,
            place=place,
        )

    def _rationale(self, parsed: DecodedAnswer, response: LLMResponse) -> Rationale | None:
        """Why the model does it: the sections of its answer, else its reasoning."""
        sections = {name: str(text) for name, text in parsed.sections.items() if isinstance(text, str) and text}
        seen = sections.get("Description of Screen Components") or sections.get("observation", "")
        thought = sections.get("Completion Plan") or sections.get("thought") or response.reasoning.strip()
        if not response.reasoning.strip() and response is not parsed.responses[0]:
            return None
        if not (seen or thought):
            return None
        return Rationale(observation=seen, thought=thought, plan=self._plan, provenance=self._author)

    # The end --------------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        if self._recorder is None:
            return
        self._note(reason=self._recorder.hide(self.report.reason))
        report = self.report
        said = report.to_json()
        del said["task"], said["demo"]
        outcome: Literal["success", "failure"] | None = None
        missing = ""
        if report.end == "complete":
            outcome = "success"
        elif report.end in {"gave_up", "steps"}:
            outcome = "failure"
        elif report.end != "over":
            missing = f"The agent's run ended early: {report.reason}"
        reason = report.reason if outcome == "failure" else ""
        try:
            self._recorder.finish(outcome, reason=reason, missing=missing, said=said)
        except (DiskFullError, LibraryError) as error:
            self._note(end="library", reason=str(error))
        if not self._recorder.steps:
            self._note(demo="")  # nothing is left of a run without a step

    def _note(self, **fields: object) -> None:
        self.report = self.report.model_copy(update=fields)


def _with_element(response: LLMResponse, observation: LiveObservation, found: ActionResult) -> LLMResponse:
    """The response with all that is known of the element that was found for it."""
    element = next((one for one in observation.elements if one.number == found.element_id), None)
    if element is None or response.action.target is None:
        return response
    target = observation.for_prompt().target(element)
    return response.model_copy(update={"action": response.action.model_copy(update={"target": target})})


def _sent(message: Message, image: Callable[[str], PromptImage | None]) -> ChatMessage:
    pictures = [picture for one in message.images if (picture := image(one.path)) is not None]
    role: Literal["user", "assistant"] = "assistant" if message.role == "assistant" else "user"
    return ChatMessage(role=role, parts=(message.text, *pictures))


def png_of(image: RgbImage) -> bytes:
    """A picture as PNG, made quickly."""
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
