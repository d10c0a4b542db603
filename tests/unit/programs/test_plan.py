"""The dry run: what a program would do, its verdict, and the id of what it means."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.core.endpoint import Effect
from planloom.planes.programs.commit import commit_id
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.names import CALLS_ALIKE, nearest
from planloom.planes.programs.parse import parse
from planloom.planes.programs.plan import ProgramPlan
from planloom.planes.programs.verdict import Policy
from tests.thorough import THOROUGH
from tests.unit.programs.catalogs import CATALOG


def planned(text: str, policy: Policy | None = None) -> ProgramPlan:
    return compile_program(parse(text), CATALOG, policy or Policy())


@pytest.mark.parametrize(
    ("text", "verdict", "expensive"),
    [
        # a bare list with the default page of 25 rows
        ("Plan", "ok", False),
        ("Plan[title]", "ok", False),
        ("Plan.limit(25)", "ok", False),
        ('Plan("a")', "ok", False),
        ('Plan("a").runs', "ok", False),
        ('Run("r").plan[title]', "ok", False),
        ("Run.filter{state = failed}.limit(5)", "ok", False),
        ("Run.limit(30)[id]", "ok", False),
        ('Run.log("r")', "ok", False),
        ("page(s0_pg1)", "ok", False),
        ("Run.limit(5).sort(-steps)", "ok", False),
        # an unprojected read of many rows
        ("Run.limit(30)", "review", False),
        # an unbounded root or return
        ("Run.filter{state = failed}", "review", True),
        ("Run.filter{steps > 3}.limit(5)", "review", True),
        # computing over a whole collection
        ("Run.count()", "review", True),
        ("Run.group_by(state).count()", "review", True),
        ("Run.sort(steps).limit(3)", "review", True),
        ("Run.distinct(state)", "review", True),
        # a list without pages is one call
        ('Run("r").events.filter{name = started}', "review", False),
        ('Run("r").events.sort(name).limit(3)', "review", False),
        ('Run("r").events.filter{name = started}.limit(3)', "ok", False),
        # fan-out
        ("Run.limit(3).for_each(Run.log(each.id))", "review", False),
        ("Run.limit(3).plan", "review", True),
        ("Plan.limit(3).runs[id].limit(9)", "review", True),
        # any mutation
        ('Run.stop("r")', "review", False),
        ('Plan.create("Ferry")', "review", False),
        ("Run.limit(3).for_each(Run.stop(each.id))", "review", True),
        # a binding that nothing uses
        ('x = Plan("a")\nRun.limit(3)', "review", False),
    ],
)
def test_verdict(text: str, verdict: str, expensive: bool) -> None:
    plan = planned(text)
    assert (plan.verdict, plan.expensive, bool(plan.reasons)) == (verdict, expensive, verdict != "ok")


@pytest.mark.parametrize(
    ("text", "column", "nearest"),
    [
        ("Rum.limit(3)", 1, "Run"),
        ("Run[stat]", 5, "state"),
        ("Run[id, stat]", 9, "state"),
        ("Run.distinct(id, stat)", 18, "state"),
        ("Run.aggregate(count, sum(stepz))", 26, "steps"),
        ("Run.limit(2).for_each(Rum.stop(each.id))", 23, "Run"),
        ("Run.limit(2).for_each(Run.stpo(each.id))", 27, "stop"),
        ("Run.filter{sttae = failed}", 12, "state"),
        ("Run.filter{state = faild}", 20, "failed"),
        ("Run.filter{state in [failed, done]}", 30, ""),
        ("Run.filter{steps > many}", 20, ""),
        ("Run.sort(-stepz)", 11, "steps"),
        ("Run.group_by(stae).count()", 14, "state"),
        ("Run.sum(state)", 9, ""),
        ("Run.evnts", 5, "events"),
        ("Run.order_by(steps)", 5, "sort"),
        ("Run.stop()", 5, ""),
        ('Run.stpo("a")', 5, "stop"),
        ('Run.cancel("a")', 5, "stop"),
        ('Plan.add("a")', 6, "create"),
        ('Plan.execute("a")', 6, "start"),
        ("Plan.average(steps)", 6, "avg"),
        ('Run.stop("a", wy="b")', 15, "why"),
        ('Run.stop("a", "b", "c")', 5, ""),
        ('Plan.create("a", count=ten)', 24, ""),
        ('Plan.create("a", detail=briev)', 25, "brief"),
        ("Run.stop(x.id)", 10, ""),
        ("x = Run; Run.stop(x)", 19, ""),
        ("x = Run; x.stop()", 12, ""),
        ("x = Run; x = Plan", 10, ""),
        ("Run = Plan", 1, ""),
        ('Event("e")', 1, ""),
        ("Event", 1, ""),
        ("Run union Plan", 5, ""),
        ("Run[state] union Run", 12, ""),
        ("Run.limit(2).for_each(Run.stop(each.idd))", 32, "id"),
        ('Plan.create("a", detai=brief)', 18, "detail"),
        ("Run.count()[stat]", 13, ""),
        ("Run.count().events", 13, ""),
        ('Plan.create("a").runs', 18, ""),
        ("page(s0_pg1).runs", 14, ""),
        ("Run.count().stop()", 13, ""),
        ('Plan.create("a").stop()', 18, ""),
    ],
)
def test_what_cannot_run_needs_a_fix_and_says_where(text: str, column: int, nearest: str) -> None:
    plan = planned(text)
    assert plan.verdict == "needs_fix"
    assert (plan.problems[0].line, plan.problems[0].column, plan.problems[0].nearest) == (1, column, nearest)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Plan.select(id)", "Plan has no capability select. Did you mean [id, title]?"),
        (
            "Plan.limit(3).map(id)",
            "Plan has no capability map. Did you mean [id, title] or for_each(Plan.start(each.id))?",
        ),
        ('Run("a").plans()', "Run has no capability plans. Did you mean plan without brackets?"),
        ("Run.limit(3).stop()", "stop is called on many rows: use .for_each(Run.stop(each.id))."),
    ],
)
def test_an_unknown_call_is_answered_with_the_form_that_is_meant(text: str, said: str) -> None:
    assert [each.message for each in planned(text).problems] == [said]


@pytest.mark.parametrize(("word", "meant"), [("delte", "delete"), ("remove", "delete"), ("select", ""), ("resume", "")])
def test_a_call_that_destroys_is_suggested_for_its_synonyms_and_misspellings_only(word: str, meant: str) -> None:
    assert nearest(word, ["delete"], CALLS_ALIKE) == meant


def test_a_program_with_thousands_of_wrong_names_is_refused_at_the_first_of_them() -> None:
    plan = planned("\n".join(f"Thing{n}.filter{{a{n} = 1}}" for n in range(3_000)))
    assert (plan.verdict, len(plan.problems), len(plan.nodes)) == ("needs_fix", 20, 38)


def test_a_word_that_a_field_may_have_is_a_text_even_where_a_field_or_binding_is_called_so() -> None:
    plan = planned('failed = Plan("a")\nRun.filter{state in [failed, stopped] and plan_id = failed}[id]')
    assert [node.args for node in plan.nodes if node.op == "filter"] == [
        {"where": 'state in ["failed", "stopped"] and plan_id = _1.id'}
    ]


def test_an_object_cannot_stand_for_the_value_of_another_node() -> None:
    plan = planned('Run.stop("a", why={"$ref": [0, "id"]})')
    assert [each.message for each in plan.problems] == ["Names that begin with $ cannot be used in objects."]


def test_the_policy_of_the_account_denies_by_effect_and_by_name() -> None:
    assert planned('Run.stop("r")', Policy(deny_effects=(Effect.DESTROYS,))).verdict == "deny"
    assert planned('Run.stop("r")', Policy(deny=("Run.stop",))).reasons == ("The account's policy denies Run.stop.",)
    assert planned("Run.limit(3)", Policy(deny=("Run",))).verdict == "deny"
    assert planned('Run.log("r")', Policy(deny_effects=(Effect.DESTROYS,), deny=("Run.stop",))).verdict == "ok"


def test_a_plan_says_what_it_reads_calls_and_changes() -> None:
    plan = planned(
        'p = Plan("a")\n'
        "r = Run.filter{plan_id = p.id and steps > 3}[id, state].limit(50)\n"
        "r.for_each(Run.log(each.id))\n"
        'r.for_each(Run.stop(each.id))\nPlan.create("Ferry")'
    )
    assert plan.reads == (
        "Plan: one row by its id",
        "Run: at most 50 rows where plan_id = p.id and steps > 3 (the backend does not filter by steps)",
    )
    assert plan.calls == ("Run.log for each row, at most 50",)
    assert plan.changes == ("Run.stop for each row, at most 50 (destroys)", "Plan.create (changes)")
    assert [plan.bounds[node] for node in plan.returns] == [50, 50, 1]


def test_a_plan_survives_as_json() -> None:
    plan = planned('p = Plan("a")\nRun.filter{plan_id = p.id}[id].sort(-id)')
    again = ProgramPlan.model_validate_json(plan.model_dump_json())
    assert again == plan
    assert commit_id(again) == commit_id(plan)


SAME = [
    ('Run.stop("a", why={x: 1, y: 2})', 'Run.stop(why={"y": 2, "x": 1}, run_id="a")'),
    ("x = Run.limit(3)\nx[id]", "other=Run . limit( 3 ) ;\n\n other [ id ]"),
    ("Run.filter{state = failed}", "Run.filter( state == 'failed' )"),
    ("a = Run.limit(2); b = Plan.limit(3); a; b", "b = Plan.limit(3); a = Run.limit(2); a; b"),
    ("a = Run.filter{state = failed}; b = Run.filter{steps > 3}; (a union b)[id]",) * 2,
    (
        'p = Plan("a"); q = Plan("b"); x = Run.filter{plan_id = p.id or plan_id = q.id}; x.count()',
        'q = Plan("b"); z = Plan("a"); y = Run.filter{plan_id = z.id or plan_id = q.id}; y.count()',
    ),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_id_ignores_names_spacing_and_the_order_of_independent_nodes(one: str, other: str) -> None:
    assert commit_id(planned(one)) == commit_id(planned(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run.limit(3)", "Run.limit(4)"),
        ("Run.limit(3)", "Plan.limit(3)"),
        ("Run[id, state]", "Run[state, id]"),
        ("Run.sort(id)", "Run.sort(-id)"),
        ("Run.filter{steps > 3}", 'Run.filter{steps > "3"}'),
        ('Run.stop("a")', 'Run.stop("b")'),
        ('Run.stop("a")', 'Run.stop("a", why="b")'),
        ('Run.stop("a"); Run.stop("b")', 'Run.stop("b"); Run.stop("a")'),
        ('Run.count(); Run.stop("a")', 'Run.stop("a"); Run.count()'),
        ('Run.stop("a")', 'Run.stop("a"); Run.stop("a")'),
        ("a = Run.limit(2); b = Run.limit(3); (a minus b)[id]", "a = Run.limit(2); b = Run.limit(3); (b minus a)[id]"),
        ("x = Run.limit(2); x[id]", "x = Run.limit(2); x[id]; x"),
        ("Run.limit(2); Plan.limit(2)", "Plan.limit(2); Run.limit(2)"),
    ],
)
def test_the_id_ignores_nothing_else(one: str, other: str) -> None:
    assert commit_id(planned(one)) != commit_id(planned(other))


def test_the_id_covers_the_version_and_leaves_out_what_is_only_shown() -> None:
    plan = planned("Run[id].sort(id)")
    shown = {"reasons": ("x",), "reads": (), "labels": {}, "verdict": "ok", "expensive": False, "bounds": {}}
    assert commit_id(plan.model_copy(update=shown)) == commit_id(plan)
    assert commit_id(plan.model_copy(update={"version": plan.version + 1})) != commit_id(plan)
    assert commit_id(plan.model_copy(update={"returns": ()})) != commit_id(plan)


LINES = st.lists(st.tuples(st.sampled_from(["Run", "Plan"]), st.integers(1, 5), st.booleans()), min_size=2, max_size=6)


@settings(max_examples=1_000 if THOROUGH else 60)
@given(LINES, st.randoms(use_true_random=False))
def test_any_order_of_independent_bindings_and_any_names_give_the_same_id(
    lines: list[tuple[str, int, bool]], shuffled: random.Random
) -> None:
    bound = [
        f"v{n} = {entity}.limit({rows})" + ("[id]" if projected else "")
        for n, (entity, rows, projected) in enumerate(lines)
    ]
    returns = [f"v{n}.count()" for n in range(len(lines))]
    moved = list(bound)
    shuffled.shuffle(moved)
    renamed = re.sub(r"\bv(\d)", r"name_\1", " ;\n ".join([*moved, *returns]))
    assert commit_id(planned("\n".join([*bound, *returns]))) == commit_id(planned(renamed))
