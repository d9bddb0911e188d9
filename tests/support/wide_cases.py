"""Ways to spoil a good pack of the wide demo, each with the one rule that must see it."""

from __future__ import annotations

import json
from collections.abc import Callable

from demopack.domain.frames import frame_id
from demopack.pack.picture import decode, encode_png
from tests.support.packs import PackFolder, Row
from tests.support.wide_demo import WIDE

Spoil = Callable[[PackFolder], object]
SCROLL, FINISH = 6, 7
FRAMES = "frames/demo_00000000ff"


def _step(number: int, change: Callable[[Row], object]) -> Spoil:
    return lambda pack: pack.edit_row("steps", number, change)


def _steps(change: Callable[[Row], object]) -> Spoil:
    return lambda pack: pack.edit_rows("steps", lambda rows: [change(row) for row in rows])


def _scaled(pack: PackFolder, width: int, height: int) -> None:
    """Every number as if pictures were this large, consistently, as a model that answers on a grid would give them."""

    def box(old: list[int]) -> list[int]:
        return [old[0] * width // WIDE[0], old[1] * height // WIDE[1],
                old[2] * width // WIDE[0], old[3] * height // WIDE[1]]  # fmt: skip

    def bbox(new: list[int]) -> list[float]:
        return [round(new[0] / WIDE[0], 6), round(new[1] / WIDE[1], 6),
                round((new[2] - new[0]) / WIDE[0], 6), round((new[3] - new[1]) / WIDE[1], 6)]  # fmt: skip

    def element(row: Row) -> None:
        row["box"] = box(row["box"])
        row["bbox"] = bbox(row["box"])

    def step(row: Row) -> None:
        if row["target_box"] is None:
            return
        row["target_box"] = box(row["target_box"])
        row["response"]["action"]["target"]["bbox"] = bbox(row["target_box"])
        for place in (row["pointer"], *row["events"]):
            place.update(x=place["x"] * width // WIDE[0], y=place["y"] * height // WIDE[1])

    pack.edit_rows("elements", lambda rows: [element(row) for row in rows])
    pack.edit_rows("steps", lambda rows: [step(row) for row in rows])


def _exchanged(row: Row) -> None:
    if row["pointer"] is not None:
        row["pointer"].update(x=row["pointer"]["y"], y=row["pointer"]["x"])


def _over(pack: PackFolder) -> None:
    """A small element of nobody's, half over the button that the first step pressed."""
    row = dict(pack.rows("elements")[1])
    x, y = 352, 90
    box = [x - 5, y - 40, x + 5, y + 5]
    row.update(
        uid="stray", element_id=None, track_id=None, box=box, text=None, type="icon", parent=None, subtype=None,
        states={}, bbox=[round(v, 6) for v in (box[0] / 1600, box[1] / 900, 10 / 1600, 45 / 900)],
    )  # fmt: skip

    def add(rows: list[Row]) -> None:
        frame = [r for r in rows if r["frame"] == row["frame"]]
        row["element_id"] = len(frame) + 1
        rows.insert(len(frame), row)

    pack.edit_rows("elements", add)
    pack.edit_row("demos", 0, lambda r: r.update(elements=r["elements"] + 1))
    pack.edit_manifest(lambda m: m["counts"].update(elements=m["counts"]["elements"] + 1))


def _double(pack: PackFolder) -> None:
    def add(rows: list[Row]) -> None:
        frame = [r for r in rows if r["frame"] == rows[0]["frame"]]
        rows.insert(len(frame), {**frame[-1], "uid": "double", "track_id": None, "element_id": len(frame) + 1})

    pack.edit_rows("elements", add)
    pack.edit_row("demos", 0, lambda r: r.update(elements=r["elements"] + 1))
    pack.edit_manifest(lambda m: m["counts"].update(elements=m["counts"]["elements"] + 1))


def _picture_twice(pack: PackFolder) -> None:
    new = f"{FRAMES}/0099.png"
    pack.replace(new, (pack.path / FRAMES / "0001.png").read_bytes())
    pack.edit_row("demos", 0, lambda r: r["frames"].append({**r["frames"][0], "file": new}))
    pack.edit_manifest(lambda m: m["counts"].update(frames=m["counts"]["frames"] + 1))


def _covered(pack: PackFolder) -> None:
    def cover(row: Row) -> None:
        row["before"].update(covered=[[20, 50, 240, 130]])

    pack.edit_row("steps", 0, cover)


def _log(rows_in: int, rows_out: int, *, left: int = 0) -> Spoil:
    def spoil(pack: PackFolder) -> None:
        pack.replace("exports/trl/data.jsonl", b'{"a": 1}\n' * 3)
        lost: list[Row] = [{"code": "x", "why": "y", "count": left, "examples": []}] if left else []
        log: Row = {"format": "trl", "rows": "steps", "rows_in": rows_in, "rows_out": rows_out, "left_out": lost}
        pack.replace("exports/trl/EXPORT_LOG.json", json.dumps(log).encode())

    return spoil


def _blank(pack: PackFolder) -> None:
    """The first step's button becomes one colour, and the picture gets its new id wherever it is named."""
    name = f"{FRAMES}/0001.png"
    old = decode((pack.path / name).read_bytes())
    image = old.image.copy()
    x1, y1, x2, y2 = pack.rows("steps")[0]["target_box"]
    image[y1:y2, x1:x2] = 200
    (pack.path / name).write_bytes(encode_png(image))
    for table in ("demos", "steps", "elements"):
        file = pack.path / f"{table}.jsonl"
        file.write_text(file.read_text(encoding="utf-8").replace(old.id, frame_id(image)), encoding="utf-8")
    pack.seal()


def _unit(pack: PackFolder) -> None:
    """All boxes squeezed into the picture's first pixel, as fractions taken for pixels end up."""

    def element(row: Row) -> None:
        row.update(box=[0, 0, 1, 1], bbox=[0.0, 0.0, round(1 / 1600, 6), round(1 / 900, 6)], type="button")

    def spread(rows: list[Row]) -> None:
        kinds = ("button", "text", "icon", "tab", "image", "menu", "shape", "radio", "toggle", "slider", "spinner",
                 "checkbox", "dropdown", "toolbar", "window", "dialog", "list_item", "tree_item", "menu_item", "other",
                 "text_area", "input_field", "hyperlink", "scrollbar", "tabled_text", "draggable_text",
                 "resize_handle", "scrollbar_thumb")  # fmt: skip
        for number, row in enumerate(rows):
            element(row)
            row["type"] = kinds[number % 28]

    def step(row: Row) -> None:
        if row["target_box"] is not None:
            row["response"]["action"]["target"]["bbox"] = [0.0, 0.0, round(1 / 1600, 6), round(1 / 900, 6)]
            row["target_box"] = [0, 0, 1, 1]
            for place in (row["pointer"], *row["events"]):
                place.update(x=0, y=0)

    pack.edit_rows("elements", spread)
    pack.edit_rows("steps", lambda rows: [step(row) for row in rows])


def _stale(pack: PackFolder) -> None:
    """The second step's picture, and all that hangs on it, is the first one's."""
    rows = pack.rows("steps")
    elements = [row for row in pack.rows("elements") if row["frame"] == rows[0]["before"]["id"]]

    def change(row: Row) -> None:
        row.update(before={**rows[0]["before"]}, image=rows[0]["image"], target_uid=elements[2]["uid"])

    pack.edit_row("steps", 1, change)


def _early(row: Row) -> None:
    for name in ("before", "after"):
        row[name]["scale_factor"] = 1.5
        row[name]["pixels_per_unit"] = None


def _multiplied(row: Row) -> None:
    """What early versions made of a scaled X11 desktop: places twice as far, and a scale that explains them."""
    row["before"]["scale_factor"] = 2.0
    for event in row["events"]:
        if event["kind"] in {"down", "up", "move"}:
            event.update(x=row["pointer"]["x"] // 2, y=row["pointer"]["y"] // 2)


WIDE_CASES: list[tuple[str, str, Spoil]] = [
    ("G04", "boxes on a grid of a thousand", lambda p: _scaled(p, 1000, 1000 * 900 // 1600)),
    ("G04", "boxes between 0 and 1", _unit),
    ("G06", "x and y exchanged everywhere", _steps(_exchanged)),
    ("G07", "monitor at another place", _step(0, lambda r: r["before"].update(origin_x=1920))),
    ("G07", "raw press elsewhere", _step(1, lambda r: r["events"][0].update(x=5))),
    ("G10", "multiplied by the scale of a desktop", _step(1, _multiplied)),
    ("G10", "recorded by an early version on a scaled desktop", _step(2, _early)),
    ("G09", "something smaller over the spot", _over),
    ("G09", "an element twice", _double),
    ("S07", "an action without effect", _step(5, lambda r: r.update(after=r["before"]))),
    ("S08", "the picture before the last step once more", _stale),
    ("A01", "direction as a number", _step(
        SCROLL, lambda r: r["response"]["action"]["parameters"].update(scroll_direction="-3"))),
    ("A01", "no direction", _step(SCROLL, lambda r: r["response"]["action"]["parameters"].pop("scroll_direction"))),
    ("A01", "direction as a compass", _step(
        SCROLL, lambda r: r["response"]["action"]["parameters"].update(scroll_direction="south"))),
    ("A02", "scroll turned round", _step(
        SCROLL, lambda r: r["response"]["action"]["parameters"].update(scroll_direction="up"))),
    ("A02", "wheel turned round", _step(SCROLL, lambda r: r["events"][0].update(dy=2))),
    ("A06", "one track for two elements", lambda p: p.edit_row("elements", 20, lambda r: r.update(
        track_id="button_21"))),
    ("P05", "text under the paint", _covered),
    ("X02", "export without a log", lambda p: p.replace("exports/trl/data.jsonl", b'{"a": 1}\n')),
    ("X02", "log that does not add up", _log(5, 3, left=1)),
    ("X02", "fewer rows than the log says", _log(4, 4)),
    ("X02", "log without numbers", lambda p: p.replace("exports/trl/EXPORT_LOG.json", b"{}")),
    ("X02", "log that is no JSON", lambda p: p.replace("exports/trl/EXPORT_LOG.json", b"{")),
    ("R01", "seen before it happened", _step(
        0, lambda r: r["response"].update(reasoning="After clicking the button I see the list."))),
    ("R02", "rationale of nobody", _step(0, lambda r: r["rationale"]["provenance"].update(name=" "))),
    ("R03", "endless reasoning", _step(0, lambda r: r["response"].update(reasoning="It is so. " * 300))),
    ("R03", "the same three times", lambda p: p.edit_rows("steps", lambda rows: [
        row["response"].update(reasoning="Go on.") for row in rows[:3]])),
    ("Z01", "a picture stored twice", _picture_twice),
    ("G08", "a target on blank ground", _blank),
]  # fmt: skip
"""Rule, name, and what to do to the pack."""


PUBLISH_CASES: list[tuple[str, str, Spoil]] = [
    ("L01", "no licence", lambda p: p.edit_manifest(lambda m: m.update(licence=""))),
    ("L02", "no consent", lambda p: p.edit_manifest(lambda m: m.update(consent=" "))),
    ("L03", "no application", lambda p: p.edit_row("demos", 0, lambda r: r.update(app=""))),
    ("L04", "undecided values", lambda p: p.edit_manifest(lambda m: m["redaction"].update(open={"email": 2}))),
    ("L04", "no redaction summary", lambda p: p.edit_manifest(lambda m: m.pop("redaction"))),
    ("P02", "a secret", _step(0, lambda r: r.update(note="password: hunter2!"))),
    ("P03", "an address", _step(0, lambda r: r.update(note="ask jane.doe@example.com"))),
    ("P05", "text under the paint", _covered),
    ("P06", "this machine's name", _step(0, lambda r: r["window"].update(title="root@thinkpad-of-ada"))),
]  # fmt: skip
"""As ``WIDE_CASES``; with ``--publish`` each is an error."""
