"""Paths: conditions and changes with checked values, places inside, and clear answers to mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import pytest

import tablewright as tw
from tablewright import Attr, attr
from tablewright.expr import nodes
from tablewright.expr.evaluate import evaluate


class Inner(tw.Map):
    deep: Attr[int] = attr(field="d")
    words: Attr[set[str]] = attr(default_factory=set, field="w")


@dataclass
class Plain:
    city: str
    inner: Inner


class Thing(tw.Entity, service=tw.Service("s", table="t"), name="thing"):
    thing: Attr[str]
    text: Attr[str | None] = attr(default=None, alias="theText", field="tx")
    count: Attr[int] = attr(default=0)
    price: Attr[Decimal | None] = attr(default=None)
    kind: Attr[Literal["a", "b"]] = attr(default="a")
    inner: Attr[Inner | None] = attr(default=None)
    inners: Attr[list[Inner]] = attr(default_factory=list)
    plain: Attr[Plain | None] = attr(default=None)
    table: Attr[dict[str, Inner]] = attr(default_factory=dict)
    words: Attr[set[str]] = attr(default_factory=set)

    @tw.primary
    def key(self, thing: str) -> None:
        """One."""


def stored(**values: Any) -> dict[str, Any]:
    item: dict[str, Any] = Thing(thing="t", **values).put().params()["Item"]
    return item


FULL = stored(
    text="hello",
    count=3,
    price=Decimal("1.5"),
    inner=Inner(deep=1, words={"x"}),
    inners=[Inner(deep=2)],
    plain=Plain("Rome", Inner(deep=3)),
    table={"k": Inner(deep=4)},
    words={"w"},
)
HOLDS = [
    Thing.text == "hello",
    Thing.text != "x",
    Thing.count < 4,
    Thing.count <= 3,
    Thing.count > 2,
    Thing.count >= 3,
    Thing.count.between(3, 3),
    Thing.kind.is_in("b", "a"),
    Thing.text.exists(),
    Thing.text.begins_with("he"),
    Thing.text.contains("ell"),
    Thing.words.contains("w"),
    Thing.text.size() == 5,
    Thing.text.size() > Thing.words.size(),
    Thing.words.is_type("SS"),
    Thing.inner.inside.deep == 1,
    Thing.inners[0].deep == 2,
    Thing.inners.contains(Inner(deep=2)),
    Thing.plain.at(lambda plain: plain.city) == "Rome",
    Thing.plain.at(lambda plain: plain.inner.deep) == 3,
    Thing.table["k"].deep == 4,
    Thing.inner == Inner(deep=1, words={"x"}),
    Thing.table == {"k": Inner(deep=4)},
    Thing.plain == Plain("Rome", Inner(deep=3)),
    Thing.count > Thing.price,
    (Thing.count == 0) | ~(Thing.kind == "b") & (Thing.price == Decimal("1.5")),
]


@pytest.mark.parametrize("condition", HOLDS, ids=str)
def test_conditions_mean_what_they_say(condition: nodes.Condition) -> None:
    assert evaluate(condition, FULL)
    assert not evaluate(nodes.Not(condition), FULL)


@pytest.mark.parametrize(
    ("make", "path", "reason"),
    [
        (lambda: Thing.text == 5, "text", "must be text"),
        (lambda: Thing.count.between(1, "2"), "count", "must be a whole number"),
        (lambda: Thing.kind.is_in("a", "c"), "kind", "must be one of 'a', 'b'"),
        (lambda: Thing.words.contains(5), "words[*]", "must be text"),
        (lambda: Thing.inner.inside.deep.set("x"), "inner.deep", "must be a whole number"),
        (lambda: Thing.inners[3].deep == "x", "inners[3].deep", "must be a whole number"),
        (lambda: Thing.inners.append(Inner(deep="x")), "inners[0].deep", "must be a whole number"),
        (lambda: Thing.table["k"].set(5), "table.k", "must be a Inner"),
        (lambda: Thing.words.add({1}), "words[*]", "must be text"),
        (lambda: Thing.price.set(0.5), "price", "must be a Decimal"),
    ],
)
def test_values_that_do_not_fit(make: Any, path: str, reason: str) -> None:
    with pytest.raises(tw.ValidationError, match=reason) as refused:
        make()
    assert [fault.path for fault in refused.value.fields] == [path]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (Thing.kind.is_in, r"kind\.is_in\(\) needs at least one value"),
        (lambda: Thing.text == None, r"text cannot be compared with None.*not_exists\(\)"),  # noqa: E711 - the mistake
        (lambda: Thing.plain.at(lambda _: 5), r"plain\.at\(...\) got 5 from its function"),
        (lambda: Thing.plain.at(lambda _: None), r"plain\.at\(...\) got None"),
        (lambda: Thing.count.begins_with("1"), "begins_with works on text, but count is a number"),
        (lambda: Thing.inners["a"], r"inners has no place \['a'\]"),
        (lambda: Thing.table[0], r"table has no place \[0\]"),
        (lambda: Thing.text[0], r"text has no place \[0\]"),
    ],
)
def test_requests_that_make_no_sense(make: Any, reason: str) -> None:
    with pytest.raises(tw.RequestError, match=reason):
        make()


def test_places_that_do_not_exist() -> None:
    with pytest.raises(AttributeError, match="inner has no 'deeep'; inside it there is deep, words"):
        Thing.inner.inside.deeep  # noqa: B018 - the mistake
    with pytest.raises(AttributeError, match="text has no 'upper'; inside it there is nothing"):
        Thing.text.upper  # noqa: B018 - the mistake


def test_paths_show_how_they_are_written() -> None:
    assert repr(Thing.text) == "Path(text)"
    assert repr(Thing.inners[2].deep) == "Path(inners[2].deep)"
    assert repr(Thing.plain.at(lambda plain: plain.inner.deep)) == "Path(plain.inner.deep)"
    assert len({Thing.text, Thing.count}) == 2


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (Thing.text.set(Thing.kind), "#tx = #kind"),
        (Thing.inner.inside.words.add({"a"}), "ADD #inner.#w :w0"),
        (Thing.inner.inside.words.delete({"a"}), "DELETE #inner.#w :w0"),
        (Thing.count.add(1, default=5), "#count = if_not_exists(#count, :count0) + :count1"),
        (Thing.price.subtract(Decimal(1)), "#price = if_not_exists(#price, :price0) - :price1"),
        (Thing.inners.append(Inner(deep=1)), "#inners = list_append(if_not_exists(#inners, :inners0), :inners1)"),
        (Thing.inners[1].remove(), "REMOVE #inners[1]"),
        (Thing.text.if_not_exists("x"), "#tx = if_not_exists(#tx, :tx0)"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_changes(change: Any, expected: str) -> None:
    assert expected in Thing.key("t").patch(change).params()["UpdateExpression"]


def test_nested_values_are_stored_by_their_fields() -> None:
    params = Thing.key("t").patch(Thing.inners.append(Inner(deep=7, words={"a"}))).params()
    assert [{"d": 7, "w": {"a"}}] in params["ExpressionAttributeValues"].values()
