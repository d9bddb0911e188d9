"""Every importer by name, and which one some files need."""

from __future__ import annotations

from typing import Final

from demopack.errors import BadInputError
from demopack.importing import agentnet, ducktrack, openadapt, osworld, packs, ufo
from demopack.importing.files import Files
from demopack.importing.importer import Importer

__all__ = ["IMPORTERS", "importer", "recognise"]

IMPORTERS: Final[tuple[Importer, ...]] = (
    packs.IMPORTER,
    agentnet.IMPORTER,
    ducktrack.IMPORTER,
    osworld.IMPORTER,
    openadapt.IMPORTER,
    ufo.IMPORTER,
)


def importer(name: str) -> Importer:
    """The importer of a format.

    Raises:
        BadInputError: there is none.
    """
    found = next((one for one in IMPORTERS if one.name == name), None)
    if found is None:
        names = ", ".join(one.name for one in IMPORTERS)
        raise BadInputError(f"There is no importer called “{name}”.", hint=f"Use auto or one of {names}.")
    return found


def recognise(files: Files) -> Importer:
    """The one importer whose files these are.

    Raises:
        BadInputError: none knows them, or several do.
    """
    if packs.IMPORTER.sniff(files):
        return packs.IMPORTER  # exports of ours that lie inside a pack are no second opinion
    found = [one for one in IMPORTERS if one.sniff(files)]
    if len(found) == 1:
        return found[0]
    if not found:
        known = "; ".join(f"{one.name}: {one.files}" for one in IMPORTERS)
        raise BadInputError(f"{files.path} holds no demos that are known.", hint=f"Known are {known}.")
    names = " or ".join(one.name for one in found)
    raise BadInputError(f"{files.path} holds demos of several formats.", hint=f"Say which with --format {names}.")
