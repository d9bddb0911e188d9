"""Words about models, their figures and their trainings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.model_store import KnownModel
from annotator.step_words import type_word
from annotator.training_runs import TrainingRun
from annotator.words import capital, tr
from annotator.words import date_words as day_words
from demopack.domain.elements import ElementType
from models.registry import SHIPPED, ModelCard, ModelKind
from models.training.correction_order import UncertainScreen
from models.training.library.survey import LibrarySurvey
from models.vision.doubt import Reason

_PLAIN: Mapping[str, str] = {
    "f1": tr("F1 of boxes"),
    "ap50": tr("AP at IoU 0.5"),
    "ap75": tr("AP at IoU 0.75"),
    "ap50_typed": tr("AP at IoU 0.5, by type"),
    "map": "mAP",
    "figure": tr("Overall"),
    "cer": tr("Character errors"),
    "box_loss": tr("Boxes"),
    "cls_loss": tr("Types"),
    "dfl_loss": tr("Edges"),
    "loss": tr("Loss"),
    "text_loss": tr("Text"),
    "ocr": "OCR",
    "type": tr("type"),
    "type_mean": tr("type mean"),
    "state": tr("states"),
    "right": tr("named right"),
    "text": tr("text"),
    "precision": tr("precision"),
    "recall": tr("recall"),
}
_SHORT_OF = ("f1", "figure", "type", "ap50", "val_type", "val_type_mean", "val_state", "val_right")
_REASONS: Mapping[Reason, str] = {
    "unsure": tr("unsure"),
    "type": tr("of disputed type"),
    "text": tr("with disputed text"),
    "box": tr("with a disputed box"),
    "unknown": tr("of no known type"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One figure of two models; None where a card does not have it."""

    name: str
    first: float | None
    second: float | None

    @property
    def change(self) -> float | None:
        """How much more the second has."""
        return None if self.first is None or self.second is None else self.second - self.first


def name_words(model: KnownModel) -> str:
    """What a model is called in a list."""
    return tr("Came with demopack") if model.name == SHIPPED else model.name


def kind_words(kind: ModelKind) -> str:
    """What kind a model is, at the beginning of a line."""
    return capital(type_word(kind))


def size_words(size: int) -> str:
    """Bytes in the unit that suits."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.0f} kB"


def date_words(iso: str) -> str:
    """A card's date as a person writes it; as it stands where it is none."""
    try:
        return day_words(dt.date.fromisoformat(iso[:10]))
    except ValueError:
        return iso


def figure_name(name: str) -> str:
    """``val_type_mean`` as ``Val: type mean``; a source after a slash is told after a comma."""
    name, _, source = name.partition("/")
    held = name.startswith("val_")
    plain = name.removeprefix("val_")
    words = _PLAIN.get(plain, plain.replace("_", " "))
    words = tr("Validation: {value}").format(value=words) if held else words
    return f"{capital(words)}{f', {source}' if source else ''}"


def facts_of_model(model: KnownModel) -> str:
    """Size, date and a figure, in one line."""
    if model.model is None:
        return model.problem or tr("No card: nothing is known about it")
    card = model.model.card
    names = [name for name in _SHORT_OF if name in card.metrics][:2]
    told = [f"{figure_name(name.removeprefix('val_'))} {card.metrics[name]:.2f}" for name in names]
    return " · ".join([size_words(model.size), date_words(card.created), *told])


def figure_rows(first: ModelCard, second: ModelCard) -> list[FigureRow]:
    """The figures of two models side by side: in the order of the first; those that both have come first."""
    names = [*first.metrics, *(name for name in second.metrics if name not in first.metrics)]
    rows = [FigureRow(name=name, first=first.metrics.get(name), second=second.metrics.get(name)) for name in names]
    return sorted(rows, key=lambda row: row.change is None)


def length_words(seconds: float) -> str:
    """A length of time, as exactly as a person wants it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return (
        tr("{minutes} min").format(minutes=minutes)
        if minutes < 90
        else tr("{value} h {value2} min").format(value=minutes // 60, value2=minutes % 60)
    )


def state_words(run: TrainingRun) -> str:
    """How a training stands."""
    last = run.reports[-1] if run.reports else None
    spent = length_words(run.seconds)
    if run.state == "running":
        if last is None:
            return tr("Preparing the screens …")
        left = run.seconds_left
        return tr("Step {step} · {spent} spent").format(step=last.step, spent=spent) + (
            "" if left is None else tr(" · about {length_words} left").format(length_words=length_words(left))
        )
    after = tr(" after {spent}").format(spent=spent) if last is not None else ""
    return {
        "stopped": tr("Stopped{after}; its last checkpoint is kept.").format(after=after),
        "failed": run.words or tr("Failed{after}.").format(after=after),
        "broken": tr("Cut off{after}; what its last checkpoint holds is safe.").format(after=after),
        "finished": tr("Finished{after}.").format(after=after),
        "elsewhere": tr("Started in a terminal; {spent} spent when it last reported.").format(spent=spent)
        if last
        else tr("Started in a terminal."),
    }[run.state]


def chart_figures(run: TrainingRun, *, losses: bool) -> dict[str, list[tuple[float, float]]]:
    """The curves of a training: minutes and values, by name, the longest-lived first.

    Figures of one source alone are left out: the chart shows how it goes, the card tells the rest.
    """
    found: dict[str, list[tuple[float, float]]] = {}
    for report in run.reports:
        for name, value in (report.losses if losses else report.metrics).items():
            if "/" not in name and value == value:
                found.setdefault(name, []).append((report.seconds / 60, value))
    return found


def reason_words(suspect: UncertainScreen) -> str:
    """Why a screen is worth correcting."""
    parts: Sequence[str] = [f"{count} {_REASONS[reason]}" for reason, count in suspect.reasons.items()]
    return ", ".join(parts) or tr("{elements} elements that nobody has looked at").format(elements=suspect.elements)


_MAX_TYPES = 4


def survey_words(found: LibrarySurvey) -> str:
    """What training on a library's screens would teach, in two sentences."""
    if not found.screens:
        return tr("No screen was approved or reported yet: approve steps, or record with accessibility on.")
    of = {
        tr("{count} approved"): found.approved,
        tr("{count} reported by their programs"): found.reported,
    }
    screens = " + ".join(words.format(count=number) for words, number in of.items() if number)
    missed, mistaken = sum(found.missed.values()), sum(found.mistaken.values())
    told = tr("Screens: {screens}.").format(screens=screens)
    if not missed + mistaken:
        return told + " " + tr("The models found all {used} elements on them: little to learn.").format(used=found.used)
    return " ".join([
        told,
        tr("Of {used} elements the models missed {missed}{missed_types} and mistook {mistaken}{mistaken_types}.")
        .format(
            used=found.used, missed=missed, missed_types=_types_of(found.missed),
            mistaken=mistaken, mistaken_types=_types_of(found.mistaken),
        ),
    ])  # fmt: skip


def _types_of(counts: Mapping[ElementType, int]) -> str:
    """The most frequent types in brackets, the most frequent first."""
    named = [f"{type_word(kind)} {number}" for kind, number in list(counts.items())[:_MAX_TYPES]]
    more = ["…"] if len(counts) > _MAX_TYPES else []
    return f" ({', '.join([*named, *more])})" if named else ""
