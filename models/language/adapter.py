"""The one place that knows pydantic-ai and the clients of the services: sends one question once, and names what fails.

Retries, budget and cache are the client's business, so the libraries' own retries are off: each attempt here is one
HTTP request.
"""

from __future__ import annotations

import asyncio
import re
import warnings
from typing import Any, Final

from models.language.answers import asked_in_words
from models.language.failures import Failure, FailureKind
from models.language.guard import UnusableError, check_allowed, guarded_client, line_errors
from models.language.keys import scrub
from models.language.port import LanguageError, Usage
from models.language.questions import Question
from models.language.servers import Server
from models.language.wire import Reply, Wire

__all__ = ["connect"]

_GRACE_S: Final = 5.0
"""The HTTP library's own clock must not strike before ours."""
_THINKING: Final = re.compile(r"(?:openai|azure):(?:o\d|gpt-[5-9])|google:(?:models/)?gemini-(?:2\.5|[3-9])")
_WORDS: Final = 2000
"""Characters of an error that are kept."""


def connect(server: Server, key: str) -> Wire:
    """The connection to a server; nothing is sent yet.

    Raises:
        ImportError: the library for it is not installed, or not one that we know.
    """
    # It tells programmers what it left out of a request, for instance a temperature that a model does not take.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"pydantic_ai\..*")
    makers = {"openai": _openai, "anthropic": _anthropic, "google": _google}
    return makers[server.protocol](server, key)


class _ModelWire:
    """Satisfies :class:`Wire` for every model class of the library."""

    def __init__(self, model: Any, http: Any, *, server: Server, key: str) -> None:  # noqa: ANN401 - optional libraries
        self._model = model
        self._http = http
        self._server = server
        self._key = key
        # Some releases of the SDKs let the HTTP library's own errors through.
        self._line_errors = line_errors(type(http)) if http is not None else ()

    async def ask(self, question: Question, *, schema: bool, again: tuple[str, str] | None, timeout_s: float) -> Reply:
        check_allowed(self._server.base_url)
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError

        failed: tuple[type[Exception], ...] = (ModelAPIError, UnusableError, *self._line_errors)
        try:
            async with asyncio.timeout(timeout_s):
                answer = await self._send(question, schema=schema, again=again, timeout_s=timeout_s)
        except TimeoutError as error:
            raise Failure("timeout", f"no answer within {timeout_s:g} s", billed=True) from error
        except UserError as error:  # the library knows that this model takes no schemas
            raise Failure("rejected", self._clean(str(error))) from error
        except UnexpectedModelBehavior as error:
            raise self._named(error, "unreadable") from error
        except failed as error:
            raise self._named(error, "server") from error
        return self._reply(answer)

    async def close(self) -> None:
        if self._http is not None:
            await self._http.aclose()

    async def _send(self, question: Question, *, schema: bool, again: tuple[str, str] | None, timeout_s: float) -> Any:  # noqa: ANN401 - the library's
        from pydantic_ai.direct import model_request
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition
        from pydantic_ai.settings import ModelSettings

        settings = ModelSettings(temperature=question.temperature, timeout=timeout_s + _GRACE_S)
        if _THINKING.match(self._server.name):
            # Left to themselves they think for longer than any answer here is.
            settings["thinking"] = "low"
        if self._server.kind in {"openai", "azure"} or self._server.protocol != "openai":
            settings["max_tokens"] = question.max_tokens
        else:
            # The library would send OpenAI's newer name for it, which most other servers ignore.
            settings["extra_body"] = {"max_tokens": question.max_tokens}
        parameters = ModelRequestParameters()
        if schema:
            wanted = OutputObjectDefinition(json_schema=question.schema, name=question.title, strict=True)
            parameters = ModelRequestParameters(output_mode="native", output_object=wanted)
        return await model_request(
            self._model,
            _messages(question, schema=schema, again=again),
            model_settings=settings,
            model_request_parameters=parameters,
        )

    def _reply(self, answer: Any) -> Reply:  # noqa: ANN401 - the library's
        told = answer.usage
        usage = None
        if told.input_tokens or told.output_tokens:
            usage = Usage(input_tokens=told.input_tokens, output_tokens=told.output_tokens, cost=None)
        if answer.finish_reason == "content_filter":
            details: dict[str, Any] = answer.provider_details or {}
            words = str(details.get("refusal") or "its filter held the answer back")
            raise Failure("refused", self._clean(words), billed=True, usage=usage)
        text = "".join(part.content for part in answer.parts if part.part_kind == "text")
        model = str(answer.model_name or self._server.model)
        return Reply(text=text, model=model, usage=usage, ended=answer.finish_reason != "length")

    def _named(self, error: BaseException, otherwise: FailureKind) -> Failure:
        words = self._clean(str(error))
        for cause in _causes(error):
            if isinstance(cause, LanguageError):
                raise cause
            if isinstance(cause, UnusableError):
                return Failure(cause.kind, str(cause), billed=cause.kind == "oversize")
        status: object = getattr(error, "status_code", None)
        if isinstance(status, int):
            after: object = getattr(error, "retry_after", None)
            wait = float(after) if isinstance(after, (int, float)) else None
            return Failure(_kind_of(status, words), words, retry_after=wait)
        names = " ".join(type(cause).__name__ for cause in _causes(error))
        if "ConnectError" in names or "ConnectTimeout" in names:
            return Failure("unreachable", words)
        if "Timeout" in names:
            return Failure("timeout", words, billed=True)
        return Failure("cut" if "Connection" in names else otherwise, words, billed=True)

    def _clean(self, words: str) -> str:
        return scrub(words, self._key)[:_WORDS]


def _messages(question: Question, *, schema: bool, again: tuple[str, str] | None) -> list[Any]:
    from pydantic_ai.messages import (
        BinaryContent,
        ModelRequest,
        ModelResponse,
        SystemPromptPart,
        TextPart,
        UserPromptPart,
    )

    system = question.system if schema else f"{question.system}\n\n{asked_in_words(question.schema)}".strip()
    parts = [
        part if isinstance(part, str) else BinaryContent(data=part.png, media_type="image/png")
        for part in question.parts
    ]
    messages: list[Any] = [ModelRequest(parts=[SystemPromptPart(system), UserPromptPart(parts)])]
    if again is not None:
        said, wrong = again
        if said.strip():  # an empty turn of the model is refused by some servers
            messages.append(ModelResponse(parts=[TextPart(said)]))
        messages.append(ModelRequest(parts=[UserPromptPart(wrong)]))
    return messages


def _kind_of(status: int, words: str) -> FailureKind:
    if status == 429:
        return "quota" if "insufficient_quota" in words or "billing" in words else "busy"
    if "content_filter" in words or "content_policy" in words:
        return "refused"
    named: dict[int, FailureKind] = {401: "key", 402: "quota", 403: "key", 404: "missing", 408: "timeout", 409: "busy"}
    return named.get(status, "server" if status >= 500 else "rejected")


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    while error not in found:
        found.append(error)
        cause = error.__cause__ or error.__context__
        if cause is None:
            break
        error = cause
    return found


def _openai(server: Server, key: str) -> Wire:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    http = guarded_client(DefaultAsyncHttpxClient, server)
    # The library takes any word for a key, but not none; ours keeps it from looking into the environment by itself.
    client = AsyncOpenAI(base_url=server.base_url, api_key=key or "none", max_retries=0, http_client=http)
    model = OpenAIChatModel(server.model, provider=OpenAIProvider(openai_client=client))
    return _ModelWire(model, http, server=server, key=key)


def _anthropic(server: Server, key: str) -> Wire:
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    http = guarded_client(DefaultAsyncHttpxClient, server)
    client = AsyncAnthropic(base_url=server.base_url, api_key=key, max_retries=0, http_client=http)
    model = AnthropicModel(server.model, provider=AnthropicProvider(anthropic_client=client))
    return _ModelWire(model, http, server=server, key=key)


def _google(server: Server, key: str) -> Wire:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    model = GoogleModel(server.model, provider=GoogleProvider(api_key=key, base_url=server.base_url))
    return _ModelWire(model, None, server=server, key=key)
