"""Functions out of signatures: what `Task.by_employee` is when it is called.

Every access pattern becomes a function with the very parameters that were declared, so a wrong call is Python's own
TypeError and `help()` tells the truth. Its body is written once for the pattern, because it runs for every query:
encode what is given, from left to right. Whatever is not that simple goes through `Binder`, which knows every rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tablewright.errors import FieldFault, RequestError, ValidationError
from tablewright.runtime.declare.bounds import ANY, Bound
from tablewright.runtime.requests.ranges import Sort
from tablewright.runtime.types.codec import EncodingError
from tablewright.schema.script import Script, checked_name, literal

if TYPE_CHECKING:
    from tablewright.runtime.declare.access import Signature

FROM = ("gte", "lt", "between")  # what begins at its lower end, or ends right below it
LATEST = datetime(9999, 12, 31, tzinfo=UTC)

Make = Callable[[dict[str, Any], Sort | None], Any]


def bound_function(signature: Signature, slots: Mapping[str, Any], where: str, make: Make) -> Callable[..., Any]:
    """The pattern as a function; `make` turns composites and a comparison into its result."""
    script = Script()
    names = [checked_name(name, where) for name in (*signature.pk, *signature.sk)]
    words = _Words(script, names, _Binder(signature, slots, where, make), make)
    encoders = [script.refer(slots[name].encode or _as_it_is, words.mark + "encode") for name in names]
    star = ["*"] if signature.sk else []
    sorts = [f"{name}={words.any}" if name in signature.optional else name for name in signature.sk]
    body = _body_of(
        signature, words, [(slots[name].name, encode) for name, encode in zip(names, encoders, strict=True)]
    )
    made = script.define(f"{words.mark}pattern", ", ".join([*signature.pk, *star, *sorts]), body)
    function: Callable[..., Any] = script.run()[made]
    function.__name__, function.__qualname__ = signature.name, where
    function.__doc__ = signature.doc
    return function


def _as_it_is(value: Any) -> Any:
    return value


class _Words:
    """What the function calls everything that is not a composite; composites may well be called `make` or `__any`."""

    def __init__(self, script: Script, names: Sequence[str], bind: _Binder, make: Make) -> None:
        self.mark = "_" * (1 + max((len(name) - len(name.lstrip("_")) for name in names), default=0))
        self.any = script.refer(ANY, f"{self.mark}any")
        self.bound = script.refer(Bound, f"{self.mark}bound")
        self.misfit = script.refer(EncodingError, f"{self.mark}misfit")
        self.make = script.refer(make, f"{self.mark}make")
        self.given = f"{self.mark}given"
        named = ", ".join(f"{literal(name)}: {name}" for name in names)
        self.everything = f"{script.refer(bind, f'{self.mark}bind')}({{{named}}})"


def _body_of(signature: Signature, words: _Words, composites: Sequence[tuple[str, str]]) -> list[str]:
    """The lines of the function; `composites` are stored names and the encoders of their values."""
    names = (*signature.pk, *signature.sk)
    lines = ["try:", f"    {words.given} = {{}}"]
    indent = "    "
    for at, (name, (stored, encode)) in enumerate(zip(names, composites, strict=True)):
        if name in signature.optional:
            behind = " or ".join(f"{each} is not {words.any}" for each in names[at + 1 :])
            lines += [f"{indent}if {name} is {words.any} and ({behind}): return {words.everything}"] if behind else []
            lines.append(f"{indent}if {name} is not {words.any}:")
            indent += "    "
        lines.append(f"{indent}if {name}.__class__ is {words.bound}: return {words.everything}")
        lines.append(f"{indent}{words.given}[{literal(stored)}] = {encode}({name})")
    finish = [f"except {words.misfit}:", f"    return {words.everything}", f"return {words.make}({words.given}, None)"]
    return [*lines, *finish]


def _stored_from(bound: Bound[Any]) -> Any:
    """The lower end; of times, which are stored to the millisecond, the first that is stored as high or higher."""
    low = bound.low
    if bound.operator not in FROM or not isinstance(low, datetime) or low.tzinfo is None or low > LATEST:
        return low  # what has no zone is about to be refused
    return low + timedelta(microseconds=-low.microsecond % 1000)


class _Binder:
    """Turns named arguments into composites and a comparison, with every check."""

    __slots__ = ("make", "slots", "sort", "where")

    def __init__(self, signature: Signature, slots: Mapping[str, Any], where: str, make: Make) -> None:
        self.where = where
        self.make = make
        self.slots = {name: (slots[name].name, slots[name].encode) for name in (*signature.pk, *signature.sk)}
        self.sort = signature.sk

    def __call__(self, named: Mapping[str, Any]) -> Any:
        given: dict[str, Any] = {}
        sort: Sort | None = None
        for name, value in named.items():
            slot = self.slots[name]
            if value.__class__ is Bound:
                sort = self.bound(name, slot, value, sort)
            elif value is not ANY:
                given[slot[0]] = self.encoded(name, slot[1], value)
        self.check(given, sort)
        return self.make(given, sort)

    def encoded(self, name: str, encode: Callable[[Any], Any] | None, value: Any) -> Any:
        if encode is None:
            return value
        try:
            return encode(value)
        except EncodingError as error:
            raise ValidationError([FieldFault(name + error.path, error.reason)], message=self.where) from error

    def bound(self, name: str, slot: Any, value: Bound[Any], earlier: Sort | None) -> Sort:
        if earlier is not None or name not in self.sort:
            reason = "one comparison at most" if earlier is not None else "comparisons on sort composites only"
            raise RequestError(f"{self.where} takes {reason}; use where(...) for the rest", code=2002)
        key, encode = slot
        if value.operator == "begins":
            return Sort("begins", {key: value.low})
        low = {key: self.encoded(name, encode, _stored_from(value))}
        high = {key: self.encoded(name, encode, value.high)} if value.operator == "between" else {}
        return Sort(value.operator, low, high)

    def check(self, given: Mapping[str, Any], sort: Sort | None) -> None:
        """Sort composites are given from left to right, and nothing follows a comparison."""
        compared: Mapping[str, Any] = {} if sort is None else sort.low
        gap = ""
        for name in self.sort:
            key = self.slots[name][0]
            if gap and (key in given or key in compared):
                problem = f"{name} is given without {gap}, which comes before it in the key"
                raise RequestError(f"{self.where}: {problem}", code=2002)
            if key not in given:
                gap = gap or name
