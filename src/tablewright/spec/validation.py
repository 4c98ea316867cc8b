r"""What an attribute says its values must be like (`validate`): whether a value is, and values that are.

Patterns are regular expressions in what Python and JavaScript have in common, found anywhere in the text; `$` is the
end of the text and nothing else, and classes such as `\d` are those of ASCII.
"""

from __future__ import annotations

import random
import re
from functools import cache
from importlib import import_module
from math import ceil, floor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tablewright.spec.model import AttributeSpec, Validation

USUAL_LENGTH = 20
SPAN = 1000
"""So far from its one bound numbers are made that have no other."""
WIDEST = 64
TRIES = 40
SAMPLE = 16
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ -_.,:;!?/@+*='\"()[]<>%&$#~^|`\\{}\t\n"
"""What classes of characters are tried with, the harmless first."""
_UNCOMMON = re.compile(r"\(\?(?![:=!])|\\[AZzGpPNQEKXRhHvV]|\\[1-9]")


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


_CATEGORIES: Mapping[str, Callable[[str], bool]] = {"digit": str.isdigit, "word": _is_word, "space": str.isspace}


def pattern_fault(source: str) -> str:
    """Why a pattern cannot be used everywhere; empty where it can."""
    if _UNCOMMON.search(source):
        return "has what not every language knows; keep to classes, groups, |, * + ? {n,m}, ^ and $"
    try:
        compile_pattern(source)
    except re.error as fault:
        return f"is no regular expression: {fault}"
    try:
        return "" if _text_like(source, 0, USUAL_LENGTH) is not None else "no text was found that it matches"
    except NotImplementedError:
        return "looks ahead, for which no examples can be made; say it without"


@cache
def compile_pattern(source: str) -> re.Pattern[str]:
    return re.compile(_with_strict_ends(source), re.ASCII)


def _with_strict_ends(source: str) -> str:
    """Python's own `$` also stands before a line feed at the end."""
    found, is_escaped, is_class = "", False, False
    for each in source:
        found += r"\Z" if each == "$" and not is_escaped and not is_class else each
        if not is_escaped and each in "[]":
            is_class = each == "["
        is_escaped = each == "\\" and not is_escaped
    return found


def wrong_about(rule: Validation, value: Any) -> str:
    """What is wrong with a value; empty where nothing is."""
    if isinstance(value, str):
        if rule.min_length is not None and len(value) < rule.min_length:
            return f"has fewer than {rule.min_length} characters"
        if rule.max_length is not None and len(value) > rule.max_length:
            return f"has more than {rule.max_length} characters"
        return f"does not match {rule.pattern}" if rule.pattern and not _matches(rule.pattern, value) else ""
    if rule.min is not None and value < rule.min:
        return f"is less than {rule.min}"
    return f"is more than {rule.max}" if rule.max is not None and value > rule.max else ""


def _matches(source: str, value: str) -> bool:
    return compile_pattern(source).search(value) is not None


# ---- values that are right ------------------------------------------------------------------------------------------


def make_valid(attribute: AttributeSpec, number: int, size: int | None = None) -> Any:
    """A value that is right, another one for every number as far as there are so many; texts have about this size."""
    rule = attribute.validate
    if rule is None:
        raise ValueError(f"{attribute.name} has no rule")
    if attribute.type == "number":
        return _make_number(rule, number)
    wanted = min(max(size or attribute.size_bytes or USUAL_LENGTH, rule.min_length or 1), rule.max_length or WIDEST**2)
    if not rule.pattern:
        return _make_text(wanted, number)
    return next(each for each in _texts_like(rule.pattern, number, wanted) if not wrong_about(rule, each))


def wrong_values(attribute: AttributeSpec) -> list[Any]:
    """Values that are not right, some of them barely."""
    rule = attribute.validate
    if rule is None:
        return []
    if attribute.type == "number":
        return [
            *([rule.min - 1, rule.min - 0.5] if rule.min is not None else []),
            *([rule.max + 1, rule.max + 0.5] if rule.max is not None else []),
        ]
    right = str(make_valid(attribute, 3))
    long = right + "x" * ((rule.max_length or 0) + 1 - len(right))
    tried = (long, right[: (rule.min_length or 1) - 1], "~", f"~{right}", f"{right}~", f"{right}\n", right[:-1])
    return [each for each in dict.fromkeys(tried) if wrong_about(rule, each)]


def typical_bytes(attribute: AttributeSpec) -> int:
    """The size of a usual value that is right."""
    made = [make_valid(attribute, number) for number in range(2, 18)]
    if attribute.type == "number":
        return round(sum(1 + ceil(len(str(each).strip("-0.")) / 2) for each in made) / len(made))
    return round(sum(len(each.encode()) for each in made) / len(made))


def _make_number(rule: Validation, number: int) -> int | float:
    """The bounds first, then whole numbers between them, then whatever there is."""
    low = rule.min if rule.min is not None else (rule.max or 0) - SPAN
    high = rule.max if rule.max is not None else low + max(SPAN, number)
    if number < 2:
        return low if number == 0 else high
    first, last = ceil(low), floor(high)
    if first > last:
        return low + (high - low) * (number % 9 + 1) / 10
    return first + (number - 1) % (last - first + 1)


def _make_text(length: int, number: int) -> str:
    return _in_digits(number).rjust(length, "0")[-length:]


def _in_digits(number: int) -> str:
    text = ""
    while number:
        number, at = divmod(number, 36)
        text = "0123456789abcdefghijklmnopqrstuvwxyz"[at] + text
    return text


# ---- texts that match -----------------------------------------------------------------------------------------------


def _text_like(source: str, number: int, length: int) -> str | None:
    return next(_texts_like(source, number, length), None)


def _texts_like(source: str, number: int, length: int) -> Iterator[str]:
    """Texts that a pattern matches: first of about this length, then of any.

    Where the pattern itself says little (`@`, found anywhere), what stands around it tells texts apart.
    """
    around = _make_text(max(1, len(_in_digits(number))), number) if _is_narrow(source, length) else ""
    for text in _written_texts(source, number, length):
        for each in (f"{around}{text}{around}", f"{text}{around}", f"{around}{text}") if around else ():
            if _matches(source, each):
                yield each
        if _matches(source, text):
            yield text


def _written_texts(source: str, number: int, length: int) -> Iterator[str]:
    tree = _parse(source)
    wide = _width_for(source, length)
    for attempt in range(TRIES):
        chance = random.Random(f"{number} {attempt}")  # noqa: S311 - examples, the same every time
        yield _write(tree, chance, wide if attempt < TRIES // 2 else attempt % 9)


@cache
def _is_narrow(source: str, length: int) -> bool:
    """Whether the same few texts would come again and again."""
    return len({next(_written_texts(source, number, length)) for number in range(SAMPLE)}) < SAMPLE - 2


def _parse(source: str) -> Any:
    """The parts of a pattern, as Python's own reader of patterns has them."""
    reader: Any = import_module("re._parser")
    return reader.parse(_with_strict_ends(source), re.ASCII)


@cache
def _width_for(source: str, length: int) -> int:
    """How often repeats are repeated, so that a text has about this length."""
    tree = _parse(source)
    sizes = [len(_write(tree, random.Random(0), each)) for each in range(WIDEST)]  # noqa: S311
    return min(range(WIDEST), key=lambda each: abs(sizes[each] - length))


def _write(tree: Any, chance: random.Random, wide: int) -> str:
    return "".join(_write_part(str(kind), said, chance, wide) for kind, said in tree)


def _write_part(kind: str, said: Any, chance: random.Random, wide: int) -> str:
    match kind:
        case "LITERAL":
            return chr(said)
        case "NOT_LITERAL" | "ANY" | "IN":
            fitting = _characters(kind, said)
            return chance.choice(fitting[:36])
        case "BRANCH":
            return _write(chance.choice(said[1]), chance, wide)
        case "SUBPATTERN":
            return _write(said[-1], chance, wide)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, inner = said
            times = min(max(int(least), wide), int(most))
            return "".join(_write(inner, chance, wide) for _ in range(times))
        case "AT":
            return ""
        case _:
            raise NotImplementedError(kind)


def _characters(kind: str, said: Any) -> list[str]:
    if kind == "ANY":
        return list(LETTERS[:36])
    if kind == "NOT_LITERAL":
        return [each for each in LETTERS if ord(each) != said]
    is_negated = str(said[0][0]) == "NEGATE"
    fitting = [each for each in LETTERS if any(_is_in(each, *part) for part in said) != is_negated]
    named = [chr(part[1] if str(part[0]) == "LITERAL" else part[1][0]) for part in said if _is_named(part)]
    return fitting or ([] if is_negated else named) or ["a"]


def _is_named(part: Any) -> bool:
    return str(part[0]) in ("LITERAL", "RANGE")


def _is_in(character: str, kind: Any, said: Any) -> bool:
    match str(kind):
        case "LITERAL":
            return bool(ord(character) == said)
        case "RANGE":
            return bool(said[0] <= ord(character) <= said[1])
        case "CATEGORY":
            name = str(said).lower()
            test = next(test for word, test in _CATEGORIES.items() if word in name)
            return test(character) != ("not" in name)
        case _:
            return False
