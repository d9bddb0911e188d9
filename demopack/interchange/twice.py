"""Two pictures of a file that show the same pixels are one frame here: what the first says of a box stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.interchange.carries import Carrier
from demopack.interchange.joining import Joined, join
from demopack.interchange.values import PictureIn
from demopack.pack.formats.output import Tally

__all__ = ["Comparison"]


class Comparison:
    """Compares pictures with the frames of a demo, one after the other.

    Args:
        carrier: what the file's format carries.
        taken: whether a uid is in use elsewhere in the demo.
        theirs: change also what a person made.

    Attributes:
        made: what the pictures do, frame by frame.
        left_out: boxes that were not taken.
        lost: what was taken less exactly.
    """

    def __init__(self, *, carrier: Carrier, taken: Callable[[str], bool], theirs: bool = False) -> None:
        self.made: dict[str, Joined] = {}
        self.left_out, self.lost = Tally(), Tally()
        self._carrier, self._taken, self._theirs = carrier, taken, theirs

    def add(self, frame: Frame, existing: Sequence[Element], picture: PictureIn) -> Joined:
        """Compare one picture; returns what all pictures so far do to its frame.

        Args:
            frame: that the picture shows.
            existing: the frame's elements in the demo.
            picture: with its boxes.

        Raises:
            BadInputError: a box holds a value that no element can have; file, entry and field are named.
        """
        before = self.made.get(frame.id)
        joined = join(
            frame,
            existing if before is None else [*existing, *before.added],
            picture.boxes,
            carrier=self._carrier,
            taken=self._taken,
            theirs=self._theirs,
            left_out=self.left_out,
            lost=self.lost,
        )
        self.made[frame.id] = joined if before is None else self._together(before, joined, existing, picture.where)
        return self.made[frame.id]

    def _together(self, before: Joined, joined: Joined, existing: Sequence[Element], where: str) -> Joined:
        settled = before.met | {element.uid for element in before.added}
        twice = sum(old.uid in settled for old, _ in (*joined.changed, *joined.kept))
        for _ in range(twice):
            self.left_out.add("twice", "boxes of which another picture with the same pixels says otherwise", where)
        met = before.met | joined.met
        return Joined(
            frame=joined.frame,
            added=[*before.added, *joined.added],
            changed=[*before.changed, *(pair for pair in joined.changed if pair[0].uid not in settled)],
            kept=[*before.kept, *(pair for pair in joined.kept if pair[0].uid not in settled)],
            same=before.same + joined.same + twice - len(settled & joined.met),
            only_here=sum(element.review != "rejected" and element.uid not in met for element in existing),
            met=met,
        )
