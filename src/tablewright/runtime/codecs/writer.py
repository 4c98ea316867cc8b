"""Items straight into typed JSON: one function written for the entity, from checked values to all that a put sends.

It says byte for byte what the generic way says (attributes in order, table key, index keys, identifiers). It knows only
what is plain: an entity with validators or setters has no writer, and values that cannot be written make it raise,
whereupon the generic way tells what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.runtime.items.key_clashes import check_rivals
from tablewright.runtime.items.page_items import MisfitError
from tablewright.runtime.items.plain import does_more, is_plain, nested_in
from tablewright.runtime.types.values import is_set
from tablewright.schema.script import Script, literal
from tablewright.schema.types import BOOLEAN, NUMBER, STRING, Enum, Free, ListOf, MapOf, OneOf, RecordOf, Scalar, SetOf
from tablewright.wire.limits import MAX_NESTING
from tablewright.wire.numbers import number_text
from tablewright.wire.values import marshal

if TYPE_CHECKING:
    from tablewright.runtime.items.layout import Layout
    from tablewright.schema.keys import ComposedKey, PatternKeys
    from tablewright.schema.types import Attribute

Writer: TypeAlias = Callable[[Mapping[str, Any]], dict[str, Any]]
Expression: TypeAlias = Callable[[str], str]

SHORT_INT = 10**9  # whole numbers below it need no look at how many digits they have; fractions print as they are


def why_not_compiled(layout: Layout) -> str | None:
    """What keeps an entity's items from being written by compiled code, if anything does."""
    has_condition = any(keys.pattern.condition is not None for keys in layout.secondary)
    for attribute in layout.mindful:
        if _has_functions(attribute):
            return f"{attribute.name} has a validator or a setter"
        if has_condition or _hides_names(attribute):
            return f"{attribute.name} has renamed properties, which only the generic way finds everywhere"
    return None


def _has_functions(attribute: Attribute) -> bool:
    """Whether a validator or setter waits for the value, or for something inside it."""
    return does_more(attribute) or any(_has_functions(each) for each in nested_in(attribute))


def _hides_names(attribute: Attribute) -> bool:
    """Whether properties are renamed inside a union, whose values are written without looking inside."""
    if isinstance(attribute.type, OneOf):
        return not is_plain(attribute)
    return any(_hides_names(each) for each in nested_in(attribute))


def compile_writer(layout: Layout) -> Writer:
    script = Script()
    lines = ["get = values.get"]
    if any(keys.pattern.condition is not None for keys in layout.secondary):
        lines = [
            f"values = {script.refer(_without_empty_sets, 'filled')}(values)",
            *lines,
        ]  # conditions may look at them
    lines.append("item = {}")
    for attribute in layout.attributes.values():
        lines += _attribute_lines(attribute, script)
    for field, whole in layout.table_key:
        key = layout.primary.pk if field == layout.primary.pk.field else layout.primary.sk
        assert key is not None
        lines += _key_lines(key, f"{script.refer(whole, 'whole')}(values)", script)
    if layout.has_template:
        lines.append(f"{script.refer(_check_table_key, 'check')}({script.refer(layout, 'layout')}, item)")
    for keys in layout.secondary:
        lines += _index_lines(layout, keys, script)
    lines += [f"item[{literal(field)}] = {{'S': {literal(value)}}}" for field, value in layout.identity.items()]
    name = script.define("write", "values", [*lines, "return item"])
    return script.run()[name]  # type: ignore[no-any-return]


def _check_table_key(layout: Layout, item: Mapping[str, Any]) -> None:
    """The same check that `Layout.key` makes, of a key in typed JSON."""
    check_rivals(layout, {field: text for field, _ in layout.table_key for text in item[field].values()})


def _without_empty_sets(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """DynamoDB has no empty sets."""
    if any(not value and is_set(value) for value in values.values()):
        return {name: value for name, value in values.items() if value or not is_set(value)}
    return values


def _attribute_lines(attribute: Attribute, script: Script) -> list[str]:
    written = f"item[{literal(attribute.field)}] = {_expression(attribute, script, MAX_NESTING)('value')}"
    if attribute.required:
        return [f"value = values[{literal(attribute.name)}]", written]
    present = f"(value := get({literal(attribute.name)})) is not None"
    if isinstance(attribute.type, SetOf | Free):
        present += f" and (value or not {script.refer(is_set, 'is_set')}(value))"
    return [f"if {present}: {written}"]


# ---- keys ----------------------------------------------------------------------------------------------------------


def _key_lines(key: ComposedKey, value: str, script: Script) -> list[str]:
    """Write one key field. An empty key is a matter for the generic way."""
    if key.numeric:
        return [f"item[{literal(key.field)}] = {script.refer(marshal, 'marshal')}({value})"]
    if key.prefix:
        return [f"item[{literal(key.field)}] = {{'S': {value}}}"]
    return [f"item[{literal(key.field)}] = {{'S': {script.refer(_not_empty, 'not_empty')}({value})}}"]


def _not_empty(text: str) -> str:
    if not text:
        raise MisfitError("a key is empty")
    return text


def _index_lines(layout: Layout, keys: PatternKeys, script: Script) -> list[str]:
    """Both keys of an index where the item is in it: all of its partition composites are there, the condition holds."""
    tests = [f"{literal(name)} in values" for name in _deciding(keys)]
    if keys.pattern.condition is not None:
        tests.append(f"{script.refer(keys.pattern.condition, 'condition')}(values)")
    whole = script.refer(layout.writers[keys.pk.field].whole, "whole")
    lines = _key_lines(keys.pk, f"{whole}(values)", script)
    if keys.sk is not None:
        lines += _sort_lines(keys.sk, script.refer(layout.writers[keys.sk.field].cut, "cut"), script)
    return [f"if {' and '.join(tests)}:", *(f"    {line}" for line in lines)] if tests else lines


def _deciding(keys: PatternKeys) -> list[str]:
    """The attributes without which the item is not in the index."""
    queue = keys.pattern.queue
    return [*(piece.name for piece in keys.pk.pieces), *([queue.due] if queue is not None else [])]


def _sort_lines(key: ComposedKey, cut: str, script: Script) -> list[str]:
    """The sort key, cut at the first absent composite; one that follows an absent one is refused."""
    names = [literal(piece.name) for piece in key.pieces]
    stray = " or ".join(f"{name} in values and {before} not in values" for before, name in pairwise(names))
    typed = f"{script.refer(marshal, 'marshal')}(key)" if key.numeric else "{'S': key}"
    lines = [f"key, is_whole = {cut}(values)"]
    if stray:
        lines.append(f"if not is_whole and ({stray}): {script.refer(_refuse_stray, 'refuse')}()")
    return [*lines, f"if key is not None: item[{literal(key.field)}] = {typed}"]


def _refuse_stray() -> None:
    raise MisfitError("a sort composite follows an absent one")


# ---- values --------------------------------------------------------------------------------------------------------


def _expression(attribute: Attribute, script: Script, levels: int) -> Expression:
    """How a value is written; `levels` is how deep it may go on."""
    kind = attribute.type
    match kind:
        case Scalar() | Enum():
            return _scalar(kind, script)
        case SetOf(items) if items == STRING:
            texts = script.refer(_text_set, "texts")
            return lambda value: f"{texts}({value})"
        case ListOf(items) if items is not None:
            element = _expression(items, script, levels - 1)
            return lambda value: f"{{'L': [{element('each')} for each in {value}]}}"
        case RecordOf(values):
            member = _expression(values, script, levels - 1)
            return lambda value: f"{{'M': {{name: {member('each')} for name, each in {value}.items()}}}}"
        case MapOf(properties):
            write = _map_function(properties, script, levels - 1)
            return lambda value: f"{write}({value})"
        case _:
            write = script.refer(marshal, "marshal")
            return lambda value: f"{write}({value}, {levels})"


def _scalar(kind: Scalar | Enum, script: Script) -> Expression:
    if kind == BOOLEAN:
        return lambda value: f"{{'BOOL': {value}}}"
    write, text = script.refer(marshal, "marshal"), script.refer(str, "text")
    if kind == STRING or (isinstance(kind, Enum) and all(isinstance(choice, str) for choice in kind.choices)):
        return lambda value: f"({{'S': {value}}} if {value}.__class__ is {text} else {write}({value}))"
    if kind == NUMBER:
        number, whole = script.refer(number_text, "number"), script.refer(int, "whole")
        fraction = script.refer(float, "fraction")

        def written(value: str) -> str:
            is_short = f"{value}.__class__ is {whole} and -{SHORT_INT} < {value} < {SHORT_INT}"
            is_plain = f"{value}.__class__ is {fraction} and 0.001 < {value} < 1e15 and {value} % 1"
            return f"{{'N': {text}({value}) if {is_short} or {is_plain} else {number}({value})}}"

        return written
    return lambda value: f"{write}({value})"


def _text_set(members: set[Any]) -> dict[str, Any]:
    """A set of texts, sorted so that one value has one text."""
    return {"SS": sorted(members)} if {*map(type, members)} == {str} else marshal(members)


def _map_function(properties: tuple[Attribute, ...], script: Script, levels: int) -> str:
    """The function that writes a map: at one go when all properties are there, else one by one."""
    written = [(each, _expression(each, script, levels)) for each in properties]
    taken = [f"    value_{at} = value[{literal(each.name)}]" for at, each in enumerate(properties)]
    at_once = ", ".join(f"{literal(each.field)}: {write(f'value_{at}')}" for at, (each, write) in enumerate(written))
    one_by_one = [
        f"if (each := get({literal(property_.name)})) is not None: fields[{literal(property_.field)}] = {write('each')}"
        for property_, write in written
    ]
    body = [f"if {script.refer(len, 'count')}(value) == {len(written)}:", *taken, f"    return {{'M': {{{at_once}}}}}"]
    return script.define("map", "value", [*body, "fields = {}", "get = value.get", *one_by_one, "return {'M': fields}"])
