"""Each row has a digest that changes with the row and with nothing else."""

from datetime import date

from planloom.planes.strategic.spine.digests import row_digests
from planloom.planes.strategic.spine.rows import Frame, Package, Role
from planloom.planes.strategic.spine.spine import Spine

SPINE = Spine(
    frame=Frame(title="Ferry", objective="Cross", start=date(2027, 1, 4)),
    roles=(Role(id="R1", title="Skipper"),),
    packages=(Package(id="P1", title="Order the hull", owner="R1"),),
)


def test_only_the_row_that_was_changed_gets_another_digest() -> None:
    changed = SPINE.model_copy(update={"packages": (SPINE.packages[0].model_copy(update={"likely": 9}),)})
    before, after = row_digests(SPINE), row_digests(changed)
    assert set(before) == {"frame", "R1", "P1"}
    assert {id_ for id_ in before if before[id_] != after[id_]} == {"P1"}


def test_the_frame_has_a_digest_too() -> None:
    changed = SPINE.model_copy(update={"frame": SPINE.frame.model_copy(update={"budget": 5})})
    before, after = row_digests(SPINE), row_digests(changed)
    assert {id_ for id_ in before if before[id_] != after[id_]} == {"frame"}
