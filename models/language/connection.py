"""Connection to a server: sends one question once through pydantic-ai, and names what fails.

Retries, budget and cache are the client's business, so the libraries' own retries are off: each attempt is one HTTP
request. The libraries are loaded by the first question.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import os
import re
import warnings
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from models.language.port import (
    TEMPERATURE,
    AnswerError,
    ChatMessage,
    LanguageError,
    LanguageRequest,
    NoKeyError,
    RefusedError,
    ServerError,
    Usage,
)
from models.language.servers import Server, is_local, scrub

_NEEDED: Final = {"openai": "openai", "anthropic": "anthropic", "google": "google.genai"}
_REQUESTS: Final = "DEMOPACK_REQUESTS"
"""Environment variable for tests: ``none`` makes every request an error, ``local`` those that leave the machine."""
_ANSWER_BYTES: Final = 1_000_000
_CONNECT_S: Final = 10.0
_GRACE_S: Final = 5.0
"""The HTTP library's own clock must not strike before ours."""
_THINKING: Final = re.compile(r"(?:openai|azure):(?:o\d|gpt-[5-9])|google:(?:models/)?gemini-(?:2\.5|[3-9])")
_SECRET: Final = 12
"""Letters; a shorter key is a word such as EMPTY, which an answer may well hold."""
_ERROR_CHARACTERS: Final = 2000


FailureKind = Literal[
    "busy", "server", "timeout", "cut", "unreachable", "unreadable", "oversize", "type", "refused", "key", "quota",
    "rejected", "missing",
]  # fmt: skip

_LONGEST_S: Final = 300.0
"""A server that asks for a longer wait than this is given up."""
_PATIENT: Final = 6
"""Attempts where the failure may pass; each comes after a longer wait than the one before."""
_FIRST: Final = 2
"""Attempts to reach a server that has not said anything yet."""


class _Handling(NamedTuple):
    """What the user reads, and how many attempts there are."""

    what: str
    hint: str
    error: type[LanguageError] = ServerError
    attempts: int = 1


_HANDLING: Final[dict[FailureKind, _Handling]] = {
    "busy": _Handling(
        "takes no more requests for now",
        "Wait a while, or set fewer requests at once (language.in_flight).",
        attempts=_PATIENT,
    ),
    "server": _Handling("went on failing", "Try again later.", attempts=_PATIENT),
    "timeout": _Handling(
        "did not answer in time", "Try again, or set a longer time (language.timeout_s).", attempts=_PATIENT
    ),
    "cut": _Handling("broke off its answers", "Try again later.", attempts=_PATIENT),
    "unreachable": _Handling(
        "cannot be reached", "Check that it runs, the network, and language.base_url.", attempts=_PATIENT
    ),
    "unreadable": _Handling(
        "gave answers that are not what was asked for", "Try again, or choose another model.", AnswerError, attempts=3
    ),
    "oversize": _Handling(
        "gave an answer without end", "Check language.base_url, or choose another model.", AnswerError, attempts=3
    ),
    "type": _Handling(
        "answered with something other than JSON",
        "Check language.base_url: for most servers it ends with /v1.",
        AnswerError,
        attempts=3,
    ),
    "refused": _Handling(
        "refused to answer this request", "Write this step by hand, or choose another model.", RefusedError
    ),
    "key": _Handling("did not accept the key", "Check the key, and that it may use this model.", NoKeyError),
    "quota": _Handling("has no credit left for this key", "Top it up at the provider, then go on."),
    "rejected": _Handling(
        "does not accept the request", "Check language.model and what it can do; the details say more."
    ),
    "missing": _Handling("does not exist at that server", "Check language.model and language.base_url."),
}


@dataclass(eq=False)
class Failure(Exception):  # noqa: N818 - never leaves the client; what does is an Error
    """One attempt that gave no text.

    Attributes:
        kind: what it was.
        words: the server's or the library's own, without the key.
        retry_after: seconds that the server asks to wait; None when it asked for nothing.
        billed: whether it may have been charged all the same.
        usage: what it took, where the server said so.
    """

    kind: FailureKind
    words: str
    retry_after: float | None = None
    billed: bool = False
    usage: Usage | None = None

    def __str__(self) -> str:
        return self.words


def retry_wait_s(failure: Failure, earlier: int, *, chance: float, was_reached: bool = True) -> float | None:
    """Seconds until the next attempt; None to give up.

    Args:
        failure: the latest.
        earlier: how many of its kind came before it in this request.
        chance: a number from 0 to 1 that spreads the waits, so that not all come back at once.
        was_reached: whether the server ever said anything; one that did not is hardly away for a moment.
    """
    handling = _HANDLING[failure.kind]
    if earlier + 1 >= (handling.attempts if was_reached else min(handling.attempts, _FIRST)):
        return None
    if handling.attempts < _PATIENT:
        return 0.0
    if failure.retry_after is not None:
        return failure.retry_after if failure.retry_after <= _LONGEST_S else None
    return 2.0**earlier * (0.5 + 0.5 * chance)


def error_of(failure: Failure, name: str) -> LanguageError:
    """The sentence for the user when the last attempt has failed."""
    what, hint, error, *_ = _HANDLING[failure.kind]
    if failure.retry_after is not None:
        hint = f"It asks to be left alone for {failure.retry_after:.0f} s. {hint}"
    return error(
        f"The language model {name} {what}; what was written before is safe.", details=failure.words, hint=hint
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back.

    Attributes:
        text: what the model wrote.
        model: the name that the server gives itself.
        usage: tokens; None where the server does not count.
        ended: whether the answer ran to its own end, and not into the limit of tokens.
    """

    text: str
    model: str
    usage: Usage | None
    ended: bool


class ServerConnection:
    """Sends questions to one model; to be used from one event loop."""

    def __init__(self, server: Server, key: str) -> None:
        """Prepare; nothing is sent.

        Raises:
            LanguageError: the library for the server is not installed.
        """
        for module in ("pydantic_ai", _NEEDED[server.protocol]):
            try:
                found = importlib.util.find_spec(module)
            except ModuleNotFoundError:  # not even the package around it
                found = None
            if found is None:
                raise _not_installed(server, f"No module named {module!r}")
        self._server = server
        self._key = key
        self._loading = asyncio.Lock()
        self._model: Any = None
        self._http: Any = None
        self._line_errors: tuple[type[Exception], ...] = ()

    async def ask(
        self, request: LanguageRequest[Any], *, schema: bool, again: tuple[str, str] | None, timeout_s: float
    ) -> Reply:
        """Ask once.

        Args:
            request: what.
            schema: send the schema beside the prompt; otherwise it stands in the prompt.
            again: the last answer and what was wrong with it, when asked once more.
            timeout_s: longest wait; the time for loading the libraries is not counted.

        Raises:
            Failure: there is no reply.
            LanguageError: the switch for tests forbids it.
        """
        async with self._loading:
            if self._model is None:
                await asyncio.to_thread(self._load)
        _check_allowed(self._server.base_url)
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError

        failed: tuple[type[Exception], ...] = (ModelAPIError, *self._line_errors)
        try:
            async with asyncio.timeout(timeout_s):
                answer = await self._send(request, schema=schema, again=again, timeout_s=timeout_s)
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
        """Free the connections."""
        if self._http is not None:
            await self._http.aclose()

    def _load(self) -> None:
        # It tells programmers what it left out of a request, for instance a temperature that a model does not take.
        warnings.filterwarnings("ignore", category=UserWarning, module=r"pydantic_ai\..*")
        server = self._server
        try:
            importlib.import_module("pydantic_ai.direct")  # the time for it must not count as the server's
            if server.protocol == "google":
                from pydantic_ai.models.google import GoogleModel
                from pydantic_ai.providers.google import GoogleProvider

                provider = GoogleProvider(api_key=self._key, base_url=server.base_url)
                self._model = GoogleModel(server.model, provider=provider)
                return
            sdk = importlib.import_module(server.protocol)
            # Which HTTP library a SDK uses depends on its release; some let that library's own errors through.
            client_class = next(one for one in sdk.DefaultAsyncHttpxClient.__mro__ if one.__name__ == "AsyncClient")
            library = importlib.import_module(client_class.__module__.split(".", maxsplit=1)[0])
            self._line_errors = (library.HTTPError,)
            self._http = _guarded_client(sdk.DefaultAsyncHttpxClient, library, server)
            given = {"base_url": server.base_url, "max_retries": 0, "http_client": self._http}
            if server.protocol == "anthropic":
                from pydantic_ai.models.anthropic import AnthropicModel
                from pydantic_ai.providers.anthropic import AnthropicProvider

                client = sdk.AsyncAnthropic(api_key=self._key, **given)
                self._model = AnthropicModel(server.model, provider=AnthropicProvider(anthropic_client=client))
                return
            from pydantic_ai.models.openai import OpenAIChatModel
            from pydantic_ai.providers.openai import OpenAIProvider

            # The library takes any word for a key, but not none; ours keeps it from looking into the environment.
            client = sdk.AsyncOpenAI(api_key=self._key or "none", **given)
            self._model = OpenAIChatModel(server.model, provider=OpenAIProvider(openai_client=client))
        except ImportError as error:
            raise _not_installed(server, str(error)) from error

    async def _send(
        self, request: LanguageRequest[Any], *, schema: bool, again: tuple[str, str] | None, timeout_s: float
    ) -> Any:  # noqa: ANN401 - the library's
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import (
            BinaryContent,
            ModelRequest,
            ModelResponse,
            SystemPromptPart,
            TextPart,
            UserPromptPart,
        )
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition
        from pydantic_ai.settings import ModelSettings

        settings = ModelSettings(temperature=TEMPERATURE, timeout=timeout_s + _GRACE_S)
        if _THINKING.match(self._server.name):
            # Left to themselves they think for longer than any answer here is.
            settings["thinking"] = "low"
        if self._server.kind in {"openai", "azure"} or self._server.protocol != "openai":
            settings["max_tokens"] = request.max_tokens
        else:
            # The library would send OpenAI's newer name for it, which most other servers ignore.
            settings["extra_body"] = {"max_tokens": request.max_tokens}
        system, parameters = request.system, ModelRequestParameters()
        if schema and not request.is_plain:
            wanted = OutputObjectDefinition(json_schema=request.schema, name=request.answer.__name__, strict=True)
            parameters = ModelRequestParameters(output_mode="native", output_object=wanted)
        elif not request.is_plain:
            system = (
                f"{system}\n\nAnswer with one JSON object and nothing else: no explanation, no code fence. "
                f"It follows this JSON schema:\n{json.dumps(request.schema, ensure_ascii=False)}"
            ).strip()
        talk = [*request.earlier, ChatMessage(role="user", parts=request.parts)]
        if again is not None:
            said, wrong = again
            if said.strip():  # an empty turn of the model is refused by some servers
                talk.append(ChatMessage(role="assistant", parts=(said,)))
            talk.append(ChatMessage(role="user", parts=(wrong,)))
        messages: list[Any] = []
        asked: list[Any] = [SystemPromptPart(system)] if system else []
        for message in talk:
            if message.role == "assistant":
                messages += [ModelRequest(parts=asked)] if asked else []
                words = [TextPart(part) for part in message.parts if isinstance(part, str)]
                messages.append(ModelResponse(parts=words))
                asked = []
                continue
            content = [
                part if isinstance(part, str) else BinaryContent(data=part.png, media_type="image/png")
                for part in message.parts
            ]
            # Plain text is what every server takes.
            only = content[0] if len(content) == 1 else content
            asked.append(UserPromptPart(only if isinstance(only, str) else content))
        messages.append(ModelRequest(parts=asked))
        return await model_request(self._model, messages, model_settings=settings, model_request_parameters=parameters)

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
        if len(self._key) >= _SECRET:
            text = scrub(text, self._key)
        return Reply(text=text, model=model, usage=usage, ended=answer.finish_reason != "length")

    def _named(self, error: BaseException, otherwise: FailureKind) -> Failure:
        words, causes = self._clean(str(error)), _causes(error)
        for cause in causes:
            if isinstance(cause, LanguageError):
                raise cause
            if isinstance(cause, Failure):  # raised inside the HTTP library
                return cause
        status: object = getattr(error, "status_code", None)
        if isinstance(status, int):
            after: object = getattr(error, "retry_after", None)
            wait = float(after) if isinstance(after, (int, float)) else None
            return Failure(_kind_of(status, words), words, retry_after=wait)
        names = " ".join(type(cause).__name__ for cause in causes)
        if "ConnectError" in names or "ConnectTimeout" in names:
            return Failure("unreachable", words)
        if "Timeout" in names:
            return Failure("timeout", words, billed=True)
        return Failure("cut" if "Connection" in names else otherwise, words, billed=True)

    def _clean(self, words: str) -> str:
        return scrub(words, self._key)[:_ERROR_CHARACTERS]


def _not_installed(server: Server, details: str) -> LanguageError:
    needed = "'demopack[language]'"
    if server.protocol != "openai":
        needed += f" 'pydantic-ai-slim[{server.protocol}]'"
    return LanguageError(
        f"The library for language models of {server.kind} is not installed.",
        details=details,
        hint=f"Install it: pip install {needed}",
    )


def _check_allowed(url: str) -> None:
    switch = os.environ.get(_REQUESTS, "")
    if switch == "none" or (switch == "local" and not is_local(url, this_machine=True)):
        raise LanguageError(
            f"A real request to {url} was stopped: {_REQUESTS} is “{switch}”.",
            hint="Ask a server of the test's own.",
        )


def _guarded_client(client: Any, library: Any, server: Server) -> Any:  # noqa: ANN401 - the libraries'
    """An HTTP client that checks the switch on every hop, and reads no more than an answer can be."""

    class Bounded(library.AsyncByteStream):  # type: ignore[misc]  # its base is known when the SDK is
        """A body that ends with an error where it is too long."""

        def __init__(self, inner: Any) -> None:  # noqa: ANN401 - the library's
            self._inner = inner

        async def __aiter__(self) -> AsyncIterator[bytes]:
            read = 0
            async for chunk in self._inner:
                read += len(chunk)
                if read > _ANSWER_BYTES:
                    raise Failure("oversize", f"the answer is longer than {_ANSWER_BYTES} bytes", billed=True)
                yield chunk

        async def aclose(self) -> None:
            await self._inner.aclose()

    async def before(request: Any) -> None:  # noqa: ANN401 - the library's
        _check_allowed(str(request.url))

    async def after(response: Any) -> None:  # noqa: ANN401 - the library's
        if response.status_code == 200:
            sort = str(response.headers.get("content-type", "")).split(";")[0].strip().lower()
            if not sort.endswith("json"):
                raise Failure("type", f"the content type is {sort or 'not given'}")
        response.stream = Bounded(response.stream)

    return client(
        event_hooks={"request": [before], "response": [after]},
        headers={"Accept-Encoding": "identity"},  # or a small answer could unpack to a large one
        timeout=library.Timeout(None, connect=_CONNECT_S),
        trust_env=not is_local(server.base_url, this_machine=True),  # a proxy knows nothing of this machine's own ports
    )


def _kind_of(status: int, words: str) -> FailureKind:
    if status == 429:
        return "quota" if "insufficient_quota" in words or "billing" in words else "busy"
    if "content_filter" in words or "content_policy" in words:
        return "refused"
    named: dict[int, FailureKind] = {401: "key", 402: "quota", 403: "key", 404: "missing", 408: "timeout", 409: "busy"}
    return named.get(status, "server" if status >= 500 else "rejected")


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in found:
        found.append(cause)
        cause = cause.__cause__ or cause.__context__
    return found
