"""One schema twice: loaded as it is, and as the classes that are generated from it. The same calls, side by side.

The typed style refuses texts that leave doubts which item is meant. Where a schema has keys of that kind, its calls are
made in several spellings (`unexplained`): each refusal must be the one expected, and no call is refused in all of them.
"""

from __future__ import annotations

import itertools
import sys
import types
import typing
from collections.abc import Iterator
from typing import Any

import tablewright as tw
from tablewright.codegen.names import snake
from tablewright.codegen.python.classes.draft import service_names
from tablewright.codegen.python.classes.module import classes
from tablewright.errors import TablewrightError
from tablewright.runtime.types.renaming import unchanged
from tablewright.schema.functions import functions_in
from tablewright.schema.load import read_source
from tablewright.schema.model import AccessPattern, Entity
from tablewright.schema.types import Attribute, Enum, Free, ListOf, MapOf, RecordOf, Scalar, SetOf

COUNT = itertools.count()
TEXT = "Value {0}"
SPELLINGS = (TEXT, "value {0}", "VALUE {0}", "{0}-{0}")
"""Keys in lower or upper case find more than one spelling of a text, unless it has no letters."""


class Rows:
    """An item as functions written for the loaded style want it: a mapping by the schema's names."""

    def __init__(self, view: Any) -> None:
        self._view = view

    def get(self, name: str) -> Any:
        try:
            return getattr(self._view, snake(name))
        except AttributeError:
            return None

    __getitem__ = get


def handed_in(data: Any, functions: dict[str, Any]) -> Any:
    """The functions as an object, which shows items to them as the loaded style does."""

    def method(function: Any, *given: Any) -> Any:
        result = function(*(Rows(each) if type(each).__name__ == "View" else each for each in given))
        return (lambda *more: method(result, *more)) if callable(result) else result

    names = {each.name for each in functions_in(data)}
    made = {snake(name): lambda *given, name=name: method(functions[name], *given) for name in names}
    return types.SimpleNamespace(**made)


def generated(data: Any, functions: dict[str, Any] | None = None) -> Any:
    """The generated module, loaded."""
    ((path, text),) = classes(data).items()
    module = types.ModuleType(f"generated_{next(COUNT)}")
    sys.modules[module.__name__] = module
    exec(compile(text, path, "exec"), module.__dict__)  # what is to be tested
    if hasattr(module, "supply"):
        module.supply(handed_in(read_source(data), functions or {}))
    return module


# ---- values ---------------------------------------------------------------------------------------------------------


def sample(kind: Any, number: int = 1, text: str = TEXT) -> Any:
    """Some value of a type, as the loaded style takes it."""
    match kind:
        case Scalar("string"):
            return text.format(number)
        case Scalar("number"):
            return number
        case Scalar("boolean"):
            return number % 2 == 0
        case Scalar():
            return b"bytes"
        case Enum(choices):
            return choices[number % len(choices)]
        case SetOf(items):
            return {sample(items, number, text)}
        case ListOf(items):
            return [sample(items.type, number, text)] if items else ["x", 1]
        case MapOf(properties):
            return {each.name: sample(each.type, at, text) for at, each in enumerate(properties)}
        case RecordOf(values):
            return {"k": sample(values.type, number, text)}
        case Free():
            return {"any": number}
        case _:
            raise AssertionError(kind)


def as_typed(annotation: Any, value: Any) -> Any:
    """The same value as the classes take it: maps as their class."""
    args = [each for each in typing.get_args(annotation) if each is not type(None)]
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return as_typed(args[0], value) if len(args) == 1 else value
    if origin is list:
        return [as_typed(args[0], each) for each in value]
    if origin is dict:
        return {name: as_typed(args[1], each) for name, each in value.items()}
    if isinstance(annotation, type) and issubclass(annotation, tw.Map):
        return made(annotation, value)
    return value


def made(kind: Any, values: dict[str, Any]) -> Any:
    """An object of a class from values by the schema's names."""
    hints = {name: typing.get_args(each)[0] for name, each in typing.get_type_hints(kind).items()}
    names = {vars(kind)[name].name(unchanged): name for name in hints if name in vars(kind)}
    return kind(**{names[name]: as_typed(hints[names[name]], each) for name, each in values.items()})


# ---- calls ----------------------------------------------------------------------------------------------------------


class Refused:
    """The code of an error, which both styles must agree on; each has its own words."""

    def __init__(self, code: int, message: str) -> None:
        self.code, self.message = code, message

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refused) and other.code == self.code

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"refused with {self.code}: {self.message}"


def outcome(call: Any) -> Any:
    """The request, or the error."""
    try:
        return call().params()
    except TablewrightError as error:
        return Refused(error.code, str(error))


class Pair:
    """One entity in both styles."""

    def __init__(self, schema: Entity, loaded: Any, kind: Any, names: Any, text: str) -> None:
        self.schema, self.loaded, self.kind, self.names = schema, loaded, kind, names
        self.values = {each.name: sample(each.type, at, text) for at, each in enumerate(schema.attributes, 1)}
        self.key = {name: self.values[name] for name in schema.primary.composites}

    def python(self, values: dict[str, Any]) -> dict[str, Any]:
        hints = typing.get_type_hints(self.kind)
        named = {self.names.attributes[name]: each for name, each in values.items()}
        return {name: as_typed(typing.get_args(hints[name])[0], each) for name, each in named.items()}

    def calls(self) -> Any:
        """By name: the same call in both styles."""

        def key() -> Any:
            return self.kind.key(**self.python(self.key))

        yield "put", lambda: self.loaded.put(self.values), lambda: self.kind(**self.python(self.values)).put()
        yield "create", lambda: self.loaded.create(self.values), lambda: self.kind(**self.python(self.values)).create()
        yield "get", lambda: self.loaded.get(self.key), lambda: key().get()
        yield "delete", lambda: self.loaded.delete(self.key), lambda: key().delete()
        yield "remove", lambda: self.loaded.remove(self.key), lambda: key().remove()
        yield "scan", lambda: self.loaded.scan, self.kind.scan
        yield from self.updates(key)
        for pattern in self.schema.patterns:
            yield from self.queries(pattern)

    def updates(self, key: Any) -> Any:
        """Of attributes that no key is made of, where the styles agree: both keep no keys of table composites here."""
        indexed = {name for each in self.schema.patterns for name in each.composites}
        if not self.agrees_on_updates():
            return
        for each in self.schema.attributes:
            if each.name in indexed or isinstance(each.type, Free) or is_read_only(each):
                continue
            value = self.values[each.name]
            path = getattr(self.kind, self.names.attributes[each.name])
            if hasattr(path, "set") and not isinstance(path, type):
                typed = self.python({each.name: value})[self.names.attributes[each.name]]
                yield (
                    f"update {each.name}",
                    lambda name=each.name, value=value: self.loaded.update(self.key).set({name: value}),
                    lambda path=path, typed=typed: key().update(path.set(typed)),
                )

    def agrees_on_updates(self) -> bool:
        """The typed style also rewrites keys made of the table key alone, asks conditions, and tells watchers."""
        own = set(self.schema.primary.composites)
        others = [each for each in self.schema.patterns if each.index is not None and each.kind != "composite"]
        sides = [side.composite for each in others for side in (each.pk, each.sk) if side is not None]
        known = any(composite and set(composite) <= own for composite in sides)
        watched = any(each.watch is not None for each in self.schema.attributes)
        return not known and not watched and all(each.condition is None for each in others)

    def queries(self, pattern: AccessPattern) -> Any:
        ask = getattr(self.kind, self.names.patterns[pattern.name])
        sort = pattern.sk.composite if pattern.sk else ()
        for count in range(len(sort) + 1):
            given = {name: self.values[name] for name in (*pattern.pk.composite, *sort[:count])}
            yield (
                f"query {pattern.name} {count}",
                lambda given=given: self.loaded.query[pattern.name](given),
                lambda given=given: ask(**self.python(given)).compare("keys"),
            )


def is_read_only(attribute: Attribute) -> bool:
    return attribute.read_only or attribute.watch is not None


def pairs(
    data: Any, functions: dict[str, Any] | None = None, table: str | None = None, text: str = TEXT
) -> tuple[list[Pair], Any, Any]:
    """Every entity in both styles, the loaded service and the generated module."""
    loaded = tw.Service.load(data, functions=functions, table=table)
    module = generated(data, functions)
    names = service_names(loaded.schema)
    if table is not None:
        getattr(module, names.service).home.table = table
    found = [
        Pair(each, loaded.entities[alias], getattr(module, names.entities[alias]), names.inside[alias], text)
        for alias, each in loaded.schema.entities.items()
    ]
    return found, loaded, module


def compared(
    data: Any, functions: dict[str, Any] | None = None, table: str | None = None, text: str = TEXT
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """By call: the outcome in both styles."""
    found, loaded, module = pairs(data, functions, table, text)
    for pair in found:
        for name, by_schema, by_class in pair.calls():
            yield f"{pair.schema.name} {name}", (outcome(by_schema), outcome(by_class))
    names = service_names(loaded.schema)
    for each in loaded.schema.collections:
        first = next(pair for pair in found if pair.schema.name == each.members[0].entity)
        pattern = first.schema.pattern(each.members[0].pattern)
        assert pattern is not None
        given = {name: first.values[name] for name in pattern.pk.composite}
        gather = getattr(module, names.collections[each.name]).of
        yield (
            f"collection {each.name}",
            (
                outcome(lambda each=each, given=given: loaded.collections[each.name](given)),
                outcome(lambda gather=gather, given=given, first=first: gather(**first.python(given))),
            ),
        )


def differences(data: Any, functions: dict[str, Any] | None = None, table: str | None = None) -> dict[str, Any]:
    """By call: both outcomes, where they are not the same."""
    return {name: both for name, both in compared(data, functions, table) if both[0] != both[1]}


def unexplained(data: Any, reason: str, functions: dict[str, Any] | None = None, table: str | None = None) -> Any:
    """By call: its outcomes in all spellings, where they differ by more than the expected refusal, or always."""
    tried = [dict(compared(data, functions, table, text)) for text in SPELLINGS]
    calls = {name: [each[name] for each in tried] for name in tried[0]}
    return {name: found for name, found in calls.items() if not is_explained(found, reason)}


def is_explained(outcomes: list[tuple[Any, Any]], reason: str) -> bool:
    different = [both for both in outcomes if both[0] != both[1]]
    expected = all(
        isinstance(by_class, Refused) and reason in by_class.message and not isinstance(by_schema, Refused)
        for by_schema, by_class in different
    )
    agreed = any(both[0] == both[1] and not isinstance(both[0], Refused) for both in outcomes)
    return expected and (agreed or not different)
