"""Which element a recorded target means on another screen, and when it means none."""

from __future__ import annotations

from typing import Any

import pytest

from demopack.domain.actions import ActionTarget
from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect, Size, to_norm_xywh
from demopack.domain.text_likeness import label_likeness
from demopack.errors import ReplayError
from player.target_strategies import PlannedTarget, Resolution, SearchScreen, place_in
from player.target_strategies import resolve as resolve_on

SIZE = Size(1000, 800)


def element(uid: str, box: tuple[int, int, int, int], text: str | None = None, **fields: Any) -> Element:
    return Element.model_validate({"uid": uid, "frame": "f", "type": "button", "box": box, "text": text, **fields})


OK = element("ok", (100, 100, 180, 130), "OK")
CANCEL = element("cancel", (200, 100, 280, 130), "Cancel")
SUBMIT = element("submit", (100, 400, 180, 430), "Submit order", track_id="btn_submit_0")


def target(known: Element, number: int, **fields: Any) -> ActionTarget:
    base: dict[str, Any] = {
        "track_id": known.track_id,
        "element_id": number,
        "text": known.text,
        "bbox": to_norm_xywh(known.box, SIZE),
    }
    return ActionTarget.model_validate({**base, **fields})


def recorded(known: Element | None, point: Point | None = None) -> dict[str, Any]:
    return {"element": known, "point": point, "size": SIZE}


def resolve(
    wanted: ActionTarget,
    *,
    fresh: list[Element],
    size: Size,
    recorded: dict[str, Any] | None = None,
    alike: float | None = None,
) -> Resolution:
    fx, fy = size.width / SIZE.width, size.height / SIZE.height
    screen = SearchScreen(
        size=size,
        fresh=fresh,
        expect=lambda box: Rect(round(box.x1 * fx), round(box.y1 * fy), round(box.x2 * fx), round(box.y2 * fy)),
        alike=lambda _box, _at: alike,
    )
    return resolve_on(PlannedTarget(target=wanted, **(recorded or {})), screen)


def failure(wanted: ActionTarget, fresh: list[Element], **how: Any) -> ReplayError:
    with pytest.raises(ReplayError) as caught:
        resolve(wanted, fresh=fresh, size=SIZE, **how)
    return caught.value


class TestOrderOfTrust:
    def test_the_track_comes_first(self) -> None:
        moved = SUBMIT.changed(uid="new", box=(600, 600, 680, 630))
        twin = element("twin", (100, 400, 180, 430), "Submit order")
        found = resolve(target(SUBMIT, 1), fresh=[twin, moved], size=SIZE, recorded=recorded(SUBMIT))
        assert (found.strategy, found.element, found.failed) == ("track_id", moved, ())

    def test_then_the_number_where_type_and_text_agree(self) -> None:
        wanted = target(CANCEL, 2, track_id="gone_0")
        found = resolve(wanted, fresh=[OK, CANCEL], size=SIZE, recorded=recorded(CANCEL))
        assert (found.strategy, found.element) == ("element_id", CANCEL)
        assert found.failed == ("track_id: no element on the screen continues gone_0",)

    def test_a_number_is_enough_for_who_has_seen_the_list(self) -> None:
        wanted = ActionTarget(element_id=2)
        bare = CANCEL.changed(text=None)
        assert "nothing tells" in failure(wanted, [OK, bare]).details
        screen = SearchScreen(size=SIZE, fresh=[OK, bare], expect=lambda box: box, alike=lambda *_: None, numbered=True)
        assert resolve_on(PlannedTarget(target=wanted), screen).element == bare
        # Not where the same target says another text.
        with pytest.raises(ReplayError, match="not found"):
            resolve_on(PlannedTarget(target=ActionTarget(element_id=1, text="Cancel")), screen)

    def test_what_several_could_be_is_told_as_that(self) -> None:
        twins = [OK, OK.changed(uid="two", box=(300, 300, 380, 330))]
        assert failure(ActionTarget(text="OK"), twins).code == "ambiguous"
        assert failure(ActionTarget(text="Save"), twins).code == "not_found"

    def test_a_number_whose_element_reads_differently_is_not_believed(self) -> None:
        wanted = target(CANCEL, 1)
        found = resolve(wanted, fresh=[OK, CANCEL], size=SIZE, recorded=recorded(CANCEL))
        assert (found.strategy, found.element) == ("text", CANCEL)
        assert "element_id: element 1 now reads “OK”" in found.failed

    def test_a_number_whose_element_has_another_type_is_not_believed(self) -> None:
        link = element("link", (200, 100, 280, 130), "Cancel", type="hyperlink")
        found = resolve(target(CANCEL, 2), fresh=[OK, link], size=SIZE, recorded=recorded(CANCEL))
        assert found.strategy == "text"
        assert "element_id: element 2 is now a hyperlink, not a button" in found.failed

    def test_a_number_without_anything_to_check_is_not_believed(self) -> None:
        error = failure(ActionTarget(element_id=1), [OK])
        assert "nothing tells whether element 1 is still the one" in error.details

    def test_a_bare_number_of_an_icon_must_be_where_it_was(self) -> None:
        icon = element("icon", (10, 10, 40, 40), type="icon")
        away = element("away", (500, 500, 530, 530), type="icon")
        wanted = target(icon, 1)
        assert resolve(wanted, fresh=[icon], size=SIZE, recorded=recorded(icon)).strategy == "element_id"
        assert "element 1 is not where it was" in failure(wanted, [away], recorded=recorded(icon), alike=0.1).details

    def test_the_place_comes_last_and_only_where_it_looks_as_recorded(self) -> None:
        wanted = target(CANCEL, 9)
        found = resolve(wanted, fresh=[OK], size=SIZE, recorded=recorded(CANCEL), alike=1.0)
        assert (found.strategy, found.element, found.point) == ("bbox", None, CANCEL.box.center)
        assert [why.partition(":")[0] for why in found.failed] == ["element_id", "text"]
        assert (
            "looks different: 60% of its pixels" in failure(wanted, [OK], recorded=recorded(CANCEL), alike=0.6).details
        )

    def test_an_action_that_was_never_recorded_may_name_a_place(self) -> None:
        found = resolve(ActionTarget(bbox=(0.5, 0.5, 0.1, 0.1)), fresh=[], size=SIZE)
        assert (found.strategy, found.point) == ("bbox", Point(550, 440))

    def test_a_track_whose_label_has_changed_is_not_clicked(self) -> None:
        other = SUBMIT.changed(text="Delete all")
        error = failure(target(SUBMIT, 1), [other], recorded=recorded(SUBMIT), alike=0.9)
        assert "btn_submit_0 now reads “Delete all”" in error.details
        assert "“Submit order” was not found; nothing was clicked" in error.user_message

    def test_a_field_is_the_same_whatever_is_in_it(self) -> None:
        field = element("field", (10, 10, 300, 40), "Ada", type="input_field", track_id="input_0")
        now = field.changed(uid="now", text="Grace")
        assert resolve(target(field, 1), fresh=[now], size=SIZE, recorded=recorded(field)).strategy == "track_id"


class TestText:
    def test_of_equal_labels_the_nearest_is_meant(self) -> None:
        rows = [element(f"row{i}", (700, 100 * i, 760, 100 * i + 30), "Delete") for i in range(1, 6)]
        wanted = target(rows[3], 40, bbox=to_norm_xywh(rows[3].box.moved(3, -20), SIZE))
        found = resolve(wanted, fresh=rows, size=SIZE, recorded=recorded(rows[3]))
        assert found.element == rows[3]

    def test_equal_labels_and_no_place_are_not_guessed(self) -> None:
        rows = [element(f"row{i}", (700, 100 * i, 760, 100 * i + 30), "Delete") for i in range(2)]
        assert "2 elements read “Delete”, and no bbox tells which" in failure(ActionTarget(text="Delete"), rows).details

    def test_the_recorded_type_is_preferred(self) -> None:
        label = element("label", (100, 100, 180, 130), "Cancel", type="text")
        button = element("button", (400, 400, 480, 430), "Cancel")
        found = resolve(target(CANCEL, 40), fresh=[label, button], size=SIZE, recorded=recorded(CANCEL))
        assert found.element == button

    def test_an_exact_label_wins_over_a_similar_one(self) -> None:
        similar = element("similar", (100, 100, 180, 130), "submit  Order")
        exact = element("exact", (700, 700, 780, 730), "Submit order")
        wanted = ActionTarget(text="Submit order", bbox=to_norm_xywh(similar.box, SIZE))
        assert resolve(wanted, fresh=[similar, exact], size=SIZE).element == exact

    def test_what_a_person_rejected_is_not_there(self) -> None:
        gone = CANCEL.changed(review="rejected")
        assert "no element reads “Cancel”" in failure(ActionTarget(text="Cancel"), [gone]).details

    @pytest.mark.parametrize(
        ("a", "b", "alike"),
        [
            ("Save", "Save", True),
            ("Save", "SAVE ", True),
            ("Log in", "Login", True),
            ("Submit order", "Subrnit order", True),  # as OCR reads it
            ("Full width", "\uff26\uff55\uff4c\uff4c\u3000width", True),
            ("Submit", "Delete", False),
            ("Item 12", "Item 13", False),
            ("On", "Off", False),
            ("OK", "0K", False),
        ],
    )
    def test_labels_that_are_alike(self, a: str, b: str, *, alike: bool) -> None:
        assert bool(label_likeness(a, b)) is alike
        assert label_likeness(a, b) == label_likeness(b, a)


class TestResponses:
    """What a response names on a screen that was observed."""

    @staticmethod
    def on(wanted: dict[str, Any], *fresh: Element, is_read: bool = True) -> Resolution:
        screen = SearchScreen(
            size=SIZE, fresh=fresh, expect=lambda box: box, alike=lambda *_: None, numbered=True, exact=True,
            is_read=is_read,
        )  # fmt: skip
        return resolve_on(PlannedTarget(target=ActionTarget.model_validate(wanted)), screen)

    @pytest.mark.parametrize(
        ("text", "name", "is_it"),
        [
            ("delete  ALL", "Delete all", True),
            ("Save", "Save…", True),
            ("Save...", "Save…", True),
            ("Save", "_Save", True),
            ("Name", "Name: *", True),
            ("Delete al", "Delete all", False),
            ("Passwort", "Password", False),
            ("Save as", "Save", False),
        ],
    )
    def test_a_reported_name_is_what_it_is(self, text: str, name: str, *, is_it: bool) -> None:
        told = element("told", (100, 100, 180, 130), name, source="accessibility", track_id="told_0")
        for how in ({}, {"track_id": "told_0"}, {"bbox": to_norm_xywh(told.box, SIZE)}):
            if is_it:
                assert self.on({"text": text, **how}, told).element == told
                continue
            with pytest.raises(ReplayError) as caught:
                self.on({"text": text, **how}, told)
            assert caught.value.code == "not_found"

    def test_what_was_read_off_pixels_may_be_misread(self) -> None:
        read = SUBMIT.changed(source="ocr")
        assert self.on({"text": "Subrnit order"}, read).element == read

    def test_the_name_itself_is_meant_before_one_with_dots(self) -> None:
        more = element("more", (10, 10, 40, 40), "Save…", source="accessibility")
        save = element("save", (50, 10, 80, 40), "Save", source="accessibility")
        assert self.on({"text": "Save"}, more, save).element == save

    def test_a_place_alone_is_not_believed_where_the_text_is_missing(self) -> None:
        there = {"text": "Submit order", "bbox": to_norm_xywh(SUBMIT.box, SIZE)}
        ground = element("ground", (0, 0, 1000, 800), type="window")
        for fresh in ([], [ground], [ground, CANCEL], [SUBMIT.changed(text="Delete")]):
            with pytest.raises(ReplayError) as caught:
                self.on(there, *fresh)
            assert caught.value.code == "not_found"
            assert "bbox: no element reads “Submit order”" in caught.value.details
        assert self.on(there, ground, SUBMIT.changed(text=None)).strategy == "bbox", "nothing was read on it"
        assert self.on(there, is_read=False).strategy == "bbox", "nothing was read at all"
        assert self.on({"bbox": there["bbox"]}).strategy == "bbox", "no text is named"


class TestPoint:
    def test_without_a_recorded_point_it_is_the_middle(self) -> None:
        assert resolve(ActionTarget(text="OK"), fresh=[OK], size=SIZE).point == OK.box.center

    def test_the_recorded_place_in_the_element_counts(self) -> None:
        moved = SUBMIT.changed(box=SUBMIT.box.moved(50, 60))
        known = recorded(SUBMIT, Point(103, 402))
        assert resolve(target(SUBMIT, 1), fresh=[moved], size=SIZE, recorded=known).point == Point(153, 462)

    def test_a_place_is_scaled_to_a_larger_screen(self) -> None:
        wanted = ActionTarget(bbox=(0.25, 0.5, 0, 0))
        found = resolve(wanted, fresh=[], size=Size(2000, 1600), recorded=recorded(None, Point(250, 400)), alike=0.9)
        assert found.point == Point(500, 800)

    def test_it_never_leaves_the_screen(self) -> None:
        found = resolve(ActionTarget(bbox=(1, 1, 0, 0)), fresh=[], size=SIZE)
        assert found.point == Point(999, 799)

    @pytest.mark.parametrize(
        ("at", "live", "there"),
        [
            (Point(105, 110), Rect(300, 100, 500, 120), Point(305, 110)),  # a check mark stays at the left
            (Point(195, 110), Rect(300, 100, 500, 120), Point(495, 110)),  # a drop-down arrow stays at the right
            (Point(150, 110), Rect(300, 100, 500, 120), Point(400, 110)),  # the middle stays the middle
            (Point(150, 110), Rect(0, 0, 100, 20), Point(50, 10)),  # the same size: the same offset
            (Point(150, 110), Rect(0, 0, 1, 1), Point(0, 0)),
        ],
    )
    def test_a_place_in_a_box_of_another_size(self, at: Point, live: Rect, there: Point) -> None:
        assert place_in(at, Rect(100, 100, 200, 120), live) == there

    @pytest.mark.parametrize(
        ("at", "live", "there"),
        [
            (Point(160, 150), Rect(300, 100, 700, 500), Point(360, 150)),  # the same letter of the same line
            (
                Point(190, 250),
                Rect(300, 100, 700, 500),
                Point(690, 250),
            ),  # its scroll bar and its foot stay at the edge
            (Point(160, 150), Rect(0, 0, 50, 40), Point(47, 37)),
        ],
    )
    def test_a_place_in_a_text_keeps_its_distance_to_the_left_upper_corner(
        self, at: Point, live: Rect, there: Point
    ) -> None:
        area = SUBMIT.changed(type="text_area", box=Rect(100, 100, 200, 260))
        found = resolve(
            target(area, 1),
            fresh=[area.changed(box=live)],
            size=SIZE,
            recorded=recorded(area, at),
        )
        assert found.point == there


class TestAreas:
    """Grounds on which programs draw: what lies on them keeps its distance to the nearest corner."""

    @pytest.mark.parametrize(
        ("point", "live", "scale", "wanted"),
        [
            (Point(130, 140), Rect(300, 300, 900, 700), 1.0, Point(330, 340)),
            (Point(470, 360), Rect(300, 300, 900, 700), 1.0, Point(870, 660)),
            (Point(470, 140), Rect(300, 300, 900, 700), 1.0, Point(870, 340)),
            (Point(130, 140), Rect(0, 0, 800, 600), 2.0, Point(60, 80)),
            (Point(470, 360), Rect(0, 0, 800, 600), 2.0, Point(740, 520)),
        ],
    )
    def test_the_distance_to_the_nearest_corner_stays(
        self, point: Point, live: Rect, scale: float, wanted: Point
    ) -> None:
        assert place_in(point, Rect(100, 100, 500, 400), live, scale=scale, is_area=True) == wanted

    def test_a_resolved_canvas_is_an_area(self) -> None:
        canvas = element("canvas", (100, 100, 500, 400), type="other", subtype="canvas")
        live = canvas.changed(uid="new", box=(0, 0, 800, 700))
        place = recorded(canvas, Point(490, 390))
        found = resolve(target(canvas, 1, track_id=None), fresh=[live], size=SIZE, recorded=place, alike=1.0)
        assert PlannedTarget(target=target(canvas, 1), **place).is_area
        assert found.box != canvas.box or found.point == Point(490, 390)


def test_on_a_scaled_desktop_the_mark_of_a_box_to_tick_is_as_far_from_its_edge_as_it_is_large() -> None:
    assert place_in(Point(110, 110), Rect(100, 100, 300, 120), Rect(0, 0, 400, 40), scale=2.0) == Point(20, 20)
