"""Made sequences of frames with known identities, for the tracker: scrolling, reordering, dialogs, moved windows."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from models.vision.appearance import descriptors_of
from models.vision.tracker import Tracker

SIZE = Size(800, 600)
_FONT = ImageFont.load_default(13)
_NAMES = (
    "Anna Schmidt", "Budget 2026", "Invoice 1004", "Meeting notes", "Holiday plans", "Order 17", "Re: Delivery",
    "Quarterly report", "Mia Wong", "Contract draft", "Photos", "Travel costs", "Ada Lovelace", "Team lunch",
    "Password reset", "Newsletter", "Parcel 99", "Interview", "Road map", "Stock list", "Printer", "Lost keys",
    "Tax return", "Bug 4711", "Release plan", "Warehouse", "Guest list", "Repair", "Insurance", "Minutes",
)  # fmt: skip


@dataclass(frozen=True)
class Thing:
    """One thing with an identity of its own, wherever it lies."""

    key: str
    type: ElementType
    box: Rect
    text: str | None = None
    glyph: int = 0

    def moved(self, dx: int, dy: int) -> Thing:
        """The same thing elsewhere."""
        return replace(self, box=self.box.moved(dx, dy))


Frames = Iterator[Sequence[Thing]]


def painted_things(things: Sequence[Thing]) -> RgbImage:
    """A picture of the things, the later ones on top."""
    picture = Image.new("RGB", SIZE, (236, 236, 236))
    draw = ImageDraw.Draw(picture)
    for thing in things:
        box = thing.box
        edge = (box.x1, box.y1, box.x2 - 1, box.y2 - 1)
        if thing.type in {"window", "dialog"}:
            draw.rectangle(edge, fill=(250, 250, 250), outline=(120, 120, 120))
        elif thing.type in {"button", "input_field", "checkbox"}:
            draw.rectangle(edge, fill=(255, 255, 255), outline=(90, 90, 90))
        elif thing.type == "icon":
            for bit in range(9):
                if thing.glyph >> bit & 1:
                    x, y = box.x1 + 2 + bit % 3 * 4, box.y1 + 2 + bit // 3 * 4
                    draw.rectangle((x, y, x + 3, y + 3), fill=(40, 40, 40))
        if thing.text:
            draw.text((box.x1 + 4, box.y1 + 3), thing.text, font=_FONT, fill=(20, 20, 20))
    return np.asarray(picture, dtype=np.uint8)


def _row(name: str, y: int, x: int = 200) -> list[Thing]:
    """A row of a list: the controls look the same in every row."""
    return [
        Thing(f"{name}/tick", "checkbox", Rect(x, y + 3, x + 14, y + 17)),
        Thing(f"{name}/name", "text", Rect(x + 30, y, x + 180, y + 20), name),
        Thing(f"{name}/edit", "button", Rect(x + 300, y, x + 350, y + 20), "Edit"),
        Thing(f"{name}/bin", "icon", Rect(x + 370, y + 2, x + 386, y + 18), glyph=0b111101111),
    ]


def _sidebar() -> list[Thing]:
    words = ["Inbox", "Drafts", "Sent", "Archive", "Spam", "Settings"]
    return [Thing(f"side/{w}", "list_item", Rect(10, 60 + 30 * i, 120, 82 + 30 * i), w) for i, w in enumerate(words)]


def _listed(names: Sequence[str], top: int) -> list[Thing]:
    things = [thing for i, name in enumerate(names) for thing in _row(name, top + 28 * i)]
    return [thing for thing in things if thing.box.y1 >= 60 and thing.box.y2 <= 580]


def scrolling(rng: random.Random) -> Frames:
    """A list scrolls beside a sidebar that stays."""
    top = 60
    for _ in range(40):
        yield _sidebar() + _listed(_NAMES, top)
        top = min(60, max(60 - 28 * 12, top + rng.choice([-140, -84, -56, -28, 28, 84])))


def reordering(rng: random.Random) -> Frames:
    """The rows of a list are sorted anew, a few come and go."""
    names = list(_NAMES[:14])
    for _ in range(40):
        yield _sidebar() + _listed(names, 60)
        if rng.random() < 0.5:
            i = rng.randrange(len(names) - 1)
            names[i], names[i + 1] = names[i + 1], names[i]
        else:
            names.insert(rng.randrange(len(names)), names.pop(rng.randrange(len(names))))


def dialogs(rng: random.Random) -> Frames:
    """A dialog comes up over half the window, and goes away again."""
    below = _sidebar() + _listed(_NAMES[:16], 60)
    for number in range(40):
        x, y = rng.randrange(150, 350), rng.randrange(100, 300)
        dialog = [
            Thing("dialog", "dialog", Rect(x, y, x + 360, y + 200)),
            Thing("dialog/title", "text", Rect(x + 20, y + 10, x + 200, y + 30), "Delete this message?"),
            Thing("dialog/yes", "button", Rect(x + 60, y + 150, x + 140, y + 175), "Delete"),
            Thing("dialog/no", "button", Rect(x + 200, y + 150, x + 280, y + 175), "Cancel"),
        ]
        frame = dialog[0].box
        yield [t for t in below if frame.intersection(t.box) is None] + dialog if number % 3 == 1 else below


def moving(rng: random.Random) -> Frames:
    """A window with a form is dragged about over a desktop with icons that look alike."""
    icons = [Thing(f"desk/{i}", "icon", Rect(10, 20 + 60 * i, 30, 40 + 60 * i), glyph=0b101010101) for i in range(8)]
    form = [Thing("window", "window", Rect(0, 0, 420, 330))]
    for i in range(8):
        y = 30 + 34 * i
        form.append(Thing(f"label/{i}", "text", Rect(16, y, 130, y + 20), f"{_NAMES[i]}:"))
        form.append(Thing(f"field/{i}", "input_field", Rect(140, y, 380, y + 22)))
    for _ in range(40):
        dx, dy = rng.randrange(60, 360), rng.randrange(10, 250)
        yield icons + [thing.moved(dx, dy) for thing in form]


def typing(rng: random.Random) -> Frames:
    """Fields of a form are filled in, one after the other."""
    fields = [Thing(f"field/{i}", "input_field", Rect(200, 60 + 40 * i, 460, 84 + 40 * i)) for i in range(10)]
    labels = [Thing(f"label/{i}", "text", Rect(60, 62 + 40 * i, 180, 82 + 40 * i), _NAMES[i]) for i in range(10)]
    for _ in range(40):
        yield labels + fields
        i = rng.randrange(10)
        fields[i] = replace(fields[i], text=rng.choice([None, *_NAMES]))


SCENES: dict[str, Callable[[random.Random], Frames]] = {
    "scrolling": scrolling, "reordering": reordering, "dialogs": dialogs, "moving": moving, "typing": typing,
}  # fmt: skip
_FLIPS: dict[ElementType, ElementType] = {"button": "text", "text": "hyperlink", "list_item": "text", "icon": "shape"}


def _seen(things: Sequence[Thing], frame: str, rng: random.Random, *, noise: float) -> tuple[list[Element], list[str]]:
    """The things as models would find them: some are missed, some types are wrong, texts and boxes waver."""
    found: list[Element] = []
    keys: list[str] = []
    for thing in things:
        if rng.random() < noise:
            continue
        kind = _FLIPS.get(thing.type, thing.type) if rng.random() < noise else thing.type
        text = thing.text
        if text and len(text) > 4 and rng.random() < noise:
            cut = rng.randrange(len(text))
            text = text[:cut] + text[cut + 1 :]
        dx, dy = (rng.choice([-1, 0, 1]) if rng.random() < noise else 0 for _ in range(2))
        box = thing.box.moved(dx, dy)
        found.append(Element(uid=f"{frame}/{thing.key}", frame=frame, type=kind, box=box, text=text, source="detector"))
        keys.append(thing.key)
    return found, keys


def identity_switches(name: str, *, seed: int, noise: float = 0.0, frames: int = 40) -> tuple[int, int, list[str]]:
    """How often a thing got another track than before, or a track another thing; how many frames; what happened."""
    rng = random.Random(seed)
    tracker = Tracker()
    track_of: dict[str, str] = {}
    thing_of: dict[str, str] = {}
    switches: list[str] = []
    number = 0
    for number, things in enumerate(itertools.islice(SCENES[name](rng), frames), start=1):
        found, keys = _seen(things, f"f{number}", rng, noise=noise)
        tracked = tracker.track(found, descriptors_of(painted_things(things), found))
        for element, key in zip(tracked, keys, strict=True):
            track = element.track_id or ""
            if track_of.setdefault(key, track) != track:
                switches.append(f"frame {number}: {key} was {track_of[key]}, is {track}")
            elif thing_of.setdefault(track, key) != key:
                switches.append(f"frame {number}: {track} was {thing_of[track]}, is {key}")
            track_of[key], thing_of[track] = track, key
    return len(switches), number, switches
