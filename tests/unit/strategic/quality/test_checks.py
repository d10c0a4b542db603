"""What each check finds, with both places, and what it lets pass."""

from dataclasses import replace
from datetime import date

import pytest

from planloom.planes.strategic.compute.computed import Finding as Found
from planloom.planes.strategic.facts.fact import Quantity, Spanned
from planloom.planes.strategic.quality import demands, denied, figures, length, missing, printed, repeated
from planloom.planes.strategic.quality.checks import CHECKS, assess
from planloom.planes.strategic.quality.draft import GOAL_FILE, SCHEDULE_FILE, SPINE_FILE
from planloom.planes.strategic.quality.finding import Place
from planloom.planes.strategic.quality.words import carries, terms
from tests.unit.strategic.quality.plans import (
    DRAFT,
    GOVERNANCE,
    PITCH,
    PLAN,
    RISKS,
    SUMMARY,
    whole,
    with_line,
    with_pages,
)

NAMES = "computed denied demands figures printed repeated missing length".split()  # noqa: SIM905


def found(check, draft):
    """Return severity, first and second file of each finding."""
    return [(f.severity, f.places[0].file, f.places[1].file) for f in check.check(draft).findings]


def messages(check, draft):
    return [f.message for f in check.check(draft).findings]


def computed(*findings):
    draft = whole()
    return replace(draft, computed=draft.computed.model_copy(update={"findings": findings}))


def gap(severity="high", places=("L3 Kitchen: EUR 60,000 on 3 May 2027", "F1 Loan: on 1 June 2027"), check="money.gap"):
    return Found(id="x:L3", check=check, severity=severity, ids=("L3",), text="Money is short.", places=places)


def spoken(language):
    draft = whole()
    return replace(draft, facts=draft.facts.model_copy(update={"language": language}))


# all together


def test_a_plan_without_a_fault_has_no_finding_and_scores_a_hundred():
    quality = assess(whole())

    assert quality.findings == ()
    assert quality.score == 100
    assert [checked.check for checked in quality.checks] == NAMES
    assert all(any(c.isdigit() for c in checked.looked_at) for checked in quality.checks), "each says what it read"


def test_the_score_is_a_hundred_less_the_weights_and_an_outline_has_none():
    draft = with_line(GOVERNANCE, "The chair is [insert name].")

    assert assess(draft).score == 85
    outline = assess(draft, scored=False)
    assert (outline.score, outline.summary.score, outline.summary.findings.high) == (None, None, 1)


def test_what_different_checks_of_the_computation_find_is_capped_for_each():
    gaps = [gap(places=(f"L{n} Line", "F1 Loan")) for n in range(4)]
    loads = [gap("medium", check="load.over") for _ in range(9)]

    assert assess(computed(*gaps)).score == 75
    assert assess(computed(*gaps, *loads)).score == 50


def test_of_one_check_forty_findings_are_kept_the_gravest_first():
    quality = assess(computed(*(gap("low") for _ in range(45)), gap("high")))

    [checked] = [each for each in quality.checks if each.check == "computed"]
    assert (len(checked.findings), checked.left_off, checked.findings[0].severity) == (40, 6, "high")


# computed


def test_a_finding_of_the_computation_keeps_its_name_its_severity_and_its_places():
    [finding] = assess(computed(gap())).findings

    assert (finding.check, finding.severity, finding.message) == ("money.gap", "high", "Money is short.")
    assert finding.places == (
        Place(file=SPINE_FILE, quote="L3 Kitchen: EUR 60,000 on 3 May 2027"),
        Place(file=SPINE_FILE, quote="F1 Loan: on 1 June 2027"),
    )


def test_a_finding_with_one_place_disagrees_with_what_was_computed():
    [finding] = assess(computed(gap(places=("L3 Kitchen",)))).findings

    assert [place.file for place in finding.places] == [SPINE_FILE, SCHEDULE_FILE]


# denied


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
    outcome = denied.check(with_line(PITCH, said))

    assert [(f.severity, f.places[0].file) for f in outcome.findings] == [("high", PITCH)]
    assert outcome.most == most


@pytest.mark.parametrize(
    "said",
    [
        "The goal names no budget for training.",
        "No budget is set aside for a second oven.",
        "The goal names no start date.",
        "The landlord sets no deadline.",
    ],
)
def test_what_the_goal_does_not_give_may_be_said_to_be_missing(said):
    assert found(denied, with_line(PITCH, said)) == []


def test_amounts_and_dates_that_no_fact_holds_are_high_and_other_numbers_are_not_reported():
    pieces = ("€3,200", "2.5 million euros", "1 May 2027", "48", "2027-05-01", "ISO 9001")
    unread = tuple(Spanned(text=text, start=0, end=len(text)) for text in pieces)
    draft = whole()

    odd = replace(draft, facts=draft.facts.model_copy(update={"unread": unread}))
    assert [m.split("”")[0] for m in messages(denied, odd)] == [
        "The goal says “€3,200",
        "The goal says “2.5 million euros",
        "The goal says “1 May 2027",
        "The goal says “2027-05-01",
    ]


def test_a_plan_that_denies_its_budget_scores_fifty_at_most():
    assert assess(with_line(PITCH, "The goal names no budget.")).score == 50


# demands


def test_a_number_of_the_goal_that_is_nowhere_is_medium_and_low_where_its_part_is_not_known():
    draft = whole()
    seats = Quantity(text="77 seats", start=0, end=8, low=77, high=77, role="other")
    more = draft.facts.model_copy(update={"quantities": (*draft.facts.quantities, seats)})

    assert found(demands, replace(draft, facts=more)) == [("low", PLAN, GOAL_FILE)]
    assert found(demands, with_pages({SUMMARY: "# Summary\n\nOpen by 31 August 2027, for EUR 400,000."})) == [
        ("medium", PLAN, GOAL_FILE)
    ]


@pytest.mark.parametrize(
    ("language", "said", "severities"),
    [
        ("en", "The café opens on 2027-08-31.", []),
        ("de", "Das Café öffnet am 31. August 2027.", []),
        ("de", "The café opens on 31 August 2027.", []),
        ("ja", "2027年8月31日に開店する。", []),
        ("en", "It opens in summer.", ["medium"]),
    ],
)
def test_the_deadline_of_the_goal_is_in_the_plan_in_any_form(language, said, severities):
    draft = with_pages({SUMMARY: f"# Summary\n\n{said} It has 40 seats and costs EUR 400,000."}, spoken(language))

    assert [severity for severity, *_ in found(demands, draft)] == severities


def test_a_demand_that_no_section_and_no_row_answers_is_medium():
    assert found(demands, with_pages({PLAN: "# Plan\n\nNothing of it."})) == [("medium", SPINE_FILE, GOAL_FILE)]


@pytest.mark.parametrize(
    ("title", "severities"),
    [("Order single-use plastic cups", ["high"]), ("Replace single-use plastic cups", []), ("Order cups", [])],
)
def test_a_package_that_does_what_the_goal_rules_out_is_high(title, severities):
    draft = whole()
    first, *rest = draft.spine.packages
    packages = (first.model_copy(update={"title": title}), *rest)
    odd = replace(draft, spine=draft.spine.model_copy(update={"packages": packages}))

    assert [severity for severity, *_ in found(demands, odd)] == severities


# figures


def test_a_figure_that_no_program_knows_is_medium():
    draft = replace(whole(), unknown_figures=(("021-2-pitch.md", "P99.end"),))

    assert found(figures, draft) == [("medium", "021-2-pitch.md", SPINE_FILE)]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("The kitchen costs EUR 987,654 and is there on 3 March 2031.", "EUR 987,654, 3 March 2031"),
        ("The whole costs EUR 400,000, about 0.4 million euros, by 31 August 2027.", ""),
        ("Critics said “EUR 987,654”.", ""),
        ("The hall has 12 tables and 3 doors.", ""),
        ("A month costs EUR 987 a seat (assumed).", ""),
    ],
)
def test_amounts_and_days_of_the_main_document_that_no_row_has_are_low(said, named):
    said_of = messages(figures, with_line(RISKS, said))

    assert [message.rpartition(": ")[2] for message in said_of] == ([named] if named else [])


def test_amounts_are_read_as_in_english_or_as_in_the_language_of_the_goal():
    said = "Das Ganze kostet EUR 400,000, also 400.000 EUR, und nicht 987.654 EUR."

    [message] = messages(figures, with_line(RISKS, said, spoken("de")))
    assert message.rpartition(": ")[2] == "987.654 EUR"


def test_amounts_of_annexes_are_not_compared():
    assert found(figures, with_line(GOVERNANCE, "A comparable house cost EUR 987,654.")) == []


def test_rows_that_a_text_names_and_no_table_shows_are_low_once_a_page():
    shown = with_line(GOVERNANCE, "| Id | Risk |\n|---|---|\n| K1 | Damp |\n| P3 Tender | Late |")
    named = with_line(RISKS, "K1 delays P3, and K2 delays P4 (P80, A4 paper in Q3).\n\nK2 again.", shown)

    assert messages(figures, named) == ["No table of the report shows the rows that this text names: K2, P4, A4"]


# printed


def test_a_banned_word_is_high_once_a_page_and_low_in_a_draft_that_was_replaced():
    draft = with_line(PITCH, "A vibrant place.\n\nVibrant evenings.", with_line(DRAFT, "A vibrant text."))

    assert found(printed, draft) == [("high", PITCH, GOAL_FILE), ("low", DRAFT, GOAL_FILE)]


def test_a_placeholder_is_high():
    draft = with_line(GOVERNANCE, "The chair is [insert name of chair].")

    assert messages(printed, draft) == ["A placeholder was left in: “[insert name of chair]”."]
    assert found(printed, draft) == [("high", GOVERNANCE, GOVERNANCE)]


def test_a_heading_with_nothing_under_it_is_medium():
    draft = with_line(GOVERNANCE, "## Deputies\n\n## Keys\n\nIn the safe.\n\n## Seals\n\n### Large\n\nIn a drawer.")

    assert [(f.severity, f.places[0].quote) for f in printed.check(draft).findings] == [("medium", "## Deputies")]


# repeated

RULE = "Changes above EUR 5,000 need the signatures of both partners before the order is placed with any supplier."


def test_a_rule_that_is_stated_in_two_sections_is_low_and_names_both():
    draft = with_line(PLAN, RULE, with_line(GOVERNANCE, f"- {RULE}"))

    assert found(repeated, draft) == [("low", GOVERNANCE, PLAN)]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (PITCH, RULE),
        (SUMMARY, RULE),
        (GOVERNANCE, RULE.replace("5,000", "9,000")),
        (GOVERNANCE, f"The board was told: “{RULE}”"),
        (GOVERNANCE, "Changes need two signatures."),
        (DRAFT, RULE),
    ],
    ids=["condensed", "summarised", "another figure", "quoted", "short", "replaced draft"],
)
def test_what_condenses_quotes_or_says_something_else_repeats_nothing(file, said):
    assert found(repeated, with_line(PLAN, RULE, with_line(file, said))) == []


def test_a_rule_that_one_section_states_twice_is_low():
    assert found(repeated, with_line(GOVERNANCE, f"{RULE}\n\nTo repeat it.\n\n{RULE}")) == [
        ("low", GOVERNANCE, GOVERNANCE)
    ]


def test_a_section_that_copies_another_is_one_finding():
    things = ("door", "oven", "counter", "till", "store", "yard")
    copied = "\n\n".join(
        f"The {thing} is looked after by the role that opens the café in the morning and locks it late, every day."
        for thing in things
    )

    draft = with_line(PLAN, copied, with_line(GOVERNANCE, copied))
    assert ("medium", GOVERNANCE, PLAN) in found(repeated, draft)


# missing


def test_each_part_that_the_model_did_not_write_is_a_finding():
    sentence = "The model gave no usable answer for “risks”; this part is missing."

    [finding] = missing.check(replace(whole(), missing={RISKS: (sentence,)})).findings
    assert (finding.severity, finding.message) == ("medium", sentence)
    assert finding.places == (Place(file=RISKS, quote=sentence), Place(file=RISKS, quote="risks"))


# length


@pytest.mark.parametrize(
    ("main", "annex", "count"), [(11_001, 0, 1), (10_000, 19_000, 0), (10_000, 20_500, 1), (11_001, 20_000, 2)]
)
def test_a_plan_longer_than_its_limits_is_low(main, annex, count):
    draft = with_line(GOVERNANCE, "word " * annex, with_pages({RISKS: f"# Risks\n\n{'word ' * main}"}))

    assert [severity for severity, *_ in found(length, draft)] == ["low"] * count


def test_drafts_that_were_replaced_are_no_part_of_the_length():
    assert found(length, with_line(DRAFT, "word " * 40_000)) == []


# words


def test_what_a_text_is_about_is_seen_where_no_spaces_part_its_words():
    document, package = terms("賃貸借契約書"), terms("店舗の賃貸借契約を締結する")

    assert carries(document, package, 1 / 3)
    assert not carries(document, terms("パン職人を採用する"), 1 / 3)
    assert terms("The lease of 48 seats") == {"lease", "48", "seat"}


def test_the_list_of_checks_is_that_of_the_report():
    assert [module.CHECK for module in CHECKS] == NAMES
    assert whole().today == date(2026, 1, 12)
