"""Which choice concerns which dialect, and what is said about a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.prompt_preview import DIALECTS, PromptOrder, choices_of, prompt_at, prompt_words
from demopack.errors import BadInputError, CancelledError
from demopack.jobs import CancelToken, JobControl
from demopack.prompting.prompt import Image, Message, Prompt
from demopack.store import Library
from tests.support.demos import tiny_demo


def test_a_dialect_gets_only_what_it_knows() -> None:
    for dialect in DIALECTS:
        options = PromptOrder(dialect=dialect, elements=True, words=True, config="no_cot_no_demo", others=True).options(
            ("d",)
        )
        known = choices_of(dialect)
        assert known
        assert options.shot_elements is ("elements" in known)
        assert options.talk is ("words" not in known)
        assert (options.config == "full") is ("config" not in known)
        assert (options.instance, options.exclude) == ("other", ("d",))
    assert choices_of("klingon") == frozenset()


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
        prompt = prompt_at(library, own, 2, PromptOrder(), JobControl())
        assert prompt.shots == (other,)
        token = CancelToken()
        token.cancel()
        with pytest.raises(CancelledError):
            prompt_at(library, own, 2, PromptOrder(), JobControl(token=token))
        with pytest.raises(BadInputError, match="no step 9"):
            prompt_at(library, own, 9, PromptOrder(shots=0), JobControl())
