"""The tables of an evaluation's page."""

from __future__ import annotations

from collections.abc import Sequence

from demopack.markup import Markup, tag
from lab.evaluation.figures import AverageFigures, Figures
from lab.evaluation.report import Report

_COLUMNS = (
    "", "screens", "elements", "F1 @.5", "precision", "recall", "F1 @.75", "leaves F1", "AP50", "AP", "AP50 typed",
    "type", "states", "text exact", "char. errors", "icons", "shapes", "s / screen", "p95",
)  # fmt: skip


def figures_table(report: Report) -> Markup:
    """Everything, each source, and the unseen groups of each source."""
    rows = [("all", report.overall)]
    for name, figures in report.by_source.items():
        rows.append((name, figures))
        if name in report.unseen and report.unseen[name].screens != figures.screens:
            rows.append((f"{name}, unseen", report.unseen[name]))
    return _table(_COLUMNS, [_figures_row(name, figures) for name, figures in rows])


def groups_table(report: Report) -> Markup:
    """Each group, worst F1 first."""
    ranked = sorted(report.groups.items(), key=lambda item: (item[1].at50.f1 or 0.0, item[0]))
    return _table(_COLUMNS, [_figures_row(name, figures) for name, figures in ranked])


def types_table(figures: Figures) -> Markup:
    """Each type: what was found of it, and how often the name was right."""
    columns = ("", "true", "found", "recall (any type)", "centre", "named right", "precision of the name", "AP50")
    rows = [
        [
            name, str(row.truth), str(row.found), _percent(row.recall),
            _percent(row.centre / row.truth if row.truth else None),
            _percent(row.right / row.hit if row.hit else None), _percent(row.precision), _percent(row.ap50),
        ]
        for name, row in figures.types.items()
    ]  # fmt: skip
    return _table(columns, rows)


def confusion_table(figures: Figures) -> Markup:
    """True types in rows, found types in columns."""
    names = sorted({*figures.confusion, *(name for row in figures.confusion.values() for name in row)})
    head = tag("thead", tag("tr", tag("th", "true ↓ found →"), *(tag("th", name) for name in names)))
    rows: list[Markup] = []
    for true, row in sorted(figures.confusion.items()):
        cells = [tag("th", true, scope="row")]
        cells += [
            tag("td", row.get(name, "·"), class_=("diagonal" if name == true else None) if name in row else "none")
            for name in names
        ]
        rows.append(tag("tr", *cells))
    return tag("div", tag("table", head, tag("tbody", *rows)), class_="wide")


def alone_table(figures: Figures) -> Markup:
    """Each source of elements by itself, before they were joined."""
    columns = (
        "",
        "boxes",
        "F1 @.5",
        "precision",
        "recall",
        "types given",
        "right",
        "texts given",
        "exact",
        "char. errors",
    )
    rows = [
        [
            name, str(row.boxes.found), _percent(row.boxes.f1), _percent(row.boxes.precision),
            _percent(row.boxes.recall), str(row.type.of), _percent(row.type.share), str(row.text.of),
            _percent(row.text.share), _percent(row.edits / row.characters if row.characters else None),
        ]
        for name, row in figures.alone.items()
    ]  # fmt: skip
    return _table(columns, rows)


def _figures_row(name: str, figures: Figures) -> list[str]:
    agnostic, typed = figures.agnostic or AverageFigures(), figures.typed or AverageFigures()
    shares = (
        figures.at50.f1, figures.at50.precision, figures.at50.recall, figures.at75.f1, figures.leaves.f1, agnostic.ap50,
        agnostic.ap, typed.ap50, figures.type.share, figures.states.share, figures.text.exact.share,
        figures.text.error_rate, figures.icon.share, figures.shape.share,
    )  # fmt: skip
    seconds = (figures.seconds_screen.median, figures.seconds_screen.p95)
    counts = [str(figures.screens), str(figures.at50.truth)]
    return [name, *counts, *map(_percent, shares), *("" if s is None else f"{s:.2f}" for s in seconds)]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    head = tag("thead", tag("tr", *(tag("th", column, scope="col") for column in columns)))
    body = [
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(tag("td", cell or "-", class_=None if cell else "none") for cell in row[1:]),
        )
        for row in rows
    ]
    return tag("div", tag("table", head, tag("tbody", *body)), class_="wide")
