"""The promises of PlanRegistry, kept alike by the fake and by S3 with DynamoDB."""

import copy
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import boto3
import pytest

from planloom.adapters.implementation_files import ImplementationFiles
from planloom.adapters.implementation_registry import AwsPlanRegistry
from planloom.planes.implementation.document.format import examples
from planloom.planes.implementation.ports import PlanRegistry
from planloom.planes.implementation.records import (
    Comment,
    ImplementationPlan,
    Revision,
    RevisionDocument,
    Touched,
    plan_sha256,
    view_of,
)
from tests.fakes import FakePlanRegistry
from tests.integration.conftest import BUCKET, TABLE

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)


def aws_registry() -> AwsPlanRegistry:
    return AwsPlanRegistry(boto3.client("dynamodb"), TABLE, ImplementationFiles(boto3.client("s3"), BUCKET))


@pytest.fixture(params=["fake", "aws"])
def registry(request: pytest.FixtureRequest) -> PlanRegistry:
    if request.param == "fake":
        return FakePlanRegistry()
    request.getfixturevalue("aws")
    return aws_registry()


Saving = tuple[ImplementationPlan, RevisionDocument]


def first(minutes: int = 0, account: str = "acme", made_from: str | None = None) -> Saving:
    plan = copy.deepcopy(examples()[2]) | {"planId": str(uuid4())}
    at = NOW + timedelta(minutes=minutes)
    revision = Revision(
        number=1,
        created_at=at,
        author=account,
        sha256=plan_sha256(plan),
        source={"mdHash": "ab", "lines": 3, "share": 0.25},
        schema_version="1.0.0",
    )
    document = RevisionDocument(
        plan_id=plan["planId"], account=account, made_from=made_from, revision=revision, plan=plan
    )
    return view_of(document, at), document


def after(saved: Saving, title: str, minutes: int = 1) -> Saving:
    view, document = saved
    plan = document.plan | {"title": title}
    changes = {
        "number": document.revision.number + 1,
        "created_at": document.revision.created_at + timedelta(minutes=minutes),
        "note": f"Now it is called {title}",
        "changes": (Touched(path="/title", op="replace"), Touched(path="/steps/0", op="remove", step_id="S1")),
        "change_count": 2,
        "sha256": plan_sha256(plan),
    }
    revision = document.revision.model_copy(update=changes)
    next_document = document.model_copy(update={"revision": revision, "plan": plan})
    return view_of(next_document, view.created_at), next_document


def test_what_is_saved_reads_back_whole(registry: PlanRegistry) -> None:
    view, document = first()
    assert registry.save(view, document)
    assert registry.get(view.plan_id) == view
    assert registry.document(view.plan_id, 1) == document


def test_an_unknown_plan_and_an_unknown_revision_are_none(registry: PlanRegistry) -> None:
    view, document = first()
    registry.save(view, document)
    assert registry.get(str(uuid4())) is None
    assert registry.document(view.plan_id, 2) is None
    assert registry.revisions(str(uuid4())) == []


def test_each_revision_stays_readable(registry: PlanRegistry) -> None:
    one = first()
    two = after(one, "Another title")
    assert registry.save(*one)
    assert registry.save(*two)
    assert registry.get(one[0].plan_id) == two[0]
    assert [registry.document(one[0].plan_id, n) for n in (1, 2)] == [one[1], two[1]]
    listed = registry.revisions(one[0].plan_id)
    assert [(each.number, each.note, each.changes) for each in listed] == [
        (2, two[1].revision.note, two[1].revision.changes),
        (1, None, ()),
    ]


def test_of_two_who_save_upon_the_same_revision_the_first_wins(registry: PlanRegistry) -> None:
    one = first()
    registry.save(*one)
    winner, loser = after(one, "First to save"), after(one, "Second to save")
    assert registry.save(*winner)
    assert not registry.save(*loser)
    assert registry.get(one[0].plan_id) == winner[0]
    assert registry.document(one[0].plan_id, 2) == winner[1]


def test_plans_of_an_account_come_last_saved_first_in_pages(registry: PlanRegistry) -> None:
    saved = [first(minutes) for minutes in range(4)]
    for each in (*saved, first(9, account="other")):
        registry.save(*each)
    late = after(saved[0], "Saved again", minutes=60)
    registry.save(*late)
    page = registry.newest_of("acme", 3, None)
    rest = registry.newest_of("acme", 3, page[-1][0])
    assert [view for _, view in (*page, *rest)] == [late[0], saved[3][0], saved[2][0], saved[1][0]]


def test_a_strategic_plan_leads_to_the_plans_made_from_it(registry: PlanRegistry) -> None:
    source = str(uuid4())
    made = [first(made_from=source) for _ in range(2)]
    for each in (*made, first()):
        registry.save(*each)
    registry.save(*after(made[0], "Changed since"))
    assert registry.made_from(source) == sorted(view.plan_id for view, _ in made)
    assert registry.made_from(str(uuid4())) == []


def test_comments_come_oldest_first(registry: PlanRegistry) -> None:
    view, document = first()
    registry.save(view, document)
    comments = [
        Comment(
            comment_id=str(uuid4()),
            step_id=step,
            text="Why?",
            author="acme",
            created_at=NOW + timedelta(seconds=n),
            revision=1,
        )
        for n, step in enumerate(("S1", None))
    ]
    for each in comments:
        registry.add_comment(view.plan_id, each)
    assert registry.comments(view.plan_id) == comments
    assert registry.comments(str(uuid4())) == []


def lose_the_table() -> None:
    table = boto3.client("dynamodb")
    for row in table.scan(TableName=TABLE)["Items"]:
        table.delete_item(TableName=TABLE, Key={name: row[name] for name in ("PK", "SK")})


def test_a_plan_that_the_table_has_lost_is_rebuilt_from_the_bucket(aws: None) -> None:
    registry, one = aws_registry(), first(made_from=str(uuid4()))
    two = after(one, "Another title")
    registry.save(*one)
    registry.save(*two)
    comment = Comment(comment_id=str(uuid4()), text="Why?", author="acme", created_at=NOW, revision=2)
    registry.add_comment(one[0].plan_id, comment)
    listed = registry.revisions(one[0].plan_id)
    lose_the_table()
    assert registry.get(one[0].plan_id) == two[0]
    assert registry.revisions(one[0].plan_id) == listed
    assert registry.comments(one[0].plan_id) == [comment]
    assert registry.made_from(str(one[0].made_from)) == [one[0].plan_id]
    assert [view for _, view in registry.newest_of("acme", 5, None)] == [two[0]]


class Dying:
    """A client of the table that dies before its next transaction."""

    def __init__(self) -> None:
        self._client = boto3.client("dynamodb")
        self.alive = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def transact_write_items(self, **writes: Any) -> Any:
        if not self.alive:
            self.alive = True
            raise ConnectionError("the process was lost")
        return self._client.transact_write_items(**writes)


@pytest.mark.parametrize("then", ["the same save again", "another save", "a first save again"])
def test_a_crash_between_bucket_and_table_is_repaired(aws: None, then: str) -> None:
    registry, one = aws_registry(), first()
    dying = AwsPlanRegistry(Dying(), TABLE, ImplementationFiles(boto3.client("s3"), BUCKET))  # type: ignore[arg-type]
    if then == "a first save again":
        with pytest.raises(ConnectionError):
            dying.save(*one)
        assert registry.save(*one)
        assert registry.get(one[0].plan_id) == one[0]
        return
    registry.save(*one)
    lost = after(one, "Lost on the way")
    with pytest.raises(ConnectionError):
        dying.save(*lost)
    assert registry.get(one[0].plan_id) == one[0], "what the table has not heard of is not current yet"
    again: Callable[[], bool] = {
        "the same save again": lambda: registry.save(*lost),
        "another save": lambda: not registry.save(*after(one, "Somebody else's")),
    }[then]
    assert again()
    assert registry.get(one[0].plan_id) == lost[0]
    assert [each.number for each in registry.revisions(one[0].plan_id)] == [2, 1]
    assert registry.save(*after(lost, "And on"))
