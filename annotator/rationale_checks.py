"""State of a demo's rationales (missing, stale, contradicted, in order), and the elements that a text names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from annotator.document import Document
from annotator.words import tr
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.rationale import Rationale
from demopack.domain.steps import Step
from demopack.jobs import JobControl, Progress
from models.language.check.findings import check_rationale
from models.language.check.references import references
from models.language.check.screen_index import ScreenIndex
from models.language.check.text_spans import TextSpan, sentences
from models.language.check.truth_rule import RationaleFinding
from models.language.step_context import DemoStory

if TYPE_CHECKING:
    from demopack.store import Library

RationaleStatus = Literal["missing", "stale", "wrong", "doubtful", "fine"]
"""``wrong``: the check says that something in it is not so; ``doubtful``: that something should be looked at."""

STALE_WORDS = tr("The rationale was written before the task, the action or its target changed.")


def is_stale_in(document: Document, step: Step) -> bool:
    """Whether task, action or target changed since the step's rationale was written."""
    rationale = step.rationale
    return rationale is not None and bool(rationale.basis) and rationale.basis != document.basis_of(step)


def rationale_status(document: Document, step: Step, findings: Collection[RationaleFinding] = ()) -> RationaleStatus:
    """How one step's rationale stands; the worst that is true of it."""
    if step.rationale is None:
        return "missing"
    if any(one.severity == "error" for one in findings):
        return "wrong"
    if is_stale_in(document, step):
        return "stale"
    return "doubtful" if findings else "fine"


def check_demo(
    library: Library, demo: Demo, *, control: JobControl, only: Collection[str] | None = None
) -> dict[str, list[RationaleFinding]]:
    """The truth check of every rationale, by step id; reads pictures, so it is a job.

    Args:
        library: where the pictures are.
        demo: as it stands.
        control: progress and cancelling.
        only: ids of the steps to check; None for all.

    Raises:
        CancelledError: the user stopped it.
        CorruptFrameError: a picture is damaged.
    """
    story, found = DemoStory(library, demo), dict[str, list[RationaleFinding]]()
    for index, step in enumerate(demo.steps):
        control.token.check()
        if step.rationale is not None and (only is None or step.id in only):
            after = step.rationale.mode == "hindsight"
            found[step.id] = check_rationale(step.rationale, story.context(index), after_visible=after)
        control.report(Progress(done=index + 1, total=len(demo.steps), text=tr("Checking rationales")))
    return found


def marks_in(rationale: Rationale, findings: Collection[RationaleFinding]) -> list[RationaleFinding]:
    """The findings about what ``reasoning`` shows, at their places in it; ``end`` is exclusive."""
    length = len(rationale.reasoning)
    # By field: what to add to its places to have those of the shown text.
    offsets: dict[str, int] = {} if rationale.text is None else {"text": 0}
    begin = 0
    for part, words in (("thought", rationale.thought), ("expected_effect", rationale.expected_effect)):
        if rationale.text is None and words.strip():
            offsets[part] = begin - (len(words) - len(words.lstrip()))
            begin += len(words.strip()) + 1
    marks: list[RationaleFinding] = []
    for one in findings:
        if one.part in offsets:
            start, end = (min(max(place + offsets[one.part], 0), length) for place in (one.start, one.end))
            marks.append(replace(one, start=start, end=end))
    return marks


def named_in(text: str, elements: Iterable[Element]) -> list[tuple[TextSpan, tuple[str, ...]]]:
    """Every name in a text with its quotes, in the order of the words, and the uids of the elements that it may mean.

    Those only that it fits best; none where nothing is called so.
    """
    screen = ScreenIndex(elements)
    return [(one.span, tuple(e.uid for e in screen.called(one.name))) for one in references(text, [screen])]


def sentence_at(text: str, place: int) -> TextSpan:
    """The sentence that holds a place; the last one for a place behind all, an empty one for an empty text."""
    spans = sentences(text)
    behind = TextSpan(spans[-1].start, len(text)) if spans else TextSpan(0, 0)
    return next((span for span in spans if place <= span.end), behind)
