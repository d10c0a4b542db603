"""The words around a date or a length of time that tell what it is for."""

import re

from planloom.reading.wording import any_of

_THE = r"\s(?:the\s|about\s|around\s|roughly\s|latest\s)?$"
#: "by", "no later than": the date is a limit.
LIMIT = re.compile(
    r"\b"
    + any_of("""
    by before until till within (?:no|not)_later_than on_or_before up_to through bis spätestens inden senest
    antes_de antes_del avant
""")
    + r"(?:\s(?:the|at|latest|zum|ende|den|el))*\s$"
)
#: "on", "in": the date is when something takes place.
HELD = re.compile(r"\b" + any_of("in on at around for during im am i el en le late early") + _THE)
#: After one of these a date in the objective belongs to a side remark.
SUBORDINATE = re.compile(
    r"\b(?:that|which|who|whose|under|because|since|as|when|following|after|based|if|reaching|due)\b"
)
#: "from", "starting in": the date begins something.
START = re.compile(
    r"\b"
    + any_of("""
    start(?:s|ed|ing)? begin(?:s|ning)? commenc\\w+ kick(?:s|ing)?[_-]?off kick-off from as_of effective ab fra
    desde starting_date between zwischen mellem entre beginnt starter start_date
""")
    + r"(?:\s?(?:date|is|:|on|in|at|of|around|the|im|am|den|i|el))*\s?$"
)
#: The text says itself that this is the deadline of the whole.
DEADLINE = re.compile(
    r"\b"
    + any_of("""
    deadline end_date completion_date target_date finish_date launch_date opening_date due_date go-live_date
    opening_day
""")
    + r"(?:\s?(?:is|:|on|of|for|the|at|set|by|project))*\s?$"
)
#: Between two dates of one range.
RANGE = re.compile(r"\s?(?:to|until|till|through|and|-|bis|til|a|al|y|und|og|ending(?: in| on)?)\s?(?:the )?")
PAST = re.compile(
    r"\b"
    + any_of("""
    since founded_in established_in built_in opened_in born_in dating_from until_now in_force_since ago
""")
    + r"\s$"
)
YEAR = re.compile(r"(?:19|20|21)\d\d")
#: What has happened: a day without a year beside it is the last one, not the next.
HAPPENED = re.compile(
    r"\b(?:came|began|happened|took place|was held|were held|was founded|met)\b(?!.*\b(?:if|when|once)\b)"
)
#: A part of the whole: its date is a milestone, its length a part.
PARTIAL = re.compile(
    r"\b"
    + any_of("""
    pilots? prototypes? phase permits? approv\\w+ contracts? licen[cs]es? tender\\w* designs? draft\\w* first
    beta mvp tests? testing sign\\w* hir(?:e|ed|ing) recruit\\w* applications? apply applied half \\d+_?%
    interim training trainings lease loans? stud(?:y|ies) stage survey\\w* secured? submit\\w* submission
    review\\w* milestone decision proposals? prior\\s break-even visa report deposit booking book(?:ed)?
    invitations? election elections procurement feasibility step holidays? closed_for
""")
    + r"\b"
)
FUNDING = re.compile(r"\b(?:funding|funded|grant|budget)\b")
#: The whole is finished, opened, in use.
DONE = re.compile(
    r"\b"
    + any_of("""
    open(?:s|ed|ing)? complet\\w+ finish\\w* done ready launch\\w* go(?:es)?_live live deliver\\w* operat\\w+
    in_service closed in_place running handed_over publish\\w* hold held takes?_place took_place ends?
    conclud\\w+ installed built released commissioned inaugurat\\w* finali[sz]ed wrap(?:ped)?_up achiev\\w+
    reach\\w* have_to must_be be_in moved eröffne\\w* fertig\\w* färdig åbne\\w* abrir abierto abierta
""")
    + r"\b"
)
#: What is trimmed off the end of a label, again and again.
TAIL = re.compile(
    r"(?:^|\s)"
    + any_of("""
    by before until till starting beginning (?:no|not)_more within in on at from over for the of
    (?:the_)?(?:end|beginning|start)_of early late mid than later no not between and to about around after
    during is latest an? up next least most roughly nearly as every year bis zum inden antes_del? avant le den
""")
    + r"\s*$",
    re.IGNORECASE,
)
#: A label that begins so hangs on the words before it.
LOOSE = re.compile(r"(?:in|at|by|for|from|over|within|until|on|after)\b", re.IGNORECASE)
#: What stands in brackets.
ASIDE = re.compile(r"\s?\([^()]*\)")
#: What is trimmed off its beginning.
HEAD = re.compile(r"^(?:(?:and|but|so|then|which|that|because|while|where|or|with|also|of which)\s+)+", re.IGNORECASE)
#: What says that a length is the time frame of the whole.
FRAME = re.compile(
    r"\b"
    + any_of("""
    time_?frame timeline project_(?:duration|length|period) (?:total|overall)_(?:duration|time) duration horizon
    schedule
    (?:the|this|our|whole|entire)_(?:project|programme|program|plan|initiative|work)_(?:will_|should_|must_|may_)?(?:runs?|lasts?|takes?)(?:_for)?
    laufzeit zeitrahmen
""")
    + r"(?:\s?(?:is|of|:|for|the|over|a|runs?|project|about|roughly|around|at|most|from|target))*\s?$"
)
#: An "18-month programme".
FRAMED = re.compile(
    r"(?:\s(?!(?:of|for|from|in|to|and|with|before|after|by)\b)[\w-]+){0,3}?"
    r"\s(?:project|program(?:me)?|plan|timeline|time ?frame|initiative|campaign|roadmap|strategy)\b"
)
#: A "5-year, $10 billion initiative".
FRAMED_FAR = re.compile(r"(?:,?\s[^\s.;:]+){0,7}?,?\s(?:project|program(?:me)?|initiative|campaign|effort|plan)\b")
#: "over", "within": the length is how long something takes.
SPAN = re.compile(
    r"\b"
    + any_of("""
    over within in across during inside under (?:less|no_more|not_more)_than at_most takes? lasts? spans? binnen
    innerhalb_von inden_for
""")
    + r"(?:\s(?:the|next|a|period|of|about|around|roughly|only|just|first|coming|max|maximum|at|most))*\s$"
)
#: "every six weeks".
CADENCE = re.compile(r"\b(?:every|each|per|alle|hver|cada|tous les)\s(?:other\s)?$")
#: "have baked for nine years".
BEHIND = re.compile(
    r"\b(?:has|have|had|been|worked|lived|since|past|last|previous)\b[^,;]{0,60}?\b(?:for|over|past|last|the|in)\s$|\b(?:last|past|previous)\s$"
)
AGO = re.compile(r"\s(?:ago|earlier|old|of experience|experience)\b")
