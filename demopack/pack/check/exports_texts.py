"""Where the answers of exports that are text stand: CAAP's scripts, PyAutoGUI's, skills, tutorials, rewards."""

from __future__ import annotations

import ast
import html
import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from demopack.codecs.caap import TABLE_2
from demopack.codecs.call_forms import call_problem
from demopack.codecs.sets.rl import REWARD_FILE
from demopack.domain.actions import parse_action
from demopack.errors import ActionError, PackError
from demopack.json_lines import parse_object
from demopack.pack.check.exports import ExportedFile, ExportedFolder
from demopack.pack.check.files import read_small


def check_texts(name: str, folder: ExportedFolder) -> None:
    """G01, H03, H04, I01, S01 and X05 for every text of an export; nothing where the format has none.

    Args:
        name: of the format.
        folder: that is checked.
    """
    ending, check = _TEXTS.get(name, ("", None))
    if check is None:
        return
    for file in (ExportedFile(folder, one) for one in folder.names if one.endswith(ending)):
        if posixpath.basename(file.name) == "README.md":
            continue
        try:
            text = read_small(folder.source, file.name).decode("utf-8")
        except (PackError, UnicodeDecodeError) as error:
            file.broken("H04", f"It cannot be read: {error}.")
        else:
            check(text, file)


def _ordered(found: str, due: int, place: ExportedFile) -> None:
    if int(found) != due:
        place.broken("S01", f"Number {found} stands where {due} is due.")


# CAAP -------------------------------------------------------------------------------------------------------------

_CAAP_LINE: Final = re.compile(
    r"(?:demo_)?action_(?P<number>\d+): \{name: (?P<name>\w+)(?:, arg: (?P<arg>.*?))?(?:, reason: \"(?P<why>.*)\")?\}"
)
_CAAP_OTHER: Final = re.compile(r"(?:demo_)?note: \{done: \".*\"\}|TASK: .*|Action History:|DEMO_\d+ = \{|\}|")
_CAAP_PLACE: Final = re.compile(r"([XY]): (-?\d+) \[(-?\d+)-(-?\d+)\]")


def _check_caap(text: str, file: ExportedFile) -> None:
    due = 1
    for number, line in enumerate(text.split("\n"), start=1):
        place = file.at(number)
        if line.startswith("TASK: "):
            due = 1
        found = _CAAP_LINE.fullmatch(line)
        if found is None:
            if not _CAAP_OTHER.fullmatch(line):
                place.broken("X05", f"It is no line of a script: {line[:80]!r}.")
            continue
        _ordered(found["number"], due, place)
        due = int(found["number"]) + 1
        _check_caap_call(found["name"], found["arg"], place)


_CAAP_ARGUMENT: Final = re.compile(
    r"\{x=\d+, y=\d+\}|\{type: (?P<type>\w+), X: \d+ \[-?\d+--?\d+\], Y: \d+ \[-?\d+--?\d+\](?:, .*)?\}"
)


def _check_caap_call(name: str, argument: str | None, place: ExportedFile) -> None:
    if name == "start":
        return
    problem = call_problem("caap", {"name": name, **({} if argument is None else {"arg": argument})})
    if problem is not None:
        place.broken("X05", problem)
    if problem is not None or argument is None:
        return
    found = re.fullmatch('".*"', argument) if name == "type_text" else _CAAP_ARGUMENT.fullmatch(argument)
    kind = None if found is None else found.groupdict().get("type")
    if found is None or (kind is not None and kind not in TABLE_2):
        place.broken("X05", f"{name} has the argument {argument!r}.")
    for axis, at, low, high in _CAAP_PLACE.findall(argument):
        if not int(low) <= int(at) <= int(high):
            place.broken("G01", f"{axis} of {name} is {at}, not between {low} and {high}.")


# PyAutoGUI --------------------------------------------------------------------------------------------------------

_HEADING: Final = re.compile(r"^# (\d+)\. ", re.MULTILINE)


def _check_script(text: str, file: ExportedFile) -> None:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        file.at(getattr(error, "lineno", None) or 1).broken("X05", f"It is no Python: {error}.")
        return
    lines = text.split("\n")
    for node in body:
        place = file.at(node.lineno)
        if isinstance(node, (ast.Import, ast.Assign)) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            continue
        said = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            place.broken("X05", f"It is no call: {said[:80]!r}.")
        elif not said.startswith("input("):  # what a person has to do by hand
            try:
                problem = call_problem("pyautogui", said)
            except ActionError as error:
                problem = error.user_message
            if problem is not None:
                place.broken("X05", problem)
    for due, found in enumerate(_HEADING.finditer(text), start=1):
        _ordered(found[1], due, file.at(text.count("\n", 0, found.start()) + 1))


def _check_reward(text: str, file: ExportedFile) -> None:
    if text.splitlines() != REWARD_FILE.splitlines():
        file.broken("X05", "It is not the file that names demopack's reward functions.")


# Skills and tutorials ---------------------------------------------------------------------------------------------

_PICTURE: Final = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
_STEP: Final = re.compile(r"#{2,3} (\d+)\. ")
_FENCE: Final = re.compile(r"(`{3,})json")


def _check_skill(text: str, file: ExportedFile) -> None:
    head = re.match(r"---\nname: (.*)\ndescription: (.*)\n---\n", text)
    folder = posixpath.basename(posixpath.dirname(file.name))
    if head is None:
        file.broken("H03", "It does not begin with name and description between two lines of ---.")
    else:
        if head[1] != folder or not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", head[1]) or len(head[1]) > 64:
            file.at(2).broken("H03", f"The name {head[1]!r} is not that of its folder, {folder!r}, in plain letters.")
        try:
            about = json.loads(head[2])
        except ValueError:
            about = head[2]
        if not about or len(str(about)) > 1024 or re.search(r"[<>]", str(about)):
            file.at(3).broken("H03", "The description is empty, longer than 1024 characters, or has tags in it.")
    _check_markdown(text, file)
    for line, action in _fenced(text):
        try:
            parse_action(parse_object(action))
        except ActionError as error:
            file.at(line).broken("A04", f"The action: {error} ({error.code})")
        except (ValueError, RecursionError) as error:
            file.at(line).broken("H04", f"The action is no JSON: {error}.")


def _fenced(text: str) -> Iterator[tuple[int, str]]:
    """The blocks of JSON, each with its first line."""
    fence, begun, held = "", 0, list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        opening = _FENCE.fullmatch(line)
        if not fence and opening is not None:
            fence, begun, held = opening[1], number + 1, []
        elif fence and line == fence:
            yield begun, "\n".join(held)
            fence = ""
        else:
            held.append(line)
    if fence:
        yield begun, "\n".join(held)


def _check_markdown(text: str, file: ExportedFile) -> None:
    due = 1
    for number, line in enumerate(text.split("\n"), start=1):
        place = file.at(number)
        heading = _STEP.match(line)
        if heading is not None:
            _ordered(heading[1], due, place)
            due = int(heading[1]) + 1
        shown = _PICTURE.fullmatch(line)
        if shown is not None:
            place.picture(shown[1])


_SHOWN: Final = re.compile(r'<img src="([^"]*)"')
_TITLE: Final = re.compile(r"<h2[^>]*>(\d+)\. ")


def _check_page(text: str, file: ExportedFile) -> None:
    for found in _SHOWN.finditer(text):
        file.at(text.count("\n", 0, found.start()) + 1).picture(html.unescape(found[1]))
    for due, found in enumerate(_TITLE.finditer(text), start=1):
        _ordered(found[1], due, file.at(text.count("\n", 0, found.start()) + 1))
    if not text.rstrip().endswith("</html>"):
        file.broken("H04", "The page is cut off.")


def _check_tutorial(text: str, file: ExportedFile) -> None:
    (_check_page if file.name.endswith(".html") else _check_markdown)(text, file)


_TEXTS: Final[Mapping[str, tuple[str | tuple[str, ...], Callable[[str, ExportedFile], None]]]] = {
    "caap": (".txt", _check_caap),
    "pyautogui": (".py", _check_script),
    "rl": (".py", _check_reward),
    "skill": ("SKILL.md", _check_skill),
    "tutorial": ((".html", ".md"), _check_tutorial),
}
