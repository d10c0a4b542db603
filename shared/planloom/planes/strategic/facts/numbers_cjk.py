"""Numbers counted in myriads, as Chinese, Japanese and Korean write them: 2400万, 1億2000万, 三百, 3천만."""

import re
from collections.abc import Iterator

COUNTED_IN_MYRIADS = frozenset({"ja", "zh", "ko"})

_ONES = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_SMALL = {"十": 10, "百": 100, "千": 1000, "십": 10, "백": 100, "천": 1000}
_LARGE = {"万": 1e4, "萬": 1e4, "만": 1e4, "億": 1e8, "亿": 1e8, "억": 1e8, "兆": 1e12, "조": 1e12}
_UNITS = "".join((*_SMALL, *_LARGE))
_KANJI = "〇零一二三四五六七八九两兩"
_ITEM = re.compile(rf"(?P<digits>\d+(?:[.,]\d+)*)|(?P<ones>[{_KANJI}])|(?P<unit>[{_UNITS}])")
#: What is counted: without one of these behind it, a short numeral is part of a word (千葉, 十分).
_COUNTER = r"(?=\s?[年月日個个箇人名週周天時小季か]|\s?[カヶケ所家位歳岁台本件棟栋間间層层階円元圓席床户戸%倍])"
_NUMERAL = rf"[{_KANJI}十百千万萬億亿]"
_MYRIADS = re.compile(
    rf"(?<!\d)(?<!\d[.,])\d++(?:[.,]\d++)*+(?: ?[{_UNITS}]+(?: ?\d+(?:[.,]\d+)*(?=[{_UNITS}]))?)+(?:\d{{1,4}}(?!\d))?"
    rf"|(?<!{_NUMERAL}){_NUMERAL}{{1,16}}+{_COUNTER}"
)


def find_myriads(text: str) -> Iterator[tuple[int, int, float, float]]:
    """Yield start, end, base and scale of the numbers in *text*, which is plain, that hold such a numeral."""
    for found in _MYRIADS.finditer(text):
        # a bare one is an article, a bare hundred or more part of a name
        if found.group() not in "一〇零" and set(found.group()) - set("百千万萬億亿"):
            yield found.start(), found.end(), *_value(found.group())


def _value(written: str) -> tuple[float, float]:
    """Return base and scale: 2400万 is 2400 x 1e4, so that a range can share the scale."""
    total, section, waiting = 0.0, 0.0, None
    items = list(_ITEM.finditer(written))
    for item in items:
        if item["unit"] in _LARGE:
            total += (section + (waiting or 0.0) or 1.0) * _LARGE[item["unit"]]
            section, waiting = 0.0, None
        elif item["unit"]:
            section, waiting = section + (1.0 if waiting is None else waiting) * _SMALL[item["unit"]], None
        elif item["ones"]:
            waiting = (waiting or 0.0) * 10 + _ONES[item["ones"]]
        else:
            waiting = float(item["digits"].replace(",", "")) if item["digits"].count(".") < 2 else 0.0
    last = items[-1]["unit"]
    if last in _LARGE and total and sum(1 for item in items if item["unit"] in _LARGE) == 1:
        return total / _LARGE[last], _LARGE[last]
    return total + section + (waiting or 0.0), 1.0
