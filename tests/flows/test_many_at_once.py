"""An edit of very many elements is in the library what it is in the window, over restarts; one undo takes it back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotator.document import Document
from annotator.finding.review import DecideSuggestions, SuggestionDecision
from demopack.clock import utc_now
from demopack.domain.actions import WaitAction
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import ELEMENT_TYPES, Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.provenance import by_human
from demopack.domain.steps import Step
from demopack.errors import LibraryError
from demopack.store import Library

COUNT = 1_200
"""More than the library asks for at once."""


def suggestions(frame: str) -> tuple[Element, ...]:
    sources = ("detector", "ocr", "accessibility", "human")
    return tuple(
        Element.model_validate(
            {
                "uid": f"el_{i:05}",
                "frame": frame,
                "type": ELEMENT_TYPES[i % len(ELEMENT_TYPES)],
                "box": [i % 60, i // 60, i % 60 + 9, i // 60 + 5],
                "text": f"Größe {i} ✓",
                "states": {"focused": True} if i % 7 == 0 else {},
                "source": sources[i % 4],
                "confidence": None if i % 4 == 3 else (i % 10) / 10 + 1e-7,
            }
        )
        for i in range(COUNT)
    )


def make(folder: Path) -> None:
    with Library.open(folder) as library:
        frame = Frame(id=library.put_image(np.zeros((40, 70, 3), dtype=np.uint8)), width=70, height=40)
        action = WaitAction(wait_duration_s=1)
        step = Step(id="step_1", position=0, action=action, before=frame)
        head = DemoHead(id="demo_many", created_at=utc_now(), status="complete", task="Many")
        library.add_demo(Demo(head=head, steps=(step,), elements={frame.id: suggestions(frame.id)}))


@pytest.mark.parametrize("decision", ["accept", "reject"])
def test_thousands_decided_at_once_are_the_same_after_a_restart_and_after_an_undo(
    tmp_path: Path, decision: SuggestionDecision
) -> None:
    make(tmp_path / "library")
    with Library.open(tmp_path / "library") as library:
        before = library.demo("demo_many")
        document = Document(before)
        edit = DecideSuggestions(decision=decision, uids=tuple(f"el_{i:05}" for i in range(COUNT))).edit(document)
        assert edit is not None
        document.apply(edit.changes)
        library.commit("demo_many", edit)
        assert document.demo().elements == library.demo("demo_many").elements
    with Library.open(tmp_path / "library") as library:
        assert document.demo().elements == library.demo("demo_many").elements
        assert library.log.entries("demo_many")[0].edit == edit
        (entry,) = library.log.undo("demo_many")
        document.apply(entry.changes)
        assert document.demo().elements == library.demo("demo_many").elements == before.elements
        (entry,) = library.log.redo("demo_many")
        document.apply(entry.changes)
        assert document.demo().elements == library.demo("demo_many").elements != before.elements


def of(uid: str, before: Element | None, after: Element | None) -> Change:
    return Change(
        kind="element",
        key=uid,
        before=None if before is None else before.to_json(),
        after=None if after is None else after.to_json(),
    )


def commit(library: Library, *changes: Change) -> None:
    edit = Edit(id=f"edit_{changes[0].key}", label="Twice", changes=changes, provenance=by_human())
    library.commit("demo_many", edit)


def test_one_edit_may_change_a_thing_twice_each_time_as_the_last_left_it(tmp_path: Path) -> None:
    make(tmp_path / "library")
    with Library.open(tmp_path / "library") as library:
        demo = library.demo("demo_many")
        one, other, *_ = next(iter(demo.elements.values()))
        moved, back = one.changed(box=Rect(1, 1, 5, 5)), one.changed(text="back")
        new = other.changed(uid="el_new")
        commit(library, of(one.uid, one, moved), of(one.uid, moved, back), of("el_new", None, new))
        commit(library, of("el_new", new, None), of("el_new", None, other.changed(uid="el_new", text="again")))
        found = {e.uid: e for e in next(iter(library.demo("demo_many").elements.values()))}
        assert found[one.uid] == back
        assert found["el_new"].text == "again"
        with pytest.raises(LibraryError):
            commit(library, of(other.uid, other, moved.changed(uid=other.uid)), of(other.uid, other, None))
        assert library.demo("demo_many").elements[other.frame][1] == other


def test_a_record_that_cannot_be_read_is_not_taken_for_what_was_before(tmp_path: Path) -> None:
    make(tmp_path / "library")
    with Library.open(tmp_path / "library") as library:
        one = next(iter(library.demo("demo_many").elements.values()))[0]
    import sqlite3

    with sqlite3.connect(tmp_path / "library" / "library.db") as db:
        db.execute("UPDATE entities SET json = '{broken' WHERE key = ?", (one.uid,))
    db.close()
    with Library.open(tmp_path / "library") as library, pytest.raises(LibraryError, match="changed elsewhere"):
        commit(library, of(one.uid, one, one.changed(text="x")))
