"""The words around an amount by which :mod:`planloom.reading.money_roles` tells what it is for."""

import re

from planloom.reading.wording import any_of

_UNITS = any_of("""
    hour day night week month year annum person head guest ticket user seat unit student pupil patient child
    household room kg km m2 kwh mwh square_\\w+ cubic_\\w+ met(?:er|re) ton(?:ne)? customer member piece plate
    meal bottle session visit class course
""")
#: A rate: per night, a month, /MWh; ``unit`` is what it is for.
RATE = re.compile(
    rf"\s?(?:(?:/\s?|(?:per|pro|par|por|pr\.?)\s)(?P<per>[^\W\d_]{{1,14}})|(?:an?|each|every)\s(?P<unit>{_UNITS}))\b"
)
EACH = re.compile(r"\s(?:each|apiece|monthly|weekly|annually|yearly|a piece)\b")
TIME_UNITS = frozenset(
    {"hour", "day", "night", "week", "month", "year", "annum", "monat", "jahr", "mes", "måned", "år"}
)
PAY = re.compile(
    r"\b"
    + any_of("salary salaries wages? pay paid pays earns? stipends? compensation hourly remuneration fellowship")
    + r"\b"
)
#: Who pays rather than is paid.
PAYERS = re.compile(
    r"\b"
    + any_of("participants? customers? guests? members? users? students? visitors? clients? tenants? households?")
    + r"\b"
)
_INCOMES = any_of("""
    revenues? turnover sales income profits? gross earnings mrr arr gmv ebitda cash_flow box_office generat\\w+
    surplus umsatz omsætning ingresos
""")
INCOME = re.compile(rf"\b{_INCOMES}\b")
INCOME_AFTER = re.compile(
    r"\s(?:(?:in|of)\s(?:[\w-]+\s)?)?" + any_of("revenues? sales turnover profit income arr mrr") + r"\b"
)
#: "must not exceed", "at most": the amount follows at once.
LIMIT = re.compile(
    any_of("""
    (?:must|may|should|can|shall|will|do|does)_?not_(?:exceed|surpass|be_more_than|cost_more_than|go_(?:above|over)|pass)
    never_exceed not_exceed(?:ing)? no_more_than not_more_than at_most maximum(?:_of)? max\\.? capped_at
    limited_to (?:a_|the_)?(?:cap|ceiling|limit)_(?:of|is|at)
    (?:stay|remain|keep|kept|be|cost|costs)_(?:\\w+_){0,2}(?:below|under|within) höchstens maximal højst
    como_máximo
""")
    + r"\s*(?:the |a )?$"
)
UNDER = re.compile(any_of("under less_than below up_to at_most no_more_than within a_maximum_of") + r"\s$")
THRESHOLD = re.compile(
    r"(?P<what>[\w' -]{0,60}?)\s"
    + any_of("above over exceeding beyond (?:more|greater|larger|higher)_than below under up_to from")
    + r"\s$"
)
DECIDES = re.compile(
    r"\b"
    + any_of("""
    decisions? approv\\w+ sign\\w* chang\\w+ expens\\w+ expenditures? purchas\\w+ reallocations? spending
    invoices? payments? contracts? orders? commitments? tender\\w* needs? requir\\w+ go_to escalat\\w+
""")
    + r"\b"
)
_BUDGETS = any_of("""
    budget(?:s|tet)? costs? capex capital investments? financing funds envelope price_tag kosten gesamtbudget
    etat presupuesto gesamtkosten
""")
_IS = any_of("""
    is are was will_be will_cost of : = at comes?_to amounts?_to totals? totall?ing stands_at set_at fixed_at
    ist beträgt von på er es_de de til - \\(
""")
_ABOUT = any_of("""
    about around approximately roughly some estimated up_to only just nearly almost exactly ca\\.? rund etwa
    between max\\.? zwischen set_at fixed_at capped_at limited_to of at de på to a
""")
#: "a total budget of about": ``of`` holds the words before, ``word`` the word itself, ``aim`` a "for training".
BUDGET = re.compile(
    rf"(?P<of>(?:[\w'-]+\s){{0,3}})\b(?P<word>{_BUDGETS})\s*(?P<aim>(?:for|of)\s(?:[\w'-]+\s){{1,5}})?"
    rf"(?:{_IS}\s*)?(?:{_ABOUT}\s*){{0,2}}$"
)
_WHOLE = """
total overall entire whole project programme program full the a an our my its their seed startup start-up initial
fixed with and capital construction das unser ein einem einen et el un vores development approved available combined
event production one-time one-off maximum estimated expected planned on within of for has have is
"""
#: Words before "budget" that leave it the budget of the whole.
WHOLE = frozenset(_WHOLE.split())
YEARLY = re.compile(r"\b(?:annual|yearly|monthly|weekly|operating|running)\b")
TOTAL_WORDS = re.compile(r"\b(?:total|overall|altogether|in total|all in|insgesamt|i alt|en total|gesamt\w+)\b")
GRANTS = re.compile(
    r"\b(?:has|have|had)\s(?:already\s)?"
    + any_of("approved allocated granted budgeted authori[sz]ed committed set_aside secured raised earmarked")
    + r"\s(?:up to\s)?$"
)
#: "for the two school years": money for a time is money for the whole.
PERIOD_AFTER = re.compile(r"\s(?:for|over)\s(?:the\s)?(?:[\w-]+\s){0,3}?(?:years?|months?|seasons?|period|term)\b")
HAVE = re.compile(r"\b(?:we|i) have(?: about| around| roughly| up to| only)?\s$")
TOTAL_AFTER = re.compile(
    r"\s(?:(?!(?:from|of|for|in|by|to|is|an?|the|over|with|on|and)\b)[a-z-]+\s){0,3}?"
    + any_of("budget investment project programme program initiative effort venture")
    + r"\b(?!\s(?:manager|fee|partner))|\s"
    + any_of("in_total overall altogether all_in insgesamt i_alt en_total (?:is_|are_)?available to_spend")
    + r"\b"
)
#: "Establish a 1 million DKK cricket farm": the amount stands in the name of the thing.
NAMED_BEFORE = re.compile(r"\b(?:an?|the|this)\s(?:[\w-]+,?\s){0,2}$")
NO_THING = re.compile(
    r"\s(?:[\w-]+\s){0,2}"
    + any_of("""
    tickets? fees? entry prices? loans? grants? salar\\w+ fines? deposits? prizes? subsid\\w+ rents? months?
    years?
""")
    + r"\b|\s?[,.;)]|\s?$|\s(?:a|per|for|from|and|to|in|is|are|of|each)\b"
)
SOURCES = any_of("""
    loans? grants? equity savings sponsor\\w* donations? crowdfunding investors? subsid\\w+ bonds? mortgage
    credit endowment legacy prize
""")
FUNDS_BEFORE = re.compile(
    r"\b(?:"
    + any_of(
        "funding funded financed finance fund raise[sd]? raising seed_round series_[a-e] co-fund\\w* contribut\\w+"
    )
    + rf"|{SOURCES})\b[^.;,]{{0,30}}$"
)
FUNDS_AFTER = re.compile(
    r"\s(?:"
    + any_of("comes? coming (?:is|are|will)(?:_to)?_come is are provided raised borrowed paid given")
    + r"\s)?(?:from|aus)\s"
    r"|\s(?:is\s|are\s)?" + any_of("provided raised paid given granted lent") + r"\sby\s"
    rf"|\s(?:in\s|as\s(?:an?\s)?|of\s|is\san?\s)?(?:[\w-]+\s){{0,3}}{SOURCES}\b"
    r"|\sof\s(?:our|my|their|his|her)\sown\b"
)
#: Funding that is the whole: "funding is a grant of".
SOLE = re.compile(r"\b(?:funding|funded|financed)\b(?!.*\b(?:partly|half|part|some)\b)")
PART_BEFORE = re.compile(
    r"\b"
    + any_of("""
    reserve contingency buffer includ\\w+ allocat\\w+ earmark\\w* spend spent share phase_\\w+ reserved portion
    tranche for line of_which thereof
""")
    + r"\b[^.;,]{0,25}$"
)
PART_AFTER = re.compile(
    r"\sis\s(?:an?\s|the\s)?(?=contingency\b|reserve\b|buffer\b)|\s(?:is |are )?(?:"
    + any_of("set_aside reserved allocated earmarked goes go")
    + r"\s)?"
    r"(?:for|on|to|towards)\s(?!(?:an?\s)?(?:month|year|\d))"
)
PRICE = re.compile(
    r"\b"
    + any_of(
        "price[ds]? costs? sells? sold fees? fares? rent tickets? rates? charge[ds]? tuition deposit fine worth buy"
    )
    + r"\b[^.;,]{0,30}$"
)
_LINKS = """
sell sells worth reach expect pays pay paid only cost costs spend total overall stay stays charge charges exceed
invest budget be roughly approximately estimated earn earns equals gets get receives receive remain currently will
reserved
"""
#: Words between a noun and its amount that are not part of the noun.
LINKS = frozenset(_LINKS.split())
