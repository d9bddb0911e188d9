"""A model as a writer: what it is asked, what it must not know, and what becomes of wrong answers."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from PIL import Image

from demopack.domain.actions import ActionTarget, ClickAction, TypeAction
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.provenance import by_human, by_program
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl
from models.language.check.truth_rule import RationaleFinding
from models.language.picture_views import crop_around, marked, target_pictures
from models.language.port import AnswerError, LanguageRequest, PromptImage, RefusedError, ServerError
from models.language.prompts import PromptCatalogue
from models.language.step_questions import step_question
from models.language.template import TemplateWriter
from models.language.writers import ModelWriter
from tests.support.fake_language import FakeModel, texts_of, thought

LIST = Element(uid="l", frame="f", type="dropdown", box=Rect(0, 56, 151, 76), text="Storm", track_id="dropdown_storm_0")
SUBMIT = Element(uid="s", frame="f", type="button", box=Rect(2, 99, 98, 130), text="Submit", track_id="button_submit_0")
OLD = Element(uid="o", frame="e", type="text", box=Rect(0, 0, 9, 9), text="Welcome", track_id="text_welcome_0")
NEW = Element(uid="n", frame="g", type="tabled_text", box=Rect(0, 80, 150, 95), text="Janella")
CLICK = ClickAction(target=ActionTarget(bbox=(0.0, 0.28, 0.75, 0.1)))
TYPE = TypeAction(text_to_type="FUTURE-TYPED")
CATALOGUE = PromptCatalogue()


def told(words: str, *, mode: RationaleMode = "no_hindsight", text: str | None = None) -> Rationale:
    return Rationale(
        thought=words, actual_effect="It opened.", mode=mode, text=text, provenance=by_program("model", "m")
    )


def picture() -> RgbImage:
    return np.full((200, 200, 3), 90, dtype=np.uint8)


CONTEXT = StepContext(
    task="Select Janella and click Submit",
    history=("Clicked a spot",),
    action=CLICK,
    target=LIST,
    before=[LIST, SUBMIT],
    after=[LIST, NEW],
    changed=(Rect(0, 76, 151, 130),),
    size=Size(200, 200),
    note="The list has to be opened first",
    earlier=(StepBrief(action=CLICK, target=SUBMIT, rationale=told("EARLIER-REASON.")),),
    coming=(StepBrief(action=TYPE, target=None), StepBrief(action=CLICK, target=SUBMIT)),
    hidden=(OLD,),
    look=picture,
    look_after=picture,
)


def nothing_wrong(rationale: Rationale, context: StepContext, *, after_visible: bool) -> Sequence[RationaleFinding]:
    del rationale, context, after_visible
    return ()


def finding(part: Any = "thought", message: str = "There is no “Log out”.") -> RationaleFinding:
    return RationaleFinding(rule="T01", severity="error", part=part, start=0, end=1, message=message)


def blames(word: str, part: str = "thought") -> Any:
    def check(rationale: Rationale, context: StepContext, *, after_visible: bool) -> Sequence[RationaleFinding]:
        del context, after_visible
        return [finding(part)] if word in getattr(rationale, part) else []

    return check


def writer(port: FakeModel, **more: Any) -> ModelWriter:
    given: dict[str, Any] = {"check": nothing_wrong, **more}
    return ModelWriter(port, catalogue=CATALOGUE, **given)


def explain(port: FakeModel, context: StepContext = CONTEXT, **more: Any) -> Any:
    return writer(port, **more).explain(context, subject="d/s", control=JobControl())


HINDSIGHT = {"actual_effect": "“Janella” appeared.", "hindsight": "It was chosen. Then it opened."}


def any_answer(request: LanguageRequest[Any]) -> dict[str, Any]:
    names = request.answer.model_fields
    if "hindsight" in names:
        return thought(**HINDSIGHT)
    return thought(plan=("Choose “Janella”", " ")) if "thought" in names else {"actual_effect": "“Janella” came."}


def test_the_fields_of_one_answer_and_who_wrote_them() -> None:
    done = explain(FakeModel(any_answer))
    rationale = done.rationale
    assert rationale.reasoning == "I click it, because the task says so. It should open."
    assert rationale.plan == ("Choose “Janella”",)
    assert rationale.actual_effect == "The screen changed in the middle of the screen; “Janella” appeared there."
    assert (rationale.mode, rationale.hindsight) == ("no_hindsight", "")
    assert (rationale.provenance.kind, rationale.provenance.name) == ("model", "fake:one")
    assert rationale.provenance.reason == "writer/thought@2 (one-2026)"
    assert [(a.prompt, a.paid, a.usage.input_tokens) for a in done.asked] == [("writer/thought@2", 0.002, 100)]


def test_the_question_holds_what_was_known_before_the_action() -> None:
    port = FakeModel(any_answer)
    explain(port)
    (asked,) = port.asked
    text = texts_of(asked)
    assert asked.subject == "d/s"
    assert "TASK: Select Janella and click Submit" in text
    assert 'action_1: {name: start, reason: "Initiating the task."}' in text
    assert "EARLIER-REASON. It opened." in text
    assert 'action_3: {name: click, arg: {type: dropdown, X: 76 [0-151], Y: 66 [56-76], text: "Storm"}}' in text
    assert 'element_2: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", visible: True}' in text
    assert 'element_3: {type: text, X: 4 [0-9], Y: 4 [0-9], text: "Welcome", visible: False}' in text
    assert "The list has to be opened first" in text


def test_without_hindsight_nothing_of_the_future_reaches_the_model() -> None:
    said = told("SEEN-LATER.", mode="hindsight")
    own = told("SEEN-LATER.", mode="hindsight", text="MY OWN WORDS")
    earlier = (StepBrief(action=CLICK, target=SUBMIT, rationale=said), StepBrief(action=CLICK, rationale=own))
    port = FakeModel(any_answer, sees=True)
    context = dataclasses.replace(CONTEXT, earlier=earlier, is_last=True)
    explain(port, context)
    text = texts_of(port.asked[0])
    for later in ("FUTURE-TYPED", "SEEN-LATER", 'text: "Janella"', "It opened", "[76-130]"):
        assert later not in text
    assert "MY OWN WORDS" in text
    assert port.pictures() == [["the screen before, target marked", "the target, at its own scale"]]
    bare = dataclasses.replace(context, after=None, changed=None, coming=(), is_last=False, look_after=None)
    again = FakeModel(any_answer, sees=True)
    explain(again, bare)
    assert again.asked[0].parts == port.asked[0].parts, "what came afterwards makes no difference"


def test_of_a_very_long_demo_what_is_near_is_told() -> None:
    typed = [StepBrief(action=TYPE.replace(text_to_type=f"<{n}>")) for n in range(300)]
    long = dataclasses.replace(CONTEXT, earlier=tuple(typed[:150]), coming=tuple(typed[150:]))
    before, whole = FakeModel(any_answer), FakeModel(any_answer)
    explain(before, long)
    explain(whole, long, mode="hindsight")
    text = texts_of(before.asked[0])
    assert "action_1: {name: start" in text
    assert "(110 more actions, left out here)" in text
    assert 'action_112: {name: type, arg: "<110>"}\n' in text
    assert "<109>" not in text
    assert "action_152: {name: click" in text
    text = texts_of(whole.asked[0])
    assert ("<189>" in text, "<190>" in text) == (True, False)
    assert text.count("(110 more actions, left out here)") == 2


def test_in_hindsight_one_question_tells_all() -> None:
    port = FakeModel(any_answer, sees=True)
    done = explain(port, mode="hindsight")
    (asked,) = port.asked
    text = texts_of(asked)
    assert "FUTURE-TYPED" in text
    assert text.count('demo_element_2: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", visible: ') == 2
    assert 'demo_element_2: {type: button, X: 50 [2-98], Y: 114 [99-130], text: "Submit", visible: False}' in text
    assert 'demo_element_4: {type: tabled_text, X: 75 [0-150], Y: 88 [80-95], text: "Janella", visible: True}' in text
    order = [
        "TASK:",
        "Explain to the learner",
        "just before the action",
        "screen after the action",
        "Answer in the language",
    ]
    assert [text.index(words) for words in order] == sorted(text.index(words) for words in order)
    assert (done.rationale.mode, done.rationale.hindsight) == ("hindsight", "It was chosen. Then it opened.")
    assert port.pictures()[0][2:] == ["what changed, before", "what changed, after"]


def test_the_effect_may_be_a_question_of_its_own() -> None:
    port = FakeModel(any_answer)
    done = explain(port, effects="model")
    assert [request.prompt for request in port.asked] == ["writer/thought@2", "writer/effect@1"]
    assert done.rationale.actual_effect == "“Janella” came."
    assert "Select Janella" not in texts_of(port.asked[1]), "the effect is told without knowing the aim"
    still = FakeModel(any_answer)
    assert explain(still, dataclasses.replace(CONTEXT, changed=()), effects="model").rationale.actual_effect == (
        "The screen did not change."
    )
    assert len(still.asked) == 1


def test_a_model_that_says_nothing_of_the_effect_leaves_it_to_the_program() -> None:
    def refuses(request: LanguageRequest[Any]) -> Any:
        return RefusedError("No.") if "effect" in request.prompt else any_answer(request)

    assert "“Janella” appeared there" in explain(FakeModel(refuses), effects="model").rationale.actual_effect


def test_a_wrong_answer_is_asked_once_more_with_what_was_wrong() -> None:
    def mends(request: LanguageRequest[Any]) -> dict[str, Any]:
        return thought("I click “Storm”." if "no “Log out”" in texts_of(request) else "I click “Log out”.")

    port = FakeModel(mends)
    done = explain(port, check=blames("Log out"))
    assert done.rationale.thought == "I click “Storm”."
    assert done.findings == ()
    assert len(done.asked) == 2
    assert '"thought":"I click “Log out”."' in texts_of(port.asked[1])


def test_what_stays_wrong_is_kept_with_its_warning() -> None:
    port = FakeModel(lambda _: thought("I click “Log out”."))
    done = explain(port, check=blames("Log out"))
    assert len(port.asked) == 2, "once, not for ever"
    assert [one.rule for one in done.findings] == ["T01"]
    assert done.rationale.thought == "I click “Log out”."


def test_a_second_answer_that_is_worse_or_fails_is_not_taken() -> None:
    for second in (thought("Log out Log out", observation="worse"), AnswerError("Unreadable.")):
        answers = iter([thought("Log out"), second])
        port = FakeModel(lambda _, answers=answers: next(answers))  # type: ignore[misc]

        def check(rationale: Rationale, context: StepContext, *, after_visible: bool) -> list[RationaleFinding]:
            del context, after_visible
            return [finding()] * rationale.thought.count("Log out")

        assert explain(port, check=check).rationale.thought == "Log out"


def test_what_the_program_said_of_the_effect_is_not_the_models_fault() -> None:
    port = FakeModel(any_answer)
    done = explain(port, check=blames("Janella", "actual_effect"))
    assert len(port.asked) == 1
    assert len(done.findings) == 1


@pytest.mark.parametrize("error", [RefusedError("No."), ServerError("Down."), AnswerError("Unreadable.")])
def test_no_answer_is_an_error_and_never_a_text(error: Exception) -> None:
    with pytest.raises(type(error)):
        explain(FakeModel(lambda _: error))


def test_a_cancelled_job_asks_nothing() -> None:
    token, port = CancelToken(), FakeModel(any_answer)
    token.cancel()
    with pytest.raises(CancelledError):
        writer(port).explain(CONTEXT, subject="", control=JobControl(token=token))
    assert port.asked == []


def test_the_preview_is_the_question() -> None:
    port = FakeModel(any_answer, sees=True)
    explain(port)
    shown = step_question("thought", CONTEXT, CATALOGUE, sees=True)
    assert shown.parts == port.asked[0].parts
    assert "[instructions]" in shown.shown()
    assert "[picture: the target, at its own scale]" in shown.shown()


def test_a_person_is_quoted_and_a_blank_answer_is_none() -> None:
    earlier = (StepBrief(action=CLICK, rationale=Rationale(text="Mine.", provenance=by_human("anna"))),)
    port = FakeModel(any_answer)
    explain(port, dataclasses.replace(CONTEXT, earlier=earlier))
    assert 'reason: "Mine."' in texts_of(port.asked[0])
    with pytest.raises(ValueError, match="must not be empty"):
        port.asked[0].answer.model_validate(thought("  "))


def test_the_template_tells_the_plan_in_hindsight_only() -> None:
    plain = TemplateWriter().write(CONTEXT, control=JobControl())
    assert (plain.plan, plain.hindsight, plain.mode) == ((), "", "no_hindsight")
    seen = TemplateWriter(mode="hindsight").write(CONTEXT, control=JobControl())
    assert seen.plan == ("Type “FUTURE-TYPED”.", "Click the button “Submit”.")
    assert seen.hindsight.endswith("“Janella” appeared there.")
    assert seen.reasoning == plain.reasoning


def test_the_mark_lies_around_the_target_and_not_on_it() -> None:
    image = picture()
    box = Rect(50, 60, 90, 80)
    shown = marked(image, [box])
    assert (shown[60:80, 50:90] == image[60:80, 50:90]).all()
    assert (shown != image).any()
    assert (image == 90).all(), "the stored picture stays as it is"
    assert (marked(image, [Rect(0, 0, 200, 200)]) == image).all()


def test_a_crop_holds_the_box_and_stays_on_the_frame() -> None:
    size = Size(1920, 1080)
    for box in (Rect(0, 0, 10, 10), Rect(1900, 1070, 1920, 1080), Rect(100, 100, 1700, 140), Rect(5, 5, 5, 5)):
        crop = crop_around(box, size)
        assert crop.inside(size)
        assert crop.encloses(box)
    assert crop_around(Rect(2, 2, 4, 4), Size(100, 50)) == Rect(0, 0, 100, 50)


def size_of(picture: PromptImage) -> tuple[int, int]:
    return Image.open(io.BytesIO(picture.png)).size


def test_a_drag_is_shown_with_its_end_unless_that_is_far() -> None:
    image = np.zeros((1440, 2560, 3), dtype=np.uint8)
    start = Rect(100, 100, 120, 120)
    assert size_of(target_pictures(image, start, Rect(800, 100, 820, 120))[1]) == (752, 320)
    assert size_of(target_pictures(image, start, Rect(2000, 100, 2020, 120))[1]) == (512, 320)


def test_a_large_frame_is_shown_smaller_and_its_target_as_it_is() -> None:
    image = np.zeros((1440, 2560, 3), dtype=np.uint8)
    whole, part = target_pictures(image, Rect(2000, 1000, 2100, 1040))
    assert [size_of(whole), size_of(part)] == [(1280, 720), (512, 320)]
