"""Models that there are: the list of them, and the card of one with what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.model_store import KINDS, TRAINABLE, KnownModel, ModelCatalog
from annotator.model_words import date_words, facts_of_model, figure_name, kind_words, name_words, size_words
from annotator.step_words import type_word
from annotator.ui.controls import (
    Call,
    LayoutPart,
    column,
    discard,
    figure,
    flat_button,
    label,
    line,
    push_button,
    row,
    scroll_area,
    table,
)
from annotator.ui.row_list import ListRow, RowList
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE, Tone
from annotator.words import capital, tr
from models.registry import ModelCard, ModelKind

ModelCall: TypeAlias = Callable[[ModelKind, str], object]
"""Does something with a model, given its kind and name."""

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
        column(*self._parts(card, model), of=self._inside, spacing=SPACE.xs)
        self._body.addWidget(self._inside)

    def _parts(self, card: ModelCard | None, model: KnownModel) -> Iterator[LayoutPart]:
        if card is None or model.model is None:
            yield label(tr("This file has no card: what it was trained on is not known."), role="muted", wraps=True)
            return
        yield from _heading(tr("Figures on held-out screens"))
        if card.metrics:
            yield _facts([(figure_name(name), f"{value:.3f}") for name, value in card.metrics.items()])
        else:
            yield label(tr("No figures are written on its card."), role="muted")
        if card.lineage:
            yield from (*_heading(tr("What it has seen")), _lineage(card))
        if card.training:
            recipe = [(capital(name.replace("_", " ")), _plain(value)) for name, value in card.training.items()]
            yield from (*_heading(tr("How it was trained")), _facts(recipe))
        for title, words, copied in (
            (tr("Command"), card.command, True),
            (tr("Notes"), card.notes, False),
            (tr("Begun with"), card.based_on, False),
            (tr("Folder"), str(model.model.folder), True),
        ):
            if words:
                yield from (*_heading(title), self._long(title, words, copied=copied))

    def _long(self, title: str, words: str, *, copied: bool) -> QHBoxLayout:
        text = label(words, wraps=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = row((text, 1))
        if copied:
            tip = tr("Copy: {title}").format(title=title)
            copy = flat_button("copy", tip, self._theme, call=lambda: QGuiApplication.clipboard().setText(words))
            layout.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        return layout


def _plain(value: str | float | bool) -> str:  # noqa: FBT001 - whatever a recipe holds
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return f"{value:g}" if isinstance(value, float) else str(value)


def _heading(title: str) -> tuple[LayoutPart, ...]:
    return SPACE.m, label(title, role="title"), line()


def _facts(facts: Sequence[tuple[str, str]]) -> QHBoxLayout:
    """Names and values, in two tables beside each other where the values are short."""
    cells = [(label(name, role="muted"), figure(value)) for name, value in facts]
    for cell in cells:
        for part in cell:
            # In a column of wrapped texts, rows that may shrink are cut at their descenders.
            part.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    half = len(cells) if any(len(value) > _LONG_VALUE for _, value in facts) else -(-len(cells) // 2)
    return row(*(table(some) for some in (cells[:half], cells[half:]) if some), None, spacing=SPACE.xl)


def _lineage(card: ModelCard) -> QHBoxLayout:
    sides = {"train": tr("learned"), "val": tr("stopped by")}
    titles = (tr("Source"), tr("Side"), tr("Groups"), tr("Screens"), tr("Elements"))
    heads = [(figure if at > 1 else label)(words, role="caption") for at, words in enumerate(titles)]
    seen = [
        [
            label(one.source),
            label(sides.get(one.side, one.side)),
            *(figure(f"{count:,}") for count in (one.groups, one.screens, one.elements)),
        ]
        for one in card.lineage
    ]
    return row(table([heads, *seen]), None)


_TITLES = {
    "detector": tr("DETECTORS  where elements are"),
    "describer": tr("DESCRIBERS  what they are"),
    "icons": tr("ICONS  what they mean"),
}
_NONE = "none:"
_INSTEAD = {
    "detector": tr("Boxes come from text and shapes alone"),
    "describer": tr("Types come from the detector alone"),
    "icons": tr("Meanings come from the describer alone"),
}
_NO_MODEL_WORDS = {
    "detector": tr("Without a detector elements are still found, by text and by shape, but fewer of them."),
    "describer": tr("Without a describer elements keep the type that the detector gave them; states are not told."),
    "icons": tr("Without a network for icons only the describer tells what icons mean, and it knows few."),
}


class ModelsView(QWidget):
    """Shows what was read from the disk; changes nothing by itself."""

    def __init__(self, theme: Theme, *, use: ModelCall, remove: ModelCall, train: ModelCall, add: Call) -> None:
        """Show nothing yet; ``use`` uses a model of a kind, or none for an empty name, ``add`` adds a folder."""
        super().__init__()
        self._use = use
        self._shelf: ModelCatalog | None = None
        self.list = RowList(tr("Models"), theme)
        self.list.current_changed.connect(self._show_current)
        self.list.opened.connect(self._use_key)
        self.card = CardPanel(theme)
        for button, call in ((self.card.use, use), (self.card.remove, remove), (self.card.train, train)):
            button.clicked.connect(partial(self._with_shown, call))
        self.add = push_button(
            tr("Add a folder …"),
            tr("Copy a model folder, from a training or from someone else"),
            theme,
            name="plus",
            call=add,
        )
        self.without = push_button(
            tr("Work without"),
            tr("Find elements without such a model from now on"),
            theme,
            role="main",
            call=lambda: self._use_key(self.list.current),
        )
        self._words = label("", role="muted", wraps=True)
        self._nothing = QWidget()
        column(
            self._words,
            (self.without, 0, Qt.AlignmentFlag.AlignLeft),
            None,
            of=self._nothing,
            spacing=SPACE.m,
            margins=(SPACE.xl, SPACE.l, SPACE.xl, SPACE.l),
        )
        side = self.list.beside(row(self.add, None, spacing=-1, margins=(SPACE.m, 0, SPACE.m, 0)))
        row((side, 1), (self.card, 2), (self._nothing, 2), of=self, spacing=SPACE.m, margins=(SPACE.m, 0, 0, 0))
        self.card.show_model(None)

    def show_models(self, shelf: ModelCatalog, *, select: str = "") -> None:
        """Show what was read."""
        self._shelf = shelf
        rows: list[ListRow] = []
        for kind in KINDS:
            rows.append(ListRow(key="", title=_TITLES[kind]))
            known = [one for one in shelf.models if one.kind == kind]
            rows += [_row(one) for one in known]
            setting = getattr(shelf.settings.vision, kind)
            off = not setting or not any(one.used for one in known)
            badge = tr("In use") if off else ""
            rows.append(
                ListRow(key=f"{_NONE}{kind}", title=tr("None"), caption=_INSTEAD[kind], badge=badge, tone="success")
            )
        self.list.show_rows(rows, select=select)
        self._show_current(self.list.current)

    def _model(self, key: str) -> KnownModel | None:
        models = () if self._shelf is None else self._shelf.models
        return next((one for one in models if _key(one) == key), None)

    def _show_current(self, key: str) -> None:
        model = self._model(key)
        self.card.show_model(model)
        self._nothing.setVisible(model is None)
        if model is None and key.startswith(_NONE):
            kind = key.removeprefix(_NONE)
            self._words.setText(_NO_MODEL_WORDS[kind])
            self.without.setText(tr("Work without a {kind}").format(kind=type_word(kind)))
            setting = "" if self._shelf is None else str(getattr(self._shelf.settings.vision, kind))
            self.without.setVisible(bool(setting))

    def _use_key(self, key: str) -> None:
        for kind in KINDS:
            if key == f"{_NONE}{kind}":
                self._use(kind, "")
        model = self._model(key)
        if model is not None and not model.used:
            self._use(model.kind, model.name)

    def _with_shown(self, call: ModelCall, *_: object) -> None:
        model = self.card.shown
        if model is not None:
            call(model.kind, model.name)


def _key(model: KnownModel) -> str:
    return f"{model.kind}/{model.name}"


def _row(model: KnownModel) -> ListRow:
    badge = tr("Cannot be used") if model.problem else tr("In use") if model.used else ""
    tone: Tone = "danger" if model.problem else "success"
    return ListRow(key=_key(model), title=name_words(model), caption=facts_of_model(model), badge=badge, tone=tone)
