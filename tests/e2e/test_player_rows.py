"""A demo recorded once and done for each row of a table; the page that it fills in says what was done."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from demopack.settings import PrivacySettings
from recorder.desktop.private_display import PrivateDesktop
from tests.support.customers_page import CustomersPage, SavedNote, record_note
from tests.support.desktop_programs import chromium, until
from tests.support.injector import Injector

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

CUSTOMERS = ("Ada Lovelace", "Anna Berg", "Anne Berg", "Bo Li", "Émile Noël", "Gus 12", "Gus 13")


@dataclass(frozen=True)
class Office:
    """A desktop with the page and a demo of it."""

    desktop: PrivateDesktop
    page: CustomersPage
    person: Injector
    folder: Path

    def replay(self, *options: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "demopack", "replay", "last", "--yes", "--json", *options]
        return subprocess.Popen(
            [*command, "--library", str(self.folder / "library")],
            env={**self.desktop.environment(), "DEMOPACK_SETTINGS": str(self.folder / "replay.json")},
            cwd=Path(__file__).parents[2],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def report(self, *options: str) -> tuple[int, dict[str, Any]]:
        process = self.replay(*options)
        said, _ = process.communicate(timeout=200)
        return process.returncode, json.loads(said)


@contextlib.contextmanager
def open_office(folder: Path, note: SavedNote, *, with_bins: bool = False) -> Generator[Office]:
    (folder / "replay.json").write_text('{"player": {"settle_timeout_s": 0.5, "pause_s": 0}}', encoding="utf-8")
    with (
        PrivateDesktop(width=1000, height=700) as desktop,
        CustomersPage(folder, CUSTOMERS, with_bins=with_bins) as page,
        chromium(desktop, page.file, title="Customers", profile=folder / "profile"),
        Injector(desktop.name) as person,
    ):
        record_note(desktop, page, person, folder / "library", note, privacy=PrivacySettings())
        yield Office(desktop, page, person, folder)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    note = SavedNote(customer="Ada Lovelace", chosen="Ada Lovelace", note="call")
    with open_office(tmp_path_factory.mktemp("rows"), note) as office:
        yield office


def test_rows_that_are_killed_and_resumed_are_done_once_each(office: Office) -> None:
    names = ("Bo Li", "Gus 13", "Anne Berg")
    wanted = [SavedNote(customer=name, chosen=name, note=f"n{n}; x") for n, name in enumerate(names)]
    table = office.folder / "customers.csv"
    rows = "".join(f'{note.customer};"{note.note}"\r\n' for note in wanted)
    table.write_text(f"\ufefftext_1;text_2\r\n{rows}", encoding="utf-8", newline="")
    office.page.saved.clear()
    killed = office.replay("--for-each", str(table))

    def is_begun() -> bool:
        return any('"row": 2, "state": "begun"' in one.read_text("utf-8") for one in office.folder.glob("*.journal"))

    until(is_begun, "the second row was not begun", timeout_s=100)
    killed.kill()
    killed.communicate()
    assert office.page.saved == wanted[:1]

    code, report = office.report("--for-each", str(table))
    assert (code, [row["state"] for row in report["rows"]]) == (1, ["done", "unknown", "done"]), report
    assert office.page.saved == [wanted[0], wanted[2]]

    code, report = office.report("--for-each", str(table), "--unknown", "redo")
    assert (code, report["counts"]["done"]) == (0, 3), report
    assert sorted(office.page.saved, key=wanted.index) == wanted

    table.write_text(table.read_text("utf-8").replace("n1", "n9"), encoding="utf-8", newline="")
    changed = office.replay("--for-each", str(table))
    changed.communicate(timeout=60)
    assert changed.returncode != 0
    assert len(office.page.saved) == len(wanted)


def test_a_customer_who_is_not_there_is_not_taken_for_another(office: Office) -> None:
    office.page.saved.clear()
    code, report = office.report("--set", "text_1=Anne Bergh", "--set", "text_2=never")
    assert code == 1
    assert report["stopped"].startswith("On this screen “Anne Bergh” was not found; nothing was clicked.")
    assert not office.page.saved
    # And what it left behind in the field does not become a part of the next value.
    code, report = office.report("--set", "text_1=Bo Li", "--set", "text_2=never")
    assert code == 1
    assert "“Anne Bergh” stands there now, where nothing stood in the recording. Nothing was sent." in report["stopped"]
    assert not office.page.saved


def test_a_bin_without_a_name_is_the_one_in_the_row_of_the_value(tmp_path: Path) -> None:
    """Each bin takes its row away, so no row stays where it was; the page says whose was taken."""
    names = ("Gus 12", "Anna Berg", "Émile Noël")
    with open_office(tmp_path, SavedNote("Anne Berg", "Anne Berg", ""), with_bins=True) as office:
        office.page.saved.clear()
        table = tmp_path / "gone.csv"
        table.write_text("text_1\n" + "".join(f"{name}\n" for name in names), encoding="utf-8")
        _, report = office.report("--for-each", str(table))
        assert office.page.saved == [SavedNote(name, name, "") for name in names], report
        _, report = office.report("--set", "text_1=Anne Berg")
        assert report["stopped"].startswith("On this screen "), report
        assert len(office.page.saved) == len(names)
