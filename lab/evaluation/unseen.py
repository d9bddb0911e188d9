"""Which screens are of a group that no model was trained on."""

from __future__ import annotations

from lab.screens.miniwob.tasks import NEVER_TRAINED
from models.training.labelled_screens import LabelledScreen


def is_unseen(screen: LabelledScreen) -> bool:
    """Whether the group of a test screen has no training screens at all, by the rules of ``docs/formats/screens.md``.

    Test screens of pages, styles and applications are held out by group, all of them. MiniWoB++ tasks are held out by
    seed, and only some as a whole.
    """
    if screen.side != "test":
        return False
    if screen.source == "miniwob":
        return screen.group in NEVER_TRAINED
    return screen.source != "library"
