"""The caller's corrections of a goal's facts, which override what was read."""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from planloom.core.frozen import Frozen
from planloom.planes.strategic.facts import fact as f

#: Of a list; a goal names fewer.
MOST_GIVEN = 100


class _Given(BaseModel):
    """A corrected fact. Further fields are ignored: callers send back what plan_facts answered."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class GivenTotal(_Given):
    """The money for the whole undertaking; a range where high differs."""

    low: float = Field(ge=0, le=1e15)
    high: float = Field(default=0, ge=0, le=1e15, description="Left out: the same as low")
    currency: str = Field(pattern=r"^[A-Z]{3}$", description="ISO 4217")

    @model_validator(mode="after")
    def _range(self) -> "GivenTotal":
        if self.high and self.high < self.low:
            raise ValueError("high is less than low")
        return self


class GivenDay(_Given):
    """A day, or a period that holds it. A date alone is accepted too."""

    earliest: date
    latest: date | None = Field(default=None, description="Left out: the same as earliest")

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, value: Any) -> Any:
        return {"earliest": value} if isinstance(value, str | date) else value

    @model_validator(mode="after")
    def _period(self) -> "GivenDay":
        if self.latest and self.latest < self.earliest:
            raise ValueError("latest is before earliest")
        return self


class GivenPeople(_Given):
    """Persons, by function, and how many."""

    count: int = Field(default=1, ge=1, le=1_000_000_000)
    who: str = Field(min_length=1, max_length=160)


class GivenBan(_Given):
    """What is ruled out: an approach, or a word that must not be printed."""

    what: str = Field(min_length=1, max_length=160)
    kind: Literal["word", "approach"] = "approach"


class GivenPlace(_Given):
    """Where it happens. A name alone is accepted too."""

    name: str = Field(min_length=1, max_length=160)

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value


class FactsGiven(Frozen):
    """Corrections of the facts. A field that is left out stays as it was read; null or [] says that there is none."""

    facts_id: str | None = Field(
        default=None, max_length=80, description="Of plan_facts: use what it understood, and do not read the goal again"
    )
    total: GivenTotal | None = None
    deadline: GivenDay | None = None
    start: GivenDay | None = None
    kind: str | None = Field(default=None, max_length=120, description="What is undertaken, or the name of its table")
    people: tuple[GivenPeople, ...] | None = Field(default=None, max_length=MOST_GIVEN)
    bans: tuple[GivenBan, ...] | None = Field(default=None, max_length=MOST_GIVEN)
    places: tuple[GivenPlace, ...] | None = Field(default=None, max_length=MOST_GIVEN)

    def corrects(self, name: str) -> bool:
        """Return whether the caller gave a value for *name*, null included."""
        return name in self.model_fields_set


class KeptGiven(Frozen):
    """What plan_create keeps beside the goal: the reading that the caller saw, and the corrections."""

    facts: f.Facts | None = None
    given: FactsGiven = Field(default_factory=FactsGiven)


def apply_given(facts: f.Facts, given: FactsGiven, tables: Iterable[str] = ()) -> f.Facts:
    """Return *facts* as *given* corrects them; questions that it answers are no longer open."""
    update: dict[str, Any] = {name: make(facts, given) for said, name, make in _CORRECTIONS if given.corrects(said)}
    update["days"] = _days(facts, given)
    if given.corrects("kind"):
        update["kind"] = _kind(given.kind or "", tables)
    update["open"] = tuple(point for point in facts.open if not given.corrects(point.field))
    return facts.model_copy(update=update)


def _by(text: str) -> dict[str, Any]:
    return {"text": text, "start": 0, "end": 0, "by": "caller"}


def _without(items: Iterable[Any], role: str) -> tuple[Any, ...]:
    """Return *items* without the role: the words stay in the goal, but do not mean that."""
    return tuple(item.model_copy(update={"role": "other"}) if item.role == role else item for item in items)


def _total(total: GivenTotal | None) -> Iterable[f.Money]:
    if total is not None:
        high = total.high or total.low
        text = f"{total.currency} {total.low:,.12g}" + (f" to {high:,.12g}" if high != total.low else "")
        yield f.Money(**_by(text), low=total.low, high=high, currency=total.currency, role="total")


def _days(facts: f.Facts, given: FactsGiven) -> tuple[f.Day, ...]:
    days = facts.days
    for role in ("deadline", "start"):
        if given.corrects(role):
            days = (*_day(role, getattr(given, role)), *_without(days, role))
    return days


def _day(role: str, day: GivenDay | None) -> Iterable[f.Day]:
    if day is not None:
        latest = day.latest or day.earliest
        text = day.earliest.isoformat() if latest == day.earliest else f"{day.earliest} to {latest}"
        yield f.Day(**_by(text), earliest=day.earliest, latest=latest, role=role)


def _kind(kind: str, tables: Iterable[str]) -> f.Kind:
    table = kind if kind in set(tables) else ""
    return f.Kind(words=kind.replace("_", " ") if table else kind, table=table, by="caller")


#: Field of the corrections, field of the facts that it replaces, and with what.
_CORRECTIONS: tuple[tuple[str, str, Callable[[f.Facts, FactsGiven], tuple[Any, ...]]], ...] = (
    ("total", "money", lambda facts, given: (*_total(given.total), *_without(facts.money, "total"))),
    # a time frame of the whole would set another deadline
    ("deadline", "durations", lambda facts, _: _without(facts.durations, "total")),
    (
        "people",
        "roles",
        lambda _, given: tuple(f.Role(**_by(p.who), title=p.who, count=p.count) for p in given.people or ()),
    ),
    ("bans", "bans", lambda _, given: tuple(f.Ban(**_by(b.what), kind=b.kind, what=b.what) for b in given.bans or ())),
    (
        "places",
        "places",
        lambda _, given: tuple(f.Place(**_by(p.name), name=p.name, kind="site") for p in given.places or ()),
    ),
)
