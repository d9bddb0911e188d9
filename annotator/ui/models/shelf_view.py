"""The models that there are: a list, the card of the chosen one, and what is done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.model_shelf import KINDS, KnownModel, Shelf
from annotator.model_words import facts_of_model, name_words
from annotator.type_words import type_word
from annotator.ui.controls import label, push_button
from annotator.ui.models.card_panel import CardPanel
from annotator.ui.models.rows import Row, RowList, Tone
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from models.registry import ModelKind

__all__ = ["ShelfView"]

_LEAST, _MOST = 260, 340
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
_WITHOUT = {
    "detector": tr("Without a detector elements are still found, by text and by shape, but fewer of them."),
    "describer": tr("Without a describer elements keep the type that the detector gave them; states are not told."),
    "icons": tr("Without a network for icons only the describer tells what icons mean, and it knows few."),
}


class ShelfView(QWidget):
    """Shows what was read from the disk; changes nothing by itself.

    Signals:
        use_wanted: kind and name; an empty name for none.
        remove_wanted: kind and name.
        add_wanted: a folder is to be added.
        train_wanted: kind and name of the model to begin with.
    """

    use_wanted = Signal(str, str)
    remove_wanted = Signal(str, str)
    add_wanted = Signal()
    train_wanted = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._shelf: Shelf | None = None
        self.list = RowList(tr("Models"), theme)
        self.list.setMinimumWidth(_LEAST)
        self.list.current_changed.connect(self._show_current)
        self.list.opened.connect(self._use_key)
        self.card = CardPanel(theme)
        self.card.use_wanted.connect(lambda: self._with_shown(self.use_wanted))
        self.card.remove_wanted.connect(lambda: self._with_shown(self.remove_wanted))
        self.card.train_wanted.connect(lambda: self._with_shown(self.train_wanted))
        self.add = push_button(
            tr("Add a folder …"), tr("Copy a model folder, from a training or from someone else"), theme, name="plus"
        )
        self.add.clicked.connect(self.add_wanted)
        self.without = push_button(
            tr("Work without"), tr("Find elements without such a model from now on"), theme, role="main"
        )
        self.without.clicked.connect(self._use_current)
        self._words = label("", role="muted", wraps=True)
        self._nothing = QWidget()
        column = QVBoxLayout(self._nothing)
        column.setContentsMargins(SPACE.xl, SPACE.l, SPACE.xl, SPACE.l)
        column.setSpacing(SPACE.m)
        column.addWidget(self._words)
        column.addWidget(self.without, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        left = QVBoxLayout()
        left.setContentsMargins(0, SPACE.s, 0, SPACE.m)
        left.setSpacing(SPACE.s)
        left.addWidget(self.list, 1)
        below = QHBoxLayout()
        below.setContentsMargins(SPACE.m, 0, SPACE.m, 0)
        below.addWidget(self.add)
        below.addStretch(1)
        left.addLayout(below)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, 0, 0, 0)
        row.setSpacing(SPACE.m)
        side = QWidget()
        side.setMaximumWidth(_MOST)
        side.setLayout(left)
        row.addWidget(side, 1)
        row.addWidget(self.card, 2)
        row.addWidget(self._nothing, 2)
        self.card.show_model(None)

    def show_shelf(self, shelf: Shelf, *, select: str = "") -> None:
        """Show what was read."""
        self._shelf = shelf
        rows: list[Row] = []
        for kind in KINDS:
            rows.append(Row(key="", title=_TITLES[kind]))
            known = [one for one in shelf.models if one.kind == kind]
            rows += [_row(one) for one in known]
            rows.append(self._none_row(kind, shelf, known))
        self.list.show_rows(rows, select=select)
        self._show_current(self.list.current)

    def _none_row(self, kind: ModelKind, shelf: Shelf, known: list[KnownModel]) -> Row:
        setting = getattr(shelf.settings.vision, kind)
        off = not setting or not any(one.used for one in known)
        return Row(
            key=f"{_NONE}{kind}",
            title=tr("None"),
            caption=_INSTEAD[kind],
            badge=tr("In use") if off else "",
            tone="good",
        )

    def model(self, key: str) -> KnownModel | None:
        """The model of a row."""
        models = () if self._shelf is None else self._shelf.models
        return next((one for one in models if _key(one) == key), None)

    def _show_current(self, key: str) -> None:
        model = self.model(key)
        self.card.show_model(model)
        self._nothing.setVisible(model is None)
        if model is None and key.startswith(_NONE):
            kind = key.removeprefix(_NONE)
            self._words.setText(_WITHOUT[kind])
            self.without.setText(tr("Work without a {kind}").format(kind=type_word(kind)))
            setting = "" if self._shelf is None else str(getattr(self._shelf.settings.vision, kind))
            self.without.setVisible(bool(setting))

    def _use_current(self) -> None:
        self._use_key(self.list.current)

    def _use_key(self, key: str) -> None:
        if key.startswith(_NONE):
            self.use_wanted.emit(key.removeprefix(_NONE), "")
            return
        model = self.model(key)
        if model is not None and not model.used:
            self.use_wanted.emit(model.kind, model.name)

    def _with_shown(self, signal: SignalInstance) -> None:
        model = self.card.shown
        if model is not None:
            signal.emit(model.kind, model.name)


def _key(model: KnownModel) -> str:
    return f"{model.kind}/{model.name}"


def _row(model: KnownModel) -> Row:
    badge = tr("Cannot be used") if model.problem else tr("In use") if model.used else ""
    tone: Tone = "danger" if model.problem else "good"
    return Row(key=_key(model), title=name_words(model), caption=facts_of_model(model), badge=badge, tone=tone)
