"""The least answer that a schema allows, for every schema that a stage sends."""

from datetime import date
from importlib import import_module
from pkgutil import walk_packages

import pytest

from planloom import stages
from planloom.domain.frozen import Answer
from planloom.models.blank_answer import MISSING, blank_answer
from planloom.stages.parts.documents_answer import DocumentRow

DAY = date(2027, 5, 1)


def answers() -> list[type[Answer]]:
    """Return every answer of every stage."""
    for module in walk_packages(stages.__path__, f"{stages.__name__}."):
        import_module(module.name)
    found, todo = set[type[Answer]](), [Answer]
    while todo:
        new = set(todo.pop().__subclasses__()) - found
        found |= new
        todo += new
    return sorted(
        (each for each in found if each.__module__.startswith(stages.__name__)), key=lambda each: each.__name__
    )


@pytest.mark.parametrize("answer", answers(), ids=lambda answer: answer.__name__)
def test_every_answer_of_a_stage_can_be_left_blank(answer: type[Answer]) -> None:
    assert isinstance(blank_answer(answer, DAY), answer)


def test_a_blank_answer_says_in_every_text_that_it_is_missing() -> None:
    assert blank_answer(DocumentRow, DAY) == DocumentRow(
        id="missing",
        kind="create",
        title=MISSING.strip(),
        purpose=MISSING.strip(),
        role=MISSING.strip(),
        approval=MISSING.strip(),
        by=DAY,
    )
