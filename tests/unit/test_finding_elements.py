"""A search over an open demo finds what going over the elements one by one finds, also after edits."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

from annotator.commands import DeleteElements
from annotator.document import Document
from annotator.finding import search_keys
from annotator.finding.element_search import DocumentFinder
from annotator.finding.query import QueryError
from demopack.domain.actions import parse_action
from demopack.domain.demos import Demo
from demopack.domain.elements import Element, Evidence
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step, WindowInfo
from tests.support.demos import demo_head

FRAMES = tuple(Frame(id=name, width=800, height=600) for name in ("f1", "f2", "f3"))


def element(uid: str, frame: str, kind: str, **fields: Any) -> Element:
    base = {"uid": uid, "frame": frame, "type": kind, "box": Rect(10, 10, 60, 30), "source": "detector"}
    return Element.model_validate({**base, **fields})


ELEMENTS = (
    element("a", "f1", "button", text="OK", confidence=0.9, states={"disabled": True}, track_id="ok_0"),
    element("b", "f1", "checkbox", text="Keep me\nsigned in", confidence=0.4, states={"checked": True}),
    element("c", "f1", "icon", subtype="search", confidence=0.55, review="approved", box=Rect(0, 0, 6, 20)),
    element("d", "f2", "checkbox", text="Straße", source="human", review="doubtful", states={"checked": False}),
    element("e", "f2", "button", text="ok, go", source="ocr", confidence=0.6, review="rejected"),
    element("f", "f2", "other", confidence=0.6),
    element(
        "g", "f3", "text", text="OK", source="accessibility", confidence=1.0,
        evidence=(Evidence(source="detector", type="button"), Evidence(source="ocr", text="OK")),
    ),
)  # fmt: skip


def step(number: int, before: Frame, after: Frame | None, target: str | None, kind: str, app: str) -> Step:
    parameters = {"text_to_type": "x"} if kind == "type" else {}
    target_of: dict[str, Any] = {"bbox": (0.1, 0.1, 0.0, 0.0)} if kind == "click" else {}
    action = parse_action(
        {"action_type": kind, "parameters": parameters, "target": target_of or None},
    )
    return Step(
        id=f"s{number}", position=number, action=action, before=before, after=after, target_uid=target,
        window=WindowInfo(app=app),
    )  # fmt: skip


@pytest.fixture
def document() -> Document:
    steps = (
        step(1, FRAMES[0], FRAMES[1], "a", "click", "Mail"),
        step(2, FRAMES[1], FRAMES[1], "d", "type", ""),
        step(3, FRAMES[1], FRAMES[2], "e", "click", "Files"),
    )
    by_frame = {frame.id: tuple(e for e in ELEMENTS if e.frame == frame.id) for frame in FRAMES}
    return Document(Demo(head=demo_head("demo_1", app="Customers"), steps=steps, elements=by_frame))


@pytest.fixture
def finder(document: Document) -> DocumentFinder:
    return DocumentFinder(document)


def found(finder: DocumentFinder, document: Document, text: str) -> str:
    """The uids of what fits, rejected or not, as one word."""
    search = finder.understand(text)
    elements = [element for frame in finder.frames for element in document.elements(frame)]
    return "".join(element.uid for element in elements if finder.fits(search, element))


@pytest.mark.parametrize(
    ("text", "uids"),
    [
        ("", "abcdefg"),
        ("ok", "aeg"),
        ("OK -source:ocr", "ag"),
        ("search", "c"),
        ('"me signed"', "b"),
        ("strasse", "d"),
        ("type:checkbox,icon", "bcd"),
        ('text:"ok"', "aeg"),
        ("text:/^ok$/", "ag"),
        ("/s.g/", "b"),
        ("text:none", "cf"),
        ("has:text", "abdeg"),
        ("subtype:sea", "c"),
        ("state:checked", "b"),
        ("state:unchecked", "d"),
        ("state:checked,unchecked", "bd"),
        ("state:disabled or state:checked", "ab"),
        ("-state:none", "abd"),
        ("unknown:checked type:checkbox", ""),
        ("conf:<0.6", "bc"),
        ("conf:0.6", "ef"),
        ("conf:.55-.9", "acef"),
        ("conf:none", "d"),
        ("-conf:>=0", "d"),
        ("source:human,ocr", "de"),
        ("review:todo", "abfg"),
        ("review:doubtful or review:rejected", "de"),
        ("step:1", "abc"),
        ("step:2-3", "defg"),
        ("step:>2", "defg"),
        ("action:click", "ae"),
        ("action:type is:target", "d"),
        ("is:target", "ade"),
        ("app:mail", "abc"),
        ("app:customers", "def"),
        ("app:files", "defg"),
        ("track:ok", "a"),
        ("size:<8", "c"),
        ("width:50 height:>=20", "abdefg"),
        ("doubt:any", "abfg"),
        ("doubt:unknown", "f"),
        ("doubt:type", "g"),
        ("has:evidence", "g"),
        ("not (type:button or type:checkbox)", "cfg"),
    ],
)
def test_what_fits(document: Document, finder: DocumentFinder, text: str, uids: str) -> None:
    assert found(finder, document, text) == uids


@pytest.mark.parametrize("text", ["typ:button", "type:buton", "conf:high", "state:on", "/(/", "review:done"])
def test_what_cannot_be_read_is_refused(finder: DocumentFinder, text: str) -> None:
    with pytest.raises(QueryError):
        finder.understand(text)


def test_a_key_that_is_nearly_right_is_named(finder: DocumentFinder) -> None:
    with pytest.raises(QueryError, match="Did you mean “type:”"):
        finder.understand("typ:button")


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.replace(ELEMENTS[1].changed(type="button", text="ok again")),
        lambda d: d.remove(ELEMENTS[0]),
        lambda d: d.insert(element("aa", "f1", "button", text="ok too")),
        lambda d: d.replace(ELEMENTS[2].changed(frame="f3")),
        lambda d: [d.remove(e) for e in ELEMENTS if e.frame == "f2"],
        lambda d: d.replace(d.steps[0].model_copy(update={"target_uid": "b"})),
        lambda d: d.remove(d.steps[0]),
    ],
)
def test_after_an_edit_it_finds_what_a_new_search_finds(
    document: Document, finder: DocumentFinder, change: Callable[[Document], Any]
) -> None:
    texts = ("ok", "/ok/", "type:button", "state:checked", "is:target", "step:1", "conf:>0.5")
    before = [(text, finder.understand(text)) for text in texts]
    for _, search in before:
        for frame in finder.frames:
            finder.find(search, frame)
    change(document)
    fresh = DocumentFinder(document)
    for text, search in before:
        for frame in finder.frames:
            assert finder.find(search, frame) == fresh.find(fresh.understand(text), frame)


def test_a_pattern_is_put_to_each_text_once_and_only_on_frames_that_are_searched(
    document: Document, finder: DocumentFinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(search_keys, "cache", lambda fits: cache(lambda text: bool(seen.append(text)) or fits(text)))
    search = finder.understand("/ok/")
    finder.find(search, "f1")
    assert seen == ["search", "ok", "keep me signed in"]
    found = [element.uid for frame in finder.frames for element in finder.find(search, frame)]
    assert (found, len(seen)) == (["a", "g"], len(set(seen)))


def test_as_a_filter_it_follows_the_document(document: Document, finder: DocumentFinder) -> None:
    keeps = partial(finder.fits, finder.understand("type:button"))
    assert [e.uid for e in ELEMENTS if keeps(e)] == ["a", "e"]
    changed = ELEMENTS[1].changed(type="button")
    assert not keeps(ELEMENTS[1])
    document.replace(changed)
    assert keeps(changed)
    assert keeps(element("new", "f1", "button"))
    edit = DeleteElements(uids=("a",)).edit(document)
    assert edit is not None
    document.apply(edit.changes)
    assert [e.uid for e in document.elements("f1") if keeps(e)] == ["a", "b"]  # rejected is for other keys to say
