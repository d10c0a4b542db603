"""The brief: one prompt's facts beside the tables that fit it, so that a stage can say what it can without a model."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import TypeVar

from planloom.domain.facts import Facts, Money, Spanned
from planloom.domain.wording import day_text, money_text
from planloom.knowledge.choose import choose_archetype, choose_topics, speaks_of
from planloom.knowledge.event_day import ON_A_DAY, dated_by_event
from planloom.knowledge.tables import Archetype, Phase, Row, Tables, Topic

T = TypeVar("T", bound=Row)

#: Of how many goals a process keeps what follows from them: sections ask the same of a brief many times.
BRIEFS = 8


# by identity: what is computed of a brief is kept by it, and make_brief makes one for each goal
@dataclass(frozen=True, eq=False)
class Brief:
    """Facts, dates, money and tables for one prompt. Build it with :func:`make_brief`.

    ``start`` is the prompt's start date, else ``today``. ``deadline`` is the prompt's, or start plus its total
    duration, else None: then ``end_assumed`` is start plus the archetype's usual time frame.
    """

    prompt: str
    facts: Facts
    today: date
    archetype: Archetype
    topics: tuple[Topic, ...]

    @cached_property
    def start(self) -> date:
        """The first day of the work."""
        starts = [d.earliest for d in self.facts.days if d.role == "start"]
        return max(starts[0], self.today) if starts else self.today

    @cached_property
    def start_source(self) -> str:
        """Where the start comes from: a span of the prompt, or "to verify"."""
        return next((d.source for d in self.facts.days if d.role == "start"), "to verify")

    @cached_property
    def deadline(self) -> date | None:
        """The day by which the prompt wants it done, or None where it sets none."""
        deadlines = [d.latest for d in self.facts.days if d.role == "deadline" and d.latest > self.start]
        if deadlines:
            return deadlines[-1] if len(deadlines) == 1 else max(deadlines)
        totals = [d for d in self.facts.durations if d.role == "total"]
        return self.start + timedelta(days=round(totals[0].calendar_days)) if totals else None

    @cached_property
    def end_assumed(self) -> date:
        """The deadline, or where the prompt sets none, the end of the archetype's usual time frame."""
        usual = sum(self.archetype.months) / 2
        return self.deadline or self.start + timedelta(days=round(usual * 30.44))

    @cached_property
    def months(self) -> float:
        """Calendar months from start to deadline or assumed end."""
        return max((self.end_assumed - self.start).days / 30.44, 0.25)

    @cached_property
    def total(self) -> Money | None:
        """The budget of the whole, or None where the prompt states none."""
        return next((m for m in self.facts.money if m.role == "total"), None)

    @cached_property
    def currency(self) -> str | None:
        """ISO 4217 code of the budget, or of the first amount in the prompt."""
        if self.total:
            return self.total.currency
        return self.facts.money[0].currency if self.facts.money else None

    @cached_property
    def place(self) -> str | None:
        """The most specific place of the prompt."""
        return self.facts.places[0].name if self.facts.places else None

    @cached_property
    def scale(self) -> str:
        """small, medium or large: from the time frame and the number of roles, since money compares badly."""
        points = (self.months > 9) + (self.months > 24) + (len(self.facts.organisations) > 3)
        points += len(self.prompt.split()) > 600
        return ("small", "medium", "large", "large", "large")[points]

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The archetype's phases with their texts filled."""
        return tuple(self._filled(p) for p in self.archetype.phases if self._applies(p))

    @cached_property
    def words(self) -> Mapping[str, str]:
        """What each placeholder stands for in this brief."""
        found = dict(self._kind_words)
        found |= {
            "subject": self.facts.subject,
            "title": self.facts.title,
            "place": self.place or self._kind_words.get("place", "the chosen site"),
            "start": day_text(self.start),
            "deadline": day_text(self.deadline) if self.deadline else "the agreed end date",
            "total": money_text(self.total) if self.total else "the budget still to be set",
            "capacity": self._capacity(),
        }
        return found

    def rows(self, table: str, kind: type[T]) -> tuple[T, ...]:
        """Return the rows of *table* that apply, texts filled: those the prompt calls for first, then the general.

        Example: ``brief.rows("risks", Risk)``.
        """
        if table not in self._read:
            self._read[table] = self._rows(table)
        for row in self._read[table]:
            assert isinstance(row, kind), f"{table} holds {type(row).__name__}"
        return self._read[table]  # type: ignore[return-value]

    @cached_property
    def _read(self) -> dict[str, tuple[Row, ...]]:
        """Rows by table: filling their texts takes long, and sections read the same tables many times."""
        return {}

    def _rows(self, table: str) -> tuple[Row, ...]:
        mine: list[Row] = [r for source in self._sources for r in getattr(source, table) if self._applies(r)]
        called = [r for r in mine if r.when] + [r for r in mine if not r.when and not self._is_base(r, table)]
        base = [r for r in mine if not r.when and self._is_base(r, table)]
        return tuple(self._filled(r) for r in (*called, *base))

    def role_title(self, role_id: str) -> str:
        """Return the title of whoever does the work of the role *role_id*: the prompt's own post, else the table's.

        People are never named, only roles.
        """
        titles = {r.id: r.title for source in self._sources for r in source.roles}
        return self._posts.get(role_id) or self.fill(titles.get(role_id, role_id.replace("_", " ").capitalize()))

    @cached_property
    def _posts(self) -> Mapping[str, str]:
        """The title of the first post that covers each role, so that every section names the team's own posts."""
        # posts are made from a brief, so they are known only here
        from planloom.knowledge.posts import posts

        return {function: post.title for post in reversed(posts(self)) for function in post.functions}

    def phase(self, phase_id: str) -> Phase:
        """Return the phase *phase_id*, or the first phase where this archetype has none of that id."""
        return next((p for p in self.phases if p.id == phase_id), self.phases[0])

    def evidence(self, words: Iterable[str]) -> Spanned | None:
        """Return the first sentence of the prompt that speaks of one of *words* (as in ``Row.when``)."""
        wanted = tuple(words)
        return next((s for s in self.facts.sentences if speaks_of(s.text, wanted)), None)

    def called_by(self, row: Row) -> Spanned | None:
        """Return the sentence of the prompt that called *row*, or called the topic it is of, to quote beside it."""
        if row.when:
            return self.evidence(row.when)
        return next((self._telling[topic.name] for topic, rows in self._of_topics if row in rows), None)

    @cached_property
    def _telling(self) -> Mapping[str, Spanned | None]:
        return {topic.name: self._tells_most(topic.keywords) for topic in self.topics}

    @cached_property
    def _of_topics(self) -> tuple[tuple[Topic, tuple[Row, ...]], ...]:
        """Each topic with the rows of all its tables, texts filled."""
        tables = Tables.model_fields
        return tuple((t, tuple(self._filled(r) for name in tables for r in getattr(t, name))) for t in self.topics)

    def _tells_most(self, keywords: tuple[str, ...]) -> Spanned | None:
        """Return the first of the sentences with most of *keywords*; what is ruled out in them does not count."""
        ruled_out = [ban.text for ban in self.facts.bans if ban.kind == "approach"]

        def hits(sentence: Spanned) -> int:
            text = sentence.text
            for ban in ruled_out:
                text = text.replace(ban, " ")
            return sum(speaks_of(text, (word,)) for word in keywords)

        best = max(self.facts.sentences, key=hits, default=None)
        return best if best and hits(best) else None

    def fill(self, text: str) -> str:
        """Replace placeholders in *text*: ``{subject}``, ``{place}``, ``{total}``, ``{deadline}``, ``{start}``,
        ``{capacity}``, ``{title}``, and those of the archetype's ``words``. An unknown one is a fault of the table.
        """

        def word(match: re.Match[str]) -> str:
            found, before = self.words[match.group(1)], text[: match.start()].rstrip()
            return found[:1].upper() + found[1:] if not before or before[-1] in ".!?" else found

        return re.sub(r"\{(\w+)\}", word, text)

    @cached_property
    def _sources(self) -> tuple[Tables, ...]:
        return (*self.topics, self.archetype)

    @cached_property
    def _kind_words(self) -> Mapping[str, str]:
        # the whole prompt would be too much to look in: a café may stand opposite a clinic
        about = f"{self.facts.title} {self.facts.subject} {self.facts.objective.text}"
        variants = (v for v in self.archetype.variants if speaks_of(about, v.when))
        variant = next((v for v in variants if not (v.unless and speaks_of(about, v.unless))), None)
        return {**self.archetype.words, **(variant.words if variant else {})}

    @cached_property
    def _lower(self) -> str:
        return self.prompt.lower()

    def _applies(self, row: Row) -> bool:
        if row.unless and speaks_of(self._lower, row.unless):
            return False
        return not row.when or speaks_of(self._lower, row.when)

    def _is_base(self, row: Row, table: str) -> bool:
        return row in getattr(self.archetype, table)

    def _filled(self, row: T) -> T:
        return type(row).model_validate(_walk(row.model_dump(), self.fill))

    def _capacity(self) -> str:
        objective, counts = self.facts.objective, self.facts.quantities
        named = [q for q in counts if q.noun and q.unit != "%"]
        # the size stands in the objective; elsewhere a count says more of it than a measure such as 2 GB of memory
        stated = [q for q in named if objective.start <= q.start < objective.end]
        counted = stated or sorted((q for q in named if not q.unit), key=lambda q: -q.high) or named
        if not counted:
            return self._kind_words.get("capacity", "the planned capacity")
        # "a 48-seat café" counts seats
        return re.sub(r"^([\d.,]+)[-‑]([a-z]+?)s?$", r"\1 \2s", counted[0].text)


@lru_cache(maxsize=BRIEFS)
def make_brief(prompt: str, facts: Facts, today: date) -> Brief:
    """Choose the tables that fit *prompt* and lay them beside its facts; an event's own day is its deadline.

    The same goal read on the same day gives the same brief.
    """
    archetype = choose_archetype(prompt, facts)
    dated = dated_by_event(facts) if archetype.name in ON_A_DAY else facts
    return Brief(prompt, dated, today, archetype, choose_topics(prompt))


def _walk(value: object, fill: "object") -> object:
    if isinstance(value, str):
        return fill(value)  # type: ignore[operator]
    if isinstance(value, dict):
        return {k: _walk(v, fill) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_walk(v, fill) for v in value)
    return value
