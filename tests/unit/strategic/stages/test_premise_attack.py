"""One call attacks the premise through five lenses; each lens has one attack, or is named as missing."""

import asyncio
from typing import Any

from planloom.planes.strategic.stages.premise_attack import LENSES, STAGE, PremiseAttack
from tests.unit.strategic.stages.contexts import make_context


def attack(lens: str, **fields: Any) -> dict[str, Any]:
    return {
        "lens": lens,
        "attack": f"Sixty bicycles an hour is what {lens} says, and nobody has counted twenty.",
        "evidence": "“60 bicycles”",
        "verdict": "shaky",
        "because": "Nobody has counted them.",
        "test": "Count them on three mornings.",
        "kills": "Fewer than 20 an hour.",
        "role": "project lead",
        "by": "2026-12-01",
        **fields,
    }


def attacked(**context: Any) -> PremiseAttack:
    return asyncio.run(STAGE.draft(make_context("premise_attack", **context)))


def test_the_attacks_of_one_answer_are_kept_in_the_order_of_the_lenses() -> None:
    answer = {"attacks": [attack(lens) for lens in reversed(LENSES)]}
    result = attacked(answers={"attacks": answer})
    assert [found.lens for found in result.attacks] == list(LENSES)
    assert not result.missing


def test_a_second_attack_through_a_lens_is_dropped_and_a_lens_without_one_is_named() -> None:
    second = attack("need", verdict="fails")
    answer = {"attacks": [*(attack(lens) for lens in LENSES if lens != "opposition"), second]}
    result = attacked(answers={"attacks": answer})
    assert [found.verdict for found in result.attacks] == ["shaky"] * 4
    assert len(result.missing) == 1
    assert "opposition" in result.missing[0]


def test_the_page_shows_each_test_with_the_result_that_would_end_it() -> None:
    page = STAGE.pages(attacked(answers={"attacks": {"attacks": [attack("need")]}}))["premise_attack"]
    assert "Fewer than 20 an hour." in page
    assert "1 December 2026" in page


def test_a_lost_answer_leaves_a_section_that_says_what_is_missing() -> None:
    result = attacked()
    assert result.attacks == ()
    assert "Missing" in STAGE.files(result)["003-2-premise_attack.md"]


def test_without_a_model_nothing_is_asked_and_the_page_says_what_belongs_there() -> None:
    asked: list[Any] = []
    result = attacked(outline_only=True, asked=asked)
    assert asked == []
    assert "five lenses" in STAGE.pages(result)["premise_attack"]
