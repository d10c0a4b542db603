"""The sections of the project plan that calls are shown, by what they are read for."""

from planloom.stages.excerpt import Excerpt, Pick

#: What every section after the plan refers to: its days and gates, and its roles by their titles. It comes first and
#: byte for byte the same in all calls that see it.
FRAME = Excerpt("project_plan", 1400, (Pick("Milestones and gates", ("Day", "Milestone")), Pick("People", ("Post",))))

GOAL = Pick("Project Plan")
SCOPE = Pick("Scope")
POSTS = Pick("People", ("Post",))
CRITERIA = Pick("Success criteria", ("Success means", "Passes at"))
MEASURES = Pick("Success criteria", ("Success means", "Passes at", "Measured by", "When", "Who measures"))
WAITS = Pick("Dependencies", ("Waits for", "Holds up", "Latest"))
CHASED = Pick("Dependencies", ("Waits for", "Latest", "Who chases", "If late"))
PERMITS = Pick("Permits", ("Permit or duty", "Authority", "Working days (o / m / p)", "Apply by", "Needed for"))
PERMIT_DAYS = Pick("Permits", ("Permit or duty", "Working days (o / m / p)", "Apply by"))
PERMIT_PAPERS = Pick("Permits", ("Permit or duty", "Authority", "Apply by", "Papers"))
RESOURCES = Pick("Resources", ("What", "How much", "When"))
PARTIES = Pick("Stakeholders", ("Who", "Interest", "Power", "Concern"))
TOLD = Pick("Stakeholders", ("Who", "Interest", "Must be told", "By"))
BUDGET = Pick("Budget", ("Line", "Amount", "Share of total", "Basis"), most=1)
AMOUNTS = Pick("Budget", ("Line", "Amount"), most=1)
PAY = Pick("Pay")
BY_PHASE = Pick("Budget by phase")
FUNDING = Pick("Funding", ("Source", "Amount", "Condition"))


def of_plan(limit: int, *picks: Pick) -> Excerpt:
    """Return the excerpt of the project plan that holds *picks* in at most *limit* characters."""
    return Excerpt("project_plan", limit, picks)
