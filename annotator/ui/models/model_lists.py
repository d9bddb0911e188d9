"""Lists of the models page: the models that there are, and the screens to correct first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from annotator.model_store import KINDS, FrameReference, KnownModel, ModelCatalog
from annotator.model_words import facts_of_model, name_words, reason_words
from annotator.step_words import beside_step, type_word
from annotator.ui.controls import column, label, push_button, row
from annotator.ui.models.card_panel import CardPanel
from annotator.ui.models.row_list import ListRow, RowList, Tone
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import capital, tr
from models.registry import ModelKind

if TYPE_CHECKING:
    from models.training.correction_order import UncertainScreen

_MIN_WIDTH, _MAX_WIDTH = 260, 340
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
        self._shelf: ModelCatalog | None = None
        self.list = RowList(tr("Models"), theme)
        self.list.setMinimumWidth(_MIN_WIDTH)
        self.list.current_changed.connect(self._show_current)
        self.list.opened.connect(self._use_key)
        self.card = CardPanel(theme)
        self.card.use.clicked.connect(lambda: self._with_shown(self.use_wanted))
        self.card.remove.clicked.connect(lambda: self._with_shown(self.remove_wanted))
        self.card.train.clicked.connect(lambda: self._with_shown(self.train_wanted))
        self.add = push_button(
            tr("Add a folder …"),
            tr("Copy a model folder, from a training or from someone else"),
            theme,
            name="plus",
            call=self.add_wanted,
        )
        self.without = push_button(
            tr("Work without"),
            tr("Find elements without such a model from now on"),
            theme,
            role="main",
            call=self._use_current,
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
        layout = row(of=self, spacing=SPACE.m, margins=(SPACE.m, 0, 0, 0))
        side = QWidget()
        side.setMaximumWidth(_MAX_WIDTH)
        column(
            (self.list, 1),
            row(self.add, None, spacing=-1, margins=(SPACE.m, 0, SPACE.m, 0)),
            of=side,
            margins=(0, SPACE.s, 0, SPACE.m),
        )
        layout.addWidget(side, 1)
        layout.addWidget(self.card, 2)
        layout.addWidget(self._nothing, 2)
        self.card.show_model(None)

    def show_models(self, shelf: ModelCatalog, *, select: str = "") -> None:
        """Show what was read."""
        self._shelf = shelf
        rows: list[ListRow] = []
        for kind in KINDS:
            rows.append(ListRow(key="", title=_TITLES[kind]))
            known = [one for one in shelf.models if one.kind == kind]
            rows += [_row(one) for one in known]
            rows.append(self._none_row(kind, shelf, known))
        self.list.show_rows(rows, select=select)
        self._show_current(self.list.current)

    def _none_row(self, kind: ModelKind, shelf: ModelCatalog, known: list[KnownModel]) -> ListRow:
        setting = getattr(shelf.settings.vision, kind)
        off = not setting or not any(one.used for one in known)
        return ListRow(
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
            self._words.setText(_NO_MODEL_WORDS[kind])
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


def _row(model: KnownModel) -> ListRow:
    badge = tr("Cannot be used") if model.problem else tr("In use") if model.used else ""
    tone: Tone = "danger" if model.problem else "good"
    return ListRow(key=_key(model), title=name_words(model), caption=facts_of_model(model), badge=badge, tone=tone)


class SuspectsView(QWidget):
    """A ranking; choosing a screen opens the editor there.

    Signals:
        open_wanted: id of a demo, and a ``FrameReference``.
    """

    open_wanted = Signal(str, object)

    def __init__(self, pictures: ScreenshotCache, theme: Theme) -> None:
        super().__init__()
        self._places: dict[str, tuple[str, FrameReference]] = {}
        self.list = RowList(tr("Correct these first"), theme, pictures=pictures)
        self.list.opened.connect(self._open)
        self.list.clicked.connect(self._on_click)
        self.told = label("", role="muted", wraps=True)
        self.again = push_button(tr("Rank again"), tr("Look through the library once more"), theme)
        column(
            row((self.told, 1), self.again, spacing=-1),
            (self.list, 1),
            of=self,
            spacing=SPACE.m,
            margins=(SPACE.xl, SPACE.l, SPACE.xl, SPACE.m),
        )

    def show_looking(self) -> None:
        """The library is being looked through."""
        self.told.setText(tr("Looking through the library …"))

    def show_suspects(self, found: Sequence[tuple[UncertainScreen, str, FrameReference]]) -> None:
        """Show a new ranking."""
        self._places = {f"{one.demo} {one.frame}": (one.demo, place) for one, _, place in found}
        rows = [
            ListRow(
                key=f"{one.demo} {one.frame}",
                title=task or tr("No task written"),
                caption=tr("{place}: {reason}").format(
                    place=capital(beside_step(place.side, place.step)), reason=reason_words(one)
                ),
                badge=tr("{score:.1f} doubtful").format(score=one.score),
                tone="warning",
                frame=one.frame,
            )
            for one, task, place in found
        ]
        self.list.show_rows(rows)
        self.told.setText(
            tr("Most is learned from correcting these screens, in this order. Choose one to open it.")
            if rows
            else tr(
                "Nothing to correct: there are no elements that nobody looked at. Open a demo and find elements first."
            )
        )

    def _on_click(self, index: QModelIndex) -> None:
        if index.isValid():
            self._open(self.list.current)

    def _open(self, key: str) -> None:
        found = self._places.get(key)
        if found is not None:
            self.open_wanted.emit(*found)
