"""Label Studio JSON, written: what a person approved are annotations, the rest predictions; with the set-up."""

from __future__ import annotations

from typing import Any, Final
from xml.sax.saxutils import quoteattr

from demopack.domain.elements import ELEMENT_TYPES, STATES, Element
from demopack.interchange.carries import Carrier
from demopack.interchange.form import AnnotationFormat, AnnotationOptions
from demopack.interchange.forms.label_studio_reader import read_label_studio
from demopack.interchange.labels import OWN, own_block
from demopack.interchange.values import PictureOut
from demopack.pack.formats.output import Output

__all__ = ["LABEL_STUDIO", "labelling_config"]

_TASKS: Final = "tasks.json"


class _Writer:
    def __init__(self, output: Output, options: AnnotationOptions) -> None:
        del options
        self.output = output
        self._tasks: list[dict[str, Any]] = []

    def add(self, picture: PictureOut) -> None:
        by_hand = [e for e in picture.elements if e.source == "human" or e.review != "unreviewed"]
        found = [e for e in picture.elements if not (e.source == "human" or e.review != "unreviewed")]
        task: dict[str, Any] = {
            "id": len(self._tasks) + 1,
            "data": {
                "image": f"/data/local-files/?d=images/{picture.name}",
                OWN: {"frame": picture.frame, "demo": picture.demo},
            },
            "annotations": [],
            "predictions": [],
        }
        if by_hand:
            result = [row for element in by_hand for row in _region(element, picture)]
            task["annotations"] = [{"id": len(self._tasks) + 1, "result": result, "was_cancelled": False}]
        if found:
            scores = [e.confidence for e in found if e.confidence is not None]
            result = [row for element in found for row in _region(element, picture)]
            score = {"score": min(scores)} if scores else {}
            task["predictions"] = [{"model_version": "demopack", **score, "result": result}]
        self._tasks.append(task)

    def finish(self) -> None:
        self.output.json(_TASKS, self._tasks)
        self.output.write("labelling_config.xml", labelling_config())


def _region(element: Element, picture: PictureOut) -> list[dict[str, Any]]:
    box, size = element.box, picture.size
    place = {
        "x": box.x1 / size.width * 100,
        "y": box.y1 / size.height * 100,
        "width": box.width / size.width * 100,
        "height": box.height / size.height * 100,
        "rotation": 0,
    }
    head: dict[str, Any] = {
        "id": element.uid,
        "to_name": "image",
        "original_width": size.width,
        "original_height": size.height,
        "image_rotation": 0,
    }
    own = own_block(element, "uid", "source", "review", "track_id", "parent", "confidence")
    region = {
        **head,
        "type": "rectanglelabels",
        "from_name": "label",
        "value": {**place, "rectanglelabels": [element.type]},
        "meta": {OWN: own},
    }
    if element.confidence is not None:
        region["score"] = element.confidence
    if element.parent:
        region["parentID"] = element.parent
    rows = [region]
    for name, text in (("text", element.text), ("subtype", element.subtype)):
        if text:
            rows.append({**head, "type": "textarea", "from_name": name, "value": {**place, "text": [text]}})
    if element.states:
        said = [name if value else f"not {name}" for name, value in element.states.items()]
        rows.append({**head, "type": "choices", "from_name": "states", "value": {**place, "choices": said}})
    return rows


def labelling_config() -> str:
    """The set-up of a project in which the tasks can be shown and corrected."""
    labels = "\n".join(f"    <Label value={quoteattr(name)}/>" for name in ELEMENT_TYPES)
    states = "\n".join(f'    <Choice value="{name}"/>\n    <Choice value="not {name}"/>' for name in STATES)
    return f"""<View>
  <Image name="image" value="$image" zoom="true" zoomControl="true"/>
  <RectangleLabels name="label" toName="image" snap="pixel">
{labels}
  </RectangleLabels>
  <TextArea name="text" toName="image" perRegion="true" maxSubmissions="1" editable="true" placeholder="Text"/>
  <TextArea name="subtype" toName="image" perRegion="true" maxSubmissions="1" editable="true" placeholder="Subtype"/>
  <Choices name="states" toName="image" perRegion="true" choice="multiple">
{states}
  </Choices>
</View>
"""


LABEL_STUDIO: Final = AnnotationFormat(
    name="label-studio",
    title="Label Studio JSON",
    files=f"{_TASKS}, labelling_config.xml, images/",
    reads="Label Studio",
    carrier=Carrier(),
    writer=_Writer,
    reader=read_label_studio,
    notes=(
        "What a person drew, approved or rejected is an annotation; the rest is a prediction, to be accepted there.",
        "A prediction that was taken into an annotation there is approved; predictions left alone do not come back.",
        "Text and subtype are text areas of the region, states are choices; the rest lies under “meta”.",
        "Paste labelling_config.xml as the project's set-up, serve the folder as local files, and import tasks.json.",
    ),
)
