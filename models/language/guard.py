"""Watches what goes over the line: no request that tests forbid, and no answer that never ends."""

from __future__ import annotations

import importlib
import os
from collections.abc import AsyncIterator
from typing import Any, Final

from models.language.failures import FailureKind
from models.language.port import LanguageError
from models.language.servers import Server, is_local

__all__ = ["ANSWER_BYTES", "REQUESTS", "UnusableError", "check_allowed", "guarded_client", "line_errors"]

REQUESTS: Final = "DEMOPACK_REQUESTS"
"""Environment variable for tests: ``none`` makes every request an error, ``local`` those that leave the machine."""
ANSWER_BYTES: Final = 1_000_000
_CONNECT_S: Final = 10.0


class UnusableError(Exception):
    """Raised inside the HTTP library; found again at the end of the chain of causes."""

    def __init__(self, kind: FailureKind, words: str) -> None:
        super().__init__(words)
        self.kind: FailureKind = kind


def check_allowed(url: str) -> None:
    """Stop a request that the switch for tests forbids.

    Raises:
        LanguageError: it does.
    """
    switch = os.environ.get(REQUESTS, "")
    if switch == "none" or (switch == "local" and not is_local(url, this_machine=True)):
        raise LanguageError(
            f"A real request to {url} was stopped: {REQUESTS} is “{switch}”.",
            hint="Replay a recording instead, or ask a server of the test's own.",
        )


def line_errors(client: Any) -> tuple[type[Exception], ...]:  # noqa: ANN401 - as below
    """What the HTTP library of a client raises when the line fails."""
    return (_library(client).HTTPError,)


def guarded_client(client: Any, server: Server) -> Any:  # noqa: ANN401 - the SDK's own class, whichever library it is from
    """An HTTP client that checks the switch on every hop, and reads no more than an answer can be.

    Args:
        client: the class of asynchronous clients that the SDK of a service makes by default.
        server: who will be asked.
    """
    library = _library(client)

    class Bounded(library.AsyncByteStream):  # type: ignore[misc, name-defined]  # its base is known when the SDK is
        """A body that ends with an error where it is too long."""

        def __init__(self, inner: Any) -> None:  # noqa: ANN401 - the library's
            self._inner = inner

        async def __aiter__(self) -> AsyncIterator[bytes]:
            read = 0
            async for chunk in self._inner:
                read += len(chunk)
                if read > ANSWER_BYTES:
                    raise UnusableError("oversize", f"the answer is longer than {ANSWER_BYTES} bytes")
                yield chunk

        async def aclose(self) -> None:
            await self._inner.aclose()

    async def before(request: Any) -> None:  # noqa: ANN401 - the library's
        check_allowed(str(request.url))

    async def after(response: Any) -> None:  # noqa: ANN401 - the library's
        if response.status_code == 200:
            sort = str(response.headers.get("content-type", "")).split(";")[0].strip().lower()
            if not sort.endswith("json"):
                raise UnusableError("type", f"the content type is {sort or 'not given'}")
        response.stream = Bounded(response.stream)

    return client(
        event_hooks={"request": [before], "response": [after]},
        headers={"Accept-Encoding": "identity"},  # or a small answer could unpack to a large one
        timeout=library.Timeout(None, connect=_CONNECT_S),
        trust_env=not is_local(server.base_url, this_machine=True),  # a proxy knows nothing of this machine's own ports
    )


def _library(client: Any) -> Any:  # noqa: ANN401 - as above
    name = next(one.__module__ for one in client.__mro__ if one.__name__ == "AsyncClient")
    return importlib.import_module(name.split(".", maxsplit=1)[0])
