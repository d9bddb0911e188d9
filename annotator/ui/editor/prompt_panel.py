"""The tab of prompts: what is chosen above, the prompt below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QFontDatabase, QShowEvent
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSpinBox, QWidget

from annotator.prompt_preview import CAAP_CONFIGS, DIALECTS, PromptOrder, choices_of
from annotator.ui.controls import check_box, column, combo_box, label, push_button, row
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

_NAMES = {"llmresponse": "LLMResponse", "caap": "CAAP", "uipath": "UiPath", "lam": "LAM / UFO"}
_CONFIGS = {
    "full": tr("Everything"),
    "demo_without_cot": tr("No reasoning steps"),
    "cot_without_demo": tr("No examples"),
    "cot_with_action_only_demo": tr("Examples without reasons"),
    "no_cot_no_demo": tr("Neither reasoning steps nor examples"),
}
_NAME_WIDTH = 72


class PromptPanel(QWidget):
    """Asks how the prompt is to be, and shows it.

    Signals:
        order_changed: something else was chosen.
        copy_wanted: the prompt is to be copied.
    """

    order_changed = Signal()
    copy_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._dialect = _combo(tr("Dialect"), tr("In whose words the prompt is written"), DIALECTS, _NAMES)
        self._shots = _number(
            tr("Examples"), tr("At most so many demos are shown; those that fit the task best"), 50, 1
        )
        self._shots.setValue(2)
        self._budget = _number(tr("Tokens"), tr("So many tokens the prompt may have, about"), 1_000_000, 1000)
        self._budget.setMinimum(1)
        self._budget.setGroupSeparatorShown(True)
        self._budget.setValue(8000)
        tip = tr("Which parts of the prompt are there, as in the paper's comparison")
        self._config = _combo(tr("Parts"), tip, CAAP_CONFIGS, _CONFIGS)
        self._elements = check_box(
            tr("List elements in examples"), tr("Examples then show their screens in full; that takes many tokens")
        )
        self._words = check_box(tr("Tell what was done in words"), tr("One list instead of a talk of whole answers"))
        self._others = check_box(
            tr("No example of the very same task"),
            tr("For measuring: an agent must not read the answer off an example"),
        )
        self.told = label("", role="caption", wraps=True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(tr("Prompt"))
        self.text.setToolTip(tr("The prompt for the step that is shown"))
        self.text.setTabChangesFocus(True)
        self._copy = push_button(tr("Copy prompt"), tr("Put the whole prompt on the clipboard"), theme, role="main")
        self._copy.clicked.connect(self.copy_wanted)
        self._lay_out()
        for combo in (self._dialect, self._config):
            combo.currentIndexChanged.connect(self._changed)
        for number in (self._shots, self._budget):
            number.valueChanged.connect(self._changed)
        for box in (self._elements, self._words, self._others):
            box.toggled.connect(self._changed)
        self._show_choices()
        self.show_nothing(tr("Choose a step."))

    def _lay_out(self) -> None:
        self._config_row = _row(tr("Parts"), self._config)
        column(
            label(tr("PROMPT FOR THIS STEP"), role="heading"),
            _row(tr("Dialect"), self._dialect),
            _row(tr("Examples"), self._shots),
            _row(tr("Tokens"), self._budget),
            self._config_row,
            self._elements,
            self._words,
            self._others,
            self.told,
            (self.text, 1),
            self._copy,
            of=self,
            margins=SPACE.m,
        )

    def _changed(self) -> None:
        self._show_choices()
        self.order_changed.emit()

    def _show_choices(self) -> None:
        known = choices_of(str(self._dialect.currentData()))
        self._elements.setVisible("elements" in known)
        self._words.setVisible("words" in known)
        self._config_row.setVisible("config" in known)

    # Asking ---------------------------------------------------------------------------------------------------

    @property
    def order(self) -> PromptOrder:
        """What is chosen."""
        return PromptOrder(
            dialect=str(self._dialect.currentData()),
            shots=self._shots.value(),
            budget=self._budget.value(),
            elements=self._elements.isChecked(),
            words=self._words.isChecked(),
            config=str(self._config.currentData()),
            others=self._others.isChecked(),
        )

    def choose(self, order: PromptOrder) -> None:
        """Choose without the user; told once."""
        parts = (self._dialect, self._shots, self._budget, self._config, self._elements, self._words, self._others)
        blockers = [QSignalBlocker(part) for part in parts]
        self._dialect.setCurrentIndex(self._dialect.findData(order.dialect))
        self._config.setCurrentIndex(self._config.findData(order.config))
        self._shots.setValue(order.shots)
        self._budget.setValue(order.budget)
        for box, on in ((self._elements, order.elements), (self._words, order.words), (self._others, order.others)):
            box.setChecked(on)
        for blocker in blockers:
            blocker.unblock()
        self._changed()

    # Showing --------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Steps may have been passed through while another tab was shown."""
        super().showEvent(event)
        self.order_changed.emit()

    def show_prompt(self, text: str, told: str) -> None:
        """Show a prompt; where it is the one that is shown, it stays scrolled."""
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
        self.told.setText(told)
        self._copy.setEnabled(True)

    def show_nothing(self, told: str) -> None:
        """There is no prompt, and why."""
        self.text.clear()
        self.told.setText(told)
        self._copy.setEnabled(False)


def _row(words: str, field: QWidget) -> QWidget:
    made = QWidget()
    name = label(words, role="muted")
    name.setFixedWidth(_NAME_WIDTH)
    row(name, (field, 1), of=made)
    return made


def _combo(name: str, tip: str, values: Sequence[str], words: Mapping[str, str]) -> QComboBox:
    made = combo_box(name, tip, [(words.get(value, value), value) for value in values])
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(8)
    return made


def _number(name: str, tip: str, most: int, step: int) -> QSpinBox:
    made = QSpinBox()
    made.setAccessibleName(name)
    made.setToolTip(tip)
    made.setRange(0, most)
    made.setSingleStep(step)
    return made
