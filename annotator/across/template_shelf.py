"""The templates of a library: a folder with one JSON file for each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from annotator.across.templates import Template
from annotator.words import tr
from demopack.atomic import write_text_atomic
from demopack.errors import BadInputError, DemopackError, NewerVersionError

__all__ = ["TemplateShelf"]

_VERSION = 1


class TemplateShelf:
    """Reads and writes them; each file by itself, so that a damaged one costs no other."""

    def __init__(self, library: Path) -> None:
        """The templates of the library in this folder."""
        self.folder = library / "templates"

    def load(self) -> tuple[list[Template], list[DemopackError]]:
        """All templates by name, and what is wrong with those that cannot be read."""
        found: list[Template] = []
        problems: list[DemopackError] = []
        for file in sorted(self.folder.glob("*.json")):
            try:
                found.append(_read(file))
            except DemopackError as error:
                problems.append(error)
        return sorted(found, key=lambda one: (one.name.casefold(), one.id)), problems

    def save(self, template: Template) -> None:
        """Write a template; one with the same id is replaced.

        Raises:
            DiskFullError: nothing was written.
        """
        text = json.dumps(template.to_json(), ensure_ascii=False, indent=1) + "\n"
        write_text_atomic(self._file(template), text, private=True)

    def rename(self, template: Template, name: str) -> Template:
        """The template under another name; an empty one changes nothing.

        Raises:
            DiskFullError: nothing was written.
        """
        name = " ".join(name.split())
        if not name or name == template.name:
            return template
        renamed = template.model_copy(update={"name": name})
        self.save(renamed)
        return renamed

    def delete(self, template: Template) -> None:
        """Take a template away; ``save`` brings it back."""
        self._file(template).unlink(missing_ok=True)

    def _file(self, template: Template) -> Path:
        return self.folder / f"{template.id}.json"


def _read(file: Path) -> Template:
    try:
        data: Any = json.loads(file.read_text(encoding="utf-8"))
        given = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        version = given.get("schema_version", _VERSION)
        if isinstance(version, int) and version > _VERSION:
            raise NewerVersionError(
                tr("The template in {file} was written by a newer demopack.").format(file=file),
                hint=tr("Update demopack, or move the file away."),
            )
        template = Template.model_validate(data)
    except (ValidationError, ValueError, OSError) as error:
        where = ""
        if isinstance(error, ValidationError):
            where = ".".join(str(part) for part in error.errors()[0]["loc"])
        what = tr("The template in {file} cannot be read: {value} is not as it should be.").format(
            file=file, value=where or "it"
        )
        raise BadInputError(
            what, details=str(error), hint=tr("Mend the file or move it away; the others work.")
        ) from error
    if template.id != file.stem:
        # A copied file is a template of its own.
        return template.model_copy(update={"id": file.stem})
    return template
