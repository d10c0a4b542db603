"""Credits in the table: a balance per account, and a ledger entry in the same transaction as each change of it."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_transact import transact, unmet
from planloom.domain.credits import LedgerEntry, Reservation

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NOT_THERE = f"attribute_not_exists({keys.PARTITION_KEY})"


class DynamoCreditStore:
    """Keeps planloom.ports.CreditStore on DynamoDB."""

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
        entry = LedgerEntry(
            entry_id=f"{reservation.name}#reserved",
            account=reservation.account,
            kind="reserved",
            amount=-reservation.amount,
            at=reservation.at,
        )
        held = keys.reserved_key(reservation.name) | reservation.model_dump(mode="json")
        refused = unmet(
            self._client,
            self._table,
            _logged(entry),
            _changed(reservation.account, entry.amount, least=reservation.amount),
            {"Put": {"Item": item(held)}},
        )
        # where its entry is there, the run has reserved before, whatever the balance is now
        return not refused or 0 in refused

    def settle(self, plan_id: str, run: int, paid: int, at: datetime) -> bool:
        name = f"{plan_id}-{run}"
        found = self._item(keys.reserved_key(name))
        if not found:
            return False
        held = _reservation(found)
        entry = LedgerEntry(
            entry_id=f"{name}#settled",
            account=held.account,
            kind="settled",
            amount=held.amount - max(0, min(paid, held.amount)),
            at=at,
        )
        freed = {"Key": item(keys.reserved_key(name)), "ConditionExpression": f"attribute_exists({keys.PARTITION_KEY})"}
        return transact(
            self._client, self._table, {"Delete": freed}, _logged(entry), _changed(held.account, entry.amount)
        )

    def reserved(self) -> list[Reservation]:
        return [_reservation(row) for row in self._rows(keys.RESERVED, "RUN#")]

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
