"""Prompts are files: versioned, in sections, and a person's own copy in the settings folder wins.

A prompt is a TOML file with ``id``, ``version``, ``title``, ``system`` and a list of ``sections``. A section has a
``name``, a ``text`` in which ``{word}`` stands for what the program fills in, and maybe a ``picture`` that follows it.
A section is left out when something it is to be filled with is empty, or when the model sees no pictures.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError

from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.resources import asset
from demopack.settings import settings_path
from models.language.port import LanguageRequest, PromptImage, T

_SLOT: Final = re.compile(r"\{([a-z_]+)\}")
_ID: Final = r"^[a-z_]+/[a-z_]+$"


class PromptSection(Record):
    """One section.

    Attributes:
        name: of the section, for the preview.
        text: with ``{word}`` where something is filled in.
        picture: name of the picture that follows the text; empty for none.
    """

    name: str = Field(min_length=1)
    text: str = Field(min_length=1)
    picture: str = ""


class PromptFile(Record):
    """What a file holds.

    Attributes:
        id: folder and name of the file, for instance ``writer/thought``.
        version: raised with every change of the words.
        title: what it asks for, for a person.
        system: what holds for every question of the kind.
        sections: in the order in which the model reads them.
    """

    id: str = Field(pattern=_ID)
    version: int = Field(ge=1)
    title: str = ""
    system: str = Field(min_length=1)
    sections: tuple[PromptSection, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTemplate:
    """A prompt that was read and found good.

    Attributes:
        key: id and version, with a fingerprint when it is a person's own, for instance ``writer/thought@1``.
        file: what it says.
        path: where it was read.
    """

    key: str
    file: PromptFile
    path: Path

    def fill(
        self,
        answer: type[T],
        values: Mapping[str, str],
        *,
        pictures: Mapping[str, tuple[PromptImage, ...]],
        max_tokens: int = 800,
        subject: str = "",
    ) -> LanguageRequest[T]:
        """The question for the port, with what belongs to this one put in.

        Args:
            answer: a flat record: the fields of the answer.
            values: slot -> text; a section with an empty one is left out.
            pictures: name -> pictures; a section with none of its name is left out.
            max_tokens: the longest answer.
            subject: demo and step, for the log.

        Raises:
            BadInputError: a section wants something that does not exist; it names file, section and what there is.
        """

        def put_in(slot: re.Match[str]) -> str:
            return values[slot.group(1)]

        parts: list[str | PromptImage] = []
        headings: list[str] = []
        for section in self.file.sections:
            slots = _SLOT.findall(section.text)
            for name in slots:
                if name not in values:
                    where = f"The section “{section.name}” of the prompt {self.path}"
                    known = ", ".join(f"{{{word}}}" for word in sorted(values))
                    raise BadInputError(
                        f"{where} asks for {{{name}}}, which does not exist.", hint=f"There is {known}."
                    )
            shown = pictures.get(section.picture, ()) if section.picture else ()
            if all(values[name] for name in slots) and (shown or not section.picture):
                # One pass: what is filled in may hold braces of its own.
                parts += [_SLOT.sub(put_in, section.text).strip(), *shown]
                headings.append(section.name)
        return LanguageRequest(
            prompt=self.key, system=self.file.system.strip(), parts=tuple(parts), answer=answer, max_tokens=max_tokens,
            subject=subject, headings=tuple(headings),
        )  # fmt: skip


class PromptCatalogue:
    """All prompts: the shipped ones, and above them a person's own."""

    def __init__(self, own: Path | None = None) -> None:
        """Look first in ``own`` (default: ``prompts`` beside the settings file)."""
        self._own = own or settings_path().parent / "prompts"

    def own_path(self, prompt_id: str) -> Path:
        """Where a person's own copy lies, or would lie."""
        return self._own / f"{prompt_id}.toml"

    def get(self, prompt_id: str) -> PromptTemplate:
        """A prompt; a person's own copy wins.

        Raises:
            BadInputError: the file is broken; it names file, field and what to do.
        """
        own, shipped = self.own_path(prompt_id), asset(f"prompts/{prompt_id}.toml")
        path = own if own.is_file() else shipped
        file = _read(path, prompt_id)
        key = f"{file.id}@{file.version}"
        if path == own and file != _read(shipped, prompt_id):
            key += f"+{hashlib.sha256(file.model_dump_json().encode()).hexdigest()[:8]}"
        return PromptTemplate(key=key, file=file, path=path)


def _read(path: Path, prompt_id: str) -> PromptFile:
    hint = "Correct it, or remove the file to use the shipped prompt."
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        file = PromptFile.model_validate(data)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"The prompt {path} cannot be read: {error}.", hint=hint) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInputError(f"{field} in the prompt {path} is wrong: {first['msg']}.", hint=hint) from error
    if file.id != prompt_id:
        raise BadInputError(f"The prompt {path} calls itself {file.id}, but it stands for {prompt_id}.", hint=hint)
    return file
