"""Parts of the tab of rationales: the order to a writer, and its versions beside the demo's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Literal

from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QWidget,
)

from annotator.rationale_writing import TakeVersions, Version, WriteOrder
from annotator.ui.controls import Segments, check_box, column, combo_box, label, push_button, row, show_words, table
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.fitting import Fitting, stacking
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr


class VersionsView(QWidget):
    """What another writer would say, beside the demo's own; takes those over that are wanted."""

    def __init__(self, context: EditorContext) -> None:
        super().__init__()
        theme, self._context = context.theme, context
        self._versions: dict[str, Version] = {}
        self._heading = label("", role="heading")
        self._text = label("", wraps=True)
        self._wrong = label("", role="warning", wraps=True)
        self._good = label(tr("Nothing in it contradicts the screen."), role="good", wraps=True)
        place = tr("Put it in the place of the step's own")
        self._take = push_button(tr("Take this one"), place, theme, call=self.take)
        every = tr("Take every version that passes the check, in one edit")
        self._all = push_button(
            "",
            every,
            theme,
            role="main",
            call=lambda: self._put(self._passing),
        )
        forget = tr("Forget these versions; asking again costs nothing")
        self._drop = push_button(tr("Drop them"), forget, theme, call=lambda: self.begin(()))
        shown = (self._heading, self._text, self._wrong, self._good, self._take)
        column(*shown, row((self._all, 1), self._drop), of=self, margins=SPACE.m)
        context.view.step_changed.connect(self._show)
        self._show()

    def begin(self, versions: Sequence[Version]) -> None:
        """Compare with these from now on."""
        self._versions = {one.step_id: one for one in versions}
        self._show()

    def take(self) -> None:
        """Take the version of the current step."""
        step = self._context.view.step
        if step is not None and step.id in self._versions:
            self._put([self._versions[step.id]])

    @property
    def _passing(self) -> list[Version]:
        return [one for one in self._versions.values() if one.passes]

    def _put(self, versions: Sequence[Version]) -> None:
        self._context.do(TakeVersions(versions=tuple(versions)))
        self.begin([one for one in self._versions.values() if one not in versions])

    def _show(self) -> None:
        """Show the version of the step that is current now; nothing is shown while there are none at all."""
        step = self._context.view.step
        versions = list(self._versions.values())
        shown = None if step is None else self._versions.get(step.id)
        writer = versions[0].writer if versions else ""
        good, total = len(self._passing), len(versions)
        self.setVisible(total > 0)
        self._heading.setText(
            tr("AS {upper} SAYS IT · {passing} OF {total} PASS").format(upper=writer.upper(), passing=good, total=total)
        )
        there = shown is not None and shown.rationale is not None
        if shown is None:
            text = tr("There is no version for this step.")
        elif shown.rationale is None:
            text = tr("It gave none: {trouble}").format(trouble=shown.trouble)
        else:
            text = shown.rationale.hindsight or shown.rationale.reasoning
        self._text.setText(text)
        wrong = "" if shown is None else "\n".join(dict.fromkeys(one.message for one in shown.findings))
        show_words(self._wrong, wrong)
        self._good.setVisible(there and not wrong)
        self._take.setEnabled(there)
        self._all.setText(tr("Accept all that pass ({passing})").format(passing=good))
        self._all.setEnabled(good > 0)


Scope = Literal["step", "selected", "demo", "library"]
_SCOPES: Final[tuple[Scope, ...]] = ("step", "selected", "demo", "library")
_REPLACED: Final[tuple[tuple[Literal["missing", "stale", "programs"], str], ...]] = (
    ("missing", tr("Where there is none")),
    ("stale", tr("Also what is out of date")),
    ("programs", tr("Also all that a program wrote")),
)
_TEMPLATE: Final = "template"


class OrderForm(QWidget):
    """Which writer writes what, for which steps, and what it may cost."""

    def __init__(self, theme: Theme, *, write: Callable[[], None], beside: Callable[[], None]) -> None:
        """Make the form; ``write`` is called to write and store, ``beside`` to write beside what is there."""
        super().__init__()
        self._writer = QComboBox(editable=True)
        self._writer.setAccessibleName(tr("Writer"))
        line = self._writer.lineEdit()
        if line is not None:
            line.setAccessibleName(tr("Writer"))
        self._writer.setToolTip(tr("The template, which needs no network, or a model such as ollama:qwen2.5vl:7b"))
        self._scope = Segments(tr("For"), (tr("Step"), tr("Chosen"), tr("Demo"), tr("Library")), fills=True)
        self._scope.set_current(2)
        self._replaced = combo_box(
            tr("Write"), tr("A person's words stay in any case"), [(words, name) for name, words in _REPLACED]
        )
        for field in (self._writer, self._replaced):
            field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            field.setMinimumContentsLength(8)
        self._hindsight = check_box(
            tr("May tell what came of it"), tr("Hindsight reads better, and must not be used for training")
        )
        self._budget = QDoubleSpinBox(maximum=1000, decimals=2, singleStep=0.1, prefix="$ ")
        self._budget.setAccessibleName(tr("Most that it may cost, in dollars"))
        self._budget.setToolTip(tr("Nothing is sent that could cost more; 0 for what the settings allow"))
        self._budget.setSpecialValueText(tr("As in the settings"))
        write_tip = tr("Write and store, each step as soon as it is there")
        self._write = push_button(tr("Write"), write_tip, theme, role="main", call=lambda: write())
        beside_tip = tr("Write beside what is there, to compare; nothing is stored")
        self._beside = push_button(tr("Try beside"), beside_tip, theme, call=lambda: beside())
        fields: tuple[tuple[str, QWidget], ...] = (
            (tr("Writer"), self._writer), (tr("Where"), self._replaced), (tr("Budget"), self._budget)
        )  # fmt: skip
        named = table(
            ((label(words, role="muted"), control) for words, control in fields), spacing=SPACE.s, below=SPACE.s
        )
        named.setColumnStretch(1, 1)
        heading = label(tr("Write").upper(), role="heading")
        buttons = row((self._write, 1), (self._beside, 1))
        column(heading, named, self._scope, self._hindsight, buttons, of=self, margins=SPACE.m)
        spare = ((partial(self._scope.set_lines, 2), partial(self._scope.set_lines, 1)), stacking(buttons))
        self._fitting = Fitting(self, spare, says=lambda: None)

    # Asking ---------------------------------------------------------------------------------------------------

    @property
    def scope(self) -> Scope:
        """Which steps are meant."""
        return _SCOPES[self._scope.current]

    def order(self, demos: tuple[str, ...], only: frozenset[str] | None) -> WriteOrder:
        """What is chosen, for these demos, and perhaps for these steps only."""
        return WriteOrder(
            demos=demos,
            writer=self._writer.currentText().strip() or _TEMPLATE,
            only=only,
            rewriting=_REPLACED[self._replaced.currentIndex()][0],
            hindsight=self._hindsight.isChecked(),
            budget=self._budget.value() or None,
        )

    def offer_writers(self, names: tuple[str, ...]) -> None:
        """Which writers can be chosen without typing; the first that is not the template is proposed."""
        shown = self._writer.currentText()
        self._writer.clear()
        self._writer.addItems([_TEMPLATE, *names])
        self._writer.setCurrentText(shown or (names[0] if names else _TEMPLATE))

    def show_running(self, *, running: bool) -> None:
        """While a job runs no second one is started."""
        self._write.setEnabled(not running)
        self._beside.setEnabled(not running)
