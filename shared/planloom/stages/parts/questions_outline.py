"""Questions without a model: those that follow from the plan's own figures, then those of its field."""

import re
from collections.abc import Callable, Iterator

from planloom.knowledge.tables import Faq
from planloom.knowledge.tracing import stems
from planloom.stages.parts.goal_clause import quoted
from planloom.stages.parts.questions_answer import QuestionRow
from planloom.stages.parts.questions_of_money import about_money
from planloom.stages.parts.questions_of_people import about_leave, about_people, about_use
from planloom.stages.parts.questions_of_time import about_time
from planloom.stages.parts.questions_sources import Sources, asked

#: Which reader asks what the tables ask: by the words of the question, else by the section of the answer.
_BY_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("leave", re.compile(r"\b(?:permit|licen|consent|neighbour|authorit|approv|law|liab|refus|insur)", re.IGNORECASE)),
    ("money", re.compile(r"\b(?:cost|money|budget|pric|pay|paid|loan|margin|cash|fund|grant|cheap|afford)", re.I)),
    ("people", re.compile(r"^who\b|\b(?:staff|team|hire|volunteer|illness|deputy|role|signs?)\b", re.IGNORECASE)),
    ("time", re.compile(r"\b(?:when|late|delay|deadline|season|weather|weeks?|months?|date)\b", re.IGNORECASE)),
)
_BY_SECTION = {
    "schedule": "time",
    "wbs": "time",
    "task_durations": "time",
    "locations": "leave",
    "governance": "people",
    "team": "people",
}
_TITLES = {"wbs": "Work Breakdown Structure", "swot_analysis": "SWOT Analysis"}
PER_READER = 6
#: Two questions that share this part of their words are one question.
_SAME = 0.6


def outline_questions(sources: Sources, reader: str) -> list[QuestionRow]:
    """Return what *reader* asks: the plan's own questions first, none twice."""
    own: dict[str, Callable[[Sources], Iterator[QuestionRow]]] = {
        "time": about_time,
        "money": about_money,
        "people": about_people,
        "use": about_use,
        "leave": about_leave,
    }
    found = list(own[reader](sources))
    for row in sources.brief.rows("faqs", Faq):
        if reader_of(row) == reader and not any(_same(row.question, other.question) for other in found):
            found.append(_from_table(sources, row))
    return found[:PER_READER]


def reader_of(row: Faq) -> str:
    """Return the reader who would ask the question of *row*."""
    for reader, words in _BY_WORDS:
        if words.search(row.question):
            return reader
    return _BY_SECTION.get(row.section, "use")


def _same(question: str, other: str) -> bool:
    words, others = stems(question), stems(other)
    return len(words & others) > _SAME * min(len(words), len(others)) if words and others else question == other


def _from_table(s: Sources, row: Faq) -> QuestionRow:
    answer = f"{row.answer.rstrip('.')}.{quoted(s.brief, f'{row.question} {row.answer}', 'The goal says')}"
    return asked(row.question, answer, _TITLES.get(row.section, row.section.replace("_", " ").title()))
