"""The second language is complete, and says the same things in its braces."""

from __future__ import annotations

import ast
import datetime as dt
import itertools
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.replay_words import PLAYER_SENTENCES, spoken_replay, title_words
from annotator.task_words import spoken_task
from annotator.words import capital, date_words, key_words, set_translation, tr
from demopack.domain.provenance import by_human
from demopack.domain.tasks import Instantiation, PlannedStep, StageRecord, Task, TaskSource
from scripts.write_translations import ROOT, TS, placeholders, read_catalogue, texts_of_app, write_catalogue
from tasks.assignments import assign
from tasks.evaluation import find_faults, verdict_of_rules
from tasks.filters import FilterRules, duplicates, find_reasons
from tests.support.demos import demo_head


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    set_translation(None)


def test_every_text_of_the_app_is_translated_and_none_is_left_over() -> None:
    known = read_catalogue()
    wanted = texts_of_app()
    assert sorted(text for text in wanted if not known.get(text)) == []
    assert sorted(set(known) - wanted) == []


def test_translations_have_the_same_names_in_braces() -> None:
    wrong = {text: told for text, told in read_catalogue().items() if placeholders(text) != placeholders(told)}
    assert wrong == {}


def test_the_compiled_catalogue_is_not_older_than_its_source() -> None:
    compiled = TS.with_suffix(".qm").read_bytes()
    told = [text for text in read_catalogue().values() if text]
    assert all(text.encode("utf-16-be") in compiled for text in told)


_REPLACED = """
import gc, os, shutil, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
import annotator.ui.app as app
from annotator.words import tr
copy = Path(sys.argv[1])
app.asset = lambda _: copy
qt = QCoreApplication([])
app.use_language(qt, "de")
os.truncate(copy, 0)
gc.collect()
print(tr("Save"), tr("Cancel"))
"""


def test_a_catalogue_that_is_replaced_takes_no_running_app_with_it(tmp_path: Path) -> None:
    copy = tmp_path / "copy.qm"
    shutil.copyfile(TS.with_suffix(".qm"), copy)
    done = subprocess.run(
        [sys.executable, "-c", _REPLACED, str(copy)], capture_output=True, text=True, check=False, timeout=120
    )
    known = read_catalogue()
    assert (done.returncode, done.stdout.strip()) == (0, f"{known['Save']} {known['Cancel']}"), done.stderr


def test_texts_are_their_own_translation_until_a_language_is_spoken() -> None:
    assert tr("Save {count} boxes").format(count=2) == "Save 2 boxes"
    set_translation({"Save": "Sichern"}.get)  # type: ignore[arg-type]
    assert (tr("Save"), tr("Unknown")) == ("Sichern", "Unknown")


def test_a_catalogue_is_read_as_it_was_written(tmp_path: object) -> None:
    path = Path(str(tmp_path)) / "x.ts"
    texts = {"“A” & <b>": "„A“ & <b>", "Two\nlines {n}": "Zwei\nZeilen {n}", "open": ""}
    write_catalogue(texts, path)
    assert read_catalogue(path) == texts


def test_days_and_keys_are_said_as_the_language_says_them() -> None:
    day = dt.date(2026, 3, 7)
    assert date_words(day) == "7 Mar 2026"
    keys = ("ctrl", "ctrl+A", "Ctrl+Shift+Plus", "ctrl++", "+", "F5", "shift")
    assert [key_words(one) for one in keys] == ["Ctrl", "Ctrl+A", "Ctrl+Shift+Plus", "Ctrl++", "+", "F5", "Shift"]
    german = {text: told for text, told in read_catalogue().items() if told}
    set_translation(german.get)  # type: ignore[arg-type]
    assert date_words(day) == "7. März 2026"
    assert [key_words(one) for one in keys[:4]] == ["Strg", "Strg+A", "Strg+Umschalt+Plus", "Strg++"]
    assert capital("vor dem Bild") == "Vor dem Bild"


@pytest.mark.parametrize(
    ("task", "title"),
    [
        ("1 response of a program", "1 Antwort eines Programms"),
        ("12 responses of a program", "12 Antworten eines Programms"),
        ("Done by another agent", "Von einem anderen Agenten ausgeführt"),
        ("Read 1 response of a program", "Read 1 response of a program"),
    ],
)
def test_what_a_program_wrote_as_the_title_is_read_in_the_users_language(task: str, title: str) -> None:
    assert title_words(demo_head("demo_1", task=task)) == task
    set_translation({text: told for text, told in read_catalogue().items() if told}.get)  # type: ignore[arg-type]
    assert title_words(demo_head("demo_1", task=task)) == title


_NOT_SHOWN = (
    "evaluation/", "agent", "executor", "mcp_server", "observing", "run_recorder", "scripted_user", "replay_proof",
)  # fmt: skip
"""Rooms of the player that the app does not open; consent has a translation of its own."""
_NO_SENTENCES = re.compile(
    r"[A-Za-z]+ [a-z]+|(check|radio) menu item|demopack §|\[§\]|.*\(\?.*|"
    r"by its (role and name|number on the screen|text|place)|as the recorded element"
)
"""Roles and patterns, and that for which the app has words of its own."""


def said_by(node: ast.AST) -> Iterator[str]:
    """Each text that an expression may be, with a sign in the place of what varies."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            for chosen in itertools.product(*(list(said_by(part)) for part in parts)):
                yield re.sub("§+", "§", "".join(chosen))
        case ast.FormattedValue(value=ast.IfExp(body=one, orelse=other)):
            yield from (*said_by(one), *said_by(other))
        case ast.FormattedValue(value=ast.BoolOp(values=values)):
            yield from (text for value in values for text in said_by(value))
        case _:
            yield "§"


def texts_of_player() -> set[str]:
    """Whatever may come before a person in the replay windows."""
    found: set[str] = set()
    for path in sorted((ROOT / "player").rglob("*.py")):
        name = path.relative_to(ROOT / "player").as_posix()
        if name.startswith(_NOT_SHOWN) or name == "consent.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        said = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.Constant)]
        silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        silent |= {id(part) for node in said if isinstance(node, ast.JoinedStr) for part in ast.walk(node)} - {
            id(node) for node in said if isinstance(node, ast.JoinedStr)
        }
        for node in said:
            if id(node) not in silent and not isinstance(getattr(node, "value", ""), bytes | int | float):
                found |= {text.strip() for text in said_by(node)}
    words = re.compile(r"[A-Za-z]{2,}.* .*[A-Za-z]{2,}", re.DOTALL)
    return {text for text in found if words.search(text) and not _NO_SENTENCES.fullmatch(text)}


def test_whatever_the_player_says_is_known_to_the_app() -> None:
    said, known = texts_of_player(), {re.sub(r"{\w+}", "§", text) for text in PLAYER_SENTENCES}
    assert "There is no program § on this machine." in said
    assert sorted(text for text in said if not any(text in sentence for sentence in known)) == []
    assert {spoken_replay(text) for text in said} == said, "in English nothing changes"


def test_what_is_part_of_another_sentence_is_translated_after_it() -> None:
    for place, text in enumerate(PLAYER_SENTENCES):
        fixed = re.sub(r"{\w+}", "§", text)
        assert not [one for one in PLAYER_SENTENCES[:place] if re.sub(r"{\w+}", "§", one) in fixed], text


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            (
                "On this screen “Save” was not found; nothing was clicked. text: no element reads “Save”; bbox: the "
                "place looks different: 17% of its pixels are as recorded"
            ),
            (
                "Auf diesem Bildschirm wurde “Save” nicht gefunden; es wurde nichts geklickt. text: kein Element "
                "lautet „Save“; bbox: die Stelle sieht anders aus: 17% ihrer Bildpunkte sind wie aufgenommen"
            ),
        ),
        (
            "The step types “A” in “Name” (entry) of “Form” (app), but “Chat” (mail) has the focus. Nothing was sent.",
            (
                "Der Schritt tippt „A“ in “Name” (entry) von “Form” (app), doch “Chat” (mail) hat den Fokus. Es wurde "
                "nichts gesendet."
            ),
        ),
        (
            (
                "Another window, “Chat” (mail), got the focus after 2 of 17 keys had been sent to “Form”; nothing more "
                "was sent."
            ),
            (
                "Ein anderes Fenster, “Chat” (mail), bekam den Fokus nach 2 von 17 Tasten an “Form”; danach wurde "
                "nichts mehr gesendet."
            ),
        ),
        (
            "role_name: nothing is a push button called “Save”; text: no element reads “Save”",
            "role_name: kein Element ist vom Typ Schaltfläche mit dem Namen „Save“; text: kein Element lautet „Save“",
        ),
        (
            "element 3 is now a input_field, not a button; no filler stands beside “A”; no text stands beside “City”",
            (
                "Element 3 ist jetzt vom Typ Eingabefeld, nicht Schaltfläche; kein Element vom Typ filler steht neben "
                "„A“; kein Element vom Typ Eingabefeld steht neben „City“"
            ),
        ),
        (
            "It was stopped by the hot-key Ctrl+Alt+R.",
            "Die Wiederholung wurde angehalten durch den Kurzbefehl Ctrl+Alt+R.",
        ),
    ],
)
def test_sentences_of_the_player_are_said_with_what_varies_in_them(english: str, german: str) -> None:
    known = {text: told for text, told in read_catalogue().items() if told}
    set_translation(lambda text: known.get(text, ""))
    assert spoken_replay(english) == german


def said_of_tasks(folder: Path) -> Iterator[str]:
    """What filters, rules and the queue say of tasks."""

    def task(words: str, *plan: str, **fields: object) -> Task:
        given = {"id": words, "task": words, "plan": plan, "source": TaskSource(kind="manual"), **fields}
        return Task.model_validate({"provenance": by_human("Ada")} | given)

    found = [task("Printing"), task("What is a table"), task("Sort rows on a Mac", "Click", "Click", app="calc")]
    for limit in (0, 9):
        rules = FilterRules(
            language="", min_words=limit, max_words=limit, max_steps=0, needs_plan=True, platforms=("linux",),
            apps=("writer",),
        )  # fmt: skip
        yield from (reason.reason for one in found for reason in find_reasons(one, rules))
    alike = [task("Print a page"), task("Print the page")]
    yield from (reason.reason for reason in duplicates(alike, 0.9).values())
    steps = (
        PlannedStep(function=""), PlannedStep(function="click_input"),
        PlannedStep(function="click_input", success=False),
        PlannedStep(function="click_input", control_text="OK", success=True),
    )  # fmt: skip
    stages = {"execute": StageRecord(error="42")}
    yield from find_faults(task("a"), None, None)
    yield from find_faults(task("a", instantiation=Instantiation(steps=steps), stages=stages), None, None)
    typed = PlannedStep(function="set_edit_text", args={"text": "Dear Grace"}, success=True)
    before, after = folder / "before.txt", folder / "after.txt"
    before.write_text("1")
    for number in (1, 2):
        done = task("a", instantiation=Instantiation(steps=(typed,) * number))
        for text in ("1", "2", "Dear Grace"):
            after.write_text(text)
            yield verdict_of_rules(done, before, after).reason
    yield verdict_of_rules(done, None, None).reason
    for app in ("unheard of", "pluma"):
        yield assign(task("a", app=app), folder).why


def test_what_is_said_of_tasks_is_said_in_the_users_language(tmp_path: Path) -> None:
    said = sorted(set(said_of_tasks(tmp_path)))
    assert len(said) > 15
    assert [spoken_task(text) for text in said] == said
    set_translation(lambda _: "≡")
    assert [text for text in said if re.search("[A-Za-z]", spoken_task(text))] == []
    known = read_catalogue()
    set_translation(lambda text: known.get(text, ""))
    assert (
        spoken_task("Step 1 is empty. Step 12 was not performed.")
        == "Schritt 1 ist leer. Schritt 12 wurde nicht ausgeführt."
    )
