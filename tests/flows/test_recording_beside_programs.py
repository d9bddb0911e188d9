"""What a recording says about programs that do not tell what they should: to the person, and in each step."""

from __future__ import annotations

from demopack.store import Library
from tests.support.hand_access import HandAccess
from tests.support.studio import Studio


class _SoonSlow(HandAccess):
    """Knows the fields of the first step, and of none after it."""

    def __init__(self) -> None:
        super().__init__()
        self.first: int | None = None

    def fields_known(self, started_ns: int, ended_ns: int) -> bool | None:
        self.first = self.first or started_ns
        assert started_ns <= ended_ns
        return started_ns <= self.first


def test_a_program_that_is_asked_no_more_is_told_and_its_steps_are_in_doubt(library: Library) -> None:
    access = _SoonSlow()
    studio = Studio(library, access=access)
    studio.session.start()
    studio.do("F5", 2)
    studio.do("F6", 3)
    studio.wait(studio.steps, 1)
    access.told = ["“slow” answers too late and is asked nothing more."]
    assert studio.session.health == access.told
    studio.session.stop()
    first, second, *_ = studio.demo().steps
    assert "fields_unknown" not in first.doubts(parsed=False)
    assert "fields_unknown" in second.doubts(parsed=False)


def test_what_goes_into_an_unknown_field_is_in_no_step(library: Library) -> None:
    access = HandAccess()
    access.unknown = True
    studio = Studio(library, access=access)
    studio.session.start()
    studio.do('"hunter2"', 2)
    studio.session.stop()
    (typed, _) = studio.demo().steps
    assert typed.action.parameters == {"text_to_type": "<secret:password>"}
    assert studio.session.counters.secrets_hidden == 1
