"""The goal in segments: whole, in order, each with what was understood of it."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.facts.fact import Ban, Day, Demand, Facts, Money, Quantity, Spanned, Unverified
from planloom.planes.strategic.report.goal_marks import Segment, segments
from planloom.planes.strategic.report.understood import understood

GOAL = "Open a café. It must cost at most EUR 90,000 by 03/04/2027, with 48 seats, 7 lamps and no plastic."


def span(words: str, goal: str = GOAL) -> dict[str, object]:
    start = goal.index(words)
    return {"text": words, "start": start, "end": start + len(words)}


def facts(**found: object) -> Facts:
    return Facts(title="Café", subject="a café", objective=Spanned(**span("Open a café.")), **found)


READ = facts(
    money=(Money(**span("EUR 90,000"), low=90000, high=90000, currency="EUR", role="total"),),
    days=(
        Day(
            **span("03/04/2027"),
            earliest=date(2027, 3, 4),
            latest=date(2027, 4, 3),
            role="deadline",
            ambiguous=True,
        ),
    ),
    demands=(Demand(**span("It must cost at most EUR 90,000 by 03/04/2027"), strength="must", subject="cost"),),
    bans=(Ban(**span("no plastic"), kind="word", what="plastic"),),
    quantities=(Quantity(text="60", start=0, end=0, by="caller", low=60, high=60, noun="seats"),),
    unread=(Spanned(**span("48")), Spanned(**span("7 lamps"))),
)


def test_each_span_is_a_segment_and_nested_ones_have_both_kinds():
    assert segments(GOAL, READ) == (
        Segment(text="Open a café. "),
        Segment(text="It must cost at most ", kinds=("demand",), labels=("must: cost",)),
        Segment(
            text="EUR 90,000",
            kinds=("money", "demand"),
            labels=("must: cost", "total: EUR 90,000"),
        ),
        Segment(text=" by ", kinds=("demand",), labels=("must: cost",)),
        Segment(
            text="03/04/2027",
            kinds=("date", "demand"),
            labels=("must: cost", "deadline: 4 March 2027 or 3 April 2027, two readings"),
        ),
        Segment(text=", with "),
        Segment(text="48", kinds=("unread",), labels=("not understood",)),
        Segment(text=" seats, "),
        Segment(text="7 lamps", kinds=("unread",), labels=("not understood",)),
        Segment(text=" and "),
        Segment(text="no plastic", kinds=("ban",), labels=("a word that the plan does not print",)),
        Segment(text="."),
    )


def test_spans_that_cross_are_cut_where_the_other_begins_and_ends():
    crossing = facts(
        demands=(Demand(**span("cost at most EUR"), strength="should"),),
        quantities=(Quantity(**span("most EUR 90,000"), low=90000, high=90000),),
    )

    assert [(each.text, each.kinds) for each in segments(GOAL, crossing) if each.kinds] == [
        ("cost at ", ("demand",)),
        ("most EUR", ("quantity", "demand")),
        (" 90,000", ("quantity",)),
    ]


def test_a_span_that_does_not_fit_the_goal_is_left_out():
    assert segments("Another goal.", READ) == (Segment(text="Another goal."),)
    assert segments("", READ) == ()


def test_corrections_by_the_caller_are_listed_without_a_place_in_the_goal():
    corrected = [item for item in understood(READ) if item.by == "caller"]

    assert [(item.kind, item.label) for item in corrected] == [("quantity", "60 seats")]


def test_a_long_line_break_within_a_span_still_fits():
    goal = "It costs EUR\n   90,000."
    read = facts(money=(Money(text="EUR 90,000", start=9, end=22, low=9e4, high=9e4, currency="EUR", role="other"),))

    assert [each.text for each in segments(goal, read)] == ["It costs ", "EUR\n   90,000", "."]


@given(st.lists(st.tuples(st.integers(0, len(GOAL)), st.integers(0, len(GOAL))), max_size=12))
def test_the_texts_joined_are_the_goal_whatever_the_spans(spans):
    quantities = tuple(Quantity(text=GOAL[a:b], start=a, end=b, low=n, high=n) for n, (a, b) in enumerate(spans))
    made = segments(GOAL, facts(quantities=quantities))

    assert "".join(each.text for each in made) == GOAL
    covered = {at for a, b in spans for at in range(a, b) if GOAL[a:b].split()}
    marked = {at for at, kinds in _each(made) if kinds}
    assert marked == covered


def _each(made):
    at = 0
    for segment in made:
        for _ in segment.text:
            yield at, segment.kinds
            at += 1


def test_what_could_not_be_verified_marks_nothing():
    read = facts(unverified=(Unverified(field="money", said="EUR 90,000", quote="EUR 90,000", reason="not a total"),))

    assert segments(GOAL, read) == (Segment(text=GOAL),)
