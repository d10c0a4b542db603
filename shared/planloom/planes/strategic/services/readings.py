"""Load and store the readings of plan_facts: one file each, under its own root of the bucket."""

from pydantic import ValidationError

from planloom.core.file_store import FileStore
from planloom.planes.strategic.goal_readings import GoalReading

READING = "reading.json"


def load(readings: FileStore, facts_id: str) -> tuple[GoalReading | None, str | None]:
    """Return the reading *facts_id* and the tag for :func:`store`; None and None where there is none."""
    found = readings.read_tagged(facts_id, READING)
    if found is None:
        return None, None
    content, tag = found
    try:
        return GoalReading.model_validate_json(content), tag
    except ValidationError:
        # an earlier version of planloom wrote it: it may be replaced
        return None, tag


def store(readings: FileStore, reading: GoalReading, tag: str | None) -> bool:
    """Store *reading* where what is there still has *tag* (None: where nothing is there).

    Returns False, changing nothing, otherwise."""
    content = reading.model_dump_json().encode()
    return readings.replace(reading.facts_id, READING, content, "application/json", tag)
