"""Builds complete demos with real pictures in a library, in milliseconds and always the same.

``sample_demo`` is a realistic form-filling demo of eleven steps; ``tiny_demo`` has three steps on 64 x 48 pictures.
Both return the demo's id. Times, ids and pictures are fixed, so that two libraries get equal demos.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from demopack.domain.actions import parse_action
from demopack.domain.binding import bind, point_target
from demopack.domain.demos import CaptureCounters, Demo, DemoHead, DemoStatus
from demopack.domain.elements import Element
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.provenance import Provenance
from demopack.domain.rationale import Rationale
from demopack.domain.steps import CaptureQuality, PathPoint, Pointer, Step, WindowInfo
from demopack.domain.trees import TreeNode, TreeReading, WindowTree
from demopack.store import Library
from tests.support.pictures import FormScreen, noise_image

CREATED_AT = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
_START_NS = 5_000_000_000_000
_SECOND = 1_000_000_000


def demo_head(demo_id: str, **fields: Any) -> DemoHead:
    """A head with believable values; any field can be replaced."""
    base: dict[str, Any] = {
        "id": demo_id,
        "task": "Add Ada Lovelace as a customer from the United Kingdom",
        "app": "Customers",
        "platform": "linux-x11",
        "created_at": CREATED_AT,
        "started_ns": _START_NS,
        "status": "complete",
        "outcome": "success",
        "counters": CaptureCounters(events_seen=61, frames_grabbed=180, frames_kept=11),
    }
    return DemoHead.model_validate({**base, **fields})


@dataclass(kw_only=True)
class DemoBuilder:
    """Collects screens, elements and steps, then stores them as one demo.

    Attributes:
        library: where to.
        demo_id: prefix of every id, so that demos in one library do not collide.
        now_ns: the monotonic clock; every call moves it on.
        draw: makes the picture of a form.
    """

    library: Library
    demo_id: str
    now_ns: int = _START_NS
    steps: list[Step] = field(default_factory=list)
    elements: dict[str, tuple[Element, ...]] = field(default_factory=dict)
    parsed: set[str] = field(default_factory=set)
    trees: dict[str, WindowTree] = field(default_factory=dict)
    draw: Callable[[FormScreen], RgbImage] = FormScreen.draw

    def frame(self, image: RgbImage, **fields: Any) -> Frame:
        """Store a picture that was grabbed just now."""
        self.now_ns += _SECOND // 10
        base: dict[str, Any] = {
            "id": self.library.put_image(image),
            "width": image.shape[1],
            "height": image.shape[0],
            "grab_started_ns": self.now_ns - 20_000_000,
            "grab_ended_ns": self.now_ns,
        }
        return Frame.model_validate({**base, **fields})

    def parse(self, frame: Frame, found: Sequence[Element]) -> None:
        """Say what is on a frame; a frame that was parsed already keeps its elements."""
        if frame.id not in self.parsed:
            self.parsed.add(frame.id)
            if found:
                self.elements[frame.id] = tuple(sorted(found, key=lambda e: e.uid))

    def form_frame(self, screen: FormScreen) -> Frame:
        """A picture of the form, parsed."""
        frame = self.frame(self.draw(screen))
        self.parse(frame, form_elements(screen, frame, self.demo_id))
        return frame

    def reading(self, tree: WindowTree) -> TreeReading:
        """A tree that was read just before now, and is proved."""
        key = self.library.put_tree(tree)
        self.trees[key] = tree
        return TreeReading(
            tree=key, started_ns=self.now_ns - 50_000_000, ended_ns=self.now_ns - 30_000_000, proved=True
        )

    def step(self, kind: str, before: Frame | None, after: Frame | None, **given: Any) -> Step:
        """Append a step.

        Args:
            kind: the action type.
            before: the screen before.
            after: the screen after.
            given: ``parameters``; ``at`` and ``to`` (points of press and release); ``path`` (points between);
                ``events``; ``thought``; any other field of a ``Step``.
        """
        at, to = given.pop("at", None), given.pop("to", None)
        path: Sequence[Point] = given.pop("path", ())
        thought, effect = given.pop("thought", ""), given.pop("effect", "")
        parameters = dict(given.pop("parameters", {}))
        started = self.now_ns + _SECOND // 2
        self.now_ns = started + _SECOND // 4
        target = None if at is None or before is None else point_target(at, before)
        if to is not None and before is not None:
            parameters["end_target"] = point_target(to, before).to_wire()
        step = Step(
            id=f"{self.demo_id}_step{len(self.steps):02}",
            position=(len(self.steps) + 1) * 1000,
            action=parse_action({"action_type": kind, "target": target, "parameters": parameters}),
            pointer=_pointer(at, to, path),
            before=before,
            after=after,
            started_ns=started,
            ended_ns=self.now_ns,
            quality=given.pop("quality", CaptureQuality(frame_age_ms=41.5, changed_before_event=False, settled=True)),
            events=tuple(given.pop("events", _events(at, to, started))),
            window=given.pop("window", WindowInfo(title="Customers", app="customers", box=Rect(0, 0, 960, 600))),
            rationale=_rationale(thought, effect) if thought else None,
            **given,
        )
        step = bind(step, [] if before is None else self.elements.get(before.id, ()))
        self.steps.append(step)
        return step

    def store(self, head: DemoHead) -> str:
        """Write everything into the library."""
        demo = Demo(
            head=head, steps=tuple(self.steps), elements=self.elements, parsed=frozenset(self.parsed), trees=self.trees
        )
        self.library.add_demo(demo)
        return head.id


def form_elements(screen: FormScreen, frame: Frame, prefix: str) -> list[Element]:
    """The elements of the form as a detector would give them."""
    return [
        Element(
            uid=f"{prefix}_{frame.id[:6]}_{e.name}",
            frame=frame.id,
            type=e.type,
            box=e.box,
            text=e.text,
            subtype="circle" if e.type == "shape" else None,
            states=e.states,
            source="ocr" if e.type == "text" else "detector",
            confidence=0.93 if e.type == "text" else 0.88,
            track_id=f"{e.name}_0",
        )
        for e in screen.elements()
    ]


_ROLES = {"button": "push button", "input_field": "text", "checkbox": "check box", "dropdown": "combo box"}


def form_tree(screen: FormScreen) -> WindowTree:
    """What a program with that form tells about its window; it has a password that nobody can see."""
    box = Rect(0, 0, 960, 600)
    top = TreeNode(role="frame", name="Customers", box=box, states=("active", "showing"))
    nodes = [
        TreeNode(
            parent=0,
            role=_ROLES.get(e.type, "label"),
            name=e.name.replace("_", " ").capitalize(),
            value=e.text or "" if e.type == "input_field" else "",
            box=e.box,
            states=("focused", "showing") if e.states.get("focused") else ("showing",),
        )
        for e in screen.elements()
    ]
    password = TreeNode(parent=0, role="password text", name="Password", box=Rect(0, 590, 9, 599), secure=True)
    return WindowTree(app="customers", toolkit="gtk 3.24.38", title="Customers", box=box, nodes=(top, *nodes, password))


def _pointer(at: Point | None, to: Point | None, path: Sequence[Point]) -> Pointer | None:
    if at is None:
        return None
    way = tuple(PathPoint(x=p.x, y=p.y, t_ms=20.0 * (i + 1)) for i, p in enumerate(path))
    return Pointer(x=at.x, y=at.y, end_x=to.x if to else None, end_y=to.y if to else None, path=way)


def _events(at: Point | None, to: Point | None, t_ns: int) -> list[InputEvent]:
    if at is None:
        return []
    end = to or at
    return [
        InputEvent(t_ns=t_ns, kind="down", x=at.x, y=at.y, button="left"),
        InputEvent(t_ns=t_ns + 90_000_000, kind="up", x=end.x, y=end.y, button="left"),
    ]


def _typing(text: str, t_ns: int) -> list[InputEvent]:
    return [
        InputEvent(t_ns=t_ns + i * 40_000_000, kind=kind, key=char.upper(), char=char if kind == "key_down" else "")
        for i, char in enumerate(text)
        for kind in ("key_down", "key_up")
    ]  # type: ignore[misc]


def _rationale(thought: str, effect: str) -> Rationale:
    provenance = Provenance(kind="template", name="template-1", at=CREATED_AT)
    return Rationale(
        observation="The form “New customer” is open.",
        thought=thought,
        expected_effect=effect,
        actual_effect="The form changed as expected.",
        provenance=provenance,
    )


def sample_demo(
    library: Library,
    *,
    demo_id: str = "demo_5a3b1e0c77",
    status: DemoStatus = "complete",
    outcome: Literal["success", "failure"] = "success",
    draw: Callable[[FormScreen], RgbImage] = FormScreen.draw,
    **head: Any,
) -> str:
    """Eleven steps on a form: clicks, typing, a list, a check box, a slider, scrolling, a key, a doubtful click.

    The program told its accessibility tree before the first three steps.

    Where nobody looks at the pictures, ``draw=swatch`` (of ``tests.support.pictures``) makes everything faster.

    Returns:
        The demo's id.
    """
    b = DemoBuilder(library=library, demo_id=demo_id, draw=draw)
    screens = _form_story()
    shown = b.form_frame(screens[0])
    for number, (kind, given) in enumerate(_form_actions(screens, b)):
        told = (b.reading(form_tree(screens[number])),) if number < 3 else ()
        b.step(kind, _now(b, shown), None, trees=told, **given)
        screen = screens[number + 1]
        shown = b.form_frame(screen)
        b.steps[-1] = b.steps[-1].model_copy(update={"after": shown})
    final = _now(b, shown)
    done = {"status": "failure"} if outcome == "failure" else {}
    if status == "complete":
        b.step("finish_goal", final, None, parameters=done, thought="The banner says that the customer is saved.")
    return b.store(demo_head(demo_id, status=status, outcome=outcome, final_frame=final, **head))


def _now(b: DemoBuilder, frame: Frame) -> Frame:
    """The same picture, grabbed again a little later."""
    b.now_ns += 60_000_000
    return frame.model_copy(update={"grab_started_ns": b.now_ns - 20_000_000, "grab_ended_ns": b.now_ns})


def _form_story() -> list[FormScreen]:
    empty = FormScreen()
    story = [empty, empty.changed(focused="full_name")]
    story.append(story[-1].changed(name="Ada Lovelace"))
    story.append(story[-1].changed(open=True, focused=""))
    story.append(story[-1].changed(open=False, country="United Kingdom"))
    story.append(story[-1].changed(news=True))
    story.append(story[-1].changed(budget=0.75))
    story.append(story[-1].changed(first_order=1009))
    story.append(story[-1])  # a click on the empty part changes nothing
    story.append(story[-1])  # nor does the key
    story.append(story[-1].changed(saved=True))
    return story


def _form_actions(screens: list[FormScreen], b: DemoBuilder) -> list[tuple[str, dict[str, Any]]]:
    start = screens[0]
    way = [Point(200, 356), Point(260, 352), Point(290, 353)]
    return [
        ("click", {"at": start.box("full_name").center, "thought": "The name comes first, so the field “Full name” "
                   "needs the cursor.", "effect": "A cursor appears in the field."}),
        ("type", {"parameters": {"text_to_type": "Ada Lovelace"}, "events": _typing("Ada Lovelace", b.now_ns),
                  "thought": "The field has the cursor and is empty; the task names the customer.",
                  "effect": "“Ada Lovelace” stands in the field."}),
        ("click", {"at": start.box("country").center, "thought": "The country is chosen from this list.",
                   "effect": "The list opens."}),
        ("click", {"at": screens[3].box("option_2").center, "thought": "The task says United Kingdom.",
                   "effect": "The list closes and shows the choice.", "review": "approved"}),
        ("click", {"at": Point(69, 284), "thought": "She wants the news.", "effect": "The box is checked."}),
        ("drag", {"at": Point(124, 354), "to": Point(300, 354), "path": way,
                  "parameters": {"path": [[round(p.x / 960, 6), round(p.y / 600, 6)] for p in way]},
                  "thought": "The budget is still too low.", "effect": "The knob stands at three quarters."}),
        ("scroll", {"at": Point(700, 300), "parameters": {"scroll_direction": "down", "scroll_steps": 8},
                    "thought": "The newest orders are at the end of the list."}),
        ("click", {"at": Point(700, 530), "thought": "A click beside everything takes the focus away.",
                   "quality": CaptureQuality(frame_age_ms=180.0, changed_before_event=True, settled=False)}),
        ("press_key", {"parameters": {"key_info": "Escape"}, "note": "Not needed, but harmless."}),
        ("click", {"at": start.box("save").center, "parameters": {"modifiers": ["ctrl"]},
                   "thought": "Everything is filled in, so the form can be saved.",
                   "effect": "A message says that the customer is saved."}),
    ]  # fmt: skip


def tiny_demo(library: Library, *, demo_id: str = "demo_0000000001", seed: int = 1, **head: Any) -> str:
    """Three steps (click on a button, type, finish) on 64 x 48 pictures of noise; for tests that want speed.

    Returns:
        The demo's id.
    """
    b = DemoBuilder(library=library, demo_id=demo_id)
    first = b.frame(noise_image(64, 48, seed=seed))
    button = Element(
        uid=f"{demo_id}_button", frame=first.id, type="button", box=Rect(10, 10, 30, 20), text="Go",
        source="detector", confidence=0.9, track_id="go_0",
    )  # fmt: skip
    b.parse(first, [button])
    b.step("click", first, None, at=Point(15, 15), thought="Go comes first.")
    second = b.frame(noise_image(64, 48, seed=seed + 1000))
    b.steps[0] = b.steps[0].model_copy(update={"after": second})
    b.step("type", second, None, parameters={"text_to_type": "héllo 中"}, thought="Then the text.")
    third = b.frame(noise_image(64, 48, seed=seed + 2000))
    b.steps[1] = b.steps[1].model_copy(update={"after": third})
    b.step("finish_goal", third, None, thought="It is done.")
    return b.store(demo_head(demo_id, final_frame=third, **{"task": "Go and greet", **head}))
