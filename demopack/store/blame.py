"""Says of a damaged picture what it shows, so that a person knows which step to look at."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from demopack.domain.demos import Demo
from demopack.errors import CorruptFrameError

__all__ = ["naming_the_step"]


@contextlib.contextmanager
def naming_the_step(demo: Demo) -> Generator[None]:
    """Around work on a demo's pictures.

    Raises:
        CorruptFrameError: as it came, with the demo and the steps that the picture belongs to.
    """
    try:
        yield
    except CorruptFrameError as error:
        where = demo.shown_by(error.frame_id)
        if not where:
            raise
        raise CorruptFrameError(
            f"{error.user_message.removesuffix('.')}: it shows the screen {where} of {demo.head.id}.",
            frame_id=error.frame_id,
            details=error.details,
            hint=error.hint,
        ) from error
