"""Where graphs are kept."""

from datetime import datetime
from typing import Any, Protocol

from pydantic import Field

from planloom.core.frozen import Frozen


class GraphView(Frozen):
    """What is known of a graph without reading it; ``revision`` is the current one, 0 while the graph is drafted.

    ``drafted_by`` is the run that drafts it or has done so.
    """

    graph_id: str
    account: str
    title: str = ""
    revision: int = 1
    steps: int = 0
    created_at: datetime
    updated_at: datetime
    drafted_by: str = ""


class GraphRevision(Frozen):
    """One revision of a graph. ``tools`` holds the hash of each tool's schema when it was saved, by server and name."""

    graph: dict[str, Any]
    tools: dict[str, str] = Field(default_factory=dict)
    note: str = ""


class GraphStore(Protocol):
    """Graphs and their revisions."""

    def reserve(self, view: GraphView) -> None:
        """Store *view*, whose revision is 0: a graph that has none yet."""

    def save(self, view: GraphView, document: GraphRevision) -> bool:
        """Store a revision that follows the current one; return False where another one was saved meanwhile."""

    def get(self, graph_id: str) -> GraphView | None:
        """Return a graph."""

    def revision(self, graph_id: str, number: int) -> GraphRevision | None:
        """Return one revision."""

    def newest_of(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, GraphView]]:
        """Return graphs of *account*, last saved first, each with the position for *before*."""

    def delete(self, graph_id: str) -> None:
        """Delete a graph with all revisions; no error where there is none."""
