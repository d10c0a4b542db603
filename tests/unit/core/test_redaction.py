"""What may not be quoted in logs: the caller's words, and anything that gives access."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.core.redaction import WORDS, data_without_prompt, without_prompt, without_secrets
from tests.fake_ports import PROMPT


def test_a_quotation_of_the_prompt_is_taken_out_however_it_is_written() -> None:
    text = 'The model says "RENT must not\n exceed €3,200 a month", which is low.'
    assert without_prompt(text, PROMPT) == 'The model says "[prompt]", which is low.'


def test_what_is_not_of_the_prompt_stays() -> None:
    text = "LLM provider returned 503 while it worked on 016-expert_criticism"
    assert without_prompt(text, PROMPT) == text


@pytest.mark.parametrize(
    ("prompt", "text", "clean"),
    [
        ("Open a bar", "You asked: open a bar!", "You asked: [prompt]!"),
        ("", "Nothing was said.", "Nothing was said."),
        ("a b c d e f", "x a b c d y c d e f z", "x [prompt] y [prompt] z"),
        ("a b c d e f", "a b c", "a b c"),
    ],
)
def test_short_prompts_and_edges(prompt: str, text: str, clean: str) -> None:
    assert without_prompt(text, prompt) == clean


words = st.text("abcd é", min_size=1, max_size=40)


@given(prompt=words, before=words, after=words, data=st.data())
def test_no_four_words_of_the_prompt_in_a_row_are_left(
    prompt: str, before: str, after: str, data: st.DataObject
) -> None:
    said = prompt.split()
    clean = without_prompt(f"{before} {prompt} {after}", prompt)
    left = clean.replace("[prompt]", " [prompt] ").split()
    quoted = [tuple(said[at : at + WORDS]) for at in range(len(said) - WORDS + 1)]
    assert not [q for q in quoted for at in range(len(left)) if tuple(left[at : at + WORDS]) == q]


@pytest.mark.parametrize(
    "secret",
    ["pex_abcdefghijklmnop", "sk-proj-abcdefghijklmnop", "AKIAIOSFODNN7EXAMPLE", "gsk_abcdefghijklmnop"],
)
def test_keys_are_taken_out(secret: str) -> None:
    assert without_secrets(f"401 for key {secret}, try another") == "401 for key [secret], try another"


def test_tokens_and_signatures_are_taken_out() -> None:
    assert without_secrets("Authorization: Bearer abc.def-ghi_jkl=") == "Authorization: Bearer [secret]"
    link = "https://b.s3/plans/x?X-Amz-Credential=A%2Fb&X-Amz-Signature=0123abcd&X-Amz-Expires=60"
    clean = "https://b.s3/plans/x?X-Amz-Credential=[secret]&X-Amz-Signature=[secret]&X-Amz-Expires=60"
    assert without_secrets(link) == clean


def test_only_free_text_of_an_event_is_looked_at() -> None:
    data = {
        "step": "a b c d",
        "run": 1,
        "message": "he said a b c d",
        "error": {"message": "a b c d!", "failed_step": "a b c d"},
    }
    assert data_without_prompt(data, "a b c d") == {
        "step": "a b c d",
        "run": 1,
        "message": "he said [prompt]",
        "error": {"message": "[prompt]!", "failed_step": "a b c d"},
    }
