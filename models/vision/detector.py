"""Finds elements with a trained model; runs in the worker process.

A model of ours is ONNX: it is run by onnxruntime alone, whole frames at their own scale, large frames in tiles. Where
words are much taller than on other screens, all but small things is looked for again on smaller pictures of the frame:
on a desktop of twice the scale, title bars keep their size. A ``.pt`` of one's own is run by ultralytics, at the size
that it was trained at.

Raw output becomes boxes by the same arithmetic as ultralytics' own prediction with class-agnostic suppression
(``tests/vision`` proves it), so that a shipped model needs neither torch nor ultralytics. What a border of a tile cuts
is seen whole by a neighbour, or in pieces by several: a piece that a neighbour saw whole is dropped; pieces that agree
where tiles overlap are one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.overlap import areas, box_array, common_areas, iou_matrix
from demopack.errors import ModelError
from demopack.pixels.masks import crop, size_of
from demopack.settings import VisionSettings
from models.registry import Options, resolve
from models.vision.description import TYPE_WORDS
from models.vision.detection import Detection
from models.vision.weights import OnnxModel, load_onnx, load_yolo

Floats: TypeAlias = npt.NDArray[np.float32]
_Flags: TypeAlias = npt.NDArray[np.bool_]

Rows: TypeAlias = Floats
"""Boxes on a picture, shape (n, 6): left, top, right and bottom edge in pixels, with fractions; score, 0..1; class."""

PAD = 114
"""The grey that models of this family have seen around pictures while they were trained."""
_MAX_CANDIDATES = 30_000


def network_input(image: RgbImage, *, stride: int) -> Floats:
    """A picture as a network takes it: shape (1, 3, height, width), 0..1, padded at the right and the bottom.

    Args:
        image: shape (height, width, 3), uint8.
        stride: the sides are padded to a multiple of this.
    """
    height, width = image.shape[:2]
    tall, wide = -(-height // stride) * stride, -(-width // stride) * stride
    padded = np.full((1, 3, tall, wide), np.float32(PAD / 255), dtype=np.float32)
    np.divide(image.transpose(2, 0, 1), np.float32(255), out=padded[0, :, :height, :width], casting="unsafe")
    return padded


def decode(raw: Floats, *, confidence: float) -> Rows:
    """Candidates above a confidence, surest first.

    Args:
        raw: shape (4 + classes, n): centre, width, height and a score for each class; or the rows themselves of models
            without suppression. Pixels.
        confidence: what is not surer is left out.
    """
    if raw.shape[1] == 6:
        rows = raw[raw[:, 4] > confidence]
    else:
        best = raw[4:].max(axis=0)
        kept = np.flatnonzero(best > confidence)
        centre, half = raw[:2, kept].T, raw[2:4, kept].T / 2
        rows = np.column_stack([centre - half, centre + half, best[kept], raw[4:, kept].argmax(axis=0)]).astype(
            np.float32
        )
    return _surest_first(rows)[:_MAX_CANDIDATES]


def _surest_first(rows: Rows) -> Rows:
    return rows[np.argsort(-rows[:, 4], kind="stable")]


def suppress(rows: Rows, *, iou: float, most: int) -> Rows:
    """Without the boxes that overlap a surer one by more than ``iou``, whatever their classes; at most ``most``.

    Args:
        rows: surest first.
        iou: intersection over union, 0..1.
        most: how many are kept at most.
    """
    boxes = rows[:, :4]
    sizes = areas(boxes)
    rest = np.arange(len(boxes))
    kept: list[int] = []
    while rest.size and len(kept) < most:
        first, rest = int(rest[0]), rest[1:]
        kept.append(first)
        common = common_areas(boxes[first : first + 1], boxes[rest])[0]
        rest = rest[common <= iou * (sizes[first] + sizes[rest] - common)]
    return rows[kept]


_MAX_SIDE_PX: Final = 1600
_MAX_AREA_PX: Final = 2_500_000
_TILE_SIDE_PX: Final = 1280
_TILE_OVERLAP_PX: Final = 160
_BORDER_DISTANCE_PX: Final = 4.0
"""A box that ends this close to a tile's border, in pixels, is taken for cut by it."""
_MIN_SAME_SHARE: Final = 0.5


def tiles_of(size: Size) -> list[Rect]:
    """Parts that cover a frame: itself, or overlapping tiles of about equal size where it is large."""
    if max(size) <= _MAX_SIDE_PX and size.width * size.height <= _MAX_AREA_PX:
        return [Rect(0, 0, size.width, size.height)]
    return [Rect(x1, y1, x2, y2) for y1, y2 in _spans(size.height) for x1, x2 in _spans(size.width)]


def _spans(length: int) -> list[tuple[int, int]]:
    if length <= _TILE_SIDE_PX:
        return [(0, length)]
    count = -(-(length - _TILE_OVERLAP_PX) // (_TILE_SIDE_PX - _TILE_OVERLAP_PX))
    side = -(-(length + (count - 1) * _TILE_OVERLAP_PX) // count)
    starts = [round(i * (length - side) / (count - 1)) for i in range(count)]
    return [(start, start + side) for start in starts]


def join(found: Sequence[Rows], tiles: Sequence[Rect], size: Size, *, iou: float, most: int) -> Rows:
    """One list for the frame.

    Args:
        found: what each tile saw, in the frame's pixels.
        tiles: the tiles.
        size: the frame.
        iou: overlap above which the weaker of two boxes is dropped.
        most: how many are kept at most.
    """
    rows = np.concatenate(found)
    borders = np.repeat(box_array(tiles).astype(np.float32), [len(part) for part in found], axis=0)
    cut = _cut(rows, borders, size)
    whole = rows[~cut]
    groups: list[list[int]] = []
    for piece in np.flatnonzero(cut).tolist():
        if _seen_whole(rows[piece], whole, borders[piece]):
            continue
        mine = [group for group in groups if any(_agree(rows[[piece, i]], borders[[piece, i]]) for i in group)]
        groups = [group for group in groups if group not in mine]
        groups.append([piece, *(other for group in mine for other in group)])
    joined = [_union(rows[group])[None] for group in groups]
    return suppress(_surest_first(np.concatenate([whole, *joined])), iou=iou, most=most)


def _cut(rows: Rows, borders: Floats, size: Size) -> _Flags:
    """Which boxes end at a border of their tile that is no edge of the frame."""
    low = (rows[:, :2] - borders[:, :2] < _BORDER_DISTANCE_PX) & (borders[:, :2] > 0)
    high = (borders[:, 2:] - rows[:, 2:4] < _BORDER_DISTANCE_PX) & (borders[:, 2:] < np.array(size))
    either: _Flags = low | high
    return either[:, 0] | either[:, 1]


def _seen_whole(piece: Floats, whole: Rows, border: Floats) -> bool:
    """Whether an uncut box of the same class, as this tile would have seen it, is this piece."""
    others = whole[whole[:, 5] == piece[5]]
    return bool((iou_matrix(_within(others, border), piece[None, :4]) >= _MIN_SAME_SHARE).any())


def _agree(pieces: Rows, tiles: Floats) -> bool:
    """Whether two pieces are of one thing: of one class, and alike where their tiles, which differ, overlap."""
    shared = np.concatenate([tiles[:, :2].max(axis=0), tiles[:, 2:].min(axis=0)])
    if (tiles[0] == tiles[1]).all() or pieces[0, 5] != pieces[1, 5] or (shared[2:] <= shared[:2]).any():
        return False
    seen = _within(pieces, shared)
    return bool(iou_matrix(seen[:1], seen[1:])[0, 0] >= _MIN_SAME_SHARE)


def _union(pieces: Rows) -> Floats:
    """One row around all of them, said as the surest says it."""
    surest = pieces[pieces[:, 4].argmax(), 4:]
    return np.concatenate([pieces[:, :2].min(axis=0), pieces[:, 2:4].max(axis=0), surest])


def _within(rows: Rows, border: Floats) -> Floats:
    """The boxes of rows, as far as they lie in a border."""
    return rows[:, :4].clip(np.tile(border[:2], 2), np.tile(border[2:], 2))


CLASSES: Final[tuple[ElementType, ...]] = (
    "text", "hyperlink", "tabled_text", "draggable_text",
    "button", "radio", "checkbox", "toggle", "dropdown", "input_field", "text_area", "spinner", "slider",
    "resize_handle", "scrollbar", "shape", "icon", "image",
    "menu", "menu_item", "tab", "list_item", "tree_item", "window", "dialog", "toolbar",
)  # fmt: skip
CLASS_OF: Final[Mapping[ElementType, int]] = {name: number for number, name in enumerate(CLASSES)}

AGNOSTIC: Final = ("element",)
"""The classes of a model that finds boxes without saying what they are; its finds are ``other``."""


def type_of(name: str) -> ElementType:
    """The element type that a class of a model means; ``other`` for a word outside the vocabulary."""
    return TYPE_WORDS.get(name.strip().lower().replace(" ", "_").replace("-", "_"), "other")


_MAX_DETECTIONS = 1000
"""Boxes on one picture; the default of 300 is less than a full table."""


class Detector:
    """A loaded model; of what it sees, what is sure enough, and of boxes that overlap the surest.

    A class whose name is no element type becomes ``other`` with that name as subtype; a model of one class that says
    nothing about types gives ``other``.

    Attributes:
        sees_parts: whether it finds on a part of a screen what it finds there on the whole of it. Ours do, because they
            look at pixels at their own scale; a YOLO file of one's own sees every picture at its size.
        options: what its card says about its use; nothing where it has no card.
    """

    def __init__(
        self, names: Sequence[str], look: Callable[[RgbImage], Rows], *, sees_parts: bool, options: Options
    ) -> None:
        """Look with this function; the classes stand in the order of their numbers."""
        self._names, self._look = tuple(names), look
        self.sees_parts, self.options = sees_parts, options

    def detect(self, image: RgbImage) -> list[Detection]:
        """Elements with type, box and confidence.

        Args:
            image: shape (height, width, 3), uint8; at least 1 x 1.

        Returns:
            Surest first; ``source`` is ``detector``; at most 1000.
        """
        found: list[Detection] = []
        for *corners, score, number in self._look(image).tolist():
            box = Rect(*map(round, corners)).clamped(size_of(image))
            if box.area > 0:
                name = self._names[int(number)]
                kind = type_of(name)
                subtype = name if kind == "other" and name not in {"other", *AGNOSTIC} else None
                sure = min(1.0, score)
                found.append(Detection(type=kind, box=box, source="detector", confidence=sure, subtype=subtype))
        return found


def open_detector(settings: VisionSettings, *, threads: int) -> Detector:
    """The detector that ``settings.detector`` names: ``shipped``, a registry name, a folder, ``.onnx`` or ``.pt``.

    Args:
        settings: the model and the thresholds.
        threads: for inference on the CPU.

    Raises:
        ModelError: none is named or shipped, or it cannot be used; the message names the file.
        NewerVersionError: a newer demopack made the model.
    """
    weights = Path(settings.detector)
    classes: tuple[str, ...] = ()
    options: Options = {}
    if weights.suffix not in {".pt", ".onnx"}:
        folder = resolve("detector", settings.detector)
        if folder is None:
            raise ModelError(
                "There is no detector: the settings name none, or none came with this installation.",
                hint='Set "vision.detector" to a model folder or a weights file.',
            )
        files = [file for file in sorted(folder.card.files) if file.endswith((".onnx", ".pt"))]
        if not files:
            raise ModelError(
                f"The model {folder.card.id} in {folder.folder} has no weights to run.",
                hint='Train or copy it again, or choose another "vision.detector".',
            )
        weights, classes, options = folder.file(files[0]), folder.card.classes, folder.card.options
    if weights.suffix == ".pt":
        yolo: Any = load_yolo(weights, threads=threads)
        names = [str(name) for _, name in sorted(dict(yolo.names).items())]
        return Detector(names, partial(_look_at_once, yolo, settings), sees_parts=False, options=options)
    model = load_onnx(weights, threads=threads)
    if classes and classes != model.names:
        raise ModelError(
            f"The classes in {weights} are not those of its card, so nobody knows what it finds.",
            details=f"file: {', '.join(model.names)}; card: {', '.join(classes)}",
            hint='Copy the model again, or choose another "vision.detector".',
        )
    return Detector(model.names, partial(_look, model, settings), sees_parts=True, options=options)


_USUAL_PX: Final[Mapping[ElementType, float]] = {"text": 15.0, "tabled_text": 15.0, "hyperlink": 15.0, "menu": 24.0}
"""Heights of lines, and of the entries of a menu bar, on desktops and pages that are not enlarged."""
_ENLARGED: Final = 1.45
"""Times the usual height from which on words are taken for those of an enlarged desktop. Measured on programs of the
side val: 0.83 to 1.25 without a scale, 1.5 to 2.4 at scale 2."""
_LEAST_LINES: Final = 2
_SMALLER: Final = (0.75, 0.5)
"""Sides of the smaller pictures, in those of the frame."""
_SMALL_PX: Final = 40
"""Of an enlarged desktop, what is seen at its own scale counts where its shorter side is less."""


def enlargement(rows: Rows, names: Sequence[str]) -> float:
    """How much taller lines are than usual, by their median; 1 where there are hardly any.

    Args:
        rows: what was seen at the frame's own scale.
        names: the classes.
    """
    usual = np.array([_USUAL_PX.get(type_of(name), np.nan) for name in names], dtype=np.float32)
    times = (rows[:, 3] - rows[:, 1]) / usual[rows[:, 5].astype(np.intp)]
    times = times[~np.isnan(times)]
    return float(np.median(times)) if times.size >= _LEAST_LINES else 1.0


def _look(model: OnnxModel, settings: VisionSettings, image: RgbImage) -> Rows:
    seen = _look_in_tiles(model, settings, image)
    if enlargement(seen, model.names) < _ENLARGED:
        return seen
    parts = [seen[np.minimum(seen[:, 2] - seen[:, 0], seen[:, 3] - seen[:, 1]) < _SMALL_PX]]
    for share in _SMALLER:
        size = size_of(image)
        smaller_size = (max(1, round(share * size.width)), max(1, round(share * size.height)))
        smaller = np.asarray(Image.fromarray(image).resize(smaller_size, Image.Resampling.LANCZOS))
        part = _look_in_tiles(model, settings, smaller)
        part[:, :4] /= share
        parts.append(part)
    return suppress(_surest_first(np.concatenate(parts)), iou=settings.iou, most=_MAX_DETECTIONS)


def _look_in_tiles(model: OnnxModel, settings: VisionSettings, image: RgbImage) -> Rows:
    tiles, found = tiles_of(size_of(image)), list[Rows]()
    for tile in tiles:
        part = network_input(crop(image, tile), stride=model.stride)
        seen = suppress(decode(model.run(part), confidence=settings.confidence), iou=settings.iou, most=_MAX_DETECTIONS)
        # What reaches into the padding ends at the picture's edge.
        seen[:, :4] = seen[:, :4].clip(0, [tile.width, tile.height] * 2) + [tile.x1, tile.y1] * 2
        found.append(seen)
    return found[0] if len(tiles) == 1 else join(found, tiles, size_of(image), iou=settings.iou, most=_MAX_DETECTIONS)


def _look_at_once(model: Any, settings: VisionSettings, image: RgbImage) -> Rows:  # noqa: ANN401 - untyped
    arguments: Any = getattr(model.model, "args", None) or {}
    results: Any = model.predict(
        np.ascontiguousarray(image[:, :, ::-1]),
        conf=settings.confidence,
        iou=settings.iou,
        # The size it was trained at: elements are as large to it as they were then.
        imgsz=int(np.max(dict(arguments).get("imgsz", 640))),
        max_det=_MAX_DETECTIONS,
        agnostic_nms=True,
        verbose=False,
    )
    return np.asarray(results[0].boxes.data.cpu().numpy(), dtype=np.float32)
