"""Tasks done for real by ``demopack tasks run``, without a model, and judged by the documents that they leave.

    python benchmarks/task_bank.py [--out DIR] [--only NAME ...] [--sabotaged]

Twelve tasks in LibreOffice Writer and Calc, Pluma and Chromium, given as UFO's dataflow gives them, each on a copy of a
template. Whether one was done is read from the document alone: the XML of office files, the lines of a text, what the
page shows at the end. With ``--sabotaged``, ten of them are spoilt, and no verdict may be yes; the rules ask no model.
Needs Xvfb, openbox and the programs.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.store import Library

Step = tuple[str, str, str, dict[str, Any]]
PAGE = """<!doctype html><meta charset=utf-8><title>Order</title><body style="font:18px 'DejaVu Sans';margin:40px">
<form onsubmit="out.textContent = 'Ordered: ' + n.value + ', ' + (g.checked ? 'gift' : 'no gift'); return false">
<p><label>Name <input id=n></label><p><label><input type=checkbox id=g> Gift</label><p><button>Order</button></form>
<p id=out>Nothing yet</p><p><a href="#b" onclick="out.textContent = 'Help is shown'">Help</a></p>"""


def xml(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read("content.xml").decode()


def words(path: Path) -> str:
    return re.sub(r"<[^>]+>", "\n", xml(path))


def cells(path: Path) -> list[list[str]]:
    """The texts of a sheet's first rows."""
    rows = re.findall(r"<table:table-row.*?</table:table-row>", xml(path), re.DOTALL)
    return [re.findall(r"<text:p>(.*?)</text:p>", row) for row in rows]


def has(pattern: str) -> Callable[[Path, str], bool]:
    return lambda path, _: re.search(pattern, xml(path), re.DOTALL) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A task, its plan, and what the document has to say afterwards."""

    app: str
    task: str
    steps: list[Step]
    right: Callable[[Path, str], bool]
    sabotage: list[Step] = field(default_factory=list[Step])


def key(keys: str, subtask: str = "Press the keys") -> Step:
    return (subtask, "", "keyboard_input", {"keys": keys})


def click(control: str) -> Step:
    return (f"Click {control}", control, "click_input", {"button": "left", "double": False})


def fill(control: str, text: str) -> Step:
    return (f"Write into {control}", control, "set_edit_text", {"text": text, "clear_current_text": True})


CASES = {
    "bold": Case(
        app="word", task="Make all text of the report bold",
        steps=[key("^a"), click("Bold")],
        right=has(r'fo:font-weight="bold".*<text:p text:style-name="P\d">Annual report'),
        sabotage=[key("^a"), click("Make it very bold indeed")],
    ),
    "append": Case(
        app="word", task="Add the sentence Profit doubled at the end of the report",
        steps=[key("^{END}"), key("{ENTER}Profit doubled.")],
        right=lambda path, _: words(path).strip().endswith("Profit doubled."),
        sabotage=[key("^{END}"), ("Write the sentence", "", "", {})],
    ),
    "italic": Case(
        app="writer", task="Set the report in italics",
        steps=[key("^a"), click("Italic")],
        right=has(r'fo:font-style="italic"'),
        sabotage=[click("Italic Text Of Another Program"), key("^a")],
    ),
    "heading": Case(
        app="writer", task="Make the first line of the report a heading",
        steps=[key("^{HOME}"), key("^1")],
        right=has(r"<text:h [^>]*>(?:<[^>]*>)*Annual report"),
    ),
    "table": Case(
        app="writer", task="Insert a table at the end of the report",
        steps=[key("^{END}"), click("Table"), click("Insert Table..."), click("Insert")],
        right=has(r"<table:table "),
        sabotage=[key("^{END}"), click("Table"), click("Insert Pivot Table of Contents")],
    ),
    "replace": Case(
        app="writer", task="Replace Sales by Income in the report",
        steps=[
            key("^h"), fill("Find", "Sales"), fill("Replace", "Income"), click("Replace All"), key("{ESC}"),
            key("{ESC}"),
        ],
        right=lambda path, _: "Income rose." in words(path) and "Sales" not in words(path),
        sabotage=[key("^h"), fill("Search word that nobody has", "Sales")],
    ),
    "cell": Case(
        app="excel", task="Write 42 into the first cell of the sheet",
        steps=[key("^{HOME}"), key("42{ENTER}")],
        right=lambda path, _: cells(path)[0][0] == "42",
        sabotage=[click("Cell Z99 of another sheet"), key("42{ENTER}")],
    ),
    "sum": Case(
        app="calc", task="Add up the two numbers of the sheet below them",
        steps=[key("^{HOME}"), key("{DOWN}{DOWN}"), key("=SUM(A1:A2){ENTER}")],
        right=lambda path, _: cells(path)[2][0] == "12",
        sabotage=[key("^{HOME}"), ("Go down", "", "select_rows", {"rows": 2})],
    ),
    "rows": Case(
        app="calc", task="Insert a row above the first one of the sheet",
        steps=[key("^{HOME}"), click("Sheet"), click("Insert Rows"), click("Rows Above")],
        right=lambda path, _: [one for row in cells(path)[:3] for one in row] == ["5", "7"]
        and not cells(path)[0],
    ),
    "line": Case(
        app="notepad", task="Add Wednesday to the list of days",
        steps=[key("^{END}"), key("{ENTER}Wednesday")],
        right=lambda path, _: path.read_text() .split() == ["Monday", "Tuesday", "Wednesday"],
        sabotage=[key("^{END}"), key("^z")],
    ),
    "swap": Case(
        app="pluma", task="Replace Monday by Sunday in the list of days",
        steps=[
            key("^h"), fill("Search for:", "Monday"), fill("Replace with:", "Sunday"), click("Replace All"),
            click("Close"),
        ],
        right=lambda path, _: path.read_text().split() == ["Sunday", "Tuesday"],
        sabotage=[key("^h"), fill("Search for:", "Monday"), click("Replace Everything Everywhere")],
    ),
    "order": Case(
        app="browser", task="Order as a gift for Ada on the page",
        steps=[fill("Name", "Ada"), click("Gift"), click("Order")],
        right=lambda _, shown: "Ordered: Ada, gift" in shown,
        sabotage=[fill("Name", "Ada"), click("Gift wrapping for free"), click("Order")],
    ),
}  # fmt: skip


def make_templates(folder: Path) -> None:
    """A report, a sheet with two numbers, a list of days, a page with a form; each with a description."""
    for name, file, text in (
        ("writer", "report.txt", "Annual report\nSales rose.\n"),
        ("calc", "numbers.csv", "5\n7\n"),
        ("pluma", "days.txt", "Monday\nTuesday\n"),
        ("chromium", "page.html", PAGE),
    ):
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        (place / file).write_text(text)
        for kind, how in (("writer", "odt:writer8"), ("calc", "ods:calc8")):
            if kind == name:
                subprocess.run(
                    ["soffice", "--headless", f"-env:UserInstallation=file://{folder / 'profile'}", "--convert-to", how,
                     "--outdir", place, place / file],
                    check=True, capture_output=True, timeout=180,
                )  # fmt: skip
                (place / file).unlink()
    said = {
        "writer": {"report.odt": "A report with a heading and a sentence"},
        "calc": {"numbers.ods": "A sheet with numbers"},
    }
    for name, texts in said.items():
        (folder / name / "description.json").write_text(json.dumps(texts))


def as_result(name: str, case: Case, steps: list[Step]) -> dict[str, Any]:
    """A case as UFO leaves an instantiated task."""
    rows = [
        {"Step": n, "Subtask": subtask, "ControlLabel": None, "ControlText": control, "Function": function,
         "Args": args, "Success": None, "MatchedControlText": None}
        for n, (subtask, control, function, args) in enumerate(steps, start=1)
    ]  # fmt: skip
    nothing = {"result": None, "error": None}
    judged = {"result": {"judge": True, "thought": "", "request_type": "None"}, "error": None}
    words_of = [f"{n}. {step[0]}" for n, step in enumerate(steps, start=1)]
    return {
        "unique_id": name,
        "app": case.app,
        "original": {"original_task": case.task, "original_steps": words_of},
        "execution_result": nothing,
        "instantiation_result": {
            "choose_template": nothing,
            "prefill": {"result": {"instantiated_request": case.task, "instantiated_plan": rows}, "error": None},
            "instantiation_evaluation": judged,
        },
        "time_cost": {},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("task_bank"))
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--sabotaged", action="store_true")
    given = parser.parse_args()
    out: Path = given.out.resolve()
    chosen = {name: case for name, case in CASES.items() if not given.only or name in given.only}
    if given.sabotaged:
        chosen = {name: case for name, case in chosen.items() if case.sabotage}
    templates = out / "templates"
    if not templates.exists():
        make_templates(templates)
    side = "sabotaged" if given.sabotaged else "right"
    files = out / side / "tasks"
    files.mkdir(parents=True, exist_ok=True)
    for name, case in chosen.items():
        steps = case.sabotage if given.sabotaged else case.steps
        (files / f"{name}.json").write_text(json.dumps(as_result(name, case, steps), indent=1))
    results, library = out / side / "results", out / side / "library"
    command = [
        sys.executable, "-m", "demopack", "tasks", "run", *(str(files / f"{name}.json") for name in chosen),
        "--templates", templates, "-o", results, "--library", library, "--json",
    ]  # fmt: skip
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=Path(__file__).resolve().parent.parent)
    right = 0
    with Library.open(library) as opened:
        for row in json.loads(done.stdout):
            case = CASES[row["id"].split("_")[0]]
            document = next((results / "saved_document").glob(f"{row['id']}.*"))
            shown = last_screen(opened, row["demo"])
            try:
                found = case.right(document, shown)
            except IndexError:
                found = False
            good = row["complete"] != "yes" and not found if given.sabotaged else found
            right += good
            told = f"{row['id']:9} {row['state']:12} {row['complete']} {row['reason'][:110]}"
            print(f"{'right' if good else 'WRONG':6} {told}")
    print(f"{right} of {len(chosen)}")


def last_screen(library: Library, name: str) -> str:
    """Every text of the last screen of a demo."""
    if not name:
        return ""
    demo = library.demo(name)
    frame = demo.head.final_frame
    return "" if frame is None else "\n".join(one.text or "" for one in demo.elements.get(frame.id, ()))


if __name__ == "__main__":
    main()
