"""The chosen scenario, as the stages after it are shown it."""

from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.scenarios import Scenarios


def chosen_scenario(desk: Desk, limit: int) -> Excerpt:
    """Return why it was chosen, what would change that, how it sets the vital levers, and its story alone."""
    stance = desk.read("scenarios", Scenarios).chosen.capitalize()
    return Excerpt(
        "scenarios",
        limit,
        (
            Pick("Scenarios:", most=1),
            Pick("What would change the choice"),
            Pick("How each sets the vital levers", ("Lever", stance)),
            Pick(f"{stance}:", most=1),
        ),
    )
