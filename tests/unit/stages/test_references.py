"""Ids in answers: what they mean of what there is."""

from planloom.domain.frozen import Answer
from planloom.stages.parts.references import known_id, referring

KNOWN = {"lease": "Lease of the shop", "oven_power": "Power for the oven", "1.2": "Sign the lease"}


class Wait(Answer):
    """A wait."""

    task: str
    after: list[str]
    why: str


class Waits(Answer):
    """Waits."""

    waits: list[Wait]


def wait(task: str, *after: str) -> Wait:
    return Wait(task=task, after=list(after), why="lease")


def test_ids_become_the_nearest_that_there_are_in_fields_and_lists() -> None:
    given = Waits(waits=[wait("Oven-Power", "Lease of the Shop", "lease", "1.02 Sign", "1.3", "harbour"), wait("9.9")])

    assert referring(given, task=KNOWN, after=KNOWN) == Waits(waits=[wait("oven_power", "lease", "1.2"), wait("9.9")])


def test_ids_without_titles_are_matched_too() -> None:
    assert referring(wait("Lease"), task=KNOWN.keys()) == wait("lease")


def test_what_was_left_out_of_an_answer_stays_known() -> None:
    given = Waits(waits=[wait("Lease")]).leaving_out(3)

    assert referring(given, task=KNOWN).items_left_out == 3


def test_an_id_comes_before_a_title_and_an_invented_one_means_nothing() -> None:
    known = {"roof": "Walls", "walls": "Roof"}

    assert [known_id(said, known) for said in ("roof", "Roof", "harbour", "")] == ["roof", "roof", None, None]
