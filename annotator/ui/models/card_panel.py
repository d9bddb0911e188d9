"""Card of a model, and what can be done with the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.model_store import TRAINABLE, KnownModel
from annotator.model_words import date_words, figure_name, kind_words, name_words, size_words
from annotator.ui.controls import column, discard, figure, flat_button, label, line, push_button, row, scroll_area
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr
from models.registry import ModelCard

_LONG_VALUE = 24
"""Letters; beside such a value of a recipe there is no room for a second column."""


class CardPanel(QWidget):
    """Card of one model.

    Attributes:
        use: uses the shown model from now on.
        remove: deletes it.
        train: trains on from it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.shown: KnownModel | None = None
        self._title = label("", role="large", wraps=True)
        self._facts = label("", role="muted", wraps=True)
        self._wrong = label("", role="error", wraps=True)
        self.use = push_button(
            tr("Use it"), tr("Find elements with this model from now on"), theme, name="check", role="main"
        )
        self.train = push_button(tr("Train it further"), tr("Begin a training with this model"), theme)
        self.remove = push_button(tr("Remove"), tr("Delete this model from the disk"), theme, name="trash")
        self._body = QVBoxLayout()
        self._body.setSpacing(SPACE.xs)
        self._inside: QWidget | None = None
        inner = QWidget()
        column(
            self._title,
            self._facts,
            self._wrong,
            row(self.use, self.train, self.remove, None),
            SPACE.s,
            self._body,
            None,
            of=inner,
            margins=(SPACE.xl, SPACE.l, SPACE.xl, SPACE.xl),
        )
        inner.setMaximumWidth(760)
        column(scroll_area(inner, tr("The model's card")), of=self)

    def show_model(self, model: KnownModel | None) -> None:
        """Tell about another model."""
        self.shown = model
        self.setVisible(model is not None)
        if model is None:
            return
        card = None if model.model is None else model.model.card
        self._title.setText(name_words(model))
        told = [kind_words(model.kind)]
        if card is not None:
            told += [
                size_words(model.size),
                date_words(card.created),
                card.licence,
                tr("digest {digest}").format(digest=card.digest),
            ]
        self._facts.setText(" · ".join(told) + (tr(" · in use") if model.used else ""))
        self._wrong.setText(model.problem)
        self._wrong.setVisible(bool(model.problem))
        self.use.setVisible(not model.used)
        self.use.setEnabled(not model.problem)
        self.train.setVisible(card is not None and model.kind in TRAINABLE)
        self.remove.setVisible(model.own)
        self._fill(card, model)

    def _fill(self, card: ModelCard | None, model: KnownModel) -> None:
        if self._inside is not None:
            discard([self._inside])
        self._inside = QWidget()
        layout = column(of=self._inside, spacing=SPACE.xs)
        self._body.addWidget(self._inside)
        if card is None or model.model is None:
            layout.addWidget(
                label(tr("This file has no card: what it was trained on is not known."), role="muted", wraps=True)
            )
            return
        figures = [(figure_name(name), f"{value:.3f}") for name, value in card.metrics.items()]
        self._section(layout, tr("Figures on held-out screens"), figures, tr("No figures are written on its card."))
        self._lineage(layout, card)
        recipe = [(capital(name.replace("_", " ")), _plain(value)) for name, value in card.training.items()]
        self._section(layout, tr("How it was trained"), recipe, "")
        if card.command:
            self._long(layout, tr("Command"), card.command, copied=True)
        if card.notes:
            self._long(layout, tr("Notes"), card.notes)
        if card.based_on:
            self._long(layout, tr("Begun with"), card.based_on)
        self._long(layout, tr("Folder"), str(model.model.folder), copied=True)

    def _section(self, part: QVBoxLayout, title: str, facts: Sequence[tuple[str, str]], nothing: str) -> None:
        if not facts and not nothing:
            return
        _heading(part, title)
        if not facts:
            part.addWidget(label(nothing, role="muted"))
            return
        grid = _grid(part)
        columns = 1 if any(len(value) > _LONG_VALUE for _, value in facts) else 2
        rows = -(-len(facts) // columns)
        for number, (name, value) in enumerate(facts):
            at = 3 * (number // rows)
            for place, made in ((at, label(name, role="muted")), (at + 1, figure(value))):
                # In a column of wrapped texts, rows that may shrink are cut at their descenders.
                made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
                grid.addWidget(made, number % rows, place)
            grid.setColumnMinimumWidth(at + 2, SPACE.xl)
        grid.setColumnStretch(3 * columns, 1)

    def _lineage(self, part: QVBoxLayout, card: ModelCard) -> None:
        if not card.lineage:
            return
        _heading(part, tr("What it has seen"))
        grid = _grid(part)
        for at, head in enumerate((tr("Source"), tr("Side"), tr("Groups"), tr("Screens"), tr("Elements"))):
            made = label(head, role="caption")
            grid.addWidget(made, 0, at, Qt.AlignmentFlag.AlignRight if at > 1 else Qt.AlignmentFlag.AlignLeft)
        for entry, seen in enumerate(card.lineage, start=1):
            side = tr("learned") if seen.side == "train" else tr("stopped by") if seen.side == "val" else seen.side
            grid.addWidget(label(seen.source), entry, 0)
            grid.addWidget(label(side), entry, 1)
            for at, count in enumerate((seen.groups, seen.screens, seen.elements), start=2):
                grid.addWidget(figure(f"{count:,}"), entry, at)
        grid.setColumnStretch(5, 1)

    def _long(self, part: QVBoxLayout, title: str, words: str, *, copied: bool = False) -> None:
        _heading(part, title)
        text = label(words, wraps=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = row((text, 1))
        if copied:
            copy = flat_button("copy", tr("Copy: {title}").format(title=title), self._theme, call=_copier(words))
            layout.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        part.addLayout(layout)


def _copier(words: str) -> Callable[[], None]:
    return lambda: QGuiApplication.clipboard().setText(words)


def _plain(value: str | float | bool) -> str:  # noqa: FBT001 - whatever a recipe holds
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return f"{value:g}" if isinstance(value, float) else str(value)


def _heading(part: QVBoxLayout, title: str) -> None:
    part.addSpacing(SPACE.m)
    part.addWidget(label(title, role="title"))
    part.addWidget(line())


def _grid(part: QVBoxLayout) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(SPACE.l)
    grid.setVerticalSpacing(2)
    part.addLayout(grid)
    return grid
