"""Spines for tests: random ones of every table, and a small plan that holds together."""

from datetime import date
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from hypothesis import strategies as st
from pydantic import BaseModel

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.references import REFERENCES
from planloom.planes.strategic.spine.repair_values import most_characters
from planloom.planes.strategic.spine.spine import TABLES, Spine

TODAY = date(2026, 11, 20)
REFS = [
    "",
    "P1",
    "p 1",
    "P01",
    "P2",
    "P3",
    "WP2",
    "2",
    "R1",
    "r-1",
    "R2",
    "B1",
    "A1",
    "G1",
    "D1",
    "V1",
    "L1",
    "K1",
    "zz",
]
TEXTS = [
    "",
    "Tender the hall",
    "Tender the halls",
    "Site manager",
    "A | b\nc",
    "=1+1",
    "Ärger. Mehr davon! Und so",
    "x" * 40,
]


def text_of(kind: type[BaseModel], field: str) -> st.SearchStrategy[Any]:
    paths = {path.split(".")[0]: path for path in REFERENCES.get(kind, {})}
    if field == "id" or field in paths or (kind is r.Share and field == "role"):
        return st.sampled_from([*REFS, "Site manager"])
    if field == "key" or field == "recommended":
        return st.sampled_from(["A", "a", "B", "", "C"])
    if field == "currency":
        return st.sampled_from(["EUR", "eur", "€", ""])
    return st.sampled_from(TEXTS).map(lambda text: text[: most_characters(kind, field)].strip())


def number_of(kind: type[BaseModel], field: str, of: type) -> st.SearchStrategy[Any]:
    metadata = kind.model_fields[field].metadata
    low = next((m.ge for m in metadata if isinstance(m, Ge)), None)
    high = next((m.le for m in metadata if isinstance(m, Le)), None)
    few = [v for v in (0, 0.25, 1, 5, 40) if (low is None or v >= low) and (high is None or v <= high)]
    if of is int:
        return st.sampled_from([int(v) for v in few])
    return st.sampled_from(
        [*few, *([] if high is not None else [float("inf")]), *([float("nan")] if low is None else [])]
    )


def value_of(kind: type[BaseModel], field: str, annotation: Any) -> st.SearchStrategy[Any]:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return st.sampled_from(args)
    if origin is UnionType:
        return st.none() | value_of(kind, field, next(a for a in args if a is not NoneType))
    if origin is list:
        return st.lists(value_of(kind, field, args[0]), max_size=min(3, most_characters(kind, field)))
    if annotation is str:
        return text_of(kind, field)
    if annotation is bool:
        return st.booleans()
    if annotation is date:
        return st.sampled_from(
            [date(1900, 1, 1), date(2026, 12, 1), date(2027, 3, 3), date(2027, 5, 4), date(2090, 1, 1)]
        )
    return model_of(annotation) if issubclass(annotation, BaseModel) else number_of(kind, field, annotation)


def model_of(kind: type[BaseModel]) -> st.SearchStrategy[Any]:
    fields = {name: value_of(kind, name, info.annotation) for name, info in kind.model_fields.items()}
    return st.fixed_dictionaries(fields).map(kind.model_validate)


def spines() -> st.SearchStrategy[Spine]:
    tables = {name: st.lists(model_of(kind), max_size=5).map(tuple) for name, (_, kind) in TABLES.items()}
    return st.fixed_dictionaries({"frame": model_of(r.Frame), **tables}).map(lambda fields: Spine(**fields))


def small_spine() -> Spine:
    """A plan of a hall that holds together."""
    return Spine(
        frame=r.Frame(
            title="Hall",
            objective="Open the hall",
            currency="EUR",
            start=date(2027, 1, 4),
            end=date(2027, 9, 1),
            budget=250_000,
        ),
        demands=(r.Demand(id="N1", text="Open by September", due=date(2027, 9, 1), met_by=["P3"]),),
        decisions=(
            r.Decision(
                id="D1",
                question="Rent or buy?",
                recommended="A",
                decided_by="B1",
                by=date(2027, 2, 1),
                frees=["P2"],
                options=[
                    r.Option(key="A", title="Rent", cost=12_000),
                    r.Option(key="B", title="Buy", cost=90_000, days=30),
                ],
            ),
        ),
        gates=(r.Gate(id="G1", title="Go", day=date(2027, 4, 1), needs=["P1"], frees=["P2"], decided_by="R1"),),
        parties=(r.Party(id="B1", name="Town council", meeting_days=[date(2027, 2, 1), date(2027, 3, 1)]),),
        approvals=(
            r.Approval(id="A1", title="Permit", party="B1", low=10, likely=20, high=40, papers=["P1"], frees=["P3"]),
        ),
        roles=(r.Role(id="R1", title="Site manager", day_rate=400), r.Role(id="R2", title="Buyer")),
        deliverables=(r.Deliverable(id="V1", title="The hall"), r.Deliverable(id="V2", title="The opening")),
        packages=(
            r.Package(id="P1", title="Design the hall", deliverable="V1", owner="R1", low=5, likely=8, high=15),
            r.Package(
                id="P2",
                title="Tender the hall",
                deliverable="V1",
                owner="R2",
                low=10,
                likely=12,
                high=20,
                needs=[r.Need(id="P1", kind="start_start", lag=5)],
                also=[r.Share(role="R1", days=2)],
            ),
            r.Package(
                id="P3",
                title="Open the doors",
                deliverable="V2",
                owner="R1",
                low=1,
                likely=1,
                high=1,
                needs=[r.Need(id="P2")],
                not_before=date(2027, 8, 30),
                fixed=True,
            ),
        ),
        lines=(r.Line(id="L1", title="Rent", quantity=12, unit="months", rate=1_000, package="P2"),),
        risks=(
            r.Risk(
                id="K1",
                cause="Few bidders",
                event="No bid",
                effect="Late",
                cost=5_000,
                hits=["P2"],
                owner="R2",
                line="L1",
            ),
        ),
    )
