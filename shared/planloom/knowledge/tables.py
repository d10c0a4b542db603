"""The shape of the tables in ``archetypes/*.toml`` and ``topics/*.toml``.

An archetype is a kind of project (opening a business, construction, software...) and fills every table. A topic
(food, lease, health data, volunteers...) adds the rows that a prompt which touches it calls for. Every text may
hold the placeholders of :meth:`planloom.knowledge.brief.Brief.fill`. No row names a person, a firm, a price or a
law; figures in a row are planning values and shown as assumptions.
"""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Frozen

Level = Literal["low", "medium", "high"]
Score = int


class Row(Frozen):
    """A row applies where ``when`` is empty or one of its words begins a word of the prompt, and no ``unless`` does.

    Words are lower case and match at the start of a word: ``permit`` matches permits and permitting. A phrase of
    several words matches as written.
    """

    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


class Phase(Row):
    """A phase of the work, in order; gates lie at phase ends."""

    id: str
    title: str
    purpose: str
    exit: str = Field(description="What must be true to leave it")
    budget_share: float = Field(ge=0, le=1, description="Of the total less contingency; an archetype's sum to 1")


class Leaf(Frozen):
    """A level-3 task: work for one role, and how one sees that it is done."""

    title: str
    test: str


class Package(Row):
    """A level-2 work package; days are working days as (optimistic, likely, pessimistic)."""

    id: str
    title: str
    days: tuple[float, float, float]
    role: str = Field(description="id of the role that owns it")
    after: tuple[str, ...] = Field(default=(), description="ids of packages that must finish first")
    before: tuple[str, ...] = Field(
        default=(), description="ids of packages that wait for it: how a topic's work comes before an archetype's"
    )
    kind: Literal[
        "research", "design", "legal", "permit", "finance", "people", "procurement", "build", "test",
        "communication", "operate", "handover",
    ]  # fmt: skip
    outdoor: bool = Field(default=False, description="Bound by seasons")
    fixed: bool = Field(default=False, description="A lead time set by others: not scaled to the time frame")
    leaves: tuple[Leaf, ...] = Field(min_length=2, max_length=4)


class Deliverable(Row):
    """A level-1 deliverable: a thing, not an activity."""

    id: str
    title: str
    phase: str
    result: str = Field(description="What exists when it is done")
    packages: tuple[Package, ...]


class Role(Row):
    """Who does what; ``fte`` gives full-time equivalents by phase id."""

    id: str
    title: str
    work: str
    without: str = Field(description="What goes wrong without it")
    hire: Literal["existing", "employee", "contract", "volunteer"]
    fte: dict[str, float]


class Cost(Row):
    """A budget line as a share of the total less contingency; shares of an archetype sum to 1.

    ``role`` set: a line of pay, shown as rate x FTE x months with the rate that follows from the share.
    """

    id: str
    title: str
    share: float = Field(gt=0, le=1)
    basis: str = Field(description="How the share was set and what would replace it: three quotes, a tariff")
    role: str | None = None


class Setting(Frozen):
    """One way to set a lever; settings of a lever exclude each other."""

    label: str
    text: str
    cost: str = Field(description="What choosing it costs or gives up")
    stance: Literal["careful", "balanced", "bold"]


class Lever(Row):
    """A strategic choice with at least three settings."""

    id: str
    title: str
    question: str
    settings: tuple[Setting, ...] = Field(min_length=3, max_length=4)
    impact: Score = Field(ge=1, le=5)
    irreversibility: Score = Field(ge=1, le=5)
    pulls_against: str = Field(default="", description="id of another lever")
    tension: str = ""


class Risk(Row):
    """Cause, event, effect (ISO 31000); scores 1-5; money and dates come from the plan, not from here."""

    id: str
    category: Literal["regulatory", "technical", "financial", "people", "supply", "security", "social", "environment"]
    title: str
    cause: str
    event: str
    effect: str
    likelihood: Score = Field(ge=1, le=5)
    severity: Score = Field(ge=1, le=5)
    phase: str = Field(description="When it is closest")
    owner: str = Field(description="id of a role")
    response: Literal["avoid", "reduce", "transfer", "accept"]
    action: str
    trigger: str = Field(description="What is seen first, measurable")
    residual: str
    cost_share: float = Field(default=0.0, ge=0, le=0.2, description="Of the total, paid from contingency")
    package: str = Field(default="", description="id of the work package that carries the response")


class Assumption(Row):
    """What the plan takes for true."""

    id: str
    text: str
    confidence: Level
    impact: Score = Field(ge=1, le=5)
    breaks: str = Field(description="What breaks if it is false")
    test: str
    owner: str
    phase: str = Field(description="Tested before this phase ends")


class Stakeholder(Row):
    """Who has a stake."""

    name: str
    interest: str
    power: Level
    concern: Level = Field(description="How much it matters to them")
    tell: str = Field(description="What they must be told, when")


class Permit(Row):
    """A permission or duty, by the kind of authority that gives it; days are working days of lead time."""

    title: str
    authority: str
    days: tuple[float, float, float]
    needed_for: str = Field(description="id of the work package that cannot start without it")
    papers: str = Field(description="What the application holds")


class Data(Row):
    """What must be found out."""

    question: str
    decides: str
    source: str
    method: str
    sample: str
    role: str
    phase: str
    cost_share: float = Field(default=0.0, ge=0, le=0.05)
    simulate: str = Field(description="How to get a first answer before the data is in")


class Document(Row):
    """A document to create (outline, owner) or to find (where, how recent, access)."""

    kind: Literal["create", "find"]
    title: str
    purpose: str
    role: str
    outline: tuple[str, ...] = Field(default=(), description="create: its headings")
    where: str = Field(default="", description="find: kind of place to look, how recent, how to get access")
    package: str = Field(default="", description="create: id of the work package that makes it")


class Criticism(Frozen):
    """A flaw in a named place of the plan."""

    section: str = Field(description="name of a stage: risks, project_plan, wbs, schedule, team...")
    flaw: str
    consequence: str
    fix: str


class Expert(Row):
    """An expert who sees what the plan's author could not."""

    title: str
    sees: str
    criticisms: tuple[Criticism, ...] = Field(min_length=2, max_length=3)


class Premise(Row):
    """An attack on the premise, by lens."""

    lens: Literal["need", "novelty", "belief", "success", "opposition"]
    attack: str
    verdict: Literal["holds", "shaky", "fails"]
    test: str = Field(description="The cheapest test that could kill the premise")


class Swot(Row):
    """An entry of a SWOT with what speaks for it."""

    side: Literal["strength", "weakness", "opportunity", "threat"]
    text: str
    evidence: str
    answer: str = Field(description="What to do about it or with it")


class Comparable(Row):
    """A kind of comparable project, or one beyond doubt; ``verify`` says how to check and reach it."""

    title: str
    likeness: str
    learn: str
    verify: str


class Faq(Row):
    """A question of a sceptical reader; the stage answers from the plan where it can."""

    question: str
    answer: str
    section: str


class Story(Row):
    """A failure story of the premortem (Klein 2007)."""

    kind: Literal["process", "technology", "market", "people"]
    title: str
    chain: tuple[str, ...] = Field(min_length=3, max_length=5, description="Causes in order, the last is the end")
    warning: str = Field(description="Early warning, measurable")
    tripwire: str = Field(description="Threshold at which somebody acts")
    containment: str
    watcher: str = Field(description="id of a role")


class Audit(Row):
    """A check of the self-audit that only this kind of project needs."""

    check: str
    look_in: str = Field(description="name of the stage that should hold the evidence")
    fix: str


class Body(Row):
    """A governance body or single decider; ``scale`` is the least size of project that needs it."""

    id: str
    title: str
    decides: str
    members: tuple[str, ...] = Field(description="ids of roles")
    cadence: str
    quorum: str
    scale: Literal["small", "medium", "large"] = "small"


class Variant(Row):
    """Other words for an archetype's placeholders, where title, subject or objective speak of ``when``."""

    words: dict[str, str] = Field(description="A clinic's customers are patients, a hotel's are guests")


class Tables(Frozen):
    """All tables; an archetype fills each, a topic some."""

    risks: tuple[Risk, ...] = ()
    roles: tuple[Role, ...] = ()
    levers: tuple[Lever, ...] = ()
    deliverables: tuple[Deliverable, ...] = ()
    costs: tuple[Cost, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    stakeholders: tuple[Stakeholder, ...] = ()
    permits: tuple[Permit, ...] = ()
    data: tuple[Data, ...] = ()
    documents: tuple[Document, ...] = ()
    experts: tuple[Expert, ...] = ()
    premises: tuple[Premise, ...] = ()
    swot: tuple[Swot, ...] = ()
    comparables: tuple[Comparable, ...] = ()
    faqs: tuple[Faq, ...] = ()
    stories: tuple[Story, ...] = ()
    audits: tuple[Audit, ...] = ()
    bodies: tuple[Body, ...] = ()


class Archetype(Tables):
    """A kind of project."""

    name: str
    label: str = Field(description="As in: reads as <label>, 'the opening of a business'")
    medium: Literal["digital", "physical", "both"]
    keywords: dict[str, float] = Field(description="Word (as in Row.when) -> weight towards this archetype")
    words: dict[str, str] = Field(description="Placeholders: customers, site, operator, launch, product...")
    variants: tuple[Variant, ...] = Field(default=(), description="The first that fits changes some of the words")
    phases: tuple[Phase, ...]
    months: tuple[float, float] = Field(description="Usual time frame, used where the prompt gives none")
    contingency: float = Field(ge=0.05, le=0.35, description="Share of the total")
    estimate_class: int = Field(ge=3, le=5, description="AACE class of the budget at this stage")


class Topic(Tables):
    """A theme that adds rows to whatever archetype; its rows refer to roles and packages that all archetypes have.

    ids every archetype has. Roles: ``lead``, ``finance``, ``legal``, ``operations``, ``quality``, ``outreach``.
    Phases: ``prepare``, ``design``, ``build``, ``launch``, ``close``.
    """

    name: str
    label: str
    keywords: tuple[str, ...] = Field(description="Words (as in Row.when); two different hits call the topic")
    unless: tuple[str, ...] = Field(default=(), description="Words (as in Row.unless) that rule the topic out")
