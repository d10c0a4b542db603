"""Stage 030: main document, annexes and how the plan was made; the checks; and the mark that the plan is complete."""

import asyncio
import json
import re
from dataclasses import replace
from datetime import timedelta
from functools import cache

import pytest

from planloom.core.artifacts import COMPLETE, QUALITY, REPORT
from planloom.core.usage import Usage
from planloom.planes.strategic.quality.draft import PLAN_FILE, SCHEDULE_FILE, SPINE_FILE, START_FILE
from planloom.planes.strategic.report import annexes
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.stages.report import NEEDS, ORDER, STAGE, SUPERSEDED, Report, checked_draft, files
from planloom.planes.strategic.stages.results import Annexes, Chapter
from tests.unit.strategic.quality.plans import GOAL, facts
from tests.unit.strategic.stages.reported import cafe, report_context

EVERY = [name for names in ORDER.values() for name in names]


def context(**texts):
    return report_context(*cafe(facts(), GOAL), **texts)


def outline(**texts):
    return report_context(*cafe(facts(), GOAL), outline_only=True, **texts)


def drafted(context) -> Report:
    return asyncio.run(STAGE.draft(context))


@cache
def report():
    return drafted(context())


def section(html, name):
    return html.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def test_every_section_of_the_pipeline_is_in_the_page_once_but_the_drafts_that_were_replaced():
    made = [each.name for stage in PIPELINE for each in stage.sections]

    assert sorted((*EVERY, *SUPERSEDED)) == sorted(made)
    assert sorted(NEEDS) == sorted(stage.name for stage in PIPELINE if stage.name != "report")
    assert not STAGE.asks_model


def test_the_files_that_checks_name_are_those_of_the_stages():
    paths = {path for stage in PIPELINE for path in stage.section_paths.values()}

    assert {PLAN_FILE, SCHEDULE_FILE, SPINE_FILE, START_FILE} <= paths


def test_sections_are_shown_in_order_the_goal_after_the_first_and_the_checks_before_how_it_was_made():
    found = re.findall(r'<section id="([a-z_0-9]+)"', report().html)
    texts = context().texts
    main, annex, paper = ([name for name in ORDER[part] if name in texts] for part in ("main", "annex", "paper"))

    assert found == [main[0], "goal", *main[1:], *annex, "quality", "claims", *paper]
    assert report().sections == (*main, *annex, *paper)


def test_the_main_document_is_open_and_the_rest_is_folded():
    opened = re.findall(r'<section id="([a-z_0-9]+)"[^>]*>\s*<details open>', report().html)

    assert opened == list(ORDER["main"])


def test_each_part_begins_with_its_name_and_its_length():
    texts = {name: "" for name in EVERY if name not in ("schedule", "executive_summary", "pitch", "start")}
    html = drafted(context(**texts, executive_summary="# Summary\n\none two three", schedule="# Schedule\n\nfour")).html

    parts = re.findall(r'<dl class="card part"><dt>([^<]+)</dt><dd>([^<]+)</dd>', html)
    # headings count as words
    assert parts[0] == ("Main document", "6 words in 2 sections")
    assert [name for name, _ in parts] == ["Main document", "Annexes", "How this plan was made"]


def test_a_section_that_is_empty_is_left_out_and_one_has_the_number_of_its_stage():
    html = drafted(context(pitch="")).html

    assert '<section id="pitch"' not in html
    assert '<span class="number">021</span>' in section(html, "scenarios")


def test_the_figures_of_the_first_page_are_those_of_the_computation():
    _, plan = cafe(facts(), GOAL)
    computed = plan.results["schedule"].computed
    cards = report().html.partition('class="cards"')[2].partition("</dl>")[0]
    shown = dict(re.findall(r"<dt>([^<]+)</dt><dd[^>]*>([^<]+)</dd>", cards))

    [end] = [odds for odds in computed.odds if odds.what == "end"]
    days = [computed.start, end.computed, end.p80]
    assert [shown[name] for name in ("Starts", "Computed end", "80% sure by")] == [f"{d.day} {d:%B %Y}" for d in days]
    assert (shown["Cost"], shown["Funding gap"], shown["Work packages"]) == ("EUR 380,270", "none", "17")
    assert shown["Highest risk"].startswith("K1: EUR 25,000 at 20%")


def test_a_dated_demand_that_is_missed_is_counted_and_the_verdict_is_a_warning():
    goal, plan = cafe(facts(), GOAL)
    made = plan.results["schedule"]
    odds = tuple(
        each.model_copy(update={"due": each.computed - timedelta(days=1)}) if each.what == "N1" else each
        for each in made.computed.odds
    )
    late = made.model_copy(update={"computed": made.computed.model_copy(update={"odds": odds})})
    html = drafted(report_context(goal, replace(plan, results={**plan.results, "schedule": late}))).html

    assert re.search(r'<dt>Dated demands</dt><dd dir="auto">1 of 2 kept</dd>\s*<dd[^>]*>computed too late: N1<', html)
    assert ('class="verdict good"' in report().html, 'class="verdict warn"' in html) == (True, True)


def test_the_chart_has_every_package_gate_and_dated_demand_and_the_needs():
    _, plan = cafe(facts(), GOAL)
    spine = plan.results["schedule"].spine
    html = report().html

    wanted = [*(row.id for row in (*spine.packages, *spine.gates)), *(d.id for d in spine.demands if d.due)]
    assert sorted(re.findall(r'data-id="([^"]+)"', html)) == sorted(wanted)
    assert html.count('class="g-arrow') == sum(len(package.needs) for package in spine.packages)


def test_an_outline_says_so_and_has_no_score_whatever_its_models_are_called():
    made = drafted(outline())

    assert "Drafted by outline, without a language model" in made.html
    assert made.quality.score is None
    assert '<dt>Quality</dt><dd dir="auto">not scored</dd>' in made.html
    named = context()
    assert (
        "without a language model"
        not in drafted(replace(named, about=replace(named.about, models=("outline", "a-model")))).html
    )


def test_a_goal_in_another_language_is_named():
    goal, plan = cafe(facts().model_copy(update={"language": "de"}), GOAL)

    assert "The goal seems to be in German." in drafted(report_context(goal, plan)).html


@pytest.mark.parametrize(
    ("usage", "said"),
    [
        (Usage(calls=3), "3 questions asked and answered."),
        (
            Usage(calls=3, retries=1, input_tokens=2000, cached_tokens=500, output_tokens=900, unpriced=3),
            "2 questions asked and answered (1 requests repeated): 2,000 tokens read, 500 of them cached, 900 written, "
            "price not known.",
        ),
    ],
)
def test_the_footer_says_what_the_plan_cost(usage, said):
    priced = context()
    html = drafted(replace(priced, about=replace(priced.about, usage=usage))).html

    assert said in html.partition("<footer>")[2]


def test_drafts_that_were_replaced_are_checked_and_not_shown():
    made = drafted(context(second_draft="# Second draft\n\nA vibrant quarter."))

    [finding] = [each for each in made.quality.findings if each.check == "printed"]
    assert (finding.severity, finding.places[0].file) == ("low", "004-3-second_draft.md")
    assert "A vibrant quarter" not in made.html.replace(section(made.html, "quality"), "")


def test_what_the_model_did_not_write_and_figures_that_do_not_exist_are_findings():
    plain = context()
    written = plain.results["main_document"].model_copy(update={"missing": ("The chapter Money is missing.",)})
    pitch = Chapter(name="pitch", title="Pitch", text="Open on (not known).", unknown_figures=("P99.end",))
    results = {**plain.results, "main_document": written, "annexes": Annexes(chapters=(pitch,))}
    checked = checked_draft(replace(plain, results=results))

    assert checked.missing == {"020-2-project_plan.md": ("The chapter Money is missing.",)}
    assert checked.unknown_figures == (("021-2-pitch.md", "P99.end"),)


def test_a_plan_with_ten_times_the_text_is_a_page_of_a_megabyte_and_annexes_that_are_its_files(monkeypatch):
    monkeypatch.setattr(annexes, "RENDERED_CHARS", 1_000_000)
    texts = {name: f"# {name}\n\n" + "A sentence of the plan that fills a line. \n\n" * 1500 for name in ORDER["annex"]}
    made = drafted(context(**texts))

    assert len(made.html.encode()) <= 1_000_000
    assert made.annexes
    assert made.annexes.keys() <= files(made).keys()
    assert sorted(re.findall(r"<code data-file='([^']+)'>", made.html)) == sorted(made.annexes)
    assert not [path for path in made.annexes if any(f"annex-{name}." in path for name in ORDER["main"])]


def test_the_report_the_checks_and_the_mark_of_completion_are_its_files():
    made = files(report())

    assert set(made) == {REPORT, QUALITY, COMPLETE}
    assert json.loads(made[QUALITY])["score"] == report().quality.score
    assert made[COMPLETE] == f"Complete: {len(report().sections)} sections in 030-report.html.\n"


def test_the_same_plan_gives_the_same_page():
    assert drafted(context()).html == report().html
