"""Verbs by which prompts say what is to be done, with the forms that English builds from them; plain data."""

_MAKING = """
invent build construct create make open launch establish develop design set|up go|on start found write produce organise
organize host hold plan introduce implement install publish film deliver run stage erect form assemble manufacture
release ship commission craft prepare record draft compose put|on put|together put|up bring|to|market grow roll|out
lay operate print pilot add stand|up kick|off code program propose formulate arrange offer provide
"""
#: Verbs whose object is the thing that the plan makes: open a café, write a book.
MAKING = frozenset(word.replace("|", " ") for word in _MAKING.split())
#: Verbs that act on something that is there, and the noun for the act: protect -> the protection of.
ACTS = {
    "turn": "conversion", "protect": "protection", "reduce": "reduction", "cut": "reduction", "lower": "reduction",
    "halve": "halving",
    "improve": "improvement", "increase": "increase", "migrate": "migration", "move": "move",
    "relocate": "relocation", "renovate": "renovation", "refurbish": "refurbishment", "restore": "restoration",
    "convert": "conversion", "replace": "replacement", "train": "training", "eradicate": "eradication",
    "prevent": "prevention", "investigate": "investigation", "digitise": "digitisation",
    "digitize": "digitisation", "upgrade": "upgrade", "merge": "merger", "translate": "translation",
    "expand": "expansion", "extend": "extension", "modernise": "modernisation", "modernize": "modernisation",
    "rebuild": "rebuilding", "redesign": "redesign", "reorganise": "reorganisation", "repair": "repair",
    "transform": "transformation", "automate": "automation", "electrify": "electrification",
    "rewild": "rewilding", "decommission": "decommissioning", "dismantle": "dismantling", "clean": "clean-up",
    "demolish": "demolition", "map": "mapping", "study": "study", "evaluate": "evaluation",
    "vaccinate": "vaccination", "recruit": "recruitment", "insulate": "insulation", "retrofit": "retrofit",
    "remove": "removal", "rescue": "rescue", "reform": "reform", "consolidate": "consolidation", "adapt": "adaptation",
    "deploy": "deployment", "integrate": "integration", "redevelop": "redevelopment", "scale": "scaling",
    "conserve": "conservation", "modify": "modification",
    "preserve": "preservation", "revive": "revival", "test": "test",
    "trial": "trial",
}  # fmt: skip
_OTHER = """
utilize utilise employ certify fabricate
learn teach find buy sell get go travel visit win lose take water celebrate explore raise help solve address support
become achieve adopt apply attend assess analyse analyze change conduct coordinate clear close complete cook cover
cross defend describe determine discover document drive enable encourage enter equip examine finance finish fix fund
give grow hire identify inspect join keep lead lease limit maintain manage market measure mitigate monitor negotiate
obtain optimise optimize perform persuade plant prove purchase qualify reach record recover recycle register rent
resolve respond review secure send settle simplify stabilise stop strengthen supply switch track turn unify use
walk work write acquire combat connect control distribute educate empower feed generate house rehouse pass practise
perform offer outsource present process promote re-open reopen restart rent restructure roll save serve share show sign
simulate source spread standardise store study survey sustain transition tackle target test tour transport treat
unite update verify implement simulate participate train bring host invest phase
"""
#: Verbs whose thing comes after "into": turn the mill into a library.
CONVERTING = frozenset({"turn", "convert", "transform", "redevelop", "change"})
#: Verbs of means: what they serve is the thing.
USING = frozenset({"use", "utilize", "utilise", "employ", "apply"})
#: Every verb that may open an imperative or follow "we want to".
KNOWN = MAKING | frozenset(ACTS) | frozenset(_OTHER.split())

_NOUNS = """
host plan test study market film map trial pilot record program ship stage form design lease rent track target source
sign share supply cover fund measure limit process report finish work walk water present project visit change
"""
#: Verbs that are nouns as often: an order only where a determiner follows.
NOUNS = frozenset(_NOUNS.split())
_DOUBLED = frozenset(
    {"set", "put", "run", "get", "win", "cut", "plan", "map", "program", "ship", "stop", "sit", "begin", "let", "swim"}
    | {"travel", "retrofit", "rent out", "control", "hit", "quit", "spin", "drop", "ban", "scan", "transfer", "dig"}
)
_KEEP_E = frozenset({"be", "see", "agree", "free"})
_IRREGULAR = {
    "built": "build", "sold": "sell", "bought": "buy", "made": "make", "held": "hold", "paid": "pay", "taken": "take",
    "given": "give", "written": "write", "driven": "drive", "grown": "grow", "kept": "keep", "left": "leave",
    "lent": "lend", "sent": "send", "spent": "spend", "cut": "cut", "put": "put", "set": "set", "shown": "show",
    "broken": "break", "chosen": "choose", "lost": "lose", "run": "run", "begun": "begin", "brought": "bring",
    "done": "do", "found": "find", "felled": "fell", "laid": "lay", "led": "lead", "let": "let", "met": "meet",
    "moved": "move", "removed": "remove", "raised": "raise", "closed": "close", "used": "use", "changed": "change",
    "exposed": "expose", "stored": "store", "shared": "share", "hired": "hire", "reduced": "reduce",
    "replaced": "replace", "outsourced": "outsource", "altered": "alter", "published": "publish",
    "placed": "place", "touched": "touch", "opened": "open", "covered": "cover", "exceeded": "exceed",
    "passed": "pass", "sourced": "source", "charged": "charge", "stopped": "stop", "planned": "plan",
    "transferred": "transfer", "disclosed": "disclose", "released": "release", "processed": "process",
    "displaced": "displace", "torn": "tear", "worn": "wear", "flown": "fly", "drilled": "drill", "fenced": "fence",
    "invoiced": "invoice", "financed": "finance", "damaged": "damage", "disturbed": "disturb",
}  # fmt: skip


def gerund(verb: str) -> str:
    """Return the -ing form of a base *verb*; of "set up", "setting up"."""
    head, _, tail = verb.partition(" ")
    if head in _DOUBLED:
        form = head + head[-1] + "ing"
    elif head.endswith("ie"):
        form = head[:-2] + "ying"
    elif head.endswith("e") and head not in _KEEP_E:
        form = head[:-1] + "ing"
    else:
        form = head + "ing"
    return f"{form} {tail}".rstrip()


def base_of_participle(word: str) -> str | None:
    """Return the base of a past participle: changed -> change; None where it does not look like one."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ied"):
        return word[:-3] + "y"
    if not word.endswith("ed") or len(word) < 5:
        return None
    stem = word[:-2]
    if stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    # used, stored, reduced, damaged, closed: a lone consonant after a lone vowel, or c, g, v, s, u before -ed.
    return stem + "e" if stem[-1] in "cgvu" or stem.endswith(("at", "iz", "is", "ur", "ir", "or", "os", "us")) else stem


#: Base form of each known verb by its -ing form.
GERUNDS = {gerund(verb): verb for verb in sorted(KNOWN)}
