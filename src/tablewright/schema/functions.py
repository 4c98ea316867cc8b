"""Functions and regular expressions in schemas that are data.

JSON holds no code, so a function is written `{"$fn": name}`, a function that another one makes
`{"$fn": name, "args": [...]}`, and a regular expression `{"$regex": source}`. `revive` turns these into values,
`name_function` turns a function back; what a name means is the reader's table of functions, `having` apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import msgspec

from tablewright.errors import SchemaError
from tablewright.schema.places import TOP, Place, nearest
from tablewright.schema.types import Pattern

Functions: TypeAlias = Mapping[str, Callable[..., Any]]

# Inline spellings of the flags of a compiled pattern, since a schema keeps its source alone.
_INLINE_FLAGS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"), (re.VERBOSE, "x"), (re.ASCII, "a"))


class Made(msgspec.Struct, frozen=True):
    """What `functions[name](*args)` returned; equal to any other one made the same way, and dumped by name."""

    name: str
    args: tuple[Any, ...]
    function: Callable[..., Any]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Made) and (self.name, self.args) == (other.name, other.args)

    def __hash__(self) -> int:
        return hash((self.name, self.args))

    def __repr__(self) -> str:
        return f"Made(name={self.name!r}, args={self.args!r})"

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


def having(values: Mapping[str, Any]) -> Made:
    """Whether an item has these values, and any at all where None stands: the condition of a sparse index, as data."""

    def has(item: Mapping[str, Any]) -> bool:
        pairs = ((item.get(name), value) for name, value in values.items())
        return all(own is not None if value is None else own == value for own, value in pairs)

    return Made("having", (dict(values),), has)


BUILT_IN: Functions = {"having": having}
"""Functions that every reader knows."""


class NamedFunction(msgspec.Struct, frozen=True):
    """A function that data names: where, and (in what our export script writes) its JavaScript."""

    name: str
    place: Place
    source: str = ""


def functions_in(value: Any, place: Place = TOP) -> Iterator[NamedFunction]:
    """Every function that data names, built-in ones left out, as often as it does."""
    if isinstance(value, Mapping):
        mapping = cast("Mapping[str, Any]", value)
        if "$fn" in mapping and mapping["$fn"] not in BUILT_IN:
            yield NamedFunction(str(mapping["$fn"]), place, str(mapping.get("source", "")))
        elif "$map" not in mapping:
            for key, each in mapping.items():
                yield from functions_in(each, place / str(key))
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(cast("Sequence[Any]", value)):
            yield from functions_in(each, place[index])


class _StandIn(msgspec.Struct, frozen=True):
    """In the place of a function that data names, for whoever reads the data and never runs it."""

    name: str

    def __call__(self, *_: Any) -> _StandIn:
        return self


def stand_ins(data: Any) -> Functions:
    """By name: something for every function that data names."""
    return {each.name: _StandIn(each.name) for each in functions_in(data)}


def require_functions(data: Any, functions: Functions) -> None:
    """Refuse data that names several functions which are not given, all at once; one is told when it is met."""
    missing = [each for each in functions_in(data) if each.name not in functions]
    names = list(dict.fromkeys(each.name for each in missing))
    if len(names) < 2:
        return
    listed = ", ".join(f"{name} ({next(each.place for each in missing if each.name == name)})" for name in names)
    known = ", ".join(sorted(functions)) or "none were given"
    raise SchemaError(
        f"The schema names {len(names)} functions that are not given: {listed}."
        f" Pass them in `functions`; known: {known}."
    )


def revive(value: Any, functions: Functions, place: Place = TOP) -> Any:
    """The same data with every `$fn` and `$regex` replaced by what it stands for."""
    if isinstance(value, Mapping):
        mapping = cast("Mapping[str, Any]", value)
        if "$fn" in mapping:
            return _function(mapping, functions, place)
        if "$regex" in mapping:
            return regex(mapping["$regex"], place)
        return {key: revive(each, functions, place / str(key)) for key, each in mapping.items()}
    if isinstance(value, (list, tuple)):
        return [revive(each, functions, place[index]) for index, each in enumerate(cast("Sequence[Any]", value))]
    return regex(cast("re.Pattern[str]", value), place) if isinstance(value, re.Pattern) else value


def regex(source: str | re.Pattern[str] | Any, place: Place) -> Pattern:
    """A pattern whose source is known to compile."""
    if isinstance(source, re.Pattern):
        compiled = cast("re.Pattern[str]", source)
        flags = "".join(letter for flag, letter in _INLINE_FLAGS if compiled.flags & flag)
        return Pattern(f"(?{flags}){compiled.pattern}" if flags else compiled.pattern)
    try:
        re.compile(source)
    except (re.error, TypeError) as error:
        raise SchemaError(f"{place}: {source!r} is no regular expression ({error}). Give one Python reads.") from error
    return Pattern(source)


def name_function(function: Callable[..., Any], functions: Functions | None = None) -> dict[str, Any]:
    """`{"$fn": name}`: the name it has in `functions`, else its own qualified name."""
    user_function = getattr(function, "__wrapped__", function)
    if isinstance(user_function, Made):
        return {"$fn": user_function.name, "args": list(user_function.args)}
    known = (name for name, each in (functions or {}).items() if each is function or each is user_function)
    return {"$fn": next(known, None) or _qualified_name(user_function)}


def _qualified_name(function: Callable[..., Any]) -> str:
    owner = function if hasattr(function, "__qualname__") else type(function)
    return f"{owner.__module__}.{owner.__qualname__}"


def arguments_taken(function: Callable[..., Any], most: int) -> int:
    """How many of `most` positional arguments a function wants: Python minds those too many, JavaScript does not.

    What is written in C (`str.strip`, `int`) gets the first alone: its others never mean what a schema would pass.
    """
    import inspect  # only schemas with functions of their own pay for the import

    function = function.function if isinstance(function, Made) else function
    if inspect.isbuiltin(function) or inspect.ismethoddescriptor(function) or isinstance(function, type):
        return min(1, most)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return min(1, most)
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return most
    return min(most, sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters))


def call(function: Callable[..., Any], *given: Any) -> Any:
    """Call with as many of the arguments as the function takes."""
    return function(*given[: arguments_taken(function, len(given))])


def _function(spec: Mapping[Any, Any], functions: Functions, place: Place) -> Callable[..., Any]:
    name = spec["$fn"]
    if name in BUILT_IN and name not in functions:
        functions = {**functions, **BUILT_IN}
    if name not in functions:
        known = ", ".join(sorted(functions)) or "none were given"
        hint = nearest(name, functions)
        raise SchemaError(f"{place}: no function is called {name!r}.{hint} Pass it in `functions`; known: {known}.")
    if not spec.get("args"):
        return functions[name]
    return Made(name, tuple(spec["args"]), _make(functions[name], spec["args"], place))


def _make(maker: Callable[..., Any], args: Any, place: Place) -> Callable[..., Any]:
    try:
        function = maker(*args)
    except (TypeError, ValueError) as error:
        raise SchemaError(f"{place}: the function cannot be made from {args!r} ({error}). Correct its args.") from error
    if not callable(function):
        raise SchemaError(f"{place}: {_qualified_name(maker)} made {function!r} of {args!r}, which is no function.")
    return cast("Callable[..., Any]", function)
