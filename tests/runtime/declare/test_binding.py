"""Calling an access pattern: Python's own rules for arguments, ours for composites, and a signature that is true."""

from __future__ import annotations

import inspect
from datetime import UTC, datetime
from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

garage = tw.Service("garage", table="garage")
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


class Car(tw.Entity, service=garage, name="car"):
    """Its attributes have the names that the package uses for itself."""

    make: Attr[str]
    bind: Attr[str]
    given: Attr[str]
    year: Attr[int] = attr(padding=(4, "0"))
    built_at: Attr[datetime] = attr(alias="builtAt")
    ANY: Attr[str] = attr(default="any")
    encode_0: Attr[str] = attr(default="x")

    @tw.primary(pk="Make#{make}", sk="Year#{year}#{bind}", casing="upper")
    def key(self, make: str, *, year: int, bind: str) -> None:
        """One car."""

    @tw.index("table")
    def of_make(self, make: str, *, year: Range[int] = ANY, bind: Range[str] = ANY) -> None:
        """The cars of a make, by year."""

    @tw.index("gsi1")
    def by_bind(self, bind: str, given: str, *, year: Range[int] = ANY, built_at: Range[datetime] = ANY) -> None:
        """By everything."""

    @tw.index("gsi2")
    def odd(self, encode_0: str, *, ANY: str) -> None:  # noqa: N803 - a nasty name
        """Names that generated code might use."""


def values(operation: Any) -> list[Any]:
    return list(operation.params()["ExpressionAttributeValues"].values())


def text(operation: Any) -> str:
    return str(operation.params()["KeyConditionExpression"])


def test_positional_and_by_keyword() -> None:
    assert values(Car.by_bind("b", "g")) == values(Car.by_bind(given="g", bind="b"))
    assert values(Car.by_bind("b", "g", year=2026)) == [
        "$garage#bind_b#given_g",
        "$car_1#year_2026#builtAt_",
    ]


def test_names_of_the_package_are_free_for_composites() -> None:
    assert Car.key("vw", year=7, bind="b").values() == {"pk": "MAKE#VW", "sk": "YEAR#0007#B"}
    assert values(Car.odd("e", ANY="a")) == ["$garage#encode_0_e", "$car_1#ANY_a"]


def test_templates_keep_their_casing() -> None:
    assert values(Car.of_make("vw", year=2026)) == ["MAKE#VW", "YEAR#2026#"]
    assert text(Car.of_make("vw", year=2026)) == "#pk = :pk and begins_with(#sk1, :sk1)"
    assert text(Car.of_make("vw", year=2026, bind="b")) == "#pk = :pk and #sk1 = :sk1"
    assert "IndexName" not in Car.of_make("vw").params()


def test_any_leaves_a_sort_composite_out() -> None:
    assert values(Car.by_bind("b", "g", year=ANY, built_at=ANY)) == values(Car.by_bind("b", "g"))
    assert values(Car.by_bind("b", "g", year=2026, built_at=ANY)) == values(Car.by_bind("b", "g", year=2026))


@pytest.mark.parametrize(
    "arguments",
    [
        Car.by_bind,
        lambda: Car.by_bind("b"),
        lambda: Car.by_bind("b", "g", 2026),
        lambda: Car.by_bind("b", "g", yaer=2026),
        lambda: Car.by_bind("b", "g", bind="b"),
        lambda: Car.key("vw"),
        lambda: Car.key("vw", year=1),
    ],
)
def test_wrong_calls_are_pythons_own_errors(arguments: Any) -> None:
    with pytest.raises(TypeError, match=r"by_bind\(\)|key\(\)|Car\."):
        arguments()


def test_the_signature_is_what_was_declared() -> None:
    assert str(inspect.signature(Car.by_bind)) == "(bind, given, *, year=ANY, built_at=ANY)"
    assert str(inspect.signature(Car.key)) == "(make, *, year, bind)"
    assert Car.by_bind.__doc__ == "By everything."
    assert Car.by_bind.__qualname__ == "Car.by_bind"
    assert Car.by_bind.__name__ == "by_bind"


def test_gaps_are_refused() -> None:
    with pytest.raises(tw.RequestError, match=r"Car\.by_bind: built_at is given without year"):
        Car.by_bind("b", "g", built_at=NEW_YEAR)
    with pytest.raises(tw.RequestError, match="built_at is given without year"):
        Car.by_bind("b", "g", built_at=tw.gt(NEW_YEAR))
    with pytest.raises(tw.RequestError, match="built_at is given without year"):
        Car.by_bind("b", "g", year=tw.gt(2000), built_at=NEW_YEAR)


def test_comparisons_stand_where_they_can() -> None:
    with pytest.raises(tw.RequestError, match="comparisons on sort composites only"):
        Car.by_bind(tw.gt("b"), "g")
    with pytest.raises(tw.RequestError, match="one comparison at most"):
        Car.by_bind("b", "g", year=tw.gt(1), built_at=tw.lt(NEW_YEAR))
    with pytest.raises(tw.RequestError, match=r"Car\.key is a key of one item"):
        Car.key("vw", year=tw.gt(1), bind=ANY)


@pytest.mark.parametrize(
    "bound",
    [tw.lt(2000), tw.lte(2000), tw.gt(2000), tw.gte(2000), tw.between(1999, 2001)],
    ids=lambda each: each.operator,
)
def test_bounds_are_encoded_and_padded(bound: Any) -> None:
    assert any(
        "year_2000" in str(value) or "year_1999" in str(value) for value in values(Car.by_bind("b", "g", year=bound))
    )


def test_values_are_checked_with_their_place() -> None:
    with pytest.raises(tw.ValidationError, match=r"Car\.by_bind: year: must be a whole number"):
        Car.by_bind("b", "g", year="2026")
    with pytest.raises(tw.ValidationError, match="year: must be a whole number"):
        Car.by_bind("b", "g", year=tw.between(1, "2"))
    with pytest.raises(tw.ValidationError, match="bind: must be text, not NoneType"):
        Car.by_bind(None, "g")
    with pytest.raises(tw.ValidationError, match="built_at: is a datetime without time zone"):
        Car.by_bind("b", "g", year=1, built_at=datetime(2026, 1, 1))  # noqa: DTZ001 - the mistake


def test_a_partition_composite_cannot_be_left_out() -> None:
    with pytest.raises(tw.RequestError, match=r"car\.by_bind needs all of its composites; missing: bind"):
        Car.by_bind(ANY, "g").params()


def test_keys_may_differ_in_letter_case() -> None:
    service = tw.Service("Lot", table="lot")

    class Place(tw.Entity, service=service, name="Place"):
        row: Attr[str]
        number: Attr[str]

        @tw.primary(casing=("upper", "none"))
        def key(self, row: str, *, number: str) -> None:
            """One place."""

        @tw.index("gsi1", casing=("default", "upper"), sk="N#{number}")
        def by_number(self, row: str, *, number: str = ANY) -> None:
            """By number."""

    assert Place.key("Ab", number="Cd").values() == {"pk": "$LOT#ROW_AB", "sk": "$Place_1#number_Cd"}
    item = Place(row="Ab", number="Cd").put().item()
    assert (item["gsi1pk"], item["gsi1sk"]) == ("$lot#row_ab", "N#CD")


@pytest.mark.parametrize("casing", [("upper",), ("a", "b", "c"), ["upper", "none"], 5])
def test_a_letter_case_is_a_word_or_a_pair(casing: Any) -> None:
    with pytest.raises(tw.SchemaError, match="casing is the letter case"):
        tw.index("gsi1", casing=casing)
