"""Small numbers in English words, for patterns over texts that are known to be in English."""

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"

#: Values below a hundred by word; compounds such as twenty-five are left out.
SMALL = {word: value for value, word in enumerate(_SMALL.split())} | {
    word: 10 * value for value, word in enumerate(_TENS.split(), 2)
}
#: Values by ordinal: the sixth month.
ORDINALS = {word: value for value, word in enumerate(_ORDINALS.split(), 1)}
