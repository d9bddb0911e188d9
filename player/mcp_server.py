"""The screen, the hands and the demos, served to other agents over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import anyio
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, Image, MCPServer, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult
from pydantic import BaseModel, Field, ValidationError, WithJsonSchema

from demopack import __version__
from demopack.codecs.llmresponse import decode
from demopack.codecs.observation import Observation
from demopack.codecs.texts import texts
from demopack.domain.actions import ACTION_TYPES, FinishGoalAction
from demopack.domain.binding import response_of
from demopack.domain.words import as_order, counted, describe_action, describe_step_in
from demopack.errors import ActionError, DemopackError
from demopack.jobs import CancelToken
from demopack.pack.picture import encode_png
from demopack.settings import Settings
from demopack.store import Library
from player.executor import ExecutedAction, Executor, open_executor
from player.observing import EVERY_WINDOW, Eyes, LiveObservation, observation_json, windows_named
from player.run_recorder import RunRecorder

if TYPE_CHECKING:
    from recorder.session import RecordingSession

T = TypeVar("T")
Ability = Literal["observe", "act", "demos", "record"]
ABILITIES: Final[tuple[Ability, ...]] = ("observe", "act", "demos", "record")

_ASKED: Final[dict[Ability, str]] = {
    "observe": "see pictures and texts of {windows}",
    "act": "use mouse and keyboard in {windows}",
    "demos": "read the recorded demos of {library}, with their pictures and typed texts",
    "record": "record what you do on this screen into {library}",
}
_INSTRUCTIONS: Final = (
    "demopack shows this computer's screen and acts on it. Call observe first: it lists the elements with the numbers "
    "that act takes as element_id. act performs one action and tells what came of it; a code other than the empty one "
    "says what went wrong. list_demos and read_demo give demonstrations of tasks by people: follow one that fits. "
    + texts("agent").get("guard")
)
_RESPONSE_HINT: Final = (
    'Give for instance action = {"action_type": "click", "target": {"element_id": 3}, "parameters": {}}.'
)
_PARAMETERS: Final = (
    "click: click_type, modifiers; type: text_to_type, submit (it is added to what the field holds; to replace that, "
    "press Ctrl+A in the field first); press_key: key_info; scroll: scroll_direction, scroll_steps; drag: end_target; "
    "wait: wait_duration_s; hover: duration_s; launch: app."
)


_ACTION: Final = {
    "type": "object",
    "description": "One action; the response of a step in read_demo holds one, too.",
    "properties": {
        "action_type": {"type": "string", "enum": list(ACTION_TYPES)},
        "target": {
            "type": ["object", "null"],
            "description": "What it is aimed at; tried in this order.",
            "properties": {
                "track_id": {"type": "string", "description": "The element's id over several observations."},
                "element_id": {"type": "integer", "description": "Its number in the last observation."},
                "text": {"type": "string", "description": "The text on it."},
                "bbox": {
                    "type": "array",
                    "items": {"type": "number"},
                    "description": "[x, y, width, height] as fractions 0..1 of the picture.",
                },
            },
        },
        "parameters": {"type": "object", "description": _PARAMETERS},
    },
    "required": ["action_type"],
}
"""What act takes, for the client's model. What it gives is read by the contract, whose errors say how to mend it."""


class Permission(BaseModel):
    """What the person says when the client asks them."""

    allow: bool = Field(description="Whether it may.")


class ScreenServer:
    """What the tools share: hands in a thread of their own, the last observation, what the person has allowed."""

    def __init__(
        self,
        settings: Settings,
        *,
        library: Path,
        allowed: Collection[Ability] = (),
        windows: Collection[str] = (),
        programs: Collection[str] = (),
        eyes: Eyes = "all",
    ) -> None:
        """Prepare; nothing is opened yet.

        Args:
            settings: of vision, privacy, player and recorder.
            library: folder of the demos.
            allowed: what need not be asked for.
            windows: names of the windows that may be seen and acted in, see :func:`windows_named`; all without one.
            programs: that may be started.
            eyes: what observations are made from.
        """
        self._settings = settings
        self._library = library
        self._allowed = set(allowed)
        self._refused: set[Ability] = set()
        self._windows = tuple(windows)
        self._programs = tuple(programs)
        self._eyes: Eyes = eyes
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="screen")
        self._ends = contextlib.ExitStack()
        self._executor: Executor | None = None
        self._seen: LiveObservation | None = None
        self._session: RecordingSession | None = None
        self._run: RunRecorder | None = None
        self._last: ExecutedAction | None = None
        self.token = CancelToken()

    async def run(self, work: Callable[[], T]) -> T:
        """Do something that takes time in the thread that owns the screen.

        Raises:
            ToolError: it went wrong; the words are for the model.
        """
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except ActionError as error:
            shape = _RESPONSE_HINT if not error.hint or error.field == "action" else ""
            raise ToolError(f"{error} {shape}".strip()) from error
        except DemopackError as error:
            raise ToolError(error.whole) from error

    async def close(self) -> None:
        """Let go of the screen; a recording that runs is ended, with its steps saved."""
        self.token.cancel()
        # A client that vanished has cancelled everything; the screen is let go of all the same.
        with anyio.CancelScope(shield=True):
            await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        with contextlib.ExitStack() as stack:
            stack.callback(self._ends.close)
            if self._session is not None:
                self._session.stop()
                self._session = None
            self._end_run()

    def _end_run(self) -> None:
        """End the demo of what was done; whether that was the task nobody says, unless the last response does."""
        if self._run is None or self._last is None:
            return
        action = self._last.response.action
        is_failure = action.gives_up or not self._last.result.ok
        self._run.finish("failure" if is_failure else "success" if action.completes_goal else None)
        self._run = self._last = None

    def question(self, ability: Ability, context: Context[Any, Any]) -> Elicit[Permission] | Permission:
        """What the person has to be asked, through the client; or that it is allowed already.

        Raises:
            ToolError: it is not, and the client cannot ask.
        """
        if ability in self._allowed:
            return Permission(allow=True)
        if ability in self._refused:
            return Permission(allow=False)
        words = f"May this client {self._words(ability)}?"
        capable = context.client_capabilities
        if capable is None or capable.elicitation is None:
            raise ToolError(
                f"The person has not allowed this client to {self._words(ability)}, and the client cannot ask. "
                f"Start the server with: demopack mcp --allow {ability}"
            )
        return Elicit(words, Permission)

    def note(self, ability: Ability, answer: ElicitationResult[Permission]) -> None:
        """Remember what the person said; they are not asked again.

        Raises:
            ToolError: they said no.
        """
        if answer.action != "accept" or not answer.data.allow:
            self._refused.add(ability)
            raise ToolError(f"The person does not allow this client to {self._words(ability)}.")
        self._allowed.add(ability)

    def _words(self, ability: Ability) -> str:
        windows = "the windows " + ", ".join(self._windows) if self._windows else "all windows"
        return _ASKED[ability].format(windows=windows, library=self._library)

    def observe(self) -> tuple[bytes, dict[str, Any]]:
        """The picture as a PNG, and the elements on it."""
        self._seen = self._hands().observe()
        return encode_png(self._seen.image), observation_json(self._seen)

    def act(self, wire: dict[str, Any]) -> dict[str, Any]:
        """Perform one response on what was observed last; its result. All of a session become a demo of the library.

        Raises:
            DemopackError: a recording runs, or the library cannot be written.
        """
        responses = decode(wire, Observation()).responses
        if self._session is not None:
            raise DemopackError("The person is being recorded; stop the recording first.")
        if self._run is None:
            library = self._ends.enter_context(Library.open(self._library))
            finder = "" if self._eyes == "picture" else self._hands().finder
            self._run = self._ends.enter_context(RunRecorder(library, task="Done by another agent", finder=finder))
        run, done = self._run, list[ExecutedAction]()
        for response in responses:
            self._last = self._hands().execute(response, self._seen)
            done.append(self._last)
            run.add(self._last)
            if not self._last.result.ok:
                break
        if isinstance(done[-1].response.action, FinishGoalAction):
            self._end_run()
        first = done[0]
        tr = str if first.result.performed else as_order
        did = run.hide(describe_action(first.shown.action, first.target, tr=tr))
        return {"did": did, **run.hide_in(first.result).to_json()}

    def _hands(self) -> Executor:
        if self._executor is None:
            self._executor = self._ends.enter_context(
                open_executor(
                    self._settings,
                    eyes=self._eyes,
                    allowed=windows_named(self._windows or [EVERY_WINDOW]),
                    may_launch=self._may_launch,
                    token=self.token,
                )
            )
        return self._executor

    def _may_launch(self, line: str) -> bool:
        from player.consent import program_of

        return line in self._programs or program_of(line) in self._programs

    # Demos ------------------------------------------------------------------------------------------------------

    def list_demos(self, words: str) -> list[dict[str, Any]]:
        """The finished demos whose task or program has all these words."""
        wanted = words.casefold().split()
        with Library.open(self._library, create=False) as library:
            found = library.demos()
        return [
            {"id": one.head.id, "task": one.head.task, "app": one.head.app, "steps": one.steps, "done": one.head.done}
            for one in found
            if one.head.status != "recording"
            and all(word in f"{one.head.task} {one.head.app}".casefold() for word in wanted)
        ]

    def read_demo(self, name: str) -> dict[str, Any]:
        """A demo: its task and every step as a response, in words, and in which window."""
        with Library.open(self._library, create=False) as library:
            demo = library.demo(library.find(name))
        steps: list[dict[str, Any]] = []
        for number, step in enumerate((one for one in demo.steps if not one.left_out), start=1):
            response = response_of(step, demo)
            words = describe_step_in(demo, step)
            window = None if step.window is None else f"{step.window.title} ({step.window.app})"
            steps.append({"step": number, "did": words, "window": window, "response": response.to_wire()})
        return {"id": demo.head.id, "task": demo.head.task, "app": demo.head.app, "steps": steps}

    def picture_of(self, name: str, number: int) -> bytes:
        """The screen before a step of a demo, a PNG.

        Raises:
            DemopackError: there is no such demo, step or picture.
        """
        with Library.open(self._library, create=False) as library:
            demo = library.demo(library.find(name))
            kept = [one for one in demo.steps if not one.left_out]
            before = kept[number - 1].before if 1 <= number <= len(kept) else None
            if before is None:
                raise DemopackError(
                    f"{demo.head.id} has no picture before step {number}; it has {counted(len(kept), 'step')}."
                )
            return library.png_bytes(before.id)

    # Recording --------------------------------------------------------------------------------------------------

    def start_recording(self, task: str) -> str:
        """Begin to record what the person does.

        Raises:
            DemopackError: a recording runs, or none can begin here.
        """
        from recorder.session import RecordingSession

        if self._session is not None:
            raise DemopackError("A recording runs already; stop it first.")
        self._end_run()
        library = self._ends.enter_context(Library.open(self._library))
        session = RecordingSession(library, settings=self._settings.recorder, task=task)
        session.start()
        self._session = session
        return "Recording. The person shows the task now; call stop_recording when they say that they are done."

    def stop_recording(self) -> dict[str, Any]:
        """End the recording; the demo.

        Raises:
            DemopackError: none runs.
        """
        if self._session is None:
            raise DemopackError("No recording runs.")
        session, self._session = self._session, None
        return self.read_demo(session.stop())


def may_observe(context: Context[ScreenServer, Any]) -> Elicit[Permission] | Permission:
    """Ask whether the client may see the screen."""
    return context.request_context.lifespan_context.question("observe", context)


def may_act(context: Context[ScreenServer, Any]) -> Elicit[Permission] | Permission:
    """Ask whether the client may use mouse and keyboard."""
    return context.request_context.lifespan_context.question("act", context)


def may_show(
    context: Context[ScreenServer, Any], acts: Annotated[ElicitationResult[Permission], Resolve(may_act)]
) -> Elicit[Permission] | Permission:
    """Ask whether a client that may act may see the screen; not where it may not act."""
    if acts.action != "accept" or not acts.data.allow:
        return Permission(allow=False)
    return may_observe(context)


def may_read(context: Context[ScreenServer, Any]) -> Elicit[Permission] | Permission:
    """Ask whether the client may read the demos."""
    return context.request_context.lifespan_context.question("demos", context)


def may_record(context: Context[ScreenServer, Any]) -> Elicit[Permission] | Permission:
    """Ask whether the client may have the person recorded."""
    return context.request_context.lifespan_context.question("record", context)


class _Tools:
    """The tools that a client sees: their names, arguments and docstrings are what its model reads."""

    def __init__(self, screen: ScreenServer) -> None:
        self._screen = screen

    def all(self) -> list[Callable[..., Any]]:
        return [
            self.observe, self.act, self.list_demos, self.read_demo, self.show_step, self.start_recording,
            self.stop_recording,
        ]  # fmt: skip

    async def _seen(self) -> list[Any]:
        png, found = await self._screen.run(self._screen.observe)
        return [Image(data=png, format="png"), _json(found)]

    async def observe(self, sees: Annotated[ElicitationResult[Permission], Resolve(may_observe)]) -> list[Any]:
        """Look at the screen: its picture, and its elements with the numbers that act takes as element_id."""
        self._screen.note("observe", sees)
        return await self._seen()

    async def act(
        self,
        acts: Annotated[ElicitationResult[Permission], Resolve(may_act)],
        sees: Annotated[ElicitationResult[Permission], Resolve(may_show)],
        action: Annotated[object, WithJsonSchema(_ACTION)] = None,
        reasoning: Annotated[object, WithJsonSchema({"type": "string", "description": "Why, in a sentence."})] = "",
        is_goal_complete: Annotated[object, WithJsonSchema({"type": "boolean"})] = None,
    ) -> list[Any]:
        """Perform one action on the screen that was observed last; tell what came of it, and show the screen then.

        The arguments are a response, as read_demo gives one for each step.
        """
        self._screen.note("act", acts)
        self._screen.note("observe", sees)
        wire = {"reasoning": reasoning, "action": action, "is_goal_complete": is_goal_complete}
        result = await self._screen.run(lambda: self._screen.act(wire))
        told = _json(result)
        return [told] if result["code"] == "stopped" else [told, *await self._seen()]

    async def list_demos(
        self, reads: Annotated[ElicitationResult[Permission], Resolve(may_read)], words: str = ""
    ) -> str:
        """List the recorded demonstrations whose task or program has all these words."""
        self._screen.note("demos", reads)
        return _json(await self._screen.run(lambda: self._screen.list_demos(words)))

    async def read_demo(self, reads: Annotated[ElicitationResult[Permission], Resolve(may_read)], demo: str) -> str:
        """Read a demonstration: its task, and each step in words and as the action that act takes."""
        self._screen.note("demos", reads)
        return _json(await self._screen.run(lambda: self._screen.read_demo(demo)))

    async def show_step(
        self, reads: Annotated[ElicitationResult[Permission], Resolve(may_read)], demo: str, step: int
    ) -> list[Any]:
        """Show the screen before a step of a demonstration."""
        self._screen.note("demos", reads)
        return [Image(data=await self._screen.run(lambda: self._screen.picture_of(demo, step)), format="png")]

    async def start_recording(
        self, records: Annotated[ElicitationResult[Permission], Resolve(may_record)], task: str
    ) -> str:
        """Begin to record a demonstration of a task by the person at this computer."""
        self._screen.note("record", records)
        return await self._screen.run(lambda: self._screen.start_recording(task))

    async def stop_recording(self, records: Annotated[ElicitationResult[Permission], Resolve(may_record)]) -> str:
        """End the recording, and read what was recorded."""
        self._screen.note("record", records)
        return _json(await self._screen.run(self._screen.stop_recording))


def _json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return json.dumps(value, ensure_ascii=False)


class _Server(MCPServer[ScreenServer]):
    """The library's server; where arguments do not fit a tool, the client's model is told in a sentence which do."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[ScreenServer, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """As the library's.

        Raises:
            ToolError: the arguments do not fit, or the tool went wrong; the words are for the model.
        """
        tools = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(f"There is no tool {name}. There are {', '.join(tools)}.")
        known = tools[name].get("properties", {})
        takes = f"{name} takes {_arguments_in_words(tools[name])}."
        if unknown := [one for one in arguments if one not in known]:
            shape = f" {_RESPONSE_HINT}" if "action" in known else ""
            raise ToolError(f"{name} has no argument {unknown[0]}. {takes}{shape}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            (wrong, *_) = error.__cause__.errors(include_input=False)
            about = ".".join(str(part) for part in wrong["loc"])
            raise ToolError(f"The argument {about} of {name} is missing or wrong: {wrong['msg']}. {takes}") from error


def _arguments_in_words(schema: dict[str, Any]) -> str:
    """The arguments of a tool with their types, "(…)" around those that may be left out; in words where it has none."""
    needed = schema.get("required", [])
    told = [(name, f"{name}: {one.get('type', 'object')}") for name, one in schema.get("properties", {}).items()]
    return ", ".join(words if name in needed else f"({words})" for name, words in told) or "no arguments"


def build_server(screen: ScreenServer) -> MCPServer[ScreenServer]:
    """The server with its tools; it closes the screen when its client leaves."""

    @contextlib.asynccontextmanager
    async def lifespan(_server: MCPServer[ScreenServer]) -> AsyncGenerator[ScreenServer]:
        try:
            yield screen
        finally:
            await screen.close()

    server = _Server(
        "demopack", version=__version__, instructions=_INSTRUCTIONS, lifespan=lifespan, log_level="WARNING"
    )
    for tool in _Tools(screen).all():
        server.add_tool(tool, structured_output=False)
    return server
