"""Names in the table that follow from Python's by a rule: `rename="camel"` stores `task_id` as `taskId`.

A rule is for a service or an entity and holds for all that is in it, nested maps included. It gives an attribute its
name in the schema, and so in keys and items; `name=`, `alias=` and `field=` of an attribute say it for that one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, cast

from tablewright.errors import SchemaError

Rename: TypeAlias = Literal["none", "camel", "pascal", "kebab"] | Callable[[str], str]
Renaming: TypeAlias = Callable[[str], str]


def unchanged(name: str) -> str:
    return name


def camel(name: str) -> str:
    """`task_id` as `taskId`; what stands in front of the first word stays, an underscore at the end goes."""
    lead, words = _words(name)
    return lead + "".join([words[0], *(_raised(each) for each in words[1:])])


def pascal(name: str) -> str:
    lead, words = _words(name)
    return lead + "".join(_raised(each) for each in words)


def kebab(name: str) -> str:
    lead, words = _words(name)
    return lead + "-".join(words)


def _words(name: str) -> tuple[str, list[str]]:
    bare = name.lstrip("_")
    return name[: len(name) - len(bare)], [each for each in bare.split("_") if each] or [bare]


def _raised(word: str) -> str:
    return word[:1].upper() + word[1:]


RULES: dict[str, Renaming] = {"none": unchanged, "camel": camel, "pascal": pascal, "kebab": kebab}


def renaming(rename: Any, where: str) -> Renaming:
    """The rule as a function; None is no rule."""
    if rename is None:
        return unchanged
    rule: Any = RULES.get(rename) if isinstance(rename, str) else rename
    if not callable(rule):
        known = ", ".join(f'"{each}"' for each in RULES)
        raise SchemaError(f"{where}: rename={rename!r} is no rule; use {known}, or a function of a name", code=1009)
    return cast("Renaming", rule) if isinstance(rename, str) else _checked(cast("Callable[[str], Any]", rule), where)


def _checked(rule: Callable[[str], Any], where: str) -> Renaming:
    """A caller's rule, which must answer names."""

    def renamed(name: str) -> str:
        answer = rule(name)
        if not isinstance(answer, str) or not answer:
            remedy = "let it answer a name, such as the one it is given"
            raise SchemaError(f"{where}: rename answers {answer!r} for {name!r}; {remedy}", code=1009)
        return answer

    return renamed
