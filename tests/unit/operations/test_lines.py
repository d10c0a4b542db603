"""Lines about operations: their form, their short keys, and which progress makes one."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.programs.lines import Coalescer, Line, OperationProgress
from planloom.planes.programs.node_values import NodeProgress

AT = OperationProgress(step=2, steps=5, label="read Plan", rows=42)


@pytest.mark.parametrize(
    ("line", "text", "meta"),
    [
        (
            Line(handle="s0_o1", sign="+", n=1, commit="pc0", verdict="review"),
            "`s0_o1` + pc0 review",
            {"continuity": {"p": "running", "h": "s0_o1"}, "op": {"n": 1, "+": 1, "c": "pc0"}},
        ),
        (
            Line(handle="s0_o1", sign="~", n=2, progress=AT),
            "`s0_o1` ~ 2/5 read Plan 42r",
            {
                "continuity": {"p": "running", "h": "s0_o1"},
                "op": {"n": 2, "~": 1, "s": "2/5", "l": "read Plan", "r": 42},
            },
        ),
        (
            Line(handle="s0_o1", sign="=", n=3, progress=AT),
            "`s0_o1` = 2/5 read Plan",
            {"continuity": {"p": "running", "h": "s0_o1"}, "op": {"n": 3, "=": 1, "s": "2/5", "l": "read Plan"}},
        ),
        (
            Line(handle="s0_o1", sign="!", n=4, progress=AT),
            "`s0_o1` ! 42r",
            {"continuity": {"p": "succeeded", "h": "s0_o1"}, "op": {"n": 4, "!": 1, "r": 42}},
        ),
        (
            Line(handle="s0_o1", sign="x", n=5, progress=AT),
            "`s0_o1` x",
            {"continuity": {"p": "cancelled", "h": "s0_o1"}, "op": {"n": 5, "x": 1}},
        ),
        (
            Line(handle="s0_o1", sign="?", n=6, message="It\nbroke."),
            "`s0_o1` ? It broke.",
            {"continuity": {"p": "failed", "h": "s0_o1"}, "op": {"n": 6, "?": 1}},
        ),
    ],
    ids=["accepted", "running", "unchanged", "succeeded", "cancelled", "failed"],
)
def test_a_line_has_its_sign_and_the_same_with_short_keys(line: Line, text: str, meta: object) -> None:
    assert (line.text, line.meta) == (text, meta)


def test_a_part_without_a_total_and_0_rows_are_left_out() -> None:
    assert Line(handle="s0_o1", sign="~", n=1).text == "`s0_o1` ~"
    assert Line(handle="s0_o1", sign="!", n=1).text == "`s0_o1` !"
    label = OperationProgress(step=1, steps=3, label="read Plan")
    assert Line(handle="s0_o1", sign="~", n=1, progress=label).text == "`s0_o1` ~ 1/3 read Plan"


def seen(step: int, rows: int) -> NodeProgress:
    return NodeProgress(step, 5, f"step {step}", rows, f"n{step}")


def test_growth_of_rows_within_a_step_makes_a_line_at_most_every_2_seconds() -> None:
    clock = [0.0]
    coalescer = Coalescer(lambda: clock[0])
    made = []
    for tenth in range(61):
        clock[0] = tenth / 10
        if coalescer.offer(seen(1, tenth + 1)):
            made.append(clock[0])
    assert made == [0.0, 2.0, 4.0, 6.0]


def test_growth_that_made_no_line_is_the_rest() -> None:
    coalescer = Coalescer(lambda: 0.0)
    rests = []
    for step, rows in ((1, 10), (1, 30), (1, 20), (2, 0)):
        coalescer.offer(seen(step, rows))
        rest = coalescer.rest()
        rests.append(rest and (rest.step, rest.rows))
    assert rests == [None, (1, 30), (1, 30), None]


def test_a_change_of_step_makes_a_line_at_once() -> None:
    coalescer = Coalescer(lambda: 0.0)
    assert [bool(coalescer.offer(seen(step, 0))) for step in (1, 1, 2, 3, 3)] == [True, False, True, True, False]


def test_a_worker_that_takes_over_does_not_repeat_the_last_line() -> None:
    last = OperationProgress(step=2, steps=5, label="step 2", rows=7)
    coalescer = Coalescer(lambda: 0.0, last)
    assert [coalescer.offer(seen(step, rows)) for step, rows in ((1, 3), (2, 7), (2, 0))] == [None] * 3
    assert coalescer.offer(seen(2, 8)) == last.model_copy(update={"rows": 8})


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 50), st.floats(0, 1)), max_size=60))
def test_steps_of_lines_never_go_back_whatever_runs_side_by_side(
    progress: list[tuple[int, int, float]],
) -> None:
    clock = [0.0]
    coalescer = Coalescer(lambda: clock[0])
    made: list[tuple[float, OperationProgress]] = []
    for step, rows, pause in progress:
        clock[0] += pause
        if line := coalescer.offer(seen(step, rows)):
            made.append((clock[0], line))
    steps = [line.step for _, line in made]
    assert steps == sorted(steps)
    for (before, one), (after, other) in pairwise(made):
        assert one.step < other.step or (after - before >= 2 and one.rows < other.rows)
