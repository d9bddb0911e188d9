"""The tab of prompts: follows the step and what is chosen, says what it costs, copies."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from annotator.prompt_preview import CHOICES
from annotator.step_commands import SetRationale
from annotator.ui.editor.prompt_feature import PromptFeature
from tests.gui.conftest import App


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def feature(page: Any) -> PromptFeature:
    found: PromptFeature = page.context.feature(PromptFeature)
    return found


def choose(page: Any, dialect: str = "llmresponse", *, shots: int = 2, budget: int = 8000) -> None:
    prompts = feature(page)
    prompts._dialect.setCurrentIndex(prompts._dialect.findData(dialect))
    prompts._shots.setValue(shots)
    prompts._budget.setValue(budget)


def shown(app: App, page: Any, words: str) -> str:
    """The prompt, once it holds these words."""
    panel = feature(page)
    app.qtbot.waitUntil(lambda: words in panel.text.toPlainText(), timeout=20_000)
    app.settle()
    return panel.text.toPlainText()


def test_nothing_is_built_until_the_tab_is_shown(app: App, page: Any) -> None:
    page.view.go_to(2)
    app.settle()
    assert feature(page).text.toPlainText() == ""
    app.qtbot.keyClick(page.canvas, "p", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    assert page.context.panel.shown_tab == "prompt"
    task = page.context.document.head.task
    assert task in shown(app, page, task)
    assert feature(page).told.text().startswith("About ")


def test_it_follows_the_step_and_what_was_written_before_it(app: App, page: Any) -> None:
    feature(page).open()
    choose(page, "uipath", shots=0, budget=20_000)
    page.view.go_to(3)
    first = shown(app, page, page.context.document.head.task)
    earlier = page.context.document.steps[1]
    page.context.do(SetRationale(step_id=earlier.id, text="Because the unicorn said so."))
    told = shown(app, page, "unicorn")
    assert told != first
    page.view.go_to(0)
    app.qtbot.waitUntil(lambda: "unicorn" not in feature(page).text.toPlainText())
    app.settle()


def test_every_dialect_can_be_chosen_with_its_own_choices(app: App, page: Any) -> None:
    prompts = feature(page)
    prompts.open()
    page.view.go_to(2)
    texts: set[str] = set()
    for dialect in CHOICES:
        last = prompts.text.toPlainText()
        choose(page, dialect, shots=0, budget=20_000)
        app.qtbot.waitUntil(lambda last=last: prompts.text.toPlainText() not in {"", last}, timeout=20_000)
        texts.add(prompts.text.toPlainText())
        assert "No example." in prompts.told.text()
        assert prompts._words.isVisibleTo(prompts.tab) is (dialect == "uipath")
        assert prompts._config_row.isVisibleTo(prompts.tab) is (dialect == "caap")
    assert len(texts) == len(CHOICES)
    app.settle()


def test_a_dialect_gets_only_what_it_knows(app: App, page: Any) -> None:
    prompts = feature(page)
    for box in (prompts._elements, prompts._words, prompts._others):
        box.setChecked(True)
    prompts._config.setCurrentIndex(prompts._config.findData("no_cot_no_demo"))
    for dialect, known in CHOICES.items():
        choose(page, dialect)
        options = prompts.options
        assert options.shot_elements is ("elements" in known)
        assert options.talk is ("words" not in known)
        assert (options.config == "full") is ("config" not in known)
        assert options.instance == "other"
    app.settle()


def test_a_budget_that_is_too_small_is_said_where_it_was_chosen(app: App, page: Any) -> None:
    prompts = feature(page)
    prompts.open()
    choose(page, budget=10)
    app.qtbot.waitUntil(lambda: "the budget is 10" in prompts.told.text())
    app.settle()
    assert prompts.text.toPlainText() == ""
    assert not prompts._copy.isEnabled()
    assert not app.window.banner.isVisible()


def test_the_whole_prompt_goes_to_the_clipboard(app: App, page: Any) -> None:
    feature(page).open()
    text = shown(app, page, page.context.document.head.task)
    button = next(b for b in feature(page).tab.findChildren(QPushButton) if b.text() == "Copy prompt")
    app.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == text
