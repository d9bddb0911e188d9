"""A stage for agents without a screen: scenes that a test sets, hands that note, a model that recites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from demopack.clock import now_ns
from demopack.domain.actions import LLMResponse
from demopack.domain.elements import Element, NumberedElement, numbered
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.screenshots import Screenshot
from demopack.domain.steps import AccessibleElement, Pointer, WindowInfo
from demopack.errors import ReplayCode, ReplayError
from demopack.jobs import JobControl
from models.language.port import LanguageAnswer, LanguageRequest, PlainText, T, Usage
from player.executor import ActionResult, ExecutedAction, resolve_observed
from player.observing import LiveObservation
from player.screen_matcher import frame_of_grab
from tests.support.pictures import noise_image

SIZE = (200, 120)
WINDOW = WindowInfo(title="Form", app="form", box=Rect(0, 0, *SIZE))


def element(text: str, box: Rect, kind: Any = "button", **fields: Any) -> Element:
    return Element(
        uid=f"el_{text}", frame="", type=kind, text=text, box=box, source="detector", track_id=text, **fields
    )


SAVE, NAME = element("Save", Rect(20, 80, 80, 100)), element("Name", Rect(20, 20, 120, 40), "input_field")
AGREE = element("Agree", Rect(20, 50, 80, 64), "checkbox", states={"checked": False})
FORM = (NAME, AGREE, SAVE)


@dataclass
class Scene:
    """What can be seen: each seed is another picture."""

    elements: Sequence[Element] = FORM
    seed: int = 1
    window: WindowInfo = WINDOW
    focused: AccessibleElement | None = None
    covered: tuple[Rect, ...] = ()

    def observation(self) -> LiveObservation:
        image = noise_image(*SIZE, seed=self.seed)
        now = now_ns()
        frame = frame_of_grab(Screenshot(image=image, started_ns=now, ended_ns=now), image).but(covered=self.covered)
        found = [
            NumberedElement.trusted({**one.__dict__, "frame": frame.id, "uid": f"{one.uid}_{self.seed}"})
            for one in numbered(self.elements)
        ]
        return LiveObservation(
            frame=frame, image=image, elements=tuple(found), window=self.window, stack=(self.window,),
            focused=self.focused,
        )  # fmt: skip


@dataclass
class StageHands:
    """Satisfies :class:`player.agent.Hands`; what an action does to the scene is the test's.

    Attributes:
        done: every response that was executed.
        codes: what goes wrong with the next actions, in order; an empty text for nothing.
    """

    scene: Scene = field(default_factory=Scene)
    react: Callable[[LLMResponse, Scene], Scene] = lambda _, scene: scene
    done: list[LLMResponse] = field(default_factory=list)
    codes: list[ReplayCode | str] = field(default_factory=list)
    control: JobControl = field(default_factory=JobControl)
    observed: int = 0

    def observe(self) -> LiveObservation:
        self.control.token.check()
        self.observed += 1
        return self.scene.observation()

    def preview(self, response: LLMResponse, observation: LiveObservation) -> ActionResult:
        target = response.action.target
        if target is None:
            return ActionResult()
        try:
            found = resolve_observed(target, observation)
        except ReplayError as error:
            return ActionResult(code=error.code, error=error.user_message)
        number = None if found.element is None else next(
            one.number for one in observation.elements if one.uid == found.element.uid
        )  # fmt: skip
        return ActionResult(strategy=found.strategy, element_id=number, point=(found.point.x, found.point.y))

    def execute(self, response: LLMResponse, observation: LiveObservation | None = None) -> ExecutedAction:
        assert observation is not None
        self.done.append(response)
        result = self.preview(response, observation)
        code: Any = self.codes.pop(0) if self.codes else result.code
        performed = code in {"", "no_effect"}
        if performed:
            self.scene = self.react(response, self.scene)
        result = result.model_copy(
            update={"performed": performed, "code": code, "error": result.error or (f"It is {code}." if code else "")}
        )
        now, at = now_ns(), result.point
        after = self.scene.observation()
        picture: RgbImage = after.image
        return ExecutedAction(
            response=response,
            observation=observation,
            result=result,
            after=Screenshot(image=picture, started_ns=now, ended_ns=now) if performed else None,
            pointer=Pointer(x=at[0], y=at[1]) if performed and at else None,
            started_ns=now,
            ended_ns=now,
        )


class Reciter:
    """Satisfies the ``LanguagePort``: gives these answers, one after the other; the last one again and again.

    Attributes:
        asked: every request.
    """

    name = "stage:reciter"

    def __init__(self, *answers: str | Exception, sees: bool = False, cost: float = 0.001) -> None:
        self.answers = list(answers)
        self.sees = sees
        self.asked: list[LanguageRequest[Any]] = []
        self.waiting: Future[Any] | None = None
        self._cost = cost

    def submit(self, request: LanguageRequest[T]) -> Future[LanguageAnswer[T]]:
        self.asked.append(request)
        future: Future[LanguageAnswer[T]] = Future()
        if not self.answers:
            self.waiting = future
            return future
        given = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(given, Exception):
            future.set_exception(given)
            return future
        value: Any = PlainText(text=given)
        usage = Usage(input_tokens=100, output_tokens=10, cost=self._cost)
        future.set_result(LanguageAnswer(value=value, usage=usage, model="reciter-1", prompt=request.prompt))
        return future

    def texts(self, number: int = -1) -> str:
        """All that one request said."""
        return "\n".join(self.asked[number].texts)
