"""Whatever a demo holds, the writer's questions and the template's words can be made of it."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demopack.domain.demos import Demo
from demopack.domain.frames import RgbImage
from demopack.domain.ports import StepContext
from demopack.domain.rationale import caap_paragraph, lam_thought, previous_action_result
from demopack.jobs import JobControl
from models.language.prompts import PromptCatalogue
from models.language.step_context import DemoStory
from models.language.step_questions import REPLIES, step_question
from models.language.template import TemplateWriter
from tests.support.demo_strategies import demos

CATALOGUE = PromptCatalogue()


def contexts(demo: Demo) -> list[StepContext]:
    sizes = {frame.id: (frame.height, frame.width, 3) for frame in demo.frames()}

    class Pictures:
        def get_image(self, frame_id: str) -> RgbImage:
            return np.full(sizes[frame_id], int(frame_id[-1], 16), dtype=np.uint8)

    story = DemoStory(Pictures(), demo)
    return [story.context(index) for index in range(len(demo.steps))]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(demos(), st.booleans())
def test_every_question_can_be_asked(demo: Demo, sees: bool) -> None:
    for context in contexts(demo):
        for question in REPLIES:
            request = step_question(question, context, CATALOGUE, sees=sees)
            assert all(part for part in request.parts)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(demos())
def test_the_template_explains_every_step_in_every_dialect(demo: Demo) -> None:
    for context in contexts(demo):
        said = TemplateWriter(mode="hindsight").write(context, control=JobControl())
        assert said.thought
        lines = [caap_paragraph(said), previous_action_result(said), lam_thought(said), *said.plan]
        assert all("\n" not in line for line in lines)
        assert len(said.plan) <= len(context.coming)
