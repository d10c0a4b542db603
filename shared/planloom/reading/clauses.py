"""Cut sentences into clauses that can bind on their own."""

import re
from collections.abc import Iterator

from planloom.domain.facts import Spanned
from planloom.reading.page import Page
from planloom.reading.wording import any_of

_MODAL = any_of("""
    must should shall may can cannot can't will won't has_to have_to needs? is are has have do_not don't
    does_not requires?
""")
# A new subject with its own verb follows: "..., and data may not leave the country".
_LATER = r"(?!(?:which|who|whom|whose|that|where|and|or|nor|if|of\swhich|of\swhom|in\swhich|either\sof|each\sof)\b)"
_CUT = re.compile(
    rf";\s|\s-\s|\s?—\s?|,?\s(?:so(?!\sthat\b)|but|while|whereas)\s(?=\S)"
    rf"|,\s(?:and\s)?{_LATER}(?=(?:[\w'%/-]+\s){{1,7}}?{_MODAL}\s)"
    # "Belgium and the Netherlands do not": a name before "and" goes with what follows.
    rf"|(?-i:(?<![A-Z][a-z]{{4}})(?<![A-Z][a-z]{{5}})(?<![A-Z][a-z]{{6}}))\sand\s"
    rf"(?=(?:the|we|it|they|our|all|each|every|no|i|this|these|both)\s(?:[\w'%/-]+\s){{0,5}}?{_MODAL}\s)",
    re.IGNORECASE,
)
#: What always ends a clause.
_SURE = re.compile(r";|, so\b(?! that\b)")
_FINITE = re.compile(rf"\b(?:{_MODAL}|has|have|was|were|want|wants|means|says?|\w{{3,}}(?:ed|es))\b", re.IGNORECASE)


def clauses_of(page: Page, sentence: Spanned) -> Iterator[tuple[int, int]]:
    """Yield the spans of the clauses of *sentence* in order; a piece without a verb stays with its neighbour."""
    start = looked = sentence.start
    for cut in _CUT.finditer(page.text, sentence.start, sentence.end):
        if _SURE.match(page.text, cut.start()) or _FINITE.search(page.text, looked, cut.start()):
            yield start, cut.start()
            start = cut.end()
        looked = cut.end()
    yield start, sentence.end
