"""The page of a pack in a real browser: keys, switches, pictures, and not one complaint in its log."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from demopack.pack import export_pack
from demopack.store import Library
from tests.support.demos import sample_demo, tiny_demo

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    root = tmp_path_factory.mktemp("page")
    with Library.open(root / "library") as library:
        export_pack(library, [sample_demo(library), tiny_demo(library)], root / "pack", licence="MIT")
    options = webdriver.ChromeOptions()
    for switch in ("--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000"):
        options.add_argument(switch)
    options.binary_location = shutil.which("chromium") or ""
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        driver.get((root / "pack" / "index.html").as_uri())
        yield driver
    finally:
        driver.quit()


def keys(browser: webdriver.Chrome, text: str) -> None:
    browser.find_element(By.TAG_NAME, "body").send_keys(text)


def ask(browser: webdriver.Chrome, script: str) -> Any:
    return browser.execute_script(f"return {script}")


def current(browser: webdriver.Chrome) -> str:
    found = ask(browser, "[...document.querySelectorAll('[data-current]')].map(step => step.id).join()")
    assert ask(browser, "document.querySelector('.rail [aria-current]').hash.slice(1)") == found
    return str(found)


def test_j_and_k_walk_from_step_to_step_and_stop_at_the_ends(browser: webdriver.Chrome) -> None:
    keys(browser, "k" * 20)
    assert current(browser) == "d1s1"
    keys(browser, "jjj")
    assert current(browser) == "d1s4"
    assert browser.current_url.endswith("#d1s4")
    assert abs(ask(browser, "document.getElementById('d1s4').getBoundingClientRect().top")) < 40
    keys(browser, "k")
    assert current(browser) == "d1s3"
    keys(browser, "j" * 20)
    assert current(browser) == "d2s3"


def test_b_shows_the_screen_after_and_the_switch_follows(browser: webdriver.Chrome) -> None:
    keys(browser, "k" * 20 + "b")
    shown = "getComputedStyle(document.querySelector('#d1s1 .after')).visibility"
    pressed = "document.querySelector('#d1s1 button[value=after]').getAttribute('aria-pressed')"
    assert (ask(browser, shown), ask(browser, pressed)) == ("visible", "true")
    browser.find_element(By.CSS_SELECTOR, "#d1s1 button[value=before]").click()
    assert (ask(browser, shown), ask(browser, pressed)) == ("hidden", "false")


def test_e_shows_the_elements(browser: webdriver.Chrome) -> None:
    drawn = "getComputedStyle(document.querySelector('#d1s1 .elements')).display"
    assert ask(browser, drawn) == "none"
    keys(browser, "e")
    assert ask(browser, drawn) == "inline"
    keys(browser, "e")


def test_marks_lie_over_the_pictures_to_the_pixel(browser: webdriver.Chrome) -> None:
    places = ask(
        browser,
        "[...document.querySelectorAll('.stage')].map(stage => ['.before', 'svg'].map(part => {"
        " const box = stage.querySelector(part).getBoundingClientRect(), edge = part === '.before' ? 1 : 0;"
        " return [box.left + edge, box.top + edge, box.width - 2 * edge, box.height - 2 * edge]; }))",
    )
    assert len(places) == 14
    for picture, drawing in places:
        assert picture == pytest.approx(drawing, abs=0.51)


def test_pictures_load_and_nothing_is_refused(browser: webdriver.Chrome) -> None:
    broken = "[...document.images].filter(image => image.complete && !image.naturalWidth).length"
    assert ask(browser, broken) == 0
    assert ask(browser, "document.querySelector('#d1s1 .before').naturalWidth") == 960
    assert browser.get_log("browser") == []


def test_nothing_is_wider_than_a_narrow_window(browser: webdriver.Chrome) -> None:
    browser.set_window_size(600, 900)
    try:
        assert ask(browser, "document.documentElement.scrollWidth - innerWidth") <= 0
    finally:
        browser.set_window_size(1400, 1000)
