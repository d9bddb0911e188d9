"""Services with protocols of their own, and what is said where a library is missing."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from demopack.settings import LanguageSettings
from models.language.client import LanguageClient
from models.language.port import LanguageError, RefusedError
from tests.support.language import Reason, StillClock, picture, question
from tests.support.openai_server import OpenAIServer

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")

SAID = {"thought": "it saves", "plan": [], "score": 1, "sure": True}


def _served(answers: list[dict[str, Any]], asked: list[dict[str, Any]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, "sent": str(self.headers), **body})
            data = json.dumps(
                {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], **answers.pop(0)}
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    return Handler


def test_anthropic_is_asked_in_its_own_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("anthropic", reason="the client of Anthropic's models is an extra")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-1")
    usage = {"input_tokens": 120, "output_tokens": 30}
    answers: list[dict[str, Any]] = [
        {"content": [{"type": "text", "text": json.dumps(SAID)}], "stop_reason": "end_turn", "usage": usage},
        {"content": [], "stop_reason": "refusal", "usage": usage},
    ]
    asked: list[dict[str, Any]] = []
    http = ThreadingHTTPServer(("127.0.0.1", 0), _served(answers, asked))
    http.daemon_threads = False
    thread = threading.Thread(target=http.serve_forever, args=(0.02,))
    thread.start()
    settings = LanguageSettings(
        model="anthropic:claude-haiku-4-5", base_url=f"http://127.0.0.1:{http.server_address[1]}", input_price=1
    )
    try:
        with closing(LanguageClient(settings, folder=tmp_path, clock=StillClock())) as client:
            answer = client.submit(question("Look:", picture())).result(60)
            assert isinstance(client.submit(question("no")).exception(60), RefusedError)
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
    assert answer.value == Reason.model_validate(SAID, strict=False)
    assert (answer.usage.input_tokens, answer.usage.cost) == (120, pytest.approx(120 / 1e6))
    assert asked[0]["path"].split("?")[0] == "/v1/messages"
    assert "sk-ant-1" in asked[0]["sent"]  # under a name that depends on the release of its library
    kinds = [part["type"] for part in asked[0]["messages"][0]["content"]]
    assert kinds == ["text", "image"]


@pytest.mark.parametrize(
    ("model", "missing", "told"),
    [
        ("google:gemini-2.5-flash", "google.genai", "pydantic-ai-slim[google]"),
        ("anthropic:claude-haiku-4-5", "anthropic", "pydantic-ai-slim[anthropic]"),
        ("openai:gpt-5-mini", "openai", "demopack[language]"),
        ("ollama:qwen2.5vl:7b", "pydantic_ai", "demopack[language]"),
    ],
)
def test_a_missing_library_is_named_with_its_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, missing: str, told: str
) -> None:
    for key in ("GOOGLE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(key, "k")
    found = importlib.util.find_spec

    def find(name: str, package: str | None = None) -> Any:
        return None if name == missing else found(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    with pytest.raises(LanguageError, match="is not installed") as caught:
        LanguageClient(LanguageSettings(model=model), folder=tmp_path)
    assert told in caught.value.hint


def test_the_libraries_are_loaded_by_the_first_question_only(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from demopack.settings import LanguageSettings;"
        "from models.language.client import LanguageClient;"
        f"port = LanguageClient(LanguageSettings(model='ollama:qwen3'), folder=Path({str(tmp_path)!r}));"
        "print(port.name, port.sees); port.close();"
        "print(sorted({n.split('.')[0] for n in sys.modules} & {'pydantic_ai', 'openai', 'httpx2', 'keyring'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["ollama:qwen3 False", "[]"]


def test_the_tests_own_server_speaks_tools_to_openais_own_client() -> None:
    openai = pytest.importorskip("openai", reason="the client of language models is an extra")
    function = {"name": "judge", "parameters": Reason.model_json_schema()}
    with OpenAIServer() as server, openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:
        done = client.chat.completions.create(
            model="m",
            messages=[{"role": "user", "content": "Judge."}],
            tools=[{"type": "function", "function": function}],
            tool_choice="required",
        )
    (call,) = done.choices[0].message.tool_calls
    assert done.choices[0].finish_reason == "tool_calls"
    assert call.function.name == "judge"
    assert Reason.model_validate_json(call.function.arguments).thought == "some words"
