"""Recorded in a real program that tells about its elements, and replayed: keys arrive there or nowhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demopack.domain.geometry import Point
from demopack.settings import PrivacySettings
from recorder.backends import open_access, open_windows
from recorder.backends.base import SeenWindow
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import DesktopProgram, until, zenity
from tests.support.injector import Injector
from tests.support.record_command import RecordCommand

pytestmark = pytest.mark.e2e

FORM = ("--forms", "--text", "A customer", "--add-entry=Name", "--add-entry=Note")


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=1100, height=800) as started:
        assert started.has_access
        yield started


def form(desktop: PrivateDesktop) -> DesktopProgram:
    return zenity(desktop, *FORM, title="Customers")


def accept(person: Injector) -> None:
    """From the second field to the button, past the one that cancels."""
    person.key("tab")
    person.key("tab")
    person.key("enter")


@pytest.fixture(scope="module")
def library(desktop: PrivateDesktop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One demo that begins with typing, into a field that has the focus already."""
    folder = tmp_path_factory.mktemp("real") / "library"
    with (
        form(desktop) as customers,
        RecordCommand(desktop, folder, privacy=PrivacySettings()) as record,
        Injector(desktop.name) as person,
    ):
        person.move(1000, 700)
        person.wait(0.6)
        person.type("Ada")
        person.key("tab")
        person.type("calls back")
        accept(person)
        assert customers.output() == "Ada|calls back\n"
        record.wait_for(lambda told: sum(item["event"] == "step" for item in told) >= 4)
    return folder


def place_of(desktop: PrivateDesktop, name: str) -> Point:
    """The middle of what is called so, as its program reports."""
    windows, access = open_windows(desktop.name), open_access(desktop.name)
    access.start()
    found: list[Point] = []

    def is_told() -> bool:
        stack = [window for window in windows.read().stack if isinstance(window, SeenWindow)]
        nodes = [node for one in access.trees_now(stack, timeout_s=5) for node in one.tree.nodes]
        found.extend(node.box.center for node in nodes if node.name == name and node.box is not None)
        return bool(found)

    try:
        until(is_told, f"nothing is called {name}")
    finally:
        access.stop()
        windows.close()
    return found[0]


def replay(desktop: PrivateDesktop, library: Path, *, patience_s: float = 1.0) -> tuple[int, dict[str, Any]]:
    settings = library.parent / "replay.json"
    settings.write_text(f'{{"player": {{"settle_timeout_s": {patience_s}}}}}', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "demopack", "replay", "last", "--yes", "--json", "--library", str(library)],
        env={**desktop.environment(), "DEMOPACK_SETTINGS": str(settings)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_it_goes_as_recorded_and_the_element_tells(desktop: PrivateDesktop, library: Path) -> None:
    with form(desktop) as customers, Injector(desktop.name) as person:
        person.move(1000, 700)
        code, report = replay(desktop, library, patience_s=20)
        assert (code, report["stopped"], report["first_difference"]) == (0, "", ""), report
        assert customers.output() == "Ada|calls back\n"
    # Where the machine is busy, a program may tell too late once in a while; then the picture does.
    checked = [step["checked"] for step in report["steps"] if step["action_type"] in {"type", "press_key"}]
    assert "element" in checked
    assert set(checked) <= {"element", "picture"}


def test_another_field_of_the_same_window_gets_nothing(desktop: PrivateDesktop, library: Path) -> None:
    with form(desktop) as customers, Injector(desktop.name) as person:
        person.move(1000, 700)
        person.key("tab")
        code, report = replay(desktop, library, patience_s=3)
        assert (code, report["performed"]) == (1, False), report
        accept(person)
        assert customers.output() == "|\n"
    assert "but an element without a name (text) has the focus. Nothing was sent." in report["stopped"]


def test_the_same_form_with_another_question_gets_nothing(desktop: PrivateDesktop, library: Path) -> None:
    other = [word.replace("=Name", "=Delete user") for word in FORM]
    with zenity(desktop, *other, title="Customers") as customers, Injector(desktop.name) as person:
        person.move(1000, 700)
        code, report = replay(desktop, library, patience_s=3)
        assert (code, report["performed"], report["code"]) == (1, False, "other_window"), report
        person.key("tab")
        accept(person)
        assert customers.output() == "|\n"
    assert "the field there has another label now" in report["stopped"]


def test_what_stands_in_a_field_that_was_empty_is_not_replaced(desktop: PrivateDesktop, tmp_path: Path) -> None:
    """Zenity marks what stands in its entry, so that the first key would replace it."""
    folder, entry = tmp_path / "library", ("--entry", "--text", "Name", "--entry-text")
    with (
        zenity(desktop, *entry, "", title="Rename") as rename,
        RecordCommand(desktop, folder, privacy=PrivacySettings()) as record,
        Injector(desktop.name) as person,
    ):
        person.move(1000, 700)
        person.wait(0.6)
        person.type("Ada")
        person.key("enter")
        assert rename.output() == "Ada\n"
        record.wait_for(lambda told: sum(item["event"] == "step" for item in told) >= 2)
    with zenity(desktop, *entry, "KEEP ME", title="Rename") as rename, Injector(desktop.name) as person:
        person.move(1000, 700)
        code, report = replay(desktop, folder)
        assert (code, report["performed"], report["code"]) == (1, False, "other_effect"), report
        assert "“KEEP ME” stands there now, where nothing stood in the recording" in report["stopped"]
        person.key("enter")
        assert rename.output() == "KEEP ME\n"


def test_a_question_in_front_of_it_gets_nothing(desktop: PrivateDesktop, library: Path) -> None:
    with (
        form(desktop),
        zenity(desktop, "--entry", "--text", "Really?", title="Delete everything?") as question,
        Injector(desktop.name) as person,
    ):
        person.move(1000, 700)
        code, report = replay(desktop, library)
        person.key("enter")
        assert question.output() == "\n"
    assert (code, report["performed"]) == (1, False)
    assert "“Delete everything?” (Zenity) has the focus. Nothing was sent." in report["stopped"]


@pytest.mark.parametrize(
    ("title", "first"),
    [
        pytest.param("Customers", "Code", id="another label beside a field that has none of its own"),
        pytest.param("Customers 2", "Code", id="a title that is alike"),
    ],
)
def test_a_field_at_the_same_place_that_asks_for_something_else_gets_nothing(
    desktop: PrivateDesktop, library: Path, title: str, first: str
) -> None:
    arguments = [f"--add-entry={first}" if word == "--add-entry=Name" else word for word in FORM]
    with zenity(desktop, *arguments, title=title) as other, Injector(desktop.name) as person:
        person.move(1000, 700)
        code, report = replay(desktop, library)
        person.key("tab")
        accept(person)
        assert other.output() == "|\n"
    assert (code, report["performed"]) == (1, False)
    assert report["stopped"].endswith("Nothing was sent.")


def test_a_button_is_found_by_the_name_that_its_program_reports_in_another_look(
    desktop: PrivateDesktop, tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    lists = ("--list", "--text", "Which one?", "--column=Fruit", "Apples", "Pears", "Plums")
    with (
        zenity(desktop, *lists, title="Fruit") as fruit,
        RecordCommand(desktop, folder, privacy=PrivacySettings()) as record,
        Injector(desktop.name) as person,
    ):
        for name in ("Pears", "OK"):
            at = place_of(desktop, name)
            person.move(at.x, at.y)
            person.wait(0.6)
            person.click(at.x, at.y)
        assert fruit.output() == "Pears\n"
        record.wait_for(lambda told: sum(item["event"] == "step" for item in told) >= 2)
    # Larger writing in other colours moves everything, and nothing looks as it did.
    look = {"GTK_THEME": "Adwaita:dark", "GDK_DPI_SCALE": "1.5"}
    with zenity(desktop, *lists, title="Fruit", environment=look) as fruit, Injector(desktop.name) as person:
        person.move(1000, 700)
        _, report = replay(desktop, folder, patience_s=3)
        assert report["performed"], report
        assert fruit.output() == "Pears\n"
    assert [step["strategy"] for step in report["steps"] if step["point"]] == ["role_name", "role_name"]


def order(*fields: str, rows: tuple[str, ...]) -> tuple[str, ...]:
    entries = [f"--add-entry={name}" for name in fields]
    return ("--forms", "--text", "An order", *entries, "--add-list=Fruit", f"--list-values={'|'.join(rows)}")


def test_on_another_screen_each_thing_is_found_by_what_it_is(desktop: PrivateDesktop, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    rows = ("Apples", "Pears", "Plums")
    with (
        zenity(desktop, *order("Name", "Note", rows=rows), title="Order") as first,
        RecordCommand(desktop, folder, privacy=PrivacySettings()) as record,
        Injector(desktop.name) as person,
    ):
        for label, text in (("Note", "calls back"), ("Name", "Ada")):
            at = place_of(desktop, label)
            person.click(at.x + 90, at.y)
            person.wait(0.6)
            person.type(text)
            person.wait(0.6)
        for name in ("Pears", "OK"):
            at = place_of(desktop, name)
            person.move(at.x, at.y)
            person.wait(0.6)
            person.click(at.x, at.y)
        assert first.output() == "Ada|calls back|Pears\n"
        record.wait_for(lambda told: sum(item["event"] == "step" for item in told) >= 6)
    # Twice as large, dark, the fields and the rows in another order.
    look = {"GTK_THEME": "Adwaita:dark", "GDK_SCALE": "2", "GDK_DPI_SCALE": "0.5"}
    with (
        PrivateDesktop(width=1400, height=1000, dpi=192) as scaled,
        zenity(scaled, *order("Note", "Name", rows=rows[::-1]), title="Order", environment=look) as second,
        Injector(scaled.name) as person,
    ):
        person.move(1300, 900)
        _, report = replay(scaled, folder, patience_s=3)
        assert report["performed"], report
        assert second.output() == "calls back|Ada|Pears\n"
    assert report["first_difference"] == ""
    assert {step["strategy"] for step in report["steps"] if step["point"]} == {"role_name"}
    assert [step["checked"] for step in report["steps"] if step["action_type"] == "type"] == ["element", "element"]
