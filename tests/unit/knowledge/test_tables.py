"""Every archetype and topic file holds what the stages count on: ids that meet, shares that sum, texts that fill."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from pydantic import BaseModel

import planloom.knowledge
from planloom.knowledge.choose import speaks_of
from planloom.knowledge.tables import Archetype, Package, Row, Tables, Topic

FOLDER = Path(planloom.knowledge.__file__).parent
ARCHETYPES = sorted((FOLDER / "archetypes").glob("*.toml"))
TOPICS = sorted((FOLDER / "topics").glob("*.toml"))

ROLES = {"lead", "finance", "legal", "operations", "quality", "outreach"}
PHASES = ("prepare", "design", "build", "launch", "close")
PACKAGES = {"charter", "budget", "permits", "staffing", "procurement", "acceptance", "handover"}
ALWAYS = {"subject", "title", "place", "start", "deadline", "total", "capacity"}
WORDS = {"customers", "site", "operator", "launch", "product", "authority", "place", "capacity"}
#: These placeholders are filled with their own article.
WITH_ARTICLE = ("subject", "site", "operator", "product", "authority")
FILLER = re.compile(r"\b(?:robust|holistic|leverag\w+|ensur\w+|seamless\w*|synerg\w+)", re.IGNORECASE)
NOT_PRINTED = {"when", "unless", "keywords"}
STAGES = {
    "start", "screening", "premise_attack", "purpose", "levers", "scenarios", "locations", "risks", "assumptions",
    "pre_project_assessment", "project_plan", "governance", "related_resources", "team", "swot_analysis",
    "expert_criticism", "data_collection", "documents", "wbs", "pitch", "task_dependencies", "task_durations",
    "wbs_level3", "review_plan", "executive_summary", "schedule", "questions_answers", "premortem", "self_audit",
    "report",
}  # fmt: skip

LEAST_IN_ARCHETYPE = {
    "phases": 5, "deliverables": 6, "roles": 7, "costs": 8, "levers": 6, "risks": 14, "assumptions": 8,
    "stakeholders": 7, "permits": 4, "data": 6, "documents": 10, "experts": 5, "premises": 5, "swot": 16,
    "comparables": 4, "faqs": 12, "stories": 6, "audits": 8, "bodies": 3,
}  # fmt: skip
LEAST_IN_TOPIC = {
    "risks": 3, "deliverables": 1, "documents": 2, "experts": 1, "faqs": 2, "stories": 1, "swot": 2, "audits": 2,
}  # fmt: skip

archetype_files = pytest.mark.parametrize("path", ARCHETYPES, ids=lambda path: path.stem)
topic_files = pytest.mark.parametrize("path", TOPICS, ids=lambda path: path.stem)
all_files = pytest.mark.parametrize("path", [*ARCHETYPES, *TOPICS], ids=lambda path: f"{path.parent.name}/{path.stem}")


@cache
def archetype(path: Path) -> Archetype:
    return Archetype.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


@cache
def topic(path: Path) -> Topic:
    return Topic.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


def tables(path: Path) -> Archetype | Topic:
    return archetype(path) if path.parent.name == "archetypes" else topic(path)


def packages(source: Tables) -> list[Package]:
    return [p for d in source.deliverables for p in d.packages]


def applies(row: Row, words: tuple[str, ...]) -> bool:
    """Whether *row* is chosen by a prompt that consists of *words*."""
    prompt = ". ".join(words)
    if row.unless and speaks_of(prompt, row.unless):
        return False
    return not row.when or speaks_of(prompt, row.when)


def triggers(rows: tuple[Row, ...]) -> list[tuple[str, ...]]:
    """A prompt that says nothing, then one for every word on which a row hangs."""
    return [(), *sorted({(word,) for row in rows for word in (*row.when, *row.unless)})]


def texts(value: object, where: str = "") -> Iterator[tuple[str, str]]:
    """Every text that may be printed, with the place it stands in; conditions and keywords are not printed."""
    if isinstance(value, str):
        yield where, value
    for name, held in parts(value):
        yield from texts(held, f"{where}{name}")


def parts(value: object) -> list[tuple[str, object]]:
    """The printed parts of *value*, each with its step from there."""
    if isinstance(value, BaseModel):
        return [(f".{n}", getattr(value, n)) for n in type(value).model_fields if n not in NOT_PRINTED]
    if isinstance(value, dict):
        return [(f".{key}", held) for key, held in value.items()]
    if isinstance(value, tuple):
        return [(f"[{getattr(held, 'id', n)}]", held) for n, held in enumerate(value)]
    return []


def test_there_are_archetypes_and_topics() -> None:
    assert ARCHETYPES
    assert TOPICS


@all_files
def test_a_file_is_named_for_what_it_holds(path: Path) -> None:
    assert tables(path).name == path.stem


@archetype_files
def test_an_archetype_is_full_enough_to_plan_from(path: Path) -> None:
    kind = archetype(path)

    short = {t: len(getattr(kind, t)) for t, least in LEAST_IN_ARCHETYPE.items() if len(getattr(kind, t)) < least}

    assert short == {}


@archetype_files
@pytest.mark.parametrize("table", ["deliverables", "roles", "costs", "levers", "risks", "premises", "bodies"])
def test_a_prompt_that_calls_no_row_still_gets_a_plan(path: Path, table: str) -> None:
    rows = getattr(archetype(path), table)

    assert sum(applies(row, ()) for row in rows) >= 0.7 * LEAST_IN_ARCHETYPE[table]


@topic_files
def test_a_topic_adds_to_every_section_it_touches(path: Path) -> None:
    theme = topic(path)

    short = {t: len(getattr(theme, t)) for t, least in LEAST_IN_TOPIC.items() if len(getattr(theme, t)) < least}

    assert short == {}
    assert len(theme.levers) >= 1 or len(theme.data) >= 2
    assert len(theme.stakeholders) + len(theme.permits) >= 2
    assert len(theme.keywords) >= 6


@archetype_files
def test_phases_are_the_five_that_topics_refer_to(path: Path) -> None:
    kind = archetype(path)

    assert tuple(p.id for p in kind.phases) == PHASES
    assert all(not p.when and not p.unless for p in kind.phases)
    assert sum(p.budget_share for p in kind.phases) == pytest.approx(1)


@archetype_files
def test_costs_sum_to_the_whole_whichever_rows_a_prompt_calls(path: Path) -> None:
    rows = archetype(path).costs

    sums = {words: sum(c.share for c in rows if applies(c, words)) for words in triggers(rows)}

    assert sums == dict.fromkeys(sums, pytest.approx(1))


@archetype_files
def test_an_archetype_has_the_roles_packages_and_words_that_topics_refer_to(path: Path) -> None:
    kind = archetype(path)

    assert {r.id for r in kind.roles if applies(r, ())} >= ROLES
    assert {p.id for d in kind.deliverables if applies(d, ()) for p in d.packages if applies(p, ())} >= PACKAGES
    assert kind.words.keys() >= WORDS
    assert all(variant.words.keys() <= kind.words.keys() for variant in kind.variants)


@archetype_files
def test_words_fit_where_the_texts_put_them(path: Path) -> None:
    kind = archetype(path)
    given = [kind.words, *(v.words for v in kind.variants)]

    bare = [(w, words[w]) for words in given for w in WITH_ARTICLE[1:] if w in words and not _has_article(words[w])]
    doubled = [(w, words[w]) for words in given for w in ("customers",) if w in words and _has_article(words[w])]

    assert (bare, doubled) == ([], [])


def _has_article(phrase: str) -> bool:
    return re.match(r"(?:the|a|an|each|every|our|your|its|their|those|whoever)\b", phrase) is not None


@all_files
@pytest.mark.parametrize(
    "table", ["phases", "roles", "costs", "levers", "risks", "assumptions", "deliverables", "packages", "bodies"]
)
def test_ids_are_unique_in_the_file_and_in_what_is_planned_with_it(path: Path, table: str) -> None:
    others = TOPICS if path in ARCHETYPES else [t for t in TOPICS if t != path]
    elsewhere = {i: other.stem for other in others for i in ids(other, table)}
    found = ids(path, table)

    assert {i: n for i, n in Counter(found).items() if n > 1} == {}
    assert {i: elsewhere[i] for i in found if i in elsewhere} == {}


def ids(path: Path, table: str) -> list[str]:
    """The ids in *table* of a file, unchecked: a broken file fails its own tests, not those of its neighbours."""
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    if table == "packages":
        return [package["id"] for d in read.get("deliverables", []) for package in d["packages"]]
    return [row["id"] for row in read.get(table, [])]


@all_files
def test_every_id_that_a_row_refers_to_exists(path: Path) -> None:
    source = tables(path)
    base = isinstance(source, Topic)
    roles = {r.id for r in source.roles} | (ROLES if base else set())
    works = {p.id for p in packages(source)} | (PACKAGES if base else set())
    levers = {lever.id for lever in source.levers} | {""}
    used_roles = [
        *(p.role for p in packages(source)),
        *(r.owner for r in source.risks),
        *(a.owner for a in source.assumptions),
        *(d.role for d in (*source.data, *source.documents)),
        *(c.role for c in source.costs if c.role),
        *(s.watcher for s in source.stories),
        *(m for b in source.bodies for m in b.members),
    ]
    used_phases = [
        *(row.phase for row in (*source.deliverables, *source.risks, *source.assumptions, *source.data)),
        *(phase for role in source.roles for phase in role.fte),
    ]
    used_packages = [
        *(other for p in packages(source) for other in (*p.after, *p.before)),
        *(row.package for row in (*source.risks, *source.documents) if row.package),
        *(p.needed_for for p in source.permits),
    ]

    assert sorted(set(used_roles) - roles) == []
    assert sorted(set(used_phases) - set(PHASES)) == []
    assert sorted(set(used_packages) - works) == []
    assert sorted({lever.pulls_against for lever in source.levers} - levers) == []


@all_files
def test_sections_named_are_stages(path: Path) -> None:
    source = tables(path)
    named = [
        *(c.section for e in source.experts for c in e.criticisms),
        *(f.section for f in source.faqs),
        *(a.look_in for a in source.audits),
    ]

    assert sorted(set(named) - STAGES) == []


@all_files
def test_packages_do_not_wait_for_each_other_in_a_circle(path: Path) -> None:
    graph = {p.id: set(p.after) for p in packages(tables(path))}

    order = list(TopologicalSorter(graph).static_order())

    assert len(order) >= len(graph)


@all_files
def test_packages_are_big_enough_to_plan_and_small_enough_to_check(path: Path) -> None:
    kind = tables(path)
    least = 3 if isinstance(kind, Archetype) else 1

    assert [d.id for d in kind.deliverables if not least <= len(d.packages) <= 6] == []
    assert [p.id for p in packages(kind) if not 2 <= len(p.leaves) <= 4] == []


@all_files
def test_three_point_estimates_are_in_order(path: Path) -> None:
    source = tables(path)
    estimates = [(p.id, p.days) for p in packages(source)] + [(p.title, p.days) for p in source.permits]

    assert [(name, days) for name, days in estimates if not 0 < days[0] <= days[1] <= days[2]] == []


@all_files
def test_a_lever_has_a_careful_a_balanced_and_a_bold_setting(path: Path) -> None:
    levers = tables(path).levers

    assert [x.id for x in levers if {s.stance for s in x.settings} != {"careful", "balanced", "bold"}] == []
    assert [x.id for x in levers if len({s.label for s in x.settings}) != len(x.settings)] == []
    assert [x.id for x in levers if x.pulls_against == x.id or bool(x.pulls_against) != bool(x.tension)] == []


@archetype_files
def test_an_archetype_looks_at_its_kind_from_every_side(path: Path) -> None:
    kind = archetype(path)

    assert {r.category for r in kind.risks} == {
        "regulatory", "technical", "financial", "people", "supply", "security", "social", "environment",
    }  # fmt: skip
    assert {p.lens for p in kind.premises if applies(p, ())} == {
        "need", "novelty", "belief", "success", "opposition",
    }  # fmt: skip
    assert {s.kind for s in kind.stories if applies(s, ())} == {"process", "technology", "market", "people"}
    assert {d.kind for d in kind.documents} == {"create", "find"}
    assert {b.scale for b in kind.bodies} == {"small", "medium", "large"}
    for least, rows in ((4, kind.swot), (2, [s for s in kind.swot if applies(s, ())])):
        sides = Counter(s.side for s in rows)
        assert [s for s in ("strength", "weakness", "opportunity", "threat") if sides[s] < least] == []


@all_files
def test_a_document_to_create_has_headings_and_one_to_find_has_a_place(path: Path) -> None:
    documents = tables(path).documents

    assert [d.title for d in documents if d.kind == "create" and len(d.outline) < 3] == []
    assert [d.title for d in documents if d.kind == "find" and not d.where] == []


@archetype_files
def test_responses_to_risks_can_be_paid_from_the_contingency(path: Path) -> None:
    kind = archetype(path)

    assert sum(r.cost_share for r in kind.risks if applies(r, ())) <= kind.contingency
    assert kind.months[0] < kind.months[1]


@all_files
def test_every_placeholder_is_known(path: Path) -> None:
    source = tables(path)
    known = ALWAYS | WORDS | (source.words.keys() if isinstance(source, Archetype) else set())

    unknown = [(where, p) for where, text in texts(source) for p in re.findall(r"\{(\w*)\}", text) if p not in known]
    stray = [where for where, text in texts(source) if re.search(r"[{}]", re.sub(r"\{\w+\}", "", text))]

    assert (unknown, stray) == ([], [])


@all_files
def test_no_article_stands_before_a_placeholder_that_brings_its_own(path: Path) -> None:
    doubled = re.compile(r"\b(?:a|an|the|our|each|every) \{(?:" + "|".join(WITH_ARTICLE) + r")\}", re.IGNORECASE)

    assert [(where, text) for where, text in texts(tables(path)) if doubled.search(text)] == []


@all_files
def test_no_text_holds_filler(path: Path) -> None:
    assert [(where, text) for where, text in texts(tables(path)) if FILLER.search(text)] == []


@all_files
def test_texts_fit_the_fields_of_the_stages_even_with_a_long_subject(path: Path) -> None:
    limits = {"title": 120, "label": 80, "cost": 240, "sample": 240, "question": 240, "test": 300}

    def filled(text: str) -> int:
        return len(re.sub(r"\{(\w+)\}", lambda m: "x" * (100 if m.group(1) == "subject" else 25), text))

    long = [
        (where, filled(text))
        for where, text in texts(tables(path))
        if filled(text) > limits.get(where.rsplit(".", 1)[-1], 300)
    ]

    assert long == []


@all_files
def test_no_text_is_said_twice(path: Path) -> None:
    said = Counter(
        text for where, text in texts(tables(path)) if len(text) > 60 and not where.endswith((".phase", ".id"))
    )

    assert {text: n for text, n in said.items() if n > 1} == {}


@all_files
def test_conditions_are_lower_case_and_long_enough_to_mean_something(path: Path) -> None:
    source = tables(path)
    rows: list[Row] = [*packages(source)]
    for name in type(source).model_fields:
        held = getattr(source, name)
        rows += [row for row in held if isinstance(row, Row)] if isinstance(held, tuple) else []
    words = [word for row in rows for word in (*row.when, *row.unless)] + list(source.keywords)

    assert [word for word in words if word != word.lower() or len(word) < 3] == []
