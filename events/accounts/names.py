"""Names of people, as others may be shown them."""

import unicodedata

NAME_LENGTH = 40
"""Characters."""

_CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
_OVERRIDES = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and a symbol, as Unicode has it, that show nothing."""


class InvalidName(ValueError):
    """The message says what a name must be."""


def proper_name(given: str) -> str:
    """A name for people to read, trimmed and composed (NFC). Raises InvalidName."""
    name = unicodedata.normalize("NFC", given)
    if any(unicodedata.category(c) in _CONTROLS or c in _OVERRIDES for c in name):
        raise InvalidName("A name has no control characters.")
    name = name.strip()
    if not 1 <= len(name) <= NAME_LENGTH:
        raise InvalidName(f"A name has 1 to {NAME_LENGTH} characters.")
    if not any(unicodedata.category(c)[0] in "LNPS" and c not in _BLANKS for c in name):
        raise InvalidName("A name has at least one character that can be seen.")
    return name
