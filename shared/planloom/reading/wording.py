"""Build patterns from lists of words, so that the lists can be read and added to."""


def any_of(words: str) -> str:
    """Return a pattern for one of *words*, which white space sets apart; ``_`` stands for a space inside one.

    Each word may itself be a pattern: ``any_of("loans? seed_round")``. The first that matches wins.
    """
    return "(?:" + "|".join(word.replace("_", r"\s") for word in words.split()) + ")"
