"""What a deployment asks of its callers beyond a key; nothing by default."""

from planloom.core.frozen import Frozen

_WORDS = {"user_api_key": "user_api_key_required", "credits": "credits"}


class Rules(Frozen):
    """``user_api_key_required``: plans are made on behalf of a user. ``credits``: they cost what an account has."""

    user_api_key_required: bool = False
    credits: bool = False

    @classmethod
    def read(cls, text: str) -> "Rules":
        """Return the rules that *text* names: words between commas, ``none`` for none. Raises ValueError."""
        words = {word.strip() for word in text.split(",")} - {"", "none"}
        if unknown := words - set(_WORDS):
            raise ValueError(f"no such rule: {', '.join(sorted(unknown))}. There are {' and '.join(_WORDS)}.")
        return cls(**{_WORDS[word]: True for word in words})
