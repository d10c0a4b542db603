"""Credits in the table: a balance per account, and a ledger entry in the same transaction as each change of it."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_transact import contend, transact, unmet
from planloom.domain.credits import LedgerEntry, Reservation

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NOT_THERE = f"attribute_not_exists({keys.PARTITION_KEY})"


class DynamoCreditStore:
    """Keeps planloom.ports.accounts.CreditStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def balance(self, account: str) -> int:
        return int(self._item(keys.account_key(account)).get("balance", 0))

    def entries(self, account: str) -> list[LedgerEntry]:
        rows = self._rows(keys.account_partition(account), keys.CREDITS)
        found = [LedgerEntry.model_validate({name: row[name] for name in LedgerEntry.model_fields}) for row in rows]
        return sorted(found, key=lambda entry: (entry.at, entry.entry_id))

    def add(self, entry: LedgerEntry) -> bool:
        return transact(self._client, self._table, _logged(entry), _changed(entry.account, entry.amount))

    def reserve(self, reservation: Reservation) -> bool:
        return contend(f"credits of run {reservation.name} were reserved", lambda: self._reserve_once(reservation))

    def settle(self, plan_id: str, run: int, paid: int, at: datetime) -> bool:
        return contend(f"run {run} of plan {plan_id} was settled", lambda: self._settle_once(plan_id, run, paid, at))

    def release(self, held: Reservation, at: datetime) -> bool:
        entry = LedgerEntry(
            entry_id=f"{held.name}#released#{held.at.isoformat()}",
            account=held.account,
            kind="released",
            amount=held.amount,
            at=at,
        )
        return self._back(held, entry)

    def _settle_once(self, plan_id: str, run: int, paid: int, at: datetime) -> bool | None:
        held = self._held(plan_id, run)
        if held is None:
            return False
        rest = held.amount - max(0, min(paid, held.amount))
        entry = LedgerEntry(entry_id=_settled(held.name), account=held.account, kind="settled", amount=rest, at=at)
        return self._back(held, entry) or None

    def _reserve_once(self, wanted: Reservation) -> bool | None:
        """Hold what is wanted beyond what is held; None where another writer came between."""
        held = self._held(wanted.plan_id, wanted.run)
        more = max(0, wanted.amount - (held.amount if held else 0))
        kept = wanted.model_copy(update={"amount": held.amount + more}) if held else wanted
        writes = [_not_settled(wanted), _holding(kept, held)]
        if more:
            entry = LedgerEntry(
                entry_id=f"{wanted.name}#reserved#{wanted.at.isoformat()}#{kept.amount}",
                account=wanted.account,
                kind="reserved",
                amount=-more,
                at=wanted.at,
            )
            writes += [_changed(wanted.account, -more, least=more), _logged(entry)]
        refused = unmet(self._client, self._table, *writes)
        if 0 in refused:
            # the run is over: a late repeat reserves nothing
            return True
        if {1, 3} & refused:
            return None
        return not refused

    def reserved(self) -> list[Reservation]:
        return [_reservation(row) for row in self._rows(keys.RESERVED, "RUN#")]

    def _back(self, held: Reservation, entry: LedgerEntry) -> bool:
        """Free what is *held* and give back what *entry* says; False where something else is held by now."""
        return transact(self._client, self._table, _freed(held), _logged(entry), _changed(held.account, entry.amount))

    def _held(self, plan_id: str, run: int) -> Reservation | None:
        found = self._item(keys.reserved_key(f"{plan_id}-{run}"))
        return _reservation(found) if found else None

    def _item(self, key: keys.Key) -> dict[str, Any]:
        found = self._client.get_item(TableName=self._table, Key=item(key), ConsistentRead=True).get("Item")
        return values(found) if found else {}

    def _rows(self, partition: str, prefix: str) -> list[dict[str, Any]]:
        return list(
            pages(
                self._client,
                TableName=self._table,
                ConsistentRead=True,
                KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
                ExpressionAttributeValues=item({":p": partition, ":s": prefix}),
            )
        )


def _reservation(row: dict[str, Any]) -> Reservation:
    return Reservation.model_validate({name: row[name] for name in Reservation.model_fields})


def _settled(name: str) -> str:
    return f"{name}#settled"


def _not_settled(run: Reservation) -> dict[str, Any]:
    key = keys.credit_key(run.account, _settled(run.name))
    return {"ConditionCheck": {"Key": item(key), "ConditionExpression": NOT_THERE}}


def _holding(wanted: Reservation, held: Reservation | None) -> dict[str, Any]:
    """Put what the run holds from now on in the place of what it *held*."""
    put: dict[str, Any] = {"Item": item(keys.reserved_key(wanted.name) | wanted.model_dump(mode="json"))}
    if held is None:
        return {"Put": put | {"ConditionExpression": NOT_THERE}}
    return {"Put": put | _only(held)}


def _freed(held: Reservation) -> dict[str, Any]:
    return {"Delete": {"Key": item(keys.reserved_key(held.name)), **_only(held)}}


def _only(held: Reservation) -> dict[str, Any]:
    """For as long as the run holds what it *held*."""
    return {
        "ConditionExpression": "#amount = :amount AND #at = :at",
        "ExpressionAttributeNames": {"#amount": "amount", "#at": "at"},
        "ExpressionAttributeValues": item({":amount": held.amount, ":at": held.model_dump(mode="json")["at"]}),
    }


def _logged(entry: LedgerEntry) -> dict[str, Any]:
    fields = keys.credit_key(entry.account, entry.entry_id) | entry.model_dump(mode="json")
    return {"Put": {"Item": item(fields), "ConditionExpression": NOT_THERE}}


def _changed(account: str, amount: int, least: int | None = None) -> dict[str, Any]:
    """Change the balance by *amount*, where *least* is given only if it has so much."""
    bound = {} if least is None else {"ConditionExpression": "#balance >= :least"}
    return {
        "Update": {
            "Key": item(keys.account_key(account)),
            "UpdateExpression": "ADD #balance :amount",
            "ExpressionAttributeNames": {"#balance": "balance"},
            "ExpressionAttributeValues": item({":amount": amount, ":least": least}),
            **bound,
        }
    }
