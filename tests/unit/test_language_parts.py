"""The small parts of the client: which server, which key, which price, how large, how long to wait, how to read."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from demopack.errors import BadInputError
from demopack.settings import LanguageSettings
from models.language.client import read_answer
from models.language.connection import Failure, retry_wait_s
from models.language.port import NoKeyError, PromptImage
from models.language.servers import Prices, find_key, is_local, prices_of, scrub, server_of
from models.language.usage_log import described, most_tokens
from tests.support.language import Reason, picture


@pytest.mark.parametrize(
    ("model", "base_url", "name", "where", "key"),
    [
        ("openai:gpt-5-mini", "", "openai:gpt-5-mini", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("gpt-5-mini", "", "openai:gpt-5-mini", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("ollama:qwen2.5vl:7b", "", "ollama:qwen2.5vl:7b", "http://127.0.0.1:11434/v1", ""),
        ("ft:gpt-4.1-mini:mine::x", "", "openai:ft:gpt-4.1-mini:mine::x", "https://api.openai.com/v1", None),
        ("qwen2.5vl:7b", "http://gpu:8000/v1/", "server:qwen2.5vl:7b", "http://gpu:8000/v1", ""),
        ("lmstudio:gemma-3-4b", "", "lmstudio:gemma-3-4b", "http://127.0.0.1:1234/v1", ""),
        ("azure:mine", "https://n.openai.azure.com/openai/v1", "azure:mine", None, "AZURE_OPENAI_API_KEY"),
        ("anthropic:claude-haiku-4-5", "", "anthropic:claude-haiku-4-5", "https://api.anthropic.com", None),
    ],
)
def test_a_model_names_its_server(model: str, base_url: str, name: str, where: str | None, key: str | None) -> None:
    server = server_of(LanguageSettings(model=model, base_url=base_url))
    assert server.name == name
    assert server.base_url == (where or base_url)
    assert key is None or server.key == key


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({}, "language.model"),
        ({"model": "ollma:qwen3:8b"}, "no service “ollma” .setting language.model"),
        ({"model": "azure:mine"}, "language.base_url"),
        ({"model": "server:x"}, "language.base_url"),
        ({"model": "x", "base_url": "localhost:8000"}, "language.base_url"),
        ({"model": "x", "base_url": "https://me:secret@example.com/v1"}, "language.base_url"),
        ({"model": "x", "base_url": "http://example.com/v1", "key": "MY_KEY"}, "MY_KEY unencrypted"),
    ],
)
def test_a_wrong_server_is_told_by_its_setting(settings: dict[str, str], names: str) -> None:
    with pytest.raises(BadInputError, match=names) as caught:
        server_of(LanguageSettings.model_validate(settings))
    assert "me:secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("model", "sees"),
    [
        ("openai:gpt-5-mini", True),
        ("openai:gpt-3.5-turbo", False),
        ("openai:o3-mini", False),
        ("anthropic:claude-haiku-4-5", True),
        ("ollama:qwen2.5vl:7b", True),
        ("ollama:qwen3:8b", False),
        ("ollama:gemma3:4b", True),
        ("ollama:gemma3:1b", False),
        ("ollama:llama3.2-vision", True),
        ("ollama:llama3.2", False),
    ],
)
def test_who_sees_goes_by_the_name(model: str, sees: bool) -> None:
    assert server_of(LanguageSettings(model=model)).sees is sees
    assert server_of(LanguageSettings(model=model, sees="yes")).sees is True


@pytest.mark.parametrize(
    ("url", "near", "here"),
    [
        ("http://localhost:1/v1", True, True),
        ("http://127.0.0.1/v1", True, True),
        ("http://[::1]:8000/v1", True, True),
        ("http://192.168.1.7:8000/v1", True, False),
        ("http://gpu:8000/v1", True, False),
        ("http://gpu.lan/v1", True, False),
        ("https://api.openai.com/v1", False, False),
        ("http://localhost.example.com/v1", False, False),
        ("http://8.8.8.8/v1", False, False),
    ],
)
def test_what_is_near(url: str, near: bool, here: bool) -> None:
    assert is_local(url) is near
    assert is_local(url, this_machine=True) is here


def _ring(monkeypatch: pytest.MonkeyPatch, *, broken: bool = False) -> None:
    """A key ring of the test's own in place of the system's."""
    kept = {("demopack", "MY_KEY"): "from ring"}
    ring, errors = ModuleType("keyring"), ModuleType("keyring.errors")

    class KeyringError(Exception):
        pass

    def get(service: str, name: str) -> str | None:
        if broken:
            raise KeyringError("locked")
        return kept.get((service, name))

    ring.get_password = get  # type: ignore[attr-defined]
    errors.KeyringError = KeyringError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)


def test_the_environment_counts_before_the_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    _ring(monkeypatch)
    monkeypatch.delenv("MY_KEY", raising=False)
    assert find_key("MY_KEY") == "from ring"
    monkeypatch.setenv("MY_KEY", " from shell\n")
    assert find_key("MY_KEY") == "from shell"
    assert find_key("") == ""


@pytest.mark.parametrize("ring", ["none", "locked", "empty"])
def test_a_missing_key_is_told_with_two_ways_out(monkeypatch: pytest.MonkeyPatch, ring: str) -> None:
    monkeypatch.delenv("OTHER_KEY", raising=False)
    if ring == "none":
        monkeypatch.setitem(sys.modules, "keyring", None)
    else:
        _ring(monkeypatch, broken=ring == "locked")
    with pytest.raises(NoKeyError, match="OTHER_KEY") as caught:
        find_key("OTHER_KEY")
    assert "environment variable OTHER_KEY" in caught.value.hint
    assert "keyring set demopack OTHER_KEY" in caught.value.hint


def test_a_key_is_scrubbed() -> None:
    assert scrub("bad key sk-1: sk-1", "sk-1") == "bad key <key>: <key>"
    assert scrub("nothing", "") == "nothing"


def test_prices_are_the_users_then_nothing_at_home_then_the_published_ones() -> None:
    mine = LanguageSettings(model="ollama:x", input_price=1, output_price=2)
    assert prices_of(server_of(mine), mine) == Prices(1.0, 2.0)
    assert Prices(1.0, 2.0).cost(1_000_000, 500_000) == 2.0
    home = LanguageSettings(model="ollama:x")
    assert prices_of(server_of(home), home) == Prices(0.0, 0.0)
    unknown = LanguageSettings(model="x", base_url="https://example.com/v1")
    assert prices_of(server_of(unknown), unknown) is None
    pytest.importorskip("genai_prices", reason="published prices come with the client library")
    known = LanguageSettings(model="openai:gpt-4o-mini")
    assert prices_of(server_of(known), known) == Prices(0.15, 0.6)


def test_a_picture_is_described_without_its_bytes() -> None:
    told = described(picture(40, 30))
    assert {**told, "sha256": ""} == {"what": "before", "width": 40, "height": 30, "sha256": ""}
    assert len(str(told["sha256"])) == 16


def test_pictures_are_estimated_at_their_dearest() -> None:
    screen = PromptImage(png=picture(1920, 1080).png, what="before")
    assert most_tokens(screen, model="gpt-4o-mini") == 2833 + 6 * 5667  # by the published rule: 3 x 2 tiles
    assert most_tokens(screen, model="claude-haiku-4-5") >= 1920 * 1080 / 750
    assert most_tokens(screen, model="gpt-4o") >= 85 + 6 * 170
    assert most_tokens(picture(), model="any") >= 1120


@pytest.mark.parametrize("png", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0" + bytes(40)])
def test_what_is_no_picture_is_told(png: bytes) -> None:
    with pytest.raises(BadInputError, match="“before”"):
        described(PromptImage(png=png, what="before"))


JSON = '{"thought": "a {brace}", "plan": [], "score": null, "sure": true}'


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"  {JSON}\n",
        f"```json\n{JSON}\n```",
        f"Here it is:\n```\n{JSON}\n```\nAnything else?",
        f"Sure. {JSON} I hope it helps.",
        f'<think>{{"thought": 1}} or so</think>{JSON}',
    ],
)
def test_an_answer_is_found_in_its_wrapping(text: str) -> None:
    assert read_answer(text, Reason).thought == "a {brace}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("I would press it.", "not JSON"),
        ('{"thought": "x"', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('["thought"]', "the object"),
        ('{"plan": []}', "thought: Field required"),
        ('{"thought": "x", "mood": "fine"}', "mood: Extra inputs"),
    ],
)
def test_why_an_answer_cannot_be_read_is_said_in_words(text: str, why: str) -> None:
    with pytest.raises(Failure, match=why):
        read_answer(text, Reason)


def test_how_long_is_waited_and_how_often_it_is_asked_again() -> None:
    server = [retry_wait_s(Failure("server", ""), n, chance=0.0) for n in range(7)]
    assert server == [0.5, 1.0, 2.0, 4.0, 8.0, None, None]
    assert retry_wait_s(Failure("busy", "", retry_after=90), 0, chance=0.0) == 90
    assert retry_wait_s(Failure("busy", "", retry_after=900), 0, chance=0.0) is None
    assert [retry_wait_s(Failure("unreadable", ""), n, chance=0.0) for n in range(3)] == [0.0, 0.0, None]
    assert retry_wait_s(Failure("refused", ""), 0, chance=0.0) is None
    gone = [retry_wait_s(Failure("unreachable", ""), n, chance=0.0, was_reached=False) for n in range(2)]
    assert gone == [0.5, None], "a server that was never there is not waited for"
