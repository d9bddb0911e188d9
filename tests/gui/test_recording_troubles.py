"""What the app shows when a source of the recording ends, what it offers then, and that nothing waits for long jobs."""

from __future__ import annotations

import ast
import builtins
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QCheckBox
from pytestqt.qtbot import QtBot

from annotator.ui.recording import recording_words
from annotator.ui.recording.floating import Floating
from annotator.ui.services import RecordingPlan, Services
from annotator.ui.theme.manager import Theme
from annotator.words import set_translation
from demopack.jobs import JobControl
from demopack.settings import PrivacySettings, RecorderSettings, Settings
from demopack.store import Library
from recorder.backends.base import broken_off
from recorder.event_filter import OwnWindows
from recorder.privacy import text_hold
from recorder.privacy.text_hold import LOST_HELD
from recorder.selftest import TEXT_HELD, TEXT_STORED, CheckResult
from scripts.write_translations import ROOT, read_catalogue
from tests.gui.conftest import App, make_app
from tests.support.fake_recorder import FakeRecorder
from tests.support.services import with_calls

# What the offscreen platform cannot do is no fault of the bar.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

PROBLEM = "Programs no longer tell which fields hold passwords"


@pytest.fixture
def running(app: App) -> Iterator[App]:
    app.window.library_page.panel.start_wanted.emit(RecordingPlan(task="Order a book"))
    app.settle()
    yield app
    if app.window.desk.active:
        app.window.desk.stop()
        app.settle()
        app.settle()


def press(window: Floating, name: str) -> None:
    next(b for b in window.findChildren(QAbstractButton) if b.accessibleName() == name and b.isVisible()).click()


def test_a_loss_is_told_on_bar_and_tray_within_a_second(running: App) -> None:
    desk, recorder = running.window.desk, running.recorders[-1]
    plain = desk.tray.picture().pixmap(32, 32).toImage()
    recorder.health = ["F8 belongs to another program too: it will react when you press it."]
    running.qtbot.waitUntil(lambda: len(desk.bar.problems) == 1, timeout=1_000)
    recorder.health = [*recorder.health, LOST_HELD]
    running.qtbot.waitUntil(lambda: len(desk.bar.problems) == 2, timeout=1_000)
    assert desk.bar.readout.line == "Text is held back", "the sign was amber before"
    assert PROBLEM in desk.tray.tip
    assert desk.tray.picture().pixmap(32, 32).toImage() != plain
    desk.tray.open_menu()
    assert PROBLEM in desk.tray.menu.items
    recorder.health = []
    running.qtbot.waitUntil(lambda: desk.tray.tip == "demopack: recording", timeout=1_000)
    assert desk.tray.picture().pixmap(32, 32).toImage() == plain


@pytest.mark.parametrize("way", ["bar", "tray", "key"])
def test_typed_text_is_stored_again_when_the_person_says_so(running: App, way: str) -> None:
    desk, recorder = running.window.desk, running.recorders[-1]
    recorder.holds_text = True
    if way == "key":
        recorder.on_hotkey("hold_text")
    elif way == "bar":
        press(desk.bar, "More")
        press(desk.menu, "Store typed text again")
    else:
        desk.tray.open_menu()
        press(desk.tray.menu, "Store typed text again")
    running.settle()
    running.qtbot.waitUntil(lambda: not recorder.holds_text)
    assert desk.bar.readout.line == "Text is stored again"
    press(desk.bar, "More")
    assert "Hold back typed text" in desk.menu.items
    press(desk.menu, "Hold back typed text")
    assert recorder.holds_text
    assert desk.bar.readout.line == "Text is held back"


@pytest.fixture
def english_afterwards() -> Iterator[None]:
    yield
    set_translation(None)


@pytest.mark.usefixtures("english_afterwards")
def test_what_the_recorder_says_is_known_in_other_languages() -> None:
    """Everything it can say, in whatever module; what is known in vain has been said once."""
    files = [path for path in sorted((ROOT / "recorder").rglob("*.py")) if path.name not in _COMMAND_LINE]
    said = {text for path in files for text in said_in(path)}
    known = {re.sub(r"{\w+}", VARIES, text) for text in recording_words.RECORDER_SENTENCES}
    both = said | set(said_in(ROOT / "demopack/atomic.py"))
    assert [text for text in sorted(known) if not any(text in part for part in both)] == []
    assert {recording_words.spoken(text) for text in said} == said, "in English nothing changes"
    set_translation(lambda _: "≡")
    assert [text for text in sorted(said) if re.search("[A-Za-z]", recording_words.spoken(text))] == []
    held = {getattr(text_hold, name) for name in vars(text_hold) if name.isupper() and not name.endswith("_NS")}
    assert held == set(recording_words._TITLES) <= set(recording_words.RECORDER_SENTENCES)


_COMMAND_LINE = {"area.py", "browsers.py", "purge.py", "hotkeys.py", "private_display.py"}
"""What these say is read on the command line; of hot-keys the app has words of its own."""
VARIES = "§"


def said_in(path: Path) -> Iterator[str]:
    """Every sentence in a file that may come before a person, with a sign in the place of what varies."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {id(part) for node in ast.walk(tree) for part in unsaid(node)}
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        texts = [part.value if isinstance(part, ast.Constant) else VARIES for part in parts]
        if id(node) in silent or not isinstance(node, ast.JoinedStr | ast.Constant):
            continue
        text = "".join(map(str, texts)).strip()
        if re.fullmatch(rf"[A-Z0-9“{VARIES}].* [A-Za-z].*|.+ .+\.", text):
            yield text


def unsaid(node: ast.AST) -> Iterator[ast.AST]:
    """What nobody is told: documentation, the log, details for a report, errors of programs, parts of a text."""
    is_log = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("_log.")
    is_detail = isinstance(node, ast.keyword) and node.arg == "details"
    is_fault = isinstance(node, ast.Raise) and ast.unparse(node).removeprefix("raise ").partition("(")[0] in dir(
        builtins
    )
    if is_log or is_detail or is_fault:
        yield from ast.walk(node)
    elif isinstance(node, ast.Expr):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from (part for part in node.values if isinstance(part, ast.Constant))


@pytest.mark.usefixtures("english_afterwards")
@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "“Calc” answered late. It is asked less now, so that it is not slowed down.",
            "„Calc“ hat spät geantwortet. Es wird jetzt seltener gefragt, damit es nicht langsamer wird.",
        ),
        (
            "The window “{x} 1.2” cannot be seen: it is closed, minimised or outside the screen.",
            "Das Fenster „{x} 1.2“ ist nicht zu sehen: Es ist geschlossen, verkleinert oder außerhalb des Bildschirms.",
        ),
        (
            "12 input events could not be read; a step may be missing.",
            "12 Eingaben konnten nicht gelesen werden; vielleicht fehlt ein Schritt.",
        ),
        (
            "There is no monitor HDMI-1.2. Connect it, or choose another: DP-1, DP-2.",
            "Es gibt keinen Monitor HDMI-1.2. Schließen Sie ihn an oder wählen Sie einen anderen: DP-1, DP-2.",
        ),
        ("Stop with Ctrl+Alt+R.", "Beenden mit Strg+Alt+R."),
        (
            "Ctrl+Alt+R, F8 are held by another program.",
            "Strg+Alt+R, F8 gehören anderen Programmen.",
        ),
        ("What nobody knows.", "What nobody knows."),
    ],
)
def test_what_varies_is_said_in_other_languages_too(english: str, german: str) -> None:
    known = {text: told for text, told in read_catalogue().items() if told}
    set_translation(lambda text: known.get(text, ""))
    assert recording_words.spoken(english) == german


@pytest.mark.usefixtures("english_afterwards")
def test_a_recording_that_broke_off_says_so_in_the_language_of_the_app(running: App) -> None:
    known = {text: told for text, told in read_catalogue().items() if told}
    set_translation(lambda text: known.get(text, ""))
    running.recorders[-1].error = broken_off(ValueError("odd"))
    running.window.desk.stop()
    running.qtbot.waitUntil(lambda: bool(running.window.banner.text))
    assert running.window.banner.text.startswith("Die Aufnahme brach wegen eines Fehlers in demopack ab;")


def test_no_picture_is_offered_while_paused(running: App) -> None:
    desk, recorder = running.window.desk, running.recorders[-1]
    press(desk.bar, "Pause")
    running.qtbot.waitUntil(lambda: desk.bar.state == "paused")
    shot = next(b for b in desk.bar.findChildren(QAbstractButton) if b.accessibleName() == "Add a shot")
    assert not shot.isEnabled()
    desk.tray.open_menu()
    assert "Picture now" not in desk.tray.menu.items
    recorder.on_hotkey("shot")
    running.settle()
    running.qtbot.waitUntil(lambda: desk.bar.readout.line == "Paused, no picture")
    assert recorder.shots == []


@pytest.mark.parametrize("hold", [False, True])
def test_where_programs_tell_nothing_the_person_chooses_before_the_first_step(
    library: Library, theme: Theme, services: Services, qtbot: QtBot, hold: bool
) -> None:
    answers = [False, True]

    def try_out(_folder: Path, _settings: Settings, on_result: Callable[[CheckResult], None]) -> list[CheckResult]:
        hint = TEXT_HELD if hold else TEXT_STORED
        words = "Programs tell nothing."
        on_result(CheckResult(name="accessibility", ok=answers.pop(0), words=words, hint=hint, needed=False))
        return []

    settings = Settings(recorder=RecorderSettings(privacy=PrivacySettings(hold_unknown=hold)))
    app = make_app(library, theme, with_calls(services, self_test=try_out, settings=settings), qtbot)
    panel = app.window.library_page.panel
    app.window.library_page.panel.ask()
    app.settle()
    box = next(b for b in panel.findChildren(QCheckBox) if b.text() == "Hold back what I type")
    assert box.isVisible()
    assert box.isChecked() is hold
    assert panel.checks.wrong.text() == f"Accessibility: Programs tell nothing. {TEXT_HELD if hold else TEXT_STORED}"
    box.click()
    assert panel.checks.wrong.text() == f"Accessibility: Programs tell nothing. {TEXT_STORED if hold else TEXT_HELD}"
    assert panel.plan().hold_text is not hold
    panel.try_out()
    app.settle()
    assert not box.isVisible(), "programs tell now"
    assert panel.plan().hold_text is None
    app.window.close()


class SlowRecorder(FakeRecorder):
    """Comes up only when the test lets it."""

    may_start = threading.Event()
    starting = threading.Event()
    stopped = threading.Event()

    def start(self) -> None:
        type(self).starting.set()
        assert type(self).may_start.wait(20)
        super().start()

    def stop(self) -> Any:
        type(self).stopped.set()
        return super().stop()


def test_an_app_that_is_closed_while_a_recording_starts_leaves_none_behind(
    library: Library, theme: Theme, services: Services, qtbot: QtBot
) -> None:
    SlowRecorder.may_start.clear()
    SlowRecorder.starting.clear()
    SlowRecorder.stopped.clear()
    made: list[SlowRecorder] = []

    def open_recorder(opened: Library, settings: Settings, plan: RecordingPlan, _: OwnWindows) -> FakeRecorder:
        made.append(SlowRecorder(opened, settings, plan))
        return made[-1]

    app = make_app(library, theme, services, qtbot)
    app.window.desk._services = with_calls(services, open_recorder=open_recorder)
    app.window.library_page.panel.start_wanted.emit(RecordingPlan(task="Order a book"))
    qtbot.waitUntil(SlowRecorder.starting.is_set)
    ended_first: list[bool] = []
    app.window.operations.run(
        "a long job", lambda _: ended_first.append(SlowRecorder.stopped.wait(10)), on_result=_nothing, on_error=_nothing
    )
    later = threading.Timer(0.2, SlowRecorder.may_start.set)
    later.start()
    app.window.close()
    later.join()
    assert library.demo(made[0].demo_id).head.status == "complete"
    assert ended_first == [True], "what is typed while other jobs end is no part of it"


def test_an_app_that_is_closed_before_it_hears_that_a_recording_runs_leaves_none_behind(
    library: Library, theme: Theme, services: Services, qtbot: QtBot
) -> None:
    app = make_app(library, theme, services, qtbot)
    app.window.library_page.panel.start_wanted.emit(RecordingPlan(task="Order a book"))
    control = app.window.desk
    while control._started is None:  # nothing is delivered meanwhile
        threading.Event().wait(0.005)
    app.window.close()
    assert library.demo(app.recorders[0].demo_id).head.status == "complete"


def test_a_recording_starts_and_stops_beside_any_number_of_long_jobs(app: App) -> None:
    go_on, control = threading.Event(), app.window.desk

    def job(_: JobControl) -> None:
        go_on.wait(60)

    for number in range(4):
        app.window.operations.run(f"job {number}", job, on_result=_nothing, on_error=_nothing)
    try:
        app.window.library_page.panel.start_wanted.emit(RecordingPlan(task="Order a book"))
        app.qtbot.waitUntil(lambda: app.window.recorder_bar.state == "recording")
        app.recorders[0].press()
        control.stop()
        app.qtbot.waitUntil(lambda: not control.active)
        assert app.library.demo(app.recorders[0].demo_id).head.status == "complete"
    finally:
        go_on.set()
        app.settle()


def test_the_window_is_gone_while_a_job_comes_to_its_end(app: App) -> None:
    seen: list[bool] = []

    def job(control: JobControl) -> None:
        control.token.wait(20)
        seen.append(app.window.isVisible())

    app.window.operations.run("a long job", job, on_result=_nothing, on_error=_nothing)
    app.window.close()
    assert seen == [False]


def _nothing(_: Any) -> None:
    return
