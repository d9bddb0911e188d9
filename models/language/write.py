"""Writes the rationales of a demo; a person's words are never touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from demopack.domain.actions import AgentAction
from demopack.domain.binding import response_of
from demopack.domain.demos import Demo
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.ports import RationaleWriter, StepContext
from demopack.domain.provenance import Provenance, by_program
from demopack.domain.rationale import Rationale
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.domain.words import describe_action
from demopack.jobs import JobControl, Progress
from models.changes import changed_boxes
from models.language.grounding import ungrounded

if TYPE_CHECKING:
    from demopack.store import Library
from demopack.store.blame import naming_the_step

__all__ = ["WriteReport", "is_by_human", "step_context", "write_rationales"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteReport:
    """What was written.

    Attributes:
        demo: id.
        writer: name of the writer.
        written: steps that got a rationale now.
        kept: steps whose rationale stayed.
        human: of ``kept``, a person's.
        refused: numbers, from 1, of steps whose new rationale named something that is not there; not stored.
    """

    demo: str
    writer: str
    written: int
    kept: int
    human: int
    refused: tuple[int, ...]


def write_rationales(
    library: Library, demo_id: str, writer: RationaleWriter, *, control: JobControl, overwrite: bool = False
) -> WriteReport:
    """Write a rationale for each step that has none; undone in one go, each step stored as soon as it is done.

    Args:
        library: where the demo is.
        demo_id: which demo.
        writer: explains one step.
        control: progress and cancelling.
        overwrite: replace what a program wrote before; never what a person wrote.

    Raises:
        CancelledError: what was written before is kept.
        ModelError: the writer failed; what was written before is kept.
        LibraryError: the demo was changed elsewhere meanwhile, or a picture is damaged.
    """
    demo = library.demo(demo_id)
    by_uid = {element.uid: element for found in demo.elements.values() for element in found}
    gesture, history = new_id("rationale"), list[str]()
    written = human = 0
    refused: list[int] = []
    for index, step in enumerate(demo.steps):
        control.token.check()
        text = f"Explaining step {index + 1} of {len(demo.steps)}"
        control.report(Progress(done=index, total=len(demo.steps), text=text))
        target, end = by_uid.get(step.target_uid or ""), by_uid.get(step.end_uid or "")
        by_person = is_by_human(step.rationale)
        human += by_person
        if step.rationale is None or (overwrite and not by_person):
            with naming_the_step(demo):
                context = step_context(library, demo, index, history=history)
            rationale = writer.write(context, control=control)
            if ungrounded(rationale, context):
                refused.append(index + 1)
            else:
                written += _store(library, demo_id, step, rationale, gesture)
        history.append(describe_action(step.action, target, end))
    control.report(Progress(done=len(demo.steps), total=len(demo.steps), text="Explained"))
    kept = len(demo.steps) - written - len(refused)
    return WriteReport(
        demo=demo_id, writer=writer.name, written=written, kept=kept, human=human, refused=tuple(refused)
    )


def is_by_human(rationale: Rationale | None) -> bool:
    """Whether a person wrote or reworded it."""
    return rationale is not None and (rationale.provenance.kind == "human" or rationale.text is not None)


def step_context(library: Library, demo: Demo, index: int, *, history: Sequence[str]) -> StepContext:
    """All that may be said about one step, its pictures compared.

    Args:
        library: holds the pictures.
        demo: the demo.
        index: which step, from 0.
        history: the steps before it in words, oldest first.
    """
    step = demo.steps[index]
    before = demo.ordered(step.before.id) if step.before is not None else []
    after_parsed = step.after is not None and step.after.id in demo.parsed
    by_uid: dict[str, Element] = {element.uid: element for element in before}
    return StepContext(
        task=demo.head.task,
        app=demo.head.app or (step.window.app if step.window is not None else ""),
        window_title=step.window.title if step.window is not None else "",
        history=tuple(history),
        action=_filled_in(step, demo),
        target=by_uid.get(step.target_uid or ""),
        end_target=by_uid.get(step.end_uid or ""),
        before=before,
        after=demo.ordered(step.after.id) if step.after is not None and after_parsed else None,
        changed=_changed(library, step),
        size=None if step.before is None else step.before.size,
        is_last=index == len(demo.steps) - 1,
    )


def _filled_in(step: Step, demo: Demo) -> AgentAction:
    return response_of(step, demo).action


def _changed(library: Library, step: Step) -> tuple[Rect, ...] | None:
    if step.before is None or step.after is None:
        return None
    if step.before.id == step.after.id:
        return ()
    return changed_boxes(library.get_image(step.before.id), library.get_image(step.after.id))


def _store(library: Library, demo_id: str, step: Step, rationale: Rationale, gesture: str) -> bool:
    """Commit one rationale; false when the step has these very words already."""
    if step.rationale is not None and _words(step.rationale) == _words(rationale):
        return False
    new = step.model_copy(update={"rationale": rationale})
    edit = Edit(
        id=new_id("edit"),
        label="Explain a step",
        changes=(Change(kind="step", key=step.id, before=step.to_json(), after=new.to_json()),),
        provenance=_by(rationale.provenance),
        merge_key=gesture,
    )
    library.commit(demo_id, edit)
    return True


def _words(rationale: Rationale) -> tuple[str, ...]:
    return (rationale.observation, rationale.thought, rationale.expected_effect, rationale.actual_effect)


def _by(provenance: Provenance) -> Provenance:
    kind: Literal["model", "template"] = "model" if provenance.kind == "model" else "template"
    return by_program(kind, provenance.name, reason="rationale")
