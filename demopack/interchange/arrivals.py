"""Makes a demo of pictures that no demo shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from demopack.clock import utc_now
from demopack.domain.actions import AgentAction
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.domain.words import SHOT_WORDS
from demopack.errors import BadInputError
from demopack.interchange.importing import Annotations, ImportReport
from demopack.interchange.matching import picture_of
from demopack.interchange.twice import Comparison
from demopack.interchange.values import PictureIn
from demopack.jobs import JobControl, Progress
from demopack.store import Library

__all__ = ["import_as_demo"]


@dataclass(slots=True, kw_only=True)
class _Arrivals:
    """The pictures that are stored so far, with their elements."""

    read: Annotations
    frames: dict[str, Frame] = field(default_factory=dict[str, Frame])
    elements: dict[str, tuple[Element, ...]] = field(default_factory=dict[str, tuple[Element, ...]])
    unknown: dict[str, str] = field(default_factory=dict[str, str])
    uids: set[str] = field(default_factory=set[str])
    compared: Comparison = field(init=False)

    def __post_init__(self) -> None:
        self.compared = Comparison(carrier=self.read.form.carrier, taken=self.uids.__contains__)

    def add(self, picture: PictureIn, library: Library) -> None:
        """Store one picture."""
        image = picture_of(picture)
        if image is None:
            self.unknown[picture.name] = "there is no such picture beside the file"
            return
        frame = Frame(id=library.put_image(image), width=image.shape[1], height=image.shape[0])
        joined = self.compared.add(frame, (), picture)
        self.uids.update(element.uid for element in joined.added)
        self.frames[frame.id] = frame
        self.elements[frame.id] = tuple(sorted(joined.added, key=lambda element: element.uid))


def import_as_demo(
    library: Library, read: Annotations, *, task: str = "", control: JobControl | None = None
) -> ImportReport:
    """Make a demo of the pictures: one step each, that looks at the screen.

    Args:
        library: where it goes.
        read: the annotations.
        task: of the demo; empty names the folder.
        control: progress and cancelling.

    Raises:
        BadInputError: no picture is there, or one cannot be read; no demo was made.
        CancelledError: no demo was made.
        DiskFullError: no demo was made.
    """
    control = control or JobControl()
    arrivals = _Arrivals(read=read)
    for done, picture in enumerate(read.pictures):
        control.token.check()
        control.report(Progress(done=done, total=len(read.pictures), text=f"Storing {picture.name}"))
        arrivals.add(picture, library)
    if not arrivals.frames:
        raise BadInputError(
            f"None of the {len(read.pictures)} pictures that {read.path} names is there; nothing was imported.",
            hint="Put the pictures beside the annotations, or name the demo that shows them.",
        )
    demo = _demo(arrivals.frames.values(), arrivals.elements, task or read.path.stem)
    library.add_demo(demo)
    return ImportReport(
        format=read.form.name,
        demo=demo.head.id,
        new_demo=True,
        pictures=len(arrivals.frames),
        unknown=arrivals.unknown,
        added=sum(map(len, arrivals.elements.values())),
        left_out=[*read.left_out.items(), *arrivals.compared.left_out.items()],
        lost=[*read.lost.items(), *arrivals.compared.lost.items()],
    )


def _demo(frames: Iterable[Frame], elements: Mapping[str, tuple[Element, ...]], task: str) -> Demo:
    action = AgentAction(action_type="extract_data", parameters={"description": SHOT_WORDS})
    steps = tuple(
        Step(id=new_id("step"), position=number * 1024, action=action, before=frame)
        for number, frame in enumerate(frames, start=1)
    )
    head = DemoHead(id=new_id("demo"), created_at=utc_now(), task=task, status="complete", platform="imported")
    return Demo(head=head, steps=steps, elements={key: found for key, found in elements.items() if found})
