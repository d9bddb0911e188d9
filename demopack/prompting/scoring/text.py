"""The figures for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from demopack.prompting.scoring.metrics import METRICS, Figure, ScoreReport

__all__ = ["report_lines"]


def report_lines(report: ScoreReport) -> Iterator[str]:
    """Line by line: what was scored, every figure with its interval, then by action and by application."""
    yield (
        f"{report.predictions} against {report.pack}: {report.tasks} tasks, {report.steps} steps, "
        f"{report.answered} answered"
    )
    for code, count in report.unreadable.items():
        yield f"  {count} unreadable: {code}"
    if report.unused:
        yield f"  {report.unused} answers belong to no step of the pack"
    yield ""
    for name, figure in report.figures.items():
        interval = (
            "" if figure.low is None or figure.high is None else f" [{_percent(figure.low)}, {_percent(figure.high)}]"
        )
        share = f"{_percent(figure.value)} %{interval}"
        yield f"  {METRICS[name].split(':')[0]:18} {share:24} {figure.hits} of {figure.of}"
    for title, groups in (("By action", report.by_action), ("By application", report.by_app)):
        yield f"\n{title:20} steps  object  operation  step"
        for group in groups:
            yield (
                f"  {group.name[:18]:18} {group.steps:5}  {_of(group.figures, 'object'):>6}  "
                f"{_of(group.figures, 'operation'):>9}  {_of(group.figures, 'step'):>4}"
            )


def _of(figures: Mapping[str, Figure], name: str) -> str:
    figure = figures.get(name)
    return "-" if figure is None else _percent(figure.value)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"
