"""Says for every step what it would act on, without acting."""

from __future__ import annotations

from collections.abc import Iterator

from demopack.clock import now_ns
from demopack.domain.demos import Demo
from demopack.errors import ReplayError
from player.eyes import Eyes
from player.find import locate, look_for, same_scene
from player.recorded import Plan, plan_step
from player.report import StepReport
from player.resolve import Resolution
from player.run import describe

__all__ = ["dry_run"]


def dry_run(demo: Demo, eyes: Eyes | None) -> Iterator[StepReport]:
    """Resolve the first step against the live screen, where there is one, and every other against its recorded frame.

    A recorded target that does not even lead to its own element on its own frame would go astray on any screen.
    """
    for index, step in enumerate(demo.steps, start=1):
        started = now_ns()
        report = StepReport(index=index, step=step.id, action_type=step.action.action_type, action=describe(step, demo))
        plan = plan_step(step, demo)
        try:
            found: dict[str, object] = _live(plan, eyes) if eyes is not None and index == 1 else _recorded(plan)
        except ReplayError as error:
            found = {"error": f"{error.user_message} {error.details}"}
        report = report.model_copy(update={"performed": "error" not in found, **found})
        yield report.model_copy(update={"seconds": round((now_ns() - started) / 1e9, 3)})


def _live(plan: Plan, eyes: Eyes) -> dict[str, object]:
    view = eyes.settled(plan.before)
    start = look_for(plan, view, eyes).start
    share = None if view.share is None else round(view.share, 4)
    return {**_found(start), "share_before": share}


def _recorded(plan: Plan) -> dict[str, object]:
    if plan.before is None:
        return {"error": "There is no picture of the screen before this step."} if plan.aim is not None else {}
    start, _ = locate(plan, same_scene(plan, plan.before.size))
    known = None if plan.aim is None or plan.aim.recorded is None else plan.aim.recorded.element
    if start is not None and known is not None and start.element is not None and start.element.uid != known.uid:
        return {**_found(start), "error": f"The {start.strategy} leads to another element than the recorded one."}
    return _found(start)


def _found(start: Resolution | None) -> dict[str, object]:
    if start is None:
        return {}
    return {"strategy": start.strategy, "point": (start.point.x, start.point.y), "failed": start.failed}
