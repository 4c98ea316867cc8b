"""What may be compared stands in keys in the order of its values; all else is refused, when it is declared or asked."""

import enum
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from itertools import count
from typing import Any, Literal
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tablewright.schema.dump import dump
from tablewright.schema.electro import dump_entity

Level = Literal["high", "low", "low-ish", "low ish"]
Cased = Literal["B", "a", "c", "A c"]
Size = Literal[1, 2, 3]


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Rank(enum.IntEnum):
    FIRST = 1
    TENTH = 10


UTC_TIMES = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59), timezones=st.just(UTC))  # noqa: DTZ001
MILLISECONDS = UTC_TIMES.map(lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000))
FLOATS = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
TEXTS = st.text(st.sampled_from("abAB0_- !~zÄ"), max_size=4)
LETTERS = st.text(st.sampled_from("amZ0 #!İKẞÿµıΣ"), max_size=3)  # which fold up, down, to two, and by what follows
ODD_TEXTS = st.text(st.sampled_from("ab#$! \x00\x01~z"), min_size=1, max_size=4)
LAST = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)

# By name: annotation, options of the attribute, stored values, and bounds that may be finer than what is stored.
KINDS: dict[str, tuple[Any, dict[str, Any], st.SearchStrategy[Any], st.SearchStrategy[Any]]] = {
    "padded int": (int, {"padding": (4, "0")}, st.integers(0, 9999), st.integers(0, 9999)),
    "signed int": (int, {"padding": (4, "0"), "signed": True}, *(2 * [st.integers(-9999, 9999)])),
    "signed Decimal": (Decimal, {"padding": (6, "0"), "signed": True}, *(2 * [st.decimals(-99999, 99999, places=3)])),
    "signed float": (float, {"padding": (7, "0"), "signed": True}, FLOATS, FLOATS),
    "escaped text": (str, {"escaped": True}, ODD_TEXTS, ODD_TEXTS),
    "int in digits": (int, {"digits": 4}, st.integers(-9999, 9999), st.integers(-9999, 9999)),
    "Decimal in digits": (Decimal, {"digits": (6, 3)}, *(2 * [st.decimals(-99999, 99999, places=3)])),
    "float in digits": (float, {"digits": (7, 3)}, FLOATS, FLOATS),
    "timedelta in digits": (timedelta, {"digits": (12, 6)}, *(2 * [st.timedeltas(timedelta(-9999), timedelta(9999))])),
    "datetime": (datetime, {}, MILLISECONDS, UTC_TIMES),
    "date": (date, {}, st.dates(), st.dates()),
    "time": (time, {}, st.times(), st.times()),
    "UUID": (UUID, {}, st.uuids(), st.uuids()),
    "bool": (bool, {}, st.booleans(), st.booleans()),
    "text": (str, {}, LAST.filter(bool), LAST),
    "constants": (Level, {}, *(2 * [st.sampled_from(["high", "low", "low-ish", "low ish"])])),
    "numbers as constants": (Size, {}, *(2 * [st.sampled_from([1, 2, 3])])),
    "padded constants": (Rank, {"padding": (2, "0")}, *(2 * [st.sampled_from(list(Rank))])),
    "enumeration": (Colour, {}, *(2 * [st.sampled_from(list(Colour))])),
    "text in two cases": (str, {}, TEXTS.filter(bool), TEXTS),
    "text of many letters": (str, {}, LETTERS.filter(bool), LETTERS),
    "constants in two cases": (Cased, {}, *(2 * [st.sampled_from(["B", "a", "c", "A c"])])),
}
SHAPES: dict[str, dict[str, Any]] = {
    "composed": {"casing": "none"},
    "composed, lower case": {"casing": "lower"},
    "composed, upper case": {"casing": "upper"},
    "template": {"pk": "GROUP#{group}", "sk": "V#{value}", "casing": "none"},
    "clustered": {"kind": "clustered", "casing": "none"},
    "bare": {"pk": "GROUP#{group}", "sk": "{value}", "casing": "none"},
    "bare, lower case": {"pk": "GROUP#{group}", "sk": "{value}", "casing": "lower"},
    "bare, upper case": {"pk": "GROUP#{group}", "sk": "{value}", "casing": "upper"},
}
FIRST: dict[str, dict[str, Any]] = {
    "composed": {"casing": "none"},
    "composed, lower case": {"casing": "lower"},
    "composed, upper case": {"casing": "upper"},
    "template": {"pk": "GROUP#{group}", "sk": "V#{value}#X#{ref}", "casing": "none"},
    "bare": {"pk": "GROUP#{group}", "sk": "{value}#X#{ref}", "casing": "none"},
    "bare, lower case": {"pk": "GROUP#{group}", "sk": "{value}#X#{ref}", "casing": "lower"},
    "bare, upper case": {"pk": "GROUP#{group}", "sk": "{value}#X#{ref}", "casing": "upper"},
    "template, above digits": {"pk": "GROUP#{group}", "sk": "V#{value}~X~{ref}", "casing": "none"},
}
OPERATORS: dict[str, Any] = {
    "lt": lambda value, low, _: value < low,
    "lte": lambda value, low, _: value <= low,
    "gt": lambda value, low, _: value > low,
    "gte": lambda value, low, _: value >= low,
    "between": lambda value, low, high: low <= value <= high,
}


def plain(value: Any) -> Any:
    """What is compared of a member of an enumeration."""
    return value.value if isinstance(value, enum.Enum) else value


@cache
def entity(kind: str, shape: str, *, is_last: bool) -> Any:
    """An entity whose index `by` has such a value last in its sort key, or in front of the item's id."""
    annotation, options, _, _ = KINDS[kind]
    keywords = SHAPES[shape] if is_last else FIRST[shape]

    class Thing(tw.Entity, service=tw.Service("things", table="things"), name="thing"):
        ref: Attr[str]
        group: Attr[str] = attr(default="g")
        value: Attr[annotation] = attr(**options)  # type: ignore[valid-type]  # pyright: ignore[reportInvalidTypeForm]

        @tw.primary(casing="none")
        def key(self, ref: str) -> None:
            """One."""

        if is_last:

            @tw.index("gsi1", **keywords)
            def by(self, group: str, *, value: Range[Any] = ANY) -> None:
                """By value."""

        else:

            @tw.index("gsi1", **keywords)
            def by(self, group: str, *, value: Range[Any] = ANY, ref: str = ANY) -> None:
                """By value, then by id."""

    return Thing


groups = count()


@cache
def database(thing: Any) -> tw.Database:
    """One database for an entity: every question has a group of its own."""
    db = tw.Database.embedded()
    db.create(thing.__tablewright_about__.service)
    return db


def answers(thing: Any, values: list[Any], bound: Any) -> list[Any]:
    """Which of these values the engine answers to a comparison, in its order."""
    db, group = database(thing), f"g{next(groups)}"
    for at, value in enumerate(values):
        db.run(thing(ref=f"i{group}-{at}", group=group, value=value).put())
    return [each.value for each in db.iter(thing.by(group, value=bound))]


def check_answers(kind: str, shape: str, data: st.DataObject, *, is_last: bool) -> None:
    thing = entity(kind, shape, is_last=is_last)
    _, _, values, bounds = KINDS[kind]
    given = data.draw(st.lists(values, min_size=1, max_size=6))
    low, high = data.draw(bounds), data.draw(bounds)
    operator = data.draw(st.sampled_from(sorted(OPERATORS)))
    bound = tw.between(low, high) if operator == "between" else getattr(tw, operator)(low)
    wanted = [each for each in given if OPERATORS[operator](plain(each), plain(low), plain(high))]
    assert sorted(map(plain, answers(thing, given, bound))) == sorted(map(plain, wanted))


def is_refused(kind: str, shape: str) -> bool:
    """Letter case spoils an escape, and what sorts behind a point spoils decimals."""
    return (kind == "escaped text" and "case" in shape) or ("signed" in kind and "above digits" in shape)


@pytest.mark.parametrize("shape", FIRST)
@pytest.mark.parametrize("kind", ["escaped text", "signed Decimal"])
def test_forms_that_keys_would_spoil_are_refused(kind: str, shape: str) -> None:
    thing = entity(kind, shape, is_last=False)
    if is_refused(kind, shape):
        with pytest.raises(tw.SchemaError, match=r"letter case|before a point"):
            database(thing)
    else:
        database(thing)


NUMBERS_AS_CONSTANTS = ("numbers as constants", "padded constants")  # in a key of their own they are no numbers yet
ALL = [
    (kind, shape)
    for kind in KINDS
    for shape in SHAPES
    if ("bare" not in shape or kind not in NUMBERS_AS_CONSTANTS) and not is_refused(kind, shape)
]
ALL_FIRST = [(kind, shape) for kind in KINDS for shape in FIRST if not is_refused(kind, shape)]


WRONG: dict[str, tuple[list[str], list[Any]]] = {
    "the separator": (["x", "x#A", "x#Z", "x#ZZ", "x b", "y"], ["x#A", "x#ZZ", "x#", "x#zz", ("x#A", "x#Z")]),
    "letters that fold down": (["İzmir", "Kelvin", "ẞ", "Ankara", "van"], ["m", "İ", "z", "á", ("m", "\U0010ffff")]),
    "letters that fold up": (["ÿ", "µm", "ıi", "ſ", "Zoo"], ["Ā", "Z", "Μ", "S", ("A", "Ā")]),
    "nothing": (["a", "B", "#"], ["", ("", "a"), ("", ""), ("z", "a")]),
}


@pytest.mark.parametrize("is_last", [True, False])
@pytest.mark.parametrize("shape", [shape for shape in FIRST if shape in SHAPES])
@pytest.mark.parametrize("name", WRONG)
def test_bounds_that_keys_alone_get_wrong(name: str, shape: str, is_last: bool) -> None:
    thing = entity("text of many letters", shape, is_last=is_last)
    values, bounds = WRONG[name]
    for bound in bounds:
        low, high = bound if isinstance(bound, tuple) else (bound, "")
        for operator, is_meant in OPERATORS.items():
            if (operator == "between") == isinstance(bound, tuple):
                asked = tw.between(low, high) if operator == "between" else getattr(tw, operator)(low)
                wanted = sorted(each for each in values if is_meant(each, low, high))
                assert (asked, sorted(answers(thing, values, asked))) == (asked, wanted)


@pytest.mark.parametrize("operator", OPERATORS)
def test_numbers_that_are_the_key_know_reversed_ends(operator: str) -> None:
    thing = entity("padded int", "bare", is_last=True)
    asked = tw.between(5, 2) if operator == "between" else getattr(tw, operator)(5)
    assert answers(thing, [2, 5, 7], asked) == [each for each in (2, 5, 7) if OPERATORS[operator](each, 5, 2)]


@pytest.mark.parametrize("casing", ["none", "lower"])
@pytest.mark.parametrize("sk", [None, "V#{value}#X#{more}", "{value}#X#{more}"])
def test_items_without_the_value_are_not_meant(sk: str | None, casing: Any) -> None:
    class Thing(tw.Entity, service=tw.Service("things", table="things"), name="thing"):
        ref: Attr[str]
        group: Attr[str] = attr(default="g")
        value: Attr[str | None] = attr(default=None)
        more: Attr[str | None] = attr(default=None)

        @tw.primary(casing="none")
        def key(self, ref: str) -> None:
            """One."""

        @tw.index("gsi1", pk=sk and "GROUP#{group}", sk=sk, casing=casing)
        def by(self, group: str, *, value: Range[str] = ANY, more: str = ANY) -> None:
            """By value."""

    db, values = database(Thing), [None, "", "#", "a", "B", "İ"]
    for at, value in enumerate(values):
        db.run(Thing(ref=str(at), value=value, more=None if value is None else "m").put())
    for low, high in [("", "b"), ("a", "m"), ("B", ""), ("#", "a")]:
        for operator, is_meant in OPERATORS.items():
            asked = tw.between(low, high) if operator == "between" else getattr(tw, operator)(low)
            wanted = sorted(each for each in values if each is not None and is_meant(each, low, high))
            found = sorted(str(each.value) for each in db.run(Thing.by("g", value=asked)))
            assert (asked, found) == (asked, wanted)
            assert (asked, db.run(Thing.by("g", value=asked).total())) == (asked, len(wanted))


@pytest.mark.parametrize("casing", ["none", "lower"])
@pytest.mark.parametrize(
    ("photo_sk", "text_sk"),
    [
        (None, None),
        ("D#{day}/P/{photo}", "D#{day}/T/{text}"),
        ("{day}#P#{photo}", "{day}#T#{text}"),
        ("{day}", "{day}/T/{text}"),
    ],
)
def test_collections_answer_alike(photo_sk: str | None, text_sk: str | None, casing: Any) -> None:
    service = tw.Service("notes", table="notes")

    class Photo(tw.Entity, service=service, name="photo"):
        photo: Attr[str]
        user: Attr[str]
        day: Attr[str]

        @tw.primary(casing="none")
        def key(self, photo: str) -> None:
            """One."""

        if photo_sk == "{day}":

            @tw.index("gsi1", pk="U#{user}", sk=photo_sk, casing=casing, kind="clustered", collection="timeline")
            def by(self, user: str, *, day: Range[str] = ANY) -> None:
                """By day."""

        else:

            @tw.index(
                "gsi1", pk=photo_sk and "U#{user}", sk=photo_sk, casing=casing, kind="clustered", collection="timeline"
            )
            def by(self, user: str, *, day: Range[str] = ANY, photo: str = ANY) -> None:
                """By day."""

    class Text(tw.Entity, service=service, name="text"):
        text: Attr[str]
        user: Attr[str]
        day: Attr[str]

        @tw.primary(casing="none")
        def key(self, text: str) -> None:
            """One."""

        @tw.index("gsi1", pk=text_sk and "U#{user}", sk=text_sk, casing=casing, kind="clustered", collection="timeline")
        def by(self, user: str, *, day: Range[str] = ANY, text: str = ANY) -> None:
            """By day."""

    class Timeline(tw.Collection, service=service, name="timeline"):
        photos: list[Photo]
        texts: list[Text]

        @tw.index("gsi1", kind="clustered")
        def of(self, user: str, *, day: Range[str] = ANY) -> None:
            """All."""

    db = tw.Database.embedded()
    db.create(service)
    days = ["x", "x#A", "x#Z", "x b", "x.", "X", "y", "İ"]
    for at, day in enumerate(days):
        db.run(Photo(photo=str(at), user="u", day=day).put())
        db.run(Text(text=str(at), user="u", day=day).put())
    for low, high in [("x#A", "x#Z"), ("x", "x b"), ("", "x"), ("y", "x"), ("m", "İ"), ("x.", "y")]:
        for operator, is_meant in OPERATORS.items():
            asked = tw.between(low, high) if operator == "between" else getattr(tw, operator)(low)
            wanted = sorted(each for each in days if is_meant(each, low, high))
            found = db.run(Timeline.of("u", day=asked))
            assert (asked, sorted(each.day for each in found.photos)) == (asked, wanted)
            assert (asked, sorted(each.day for each in found.texts)) == (asked, wanted)


def test_periods_are_asked_where_the_time_is_the_whole_sort_key() -> None:
    class Reading(tw.Entity, service=tw.Service("sensors", table="sensors"), name="reading"):
        sensor: Attr[str]
        at: Attr[datetime]

        @tw.primary(pk="SENSOR#{sensor}#{month}", sk="{at}", bucket=tw.Bucket("month", since="2026-01-01"))
        def key(self, sensor: str, *, at: Range[datetime] = ANY) -> None:
            """One."""

    db = tw.Database.embedded()
    db.create(Reading.__tablewright_about__.service)
    days = [datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=10 * each) for each in range(12)]
    for day in days:
        db.run(Reading(sensor="s", at=day).put())
    for low, high in [(days[3], days[8]), (days[8], days[3])]:
        for operator, is_meant in OPERATORS.items():
            asked = tw.between(low, high) if operator == "between" else getattr(tw, operator)(low)
            found = [each.at for each in db.iter(Reading.key.query("s", at=asked))]
            assert (asked, found) == (asked, [each for each in days if is_meant(each, low, high)])


@pytest.mark.parametrize(("annotation", "values"), [(str, ["a", "b", "c"]), (int, [-1, 2, 3])])
def test_several_attributes_know_empty_and_reversed_bounds(annotation: Any, values: list[Any]) -> None:
    class Shot(tw.Entity, service=tw.Service("shots", table="shots"), name="shot"):
        ref: Attr[str]
        game: Attr[str]
        value: Attr[annotation]  # type: ignore[valid-type]  # pyright: ignore[reportInvalidTypeForm]

        @tw.primary
        def key(self, ref: str) -> None:
            """One."""

        @tw.index("gsi1", kind="composite")
        def by_value(self, game: str, *, value: Range[Any] = ANY) -> None:
            """By value."""

    db = database(Shot)
    for value in values:
        db.run(Shot(ref=str(value), game="g", value=value).put())
    bounds = [(values[1], values[0]), (values[0], values[1]), *([("", "b"), ("b", ""), ("", "")] * (annotation is str))]
    for low, high in bounds:
        for operator, is_meant in OPERATORS.items():
            asked = tw.between(low, high) if operator == "between" else getattr(tw, operator)(low)
            found = [each.value for each in db.run(Shot.by_value("g", value=asked))]
            assert (asked, found) == (asked, [each for each in values if is_meant(each, low, high)])


def test_requests_say_no_more_than_they_need() -> None:
    """Prefixed keys are bounded by their group; where there is no prefix the partition is."""
    prefixed, bare = (entity("text", shape, is_last=True) for shape in ("template", "bare"))

    def said(thing: Any, bound: Any) -> tuple[str, list[Any]]:
        params = thing.by("g", value=bound).params()
        return params["KeyConditionExpression"], [*params["ExpressionAttributeValues"].values()][1:]

    assert said(prefixed, tw.gte("b")) == ("#pk = :pk and #sk1 BETWEEN :sk1 AND :sk2", ["V#b", "V$"])
    assert said(bare, tw.gte("b")) == ("#pk = :pk and #sk1 >= :sk1", ["b"])
    assert said(bare, tw.gt("b")) == ("#pk = :pk and #sk1 > :sk1", ["b"])
    assert said(bare, tw.lt("b")) == ("#pk = :pk and #sk1 < :sk1", ["b"])
    assert said(bare, tw.between("b", "c")) == ("#pk = :pk and #sk1 BETWEEN :sk1 AND :sk2", ["b", "c"])
    assert said(bare, tw.gte("")) == ("#pk = :pk", [])


@pytest.mark.parametrize(("kind", "shape"), ALL)
@settings(deadline=None, max_examples=10)
@given(st.data())
def test_answers_are_what_brute_force_finds(kind: str, shape: str, data: st.DataObject) -> None:
    check_answers(kind, shape, data, is_last=True)


@pytest.mark.parametrize(("kind", "shape"), ALL_FIRST)
@settings(deadline=None, max_examples=10)
@given(st.data())
def test_answers_are_right_in_front_of_more(kind: str, shape: str, data: st.DataObject) -> None:
    check_answers(kind, shape, data, is_last=False)


IN_ORDER = [
    (kind, shape)
    for kind, shape in ALL
    if "bare" not in shape and ("case" not in shape or not kind.endswith(("text", "cases", "letters")))
]


@pytest.mark.parametrize(("kind", "shape"), IN_ORDER)
@settings(deadline=None, max_examples=20)
@given(st.data())
def test_keys_are_in_the_order_of_values(kind: str, shape: str, data: st.DataObject) -> None:
    thing = entity(kind, shape, is_last=True)
    one, other = (data.draw(KINDS[kind][2]) for _ in range(2))
    texts = [thing(ref="i", value=each).put().params()["Item"]["gsi1sk"].encode() for each in (one, other)]
    if "clustered" not in shape:  # there the entity's name follows the value
        assert (texts[0] < texts[1]) == (plain(one) < plain(other))
    assert (texts[0] == texts[1]) == (plain(one) == plain(other))


@pytest.mark.parametrize("shape", [*SHAPES])
@settings(deadline=None, max_examples=20)
@given(st.lists(TEXTS.filter(bool), min_size=1, max_size=6), TEXTS.filter(bool))
@example(["Ab", "ab", "aB"], "Ab")
@example(["aΣ", "aΣa", "AΣ"], "aΣ")
@example(["ŉ", "ʼa"], "ʼ")
def test_beginnings_are_of_the_spelling_asked_for(shape: str, values: list[str], prefix: str) -> None:
    thing = entity("text in two cases", shape, is_last=True)
    found = answers(thing, values, tw.begins_with(prefix))
    assert sorted(found) == sorted(each for each in values if each.startswith(prefix))


def test_the_case_that_was_wrong() -> None:
    """`gte(2)` over 2, 10 and 100."""
    thing = entity("int in digits", "composed", is_last=True)
    assert answers(thing, [2, 10, 100, -1], tw.gte(2)) == [2, 10, 100]


def test_bounds_may_be_finer_than_what_is_stored() -> None:
    """Times are stored to the millisecond; half of one is above what is stored of it."""
    thing = entity("datetime", "composed", is_last=True)
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    after = noon + timedelta(microseconds=500)
    found = {
        name: answers(thing, [noon], bound)
        for name, bound in {
            "lt": tw.lt(after),
            "lte": tw.lte(after),
            "gt": tw.gt(after),
            "gte": tw.gte(after),
            "between": tw.between(after, after + timedelta(hours=1)),
            "until": tw.between(noon - timedelta(hours=1), after),
        }.items()
    }
    assert found == {"lt": [noon], "lte": [noon], "gt": [], "gte": [], "between": [], "until": [noon]}


# ---- refused when declared ---------------------------------------------------------------------------------------


def declared(annotation: Any, ranged: Any = Range[Any], /, *, sk: str | None = None, **options: Any) -> Any:
    class Thing(tw.Entity, service=tw.Service("things", table="things"), name="thing"):
        ref: Attr[str]
        value: Attr[annotation] = attr(**options)  # type: ignore[valid-type]  # pyright: ignore[reportInvalidTypeForm]

        @tw.primary(sk=sk)
        def key(self, ref: str, *, value: ranged = ANY) -> None:  # type: ignore[valid-type]  # pyright: ignore[reportInvalidTypeForm]
            """One."""

    return Thing


REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "int": (int, {}, r"sorts as text \(10 before 9\); declare digits=\(12, 2\)"),
    "Decimal": (Decimal, {}, "sorts as text"),
    "float": (float, {}, "sorts as text"),
    "timedelta": (timedelta, {}, "sorts as text"),
    "any number": (int | Decimal, {}, "sorts as text"),
    "constants of two lengths": (Literal[1, 10], {}, "sorts as text"),
    "constants below zero": (Literal[-1, 1], {}, "sorts as text"),
    "padded Decimal": (Decimal, {"padding": (9, "0")}, "may have decimals, which padding does not put in order"),
    "padded float": (float, {"padding": (9, "0")}, "may have decimals"),
    "padded text": (str, {"padding": (9, "0")}, "is padded to sort as a number, but is none"),
    "padded bool": (bool, {"padding": (9, "0")}, "is padded in a way that does not sort"),
    "padded with letters": (int, {"padding": (9, "x")}, "is padded in a way that does not sort"),
    "padded with blanks": (int, {"padding": (9, " ")}, "is padded in a way that does not sort"),
    "padded with two characters": (int, {"padding": (9, "00")}, "is padded in a way that does not sort"),
    "constants that do not fit": (Literal[1, 100], {"padding": (2, "0")}, "has a constant that has 3 digits"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_keys_cannot_order_is_refused_when_declared(name: str) -> None:
    annotation, options, reason = REFUSED[name]
    thing = declared(annotation, **options)
    with pytest.raises(tw.SchemaError, match=f'(^Thing.key: value |"value" ).*{reason}'):
        thing.key("x")


def test_no_comparison_no_order() -> None:
    """A number that is only ever asked for by equality may stand in a key as it is."""
    thing = declared(int, int)
    assert thing.key("x", value=-3).values()["sk"].endswith("#value_-3")
    with pytest.raises(tw.RequestError, match=r"thing\.key: value is a number inside a text key"):
        thing.key.query("x", value=tw.gt(3)).params()


@pytest.mark.parametrize(
    "hint", ["Range[int]", "tw.Range[int]", "int | tw.Bound[int]", Range[int], int | tw.Bound[int]]
)
def test_annotations_are_read_as_they_are_written(hint: Any) -> None:
    with pytest.raises(tw.SchemaError, match="sorts as text"):
        declared(int, hint).key("x")


def test_names_that_only_checkers_know_do_no_harm() -> None:
    assert declared(str, "Unknown | int").key("x", value="y")
    with pytest.raises(tw.SchemaError, match="sorts as text"):
        declared(int, "Range[Unknown]").key("x")


def test_numbers_that_are_the_key_stay_as_they_are() -> None:
    thing = declared(int, sk="{value}")
    db = stored_simply(thing, [2, 10, 100, -5])
    assert [each.value for each in db.run(thing.key.query("x", value=tw.gte(2)))] == [2, 10, 100]
    fraction = declared(Decimal, sk="{value}")
    db = stored_simply(fraction, [Decimal("1.5"), Decimal(-2)])
    assert [each.value for each in db.run(fraction.key.query("x", value=tw.lt(Decimal(1))))] == [Decimal(-2)]


def stored_simply(thing: Any, values: list[Any]) -> tw.Database:
    db = tw.Database.embedded()
    db.create(thing.__tablewright_about__.service)
    for value in values:
        db.run(thing(ref="x", value=value).put())
    return db


def test_several_attributes_of_an_index_are_compared_as_they_are() -> None:
    class Shot(tw.Entity, service=tw.Service("shots", table="shots"), name="shot"):
        ref: Attr[str]
        game: Attr[str]
        score: Attr[Decimal]

        @tw.primary
        def key(self, ref: str) -> None:
            """One."""

        @tw.index("gsi1", kind="composite")
        def by_score(self, game: str, *, score: Range[Decimal] = ANY) -> None:
            """The best."""

    assert Shot.by_score("g", score=tw.gt(Decimal("-1.5"))).params()


# ---- refused when written or asked -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        (
            "padded int",
            -3,
            r"is negative \(-3\), and padding=\(4, \"0\"\) orders whole numbers from 0 on; declare digits",
        ),
        ("padded int", 12345, r"has 5 digits \(12345\), more than its padding of 4"),
        ("int in digits", 10000, "has more than the 4 digits before the point"),
        ("int in digits", -10000, "has more than the 4 digits before the point"),
        ("Decimal in digits", Decimal("0.0001"), "has more than the 3 decimals"),
        ("float in digits", 0.1234, "has more than the 3 decimals"),
    ],
)
def test_numbers_that_do_not_fit_are_refused_everywhere(kind: str, value: Any, reason: str) -> None:
    thing = entity(kind, "composed", is_last=True)
    asked: list[Any] = [
        lambda: thing(ref="i", value=value).put().params(),
        lambda: thing.by("g", value=value).params(),
        lambda: thing.by("g", value=tw.gte(value)).params(),
        lambda: thing.by("g", value=tw.between(value, value)).params(),
        lambda: thing.key("i").patch(thing.value.set(value)).composite(group="g").params(),
    ]
    for ask in asked:
        with pytest.raises(tw.ValidationError, match=f"value: {reason}"):
            ask()


def test_beginnings_are_of_text_alone() -> None:
    for kind in ("padded int", "int in digits", "bool"):
        thing = entity(kind, "composed", is_last=True)
        with pytest.raises(tw.RequestError, match="value is no text, and DynamoDB knows begins_with for text alone"):
            thing.by("g", value=tw.begins_with("1")).params()


def test_an_index_must_hold_what_keys_cannot_tell() -> None:
    class Page(tw.Entity, service=tw.Service("pages", table="pages"), name="page"):
        ref: Attr[str]
        book: Attr[str]
        title: Attr[str]

        @tw.primary(casing="none")
        def key(self, ref: str) -> None:
            """One."""

        @tw.index("gsi1", projection="keys_only", casing="lower")
        def by_title(self, book: str, *, title: Range[str] = ANY) -> None:
            """By title."""

    with pytest.raises(tw.RequestError, match="keys alone cannot compare title, and gsi1 does not hold it; add it to"):
        Page.by_title("7", title=tw.gt("B")).params()
    assert Page.by_title("7", title=tw.gt("2026-01")).params()


# ---- the form itself -------------------------------------------------------------------------------------------------


def test_digits_are_written_as_the_architects_plain_keys_are() -> None:
    from tablewright.design.encoding import key_text

    class Sum(tw.Entity, service=tw.Service("sums", table="sums"), name="sum"):
        ref: Attr[str]
        amount: Attr[Decimal] = attr(digits=(20, 6))

        @tw.primary(pk="SUM#{ref}", sk="AMOUNT#{amount}")
        def key(self, ref: str, *, amount: Range[Decimal] = ANY) -> None:
            """One."""

    for amount in (Decimal(0), Decimal("2.5"), Decimal(-3), Decimal("-0.000001"), Decimal(10) ** 19):
        assert Sum.key("x", amount=amount).values()["sk"] == f"AMOUNT#{key_text(amount)}"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"digits": 0}, "say how many digits"),
        ({"digits": (3, -1)}, "say how many digits"),
        ({"digits": (3, 1), "padding": (3, "0")}, "and no padding"),
        ({"digits": "3"}, "say how many digits"),
    ],
)
def test_digits_are_counted(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(tw.SchemaError, match=reason):
        declared(int, **options).key("x")
    with pytest.raises(tw.SchemaError, match="digits are for numbers"):
        declared(str, digits=3).key("x")


def test_digits_are_part_of_the_schema() -> None:
    thing = entity("Decimal in digits", "template", is_last=True)
    written = dump(thing.__tablewright_about__.service.schema)
    assert written["entities"]["thing"]["attributes"]["value"]["digits"] == {"whole": 6, "decimals": 3}
    db = database(thing)
    loaded = tw.Service.load(written, client=db).entities["thing"]
    loaded.put(ref="l1", group="loaded", value=-2.5).go()
    found = db.run(thing.by("loaded", value=tw.lt(Decimal(0))))
    assert [each.value for each in found] == [Decimal("-2.5")]
    keys = loaded.conversions.from_composite.to_keys({"ref": "l1", "group": "loaded", "value": -2.5})
    assert keys["gsi1sk"] == "V#0999997500"
    assert loaded.conversions.from_keys.to_composite(keys)["value"] == Decimal("-2.5")
    with pytest.raises(tw.ValidationError, match="more than the 3 decimals"):
        loaded.put(ref="l1", group="loaded", value=0.0001).params()


@pytest.mark.parametrize(
    ("digits", "more", "reason"),
    [
        ({"whole": 0}, {}, "it has 0 digits before the point"),
        ({"whole": 3}, {"type": "string"}, "for numbers that are not padded"),
        ({"whole": 3}, {"padding": {"length": 3, "char": "0"}}, "for numbers that are not padded"),
        ({"whole": "3"}, {}, "whole number"),
    ],
)
def test_digits_of_a_loaded_schema_are_checked(digits: Any, more: Any, reason: str) -> None:
    written = dump(entity("Decimal in digits", "template", is_last=True).__tablewright_about__.service.schema)
    written["entities"]["thing"]["attributes"]["value"] |= {"digits": digits, **more}
    with pytest.raises(tw.SchemaError, match=reason):
        tw.Service.load(written)


def test_electrodb_gets_what_it_can_write_and_no_more() -> None:
    thing = entity("int in digits", "template", is_last=True)
    schema = dump_entity(thing.schema())
    assert schema["indexes"]["by"]["sk"]["template"] == "V#1${value}"
    assert schema["attributes"]["value"]["padding"] == {"length": 4, "char": "0"}
    theirs = tw.Service.load(schema, table="things").entities["thing"].put(ref="r", group="g", value=42).params()
    assert theirs["Item"]["gsi1sk"] == thing(ref="r", value=42).put().params()["Item"]["gsi1sk"] == "V#10042"
    with pytest.raises(tw.SchemaError, match="value is written in digits, which ElectroDB cannot; give it padding"):
        dump_entity(entity("int in digits", "composed", is_last=True).schema())


def test_stored_keys_out_of_order_are_still_read() -> None:
    """What another program wrote is shown, whatever stands in its key."""
    thing = entity("padded int", "composed", is_last=True)
    item = thing(ref="r", value=3).put().params()["Item"] | {"value": -3, "gsi1sk": "$thing_1#value_00-3"}
    found = thing.parse(item)
    assert found is not None
    assert found.value == -3
