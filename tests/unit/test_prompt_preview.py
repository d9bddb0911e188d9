"""Which choice concerns which dialect, and what is said about a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.prompt_preview import CHOICES, prompt_at, prompt_words
from demopack.errors import BadInputError, CancelledError
from demopack.jobs import CancelToken, JobControl
from demopack.prompting.prompt import Image, Message, Prompt, PromptOptions
from demopack.prompting.prompt_builder import PROMPT_DIALECTS
from demopack.store import Library
from tests.support.demos import tiny_demo


def test_every_dialect_says_which_further_choices_it_has() -> None:
    assert set(CHOICES) == set(PROMPT_DIALECTS)


def test_what_is_told_counts_tokens_pictures_and_examples() -> None:
    message = Message(role="user", parts={"task": "Go"}, images=(Image(path="a", width=1, height=1),))
    prompt = Prompt(dialect="caap", version="caap@1", messages=(message,), notes=("One thing is untold.",))
    told = prompt_words(prompt, 8000)
    assert told.startswith(f"About {prompt.tokens} of 8,000 tokens, 2 characters. 1 picture goes along. No example.")
    assert told.endswith("One thing is untold.")
    shown = Prompt(
        dialect="caap", version="caap@1", messages=(message, message), shots=("demo_a",), left_out=("demo_b",)
    )
    assert "2 pictures go along. Examples: demo_a. Too long for the budget: demo_b." in prompt_words(shown, 8000)


def test_the_prompt_of_a_step_can_be_cancelled_and_does_not_show_itself(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        own = tiny_demo(library)
        other = tiny_demo(library, demo_id="demo_0000000002")
        prompt = prompt_at(library, own, 2, "llmresponse", PromptOptions(), JobControl())
        assert prompt.shots == (other,)
        token = CancelToken()
        token.cancel()
        with pytest.raises(CancelledError):
            prompt_at(library, own, 2, "llmresponse", PromptOptions(), JobControl(token=token))
        with pytest.raises(BadInputError, match="no step 9"):
            prompt_at(library, own, 9, "llmresponse", PromptOptions(shots=0), JobControl())
