"""Services of language models: usual addresses, keys, which of their models see, and prices."""

from __future__ import annotations

import importlib
import ipaddress
import os
import re
from dataclasses import dataclass, replace
from typing import Final, Literal
from urllib.parse import urlsplit

from demopack.errors import BadInputError
from demopack.settings import LanguageSettings
from models.language.port import NoKeyError

Protocol = Literal["openai", "anthropic", "google"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """One model at one server; a kind of server, where it names no model.

    Attributes:
        kind: a key of :data:`SERVICES`.
        model: its name there.
        protocol: what the server speaks.
        base_url: where it is, without a slash at the end; empty where that must be given or is the library's business.
        key: name of its key, an environment variable or an entry of the key ring; empty where none is needed.
        sees: whether it takes pictures.
    """

    kind: str = ""
    model: str = ""
    protocol: Protocol = "openai"
    base_url: str = ""
    key: str = ""
    sees: bool = False

    @property
    def name(self) -> str:
        """``kind:model``, as in provenance."""
        return f"{self.kind}:{self.model}"


SERVICES: Final[dict[str, Server]] = {
    "openai": Server(base_url="https://api.openai.com/v1", key="OPENAI_API_KEY"),
    "azure": Server(key="AZURE_OPENAI_API_KEY"),
    "anthropic": Server(protocol="anthropic", base_url="https://api.anthropic.com", key="ANTHROPIC_API_KEY"),
    "google": Server(protocol="google", base_url="https://generativelanguage.googleapis.com", key="GOOGLE_API_KEY"),
    "ollama": Server(base_url="http://127.0.0.1:11434/v1"),
    "vllm": Server(base_url="http://127.0.0.1:8000/v1"),
    "llama.cpp": Server(base_url="http://127.0.0.1:8080/v1"),
    "lmstudio": Server(base_url="http://127.0.0.1:1234/v1"),
    "server": Server(),
}
"""By the word before the colon; ``server`` is any other with OpenAI's protocol."""

_SEEING = re.compile(
    r"gpt-(?:4o|4\.1|4\.5|4-turbo|[5-9])|\bo[34]\b|chatgpt|claude|gemini|gemma-?[34]|llama-?(?:4|3\.2-vision)|llava|pixtral"
    r"|mistral-(?:small-3|medium-3|large-3)|[-_.\d]vl\b|vision|minicpm-v|moondream|ui-tars|phi-?[34].*(?:vision|multimodal)"
    r"|internvl|molmo|holo\d|qwen3\.5",
    re.IGNORECASE,
)
_BLIND = re.compile(r"gpt-3\.5|o3-mini|gpt-oss|claude-(?:2|instant)|gemma-?3:?-?(?:270m|1b)", re.IGNORECASE)
_INSIDE = (".local", ".lan", ".internal", ".home.arpa")


def server_of(settings: LanguageSettings) -> Server:
    """The server that the settings mean.

    A model without a service before its colon is at the given address, or at OpenAI's when there is none.

    Raises:
        BadInputError: no model, no such service, no address where one is needed, or an address that is none.
    """
    given = settings.model.strip()
    kind, colon, model = given.partition(":")
    if not colon or kind not in SERVICES:  # names of Ollama's have colons, too, and those of tuned models of OpenAI's
        if colon and not settings.base_url and kind != "ft":
            raise BadInputError(
                f"There is no service “{kind}” (setting language.model).",
                hint=f"Write SERVICE:MODEL with one of {', '.join(SERVICES)}, or give language.base_url.",
            )
        kind, model = ("server" if settings.base_url else "openai"), given
    if not model:
        raise BadInputError(
            "No language model is chosen (setting language.model).",
            hint="For instance openai:gpt-5-mini, anthropic:claude-haiku-4-5 or ollama:qwen2.5vl:7b.",
        )
    service = SERVICES[kind]
    base_url = (settings.base_url or service.base_url).rstrip("/")
    if not base_url:
        raise BadInputError(
            f"The setting language.base_url is missing: {kind} has no usual address.",
            hint="Give it, for instance https://NAME.openai.azure.com/openai/v1 or http://127.0.0.1:8000/v1.",
        )
    address = urlsplit(base_url)
    if address.scheme not in {"http", "https"} or not address.hostname or "@" in address.netloc:
        raise BadInputError(
            "The setting language.base_url is no address of a server.",
            hint="It begins with http:// or https:// and holds no name, password or key.",
        )
    key = settings.key or service.key
    sees = _SEEING.search(model) is not None and _BLIND.search(model) is None
    if key and address.scheme == "http" and not is_local(base_url):
        raise BadInputError(
            f"The setting language.base_url would send the key {key} unencrypted over the internet.",
            hint="Use an address that begins with https://.",
        )
    sees = sees if settings.sees == "auto" else settings.sees == "yes"
    return replace(service, kind=kind, model=model, base_url=base_url, key=key, sees=sees)


def is_local(base_url: str, *, this_machine: bool = False) -> bool:
    """Whether a server is on this machine or, unless only that is meant, in a private network."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return not this_machine and ("." not in host or host.endswith(_INSIDE))
    return address.is_loopback or (not this_machine and address.is_private)


_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars for a million tokens of the question and of the answer."""

    question: float
    answer: float

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Dollars."""
        return (input_tokens * self.question + output_tokens * self.answer) / _MILLION


def prices_of(server: Server, settings: LanguageSettings) -> Prices | None:
    """The prices of a model; None when nobody knows them.

    A server on this machine or in a private network costs nothing unless the settings say otherwise.
    """
    if settings.input_price >= 0 or settings.output_price >= 0:
        return Prices(max(settings.input_price, 0.0), max(settings.output_price, 0.0))
    if is_local(server.base_url):
        return Prices(0.0, 0.0)
    # The price list that comes with the client library; the dearest step where prices rise with length.
    try:
        book = importlib.import_module("genai_prices")
    except ImportError:
        return None
    usages = [book.Usage(input_tokens=_MILLION, output_tokens=0), book.Usage(input_tokens=0, output_tokens=_MILLION)]
    try:
        prices = [book.calc_price(usage, server.model, provider_id=server.kind) for usage in usages]
    except (LookupError, ValueError):
        return None
    return Prices(*(float(price.total_price) for price in prices))


SERVICE: Final = "demopack"
"""Under this name the key ring keeps what belongs to this program."""


def find_key(name: str) -> str:
    """The key of that name: the environment counts first, then the key ring.

    Args:
        name: for instance ``OPENAI_API_KEY``; empty where no key is needed.

    Raises:
        NoKeyError: it is in neither.
    """
    if not name:
        return ""
    key = os.environ.get(name, "").strip() or key_in_ring(name).strip()
    if not key:
        raise NoKeyError(
            f"There is no key for the language model: {name} is neither in the environment nor in the key ring.",
            hint=f"Set the environment variable {name}, or keep it with: keyring set {SERVICE} {name}",
        )
    return key


def scrub(text: str, key: str) -> str:
    """A text without the key, should a server have repeated it."""
    return text.replace(key, "<key>") if key else text


def key_in_ring(name: str) -> str:
    """What the system's key ring keeps under a name for this program; empty where there is nothing, or no key ring."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        return keyring.get_password(SERVICE, name) or ""
    except (KeyringError, OSError, RuntimeError):  # no ring, or it stays locked: the same as no key
        return ""
