"""Read the facts of a prompt: one call that asks each reader of this package once."""

from datetime import date

from planloom.domain.facts import Facts, Spanned
from planloom.reading.sentences import read_sentences


def read_facts(prompt: str, today: date) -> Facts:
    """Return what *prompt* states; *today* places dates that name no year. Never raises, whatever the text."""
    sentences = read_sentences(prompt)
    objective = sentences[0] if sentences else Spanned(text="", start=0, end=0)
    words = " ".join(objective.text.split()).rstrip(".!?:; ")
    name = words if len(words) <= 90 else words[:90].rsplit(" ", 1)[0]
    return Facts(title=name or "Untitled Plan", subject=name or "the project", objective=objective, sentences=sentences)
