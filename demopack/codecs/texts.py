"""The sentences of each dialect: files in ``assets/prompting``, each with a version that stands in every prompt made.

A file begins with ``<!-- version: N -->``. Every text has a line ``## name`` above it and may hold ``{{field}}``. A
changed sentence is a new version: prompts are compared, cached and cited by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from demopack.errors import DemopackError
from demopack.resources import asset

_VERSION = re.compile(r"\A<!-- version: (\d+) -->\n")
_HEAD = re.compile(r"^## (\w+)\n", re.MULTILINE)
_FIELD = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The sentences of one dialect.

    Attributes:
        name: of the dialect.
        version: of the file.
        parts: text by name.
    """

    name: str
    version: int
    parts: Mapping[str, str]

    @property
    def stamp(self) -> str:
        """For instance ``caap@1``."""
        return f"{self.name}@{self.version}"

    def get(self, part: str, **fields: object) -> str:
        """One text with its fields filled in; each field must be given, and no other.

        Raises:
            KeyError: there is no such text, or the fields are not its fields: a mistake in the program.
        """
        text = self.parts[part]
        wanted = set(_FIELD.findall(text))
        if wanted != set(fields):
            raise KeyError(f"{self.stamp}/{part} takes {sorted(wanted)}, not {sorted(fields)}")
        return _FIELD.sub(lambda match: str(fields[match.group(1)]), text)


@cache
def texts(name: str) -> Texts:
    """The sentences of a dialect.

    Raises:
        DemopackError: the file is missing or damaged, so the installation is damaged.
    """
    raw = asset(f"prompting/{name}.md").read_text(encoding="utf-8")
    version = _VERSION.match(raw)
    pieces = _HEAD.split(raw)
    if version is None or len(pieces) < 3:
        raise DemopackError(f"demopack's own file prompting/{name}.md is damaged.", hint="Install demopack again.")
    parts = {head: body.strip("\n") for head, body in zip(pieces[1::2], pieces[2::2], strict=True)}
    return Texts(name=name, version=int(version.group(1)), parts=parts)


def function_lines(functions: Iterable[Mapping[str, Any]]) -> str:
    """Function definitions as text, one to a line."""
    return "\n".join(
        f"- {one['name']}({', '.join(one['parameters']['properties'])}): {one['description']}" for one in functions
    )
