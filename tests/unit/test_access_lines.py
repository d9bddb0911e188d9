"""The time lines of what programs tell: the focus, its values, and the boxes of secure fields."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.atspi.bus import Ref, open_bus
from recorder.backends.atspi.element_queries import rect_of
from recorder.backends.atspi.roles import PASSWORD_TEXT, has_state, role_name, state_names
from recorder.backends.atspi.scale import ProgramScales, ServerWindows, fit_windows
from recorder.backends.element_history import BoxHistory, FocusLine, FocusReading

_NAME, _KEY, _OTHER = Ref(":1.2", "/name"), Ref(":1.2", "/key"), Ref(":1.3", "/other")


def _element(name: str, value: str = "", *, secure: bool = False) -> AccessibleElement:
    return AccessibleElement(role="text", name=name, value=value, secure=secure)


def _line() -> FocusLine[Ref]:
    """The name has the input from 100, the secure field from 200, nothing from 300."""
    line = FocusLine[Ref]()
    line.moved(_NAME, t_ns=100, earliest_ns=100)
    line.told(_NAME, FocusReading(101, 105, _element("Name")))
    line.moved(_KEY, t_ns=200, earliest_ns=200)
    line.told(_KEY, FocusReading(201, 205, _element("Key", secure=True)))
    line.left(_OTHER.bus, t_ns=250)
    line.left(_KEY.bus, t_ns=300)
    return line


def test_what_had_the_input() -> None:
    line = _line()
    names = {t: (line.at(t) or _element("-")).name for t in (99, 100, 199, 200, 299, 300, 999)}
    assert names == {99: "-", 100: "Name", 199: "Name", 200: "Key", 299: "Key", 300: "-", 999: "-"}
    assert line.current is None


def test_a_secure_field_at_some_time_between() -> None:
    line = _line()
    assert line.secure_between(0, 199) is None
    assert line.secure_between(301, 999) is None
    for span in ((0, 200), (150, 250), (220, 230), (300, 400)):
        assert line.secure_between(*span) == _element("Key", secure=True), span


def test_a_program_that_slept_may_have_moved_the_focus_before_it_told() -> None:
    line = FocusLine[Ref]()
    line.moved(_NAME, t_ns=100, earliest_ns=100)
    line.moved(_KEY, t_ns=9000, earliest_ns=500)
    line.told(_KEY, FocusReading(9001, 9002, _element("Key", secure=True)))
    assert line.secure_between(600, 700) is not None
    assert line.secure_between(100, 499) is None


def test_the_same_news_twice_is_one_span() -> None:
    line = FocusLine[Ref]()
    line.moved(_NAME, t_ns=100, earliest_ns=100)
    line.told(_NAME, FocusReading(101, 102, _element("Name", "a")))
    line.moved(_NAME, t_ns=150, earliest_ns=150)
    assert line.at(120) == _element("Name", "a")
    assert line.at(160) == _element("Name", "a")


def _typing() -> FocusLine[Ref]:
    """An ``a`` is there; ``b`` comes at 200 and ``c`` at 210, each is read a little later."""
    line = FocusLine[Ref]()
    line.moved(_NAME, t_ns=100, earliest_ns=100)
    line.told(_NAME, FocusReading(101, 105, _element("Name", "a")))
    for t_ns, value in ((200, "ab"), (210, "abc")):
        assert line.changed(_NAME, t_ns=t_ns)
        line.told(_NAME, FocusReading(t_ns + 1, t_ns + 5, _element("Name", value)))
    return line


def test_value_before_and_after() -> None:
    line = _typing()
    assert line.text_change(150, 300) == ("a", "abc")
    assert line.text_change(150, 207) == ("a", "ab")
    assert line.text_change(207, 300) == ("ab", "abc")
    assert line.text_change(150, 199) == ("a", "a")
    assert line.text_change(50, 300) is None, "nothing had the input then"
    element = line.at(150)
    assert element is not None
    assert element.value == "a"


def test_values_that_cannot_be_told_apart_are_not_known() -> None:
    late = FocusLine[Ref]()
    late.moved(_NAME, t_ns=100, earliest_ns=100)
    late.changed(_NAME, t_ns=104)
    late.told(_NAME, FocusReading(101, 105, _element("Name", "x")))
    assert late.text_change(102, 300) is None, "the first reading may hold the first key or not"
    running = _typing()
    running.changed(_NAME, t_ns=400)
    assert running.text_change(300, 500) is None, "the last key has not been read"
    assert not running.changed(_OTHER, t_ns=500), "that field does not have the input"


def test_no_values_of_a_secure_field() -> None:
    line = _line()
    line.moved(_KEY, t_ns=400, earliest_ns=400)
    line.told(_KEY, FocusReading(401, 402, _element("Key", secure=True)))
    assert line.text_change(410, 500) is None


def test_boxes_and_what_lay_between_two_looks() -> None:
    boxes = BoxHistory[Ref]()
    here, there = Rect(0, 0, 10, 10), Rect(100, 0, 110, 10)
    boxes.seen(_KEY, here, t_ns=1000, since_ns=800)
    boxes.seen(_KEY, here, t_ns=1200)
    boxes.seen(_KEY, there, t_ns=1400)
    assert boxes.between(0, 799) == ()
    assert boxes.between(0, 800) == (here,), "it may have been there since the look before"
    assert boxes.between(1000, 1100) == (here,)
    assert boxes.between(1250, 1300) == (here.union(there),)
    assert set(boxes.between(1100, 1500)) == {here, here.union(there), there}
    assert boxes.between(5000, 6000) == (there,), "what was seen last holds"
    boxes.seen(_KEY, None, t_ns=7000)
    assert boxes.between(6900, 6950) == (there,), "it may have been there until it was missed"
    assert boxes.between(7001, 9000) == ()
    boxes.seen(_KEY, here, t_ns=8000)
    assert boxes.between(7500, 7600) == (here,), "it may have come right after it was missed"


def test_words_for_numbers() -> None:
    assert role_name(PASSWORD_TEXT) == "password text"
    assert (role_name(9999), role_name(-1)) == ("unknown", "unknown")
    states = ("editable", "enabled", "focusable", "focused", "selectable text", "sensitive", "showing", "visible")
    assert state_names([0x43001980, 0x40]) == states
    assert has_state([0, 1 << 8], 40)
    assert not has_state([0, 1 << 8], 8)
    assert not has_state([], 5)


@pytest.mark.parametrize("address", ["tcp:host=example.org,port=1", "", "unix:path=/nowhere/bus,guid=ab12"])
def test_an_address_that_leads_nowhere_opens_no_bus(address: str) -> None:
    assert open_bus(address, lambda _: None) is None


def test_a_scaled_program_is_recognised_by_its_windows() -> None:
    told, real = Rect(100, 50, 500, 350), Rect(200, 110, 1000, 710)
    (fit,) = fit_windows([told], [Rect(190, 80, 1010, 720), real])
    assert fit.real == real
    field = fit.to_pixels(Rect(150, 100, 250, 120))
    assert field == Rect(299, 209, 501, 251), "a pixel larger on every side"
    assert fit.from_pixels(Point(300, 210)) == Point(150, 100)
    (plain,) = fit_windows([real], [real])
    assert plain.to_pixels(real) == real
    assert plain.from_pixels(Point(3, 4)) == Point(3, 4)
    # Qt on a monitor of 100 dots to the inch.
    (dotted,) = fit_windows([Rect(205, 134, 1023, 646)], [Rect(214, 140, 1066, 675), Rect(213, 120, 1067, 679)])
    assert dotted.to_pixels(Rect(685, 161, 721, 184)) == Rect(712, 167, 753, 194)
    assert dotted.from_pixels(Point(733, 180)) == Point(703, 172)
    # A shadow that GTK counts to the window.
    (shaded,) = fit_windows([Rect(126, 123, 1326, 1223)], [Rect(100, 97, 1352, 1249)])
    assert shaded.to_pixels(Rect(200, 200, 300, 220)) == Rect(200, 200, 300, 220)
    assert fit_windows([told], [Rect(0, 0, 900, 300)]) == (), "not the same factor in both directions"
    assert fit_windows([Rect(0, 0, 5, 5)], [Rect(0, 0, 10, 10)]) == (), "too small to tell"


class _Boxes(ServerWindows):
    """The X server's side: one window, or several."""

    def __init__(self, *boxes: Rect) -> None:
        self.windows = [[box] for box in boxes]
        self.screens = [Rect(0, 0, 1280, 800)]

    def monitors(self) -> list[Rect]:
        return self.screens

    def of(self, process: int) -> list[list[Rect]]:
        assert process == 7
        return self.windows


@pytest.mark.parametrize(
    ("told", "real", "covered"),
    [
        # Twice as large on the screen: the field is where the factor says.
        ([Rect(0, 0, 400, 300)], [Rect(100, 50, 900, 650)], Rect(119, 69, 221, 111)),
        ([Rect(0, 0, 400, 300)], [Rect(0, 0, 400, 300)], Rect(10, 10, 60, 30)),
        # No window is as the program says, or one says this and the other that: everything is covered.
        ([Rect(0, 0, 400, 300)], [Rect(100, 50, 900, 350)], Rect(100, 50, 900, 350)),
        (
            [Rect(0, 0, 400, 300), Rect(500, 0, 900, 200)],
            [Rect(0, 0, 800, 600), Rect(900, 0, 1300, 200)],
            Rect(0, 0, 1300, 600),
        ),
        # No window of that process is known: what the program says is all there is.
        ([Rect(0, 0, 400, 300)], [], Rect(10, 10, 60, 30)),
    ],
)
def test_a_secure_field_whose_place_is_not_sure_covers_all_windows(
    told: list[Rect], real: list[Rect], covered: Rect
) -> None:
    scales = ProgramScales(_Boxes(*real))
    scales.measure(":1.7", 7, told)
    assert scales.cover(":1.7", Rect(10, 10, 60, 30)) == covered


def test_a_scaled_window_on_two_monitors_is_covered_whole() -> None:
    window = Rect(100, 50, 500, 350)
    boxes = _Boxes(window)
    scales = ProgramScales(boxes)
    scales.measure(":1.7", 7, [Rect(50, 25, 250, 175)])
    assert scales.cover(":1.7", Rect(60, 35, 80, 45)) == Rect(119, 69, 161, 91)
    boxes.screens = [Rect(0, 0, 300, 800), Rect(300, 0, 1280, 800)]
    scales.measure(":1.7", 7, [Rect(50, 25, 250, 175)])
    assert scales.cover(":1.7", Rect(60, 35, 80, 45)) == window


def test_positions_in_a_window_are_moved_to_where_it_is() -> None:
    window = Rect(100, 50, 500, 350)
    boxes = _Boxes(window)
    scales = ProgramScales(boxes)
    scales.measure(":1.7", 7, [Rect(0, 0, 400, 300)], on_screen=False)
    assert scales.cover(":1.7", Rect(10, 10, 60, 30)) == Rect(109, 59, 161, 81)
    assert scales.from_pixels(":1.7", Point(110, 60)) == Point(10, 10)
    boxes.windows.append([Rect(600, 50, 900, 350)])
    scales.measure(":1.7", 7, [Rect(0, 0, 400, 300)], on_screen=False)
    assert scales.cover(":1.7", Rect(10, 10, 60, 30)) == Rect(100, 50, 900, 350), "in which of the two?"
    assert not scales.is_sure(":1.7")


@pytest.mark.parametrize(
    ("told", "box"),
    [
        ((10, 20, 30, 40), Rect(10, 20, 40, 60)),
        ((-5, -7, 30, 40), Rect(-5, -7, 25, 33)),
        ((10, 20, 0, 40), None),
        ((-2147483648, -2147483648, 168, 34), None),  # GTK, of what is not on the screen
        ((0, 0, 2147483647, 10), None),
    ],
)
def test_what_is_nowhere_has_no_box(told: tuple[int, int, int, int], box: Rect | None) -> None:
    assert rect_of((told,)) == box


def test_what_could_not_be_read_again_is_not_made() -> None:
    with pytest.raises(ValidationError, match="a box lies within"):
        AccessibleElement(role="icon", box=Rect(-2147483648, 0, -2147483000, 10))
