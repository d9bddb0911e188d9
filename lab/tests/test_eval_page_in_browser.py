"""The page of an evaluation in a real browser: every mark on its pixel, switches that switch, light and dark."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from demopack.jobs import JobControl
from lab.evaluation.run import PAGE, evaluate
from tests.support.truths import HandFinder, found, put_screen, screen, truth

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    root = tmp_path_factory.mktemp("measured")
    label, button = truth("text", (10, 10, 40, 20)), truth("button", (50, 40, 90, 60))
    put_screen(root / "set", screen(label, button, name="small"))
    put_screen(root / "set", screen(label, button, name="large", width=1280, height=800, seed=5))

    def answer(_: object) -> list[Any]:
        return [found("icon", (50, 40, 90, 60)), found("text", (0, 70, 30, 80))]

    evaluate([root / "set"], HandFinder(answer), out=root / "out", control=JobControl())
    options = webdriver.ChromeOptions()
    for switch in ("--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000"):
        options.add_argument(switch)
    options.binary_location = shutil.which("chromium") or ""
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        driver.get((root / "out" / PAGE).as_uri())
        yield driver
    finally:
        driver.quit()


def ask(browser: webdriver.Chrome, script: str) -> Any:
    return browser.execute_script(f"return {script}")


def test_pictures_load_and_nothing_is_refused(browser: webdriver.Chrome) -> None:
    widths = "[...document.images].map(image => image.complete && image.naturalWidth)"
    assert sorted(ask(browser, widths)) == [100, 1280]
    assert browser.get_log("browser") == []


def test_marks_lie_over_the_pictures_to_the_pixel(browser: webdriver.Chrome) -> None:
    places = ask(
        browser,
        "[...document.querySelectorAll('.stage')].map(stage => {"
        " const shown = stage.querySelector('img'), at = shown.getBoundingClientRect();"
        " const mark = stage.querySelector('.missed:not(.ground)').getBoundingClientRect();"
        " const scale = at.width / shown.naturalWidth;"
        " return [mark.left - at.left, mark.top - at.top, mark.width, mark.height].map(edge => edge / scale); })",
    )
    assert len(places) == 2
    for place in places:
        assert place == pytest.approx([10, 10, 30, 10], abs=0.3)


@pytest.mark.parametrize("kind", ["missed", "false", "mistyped"])
def test_each_kind_of_mistake_can_be_hidden(browser: webdriver.Chrome, kind: str) -> None:
    shown = f"getComputedStyle(document.querySelector('.stage .{kind}')).display"
    box = browser.find_element(By.ID, f"show-{kind}")
    assert ask(browser, shown) == "inline"
    box.click()
    assert ask(browser, shown) == "none"
    box.click()
    assert ask(browser, shown) == "inline"


def test_it_follows_the_theme_and_fits_a_narrow_window(browser: webdriver.Chrome) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = set()
    for theme in ("light", "dark"):
        feature = [{"name": "prefers-color-scheme", "value": theme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": feature})
        seen.add(ask(browser, ground))
    assert len(seen) == 2
    browser.set_window_size(600, 900)
    try:
        assert ask(browser, "document.documentElement.scrollWidth - innerWidth") <= 0
    finally:
        browser.set_window_size(1400, 1000)
