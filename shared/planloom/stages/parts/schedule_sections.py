"""What calls are shown of the schedule."""

from planloom.stages.excerpt import Excerpt, Pick

#: Whether the deadline holds, and what is advised where it does not.
VERDICT = Excerpt("schedule", 800, (Pick("Schedule"),))
#: The computed days.
DAYS = Excerpt(
    "schedule", 700, (Pick("Milestones", ("", "Milestone", "Computed", "Demanded", "Working days to spare")),)
)
PATH = Excerpt("schedule", 1500, (Pick("Critical path", ("", "Package", "Owner", "Start", "End", "Working days")),))
