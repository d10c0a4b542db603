"""Credits in the table: a balance per account, and a ledger entry in the same transaction as each change."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from planloom.accounts.credits import LedgerEntry, Reservation
from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_transact import contend, transact, unmet

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

IS_NEW = f"attribute_not_exists({keys.PARTITION_KEY})"


class DynamoCreditStore:
    """Implements planloom.accounts.stores.CreditStore on DynamoDB."""

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
        return transact(self._client, self._table, _put_entry(entry), _change_balance(entry.account, entry.amount))

    def reserve(self, reservation: Reservation) -> bool:
        return contend(f"reserve credits of run {reservation.name}", lambda: self._try_reserve(reservation))

    def settle(self, plan_id: str, run: int, paid: int, at: datetime) -> bool:
        return contend(f"settle run {run} of plan {plan_id}", lambda: self._try_settle(plan_id, run, paid, at))

    def release(self, held: Reservation, at: datetime) -> bool:
        entry = LedgerEntry(
            entry_id=f"{held.name}#released#{held.at.isoformat()}",
            account=held.account,
            kind="released",
            amount=held.amount,
            at=at,
        )
        return self._give_back(held, entry)

    def _try_settle(self, plan_id: str, run: int, paid: int, at: datetime) -> bool | None:
        held = self._reservation(plan_id, run)
        if held is None:
            return False
        rest = held.amount - max(0, min(paid, held.amount))
        entry = LedgerEntry(entry_id=_settled_id(held.name), account=held.account, kind="settled", amount=rest, at=at)
        return self._give_back(held, entry) or None

    def _try_reserve(self, wanted: Reservation) -> bool | None:
        """Reserve what *wanted* has beyond the present reservation; None if another writer was first."""
        held = self._reservation(wanted.plan_id, wanted.run)
        more = max(0, wanted.amount - (held.amount if held else 0))
        total = wanted.model_copy(update={"amount": held.amount + more}) if held else wanted
        writes = [_check_not_settled(wanted), _put_reservation(total, held)]
        if more:
            entry = LedgerEntry(
                entry_id=f"{wanted.name}#reserved#{wanted.at.isoformat()}#{total.amount}",
                account=wanted.account,
                kind="reserved",
                amount=-more,
                at=wanted.at,
            )
            writes += [_change_balance(wanted.account, -more, least=more), _put_entry(entry)]
        failed = unmet(self._client, self._table, *writes)
        if 0 in failed:
            # the run has ended: a late repeat reserves nothing
            return True
        if {1, 3} & failed:
            return None
        return not failed

    def reserved(self) -> list[Reservation]:
        return [_reservation_of(row) for row in self._rows(keys.RESERVED, "RUN#")]

    def _give_back(self, held: Reservation, entry: LedgerEntry) -> bool:
        """Delete the reservation *held* and add *entry*; False if the reservation was changed since it was read."""
        writes = (_delete_reservation(held), _put_entry(entry), _change_balance(held.account, entry.amount))
        return transact(self._client, self._table, *writes)

    def _reservation(self, plan_id: str, run: int) -> Reservation | None:
        found = self._item(keys.reserved_key(f"{plan_id}-{run}"))
        return _reservation_of(found) if found else None

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


def _reservation_of(row: dict[str, Any]) -> Reservation:
    return Reservation.model_validate({name: row[name] for name in Reservation.model_fields if name in row})


def _settled_id(name: str) -> str:
    return f"{name}#settled"


def _check_not_settled(run: Reservation) -> dict[str, Any]:
    key = keys.credit_key(run.account, _settled_id(run.name))
    return {"ConditionCheck": {"Key": item(key), "ConditionExpression": IS_NEW}}


def _put_reservation(wanted: Reservation, held: Reservation | None) -> dict[str, Any]:
    """Return the write that replaces the reservation *held* by *wanted*."""
    put: dict[str, Any] = {"Item": item(keys.reserved_key(wanted.name) | wanted.model_dump(mode="json"))}
    if held is None:
        return {"Put": put | {"ConditionExpression": IS_NEW}}
    return {"Put": put | _if_unchanged(held)}


def _delete_reservation(held: Reservation) -> dict[str, Any]:
    return {"Delete": {"Key": item(keys.reserved_key(held.name)), **_if_unchanged(held)}}


def _if_unchanged(held: Reservation) -> dict[str, Any]:
    """Return the condition that the reservation is still the one that was read."""
    return {
        "ConditionExpression": "#amount = :amount AND #at = :at",
        "ExpressionAttributeNames": {"#amount": "amount", "#at": "at"},
        "ExpressionAttributeValues": item({":amount": held.amount, ":at": held.model_dump(mode="json")["at"]}),
    }


def _put_entry(entry: LedgerEntry) -> dict[str, Any]:
    fields = keys.credit_key(entry.account, entry.entry_id) | entry.model_dump(mode="json")
    return {"Put": {"Item": item(fields), "ConditionExpression": IS_NEW}}


def _change_balance(account: str, amount: int, least: int | None = None) -> dict[str, Any]:
    """Return the write that adds *amount* to the balance, if *least* is given only if the balance is at least that."""
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
