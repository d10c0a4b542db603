"""Check 9: names, laws, projects, addresses and studies that are neither in the goal nor marked "to verify"."""

import re
from collections.abc import Iterator

from planloom.domain.quality import Severity
from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.quality.passages import Passage
from planloom.stages.parts.checked.draft import GOAL_FILE, Draft

CHECK = "names"
TITLE = "Names that nobody gave"

#: Methods and standards that a plan may name without having been told.
_KNOWN = re.compile(
    r"\b(?:ISO|IEC|EN|DIN|AACE|PMBOK|PMI|PERT|HACCP|SMART|RACI|SWOT|WBS|GDPR|AED|FTE|KPI|SLA|NDA|VAT|WCAG|OWASP|UTC|"
    r"Kelley|Walker|Klein|Monte Carlo|Gantt|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b"
)
_VERIFY = re.compile(
    r"to (?:be )?(?:verif|confirm|check)\w*|\bassumed\b|\bverify\b|\bcheck with\b"
    # the plan is written in the language of its goal, and so is the mark
    r"|\bzu (?:prüfen|verifizieren|bestätigen|klären)|\b(?:a|por|para) (?:verificar|confirmar|comprobar)\b"
    r"|\bà (?:vérifier|confirmer)|\bda (?:verificare|confermare)\b|\bte (?:controleren|verifiëren|bevestigen)\b"
    r"|\b(?:at|att|å) (?:verific?ere|verifiera|bekr[æe]fte|bekräfta|kontroller[ea])|\b(?:skal|ska|må) "
    r"(?:verific?eres|verifieras|bekr[æe]ftes|bekräftas|kontroller[ea]s)"
    r"|\bdo (?:sprawdzenia|weryfikacji|potwierdzenia)\b|проверить|уточнить|подтвердить|перевірити|уточнити|підтвердити"
    r"|要確認|要検証|待(?:核实|确认|核實|確認)|확인 필요|검증 필요|προς επαλήθευση|لل?تحقق|לאימות|सत्यापित",
    re.I,
)
_LAW = re.compile(
    r"\b(?:[A-Z][\w’'-]+ (?:(?:[A-Z][\w’'-]+|of|the|and|for|on) ){0,5}"
    r"(?:Act|Directive|Regulation|Ordinance|Statute|Decree|Code)(?: (?:of )?(?:19|20)\d\d)?"
    r"|(?:Directive|Regulation|Decree|Law|Act) (?:\(E[UC]\) )?(?:No\.? ?)?\d{2,4}/\d{2,4}|§ ?\d+\w*)"
)
_STUDY = re.compile(
    r"\b[A-Z][\w’'-]+(?: et al\.?| and [A-Z][\w’'-]+)?,? \((?:19|20)\d\d\)|\bet al\.|\bdoi:"
    r"|\b(?:study|report|survey) by (?:the )?[A-Z][\w’'-]+"
)
_ADDRESS = re.compile(
    r"\b\d{1,4}[a-z]? (?:[A-Z][\w’'-]+ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Square|Drive|Boulevard)\b"
    r"|\b(?:Rua|Avenida|Calle|Rue|Via|Strada) (?:d[aeo]s? )?[A-Z][\w’'-]+"
    r"|\b[A-Z][\w’'-]+(?:straße|strasse|gasse|vej|gade)\b"
    r"|\bhttps?://\S+|\bwww\.\S+|[\w.+-]+@[\w-]+\.\w{2,}|\+\d{2}[ \d-]{7,}"
)
_TITLED = re.compile(r"\b(?:Dr|Prof|Mr|Mrs|Ms|Sir|Professor)\.? (?:[A-Z]\. )?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?")
_FIRM = re.compile(
    r"\b(?:[A-Z][\w’&'-]+ ){1,4}(?:Inc|Ltd|LLC|GmbH|AG|SA|S\.A|BV|Oy|AB|ApS|Corp|Corporation|Foundation|Institute|"
    r"University|Bank)"
    r"\b\.?"
)

_KINDS: tuple[tuple[str, Severity, re.Pattern[str]], ...] = (
    ("law", "medium", _LAW),
    ("study", "medium", _STUDY),
    ("address", "medium", _ADDRESS),
    ("person", "medium", _TITLED),
    ("firm or project", "medium", _FIRM),
)


def check(draft: Draft) -> Outcome:
    """Medium for a law, study, address, person or firm out of nowhere."""
    known = _known_words(draft)
    told: set[str] = set()
    found: list[Finding] = []
    for passage in draft.body:
        if passage.kind in ("heading", "head") or not re.search(r"[A-Z§@+]", passage.own[1:]):
            continue
        found += _in(passage, known, told)
    return Outcome(looked_at=f"{len(draft.body)} passages against the goal's own names", findings=tuple(found))


def _in(passage: Passage, known: frozenset[str], told: set[str]) -> Iterator[Finding]:
    for kind, severity, pattern in _KINDS:
        for hit in pattern.finditer(passage.own):
            name = hit[0].strip(" .")
            if any(name.lower() in other for other in told) or _given(name, known) or _VERIFY.search(passage.context):
                continue
            told.add(name.lower())
            message = f"“{name}” reads as a {kind}; the goal does not name it, and it is not marked “to verify”."
            there = place(GOAL_FILE, "not named in the goal")
            yield finding(CHECK, severity, message, place(passage.file, passage.text), there)


def _given(name: str, known: frozenset[str]) -> bool:
    """Return whether the goal, the plan's own titles or the field's methods name it."""
    if _KNOWN.search(name):
        return True
    words = [w.lower() for w in re.findall(r"[^\W_][\w’'-]*", name) if len(w) > 2]
    # the first word of a sentence has a capital whatever it is: "Turn the Data Protection Act"
    return any(all(word in known for word in rest) for rest in (words, words[1:]) if rest)


def _known_words(draft: Draft) -> frozenset[str]:
    """Return the words of the goal, and of what the plan itself gives a title: sections, posts, packages, bodies."""
    titles = [
        draft.prompt,
        *draft.titles.values(),
        *(post.title for post in (*draft.posts, *draft.team)),
        *draft.roles,
        *(job.title for job in draft.schedule.jobs),
        *(bar.title for bar in draft.schedule.bars),
        *(p.text for p in draft.passages if p.kind in ("heading", "head")),
        *(place_of.name for place_of in draft.facts.places),
    ]
    return frozenset(w.lower() for title in titles for w in re.findall(r"[^\W_][\w’'-]*", title))
