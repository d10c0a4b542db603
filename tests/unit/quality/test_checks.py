"""What each check finds beside the fault that stands for it, and what it lets pass."""

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest

from planloom.domain.calendars import WorkCalendar
from planloom.domain.facts import Closure, Spanned
from planloom.quality import (
    actions,
    carried,
    dates,
    deadline,
    demands,
    denied,
    missing,
    money,
    names,
    network,
    people,
    register,
    wording,
)
from planloom.quality.checks import assess
from planloom.quality.draft import PLAN_FILE, RISKS_FILE, SUMMARY_FILE, Post, Wait
from planloom.quality.finding import Place
from planloom.quality.words import carries, terms
from tests.unit.quality.planted import GOVERNANCE, PITCH, moved, on_a
from tests.unit.quality.whole import whole, with_line, with_pages, with_text
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def found(check, draft):
    """Return severity, first and second file of each finding."""
    return [(f.severity, f.places[0].file, f.places[1].file) for f in check.check(draft).findings]


def messages(check, draft):
    return [f.message for f in check.check(draft).findings]


# 1. deadline


def test_a_late_end_that_page_one_does_not_state_is_high():
    draft = whole(CAFE)
    assert draft.schedule.end > draft.schedule.deadline
    hidden = with_pages(draft, {SUMMARY_FILE: "# Executive summary\n\nAll is well.\n"})

    assert found(deadline, hidden) == [("high", SUMMARY_FILE, "026-2-schedule.md")]


def test_a_milestone_that_misses_its_day_must_be_marked_late():
    draft = whole(NURSE_APP)
    bars = tuple(replace(bar, day=date(2031, 1, 6), spare=4) if bar.target else bar for bar in draft.schedule.bars)
    late = replace(draft, schedule=replace(draft.schedule, bars=bars, verdict="late"))
    marked = tuple(replace(bar, spare=-4) if bar.target else bar for bar in bars)

    unmarked = [m for m in messages(deadline, late) if "does not mark it late" in m]
    assert len(unmarked) == sum(bar.target is not None for bar in bars)
    told = replace(late, schedule=replace(late.schedule, bars=marked))
    assert not [m for m in messages(deadline, told) if "does not mark it late" in m]


def test_work_in_a_forbidden_month_names_the_goals_words():
    draft = whole(FLOOD_WALL)
    words = "between April and September"
    at = draft.prompt.index(words)
    summer = Closure(text=words, start=at, end=at + len(words), forbidden=False, months=tuple(range(4, 10)))
    calendar = WorkCalendar(draft.schedule.start, (summer,))
    first = replace(draft.schedule.jobs[0], calendar=calendar, starts_on=calendar)
    jobs = (first, *draft.schedule.jobs[1:])
    facts = draft.facts.model_copy(update={"closures": (summer,)})
    bound = replace(draft, facts=facts, schedule=replace(draft.schedule, jobs=jobs))

    [finding] = deadline.check(moved(bound, first.id, on_a(1, date(2028, 1, 10)))).findings
    assert finding.severity == "high"
    assert finding.places[1].file == "001-2-plan.txt"
    assert "between April and September" in finding.places[1].quote


# 2. network


def test_a_start_on_a_sunday_is_high():
    draft = whole(CAFE)
    job = draft.schedule.jobs[0]

    said = messages(network, moved(draft, job.id, date(2026, 11, 8)))
    assert f"{job.id} “{job.title}” starts on Sunday, 8 November 2026, a closed day." in said


def test_packages_one_after_the_other_without_need_are_a_serial_chain():
    draft = whole(CAFE)
    day = date(2026, 11, 3).toordinal()
    weekdays = [date.fromordinal(day + n) for n in range(400) if date.fromordinal(day + n).weekday() < 5]
    jobs = tuple(replace(job, start=weekdays[n], end=weekdays[n]) for n, job in enumerate(draft.schedule.jobs))
    chain = replace(draft, schedule=replace(draft.schedule, jobs=jobs, waits=()))

    assert len([m for m in messages(network, chain) if "follow one another" in m]) == 1
    needed = tuple(Wait(after.id, before.id) for before, after in pairwise(jobs))
    ordered = replace(chain, schedule=replace(chain.schedule, waits=needed))
    assert not [m for m in messages(network, ordered) if "follow one another" in m], "each waits for the one before"


def test_estimates_that_are_all_the_same_are_no_estimates():
    draft = whole(CAFE)
    jobs = tuple(replace(job, days=10) for job in draft.schedule.jobs)
    equal = replace(draft, schedule=replace(draft.schedule, jobs=jobs))

    assert messages(network, equal) == [
        f"{len(jobs)} of {len(jobs)} packages take 10 working days each: the estimates are no estimates."
    ]


def test_a_dependency_on_a_package_that_is_not_there_is_found():
    draft = whole(CAFE)
    waits = (*draft.schedule.waits, replace(draft.schedule.waits[0], after="99.9"))

    assert found(network, replace(draft, schedule=replace(draft.schedule, waits=waits))) == [
        ("medium", "021-2-task_dependencies.md", "026-2-schedule.md")
    ]


# 3. dates


def test_a_milestone_whose_title_names_another_day_is_found():
    draft = whole(CAFE)
    gates = (replace(draft.gates[0], title="Gate on 1 February 2030"), *draft.gates[1:])

    assert found(dates, replace(draft, gates=gates)) == [("medium", PLAN_FILE, PLAN_FILE)]


def test_an_action_dated_before_the_start_is_high():
    draft = whole(CAFE)
    first = replace(draft.actions[0], by="by 3 March 2024", day=None)

    assert found(dates, replace(draft, actions=(first, *draft.actions[1:]))) == [("high", first.file, "001-2-plan.txt")]


def test_the_day_of_a_bar_in_words_passes():
    draft = whole(CAFE)
    job = max(draft.schedule.jobs, key=lambda job: len(job.title))
    said = f"{job.title} starts on {job.start.isoformat()} and is told to all."

    assert found(dates, with_line(draft, PITCH, said)) == []


# 4. money


def test_a_line_that_its_phases_do_not_make_is_high():
    draft = whole(CAFE)
    first, *rest = draft.budget.lines
    odd = first.model_copy(update={"by_phase": (first.by_phase[0] + 7, *first.by_phase[1:])})

    lines = draft.budget.model_copy(update={"lines": (odd, *rest)})
    assert found(money, replace(draft, budget=lines)) == [("high", PLAN_FILE, PLAN_FILE)]


# 5. register


def test_a_figure_that_disagrees_in_a_table_is_found_with_its_claim():
    row = "| Item | Figure |\n|---|---|\n| All in | The budget is EUR 300,000. |"

    [finding] = register.check(with_line(whole(CAFE), GOVERNANCE, row)).findings
    assert finding.severity == "low"
    assert finding.places[0] == Place(file=GOVERNANCE, quote="The budget is EUR 300,000.")
    assert finding.places[1].quote.startswith("start.budget: The budget of the whole is EUR 240,000")


def test_a_sample_counted_elsewhere_is_no_figure_of_the_plan():
    row = "| Question | Enough is |\n|---|---|\n| How many? | three cafés with 60 seats |"

    assert found(register, with_line(whole(CAFE), "017-2-data_collection.md", row)) == []


# facts that the plan denies


@pytest.mark.parametrize(
    ("said", "most"),
    [
        ("The goal names no budget.", 50),
        ("The goal does not state a budget, so one is assumed.", 50),
        ("No budget was found in the goal.", 50),
        ("The goal sets no deadline.", 100),
    ],
)
def test_a_fact_of_the_goal_that_the_plan_denies_is_high(said, most):
    outcome = denied.check(with_line(whole(CAFE), PITCH, said))

    assert [(f.severity, f.places[0].file) for f in outcome.findings] == [("high", PITCH)]
    assert outcome.most == most


@pytest.mark.parametrize(
    "said",
    [
        "The goal names no budget for training.",
        "The goal names no deadline by which the duct is approved.",
        "No budget is set aside for a second oven.",
        "The goal names no start date.",
        "The landlord sets no deadline.",
    ],
)
def test_what_the_goal_does_not_give_may_be_said_to_be_missing(said):
    assert found(denied, with_line(whole(CAFE), PITCH, said)) == []


def test_amounts_and_dates_that_no_fact_holds_are_high_and_other_numbers_are_not_reported():
    draft = whole(CAFE)
    pieces = ("€3,200", "2.5 million euros", "1 May 2027", "48", "2027-05-01", "ISO 9001")
    unread = tuple(Spanned(text=text, start=0, end=len(text)) for text in pieces)

    odd = replace(draft, facts=draft.facts.model_copy(update={"unread": unread}))
    assert [m.split("”")[0] for m in messages(denied, odd)] == [
        "The goal says “€3,200",
        "The goal says “2.5 million euros",
        "The goal says “1 May 2027",
        "The goal says “2027-05-01",
    ]


def test_a_plan_that_denies_its_budget_scores_fifty_at_most_and_an_outline_is_not_scored():
    draft = with_line(whole(CAFE), PITCH, "The goal names no budget.")

    assert assess(whole(CAFE)).score == 100
    assert assess(draft).score == 50
    outline = assess(draft, scored=False)
    assert (outline.score, outline.summary.score, outline.summary.findings.high) == (None, None, 1)


# 6. demands


def test_a_number_of_the_goal_that_stands_nowhere_is_medium():
    draft = whole(CAFE)
    pages = {file: text.replace("180", "many") for file, text in draft.pages.items()}

    assert ("medium", PLAN_FILE, "001-2-plan.txt") in found(demands, with_pages(draft, pages))


def test_a_demand_that_no_passage_takes_up_is_medium():
    draft = whole(CAFE)
    pages = dict.fromkeys(draft.pages, "# Section\n\nNothing of it.\n")

    said = [m for m in messages(demands, with_pages(draft, pages)) if m.startswith("No passage of the plan takes up")]
    assert len(said) == len([d for d in draft.facts.demands if "words" not in d.text])


def test_what_is_ruled_out_may_be_named_where_it_is_denied():
    assert found(demands, with_line(whole(CAFE), PITCH, "There will be no single-use plastic in the house.")) == []


# 7. people


def test_a_post_that_the_team_leaves_out_is_medium():
    draft = whole(CAFE)

    assert found(people, replace(draft, team=draft.team[1:])) == [("medium", "014-2-team.md", PLAN_FILE)]


def test_a_head_count_of_the_goal_that_the_plan_changes_is_high():
    draft = whole(CAFE)
    bakers = next(post for post in draft.posts if post.title.lower() == "bakers")
    changed = tuple(Post(p.title, 5) if p is bakers else p for p in draft.posts)

    draft = replace(draft, posts=changed, team=changed)
    assert found(people, draft) == [("high", PLAN_FILE, "001-2-plan.txt")]


@pytest.mark.parametrize(
    ("role", "count"), [("Chief synergy officer", 1), ("the team", 1), ("Partners and head baker", 0)]
)
def test_owners_are_roles_that_somebody_knows(role, count):
    draft = whole(CAFE)
    owned = (replace(draft.owned[0], role=role), *draft.owned[1:])

    assert len(found(people, replace(draft, owned=owned))) == count


# 8. wording


def test_a_heading_with_nothing_under_it_is_medium():
    draft = with_line(whole(CAFE), GOVERNANCE, "## Deputies\n\n## Keys\n\nIn the safe.")

    assert messages(wording, draft) == ["Nothing stands under the heading “Deputies”."]


def test_a_section_that_copies_another_is_medium():
    sentences = [
        f"The {thing} is looked after by whoever opens the house in the morning and locks it again late, every day."
        for thing in ("door", "oven", "counter", "till", "store", "yard")
    ]
    copied = "\n\n".join(sentences)
    draft = with_pages(whole(CAFE), {PITCH: f"# Pitch\n\n{copied}\n"})
    # the pitch may condense; the governance may not
    assert (
        found(wording, with_line(draft, GOVERNANCE, "Short."))
        == [
            ("low", PITCH, PITCH),
        ]
        * 5
    )
    both = with_pages(
        whole(CAFE), {"007-2-locations.md": f"# Places\n\n{copied}\n", RISKS_FILE: f"# Risks\n\n{copied}\n"}
    )
    assert ("medium", RISKS_FILE, "007-2-locations.md") in found(wording, both)


@pytest.mark.parametrize("said", ["The papers are:", "- keys, tills, etc.", "- doors and"])
def test_words_that_stop_before_they_end_are_low(said):
    assert [severity for severity, *_ in found(wording, with_line(whole(CAFE), GOVERNANCE, said))] == ["low"]


# 9. names


@pytest.mark.parametrize(
    ("said", "severity"),
    [
        ("The file goes to Dr. Helena Marques.", "medium"),
        ("As Silva et al. have shown, bread sells.", "medium"),
        ("The office is at 14 Garden Lane Street.", "medium"),
        ("Ask at office@lisbonpermits.example.", "medium"),
        ("The loan comes from Northern Harvest Bank.", "medium"),
        ("Waste falls under Directive 2019/904.", "medium"),
    ],
)
def test_names_out_of_nowhere_are_found(said, severity):
    assert [s for s, *_ in found(names, with_line(whole(CAFE), GOVERNANCE, said))] == [severity]


@pytest.mark.parametrize(
    "said",
    [
        "The loan may come from Northern Harvest Bank (to verify with the accountant).",
        "Alfama is a quarter of Lisbon.",
        "Risks are kept as in ISO 31000.",
        "The Project Plan and the Work Breakdown Structure agree.",
        "Buyers in Latin America and the Steering Group meet Anna Berg.",
    ],
)
def test_names_of_the_goal_of_the_field_and_those_to_verify_pass(said):
    assert found(names, with_line(whole(CAFE), GOVERNANCE, said)) == []


# 10. actions


def test_by_the_share_of_incomplete_actions_the_plan_cannot_be_acted_on():
    draft = whole(CAFE)
    half = len(draft.actions) // 2 + 1
    third = len(draft.actions) // 3
    vague = [replace(action, check="done") for action in draft.actions]

    many = replace(draft, actions=(*vague[:third], *draft.actions[third:]))
    most = replace(draft, actions=(*vague[:half], *draft.actions[half:]))
    assert found(actions, many)[0][0] == "medium"
    assert found(actions, most)[0][0] == "high"
    assert len(found(actions, most)) == half + 1


@pytest.mark.parametrize(
    ("changes", "lacks"),
    [
        ({"role": ""}, ("role",)),
        ({"role": "everyone"}, ("role",)),
        ({"by": "as soon as possible", "day": None}, ("date",)),
        ({"by": "soon", "day": None}, ("date",)),
        ({"by": "the gate after Fit-out", "day": None}, ()),
        ({"by": "", "day": date(2027, 1, 4)}, ()),
        ({"check": "Completed."}, ("check",)),
        ({"check": "TBD"}, ("check",)),
        ({"check": "Receipt on file"}, ()),
    ],
)
def test_what_an_action_lacks(changes, lacks):
    assert actions.lacking(replace(whole(CAFE).actions[0], **changes)) == lacks


@pytest.mark.parametrize(
    ("language", "by", "check", "lacks"),
    [
        ("de", "vor Vertragsunterschrift", "Abnahmeprotokoll", ()),
        ("pt", "antes da assinatura", "recibo arquivado", ()),
        ("ja", "契約の締結前", "領収書の写し", ()),
        ("ja", "", "領収書の写し", ("date",)),
        ("de", "n/a", "-", ("date", "check")),
    ],
)
def test_an_action_may_say_when_and_what_is_seen_in_any_language(language, by, check, lacks):
    action = replace(whole(CAFE).actions[0], by=by, check=check, day=None)

    assert actions.lacking(action, language) == lacks


# beside the ten


def test_a_document_that_nobody_makes_and_a_criterion_that_nobody_measures_are_low():
    draft = whole(CAFE)
    odd = replace(draft, documents=("Treatise on zeppelins",), criteria=("Seven zeppelins moored",))
    unread = replace(
        odd,
        schedule=replace(
            odd.schedule,
            jobs=tuple(replace(job, title="Lease signed", test="Copy on file") for job in odd.schedule.jobs),
        ),
    )

    assert [m.split(" ")[0] for m in messages(carried, unread)][:1] == ["“Treatise"]
    assert "No task measures this success criterion: “Seven zeppelins moored”" in messages(carried, unread)


def test_a_grave_risk_without_task_and_money_is_low():
    draft = whole(CAFE)
    odd = replace(draft.risks[0], id="R99", title="Zeppelins", action="Moor zeppelins", score=25, cost=0)
    poor = draft.budget.model_copy(update={"contingency": 0})

    assert messages(carried, replace(draft, risks=(odd,), budget=poor)) == [
        "R99 scores 25 of 25 and has no task and no money."
    ]


def test_filler_words_are_counted_per_thousand():
    text = "We leverage robust synergies to ensure a holistic and seamless experience. " * 40

    [message] = messages(carried, with_line(whole(CAFE), PITCH, text))
    assert message.endswith("filler words in a thousand: ensure, holistic, leverage, robust, seamless, synergies.")


def test_text_helper_plants_where_the_words_stand():
    draft = whole(CAFE)
    assert with_text(draft, PITCH, "# ", "## ").pages[PITCH].startswith("## ")


# other languages: the plan is written in that of its goal


def test_what_a_text_is_about_is_seen_where_no_spaces_part_its_words():
    document, package = terms("賃貸借契約書"), terms("店舗の賃貸借契約を締結する")

    assert carries(document, package, carried.ENOUGH)
    assert not carries(document, terms("パン職人を採用する"), carried.ENOUGH)
    assert terms("The lease of 48 seats") == {"lease", "48", "seat"}


@pytest.mark.parametrize(
    "said", ["am {d}. Dezember {y}", "{d} de dezembro de {y}", "le {d} décembre {y}", "{y}年{m}月{d}日", "{d}.{m}.{y}"]
)
def test_page_one_may_state_a_late_end_in_any_language(said):
    draft = whole(CAFE)
    end = draft.schedule.end
    # only the place of a month's name is seen
    text = "# Zusammenfassung\n\nEnde: " + said.format(d=end.day, m=end.month, y=end.year)

    assert found(deadline, with_pages(draft, {SUMMARY_FILE: text})) == []
    other = text.replace(str(end.year), str(end.year + 1))
    assert found(deadline, with_pages(draft, {SUMMARY_FILE: other})) == [("high", SUMMARY_FILE, "026-2-schedule.md")]


@pytest.mark.parametrize(
    "said",
    [
        "Das Baugesetz Building Code Act 2019 gilt, zu prüfen beim Bauamt.",
        "A lei Portuguese Heritage Act 2019 aplica-se, a confirmar com a câmara.",
        "Heritage Protection Act 2019 が適用される（要確認）。",
    ],
)
def test_the_mark_of_what_is_to_be_verified_is_read_in_other_languages(said):
    assert found(names, with_line(whole(CAFE), GOVERNANCE, said)) == []


# beside them: missing


def test_each_part_that_the_model_did_not_write_is_a_finding():
    sentence = "The model gave no usable answer for “register”; this part is missing."

    [finding] = missing.check(replace(whole(CAFE), missing={RISKS_FILE: (sentence,)})).findings

    assert (finding.severity, finding.message, finding.places[0]) == (
        "medium",
        sentence,
        Place(file=RISKS_FILE, quote=sentence),
    )
