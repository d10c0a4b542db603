"""The words by which :mod:`planloom.reading.closures` knows that work stops, is possible only then, or is outdoors."""

import re

from planloom.reading.tables.months import MONTHS, WEEKDAYS
from planloom.reading.wording import any_of

_M = "(?:" + "|".join(sorted((m for m in MONTHS if len(m) > 2), key=len, reverse=True)) + r")\b"
_PART = r"(?:the\s)?(?:(?P<{}>mid|early|late|beginning\sof|start\sof|end\sof)[\s-])?"
_DAY = r"(?:(?:the\s)?(?P<{}>\d{{1,2}})(?:st|nd|rd|th|\.)?\s(?:of\s)?)?"
#: From one month to another, with days, parts of months and years where they are said.
RANGE = re.compile(
    rf"(?<![\w-]){_DAY.format('d1')}{_PART.format('p1')}(?P<first>{_M})(?:\s(?P<y1>20\d\d))?"
    r"\s?(?:and|to|until|till|through|-|und|bis|og|til|y|a)\s?"
    rf"{_DAY.format('d2')}{_PART.format('p2')}(?P<last>{_M})(?:\s(?P<y2>20\d\d))?",
    re.IGNORECASE,
)
MONTH = re.compile(rf"(?<![\w-])(?<!\d )(?P<month>{_M})(?!\s?\d)", re.IGNORECASE)
DAYS = re.compile(r"\b(" + "|".join(WEEKDAYS) + r")s?\b|\b(weekends?)\b|\b(weekdays)\b", re.IGNORECASE)
#: No work then; "closed by 30 May" is a date.
CLOSED = re.compile(
    r"\b"
    + any_of("""
    closed(?!_by_(?:\\d|the|end|mid|early|late)) closes shut shuts stops? halts? pauses? off-limits impassable
    unavailable not_(?:work|build|operate|open|possible|allowed|permitted)
    (?:must|may)_not_(?:work|disturb|start|take_place)
    no_(?:\\w+_){0,2}?(?:work|works|construction|building|access|piling|drilling|digging|operations?)
    cannot_(?:work|build|be_done|be_worked|start) forbidden (?:summer|staff|company|school)_holidays geschlossen
    lukket cerrado
""")
    + r"\b",
    re.IGNORECASE,
)
ONLY = re.compile(r"\b(?:only|nur|kun|solo|sólo)\b", re.IGNORECASE)
#: "flights are possible from April to August": not in the other months.
POSSIBLE = re.compile(
    r"\b(?:(?:is|are)\spossible|can\sbe\s\w+)\s(?:only\s)?(?:from|between|in)\s(?:the\s)?$", re.IGNORECASE
)
#: "January and July" is a range only after "between".
LISTED = re.compile(r"\s(?:and|und|og|y)\s", re.IGNORECASE)
BETWEEN = re.compile(r"\b(?:between|zwischen|mellem|entre)\s(?:the\s)?$", re.IGNORECASE)
#: Reasons have their own times: "from September to June, since July and August are too hot".
REASON = re.compile(r",\s(?:since|because|as|while)\s", re.IGNORECASE)
#: What "only" must be said of: "the meeting is in March only" closes nothing.
ABLE = re.compile(
    r"\b(?:may|can|could|must|possible|allowed|permitted|open|accessible|kann|darf|kan|må|puede)\b", re.IGNORECASE
)
#: A season is a closure where its months stand beside it.
SEASON = re.compile(
    r"\b"
    + any_of("monsoon rainy_season wet_season winter breeding_season nesting_season (?:hurricane|typhoon)_season")
    + r"(?:\s\(|,?\s(?:from|between|runs?|lasts?|is|in)?\s?(?:from\s|between\s)?)$",
    re.IGNORECASE,
)
OUTDOOR = re.compile(
    r"\b"
    + any_of("""
    construction shore site outdoor dig\\w* excavat\\w* pil(?:e|es|ing) plant\\w* field\\w* earthworks?
    river\\w* roads? bird\\w* nesting monsoon snow frost weather sea marine drilling concrete roof\\w*
    building_work beach forest\\w* harvest\\w* trail\\w* flights? helicopters? soil sampl\\w* lines ice diving
    panels
""")
    + r"\b",
    re.IGNORECASE,
)
#: Work as such; what else is possible only then (a delivery, a switch-over) binds itself, not the plan.
WORK = re.compile(r"\b(?:work|works|working|we|everyone|arbeit\w*|arbejde\w*)\b", re.IGNORECASE)
FESTIVE = re.compile(r"\bbetween\sChristmas\sand\sNew\sYear", re.IGNORECASE)
