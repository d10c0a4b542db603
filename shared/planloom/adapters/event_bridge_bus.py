"""Publishes events to EventBridge."""

from typing import TYPE_CHECKING

from planloom.planes.strategic.events import SOURCE, PlanEvent

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient


class EventBridgeBus:
    """Implements planloom.planes.strategic.ports.running.Bus on EventBridge."""

    def __init__(self, client: "EventBridgeClient", bus: str) -> None:
        self._client = client
        self._bus = bus

    def put(self, event: PlanEvent) -> None:
        answer = self._client.put_events(
            Entries=[
                {
                    "EventBusName": self._bus,
                    "Source": SOURCE,
                    "DetailType": type(event).__name__,
                    "Detail": event.model_dump_json(),
                }
            ]
        )
        # put_events answers 200 even when an entry failed
        if answer["FailedEntryCount"]:
            entry = answer["Entries"][0]
            reason = f"{entry.get('ErrorCode')} {entry.get('ErrorMessage')}"
            raise ConnectionError(f"EventBridge did not accept the event {type(event).__name__}: {reason}")
