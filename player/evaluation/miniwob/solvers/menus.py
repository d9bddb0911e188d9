"""Tasks in which something has to be opened first: menus, tabs, sections, lists."""

from __future__ import annotations

from demopack.errors import CaptureError
from player.evaluation.miniwob.pages import TaskBrowser
from player.evaluation.miniwob.solvers.reading import asked, option_texts, quoted, scroll_until_visible, submit
from player.scripted_user import PracticeUser


def choose_list(page: TaskBrowser, person: PracticeUser) -> None:
    """choose-list."""
    wanted = option_texts(page).index(asked(r"Select (.*) from the list and click Submit\.", page))
    person.click(page.one("#options").point)
    # The open list is a window of its own, which the page knows nothing of; the keyboard reaches it.
    person.press("ArrowDown", times=wanted)
    person.press("Enter")
    submit(page, person)


def click_scroll_list(page: TaskBrowser, person: PracticeUser) -> None:
    """click-scroll-list."""
    names = option_texts(page)
    chosen = asked(r"Select (.*) from the scroll list and click Submit\.", page).split(", ")
    for number, name in enumerate(sorted(chosen, key=names.index)):
        option = scroll_until_visible(page, person, "#options option", name, page.one("#options").box)
        person.click(option, holding="Ctrl" if number else "")
    submit(page, person)


def click_section(page: TaskBrowser, person: PracticeUser) -> None:
    """click-collapsible."""
    person.click(page.one("#area h3").point)
    page.at_rest("return document.querySelector('#subbtn').getBoundingClientRect().top")
    submit(page, person)


def click_link_in_sections(page: TaskBrowser, person: PracticeUser) -> None:
    """click-collapsible-2: open one section after the other until the link shows."""
    wanted = quoted(page.utterance)[0]
    where = "return [...document.querySelectorAll('#area > *')].map(e => e.getBoundingClientRect().bottom)"
    for number in range(3):
        person.click(page.find("#area h3")[number].point)
        page.at_rest(where)
        link = next((link for link in page.find("#area .alink") if link.text == wanted and link.free), None)
        if link is not None:
            person.click(link.point)
            return
    raise CaptureError(f"No section shows the link {wanted}.")


def click_tab(page: TaskBrowser, person: PracticeUser) -> None:
    """click-tab."""
    person.click(page.one("#area ul a", text=asked(r"Click on (Tab #\d)\.", page)).point)


def click_link_in_tabs(page: TaskBrowser, person: PracticeUser) -> None:
    """click-tab-2, -easy, -medium, -hard: open one tab after the other until the link shows.

    On -medium an empty tab may end the task.
    """
    wanted = quoted(page.utterance)[0]
    for number in range(len(page.find("#area ul a"))):
        if number:
            person.click(page.find("#area ul a")[number].point)
            if page.done:
                return
        link = next((link for link in page.find("#area .alink") if link.text == wanted), None)
        if link is not None:
            person.click(link.point)
            return
    raise CaptureError(f"No tab shows the link {wanted}.")


_MENU_AT_REST = "return [...document.querySelectorAll('.ui-menu')].map(e => [e.offsetLeft, e.offsetTop, e.offsetWidth])"


def click_menu(page: TaskBrowser, person: PracticeUser) -> None:
    """click-menu: rest on each entry that leads on, click the last."""
    *opened, last = asked(r"Select (.*)", page).split(">")
    for name in opened:
        person.hover(page.one("#menu .ui-menu-item-wrapper", text=name).point)
        page.at_rest(_MENU_AT_REST)
    person.click(page.one("#menu .ui-menu-item-wrapper", text=last).point)


def click_menu_item(page: TaskBrowser, person: PracticeUser) -> None:
    """click-menu-2: an entry by its text or its icon, some of them in a second menu."""
    named = quoted(page.utterance)
    icon: str | None = page.ask("const e = document.querySelector('#query .ui-icon'); return e && e.className")
    names: dict[str, str] = page.ask("return Object.fromEntries(Object.entries(PROBLEM_SET).map(([k, v]) => [v, k]))")
    wanted = named[1] if icon is None else names[icon.split()[-1]]
    person.click(page.one("#open-menu").point)
    page.at_rest(_MENU_AT_REST)
    if wanted in {"Prev", "Stop", "Play", "Next"}:
        person.hover(page.one("#menu .ui-menu-item-wrapper", text="Playback").point)
        page.at_rest(_MENU_AT_REST)
    person.click(page.one("#menu .ui-menu-item-wrapper", text=wanted).point)


def use_autocomplete(page: TaskBrowser, person: PracticeUser) -> None:
    """use-autocomplete: take the suggestion that begins and ends as asked."""
    begin, *end = quoted(page.utterance)
    person.click(page.one("#tags").point)
    person.type_text(begin)
    page.one(".ui-autocomplete .ui-menu-item")
    shown = [item.text for item in page.find(".ui-autocomplete .ui-menu-item")]
    wanted = next(n for n, text in enumerate(shown) if text.startswith(begin) and (not end or text.endswith(end[0])))
    person.press("ArrowDown", times=wanted + 1)
    person.press("Enter")
    submit(page, person)
