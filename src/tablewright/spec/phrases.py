"""The words in which people say when a write may happen."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Phrase: TypeAlias = tuple[str, ...]


def begins_with(words: Phrase, phrase: Phrase) -> bool:
    return tuple(each.lower() for each in words[: len(phrase)]) == phrase


def _phrases(*texts: str) -> tuple[Phrase, ...]:
    return tuple(sorted((tuple(each.split()) for each in texts), key=lambda each: (-len(each), each)))


def _combined(*choices: Iterable[str]) -> tuple[Phrase, ...]:
    """Every combination of one text from each choice."""
    return _phrases(*dict.fromkeys(" ".join(" ".join(parts).split()) for parts in product(*choices)))


SIGNS = frozenset({",", ";"})
SPLITS = SIGNS | {"and"}
ARTICLES = frozenset({"the", "a", "an", "its", "this", "that"})
LEADS = _phrases("only if", "only when", "if", "when", "provided", "provided that")
"""Words before a clause that say nothing."""

ITSELF = frozenset({"", "it", "item", "id", "key"})
PARENTS = frozenset({"parent", "itsparent"})

EXISTS = _combined(("", "already", "must", "must already"), ("exists", "exist", "is there"))
MISSING = (
    *_combined(
        ("not", "does not", "doesn't", "do not", "must not", "may not", "should not", "not yet", "does not yet"),
        ("", "already"),
        ("exist", "exists"),
        ("", "yet", "already"),
    ),
    *_phrases("not existing", "not there", "is not there", "is free", "is new", "must be new"),
)

# ---- values ---------------------------------------------------------------------------------------------------------

NOTHING = frozenset({"null", "none", "nothing", "empty", "absent", "missing", "present", "set", "there", "unset"})
"""Words that speak of whether there is a value, so that they are no parameters."""

PRESENT = frozenset(_combined(("exists", "must exist", "is present", "is set", "is there", "must be set")))
ABSENT = frozenset(
    _combined(
        (
            "does not exist",
            "must not exist",
            "not exists",
            "is absent",
            "is missing",
            "is null",
            "is none",
            "is unset",
            "is not set",
            "is not present",
            "is not there",
            "not set",
            "must not be set",
        )
    )
)
MATCHES = _phrases("matches", "must match", "is unchanged", "has not changed", "is the same")
"""What the caller has seen is what is stored."""

_BE = ("", "is", "are", "must be", "has to be", "should be", "is still", "must still be")
_COMPARISONS: Mapping[str, tuple[str, ...]] = {
    "=": ("=", "==", "equal to", "the same as", "exactly"),
    "<>": ("<>", "!=", "not equal to", "different from", "other than", "not", "no longer"),
    "<": ("<", "less than", "fewer than", "smaller than", "lower than", "below", "under", "before", "earlier than"),
    "<=": (
        "<=",
        "at most",
        "no more than",
        "not more than",
        "not above",
        "not greater than",
        "less than or equal to",
        "not after",
        "no later than",
    ),
    ">": (
        ">",
        "greater than",
        "more than",
        "larger than",
        "higher than",
        "bigger than",
        "above",
        "over",
        "after",
        "later than",
    ),
    ">=": (
        ">=",
        "at least",
        "no less than",
        "not less than",
        "not fewer than",
        "not below",
        "not under",
        "greater than or equal to",
        "more than or equal to",
        "not before",
        "no earlier than",
    ),
}
_VERBS: Mapping[str, tuple[str, ...]] = {
    "=": ("equals", "must equal", "matches", "must match", *(each for each in _BE if each)),
    "<>": ("does not equal", "must not equal", "not equals", "differs from", "must differ from"),
    "<=": ("does not exceed", "must not exceed", "may not exceed", "not exceeds"),
    ">": ("exceeds", "must exceed"),
}


def _operators() -> tuple[tuple[Phrase, str], ...]:
    """Every phrase with its operator, longest first, so that `is not` is never read as `is`."""
    found = {phrase: operator for operator, texts in _COMPARISONS.items() for phrase in _combined(_BE, texts)}
    found |= {phrase: operator for operator, texts in _VERBS.items() for phrase in _phrases(*texts)}
    return tuple(sorted(found.items(), key=lambda each: (-len(each[0]), each)))


OPERATORS = _operators()
STATES = frozenset({*_phrases(*(each for each in _BE if each)), *_combined(_BE, ("not", "no longer"))})
"""After these a plain word is how something is, and no parameter: `is open`."""
