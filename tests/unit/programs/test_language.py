"""The language of programs: what can be written, what it means, and where an error is."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.planes.programs import syntax as s
from planloom.planes.programs.errors import ProgramError
from planloom.planes.programs.grammar import AGGREGATES, SETS
from planloom.planes.programs.parse import parse
from planloom.planes.programs.print import print_program
from tests.thorough import THOROUGH

NORMAL = [
    "Plan",
    'Plan("a b")',
    "Plan.filter{state = completed}[title, created_at].sort(-created_at).limit(10)",
    'Plan.filter{not (a = 1 or b != "x") and c in [1, true, null] and exists(d.e)}',
    "Run.group_by(state, kind).aggregate(count, sum(steps), min(created_at), count(note))",
    "Run.aggregate(count)",
    "Run.distinct()",
    "Run.distinct(state, kind)",
    'x = Plan("a")\nx.runs.events[name]',
    'Run.stop("a", why="it \\"hangs\\" in C:\\\\", at=[1, -2.5, x.id], more={"a b": null})',
    "Run.filter{steps > 3}.for_each(Run.stop(each.id))",
    "a = Run\nb = Run\na union b minus (a intersect b)",
    "page(s0_pg2)[title]",
    "wait(s0_o1)",
    "cancel(s0_o12)",
]


@pytest.mark.parametrize("text", NORMAL)
def test_a_program_in_normal_form_is_printed_as_it_is(text: str) -> None:
    assert print_program(parse(text)) == text


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Run.filter(state = failed)", "Run.filter{state = failed}"),
        ("Run.filter{state == 'failed'}", 'Run.filter{state = "failed"}'),
        ("Run.count()", "Run.aggregate(count)"),
        ("Run.group_by(state).sum(steps)", "Run.group_by(state).aggregate(sum(steps))"),
        ('Plan.get("a")', 'Plan("a")'),
        ("Plan(7f3e1a2b-1111-2222-3333-444455556666)", 'Plan("7f3e1a2b-1111-2222-3333-444455556666")'),
        ("Plan(step-1)", "Plan(step-1)"),
        ("Run.filter{created_at >= 2026-01-31}", 'Run.filter{created_at >= "2026-01-31"}'),
        ("Run.filter{created_at >= now - 7d}", "Run.filter{created_at >= now-7d}"),
        ("Run.stop(now=3, at=today)", "Run.stop(now=3, at=today)"),
        ("x=Plan;y=Run", "x = Plan\ny = Run"),
        ("# a note\nx = Plan # another\n\n;\nx\n  .limit(3)\n", "x = Plan\nx.limit(3)"),
        ("(\nPlan\n)[\ntitle,\nstate\n]", "Plan[title, state]"),
        ("a\nunion b", "a union b"),
        ("Plan;Run;\n; ", "Plan\nRun"),
        ("wait(s0_o1);", "wait(s0_o1)"),
    ],
)
def test_other_ways_to_write_it_mean_the_same(text: str, normal: str) -> None:
    assert print_program(parse(text)) == normal
    assert parse(text) == parse(normal)


@pytest.mark.parametrize(
    ("text", "line", "column", "nearest"),
    [
        ("", 1, 1, ""),
        ("Plan.fliter{state = failed}", 1, 12, "filter"),
        ("Plan.limt(3).", 1, 14, ""),
        ("Run.group_by(state).agregate(count, sum(steps))", 1, 40, ""),
        ("Run unon Plan", 1, 5, "union"),
        ("Run.where{state = failed}", 1, 10, "filter"),
        ("Plan.filter{state = }", 1, 21, ""),
        ("Plan.filter{", 1, 13, ""),
        ("x = Plan\ny = x.limit(0)", 2, 13, ""),
        ("x = Plan\n\n  y = 3", 3, 7, ""),
        ("Plan[title, title]", 1, 13, ""),
        ("wait(s0_o1); Plan", 1, 1, ""),
        ("x = wait(s0_o1)", 1, 5, ""),
        ("cancel(s0_pg8)[id].limit(1)", 1, 1, ""),
        ("Plan.sections union (wait(s0_o1).limit(2))", 1, 22, ""),
        ("page = Plan", 1, 1, ""),
        ("Run.stop(a, 1e999)", 1, 13, ""),
        ("Run.stop(x=1, x=2)", 1, 15, ""),
        ("(" * 40 + "Plan" + ")" * 40, 1, 33, ""),
        ("Plan" + ".runs" * 101, 1, 505, ""),
        ("union", 1, 1, ""),
        ('"comp', 1, 1, ""),
        ("Plan." + "x" * 201, 1, 6, ""),
        ('Plan\n("\ud800")', 2, 3, ""),
        ("Plan\nunion", 2, 6, ""),
    ],
)
def test_an_error_says_where_it_is_and_what_was_meant(text: str, line: int, column: int, nearest: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    error = caught.value
    assert (error.line, error.column, error.nearest) == (line, column, nearest)
    assert error.details["line"] == line


def test_an_error_says_what_was_expected() -> None:
    with pytest.raises(ProgramError) as caught:
        parse("Plan.limit(three)")
    assert caught.value.expected == ("a number",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('Plan.filter{title = "comp}', 'Line 1, column 21: The quote " is not closed.'),
        ("page(5)", "page takes one handle, for example page(s0_pg1)."),
        ("wait(5)", "wait takes one handle, for example wait(s0_o1)."),
    ],
)
def test_an_error_names_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(ProgramError, match=re.escape(said)):
        parse(text)


@pytest.mark.parametrize(("text", "expected"), [("wait(s0_o1;", {")"}), ("Plan;\n.limit(3)", {".", "[", "the end"})])
def test_an_error_offers_only_what_may_be_written_there(text: str, expected: set[str]) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert expected <= set(caught.value.expected) <= {*expected, "(", "=", "union, intersect or minus"}


NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True).filter(
    lambda name: (
        name not in {"in", "or", "and", "not", "contains", "page", "wait", "cancel", "each", "get", "now", "today"}
        and name not in {*AGGREGATES, *SETS, "true", "false", "null", "exists", "lower"}
    )
)
ENTITIES = st.sampled_from(["Plan", "Run", "Event"])
METHODS = {"filter", "sort", "limit", "group_by", "aggregate", "distinct", "for_each"}
CALLED = NAMES.filter(lambda name: name not in METHODS)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(".".join)
NUMBERS = st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False, width=32)
LITERALS = st.builds(s.Literal, st.text(max_size=8) | NUMBERS | st.booleans() | st.none())
REFS = st.builds(s.Ref, PATHS)
MOMENTS = st.builds(s.Moment, st.from_regex(r"(now|today)[+-][0-9]{1,5}[mhdw]", fullmatch=True))
VALUES = st.recursive(
    LITERALS | REFS | MOMENTS,
    lambda inner: (
        st.builds(s.ListOf, st.lists(inner, max_size=3).map(tuple))
        | st.builds(s.ObjectOf, st.lists(st.tuples(st.text(max_size=4), inner), max_size=3).map(tuple))
    ),
    max_leaves=5,
)
SIGNS = st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "in", "contains"])


def _two(parts: st.SearchStrategy[s.Condition]) -> st.SearchStrategy[tuple[s.Condition, ...]]:
    return st.lists(parts, min_size=2, max_size=3).map(tuple)


CONDITIONS = st.recursive(
    LITERALS | REFS | MOMENTS,
    lambda inner: (
        st.builds(s.Compare, inner, SIGNS, inner)
        | st.builds(s.Either, _two(inner))
        | st.builds(s.Both, _two(inner))
        | st.builds(s.Not, inner)
        | st.builds(s.Function, st.sampled_from(["count", "exists", "lower"]), inner)
        | st.builds(s.Conditions, st.lists(inner, max_size=3).map(tuple))
    ),
    max_leaves=6,
)
UNIQUE = st.lists(REFS, min_size=1, max_size=3, unique=True).map(tuple)
AGGREGATIONS = st.lists(
    st.builds(s.Aggregation, st.sampled_from(AGGREGATES), REFS) | st.just(s.Aggregation("count")),
    min_size=1,
    max_size=3,
    unique=True,
).map(tuple)
ARGUMENTS = st.lists(
    st.builds(s.Argument, st.just("") | NAMES, VALUES), max_size=3, unique_by=lambda each: each.name or object()
).map(tuple)


def _extended(inner: st.SearchStrategy[s.Expression]) -> st.SearchStrategy[s.Expression]:
    return st.one_of(
        st.builds(s.Filter, inner, CONDITIONS),
        st.builds(s.Project, inner, UNIQUE),
        st.builds(
            s.Sort, inner, st.lists(st.builds(s.SortKey, REFS, st.booleans()), min_size=1, max_size=2).map(tuple)
        ),
        st.builds(s.Limit, inner, st.integers(1, 10**6)),
        st.builds(s.Aggregate, inner, UNIQUE | st.just(()), AGGREGATIONS),
        st.builds(s.Distinct, inner, UNIQUE | st.just(())),
        st.builds(s.Related, inner, CALLED),
        st.builds(s.Call, inner, CALLED, ARGUMENTS),
        st.builds(s.ForEach, inner, ENTITIES, CALLED, ARGUMENTS),
        st.builds(s.Combine, inner, st.sampled_from(SETS), inner),
    )


EXPRESSIONS = st.recursive(
    st.builds(s.Named, ENTITIES | NAMES) | st.builds(s.Get, ENTITIES, VALUES) | st.builds(s.Page, st.just("s0_pg1")),
    _extended,
    max_leaves=5,
)
PROGRAMS = st.builds(
    s.Program, st.lists(st.builds(s.Statement, EXPRESSIONS, st.just("") | NAMES), min_size=1, max_size=4).map(tuple)
)


@settings(max_examples=2_000 if THOROUGH else 150)
@given(PROGRAMS)
def test_random_programs_printed_and_parsed_again_are_equal(program: s.Program) -> None:
    assert parse(print_program(program)) == program


WORDS = (
    "Plan",
    "x",
    "=",
    ".",
    "filter",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    "\n",
    "limit",
    "3",
    '"a"',
    "union",
    "-",
    "#",
    "now-7d",
)


def random_text(random: Random) -> str:
    """A text of any characters, or of words of the language in any order."""
    if random.random() < 0.3:
        return "".join(chr(random.choice((random.randrange(32, 127), random.randrange(0x11000)))) for _ in range(30))
    return random.choice(("", " ")).join(random.choices(WORDS, k=random.randrange(13)))


def read(text: str) -> s.Program | ProgramError:
    try:
        return parse(text)
    except ProgramError as error:
        return error


def test_random_texts_give_an_error_with_a_position_and_never_an_exception() -> None:
    random = Random(7)
    for _ in range(100_000 if THOROUGH else 2_000):
        text = random_text(random)
        found = read(text)
        if isinstance(found, ProgramError):
            lines = text.split("\n")
            assert 1 <= found.line <= len(lines), text
            assert 1 <= found.column <= max(map(len, lines)) + 1, text
        else:
            assert parse(print_program(found)) == found, text
