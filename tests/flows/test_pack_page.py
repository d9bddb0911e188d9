"""The page and the card show what is in the pack, and nothing that a text tries to smuggle in."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path

import pytest

from demopack.domain.geometry import Point
from demopack.jobs import JobControl
from demopack.markup import Markup, json_html, tag, text
from demopack.pack import export_pack
from demopack.pack import page as page_module
from demopack.pack.sets.divide import merge_packs
from demopack.pack.sets.filters import Filter
from demopack.store import Library
from models.language.rationale_run import write_demos
from models.language.template import TemplateWriter
from tests.support.demos import DemoBuilder, demo_head, sample_demo, tiny_demo
from tests.support.packs import PackFolder
from tests.support.pictures import noise_image, swatch

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\x00\x07[x](http://evil) | # `"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("page")
    with Library.open(root / "library") as library:
        export_pack(library, [sample_demo(library, draw=swatch), tiny_demo(library)], root / "pack")
    return (root / "pack" / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("evil")
    with Library.open(root / "library") as library:
        b = DemoBuilder(library=library, demo_id="demo_evil")
        frame = b.frame(noise_image(32, 24, seed=1))
        b.step("click", frame, None, at=Point(3, 4), thought=EVIL, effect=EVIL, note=EVIL)
        b.step("type", frame, None, parameters={"text_to_type": EVIL})
        b.step("finish_goal", frame, None)
        b.store(demo_head("demo_evil", task=EVIL, app=EVIL, platform=EVIL, final_frame=frame))
        export_pack(library, ["demo_evil"], root / "pack", consent=EVIL)
    return root / "pack"


def test_texts_cannot_become_html(evil: Path) -> None:
    page = (evil / "index.html").read_text(encoding="utf-8")
    assert page.count("<script>") == 1
    assert "onerror=alert(2)>" not in page.replace("onerror=alert(2)&gt;", "")
    assert "\x00" not in page
    assert page.count("&lt;script&gt;alert(1)") > 4, "it is shown as text"


def test_texts_cannot_become_markdown(evil: Path) -> None:
    card = (evil / "README.md").read_text(encoding="utf-8")
    _, header, body = card.split("---\n", maxsplit=2)
    assert "<script>" not in body.replace("\\<script\\>", "")
    assert "[x](http" not in body
    assert len(re.findall(r"^# ", body, flags=re.MULTILINE)) == 1
    name, license_line = header.splitlines()[:2]
    assert EVIL.startswith(json.loads(name.removeprefix("pretty_name: ")).rstrip("…")[:40])
    assert license_line == "license: other"


def test_the_page_brings_everything_along(page: str) -> None:
    assert not re.findall(r"""(?:src|href)=["'](?:https?:)?//""", page)
    assert "@import" not in page
    assert "url(" not in page
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    (script,) = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"sha256-{digest}" in policy[1].replace("&#x27;", "'")
    assert "default-src" in policy[1]


def test_every_step_has_its_place_picture_and_response(page: str) -> None:
    assert re.findall(r'<article class="step" id="(\w+)"', page) == [
        *(f"d1s{n}" for n in range(1, 12)),
        *(f"d2s{n}" for n in range(1, 4)),
    ]
    assert page.count('<a href="#d1s') == 11
    assert page.count('class="before"') == 14
    assert page.count("<h4>LLMResponse</h4>") == 14
    assert "<title>2 demonstrations</title>" in page


def article(page: str, anchor: str) -> str:
    return page.partition(f'id="{anchor}"')[2].partition("</article>")[0]


def test_marks_lie_where_the_action_was(page: str) -> None:
    first = article(page, "d1s1")
    assert 'viewBox="0 0 960 600"' in first
    assert '<rect class="fill" x="60" y="134" width="360" height="36">' in first
    assert '<circle class="line" r="10.56" cx="240" cy="152">' in first
    drag = article(page, "d1s6")
    assert 'points="124,354 200,356 260,352 290,353 300,354"' in drag
    scroll = article(page, "d1s7")
    assert 'transform="translate(700 300) rotate(90)"' in scroll
    typed = article(page, "d1s2")
    assert re.search(r'class="caption" style="left:6\.25%;top:28\.33%"[^>]*>⌨ Ada Lovelace<', typed)
    doubtful = article(page, "d1s8")
    assert "The pointer hit no element." in doubtful
    assert "nothing changed" in doubtful


def test_one_demo_gives_the_page_its_title(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        export_pack(library, [tiny_demo(library, status="complete", outcome=None)], tmp_path / "pack")
    page = (tmp_path / "pack" / "index.html").read_text(encoding="utf-8")
    assert "<title>Go and greet</title>" in page
    assert "outcome unknown" in page
    assert PackFolder(tmp_path / "pack").rows("demos")[0]["outcome"] is None


def test_a_step_without_a_picture_says_so(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        b = DemoBuilder(library=library, demo_id="demo_blind")
        b.step("press_key", None, None, parameters={"key_info": "Enter"})
        b.step("finish_goal", None, None)
        b.store(demo_head("demo_blind"))
        export_pack(library, ["demo_blind"], tmp_path / "pack")
    page = (tmp_path / "pack" / "index.html").read_text(encoding="utf-8")
    assert page.count("There is no picture of the screen before this step.") >= 2
    assert not (tmp_path / "pack" / "media").exists()


# The few functions below it ----------------------------------------------------------------------------------------


def test_only_markup_is_not_escaped() -> None:
    assert tag("p", "<b>", Markup("<i>"), class_="a'b") == '<p class="a&#x27;b">&lt;b&gt;<i></p>'
    assert tag("img", src="a.png", alt="") == '<img src="a.png" alt="">'
    assert tag("button", "x", aria_pressed="true", hidden=True, title=None) == (
        '<button aria-pressed="true" hidden>x</button>'
    )
    assert text("a\x00b\tc") == "a\ufffdb\tc"


def test_json_keeps_its_shape() -> None:
    value = {"a": [1, 2.5], "b": {}, "c": [{"d": None}], "é": "<"}
    shown = html.unescape(re.sub(r"<[^>]+>", "", json_html(value)))
    assert json.loads(shown) == value
    assert shown.splitlines()[:3] == ["{", '  "a": [1, 2.5],', '  "b": {},']


def test_what_a_writer_told_in_hindsight_is_shown(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        demo = tiny_demo(library)
        write_demos(library, [demo], TemplateWriter(mode="hindsight"), control=JobControl(), rewriting="programs")
        export_pack(library, [demo], tmp_path / "pack")
    page = (tmp_path / "pack" / "index.html").read_text(encoding="utf-8")
    assert "<dt>Remaining</dt>" in page
    assert "Type “héllo 中”." in page
    assert "<dt>In hindsight</dt>" in page


@pytest.mark.parametrize(("limit", "words"), [("MAX_STEPS", "too many steps"), ("MAX_ELEMENTS", "too many elements")])
def test_export_and_merge_end_the_page_at_the_same_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, words: str
) -> None:
    monkeypatch.setattr(page_module, limit, 10)
    with Library.open(tmp_path / "library") as library:
        ids = [sample_demo(library, draw=swatch), tiny_demo(library)]
        export_pack(library, ids, tmp_path / "exported", licence="MIT")
    merge_packs([tmp_path / "exported"], tmp_path / "merged", Filter())
    pages = [(tmp_path / name / "index.html").read_text(encoding="utf-8") for name in ("exported", "merged")]
    assert pages[0] == pages[1]
    assert words in pages[0]
    assert ("d1s1" in pages[0]) is (limit == "MAX_ELEMENTS")
    assert 'class="elements"><rect' not in pages[0]
