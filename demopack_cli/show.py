"""``demopack show``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from demopack_cli.options import emit, json_option, library_option, open_library, say, wants_json

if TYPE_CHECKING:
    from demopack.domain.elements import Element


@click.command(name="show")
@click.argument("demo")
@library_option
@json_option
@click.option("--original", is_flag=True, help="As recorded, without any edit.")
def command(demo: str, original: bool) -> None:
    """Show one demo, step by step. DEMO is its id, the beginning of it, or "last".

    With --json each step has the element that it acts on, with its type, text,
    states, box and who found it; null where none is known.

    Example: demopack show last
    """
    from demopack.domain.binding import response_of
    from demopack.domain.demos import is_stale
    from demopack.domain.words import DOUBT_WORDS, describe_step_in

    with open_library(create=False) as opened:
        key = opened.find(demo)
        found = opened.original(key) if original else opened.demo(key)
    if wants_json():
        by_uid = {e.uid: e for frame in found.elements.values() for e in frame}
        steps = [
            {
                "step": s.to_json(),
                "element": _element_json(by_uid.get(s.target_uid or "")),
                "end_element": _element_json(by_uid.get(s.end_uid or "")),
                "response": response_of(s, found).to_wire(),
                "stale": is_stale(s, found),
            }
            for s in found.steps
        ]
        emit({"head": found.head.to_json(), "steps": steps})
        return
    head = found.head
    say(f"{head.id}  {head.task or '(no task)'}\n{head.status}, outcome {head.outcome or 'unknown'}")
    if found.proof is not None:
        say(f"done again: {found.proof.words()}")
    for number, step in enumerate(found.steps, start=1):
        say(f"{number:3}  {describe_step_in(found, step)}")
        if step.rationale is not None:
            say(f"     {step.rationale.reasoning}")
        if is_stale(step, found):
            say("     ! Task, action or target changed after this was written: demopack rationale --stale")
        parsed = step.before is not None and step.before.id in found.parsed
        for doubt in step.doubts(parsed=parsed):
            say(f"     ! {DOUBT_WORDS[doubt]}")


def _element_json(element: Element | None) -> dict[str, Any] | None:
    return None if element is None else element.model_dump(mode="json", exclude_none=True)
