"""Each way to name a target leads to the recorded element by itself, on the screens of a recording."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from demopack.domain.actions import ActionTarget
from demopack.domain.binding import target_of
from demopack.domain.elements import Element, numbered
from demopack.domain.frames import Frame
from demopack.pack import open_pack
from player.executor import resolve_observed
from player.observing import LiveObservation
from tests.golden.inputs import unpack


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Frame, list[Element], Element]]:
    """Each target of a demo in a real program, with its screen, as models found the elements there."""

    def each() -> Iterator[tuple[Frame, list[Element], Element]]:
        with open_pack(unpack("quickstart-pack", tmp_path_factory.mktemp("pack"))) as pack:
            for demo in pack.whole_demos():
                for step in demo.steps:
                    if step.before is not None and step.target_uid is not None:
                        ordered = demo.ordered(step.before.id)
                        yield step.before, ordered, next(e for e in ordered if e.uid == step.target_uid)

    return list(each())


@pytest.mark.parametrize("way", ["track_id", "element_id", "text", "bbox"])
def test_one_way_is_enough(targets: list[tuple[Frame, list[Element], Element]], way: str) -> None:
    assert len(targets) == 12
    for frame, ordered, element in targets:
        value = getattr(target_of(element, ordered, frame), way)
        image = None  # what a target means is told by the list, not by pixels
        seen = LiveObservation(frame=frame, image=image, elements=tuple(numbered(ordered)))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        found = resolve_observed(ActionTarget.model_validate({way: value}), seen)
        assert found.strategy == way
        if found.element is not None and found.element.uid != element.uid:
            # The label of a check box or radio button: a click on either is one on the control.
            assert (way, found.element.text) == ("text", element.text)
            assert (element.type, found.element.type in {"checkbox", "radio"}) == ("text", True)
            continue
        assert element.box.contains(found.point)
        assert (found.element is None) == (way == "bbox")
