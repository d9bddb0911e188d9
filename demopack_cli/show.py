"""``demopack show``."""

from __future__ import annotations

import click

from demopack_cli.options import emit, json_option, library_option, open_library, say, wants_json


@click.command(name="show")
@click.argument("demo")
@library_option
@json_option
@click.option("--original", is_flag=True, help="As recorded, without any edit.")
def command(demo: str, original: bool) -> None:
    """Show one demo, step by step. DEMO is its id, the beginning of it, or "last".

    Example: demopack show last
    """
    from demopack.domain.binding import response_of
    from demopack.domain.demos import is_stale
    from demopack.domain.words import DOUBT_WORDS, describe_step

    with open_library(create=False) as opened:
        key = opened.find(demo)
        found = opened.original(key) if original else opened.demo(key)
    if wants_json():
        steps = [
            {"step": s.to_json(), "response": response_of(s, found).to_wire(), "stale": is_stale(s, found)}
            for s in found.steps
        ]
        emit({"head": found.head.to_json(), "steps": steps})
        return
    head = found.head
    say(f"{head.id}  {head.task or '(no task)'}\n{head.status}, outcome {head.outcome or 'unknown'}")
    by_uid = {e.uid: e for frame in found.elements.values() for e in frame}
    for number, step in enumerate(found.steps, start=1):
        element, end = by_uid.get(step.target_uid or ""), by_uid.get(step.end_uid or "")
        say(f"{number:3}  {describe_step(step, element, end)}")
        if step.rationale is not None:
            say(f"     {step.rationale.reasoning}")
        if is_stale(step, found):
            say("     ! Task, action or target changed after this was written: demopack rationale --stale")
        parsed = step.before is not None and step.before.id in found.parsed
        for doubt in step.doubts(parsed=parsed):
            say(f"     ! {DOUBT_WORDS[doubt]}")
