"""A demo whose steps were moved, cut, joined, added and recorded again makes a pack that breaks no rule."""

from __future__ import annotations

from pathlib import Path

from annotator.editing import EditSession
from annotator.step_commands import SetNote, SetOutcome, SetVariable
from annotator.step_order import DeleteSteps, InsertStep, MoveSteps
from annotator.step_shape import MergeSteps, ReplaceFrame, SplitStep
from demopack.domain.actions import ExtractDataAction
from demopack.pack import check_pack, export_pack
from demopack.store import Library
from demopack.store.retakes import join_retake
from tests.support.demos import tiny_demo
from tests.support.editing import SAMPLE, HandStore, sample_library


def broken(library: Library, out: Path) -> list[str]:
    """The rules that the exported demo breaks."""
    export_pack(library, [SAMPLE], out)
    return sorted({finding.rule for finding in check_pack(out) if finding.severity == "error"})


def test_edited_steps_make_a_sound_pack(tmp_path: Path) -> None:
    with Library.open(sample_library(tmp_path)) as library:
        assert broken(library, tmp_path / "before") == []
        session = EditSession(library, library.demo(SAMPLE), HandStore())
        heard: list[Exception] = []
        session.failed.connect(heard.append)
        ids = [step.id for step in session.document.steps]
        later = session.document.steps[8].before
        assert later is not None
        read = ExtractDataAction(description="the total")
        for command in (
            MoveSteps(step_ids=(ids[6], ids[7]), index=1),
            SplitStep(step_id=ids[1], at=3, new_id="step_cut"),
            SplitStep(step_id=ids[6], at=3, new_id="step_cut2"),
            MergeSteps(step_ids=(ids[6], "step_cut2")),
            InsertStep(step_id="step_read", index=3, action=read),
            ReplaceFrame(step_id=ids[2], side="before", frame=later),
            ReplaceFrame(step_id=ids[3], side="after", frame=later),
            SetNote(step_id=ids[0], text="Look"),
            SetVariable(step_id=ids[1], name="customer"),
            DeleteSteps(step_ids=(ids[4], ids[10])),
            SetOutcome(outcome="failure", reason="Sold out"),
        ):
            session.do(command)
        assert heard == []
        assert broken(library, tmp_path / "edited") == []
        after = session.document.steps[4].id
        tiny_demo(library, demo_id="demo_take000002", seed=77, take_of=SAMPLE, take_after=after)
        join_retake(library, "demo_take000002")
        assert broken(library, tmp_path / "joined") == []
