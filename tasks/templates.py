"""Documents that tasks are made concrete on: chosen by what the task says, copied, and opened in their program."""

from __future__ import annotations

import json
import math
import os
import random
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.json_text import object_in, parse_json
from demopack.processes import NO_CONSOLE
from demopack.resources import asset

DESCRIPTIONS: Final = "description.json"
PROGRAMS: Final = "programs.toml"
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_PLURAL: Final = re.compile(r"(?<=\w{3})(?:es|s)$")


class TaskProgram(Record):
    """A program in which tasks are done.

    Attributes:
        command: that opens a document, with ``{document}`` and maybe ``{profile}``.
        names: what tasks call it, in small letters.
        endings: of its documents.
        save: keys that save the document; empty for none.
        environment: beside the desktop's own; its values may hold the same as the command.
    """

    command: str = Field(min_length=1)
    names: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    save: str = ""
    environment: dict[str, str] = Field(default_factory=dict)

    def start(self, document: Path, *, profile: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Open a document; the program is in a group of its own.

        Args:
            document: the file.
            profile: an empty folder for the program's own files.
            environment: of the desktop.

        Raises:
            BadInputError: it cannot be started.
        """
        words = {
            "document": str(document),
            "profile": str(profile),
            "no_sandbox": "--no-sandbox" if sys.platform != "win32" and os.geteuid() == 0 else "",
        }
        try:
            command = [filled for word in shlex.split(self.command) if (filled := word.format_map(words))]
            own = {name: value.format_map(words) for name, value in self.environment.items()}
        except (KeyError, ValueError, IndexError) as error:
            raise BadInputError(
                f"The command {self.command!r}, or its environment, cannot be read: {error}.",
                hint=f"Known are {', '.join(f'{{{name}}}' for name in words)}; correct it in {PROGRAMS}.",
            ) from error
        try:
            return subprocess.Popen(
                command,
                env={**environment, **own},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                creationflags=NO_CONSOLE,
            )
        except OSError as error:
            raise BadInputError(
                f"{command[0]} cannot be started: {error.strerror}.", hint=f"Install it, or change it in {PROGRAMS}."
            ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTemplate:
    """A document that tasks may be done on.

    Attributes:
        file: the document.
        description: what is in it; empty where nobody wrote that.
        image: a picture of it; None where there is none.
    """

    file: Path
    description: str = ""
    image: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateChoice:
    """The template that a task is done on.

    Attributes:
        template: the document.
        how: it was chosen.
        likeness: of its description and the task, 0..1; 0 where it was chosen at random.
    """

    template: TaskTemplate
    how: Literal["similarity", "random", "only", "model"]
    likeness: float = 0.0


def read_programs(folder: Path | None = None) -> dict[str, TaskProgram]:
    """The programs that are known, by name; a file in the folder of the templates adds to those that are shipped.

    Raises:
        BadInputError: a file is broken; it is named, with the program and the field.
    """
    found: dict[str, TaskProgram] = {}
    own = None if folder is None else folder / PROGRAMS
    for path in (asset(f"tasks/{PROGRAMS}"), *([own] if own is not None and own.is_file() else [])):
        try:
            for name, said in tomllib.loads(path.read_text(encoding="utf-8")).items():
                found[name] = TaskProgram.model_validate(said)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadInputError(f"{path} cannot be read: {error}.", hint="Correct it, or remove it.") from error
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(str(part) for part in first["loc"])
            raise BadInputError(f"{path}: {field} is wrong: {first['msg']}.", hint="Correct it.") from error
    return found


def program_for(app: str, programs: Mapping[str, TaskProgram]) -> tuple[str, TaskProgram]:
    """The program that a task names, with its own name.

    Raises:
        BadInputError: nobody said how it is opened.
    """
    wanted = app.strip().casefold()
    for name, program in programs.items():
        if wanted in {name.casefold(), *(one.casefold() for one in program.names)}:
            return name, program
    raise BadInputError(
        f"Nobody said how a document of {app or 'an unknown program'!r} is opened.",
        hint=f"Known are {', '.join(programs)}. Add it to {PROGRAMS} in the folder of the templates.",
    )


def read_templates(folder: Path, program: str, endings: Sequence[str] = ()) -> list[TaskTemplate]:
    """The documents of a program, from ``FOLDER/PROGRAM``, with their descriptions.

    Args:
        folder: of all templates.
        program: name of the program.
        endings: of its documents; empty for any.

    Raises:
        BadInputError: there is none, or the descriptions cannot be read.
    """
    place = folder / program
    names = sorted(path for path in place.iterdir() if path.is_file()) if place.is_dir() else []
    documents = [p for p in names if p.name != DESCRIPTIONS and (not endings or p.suffix.lower() in endings)]
    if not documents:
        kinds = f" with a name ending in {', '.join(endings)}" if endings else ""
        raise BadInputError(f"There is no template in {place}.", hint=f"Put a document{kinds} there.")
    said = _descriptions(place / DESCRIPTIONS)
    unknown = [name for name in said if not (place / name).is_file()]
    if unknown:
        raise BadInputError(
            f"{place / DESCRIPTIONS} describes {unknown[0]}, which is not there.",
            hint="Correct the name, or add the file.",
        )
    found: list[TaskTemplate] = []
    for path in documents:
        pictures = [place / "images" / f"{stem}.png" for stem in (path.name, path.stem)]
        image = next((one for one in pictures if one.is_file()), None)
        found.append(TaskTemplate(file=path, description=said.get(path.name, ""), image=image))
    return found


def _descriptions(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        found = object_in(parse_json(path.read_text(encoding="utf-8")))
    except (ValueError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} cannot be read: {error}.", hint="It is an object: file name and text.") from error
    for name, text in found.items():
        if not isinstance(text, str):
            raise BadInputError(f"{path}: {name} is {json.dumps(text)[:40]}, not a text.", hint="Write what is in it.")
    return {name: str(text) for name, text in found.items()}


def choose_template(task: str, templates: Sequence[TaskTemplate], *, seed: str = "") -> TemplateChoice:
    """The template whose description is most like a task; where none is, one at random.

    The likeness is the cosine of the words of both, rare words counting more.

    Args:
        task: what is to be done.
        templates: at least one.
        seed: of the chance, for instance the task's id: the same task always gets the same.
    """
    if len(templates) == 1:
        return TemplateChoice(template=templates[0], how="only")
    texts = [_terms(one.description) for one in templates]
    spread = Counter(term for terms in texts for term in terms)
    weights = {term: math.log((1 + len(texts)) / count) for term, count in spread.items()}
    rated = [_cosine(_terms(task), terms, weights) for terms in texts]
    best = max(range(len(rated)), key=lambda index: (rated[index], -index))
    if rated[best] > 0:
        return TemplateChoice(template=templates[best], how="similarity", likeness=round(rated[best], 3))
    return TemplateChoice(template=random.Random(seed).choice(templates), how="random")  # noqa: S311 - no secret


def _terms(text: str) -> Counter[str]:
    return Counter(_PLURAL.sub("", word) for word in map(str.casefold, _WORD.findall(text)))


def _cosine(one: Counter[str], other: Counter[str], weights: Mapping[str, float]) -> float:
    common = sum(one[term] * other[term] * weights[term] ** 2 for term in one.keys() & other.keys())
    lengths = [math.sqrt(sum((n * weights.get(term, 1.0)) ** 2 for term, n in side.items())) for side in (one, other)]
    return common / (lengths[0] * lengths[1]) if common else 0.0


def file_name(text: str) -> str:
    """A text as the name of a file, without an ending."""
    return re.sub(r"[^\w.-]+", "_", text).strip("._") or "task"
