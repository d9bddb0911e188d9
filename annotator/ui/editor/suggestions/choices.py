"""The menu of what can be done to many suggestions at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from annotator.suggestions.sieve import Counts, Sieve
from annotator.words import tr
from demopack.domain.elements import ElementType

__all__ = ["fill_menu"]

_Call = Callable[[], object]
_OfType = Callable[[ElementType], object]


def fill_menu(
    menu: QMenu,
    counts: Counts,
    sieve: Sieve,
    *,
    accept: _Call,
    reject: _Call,
    reject_below: _Call,
    bring_back: _Call,
    accept_type: _OfType,
    reject_type: _OfType,
) -> None:
    """Put the choices for one picture into a menu; those about nothing are off."""
    for words, call, number in (
        (tr("Accept all {shown} that are shown").format(shown=counts.shown), accept, counts.shown),
        (tr("Reject all {shown} that are shown").format(shown=counts.shown), reject, counts.shown),
        (
            tr("Reject all {below} below {least:.2f}").format(below=counts.below, least=sieve.least),
            reject_below,
            counts.below,
        ),
        (
            tr("Bring back the {rejected} that were rejected").format(rejected=counts.rejected),
            bring_back,
            counts.rejected,
        ),
    ):
        _add(menu, words, call).setEnabled(number > 0)
    menu.addSeparator()
    for words, of_type in ((tr("Accept by type"), accept_type), (tr("Reject by type"), reject_type)):
        kinds = menu.addMenu(words)
        kinds.setEnabled(bool(counts.by_type))
        for kind, number in counts.by_type.items():
            _add(kinds, f"{kind.replace('_', ' ')} ({number})", partial(of_type, kind))


def _add(menu: QMenu, words: str, call: _Call) -> QAction:
    action = menu.addAction(words)
    action.triggered.connect(lambda: call())
    return action
