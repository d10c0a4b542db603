"""The forms in which prompts rule something out: "we do not want", "no X", "X cannot be changed", "without closing"."""

import re

from planloom.reading.wording import any_of

_NOT = any_of("will_not won't shall_not must_not may_not never do_not don't does_not cannot can't should_not")
#: What success looks like is no ban: "that no complaint reaches the council".
SUCCESS = re.compile(r"(?:success|failure|we\shave\ssucceeded|if)\b|[^.]{0,60}\bis\sa\ssuccess\b", re.IGNORECASE)
#: "we do not want franchise agreements".
REFUSE = re.compile(
    rf"\b(?:(?:we|i|us)\s(?:also\s)?{_NOT}\s(?:want|like|need|wish)|{_NOT}\s(?:accept|allow|permit|support|tolerate))\s"
    r"(?:to\s(?P<verb>[a-z]+)\s)?(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
#: "we will not build our own map tiles", "data may not leave the country"; not "those who cannot pay".
WILL_NOT = re.compile(
    rf"(?<!\bthat\s)(?<!\bwhich\s)(?<!\bwho\s)\b(?:(?:we|i|they|it)\s)?{_NOT}\s(?:ever\s)?(?P<verb>[a-z]+)(?P<what>\s.+|$)",
    re.IGNORECASE | re.DOTALL,
)
#: "the façade cannot be changed".
PASSIVE = re.compile(
    r"^(?P<what>.{2,200}?)\s(?:must|may|can|will|should|shall)\s?not\sbe\s(?P<verb>[a-z]+)(?P<rest>[^,;]*)",
    re.IGNORECASE | re.DOTALL,
)
#: "no pile driving is allowed"; "no more than" is a limit, "has no employees" a state.
NO = re.compile(
    r"(?:^|\b(?:and|but|asked\sthat|agreed\sthat|demands?\sthat|want|use|allow)\s)no\s"
    r"(?P<what>(?!(?:more|less|fewer|later|longer|matter|one|need|doubt|wait|idea|further)\b)(?:[^,;.:]|[.,:](?=\d))+)",
    re.IGNORECASE,
)
NO_ASIDE = re.compile(r",\sno\s(?P<what>(?:[^,;.:]|[.,:](?=\d))+)", re.IGNORECASE)
#: "no child may be turned away" is a demand.
NO_ONE = re.compile(r"\s(?:may|can|must|should|shall)\sbe\s\w+\s\w+|^\w+\s(?:may|can)\s(?!be\b)")
WITHOUT = re.compile(r"\bwithout\s(?P<what>(?:[^,;.:]|[.,:](?=\d))+)", re.IGNORECASE)
AVOID = re.compile(
    r"^(?:please\s)?(?:avoid|exclude|rule\sout|refrain\sfrom|stay\saway\sfrom)\s(?P<what>[^;:]+)", re.IGNORECASE
)
FORBIDS = re.compile(r"\b(?:forbids|prohibits|excludes|rules\sout|bans)\s(?P<what>[^;:]+)", re.IGNORECASE)
BANNED = re.compile(
    r"^(?P<what>.{3,200}?)\s(?:is|are)\s"
    + any_of("""
    banned forbidden prohibited off_limits ruled_out out_of_scope not_(?:allowed|permitted|acceptable|an_option)
"""),
    re.IGNORECASE | re.DOTALL,
)
#: A second refusal of the same subject.
AGAIN = re.compile(rf",?\s(?:and|nor)\s(?={_NOT}\s)", re.IGNORECASE)
MODAL = re.compile(r"\b(?:must|should|may|can|will|is|are|has|have)\b", re.IGNORECASE)
_STATES = """
exceed be have cost go fall drop last know include contain say mention print write surpass assume pick forget
require need depend want accept allow permit support tolerate like see only get invent prove find afford explain
tell care become stop lapse rise grow reach call describe
"""
#: What is no approach: limits and states are demands, wording is read elsewhere.
NO_ACT = frozenset(_STATES.split())
#: What says that a thing is not to be, after the thing.
VERDICT = re.compile(
    r"\s(?:(?:is|are|be)\s(?:allowed|permitted|accepted|acceptable|possible|used|done|built|made|heard|seen|held|sold)"
    r"|may\sbe\s\w+|takes?\splace|should\s\w+|must\s\w+)\b",
    re.IGNORECASE,
)
#: Where the thing ends and its reasons begin.
REASON = re.compile(r":\s|,\s(?:which|because|since|as|so|when|where|unless|while)\b|\s-\s|—", re.IGNORECASE)
RELATIVE = re.compile(r"\b(?:that|which|who)\b", re.IGNORECASE)
LEAD = re.compile(r"^(?:(?:a|an|the|any|our|more|new)\s)+", re.IGNORECASE)
OPENING = re.compile(r"^(?:(?:and|but|so|since|because|please|then|no|of\swhich)\s)+", re.IGNORECASE)
