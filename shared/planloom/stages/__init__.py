"""The pipeline, in order, on one screen: open this first, then one stage, then services/run_stage.py.

001 start ─┬─ 002 screening
           ├─ 003 premise_attack
           └─ 004 purpose ── 005 levers ── 006 scenarios ─┬─ 007 locations ───┐
                                                          ├─ 008 risks ───────┤
                                                          └─ 009 assumptions ─┤
      ┌───────────────────────────────────────────────────────────────────────┘
      ├─ 010 pre_project_assessment
      └─ 011 project_plan ─┬─ 012 governance          ├─ 017 data_collection
                           ├─ 013 related_resources   ├─ 018 documents
                           ├─ 014 team                ├─ 019 wbs ── 021, 022, 023 ── 026 schedule
                           ├─ 015 swot_analysis ── 016 expert_criticism
                           └─ 020 pitch
then 024 review_plan, 027 questions_answers, 028 premortem; then 025 executive_summary, 029 self_audit;
last 030 report. The longest chain of model calls is 15 rounds, two
of them for the facts.
"""

from typing import Any

from planloom.stages import (
    assumptions,
    data_collection,
    documents,
    executive_summary,
    expert_criticism,
    governance,
    levers,
    locations,
    pitch,
    pre_project_assessment,
    premise_attack,
    premortem,
    project_plan,
    purpose,
    questions_answers,
    related_resources,
    report,
    review_plan,
    risks,
    scenarios,
    schedule,
    screening,
    self_audit,
    start,
    swot_analysis,
    task_dependencies,
    task_durations,
    team,
    wbs,
    wbs_level3,
)
from planloom.stages.stage import Stage

PIPELINE: tuple[Stage[Any], ...] = (
    start.STAGE,
    screening.STAGE,
    premise_attack.STAGE,
    purpose.STAGE,
    levers.STAGE,
    scenarios.STAGE,
    locations.STAGE,
    risks.STAGE,
    assumptions.STAGE,
    pre_project_assessment.STAGE,
    project_plan.STAGE,
    governance.STAGE,
    related_resources.STAGE,
    team.STAGE,
    swot_analysis.STAGE,
    expert_criticism.STAGE,
    data_collection.STAGE,
    documents.STAGE,
    wbs.STAGE,
    pitch.STAGE,
    task_dependencies.STAGE,
    task_durations.STAGE,
    wbs_level3.STAGE,
    review_plan.STAGE,
    executive_summary.STAGE,
    schedule.STAGE,
    questions_answers.STAGE,
    premortem.STAGE,
    self_audit.STAGE,
    report.STAGE,
)

_BY_NAME = {stage.name: stage for stage in PIPELINE}
_BY_KEY = {stage.key: stage for stage in PIPELINE}


def stage_named(name: str) -> Stage[Any]:
    """Return the stage *name*; raise KeyError where there is none."""
    return _BY_NAME[name]


def stage_with_key(key: str) -> Stage[Any]:
    """Return the stage with number *key* (``016``); raise KeyError where there is none."""
    return _BY_KEY[key]


def before(stage: Stage[Any]) -> tuple[Stage[Any], ...]:
    """Return every stage before *stage* in the graph, each once, in order of number."""
    names: set[str] = set()
    todo = list(stage.needs)
    while todo:
        name = todo.pop()
        if name not in names:
            names.add(name)
            todo += stage_named(name).needs
    return tuple(earlier for earlier in PIPELINE if earlier.name in names)
