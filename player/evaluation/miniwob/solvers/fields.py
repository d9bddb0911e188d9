"""Tasks of reading and typing."""

from __future__ import annotations

import re

from demopack.errors import CaptureError
from player.evaluation.miniwob.pages import TaskBrowser
from player.evaluation.miniwob.solvers.reading import asked, groups, quoted, scroll_to_end, submit
from player.scripted_user import PracticeUser


def enter_text(page: TaskBrowser, person: PracticeUser) -> None:
    """enter-text, enter-text-dynamic."""
    person.click(page.one("#tt").point)
    person.type_text(quoted(page.utterance)[0])
    submit(page, person)


def enter_text_in_case(page: TaskBrowser, person: PracticeUser) -> None:
    """enter-text-2."""
    text = quoted(page.utterance)[0]
    person.click(page.one("#tt").point)
    person.type_text(text.upper() if "upper case" in page.utterance else text.lower())
    submit(page, person)


def enter_password(page: TaskBrowser, person: PracticeUser) -> None:
    """enter-password."""
    (password,) = quoted(page.utterance)
    person.click(page.one("#password").point)
    person.type_text(password)
    person.press("Tab")
    person.type_text(password)
    submit(page, person)


def login_user(page: TaskBrowser, person: PracticeUser) -> None:
    """login-user."""
    user, password = quoted(page.utterance)
    person.click(page.one("#username").point)
    person.type_text(user)
    person.press("Tab")
    person.type_text(password)
    person.click(page.one("#subbtn").point)


def login_user_with_popup(page: TaskBrowser, person: PracticeUser) -> None:
    """login-user-popup: a question may come in between; a person cancels it and goes on where they were."""
    for field, text in zip(("#username", "#password"), quoted(page.utterance), strict=True):
        person.click(page.one(field).point)
        if page.find("#popup-cancel"):
            person.click(page.one("#popup-cancel").point)
            person.click(page.one(field).point)
        person.type_text(text)
    person.click(page.one("#subbtn").point)


def focus_text(page: TaskBrowser, person: PracticeUser) -> None:
    """focus-text."""
    person.click(page.one("#tt").point)


def focus_numbered_text(page: TaskBrowser, person: PracticeUser) -> None:
    """focus-text-2."""
    number = asked(r"Focus into the (\d)", page)
    person.click(page.one(f"#tt{number}").point)


def copy_paste(page: TaskBrowser, person: PracticeUser) -> None:
    """copy-paste."""
    _copy(page, person, "#to-copy")


def copy_paste_numbered(page: TaskBrowser, person: PracticeUser) -> None:
    """copy-paste-2."""
    number = asked(r"from the (\d)", page)
    _copy(page, person, f"#text-{number}")


def _copy(page: TaskBrowser, person: PracticeUser, source: str) -> None:
    person.click(page.one(source).point)
    person.press("Ctrl+A")
    person.press("Ctrl+C")
    person.click(page.one("#answer-input").point)
    person.press("Ctrl+V")
    submit(page, person)


def find_word(page: TaskBrowser, person: PracticeUser) -> None:
    """find-word."""
    number = int(asked(r"Find the (\d+)", page))
    word = page.one("#area p").text.split()[number - 1]
    person.click(page.one("#answer-input").point)
    person.type_text(re.sub(r"[^a-zA-Z]", "", word))
    submit(page, person)


def scroll_text(page: TaskBrowser, person: PracticeUser) -> None:
    """scroll-text: the last word."""
    scroll_to_end(page, person, "#text-area", down=True)
    text = page.one("#text-area").text
    person.click(page.one("#answer-input").point)
    person.type_text(text.rsplit(maxsplit=1)[-1].replace(".", ""))
    submit(page, person)


def scroll_text_to(page: TaskBrowser, person: PracticeUser) -> None:
    """scroll-text-2."""
    scroll_to_end(page, person, "#text-area", down="to the bottom" in page.utterance)
    submit(page, person)


def sign_agreement(page: TaskBrowser, person: PracticeUser) -> None:
    """sign-agreement."""
    if page.utterance == "Click the cancel button.":
        person.click(page.one("#cancel").point)
        return
    scroll_to_end(page, person, "#text-area", down=True)
    name, button = quoted(page.utterance)
    person.click(page.one("#name").point)
    person.type_text(name)
    person.click(page.one("#area button", text=button).point)


def solve_arithmetic(page: TaskBrowser, person: PracticeUser) -> None:
    """simple-arithmetic."""
    first, sign, second = groups(r"(\d+) (.) (\d+) =", page.one("#math-problem").text)
    person.click(page.one("#math-answer").point)
    person.type_text(str(_compute(int(first), sign, int(second))))
    submit(page, person)


def solve_algebra(page: TaskBrowser, person: PracticeUser) -> None:
    """simple-algebra: the number that makes it true."""
    left, sign, right, result = groups(r"(\w+) (.) (\w+) = (\d+)", page.one("#math-problem").text)
    for x in range(-200, 201):
        if _compute(_value(left, x), sign, _value(right, x)) == int(result):
            person.click(page.one("#math-answer").point)
            person.type_text(str(x))
            submit(page, person)
            return
    raise CaptureError("No number solves it.")


def _value(term: str, x: int) -> int:
    return x if term == "x" else int(term)


def _compute(first: int, sign: str, second: int) -> int:
    return {"+": first + second, "-": first - second, "x": first * second}[sign]


def _table(page: TaskBrowser) -> dict[str, str]:
    cells = [cell.text for cell in page.find("#tab td")]
    return dict(zip(cells[::2], cells[1::2], strict=True))


def read_table(page: TaskBrowser, person: PracticeUser) -> None:
    """read-table."""
    person.click(page.one("#tt").point)
    person.type_text(_table(page)[asked(r"Enter the value of (.*) into the text field", page)])
    submit(page, person)


def read_table_twice(page: TaskBrowser, person: PracticeUser) -> None:
    """read-table-2."""
    table = _table(page)
    for number in (1, 2):
        person.click(page.one(f"#tt{number}").point)
        person.type_text(table[page.one(f"#ll{number}").text.removesuffix(":")])
    submit(page, person)


def search_film(page: TaskBrowser, person: PracticeUser) -> None:
    """multi-layouts, multi-orderings: each value into the field with its label, wherever that is."""
    genre, director, year = groups(r"Search for (.*) movies directed by (.*) from year (\d+)\.", page.utterance)
    values = {"Genre": genre, "Director": director, "Year": year, "Date": year}
    labels: list[str] = page.ask(
        "return [...document.querySelectorAll('#area input')].map(e => {"
        " let around = e.parentElement; while (!around.innerText.trim()) around = around.parentElement;"
        " return around.innerText.trim(); })"
    )
    for number, label in enumerate(labels):
        person.click(page.find("#area input")[number].point)
        person.type_text(next(value for name, value in values.items() if name in label))
    person.click(page.one("#area button, #area .final, #area .ui-submit").point)


def guess_number(page: TaskBrowser, person: PracticeUser) -> None:
    """guess-number: halve what is left by what the page answers."""
    low, high = 0, 9
    while low <= high:
        guess = (low + high) // 2
        person.click(page.one("#tt").point)
        person.press("Ctrl+A")
        person.type_text(str(guess))
        submit(page, person)
        if page.done:
            return
        told = page.one("#feedback div:not(.hide)").text
        low, high = (guess + 1, high) if "higher" in told else (low, guess - 1)
    raise CaptureError("The page contradicts itself.")


def use_spinner(page: TaskBrowser, person: PracticeUser) -> None:
    """use-spinner."""
    wanted = int(asked(r"Select (-?\d+) with the spinner", page))
    for _ in range(abs(wanted)):
        person.click(page.one(".ui-spinner-up" if wanted > 0 else ".ui-spinner-down").point)
    submit(page, person)
