"""Answers of functions of facts, kept as long as the facts: a search asks the same of them a hundred thousand times."""

from __future__ import annotations

import weakref
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from tablewright.spec.model import PatternSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.spec.facts import Facts

P = ParamSpec("P")
T = TypeVar("T")

_ANSWERS: dict[int, dict[Any, tuple[Any, Any]]] = {}
"""By facts, then by function and arguments: the arguments themselves, which keeps them from being forgotten, and the
answer.
"""


def remembered(function: Callable[Concatenate[Facts, P], T]) -> Callable[Concatenate[Facts, P], T]:
    """For functions whose answer follows from frozen facts and frozen arguments, and from nothing else."""

    @wraps(function)
    def answer(facts: Facts, /, *args: P.args, **kwargs: P.kwargs) -> T:
        known = _answers_of(facts)
        key = (function, *map(_key, args), *kwargs.items())
        found = known.get(key)
        if found is None:
            found = known[key] = (args, function(facts, *args, **kwargs))
        return found[1]

    return answer


def _answers_of(facts: Facts) -> dict[Any, tuple[Any, Any]]:
    found = _ANSWERS.get(id(facts))
    if found is None:
        found = _ANSWERS[id(facts)] = {}
        weakref.finalize(facts, _ANSWERS.pop, id(facts), None)
    return found


def _key(argument: object) -> object:
    """Patterns hold mappings, which have no hash: each is known by being itself."""
    return id(argument) if type(argument) is PatternSpec else argument
