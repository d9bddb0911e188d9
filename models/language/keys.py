"""Where keys are: in the environment, or in the system's key ring. They are never written anywhere else."""

from __future__ import annotations

import importlib
import os
from typing import Any, Final

from models.language.port import LanguageError, NoKeyError

__all__ = ["find_key", "forget_key", "keep_key", "scrub"]

_SERVICE: Final = "demopack"


def find_key(name: str) -> str:
    """The key of that name: the environment counts first, then the key ring.

    Args:
        name: for instance ``OPENAI_API_KEY``; empty where no key is needed.

    Raises:
        NoKeyError: it is in neither.
    """
    if not name:
        return ""
    key = os.environ.get(name, "").strip() or _from_ring(name).strip()
    if not key:
        raise NoKeyError(
            f"There is no key for the language model: {name} is neither in the environment nor in the key ring.",
            hint=f"Set the environment variable {name}, or keep it with: keyring set {_SERVICE} {name}",
        )
    return key


def keep_key(name: str, key: str) -> None:
    """Put a key into the system's key ring.

    Raises:
        LanguageError: this system has no key ring that could be used.
    """
    ring = _ring()
    if ring is None:
        raise _no_ring(name, "keyring is not installed")
    try:
        ring.set_password(_SERVICE, name, key)
    except _ring_errors() as error:
        raise _no_ring(name, str(error)) from error


def forget_key(name: str) -> None:
    """Take a key out of the key ring; nothing happens where there is none."""
    ring = _ring()
    if ring is None:
        return
    try:
        if ring.get_password(_SERVICE, name) is not None:
            ring.delete_password(_SERVICE, name)
    except _ring_errors() as error:
        raise _no_ring(name, str(error)) from error


def scrub(text: str, key: str) -> str:
    """A text without the key, should a server have repeated it."""
    return text.replace(key, "<key>") if key else text


def _from_ring(name: str) -> str:
    ring = _ring()
    if ring is None:
        return ""
    try:
        found: str | None = ring.get_password(_SERVICE, name)
    except _ring_errors():
        return ""  # no ring, or it stays locked: the same as no key
    return found or ""


def _ring() -> Any:  # noqa: ANN401 - an optional library
    try:
        return importlib.import_module("keyring")
    except ImportError:
        return None


def _ring_errors() -> tuple[type[Exception], ...]:
    errors = importlib.import_module("keyring.errors")
    return (errors.KeyringError, OSError, RuntimeError)


def _no_ring(name: str, details: str) -> LanguageError:
    return LanguageError(
        "The system's key ring cannot be used.", details=details, hint=f"Set the environment variable {name} instead."
    )
