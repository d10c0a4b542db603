"""Words that reverse the meaning of a sentence: what rules out, and what says "not before". Tables by language."""

import re
from functools import cache

#: Beginnings of words that rule something out; ``=`` ends a whole word. Languages that are missing are not judged.
_DENY = {
    "en": "no= not= nobody= none= never= nor= neither= without= avoid rule ban prohibit forbid refus exclud cannot "
    "can't= don't= won't= mustn't= shouldn't= isn't= aren't= doesn't= nothing= instead= off= out= "
    "stop reject unwelcome "
    "unacceptable veto decline against= free= -free= drop= skip= omit leave= lose= other= only=",
    "de": "kein nicht nie niemand ohne verzicht vermeid verbiet verbot untersagt ausgeschlossen ausschl "
    "weder tabu= statt= "
    "ablehn abgelehnt unerwünscht nichts= gegen=",
    "fr": "pas= ni= aucun sans= jamais= non= interdi exclu évit refus proscri= proscrit personne= rien= hors= bann",
    "es": "no= ni= sin= nunca= jamás= nadie= ningun ningún prohib evit exclu rechaz descart tampoco= "
    "vetad nada= fuera=",
    "pt": "não= nem= sem= nunca= ninguém= nenhum proib proíb evit exclu recus descart tampouco= vetad "
    "vedad nada= fora=",
    "it": "non= né= senza= mai= nessun vieta divieto proibi esclus evita rifiut niente= nulla= fuori= bandit",
    "nl": "geen= niet= nooit= niemand= zonder= verbod verbied vermijd uitgesloten noch= uitsluit weiger niets= taboe",
    "sv": "inte= ingen= inga= inget= aldrig= utan= förbj förbud undvik utesl ej= varken= vägra inte",
    "da": "ikke= ingen= intet= aldrig= uden= forbud forby undgå udeluk hverken= afvis",
    "nb": "ikke= ingen= intet= aldri= uten= forbud forby unngå utelukk verken= avvis",
    "fi": "ei= eivät= emme= en= älä älköön ilman= kielle kiell vält koskaan= kukaan=",
    "pl": "nie= bez= żad nigdy= nikt= zakaz zabron wyklucz unika ani= odmaw odrzuc",
    "cs": "ne bez= žádn nikdy= nikdo= zákaz zakáz vylouč vyhn ani=",
    "tr": "değil yok= hiç= asla= yasak olmadan= olmaksızın= istemi kaçın hayır= madan= meden= mez= maz= "
    "meye= maya= mayı mesin masın meyin mayın "
    "miyor mıyor muyor müyor mey may hariç dışında",
    "ru": "не= нет= без= ни= никто= никогда= никак запре исключ избег отказ нельзя=",
    "uk": "не= немає= без= ні= ніхто= ніколи= жод заборон виключ уник відмов",
    "el": "δεν= μη= μην= χωρίς= κανέν καμία ποτέ= απαγορ αποκλ ούτε= όχι=",
    "id": "tidak= tanpa= jangan= bukan= tak= dilarang= larang belum= tiada= menolak hindari= menghindari=",
    "hi": "नहीं= न= मत= बिना= कोई= कभी= मना= वर्जित=",
}
#: Without word boundaries: scripts that set no spaces.
_DENY_ANYWHERE = {
    "ja": "ない|ません|ず|禁|なし|無し|不可|避け|除",
    "zh": "不|没|沒|无|無|非|禁|勿|别|別|拒|避免",
    "ko": "않|없|안 |못|금지|말|제외|아니",
    "ar": "لا|ليس|لن|لم|بدون|دون|غير|ممنوع|يحظر|يمنع|عدم",
}
_NOT_BEFORE = (
    r"not (?:start |begin |open )?(?:before|until)|no (?:earlier|sooner) than|at the earliest|"
    r"earliest|not any earlier|"
    r"frühestens|nicht (?:vor|eher)|erst ab|pas avant|au plus tôt|no antes|como muy pronto|cuanto antes a partir|"
    r"não antes|nunca antes|no mínimo a partir|non prima|al più presto|niet (?:voor|eerder)|"
    r"op zijn vroegst|ten vroegste|"
    r"tidigast|inte före|tidligst|ikke før|aikaisintaan|nie wcześniej|najwcześniej|nejdříve|ne dříve|"
    r"en erken|önce değil|"
    r"не раньше|не ранее|не раніше|όχι πριν|το νωρίτερο|paling cepat|tidak sebelum|以降|不早于|最早|이후"
)
_IS_NOT_BEFORE = re.compile(rf"(?<!\w)(?:{_NOT_BEFORE})", re.IGNORECASE)


def not_before(text: str) -> bool:
    """Return whether *text* says, in any of the languages, when something may begin at the earliest."""
    return bool(_IS_NOT_BEFORE.search(text))


def denies(text: str, language: str) -> bool:
    """Return whether *text* holds a word that rules something out; True for languages without a table."""
    pattern = _deny(language)
    return pattern is None or bool(pattern.search(text.replace("’", "'")))


@cache
def _deny(language: str) -> re.Pattern[str] | None:
    if language in _DENY_ANYWHERE:
        return re.compile(_DENY_ANYWHERE[language])
    if language not in _DENY:
        return None
    words = (re.escape(w[:-1]) + r"(?!\w)" if w.endswith("=") else re.escape(w) for w in _DENY[language].split())
    start = "" if language == "tr" else r"(?<!\w)"
    return re.compile(f"{start}(?:{'|'.join(words)})", re.IGNORECASE)
