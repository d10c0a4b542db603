"""Words of dates that Babel's data do not hold, by language; patterns, plain data."""

#: The end, the middle and the beginning of a period, before the name of the period, with what links them.
PARTS: dict[str, tuple[str, str, str]] = {
    "en": (r"(?:the )?end of(?: the)?|end|close of", r"(?:the )?middle of|mid",
           r"early|(?:the )?(?:beginning|start) of|beginning"),
    "de": (r"ende|ausgang", r"mitte", r"anfang|beginn"),
    "fr": (r"(?:la )?fin(?: d[eu'])?", r"(?:le )?milieu d[eu]|(?:à la )?mi", r"(?:le )?début(?: d[eu'])?"),
    "es": (r"(?:a )?(?:finales|fines|final|fin) del?", r"(?:a )?mediados del?",
           r"(?:a )?(?:principios|comienzos|inicios|inicio) del?"),
    "pt": (r"(?:o |ao )?(?:final|fim|finais) d[eo]", r"(?:a )?meados d[eo]|o meio de",
           r"(?:o |ao )?(?:início|inícios|princípio|começo) d[eo]"),
    "it": (r"(?:la )?fine(?: di| del)?", r"(?:la )?metà(?: di| del)?", r"(?:l')?inizio(?: di| del)?|inizi(?: di"
    r"| del)?"),
    "ro": (r"sfârșitul(?: lunii| lui| anului)?|finalul(?: lunii| anului)?", r"mijlocul(?: lunii| lui)?",
           r"începutul(?: lunii| lui)?"),
    "nl": (r"eind(?:e)?(?: van)?", r"half|medio|midden(?: van)?", r"begin(?: van)?"),
    "sv": (r"slutet av|utgången av", r"mitten av", r"början av"),
    "da": (r"(?:slutningen|udgangen) af|ultimo", r"midten af|medio", r"(?:begyndelsen|starten) af|primo"),
    "nb": (r"(?:slutten|utgangen) av|ultimo", r"midten av|medio", r"(?:begynnelsen|starten) av|primo"),
    "pl": (r"ko(?:niec|ńca|ńcu|ńcem)", r"połow\w", r"począt(?:ek|ku|kiem)"),
    "cs": (r"kon(?:ec|ce|cem|ci)", r"polovin\w", r"začát(?:ek|ku|kem)"),
    "id": (r"akhir", r"pertengahan", r"awal"),
    "vi": (r"cuối", r"giữa", r"đầu"),
    "ru": (r"кон(?:ец|ца|цу|це)", r"середин\w", r"начал\w"),
    "uk": (r"кін(?:ець|ця|цю|ці)", r"середин\w", r"початок|початк\w"),
    "el": (r"(?:τέλος|τέλη|τέλους)(?: του)?", r"μέσα(?: του)?", r"αρχές(?: του)?|αρχή(?: του)?"),
    "ar": (r"نهاية|أواخر|آخر", r"منتصف", r"بداية|أوائل|مطلع"),
    "he": (r"סוף", r"אמצע", r"תחילת"),
    "th": (r"สิ้นเดือน|ปลายเดือน|สิ้น|ปลาย", r"กลางเดือน|กลาง", r"ต้นเดือน|ต้น"),
}  # fmt: skip
#: The same behind the name of the period.
PARTS_BEHIND: dict[str, tuple[str, str, str]] = {
    "fi": (r"loppu\w*|lopulla", r"puoliväli\w*", r"alku\w*|alussa"),
    "tr": (r"sonu\w*", r"ortası\w*", r"başı\w*"),
    "hu": (r"végé\w*", r"közep\w*", r"elej\w*"),
    "ja": (r"末|下旬|終わり", r"中旬|半ば|中頃", r"上旬|初旬|初め"),
    "zh": (r"底|末|下旬", r"中旬|中", r"上旬|初"),
    "ko": (r"말|하순", r"중순", r"초|상순"),
    "hi": (r"के अंत\w*", r"के मध्य", r"की शुरुआत|के प्रारंभ"),
}
#: Spring, summer, autumn, winter.
SEASONS = {
    "en": ("spring", "summer", "autumn|fall", "winter"),
    "de": ("frühjahr|frühling", "sommer", "herbst", "winter"),
    "fr": ("printemps", "été", "automne", "hiver"),
    "es": ("primavera", "verano", "otoño", "invierno"),
    "pt": ("primavera", "verão", "outono", "inverno"),
    "it": ("primavera", "estate", "autunno", "inverno"),
    "ro": ("primăvar\\w+", "var[aăi]i?", "toamn\\w+", "iarn\\w+|ierni"),
    "nl": ("voorjaar|lente", "zomer", "najaar|herfst", "winter"),
    "sv": ("vår(?:en)?", "sommar(?:en)?", "höst(?:en)?", "vinter(?:n)?"),
    "da": ("forår(?:et)?", "sommer(?:en)?", "efterår(?:et)?", "vinter(?:en)?"),
    "nb": ("vår(?:en)?", "sommer(?:en)?", "høst(?:en)?", "vinter(?:en)?"),
    "fi": ("kevä\\w+", "kesä\\w*", "syksy\\w*", "talv\\w+"),
    "pl": ("wiosn\\w+", "lat(?:o|a|em)|lecie", "jesie[nń]\\w*", "zim\\w"),
    "cs": ("ja[rř]\\w+", "lét[aoeu]\\w?", "podzim\\w*", "zim\\w"),
    "hu": ("tavasz\\w*", "ny[aá]r\\w*", "ősz\\w*", "t[eé]l\\w*"),
    "tr": ("ilkbahar\\w*|bahar\\w*", "yaz\\w*", "sonbahar\\w*|güz\\w*", "kış\\w*"),
    "ru": ("весн\\w+", "лет[оау]м?", "осен\\w+", "зим\\w+"),
    "uk": ("(?:на)?весн\\w+", "влітку|літ[оау]м?", "восени|ос[іе]н\\w+", "взимку|зим\\w+"),
    "el": ("άνοιξη|άνοιξης", "καλοκαίρι\\w*", "φθινόπωρο\\w*|φθινοπώρου", "χειμών\\w+"),
    "ja": ("春", "夏", "秋", "冬"),
    "zh": ("春季|春天|春", "夏季|夏天|夏", "秋季|秋天|秋", "冬季|冬天|冬"),
    "ko": ("봄", "여름", "가을", "겨울"),
    "ar": ("ربيع", "صيف", "خريف", "شتاء"),
}
#: Countries where spring begins in September.
SOUTHERN = frozenset(
    {"AR", "AU", "BO", "BR", "BW", "CL", "LS", "MG", "MU", "MZ", "NA", "NZ", "PE", "PY", "SZ", "UY", "ZA", "ZM", "ZW"}
)
QUARTER = (
    r"quarters?|quartals?|trimestres?|trimester|trimestr\w*|kwartaal|kvartal\w*|kvartaali\w*|neljännes\w*|kwarta\w+"
    r"|čtvrtletí|çeyre\w+|квартал\w*|τρίμην\w+|τριμήνου|triwulan|kuartal|negyedév\w*|quý"
)
HALF_YEAR = (
    r"half(?:-year)?|halbjahr\w*|semestres?|semest(?:er|re)|halvår\w*|halfjaar|półrocz\w*|pololetí|полугоди\w+|півріччя"
    r"|εξάμηνο|εξαμήνου|puolivuosi\w*|vuosipuolisko\w*"
)
#: Beginnings of the words for first to fourth, with their endings, in all languages together.
ORDINALS = (
    r"first|erste[rsn]?|premi(?:er|ère)|primer[ao]?|prim[ao]|primeir[ao]|eerste|första|første|ensimmäi\w+"
    r"|pierwsz\w+|první\w*"
    r"|перв\w+|перш\w+|πρώτ\w+|birinci|pertama",
    r"second|zweite[rsn]?|deuxième|segund[ao]|second[ao]|tweede|andra|anden|andet|andre|toi[ns]\w+|drug\w+|druh\w+"
    r"|втор\w+|друг\w+|δεύτερ\w+|δευτέρου|ikinci|kedua",
    r"third|dritte[rsn]?|troisième|tercer[ao]?|terz[ao]|terceir[ao]|derde|tredje|kolma\w+|trzeci\w*|třetí\w*|трет\w+"
    r"|τρίτ\w+|üçüncü|ketiga",
    r"fourth|vierte[rsn]?|quatrième|cuart[ao]|quart[ao]|vierde|fjärde|fjerde|neljän\w+|czwart\w+|čtvrt(?:é|ý|ého|ém)"
    r"|четв[её]рт\w+|τέταρτ\w+|dördüncü|keempat",
)
#: What makes a date of a bare year or a bare month.
LEADS: dict[str, str] = {
    "en": "by|before|until|till|from|in|during|since|after|starting|starts? in|starting in|begins? in|beginning in"
          "|end in|ends in|launch in|throughout|for",
    "de": "bis|im|in|ab|seit|vor|nach|von|anno|bis zum",
    "fr": "en|avant|d'ici|depuis|dès|après|fin|jusqu'en|courant|pour|d'ici à|d'ici fin",
    "es": "en|antes de|hasta|desde|para|durante|tras|a partir de",
    "pt": "em|até|antes de|desde|para|durante|a partir de",
    "it": "nel|entro il|entro|dal|dopo il|prima del|fino al|per il|a|da",
    "ro": "în|până în|din|înainte de|după|din anul|în anul",
    "nl": "in|voor|tegen|sinds|vanaf|na|tot|begin|eind|uiterlijk in",
    "sv": "under|före|från|sedan|efter|till|senast|i|år",
    "da": "i|inden|før|fra|siden|efter|til|senest i",
    "nb": "i|innen|før|fra|siden|etter|til|senest i",
    "fi": "vuonna|vuoteen|vuodesta|vuoden",
    "pl": "w|do|od|przed|po|w roku|do roku",
    "cs": "v|do|od|před|po|v roce|do roku|roku",
    "hu": "",
    "tr": "",
    "id": "pada|tahun|sebelum|sejak|hingga|sampai|mulai",
    "vi": "năm|trước năm|từ năm|đến năm",
    "ru": "в|до|к|с|после|начиная с",
    "uk": "у|в|до|з|після|від",
    "el": "το|έως το|μέχρι το|από το|πριν το|τον|μέχρι τον",
    "ar": "في|عام|سنة|قبل|بحلول|منذ|حتى|في عام|بحلول عام",
    "he": "ב|עד|בשנת|לפני",
    "hi": "",
}  # fmt: skip
#: Words that say that a number is a year, before or behind it.
YEAR_BEFORE = (
    r"years?|jahre?s?|année|an|l'an|año|ano|anno|anul(?:ui)?|jaar|år(?:et)?|vuo\w+|rok\w?|roce|tahun|năm|fy|έτος"
    r"|عام|سنة|سن"
)
YEAR_BEHIND = (
    r"年|년|року|року|год[уа]?(?!\w)|г\.|р\.(?=\s)|roku\b|-(?:ban|ben|ig|ra|re|t[óő]l)\b|yılı\w*|-[uü]n\w+|के|ปี"
)
#: Words that may follow a bare month or year in English; a noun there would be counted or named by it.
FOLLOWS = (
    "and or to with we the for in at by on but so a an is are as from after when while if using under which that "
    "it our must should will through unless because without then all across into over until they i there where "
    "who these those both including only"
)
#: Countries that write the month first.
COUNTRIES_MONTH_FIRST = frozenset({"US", "PH", "FM", "MH", "PW"})
#: Countries where both orders are in use.
COUNTRIES_EITHER = frozenset({"CA", "KE", "ZA", "MY"})
#: Month names in forms that Babel does not list.
MORE_MONTHS = {
    "en": {"sept": 9},
    "de": {"jänner": 1, "feber": 2},
    "es": {"setiembre": 9},
    "cs": {"červenci": 7, "červencem": 7, "červnu": 6, "červnem": 6},
    "ru": {"мае": 5, "маю": 5, "май": 5},
}
#: Languages whose months take endings that Babel does not list.
INFLECTED = frozenset({"fi", "pl", "cs", "hu", "tr", "ru", "uk", "el", "ro"})
