"""Compiled steps: rendered expressions with the placeholders that they have, and nothing that needs Tablewright."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from tablewright.design.steps import model
from tablewright.design.steps.compile import compile_design, compile_writing
from tablewright.design.steps.compiling.expressions import compile_template
from tablewright.design.steps.compiling.reads import compile_reads
from tablewright.design.steps.model import Demand, Expression, Slot, Sum, Unchanged
from tablewright.design.values.amounts import Amount
from tablewright.design.values.templates import Path, Template
from tablewright.expr import nodes
from tablewright.spec.conditions import Predicate
from tests.codegen.specials import SPECIALS, special

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, PatternDesign

PLAIN = (str, int, bool, Decimal, type(None))


def pattern_of(design: Design, id_: str) -> PatternDesign:
    return next(each for each in design.patterns if each.id == id_)


def parts(value: Any) -> Iterator[Any]:
    """A value and everything in it."""
    yield value
    if is_dataclass(value):
        inner = [getattr(value, each.name) for each in fields(value)]
    else:
        inner = (
            list(value.values()) if isinstance(value, dict) else value if isinstance(value, tuple | frozenset) else ()
        )
    for each in inner:
        yield from parts(each)


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("name", SPECIALS)
def test_everything_is_plain_data_and_placeholders_are_those_of_the_texts(name: str, style: str) -> None:
    compiled = compile_design(special(name, style))
    assert compiled.reads
    for each in parts(compiled):
        if is_dataclass(each):
            assert type(each).__module__ in (model.__name__, type(compiled).__module__)
        else:
            assert isinstance(each, (*PLAIN, dict, tuple, frozenset)), type(each)
        if isinstance(each, Expression):
            marks = re.findall(r"[#:]\w+", each.text)
            assert {*each.names, *each.values} == set(marks)


@pytest.mark.parametrize(
    ("text", "value"),
    [("ORDER", "ORDER"), ("{id}", Slot("id")), ("A#{a}#{old.b}", ("A#", Slot("a"), "#", Slot("old.b"))), ("", "")],
)
def test_templates(text: str, value: Any) -> None:
    assert compile_template(Template.parse(text)) == value


def test_placeholders_of_a_step_are_shared_and_never_alike() -> None:
    design = special("totals", "plain")
    pattern = pattern_of(design, "send-order")
    step = replace(
        pattern.writes[0],
        set={Path("a-b"): Template.parse("{x}"), Path("a_b", nodes.Slot("y")): Template.parse("{z}")},
        condition=Predicate.parse("`a-b` < {x} OR `a.b` = 'q'"),
        unchanged=("a-b",),
    )
    (found,) = compile_writing(design, replace(pattern, writes=(step,))).writes
    assert [(each.path.text, each.placeholder) for each in found.changes] == [("#a_b", ":v0"), ("#a_b_2.#y", ":v1")]
    assert found.changes[1].path.names == {"#a_b_2": "a_b", "#y": Slot("y")}
    assert found.condition == Expression(
        "(#a_b < :v2 OR #a_b_3 = :v3)", {"#a_b": "a-b", "#a_b_3": "a.b"}, {":v2": Slot("x"), ":v3": "q"}
    )
    assert found.unchanged == (Unchanged("a-b", "#a_b", ":v4"),)


def test_an_or_without_company_needs_no_parentheses() -> None:
    design = special("totals", "plain")
    pattern = pattern_of(design, "send-order")
    step = replace(pattern.writes[0], condition=Predicate.parse("a < 1 OR b < 2"), unchanged=())
    (found,) = compile_writing(design, replace(pattern, writes=(step,))).writes
    assert found.condition is not None
    assert re.fullmatch(r"#a < :v\d OR #b < :v\d", found.condition.text)


def test_amounts_are_sums_of_signed_terms() -> None:
    design = special("totals", "plain")
    steps = compile_writing(design, pattern_of(design, "send-order")).writes
    sums = [each.value for step in steps for each in step.changes if each.action == "ADD"]
    assert Sum(((1, Slot("amount")), (-1, Slot("old.amount")))) in sums
    assert Sum(((-1, 1),)) in sums


def test_constants_first_values_and_what_is_added_inside_a_map() -> None:
    design = special("totals", "plain")
    pattern = pattern_of(design, "send-order")
    step = replace(
        pattern.writes[0],
        operation="UpdateItem",
        set={},
        remove=(Path("note"),),
        constants={"sent": True},
        initial={Path("until"): Template.parse("{_expires}")},
        add={Path("stock", nodes.Slot("place")): Amount.parse("-{qty}"), Path("count"): Amount.parse("1")},
    )
    (found,) = compile_writing(design, replace(pattern, writes=(step,))).writes
    taken = "if_not_exists(#stock.#place, :v3) + :v2"
    assert [(each.action, each.path.text, each.assigned) for each in found.changes] == [
        ("SET", "#sent", ""),
        ("SET", "#until", "if_not_exists(#until, :v1)"),
        ("REMOVE", "#note", ""),
        ("SET", "#stock.#place", taken),
        ("ADD", "#count", ""),
    ]
    assert found.changes[0].value is True
    assert found.changes[3].path.values == {":v3": 0}


def test_what_becomes_of_attributes_without_being_given() -> None:
    design = special("totals", "plain")
    pattern = pattern_of(design, "send-order")
    own = next(each for each in design.items if each.entity == pattern.entities[0] and each.kind == "entity")
    step = next(each for each in pattern.writes if each.item == own.name)
    names = [each.name for each in own.attributes]
    step = replace(
        step, constants={names[0]: 1}, add={Path(names[1]): Amount.parse("1"), Path("other"): Amount.parse("1")}
    )
    found = compile_writing(design, replace(pattern, writes=(step,)))
    assert found.becomes == {own.entity: {names[0]: 1, names[1]: Sum(((1, 1),))}}


def test_filters_are_sent_by_queries_and_applied_by_gets() -> None:
    design = special("fan_out", "plain")
    pattern = next(each for each in design.patterns if each.reads and each.reads[0].operation == "Query")
    filters = (Predicate.parse("a = {x} OR b > 3"), Predicate.parse("c BETWEEN 1 AND {y}"))
    (query,) = compile_reads(design, replace(pattern, reads=(replace(pattern.reads[0], filters=filters),)))
    assert query.filter is not None
    assert re.fullmatch(r"\(#a = :v\d OR #b > :v\d\) AND #c BETWEEN :v\d AND :v\d", query.filter.text)
    assert query.demands == ()
    get = replace(pattern.reads[0], operation="GetItem", filters=filters[1:])
    (found,) = compile_reads(design, replace(pattern, reads=(get,)))
    assert found.filter is None
    assert found.demands == (Demand("c", "between", (1, Slot("y"))),)


def test_time_filters_without_keeping_the_limit_from_being_sent() -> None:
    design = special("fan_out", "plain")
    pattern = next(each for each in design.patterns if each.reads and each.reads[0].operation == "Query")
    step = replace(pattern.reads[0], filters=(), unexpired="until", limit=3)
    (found,) = compile_reads(design, replace(pattern, reads=(step,)))
    assert found.filter is not None
    assert re.fullmatch(r"attribute_not_exists\(#until\) OR #until > :v\d", found.filter.text)
    assert list(found.filter.values.values()) == [Slot(model.NOW)]
    assert found.sends_limit
    filtered = replace(step, filters=(Predicate.parse("a = {x}"),))
    (found,) = compile_reads(design, replace(pattern, reads=(filtered,)))
    assert found.filter is not None
    assert re.fullmatch(r"#a = :v\d AND \(attribute_not_exists\(#until\) OR #until > :v\d\)", found.filter.text)
    assert not found.sends_limit
    (found,) = compile_reads(design, replace(pattern, reads=(replace(step, operation="GetItem"),)))
    assert (found.filter, found.unexpired) == (None, "until")


def test_a_projection_has_the_keys_that_a_page_goes_on_behind() -> None:
    design = special("fan_out", "plain")
    pattern = next(each for each in design.patterns if each.reads and each.reads[0].index == "gsi1")
    (found,) = compile_reads(design, replace(pattern, reads=(replace(pattern.reads[0], projection=("team", "pk")),)))
    assert found.projection is not None
    assert found.projection.text == "#team, #pk, #sk, #gsi1pk, #gsi1sk"


def test_stored_items_say_what_is_hidden_and_where_they_are() -> None:
    stored = compile_design(special("embedded", "plain")).stored
    assert {"pk", "sk", "lines", stored.type_field} <= stored.hidden
    assert stored.place(next(iter(stored.types.values())).table, None).all == ("pk", "sk")
    assert stored.visible({"pk": "x", "other": 1}) == {"other": 1}
