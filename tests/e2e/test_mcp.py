"""The Model Context Protocol, spoken by the official client with a server process, on a real program."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

from demopack import __version__
from demopack.pack import export_pack
from demopack.pack.picture import decode
from demopack.store import Library
from recorder.desktop.private_display import PrivateDesktop
from tests.support.demos import sample_demo
from tests.support.desktop_programs import zenity
from tests.support.target_window import TargetWindow

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop() as desktop:
        yield desktop


class Person:
    """Somebody at the client who is asked, and says yes or no."""

    def __init__(self, *, says: bool) -> None:
        self.asked: list[str] = []
        self._says = says

    async def answer(self, context: Any, params: Any) -> ElicitResult:  # noqa: ARG002 - the client's form
        self.asked.append(params.message)
        return ElicitResult(action="accept", content={"allow": self._says})


def server(desktop: PrivateDesktop, *options: str) -> StdioServerParameters:
    arguments = ["-m", "demopack", "mcp", *options]
    return StdioServerParameters(command=sys.executable, args=arguments, env=dict(desktop.environment()))


def words_of(result: Any) -> str:
    """The text of a result, an error for instance."""
    return str(result.content[0].text)


def picture_of(result: Any) -> bytes:
    """The picture of a result."""
    return base64.b64decode(next(part.data for part in result.content if part.type == "image"))


def texts(result: Any) -> list[Any]:
    """The JSON texts of a result."""
    assert not result.is_error, result.content
    return [json.loads(part.text) for part in result.content if part.type == "text"]


def do(kind: str, target: dict[str, Any] | None = None, **parameters: Any) -> dict[str, Any]:
    """A response, as read_demo tells one."""
    action = {"action_type": kind, "target": target, "parameters": parameters}
    return {"reasoning": "", "action": action, "is_goal_complete": False}


FAULTS: list[tuple[dict[str, Any], str]] = [
    (do("click"), "click needs a target"),
    (do("fly"), "There is no action called 'fly'"),
    (do("press_key", key_info=["Ctrl", "S"]), "The parameter key_info of press_key is wrong"),
    (do("click", {"element_id": "x"}), "The field action.target.element_id is wrong"),
    (do("click", {"number": 3}), "The field action.target.number is not part of the contract"),
    ({"action_type": "click"}, "act has no argument action_type. act takes (action: object), (reasoning: string)"),
    ({"reasoning": "I click."}, "Give an object with reasoning, action and is_goal_complete."),
    ({"reasoning": "I click."}, 'Give for instance action = {"action_type": "click"'),
]


MISTAKEN: list[tuple[str, dict[str, Any], str]] = [
    ("show_step", {"task": "x"}, "show_step has no argument task. show_step takes demo: string, step: integer."),
    ("observe", {"demo": "x"}, "observe has no argument demo. observe takes no arguments."),
    ("show_step", {"demo": "x", "step": "one"}, "The argument step of show_step is missing or wrong: Input should be"),
    ("start_recording", {}, "The argument task of start_recording is missing or wrong: Field required."),
    ("click", {}, "There is no tool click. There are observe, act, list_demos, read_demo, show_step, "),
]


def test_a_client_observes_and_acts(desktop: PrivateDesktop, tmp_path: Path) -> None:
    person = Person(says=True)

    async def fill() -> None:
        options = ("--allow-window", "zenity", "--library", str(tmp_path))
        async with Client(server(desktop, *options), elicitation_callback=person.answer) as client:
            looked = await client.call_tool("observe", {})
            seen = texts(looked)[0]
            image = decode(picture_of(looked)).image
            assert image.shape == (seen["height"], seen["width"], 3)
            assert tuple(image[2, 2]) == (128, 128, 128)  # the bare desktop is no allowed window
            field = next(one for one in seen["elements"] if one["type"] == "input_field")
            typing = do("type", {"element_id": field["element_id"]}, text_to_type="Ada")
            result, now = texts(await client.call_tool("act", typing))
            assert result["performed"], result
            button = next(one for one in now["elements"] if one["type"] == "button" and one["text"] == "OK")
            wrong = await client.call_tool("act", do("click", {"text": "Delete all"}))
            told = texts(wrong)[0]
            assert (told["code"], told["did"]) == ("not_found", "Click “Delete all”"), "nothing was clicked yet"
            for arguments, fault in FAULTS:
                bad = await client.call_tool("act", arguments)
                assert bad.is_error
                assert fault in words_of(bad)
                assert "\n" not in words_of(bad)
            await client.call_tool("act", do("click", {"track_id": button["track_id"]}))

    with zenity(desktop, "--entry", "--text=Your name", title="Order") as program:
        asyncio.run(fill())
        assert program.output() == "Ada\n"
    with Library.open(tmp_path) as library:
        (kept,) = library.demos()
        *steps, end = library.demo(kept.head.id).steps
        export_pack(library, [kept.head.id], tmp_path / "pack")
    assert [step.action.action_type for step in steps] == ["type", "click"]
    assert all(step.before and step.after and step.target_uid for step in steps)
    assert (kept.head.outcome, end.action.action_type) == (None, "finish_goal")
    assert [words.split("?")[0] for words in person.asked] == [
        "May this client see pictures and texts of the windows zenity",
        "May this client use mouse and keyboard in the windows zenity",
    ]


def test_each_task_that_a_client_says_is_done_is_a_demo(desktop: PrivateDesktop, tmp_path: Path) -> None:
    wait = do("wait", wait_duration_s=0.1)

    async def act() -> None:
        options = ("--allow", "observe", "--allow", "act", "--eyes", "picture", "--library", str(tmp_path))
        async with Client(server(desktop, *options)) as client:
            for response in ({**wait, "is_goal_complete": True}, wait, do("finish_goal", status="failure"), wait):
                texts(await client.call_tool("act", response))

    asyncio.run(act())
    with Library.open(tmp_path) as library:
        demos = sorted((library.demo(one.head.id) for one in library.demos()), key=lambda one: one.head.started_ns)
    assert [one.head.outcome for one in demos] == ["success", "failure", None]
    assert all([step.action.action_type for step in one.steps] == ["wait", "finish_goal"] for one in demos)


def test_a_client_that_vanishes_during_an_action_ends_the_server(desktop: PrivateDesktop, tmp_path: Path) -> None:
    allowed = ("--allow", "observe", "--allow", "act")
    command = [sys.executable, "-m", "demopack", "mcp", *allowed, "--library", str(tmp_path)]
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "brief", "version": "1"}}
    typing = do("type", text_to_type="a" * 5000)
    with TargetWindow(desktop) as window:
        process = subprocess.Popen(
            command, env={**os.environ, **desktop.environment()}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None

        def send(**message: Any) -> None:
            assert process.stdin is not None
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            process.stdin.flush()

        send(id=1, method="initialize", params=about)
        assert "instructions" in process.stdout.readline()
        send(method="notifications/initialized")
        send(id=2, method="tools/call", params={"name": "observe", "arguments": {}})
        assert "image" in process.stdout.readline()
        send(id=3, method="tools/call", params={"name": "act", "arguments": typing})
        window.wait_for(lambda state: len(state["field"]) > 5)
        process.stdout.close()
        process.stdin.close()
        assert process.stderr is not None
        wrong = process.stderr.read()
        process.stderr.close()
        assert process.wait(60) == 0, wrong
    assert "Traceback" not in wrong


def test_nothing_is_given_away_or_done_without_consent(desktop: PrivateDesktop, tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        sample_demo(library)
    refusing = Person(says=False)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("observe", {}),
        ("act", do("type", text_to_type="x")),
        ("list_demos", {}),
        ("start_recording", {"task": "t"}),
        ("observe", {}),
    ]

    async def try_all(**person: Any) -> None:
        async with Client(server(desktop, "--library", str(tmp_path)), **person) as client:
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                assert result.is_error, name
                assert "not allow" in words_of(result)

    asyncio.run(try_all(elicitation_callback=refusing.answer))
    assert len(refusing.asked) == len({name for name, _ in calls}), "a refusal lasts"
    asyncio.run(try_all())  # a client that cannot ask


def test_a_client_reads_demos_as_examples(desktop: PrivateDesktop, tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        demo_id = sample_demo(library)
        demo = library.demo(demo_id)

    async def read() -> None:
        async with Client(server(desktop, "--library", str(tmp_path), "--allow", "demos")) as client:
            listed = texts(await client.call_tool("list_demos", {"words": demo.head.task.split()[0].upper()}))[0]
            assert [one["id"] for one in listed] == [demo_id]
            told = texts(await client.call_tool("read_demo", {"demo": demo_id}))[0]
            assert (told["task"], len(told["steps"])) == (demo.head.task, len(demo.steps))
            assert told["steps"][0]["response"]["action"]["action_type"] == demo.steps[0].action.action_type
            shown = await client.call_tool("show_step", {"demo": demo_id, "step": 1})
            assert demo.steps[0].before is not None
            assert decode(picture_of(shown)).id == demo.steps[0].before.id
            missing = await client.call_tool("read_demo", {"demo": "demo_none"})
            assert missing.is_error
            for name, arguments, fault in MISTAKEN:
                bad = await client.call_tool(name, arguments)
                assert bad.is_error
                assert words_of(bad).startswith(fault)
            assert client.server_info is not None
            assert client.server_info.version == __version__

    asyncio.run(read())


def test_a_client_has_a_demo_recorded(desktop: PrivateDesktop, tmp_path: Path) -> None:
    async def record() -> None:
        options = ("--library", str(tmp_path), "--allow", "record")
        async with Client(server(desktop, *options)) as client:
            assert "Recording" in words_of(await client.call_tool("start_recording", {"task": "Name"}))
            again = await client.call_tool("start_recording", {"task": "Name"})
            assert again.is_error
            demo = texts(await client.call_tool("stop_recording", {}))[0]
            assert demo["task"] == "Name"
            assert demo["steps"][-1]["response"]["action"]["action_type"] == "finish_goal"
            await client.call_tool("start_recording", {"task": "Left alone"})

    asyncio.run(record())
    # The client has gone in the middle of the second one: it is ended, and there.
    with Library.open(tmp_path) as library:
        assert {one.head.task: one.head.status for one in library.demos()} == {
            "Name": "complete",
            "Left alone": "complete",
        }
