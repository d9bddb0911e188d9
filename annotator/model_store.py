"""Actions on models: list, choose, add, remove, compare, and rank screens by what their correction teaches.

The same as ``demopack models``, for a window. Everything here reads and writes files: call it off the GUI thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.step_words import FrameReference, beside_step, moments_of, shown_at
from annotator.words import tr
from demopack.domain.demos import Demo
from demopack.domain.frames import Frame
from demopack.errors import BadInputError, ModelError, NewerVersionError
from demopack.jobs import JobControl
from demopack.settings import Settings, load_settings, save_settings
from demopack.store import Library
from models.registry import (
    SHIPPED,
    ModelFolder,
    ModelKind,
    add_model,
    known_models,
    open_model,
    remove_model,
    resolve,
)

if TYPE_CHECKING:
    from models.training.correction_order import UncertainScreen
    from models.training.differences import ScreenChanges
    from models.training.library.survey import LibrarySurvey

KINDS: Final[tuple[ModelKind, ...]] = ("detector", "describer", "icons")
TRAINABLE: Final[tuple[ModelKind, ...]] = ("detector", "describer")
"""What ``demopack train`` trains: the network for icons also learns from icon sets that are not installed with us."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """One row of the list.

    Attributes:
        kind: detector, describer or icons.
        name: what the setting says to mean it.
        used: whether it is in use.
        model: folder and card; None for something in use that has no card, such as a weights file.
        size: bytes of its files.
        problem: why it cannot be used; empty when it can.
    """

    kind: ModelKind
    name: str
    used: bool
    model: ModelFolder | None
    size: int = 0
    problem: str = ""

    @property
    def own(self) -> bool:
        """Whether it lies in the registry, from which it can be removed."""
        return self.model is not None and self.name != SHIPPED and Path(self.name).name == self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCatalog:
    """Everything that is known.

    Attributes:
        models: detectors first, of each kind the shipped one first.
        settings: what they were read with.
    """

    models: tuple[KnownModel, ...]
    settings: Settings

    def of(self, kind: ModelKind) -> list[KnownModel]:
        """Those of one kind that have a card."""
        return [one for one in self.models if one.kind == kind and one.model is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameChanges:
    """What two models see differently on one frame of a demo; ``shown`` is the step that shows it, in words."""

    frame: Frame
    shown: str
    changes: ScreenChanges


class ModelStore:
    """Satisfied by files alone; keeps nothing."""

    def read(self) -> ModelCatalog:
        """Every model, and what is in use.

        Raises:
            BadInputError: the settings file is wrong.
        """
        settings = load_settings()
        rows = [row for kind in KINDS for row in _rows(kind, str(getattr(settings.vision, kind)))]
        return ModelCatalog(models=tuple(rows), settings=settings)

    def use(self, kind: ModelKind, name: str) -> Settings:
        """Use a model from now on, or none for an empty name; returns the settings as they are then.

        Raises:
            ModelError: there is none of that name, or it is damaged.
        """
        resolve(kind, name)
        return _use(load_settings(), kind, name)

    def add(self, folder: Path) -> KnownModel:
        """Copy a model folder into the registry; a taken name gets a number.

        Raises:
            ModelError: the folder holds no model, a damaged one, or one that does not work on a small picture.
            DiskFullError: it was not added.
        """
        from models.vision.finder import try_model

        inner = folder / "model"
        model = open_model(inner if not (folder / "model.json").is_file() and inner.is_dir() else folder)
        try_model(model)
        kind, name = model.card.kind, model.card.id
        taken = {one.folder.name for one in known_models(kind)} | {SHIPPED}
        marks = ("", *(f"-{number}" for number in range(2, 10_000)))
        added = add_model(model, name=next(name + mark for mark in marks if name + mark not in taken))
        return KnownModel(kind=kind, name=added.folder.name, used=False, model=added, size=_size(added))

    def remove(self, kind: ModelKind, name: str) -> Settings:
        """Delete a model of one's own; if it is in use, the one that came with demopack takes its place.

        Raises:
            BadInputError: it came with demopack.
            ModelError: there is none of that name.
        """
        if name == SHIPPED:
            raise BadInputError(tr("What came with demopack stays."), hint=tr("Use another one instead."))
        remove_model(kind, name)
        settings = load_settings()
        return _use(settings, kind, SHIPPED) if getattr(settings.vision, kind) == name else settings

    def differences(
        self, library: Library, demo_id: str, *, kind: ModelKind, names: tuple[str, str], control: JobControl
    ) -> list[FrameChanges]:
        """What two models see differently on the screens of a demo; those with the most changes first.

        Raises:
            ModelError: a model cannot be used.
            CancelledError: the user stopped it.
        """
        from models.training.differences import compare
        from models.vision.finder import open_finder

        vision = load_settings().vision
        demo = library.demo(demo_id)
        first, second = (vision.model_copy(update={kind: name}) for name in names)
        # Which moments a frame shows, which no other frame of the demo does.
        frames = {moments_of(demo.steps, frame.id) or tr("the end"): frame for frame in demo.frames()}
        screens = ((title, library.get_image(one.id)) for title, one in frames.items())
        with open_finder(first) as old, open_finder(second) as new:
            found = compare(old, new, screens, control=control)
        changed: list[FrameChanges] = []
        for one in found:
            frame = frames[one.name]
            place = place_of(demo, frame.id)
            changed.append(FrameChanges(frame=frame, shown=beside_step(place.side, place.step), changes=one))
        return changed

    def suspects(self, library: Library, *, limit: int) -> list[tuple[UncertainScreen, str, FrameReference]]:
        """The screens whose correction teaches most, each with its demo's task and its place in the editor."""
        from models.training.correction_order import correct_first

        found = correct_first(library, limit=limit)
        demos = {one.demo: library.demo(one.demo) for one in found}
        return [(one, demos[one.demo].head.task, place_of(demos[one.demo], one.frame)) for one in found]

    def survey(self, library: Library, *, control: JobControl) -> LibrarySurvey:
        """What the screens of a library would teach the models.

        Raises:
            CancelledError: the user stopped it.
        """
        from models.training.library.survey import survey

        return survey(library, control=control)


def place_of(demo: Demo, frame_id: str) -> FrameReference:
    """The first step that shows a frame, preferably before it; the last step for one that no step shows."""
    last = FrameReference(step=max(1, len(demo.steps)), side="after")
    return min(shown_at(demo.steps, frame_id), key=lambda at: at.side != "before", default=last)


def _rows(kind: ModelKind, used: str) -> Iterator[KnownModel]:
    names = {model.folder.name: model for model in known_models(kind)}
    try:
        shipped = resolve(kind, SHIPPED)
        if shipped is not None:
            yield _row(kind, SHIPPED, used, shipped)
    except (ModelError, NewerVersionError) as error:
        yield _row(kind, SHIPPED, used, None, error.user_message)
    for name, model in names.items():
        yield _row(kind, name, used, model)
    if used and used != SHIPPED and used not in names:
        # In use without being in the registry: a folder, a weights file, a name of a hub, or nothing at all.
        try:
            yield _row(kind, used, used, resolve(kind, used))
        except (ModelError, NewerVersionError) as error:
            there = Path(used).exists()
            yield _row(kind, used, used, None, "" if there and kind == "detector" else error.user_message)


def _row(kind: ModelKind, name: str, used: str, model: ModelFolder | None, problem: str = "") -> KnownModel:
    size = 0 if model is None else _size(model)
    return KnownModel(kind=kind, name=name, used=name == used, model=model, size=size, problem=problem)


def _size(model: ModelFolder) -> int:
    return sum(model.file(name).stat().st_size for name in model.card.files)


def _use(settings: Settings, kind: ModelKind, name: str) -> Settings:
    changed = settings.model_copy(update={"vision": settings.vision.model_copy(update={kind: name})})
    save_settings(changed)
    return changed
