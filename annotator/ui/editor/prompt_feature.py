"""Prompts: for the step that is shown, with the library's demos as examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSpinBox, QWidget

from annotator.prompt_preview import CHOICES, prompt_at, prompt_words
from annotator.ui.controls import check_box, column, combo_box, label, push_button, row
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.editor.panels.panel_section import TabPage
from annotator.ui.keys.key import Key
from annotator.ui.operations import Operation
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.errors import BadInputError
from demopack.prompting.caap_prompts import TABLE_6
from demopack.prompting.prompt import PromptOptions
from demopack.prompting.prompt_builder import PROMPT_DIALECTS

_TAB = "prompt"
_PAUSE_MS = 200
"""Steps are often passed through quickly, and numbers typed digit by digit."""


_NAMES = {
    "llmresponse": "LLMResponse",
    "caap": "CAAP",
    "uipath": "UiPath",
    "lam": "LAM / UFO",
    "ui-tars": "UI-TARS",
    "ui-tars-1.5": "UI-TARS 1.5",
    "qwen": "Qwen",
    "qwen2.5-vl": "Qwen2.5-VL",
}
_CONFIGS = {
    "full": tr("Everything"),
    "demo_without_cot": tr("No reasoning steps"),
    "cot_without_demo": tr("No examples"),
    "cot_with_action_only_demo": tr("Examples without reasons"),
    "no_cot_no_demo": tr("Neither reasoning steps nor examples"),
}
_NAME_WIDTH = 72


class PromptFeature(Feature):
    """A tab with the prompt of the current step. While the tab is not shown, nothing is built.

    Attributes:
        tab: what is chosen above, the prompt below.
        text: the prompt.
        told: how long it is, or why there is none.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self._job: Operation | None = None
        self._soon = QTimer(context.page, interval=_PAUSE_MS, singleShot=True)
        self._soon.timeout.connect(self._build)
        self.tab = TabPage()
        # Steps may have been passed through while another tab was shown.
        self.tab.seen.connect(self._soon.start)
        self._dialect = _combo(tr("Dialect"), tr("In whose words the prompt is written"), PROMPT_DIALECTS, _NAMES)
        self._shots = _number(
            tr("Examples"), tr("At most so many demos are shown; those that fit the task best"), 50, 1
        )
        self._shots.setValue(2)
        self._budget = _number(tr("Tokens"), tr("So many tokens the prompt may have, about"), 1_000_000, 1000)
        self._budget.setMinimum(1)
        self._budget.setGroupSeparatorShown(True)
        self._budget.setValue(8000)
        tip = tr("Which parts of the prompt are there, as in the paper's comparison")
        self._config = _combo(tr("Parts"), tip, tuple(TABLE_6), _CONFIGS)
        self._elements = check_box(
            tr("List elements in examples"), tr("Examples then show their screens in full; that takes many tokens")
        )
        self._words = check_box(tr("Tell what was done in words"), tr("One list instead of a talk of whole answers"))
        self._others = check_box(
            tr("No example of the very same task"),
            tr("For measuring: an agent must not read the answer off an example"),
        )
        self.told = label("", role="caption", wraps=True)
        self.text = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(tr("Prompt"))
        self.text.setToolTip(tr("The prompt for the step that is shown"))
        self._copy = push_button(
            tr("Copy prompt"), tr("Put the whole prompt on the clipboard"), context.theme, role="main", call=self.copy
        )
        rows = [_named(field) for field in (self._dialect, self._shots, self._budget, self._config)]
        self._config_row = rows[-1]
        column(
            label(tr("PROMPT FOR THIS STEP"), role="heading"),
            *rows,
            self._elements,
            self._words,
            self._others,
            self.told,
            (self.text, 1),
            self._copy,
            of=self.tab,
            margins=SPACE.m,
        )
        for combo in (self._dialect, self._config):
            combo.currentIndexChanged.connect(self._changed)
        for number in (self._shots, self._budget):
            number.valueChanged.connect(self._changed)
        for box in (self._elements, self._words, self._others):
            box.toggled.connect(self._changed)
        self._show_choices()
        self._show("", tr("Choose a step."))
        context.panel.add_tab(_TAB, tr("Prompt"), self.tab, stays=False)
        context.head.add_job(
            _TAB, tr("Prompt …"), self.open, tip=tr("The prompt that an agent would get at this step, to be copied")
        )
        document = context.document
        context.view.step_changed.connect(self._soon.start)
        document.step_changed.connect(lambda _: self._soon.start())
        document.head_changed.connect(self._soon.start)
        document.elements_changed.connect(lambda _: self._soon.start())

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self._cancel()

    def open(self) -> None:
        """Show the tab."""
        self.context.leave()
        self.context.panel.show_tab(_TAB)
        self._soon.start()

    def copy(self) -> None:
        """Put the prompt on the clipboard."""
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.context.say(tr("The prompt is on the clipboard."))

    # Choices --------------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self._show_choices()
        self._soon.start()

    def _show_choices(self) -> None:
        known = CHOICES[self.dialect]
        self._elements.setVisible("elements" in known)
        self._words.setVisible("words" in known)
        self._config_row.setVisible("config" in known)

    @property
    def dialect(self) -> str:
        """In whose words the prompt is written."""
        return str(self._dialect.currentData())

    @property
    def options(self) -> PromptOptions:
        """What else is chosen; what the dialect does not know stays at its default."""
        known = CHOICES[self.dialect]
        return PromptOptions(
            shots=self._shots.value(),
            budget=self._budget.value(),
            instance="other" if self._others.isChecked() else "any",
            shot_elements="elements" in known and self._elements.isChecked(),
            talk="words" not in known or not self._words.isChecked(),
            config=str(self._config.currentData()) if "config" in known else "full",
        )

    # Building -------------------------------------------------------------------------------------------------

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _build(self) -> None:
        session = self.context.session
        if self.context.panel.shown_tab != _TAB:
            return
        self._cancel()
        number, dialect, options = self.context.view.index + 1, self.dialect, self.options
        if not number:
            self._show("", "")
            return
        self._job = self.context.operations.run(
            tr("Building a prompt"),
            lambda control: prompt_at(session.library, session.demo_id, number, dialect, options, control),
            on_result=lambda prompt: self._show(prompt.to_text(), prompt_words(prompt, options.budget)),
            on_error=self._fail,
            newest=_TAB,
        )

    def _fail(self, error: Exception) -> None:
        if isinstance(error, BadInputError):
            # What was chosen does not go together: that is said where it was chosen.
            self._show("", f"{error.user_message} {error.hint}".strip())
        else:
            self._show("", "")
            self.context.messages.show_error(error)

    def _show(self, text: str, told: str) -> None:
        """Show a prompt, empty for none; where it is the one that is shown, it stays scrolled."""
        if self.context.view.step is None:
            text, told = "", tr("Choose a step.")
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
        self.told.setText(told)
        self._copy.setEnabled(bool(text))

    KEYS: ClassVar[tuple[Key, ...]] = (Key("prompt", tr("Prompt for this step"), ("Ctrl+Alt+P",), "Steps", call=open),)


def _named(field: QWidget) -> QWidget:
    made = QWidget()
    name = label(field.accessibleName(), role="muted")
    name.setFixedWidth(_NAME_WIDTH)
    row(name, (field, 1), of=made)
    return made


def _combo(name: str, tip: str, values: Sequence[str], words: Mapping[str, str]) -> QComboBox:
    made = combo_box(name, tip, [(words.get(value, value), value) for value in values])
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(8)
    return made


def _number(name: str, tip: str, most: int, step: int) -> QSpinBox:
    made = QSpinBox(maximum=most, singleStep=step)
    made.setAccessibleName(name)
    made.setToolTip(tip)
    return made
