"""labelme and X-AnyLabeling: one JSON for each picture, beside it.

labelme takes a rectangle of exactly two points, in any order; X-AnyLabeling writes four. Both keep keys they do not
know, so what has no place of its own goes under ``demopack``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.interchange.carries import Carrier
from demopack.interchange.form import AnnotationFormat, AnnotationOptions
from demopack.interchange.forms.labelme_reader import read_labelme
from demopack.interchange.labels import OWN, own_block
from demopack.interchange.values import PictureOut
from demopack.pack.formats.output import Output

__all__ = ["LABELME", "X_ANYLABELING"]


class _Writer:
    """What both have in common."""

    version = "5.5.0"

    def __init__(self, output: Output, options: AnnotationOptions) -> None:
        del options
        self.output = output
        self._tracks: dict[str, int] = {}

    def add(self, picture: PictureOut) -> None:
        """See :class:`demopack.interchange.form.AnnotationWriter`."""
        data: dict[str, Any] = {
            "version": self.version,
            "flags": {},
            **self.head(picture),
            "shapes": [self.shape(element) for element in picture.elements],
            "imagePath": picture.name,
            # The key must be there, although a picture inside a JSON makes every program slow.
            "imageData": None,
            "imageHeight": picture.size.height,
            "imageWidth": picture.size.width,
            OWN: {"frame": picture.frame, "demo": picture.demo},
        }
        self.output.json(f"{picture.name.removesuffix('.png')}.json", data)

    def finish(self) -> None:
        """See :class:`demopack.interchange.form.AnnotationWriter`."""

    def head(self, picture: PictureOut) -> dict[str, Any]:
        """Keys of the file that only one of them has."""
        del picture
        return {}

    def shape(self, element: Element) -> dict[str, Any]:
        """One rectangle."""
        states: dict[str, bool] = {str(name): value for name, value in element.states.items()}
        box = element.box
        return {
            "label": element.type,
            "points": [[float(box.x1), float(box.y1)], [float(box.x2), float(box.y2)]],
            "group_id": self.group(element),
            "description": element.text or "",
            "shape_type": "rectangle",
            "flags": states,
            "mask": None,
            OWN: own_block(
                element, "uid", "subtype", "source", "confidence", "review", "track_id", "parent"
            ),
        }  # fmt: skip

    def group(self, element: Element) -> int | None:
        """The number of an element's track: both programs take whole numbers only."""
        if element.track_id is None:
            return None
        return self._tracks.setdefault(element.track_id, len(self._tracks) + 1)


class _XAny(_Writer):
    version = "4.2.1"

    def head(self, picture: PictureOut) -> dict[str, Any]:
        return {"checked": picture.checked, "description": "", "tags": []}

    def shape(self, element: Element) -> dict[str, Any]:
        box = element.box
        said: dict[str, str | None] = {"subtype": element.subtype}
        said.update({str(name): str(value).lower() for name, value in element.states.items()})
        status = {"review_status": "false_positive"} if element.review == "rejected" else {}
        return {
            "kie_linking": [],
            "label": element.type,
            "score": element.confidence,
            "points": [[float(x), float(y)] for x, y in _corners(box)],
            "group_id": self.group(element),
            "description": element.text or "",
            "difficult": False,
            "shape_type": "rectangle",
            "flags": {},
            "attributes": {name: value for name, value in said.items() if value is not None},
            **status,
            OWN: own_block(element, "uid", "source", "review", "track_id", "parent"),
        }


def _corners(box: Rect) -> Iterable[tuple[int, int]]:
    return ((box.x1, box.y1), (box.x2, box.y1), (box.x2, box.y2), (box.x1, box.y2))


LABELME: Final = AnnotationFormat(
    name="labelme",
    title="labelme, strict",
    files="NAME.json beside NAME.png",
    reads="labelme; X-AnyLabeling turns its two points into four",
    carrier=Carrier(),
    writer=_Writer,
    reader=read_labelme,
    folder="",
    notes=(
        "Rectangles have two points; states are flags, the text is the description, the track's number the group.",
        "What labelme has no field for lies in each shape under “demopack”; labelme keeps it when it saves.",
    ),
)
X_ANYLABELING: Final = AnnotationFormat(
    name="x-anylabeling",
    title="X-AnyLabeling",
    files="NAME.json beside NAME.png",
    reads="X-AnyLabeling; labelme refuses its four points",
    carrier=Carrier(),
    writer=_XAny,
    reader=read_labelme,
    folder="",
    notes=(
        "Rectangles have four points; states and subtype are attributes, the confidence is the score.",
        "The text is the description; a picture of which every element is approved or rejected is checked.",
        "A rejected element is a false positive. What was checked there is approved, what failed is doubtful.",
        "The rest lies in each shape under “demopack”; X-AnyLabeling keeps it when it saves.",
    ),
)
