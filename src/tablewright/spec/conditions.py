"""Conditions on items as expression trees with slots, and how people write them.

Written: plain names, `{name}` (or `:name`) for a parameter, numbers, 'texts', true and false. A name that is a word of
the language, or no plain word, stands in backticks; a quotation mark inside a text is written twice.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias, cast

from tablewright.errors import DesignError
from tablewright.expr.functions import FUNCTIONS
from tablewright.expr.nodes import (
    And,
    Between,
    Compare,
    Condition,
    Function,
    In,
    Name,
    Node,
    Slot,
    Value,
    all_of,
)
from tablewright.expr.parse import ExpressionError, parse_condition
from tablewright.expr.render import Placeholders, render_condition
from tablewright.schema.functions import having
from tablewright.spec.written import Written
from tablewright.wire.numbers import number_text, parse_number

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from decimal import Decimal

Literal: TypeAlias = "str | bool | int | float | Decimal"

_WORDS = frozenset({"and", "or", "not", "between", "in"})
_FUNCTIONS = frozenset({*FUNCTIONS, "size"})
_CONSTANTS: Mapping[str, bool] = {"true": True, "false": False}
_PLAIN = re.compile(r"[A-Za-z_]\w*")
_TOKEN = re.compile(
    r"\{(?P<braced>[^{}]+)\}|:(?P<colon>\w+)|'(?P<single>(?:[^']|'')*)'|\"(?P<double>[^\"]*)\""
    r"|`(?P<quoted>(?:[^`]|``)+)`|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<word>[A-Za-z_]\w*)"
)


class Comparison(NamedTuple):
    """A condition that compares one attribute: what most filters are."""

    attribute: str
    operator: str  # =, <, <=, >, >=, between, begins_with, in, exists
    values: tuple[Slot | Literal, ...]


class Predicate(Written):
    """A condition on an item, as a tree of `expr` in which slots stand for parameters."""

    __slots__ = ("tree",)
    grammar: ClassVar[str] = (
        "A DynamoDB condition over plain attribute names: =, <>, <, <=, >, >=, BETWEEN, IN, AND, OR, NOT,"
        " attribute_exists, attribute_not_exists, attribute_type, begins_with, contains, size. {name} stands for a"
        " parameter; numbers, 'texts' (a quotation mark twice), true and false are values; a name that is no plain word"
        " stands in backticks."
    )
    tree: Condition

    def __init__(self, tree: Condition) -> None:
        self.tree = tree

    @classmethod
    def parse(cls, text: str) -> Self:
        written, names, values = _placeholders(text)
        try:
            return cls(parse_condition(written, names, values))
        except ExpressionError as fault:
            raise ValueError(f"{text!a} is no DynamoDB condition: {fault}") from None

    def __str__(self) -> str:
        return render_condition(self.tree, _Readable())

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes it is about, each once."""
        found = (node.parts[0] for node in _nodes(self.tree) if isinstance(node, Name))
        return tuple(dict.fromkeys(cast("Iterator[str]", found)))

    @property
    def qualifiers(self) -> frozenset[str]:
        """The first parts of its names that have several: `Stock` in `Stock.available`."""
        return frozenset(str(n.parts[0]) for n in _nodes(self.tree) if isinstance(n, Name) and len(n.parts) > 1)

    @property
    def slots(self) -> tuple[str, ...]:
        """The parameters it needs, each once."""
        return tuple(dict.fromkeys(node.name for node in _nodes(self.tree) if isinstance(node, Slot)))

    @property
    def parts(self) -> tuple[Predicate, ...]:
        """The conditions that it joins by AND."""
        joined = self.tree.parts if isinstance(self.tree, And) else (self.tree,)
        return tuple(Predicate(each) for each in joined)

    @property
    def comparison(self) -> Comparison:
        """How it compares its one attribute."""
        match self.tree:
            case Compare(operator, Name((str(attribute),)), Value(value)):
                return Comparison(attribute, operator, (value,))
            case Between(Name((str(attribute),)), Value(low), Value(high)):
                return Comparison(attribute, "between", (low, high))
            case In(Name((str(attribute),)), choices):
                return Comparison(attribute, "in", tuple(cast("Value", each).value for each in choices))
            case Function("begins_with", (Name((str(attribute),)), Value(value))):
                return Comparison(attribute, "begins_with", (value,))
            case Function("attribute_exists", (Name((str(attribute),)),)):
                return Comparison(attribute, "exists", ())
            case _:
                raise ValueError(f"{self} compares more than one attribute")

    @property
    def compared(self) -> Comparison | None:
        """The same; None where it compares none, or several."""
        try:
            return self.comparison
        except ValueError:
            return None

    @property
    def absent(self) -> str | None:
        """The attribute that must not be there, where that is all that it says."""
        match self.tree:
            case Function("attribute_not_exists", (Name((str(attribute),)),)):
                return attribute
            case _:
                return None

    @property
    def required(self) -> dict[str, Any]:
        """By attribute the value it must have, or None where any will do: what a sparse index demands of its items."""
        found = [each.comparison for each in self.parts]
        return {each.attribute: each.values[0] if each.values else None for each in found}

    def fill(self, values: Mapping[str, Any]) -> Condition:
        """The tree with values in its slots."""
        return cast("Condition", _filled(self.tree, values))

    def slot_attribute(self, name: str) -> str | None:
        """The attribute that a parameter is compared with, where it is compared with one."""
        for node in _nodes(self.tree):
            operands = [each for each in _children(node) if isinstance(each, Name | Value)]
            if Value(Slot(name)) in operands:
                return next((str(each.parts[0]) for each in operands if isinstance(each, Name)), None)
        return None


def compare(attribute: str, operator: str, *values: Slot | Literal) -> Predicate:
    """A condition on one attribute; `operator` as in `Comparison`."""
    path, operands = Name((attribute,)), tuple(Value(each) for each in values)
    match operator:
        case "between":
            return Predicate(Between(path, *operands))
        case "in":
            return Predicate(In(path, operands))
        case "begins_with":
            return Predicate(Function("begins_with", (path, *operands)))
        case "exists":
            return Predicate(Function("attribute_exists", (path,)))
        case _:
            return Predicate(Compare(cast("Any", operator), path, operands[0]))


def exists(attribute: str) -> Predicate:
    return compare(attribute, "exists")


def absent(attribute: str) -> Predicate:
    return Predicate(Function("attribute_not_exists", (Name((attribute,)),)))


def join(*predicates: Predicate | None) -> Predicate | None:
    """All of them at once; None when there is none."""
    found = all_of(*(each.tree for each in predicates if each is not None))
    return None if found is None else Predicate(found)


def require(values: Mapping[str, Any]) -> Predicate | None:
    """The condition whose `required` this is."""
    return join(*(exists(name) if value is None else compare(name, "=", value) for name, value in values.items()))


# ---- the written form -----------------------------------------------------------------------------------------------


def unqualified(predicate: Predicate, entity: str) -> Predicate:
    """`available >= {qty}` for `Stock.available >= {qty}`, where Stock is the entity."""
    return Predicate(cast("Condition", _without_qualifier(predicate.tree, entity)))


def _without_qualifier(node: Any, entity: str) -> Any:
    if isinstance(node, Name):
        return Name(node.parts[1:]) if len(node.parts) > 1 and node.parts[0] == entity else node
    if isinstance(node, tuple):
        return tuple(_without_qualifier(each, entity) for each in node)  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(node, Node):
        return node
    fields = {name: _without_qualifier(getattr(node, name), entity) for name in node.__struct_fields__}
    return type(node)(**fields)


class _Readable(Placeholders):
    """Names and values as they are, in the place of placeholders."""

    __slots__ = ()
    is_plain = False

    def name(self, parts: Sequence[str | int]) -> str:
        texts = [f"[{part}]" if isinstance(part, int) else f".{_name_text(part)}" for part in parts]
        return "".join(texts).removeprefix(".")

    def value(self, value: Any, hint: str = "") -> str:
        del hint
        return _value_text(value)


def _name_text(name: str) -> str:
    is_word = name.lower() in _WORDS or name.lower() in _CONSTANTS or name in _FUNCTIONS
    return name if _PLAIN.fullmatch(name) and name.isascii() and not is_word else "`" + name.replace("`", "``") + "`"


def _value_text(value: Any) -> str:
    if isinstance(value, Slot):
        return f"{{{value.name}}}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return number_text(value)


def _placeholders(text: str) -> tuple[str, dict[str, str], dict[str, Any]]:
    """The text with placeholders as DynamoDB's grammar wants them, and what these stand for."""
    names: dict[str, str] = {}
    values: dict[str, Any] = {}

    def replace(match: re.Match[str]) -> str:
        found = match.groupdict()
        word, quoted = found["word"], found["quoted"]
        if quoted is None and word is not None and (word.lower() in _WORDS or word in _FUNCTIONS):
            return word
        if quoted is not None or (word is not None and word.lower() not in _CONSTANTS):
            mark = f"#n{len(names)}"
            names[mark] = quoted.replace("``", "`") if quoted is not None else str(word)
            return mark
        mark = f":v{len(values)}"
        values[mark] = _value_of(found)
        return mark

    return _TOKEN.sub(replace, text), names, values


def _value_of(found: Mapping[str, str | None]) -> Any:
    parameter = found["braced"] or found["colon"]
    if parameter is not None:
        return Slot(parameter)
    if found["word"] is not None:
        return _CONSTANTS[found["word"].lower()]
    if found["number"] is not None:
        return parse_number(found["number"])
    return found["double"] if found["double"] is not None else str(found["single"]).replace("''", "'")


# ---- trees ----------------------------------------------------------------------------------------------------------


def _nodes(node: object) -> Iterator[Node]:
    """A tree's nodes, each before those inside it."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Node):
            yield at
            waiting += reversed(_children(at))


def _filled(node: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(node, Slot):
        return values[node.name]
    if not isinstance(node, Node) or isinstance(node, Name):
        return node
    return type(node)(*(_filled_field(field, values) for field in _fields(node)))


def _filled_field(field: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(field, tuple):
        return tuple(map(partial(_filled, values=values), field))  # pyright: ignore[reportUnknownArgumentType]
    return _filled(field, values)


def _children(node: Node) -> list[Any]:
    found: list[Any] = []
    for field in _fields(node) if not isinstance(node, Name) else ():
        found += field if type(field) is tuple else [field]
    return found


def _fields(node: Node) -> Iterator[Any]:
    return (getattr(node, name) for name in node.__struct_fields__)


# ---- in specs -------------------------------------------------------------------------------------------------------


def check_condition(place: str, text: str, attributes: Collection[str]) -> Predicate:
    """The condition, if it can be sent as it stands; else an error that names its place."""
    try:
        found = Predicate.parse(text)
    except ValueError as fault:
        raise DesignError(
            f"{place}: {fault} Write it like"
            " `people < 50 AND attribute_exists(openTimestamp)`, with {name} for what the caller gives."
        ) from None
    unknown = sorted(set(found.attributes) - set(attributes))
    if unknown:
        known = ", ".join(attributes)
        raise DesignError(
            f'{place}: "{text}" speaks of {", ".join(unknown)}; there are the attributes {known}. A text is quoted'
            f" ('{unknown[0]}'), and what the caller gives stands in braces ({{{unknown[0]}}})."
        )
    return found


# ---- sparse indexes -------------------------------------------------------------------------------------------------


def fits(when: Predicate | None, item: Mapping[str, Any]) -> bool:
    """Whether an item is as its place in an index demands."""
    return when is None or bool(having(when.required)(item))


def describe_when(when: Predicate) -> str:
    """`while status is open`"""
    said = [f"it has {name}" if value is None else f"{name} is {value}" for name, value in when.required.items()]
    return f"while {' and '.join(said)}"
