"""Opens a writer by its name, for the command line and the app alike."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from demopack.domain.rationale import RationaleMode
from demopack.settings import LanguageSettings
from models.language.model_writer import EffectSource, ModelWriter
from models.language.reports import RationaleWriter
from models.language.servers import SERVICES, server_of
from models.language.template import TemplateWriter

TEMPLATE: Final = "template"
CONFIGURED: Final = "model"
"""The name that stands for the model of the settings."""


def settings_for(name: str, settings: LanguageSettings) -> LanguageSettings:
    """The settings for the model of this name: the user's, except for what belongs to another service.

    Args:
        name: a model as in ``language.model``, or :data:`CONFIGURED` for that one.
        settings: the user's.
    """
    if name == CONFIGURED:
        return settings
    update: dict[str, Any] = {"model": name}
    kinds = (model.partition(":")[0] if ":" in model else "" for model in (settings.model, name))
    services = {kind if kind in SERVICES else "" for kind in kinds}
    if settings.model and len(services) > 1:
        update |= {"base_url": "", "key": "", "input_price": -1.0, "output_price": -1.0}
    return settings.model_copy(update=update)


def writer_sees(name: str, settings: LanguageSettings) -> bool:
    """Whether this writer would be shown pictures.

    Raises:
        BadInputError: there is no such model, or its address is wrong.
    """
    return name != TEMPLATE and server_of(settings_for(name, settings)).sees


@contextmanager
def open_writer(
    name: str,
    settings: LanguageSettings,
    *,
    folder: Path,
    mode: RationaleMode = "no_hindsight",
    effects: EffectSource = "local",
    budget: float | None = None,
) -> Generator[tuple[RationaleWriter, int]]:
    """A writer, closed at the end of the block, and how many demos it may write at the same time.

    Args:
        name: :data:`TEMPLATE`, :data:`CONFIGURED`, or a model as in ``language.model``.
        settings: the user's.
        folder: the library's; answers and costs are kept in it.
        mode: what the writer may look at.
        effects: who says what an action did.
        budget: dollars that may be spent from now on; None for what the settings allow.

    Raises:
        BadInputError: no model, or a wrong address.
        NoKeyError: the key is neither in the environment nor in the key ring.
        LanguageError: a library is not installed.
        LibraryError: the folder cannot be written.
    """
    if name == TEMPLATE:
        yield TemplateWriter(mode=mode), 1
        return
    from models.language.client import LanguageClient

    # While one demo's answer is on its way, another's question is made: more demos than requests keep the line full.
    chosen = settings_for(name, settings)
    port = LanguageClient(chosen, folder=folder, allowance=budget)
    try:
        yield ModelWriter(port, mode=mode, effects=effects), 2 * chosen.in_flight
    finally:
        port.close()
