"""Reads with typed views: an item by its key, pages of a query, how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.functions import is_paged
from tablewright.codegen.python.literals import INDENT, WIDTH, Code, Invocation, invoke, print_code
from tablewright.codegen.python.names import parameter_names
from tablewright.codegen.python.signatures import statement
from tablewright.codegen.python.typed.conditions import filter_codes
from tablewright.codegen.python.typed.known import GET, QUERY, READING, says_only
from tablewright.codegen.python.typed.views import entity_item, key_call, query_call

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.codegen.python.signatures import CallMode
    from tablewright.design.model import ItemType, PatternDesign, ReadStep

ANYWHERE = -10_000
"""Ahead of code that is to stay in one line."""
LONGEST_KEY = 52
"""So that a line has room for what is done with it."""


def read_body(named: NamedDesign, pattern: PatternDesign, mode: CallMode) -> list[str] | None:
    """None where typed views do not say the same."""
    item = entity_item(named, pattern.entities)
    if item is None or not says_only(pattern, READING) or len(pattern.reads) != 1:
        return None
    (step,) = pattern.reads
    if step.table != item.table or not says_only(step, GET if step.operation == "GetItem" else QUERY):
        return None
    if step.operation == "GetItem":
        return _get_body(named, pattern, item, step, mode)
    if step.operation != "Query" or (pattern.aggregate and list(pattern.aggregate) != ["count"]):
        return None
    if not is_paged(pattern) and step.limit not in (None, 1 if pattern.kind == "get" else None):
        return None  # the one item, or all of them
    return _query_body(named, pattern, item, step, mode)


def chain_calls(code: str, *calls: Invocation | None) -> str:
    """Calls behind each other, on one line."""
    return code + "".join("." + print_code(each, 0, ANYWHERE) for each in calls if each is not None)


def _flag(name: str, *, is_set: bool) -> Invocation | None:
    return invoke(name) if is_set else None


# ---- one item -------------------------------------------------------------------------------------------------------


def _get_body(
    named: NamedDesign, pattern: PatternDesign, item: ItemType, step: ReadStep, mode: CallMode
) -> list[str] | None:
    names = parameter_names(pattern)
    call = key_call(named, item, names)
    if call is None or not is_own_key(item, step):
        return None
    lines, key = chainable_key(call)
    asked = chain_calls(key, invoke("get"), _flag("consistent", is_set=step.consistent))
    return [*lines, *statement(f"return {mode.run}", Code(asked))]


def chainable_key(call: Invocation) -> tuple[list[str], str]:
    """Code of a key that more can be chained to: the call itself, or a variable where that is long."""
    line = print_code(call, 0, ANYWHERE)
    if len(line) <= LONGEST_KEY:
        return [], line
    return [f"{INDENT}key = {print_code(call, 1, 6)}"], "key"


def is_own_key(item: ItemType, step: ReadStep) -> bool:
    keys = item.keys[0]
    own = {each.field: each.template for each in (*keys.pk, *keys.sk)}
    asked = {each.field: each.template for each in step.pk} | {each.field: each.low for each in step.sk}
    return step.index is None and own == asked and all(each.operator == "=" for each in step.sk)


# ---- queries --------------------------------------------------------------------------------------------------------


def _query_body(
    named: NamedDesign, pattern: PatternDesign, item: ItemType, step: ReadStep, mode: CallMode
) -> list[str] | None:
    names = parameter_names(pattern)
    asked = query_call(named, item, step, names)
    if asked is None:
        return None
    filters = [each for each in step.filters if each.comparison[:2] != (asked.compares, asked.operator)]
    conditions = filter_codes(named, item, filters, names)
    if conditions is None:
        return None
    more = [
        Invocation(".where", tuple(conditions)) if conditions else None,
        _flag(".descending", is_set=step.backwards),
        _flag(".consistent", is_set=step.consistent),
        invoke(".after", Code("after")) if pattern.kind == "query" and not pattern.aggregate else None,
    ]
    limiting = "count" if step.filters else "limit"
    return [*_assign_chain("query", asked.call, more), *_run_lines(pattern, step, limiting, mode)]


def _assign_chain(name: str, call: Invocation, more: Iterable[Invocation | None]) -> list[str]:
    """A variable of calls behind each other: in one line where that fits, else in several."""
    calls = [each for each in more if each is not None]
    line = f"{INDENT}{name} = {print_code(call, 0, ANYWHERE)}{''.join(print_code(each, 0, ANYWHERE) for each in calls)}"
    if len(line) <= WIDTH:
        return [line]
    lines = [f"{INDENT}{name} = {print_code(call, 1, len(name) + 3)}"]
    return lines + [f"{INDENT}{name} = {name}{print_code(each, 1, len(name) * 2 + 3)}" for each in calls]


def _run_lines(pattern: PatternDesign, step: ReadStep, limiting: str, mode: CallMode) -> list[str]:
    if pattern.aggregate:
        return [f"{INDENT}return {mode.run}(query.total())"]
    if pattern.kind == "get":
        return [f"{INDENT}found = {mode.run}(query.{limiting}(1))", f"{INDENT}return next(iter(found), None)"]
    if step.limit is not None:
        return [f"{INDENT}return {mode.run}(query.{limiting}({step.limit} if limit is None else limit))"]
    return [
        f'{INDENT}query = query.pages("all") if limit is None else query.{limiting}(limit)',
        f"{INDENT}return {mode.run}(query)",
    ]
