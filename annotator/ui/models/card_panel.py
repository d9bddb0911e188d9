"""Everything a model's card says, and what can be done with the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from annotator.model_shelf import KnownModel
from annotator.model_words import date_words, figure_name, kind_words, name_words, size_words
from annotator.ui.controls import flat_button, label, line, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr
from models.registry import ModelCard

__all__ = ["CardPanel"]


class CardPanel(QWidget):
    """Tells about one model.

    Signals:
        use_wanted: use the shown model from now on.
        remove_wanted: delete it.
        train_wanted: train on from it.
    """

    use_wanted = Signal()
    remove_wanted = Signal()
    train_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: KnownModel | None = None
        self._title = label("", role="large", wraps=True)
        self._facts = label("", role="muted", wraps=True)
        self._wrong = label("", role="error", wraps=True)
        self.use = push_button(
            tr("Use it"),
            tr("Find elements with this model from now on"),
            theme,
            name="check",
            role="main",
            tint="on_accent",
        )
        self.train = push_button(tr("Train it further"), tr("Begin a training with this model"), theme)
        self.remove = push_button(tr("Remove"), tr("Delete this model from the disk"), theme, name="trash")
        self.use.clicked.connect(self.use_wanted)
        self.train.clicked.connect(self.train_wanted)
        self.remove.clicked.connect(self.remove_wanted)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE.s)
        for button in (self.use, self.train, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._body = QVBoxLayout()
        self._body.setSpacing(SPACE.xs)
        self._inside: QWidget | None = None
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(SPACE.xl, SPACE.l, SPACE.xl, SPACE.xl)
        column.setSpacing(SPACE.s)
        for part in (self._title, self._facts, self._wrong):
            column.addWidget(part)
        column.addLayout(buttons)
        column.addSpacing(SPACE.s)
        column.addLayout(self._body)
        column.addStretch(1)
        inner.setMaximumWidth(760)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        area.setAccessibleName(tr("The model's card"))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    @property
    def shown(self) -> KnownModel | None:
        """The model that is told about."""
        return self._shown

    def show_model(self, model: KnownModel | None) -> None:
        """Tell about another model."""
        self._shown = model
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
        self.train.setVisible(card is not None)
        self.remove.setVisible(model.own)
        self._fill(card, model)

    def _fill(self, card: ModelCard | None, model: KnownModel) -> None:
        if self._inside is not None:
            self._body.removeWidget(self._inside)
            self._inside.hide()
            self._inside.deleteLater()
        self._inside = QWidget()
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        self._body.addWidget(self._inside)
        if card is None or model.model is None:
            column.addWidget(
                label(tr("This file has no card: what it was trained on is not known."), role="muted", wraps=True)
            )
            return
        figures = [(figure_name(name), f"{value:.3f}") for name, value in card.metrics.items()]
        self._section(column, tr("Figures on held-out screens"), figures, tr("No figures are written on its card."))
        self._lineage(column, card)
        recipe = [(capital(name.replace("_", " ")), _plain(value)) for name, value in card.training.items()]
        self._section(column, tr("How it was trained"), recipe, "", columns=2)
        if card.command:
            self._long(column, tr("Command"), card.command, copied=True)
        if card.notes:
            self._long(column, tr("Notes"), card.notes)
        if card.based_on:
            self._long(column, tr("Begun with"), card.based_on)
        self._long(column, tr("Folder"), str(model.model.folder), copied=True)

    def _section(
        self, column: QVBoxLayout, title: str, facts: Sequence[tuple[str, str]], nothing: str, *, columns: int = 2
    ) -> None:
        if not facts and not nothing:
            return
        _heading(column, title)
        if not facts:
            column.addWidget(label(nothing, role="muted"))
            return
        grid = _grid(column)
        rows = -(-len(facts) // columns)
        for number, (name, value) in enumerate(facts):
            at = 3 * (number // rows)
            grid.addWidget(label(name, role="muted"), number % rows, at)
            grid.addWidget(_number(value), number % rows, at + 1)
            grid.setColumnMinimumWidth(at + 2, SPACE.xl)
        grid.setColumnStretch(3 * columns, 1)

    def _lineage(self, column: QVBoxLayout, card: ModelCard) -> None:
        if not card.lineage:
            return
        _heading(column, tr("What it has seen"))
        grid = _grid(column)
        for at, head in enumerate((tr("Source"), tr("Side"), tr("Groups"), tr("Screens"), tr("Elements"))):
            made = label(head, role="caption")
            grid.addWidget(made, 0, at, Qt.AlignmentFlag.AlignRight if at > 1 else Qt.AlignmentFlag.AlignLeft)
        for row, seen in enumerate(card.lineage, start=1):
            side = "learned" if seen.side == "train" else tr("stopped by") if seen.side == "val" else seen.side
            grid.addWidget(label(seen.source), row, 0)
            grid.addWidget(label(side), row, 1)
            for at, count in enumerate((seen.groups, seen.screens, seen.elements), start=2):
                grid.addWidget(_number(f"{count:,}"), row, at)
        grid.setColumnStretch(5, 1)

    def _long(self, column: QVBoxLayout, title: str, words: str, *, copied: bool = False) -> None:
        _heading(column, title)
        row = QHBoxLayout()
        row.setSpacing(SPACE.s)
        text = label(words, wraps=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row.addWidget(text, 1)
        if copied:
            copy = flat_button("copy", tr("Copy: {title}").format(title=title), self._theme)
            copy.clicked.connect(_copier(words))
            row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)


def _copier(words: str) -> Callable[[], None]:
    return lambda: QGuiApplication.clipboard().setText(words)


def _plain(value: str | float | bool) -> str:  # noqa: FBT001 - whatever a recipe holds
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return f"{value:g}" if isinstance(value, float) else str(value)


def _heading(column: QVBoxLayout, title: str) -> None:
    column.addSpacing(SPACE.m)
    column.addWidget(label(title, role="title"))
    column.addWidget(line())


def _grid(column: QVBoxLayout) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(SPACE.l)
    grid.setVerticalSpacing(2)
    column.addLayout(grid)
    return grid


def _number(words: str) -> QWidget:
    made = label(words)
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made
