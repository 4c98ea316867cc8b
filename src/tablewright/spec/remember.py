"""Answers that are kept: a search asks the same of its facts a hundred thousand times, and an explanation searches
again and again.

`remembered` keeps what follows from facts as long as the facts. `recent` keeps the last few answers of a function whose
answers hold on to what they were asked about, and are large.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import msgspec

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


def recent(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """For functions of frozen values: structs are known by being the same object, all else by being equal."""

    def keep(function: Callable[P, T]) -> Callable[P, T]:
        answers: OrderedDict[Any, tuple[Any, T]] = OrderedDict()

        @wraps(function)
        def answer(*args: P.args, **kwargs: P.kwargs) -> T:
            key = (*map(_identity, args), *((name, _identity(value)) for name, value in kwargs.items()))
            found = answers.get(key)
            if found is None:
                found = answers[key] = ((args, kwargs), function(*args, **kwargs))
                while len(answers) > size:
                    answers.popitem(last=False)
            return found[1]

        return answer

    return keep


def _identity(argument: object) -> object:
    return id(argument) if isinstance(argument, msgspec.Struct) else argument
