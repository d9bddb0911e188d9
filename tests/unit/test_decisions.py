"""Every decision about a suggestion can be read out of the log, with what was suggested and what became of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from annotator.attributes.element_attributes import SetAttribute
from annotator.commands import AddElement, DeleteElements
from annotator.editing import EditSession
from annotator.finding.review import DecideSuggestions
from annotator.suggestions.decisions import Decision, decisions
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element, Evidence
from demopack.domain.provenance import by_program
from demopack.store import Library
from demopack_cli.decisions import command as cli
from tests.support.editing import SAMPLE, HandStore, element, sample_library


@pytest.fixture
def session(tmp_path: Path) -> Iterator[EditSession]:
    with Library.open(sample_library(tmp_path)) as library:
        yield EditSession(library, library.demo(SAMPLE), HandStore())


def found(session: EditSession, count: int) -> list[Element]:
    frame = session.document.steps[0].before
    assert frame is not None
    return [e for e in session.document.ordered(frame.id) if e.type == "list_item"][:count]


def made(session: EditSession) -> list[Decision]:
    return decisions(SAMPLE, session.library.log.entries(SAMPLE))


def test_accepted_fixed_and_rejected_with_what_was_suggested(session: EditSession) -> None:
    yes, no, other = found(session, 3)
    session.do(DecideSuggestions(decision="accept", uids=(yes.uid,)))
    session.do(DecideSuggestions(decision="reject", uids=(no.uid,)))
    session.do(SetAttribute(uids=(other.uid,), name="type", value="button"))
    first, second, third = made(session)
    assert (first.uid, first.verdict, first.changed, first.became) == (yes.uid, "accepted", (), first.suggested)
    assert (first.source, first.confidence, first.suggested.box) == ("detector", 0.88, yes.box)
    assert (second.uid, second.verdict, second.became) == (no.uid, "rejected", None)
    assert (third.verdict, third.changed, third.suggested.type) == ("fixed", ("type",), "list_item")
    assert third.became is not None
    assert third.became.type == "button"
    assert (first.by, first.words, first.together) == ("user", f"Accept “{yes.text}” (list item)", 1)


def test_a_later_fix_makes_one_decision_of_two(session: EditSession) -> None:
    (one,) = found(session, 1)
    session.do(DecideSuggestions(decision="accept", uids=(one.uid,)))
    session.do(SetAttribute(uids=(one.uid,), name="text", value="Order 7"))
    (only,) = made(session)
    assert (only.verdict, only.changed, only.suggested.text) == ("fixed", ("text",), one.text)
    assert only.words == "Set the text of “Order 1001” (list item) to “Order 7”"
    session.undo()
    (only,) = made(session)
    assert (only.verdict, only.words) == ("accepted", f"Accept “{one.text}” (list item)")
    session.do(DeleteElements(uids=(one.uid,)))
    (only,) = made(session)
    assert (only.verdict, only.suggested.text) == ("rejected", one.text)


def test_what_was_taken_back_or_unmarked_is_no_decision_and_redo_brings_it(session: EditSession) -> None:
    one, two = found(session, 2)
    session.do(SetAttribute(uids=(two.uid,), name="review", value="approved"))
    session.do(SetAttribute(uids=(two.uid,), name="review", value="unreviewed"))
    session.do(DecideSuggestions(decision="reject", uids=(one.uid,)))
    assert [d.uid for d in made(session)] == [one.uid]
    session.undo()
    assert made(session) == []
    session.redo()
    assert [d.verdict for d in made(session)] == ["rejected"]


def test_a_search_decides_nothing_and_its_last_word_is_what_was_suggested(session: EditSession) -> None:
    one, two = found(session, 2)
    wavered = one.changed(text="Order l00l", confidence=0.4)
    changes = (
        Change(kind="element", key=one.uid, before=one.to_json(), after=wavered.to_json()),
        Change(kind="element", key=two.uid, before=two.to_json(), after=None),
    )
    edit = Edit(id="edit_again", label="Find elements", changes=changes, provenance=by_program("model", "m-1"))
    session.library.commit(SAMPLE, edit)
    session.reload()
    assert made(session) == []
    session.do(DecideSuggestions(decision="accept", uids=(one.uid,)))
    (only,) = made(session)
    assert (only.suggested.text, only.confidence) == ("Order l00l", 0.4)


def test_what_a_person_drew_was_never_suggested(session: EditSession) -> None:
    frame = found(session, 1)[0].frame
    session.do(AddElement(element=element("el_mine", frame=frame)))
    session.do(SetAttribute(uids=("el_mine",), name="text", value="Mine"))
    assert made(session) == []


def test_many_at_once_weigh_less_and_lines_are_json(session: EditSession) -> None:
    three = found(session, 3)
    session.do(DecideSuggestions(decision="accept", uids=tuple(e.uid for e in three)))
    lines = [json.loads(one.model_dump_json()) for one in made(session)]
    assert [line["together"] for line in lines] == [3, 3, 3]
    assert {line["uid"] for line in lines} == {e.uid for e in three}
    assert lines[0]["suggested"]["box"] == list(lines[0]["became"]["box"])
    assert [Decision.model_validate(line) for line in lines] == made(session)


def test_the_command_prints_or_writes_them(session: EditSession, tmp_path: Path) -> None:
    one, two = found(session, 2)
    session.do(DecideSuggestions(decision="accept", uids=(one.uid,)))
    session.do(DecideSuggestions(decision="reject", uids=(two.uid,)))

    def run(*arguments: Any) -> Any:
        return CliRunner().invoke(cli, [*map(str, arguments), "--library", str(session.library.folder)])

    printed = run()
    assert printed.exit_code == 0, printed.output
    assert [json.loads(line)["verdict"] for line in printed.stdout.splitlines()] == ["accepted", "rejected"]
    written = run(SAMPLE[:9], "-o", tmp_path / "d.jsonl")
    assert written.exit_code == 0, written.output
    assert (tmp_path / "d.jsonl").read_text(encoding="utf-8") == printed.stdout
    assert "2 decisions, 1 accepted, 0 fixed, 1 rejected" in written.stderr


def test_a_decision_about_what_a_rule_found_names_the_rule(session: EditSession) -> None:
    (one,) = found(session, 1)
    said = Evidence(source="rule", rule="list_rows", type=one.type, box=one.box, text=one.text, confidence=0.6)
    ruled = one.changed(uid="el_ruled", source="rule", confidence=0.6, evidence=(said,))
    session.library.commit(
        SAMPLE,
        Edit(
            id="edit_rule",
            label="Find elements",
            changes=(Change(kind="element", key=ruled.uid, before=None, after=ruled.to_json()),),
            provenance=by_program("model", "parse", reason="parse"),
        ),
    )
    other = EditSession(session.library, session.library.demo(SAMPLE), HandStore())
    other.do(DecideSuggestions(decision="reject", uids=(ruled.uid,)))
    (only,) = made(session)
    assert (only.source, only.verdict, only.evidence) == ("rule", "rejected", (said,))
    assert _agreement_by_source([only]) == {"rule"}


def _agreement_by_source(decided: list[Decision]) -> set[str]:
    return {one.source for one in decided}
