"""A server of a test's own that speaks OpenAI's chat completions over real HTTP, well or badly, as the test says."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came in.

    Attributes:
        body: the whole JSON.
        headers: with small letters.
        texts: all texts of all messages, joined by line ends.
        pictures: bytes of the pictures.
        schema: of ``response_format``, if there was one.
    """

    body: dict[str, Any]
    headers: dict[str, str]
    texts: str
    pictures: tuple[bytes, ...]
    schema: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """How one request is answered.

    Attributes:
        status: of HTTP.
        headers: besides type and length.
        message: the assistant's message, without a role; None where ``body`` says everything.
        body: instead of a completion.
        finish: why it ended.
        kind: content type.
        wait: set before the answer goes out; a request that waits is not paid for.
        cut_at: bytes after which the line is cut.
    """

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    message: dict[str, Any] | None = None
    body: bytes = b""
    finish: str = "stop"
    kind: str = "application/json"
    wait: threading.Event | None = None
    cut_at: int | None = None


def good(value: object, *, wait: threading.Event | None = None) -> Reply:
    return Reply(message={"content": json.dumps(value)}, wait=wait)


def content(text: str, *, finish: str = "stop") -> Reply:
    return Reply(message={"content": text}, finish=finish)


def refusal(text: str = "I can't help with that.") -> Reply:
    return Reply(message={"content": None, "refusal": text})


def status(code: int, *, words: str = "it failed", retry_after: str | None = None) -> Reply:
    body = json.dumps({"error": {"message": words, "type": "some_error", "code": None}}).encode()
    return Reply(status=code, body=body, headers={} if retry_after is None else {"Retry-After": retry_after})


def hang(release: threading.Event) -> Reply:
    """Silence until ``release`` is set, then a cut line: never an answer, and never paid for."""
    return Reply(message={"content": "{}"}, wait=release, cut_at=0)


def cut(after: int = 20) -> Reply:
    return Reply(message={"content": "{" + "x" * 200}, cut_at=after)


def huge(megabytes: int = 10) -> Reply:
    return Reply(message={"content": "x" * (megabytes * 1_000_000)})


def html() -> Reply:
    return Reply(body=b"<html>Sign in to this network</html>", kind="text/html; charset=utf-8")


def fill(schema: dict[str, Any]) -> Any:
    """A value that follows a flat schema."""
    if "anyOf" in schema:
        return fill(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    made: dict[str, Callable[[], Any]] = {
        "object": lambda: {name: fill(inner) for name, inner in schema.get("properties", {}).items()},
        "array": lambda: [fill(schema["items"])],
        "string": lambda: "some words",
        "integer": lambda: 3,
        "number": lambda: 0.5,
        "boolean": lambda: True,
        "null": lambda: None,
    }
    return made[schema["type"]]()


class _Http(ThreadingHTTPServer):
    daemon_threads = False  # so that closing waits for them

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._lines: list[socket.socket] = []

    def get_request(self) -> tuple[socket.socket, Any]:
        line, address = super().get_request()
        self._lines.append(line)
        return line, address

    def hang_up(self) -> None:
        """End connections that clients keep open."""
        for line in self._lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)


class OpenAIServer:
    """``with OpenAIServer() as server``: asked at ``server.base_url``, until the end of the block.

    Attributes:
        script: replies to the next requests, in order; when it is empty, ``answer`` makes them.
        asked: every request, as it came in.
        paid: every request whose answer went out whole.
    charged: tokens of the questions and of the answers in ``paid``.
    """

    def __init__(
        self,
        *,
        answer: Callable[[Asked], Reply] | None = None,
        key: str = "",
        schemas: bool = True,
        counts: bool = True,
        before: Callable[[], object] | None = None,
    ) -> None:
        """Prepare.

        Args:
            answer: how requests are answered beyond the script; by a value that follows their schema unless given.
            key: what must stand in the header; anything when empty.
            schemas: whether it takes ``response_format``.
            counts: whether it tells tokens.
            before: called before each answer, in the thread of the request.
        """
        self.script: deque[Reply] = deque()
        self.asked: list[Asked] = []
        self.paid: list[Asked] = []
        self.charged = (0, 0)
        self._answer = answer or _filled
        self._key = key
        self._schemas = schemas
        self._counts = counts
        self._before = before
        self._changed = threading.Condition()
        self._http = _Http(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="openai-server")

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.hang_up()
        self._http.server_close()
        self._thread.join()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def wait_asked(self, count: int, timeout_s: float = 60) -> None:
        """Until so many requests have come in."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.asked) >= count, timeout_s), len(self.asked)

    def wait_paid(self, count: int, timeout_s: float = 60) -> None:
        """Until so many answers have gone out."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.paid) >= count, timeout_s), len(self.paid)

    def take(self, asked: Asked) -> Reply:
        """Note a request and find its reply."""
        with self._changed:
            self.asked.append(asked)
            reply = self.script.popleft() if self.script else None
            self._changed.notify_all()
        if self._key and asked.headers.get("authorization") != f"Bearer {self._key}":
            return status(401, words=f"Incorrect API key provided: {asked.headers.get('authorization')}")
        if asked.schema is not None and not self._schemas:
            return status(400, words="response_format is not supported by this model")
        if self._before is not None:
            self._before()
        return reply or self._answer(asked)

    def sent(self, asked: Asked, reply: Reply) -> None:
        """An answer went out whole."""
        question, answer = tokens(asked, reply)
        with self._changed:
            self.paid.append(asked)
            self.charged = (self.charged[0] + question, self.charged[1] + answer)
            self._changed.notify_all()

    def completion(self, asked: Asked, reply: Reply) -> bytes:
        """The body of a reply."""
        if reply.message is None:
            return reply.body
        question, answer = tokens(asked, reply)
        usage = {"prompt_tokens": question, "completion_tokens": answer, "total_tokens": question + answer}
        whole: dict[str, Any] = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": f"{asked.body['model']}-2025-08-07",
            "choices": [{"index": 0, "finish_reason": reply.finish, "message": {"role": "assistant", **reply.message}}],
        }
        if self._counts:
            whole["usage"] = usage
        return json.dumps(whole).encode()


def tokens(asked: Asked, reply: Reply) -> tuple[int, int]:
    """What this server counts for a question and its answer."""
    return len(asked.texts) // 4 + 800 * len(asked.pictures), len(json.dumps(reply.message)) // 4


def _filled(asked: Asked) -> Reply:
    if asked.body.get("tools"):
        return _tool_call(asked.body["tools"][0]["function"])
    if asked.schema is not None:
        return good(fill(asked.schema))
    mark = "follows this JSON schema:\n"
    system = asked.body["messages"][0]["content"]
    return good(fill(json.loads(system.split(mark)[1])) if mark in system else {})


def _tool_call(function: dict[str, Any]) -> Reply:
    called = {"name": function["name"], "arguments": json.dumps(fill(function["parameters"]))}
    call = {"id": "call_1", "type": "function", "function": called}
    return Reply(message={"content": None, "tool_calls": [call]}, finish="tool_calls")


def _parsed(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    texts: list[str] = []
    pictures: list[bytes] = []
    for message in body["messages"]:
        inner = message["content"]
        parts: list[Any] = [{"type": "text", "text": inner}] if isinstance(inner, str) else inner or []
        for part in parts:
            if part["type"] == "text":
                texts.append(part["text"])
            else:
                head, _, data = part["image_url"]["url"].partition(",")
                assert head == "data:image/png;base64"
                pictures.append(base64.b64decode(data, validate=True))
    wanted = body.get("response_format") or {}
    schema = wanted["json_schema"]["schema"] if wanted.get("type") == "json_schema" else None
    return Asked(body=body, headers=headers, texts="\n".join(texts), pictures=tuple(pictures), schema=schema)


def _handler(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        timeout = 120

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if not self.path.endswith("/v1/chat/completions"):
                self._send(Reply(status=404, body=b'{"error": {"message": "no such path"}}'), b"{}")
                return
            asked = _parsed(body, {name.lower(): value for name, value in self.headers.items()})
            reply = server.take(asked)
            if reply.wait is not None:
                reply.wait.wait(60)
            data = server.completion(asked, reply)
            if reply.status == 200 and reply.cut_at is None:
                # Counted first: who has the answer may look at once.
                server.sent(asked, reply)
            self._send(reply, data)

        def _send(self, reply: Reply, data: bytes) -> None:
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", reply.kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: reply.cut_at])
            except OSError:  # the other side has left
                self.close_connection = True
            if reply.cut_at is not None:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: a test prints only what it finds."""

    return Handler
