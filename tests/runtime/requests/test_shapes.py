"""What is remembered of an update says the same as what is worked out afresh; the same for plain queries."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright.runtime.requests.prepared import shape_key
from tablewright.wire.call import encode
from tablewright.wire.document import to_wire
from tests.conformance.electrodb.compare import meaning
from tests.runtime.depot import CHANGES, CONDITIONS, CONTENT, PARCELS, PLAIN_CHANGES, TOLD, Crate, Parcel

LAYOUT = Parcel.__tablewright_layout__()
VERBS = st.sampled_from(["update", "patch"])


def conditioned(operation: Any, condition: Any) -> Any:
    return operation if condition is None else operation.where(condition)


def key_update(verb: str, number: int, changes: list[Any], told: dict[str, Any]) -> Any:
    return getattr(Parcel.key("d", number=number), verb)(*changes).composite(**told)


def item_update(verb: str, item: Parcel, changes: list[Any], told: dict[str, Any]) -> Any:
    return getattr(item, verb)(*changes).composite(**told)


SOME_CHANGES = st.lists(PLAIN_CHANGES, min_size=1, max_size=2) | CHANGES
UPDATES = st.builds(
    conditioned,
    st.builds(key_update, VERBS, st.integers(0, 3), SOME_CHANGES, TOLD)
    | st.builds(item_update, VERBS, PARCELS, SOME_CHANGES, st.just({}) | TOLD),
    CONDITIONS,
)


def outcome(update: Any) -> Any:
    try:
        return meaning(update.params())
    except (tw.RequestError, ValueError) as error:
        return type(error), str(error)


@settings(max_examples=120)
@given(st.lists(UPDATES, min_size=2, max_size=12))
def test_remembered_shapes_say_the_same(updates: list[Any]) -> None:
    LAYOUT.shapes.clear()
    remembered = [outcome(update) for update in updates]
    again = [outcome(update) for update in updates]
    for update, first, second in zip(updates, remembered, again, strict=True):
        LAYOUT.shapes.clear()
        afresh = outcome(update)
        assert first == afresh
        assert second == afresh


@settings(max_examples=300)
@given(st.data())
def test_other_values_of_the_same_shape(data: st.DataObject) -> None:
    """Every value may differ between two updates of one shape, and be absent or empty in one of them."""
    names = data.draw(st.lists(st.sampled_from([*CONTENT]), min_size=1, max_size=2, unique=True))
    pair = []
    for _ in range(2):
        changes = [getattr(Parcel, name).set(data.draw(CONTENT[name])) for name in names]
        pair.append(data.draw(PARCELS).patch(*changes))
    LAYOUT.shapes.clear()
    outcome(pair[0])
    after_the_other = outcome(pair[1])
    LAYOUT.shapes.clear()
    assert after_the_other == outcome(pair[1])


def sent_text(update: Any) -> Any:
    try:
        return encode(next(update.flow()).params)
    except (tw.RequestError, ValueError) as error:
        return type(error), str(error)


def long_way_text(update: Any) -> Any:
    try:
        return encode(to_wire(update.request()))
    except (tw.RequestError, ValueError) as error:
        return type(error), str(error)


@settings(max_examples=300)
@given(st.lists(UPDATES, min_size=1, max_size=6), st.sampled_from([None, "all_new", "none"]), st.booleans())
def test_what_is_sent_is_the_request_byte_for_byte(updates: list[Any], response: Any, cleared: bool) -> None:
    """Once the shape is known it is filled in, with values or with the texts of a condition that were seen before."""
    if cleared:
        LAYOUT.shapes.clear()
    for update in updates:
        asked = update if response is None else update.returning(response)
        long_way_text(asked)  # from now on the shape is known, if it can be
        assert sent_text(asked) == long_way_text(asked)
        assert sent_text(asked) == long_way_text(asked)


def test_updates_are_prepared_with_their_condition() -> None:
    LAYOUT.shapes.clear()

    def update(status: str, views: int) -> Any:
        changed = Parcel.key("d", number=1).patch(Parcel.placed.set("a")).composite(status=status)
        return changed.where(Parcel.views == views, Parcel.views < 9).returning("all_new")

    for _ in range(2):
        sent_text(update("open", 1))
    known = len(LAYOUT.shapes)
    assert known == 2  # the shape, and the shape with its condition
    assert sent_text(update("sent", 2)) == long_way_text(update("sent", 2))
    assert len(LAYOUT.shapes) == known


def test_prepared_updates_refuse_what_the_long_way_refuses() -> None:
    key = Parcel.key("d", number=1)
    long_way_text(key.patch(Parcel.views.set(1)))
    for value in (1, 10**200, 2):
        update = key.patch(Parcel.views.set(value))
        assert sent_text(update) == long_way_text(update)
    for operand in (1, 10**200, 2):
        update = key.patch(Parcel.views.set(1)).where(Parcel.views == operand)
        assert sent_text(update) == long_way_text(update)


def test_a_shape_is_remembered_at_all() -> None:
    LAYOUT.shapes.clear()
    update = Parcel.key("d", number=1).patch(Parcel.placed.set("a")).composite(status="open")
    update.params()
    assert shape_key(update) in LAYOUT.shapes


def test_what_depends_on_values_is_not_remembered() -> None:
    LAYOUT.shapes.clear()
    key = Parcel.key("d", number=1)
    for update in (
        key.patch(Parcel.views.set(Parcel.weight)),
        key.patch(Parcel.tags.set(set())),
        key.patch(Parcel.views.add(1, default=3)),
        key.patch(Parcel.weight.set(3)).composite(region="r", status="open"),
        key.patch(Parcel.placed.set("p")).composite(status=None),
        key.patch(Parcel.free.delete(["a"])),
    ):
        try:
            update.params()
        except tw.RequestError as error:
            assert "behind it in the sort key" in str(error)  # noqa: PT017 - either way nothing may be kept
        assert shape_key(update) not in LAYOUT.shapes
    crates = Crate.__tablewright_layout__()
    Crate.key("c").patch(Crate.size_.set(3)).params()
    assert not crates.shapes


def test_old_shapes_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablewright.runtime.requests.shapes.MOST_SHAPES", 2)
    LAYOUT.shapes.clear()
    for change in (Parcel.views.set(1), Parcel.views.add(1), Parcel.notes.set([])):
        Parcel.key("d", number=1).patch(change).params()
    assert len(LAYOUT.shapes) == 1


# ---- queries -------------------------------------------------------------------------------------------------------


class Visit(tw.Entity, service=tw.Service("clinic", table="clinic"), name="visit"):
    """Plain, templated and upper-case keys, with and without sort key."""

    patient: tw.Attr[str]
    day: tw.Attr[int] = tw.attr(padding=(4, "0"))
    room: tw.Attr[str]
    urgent: tw.Attr[bool] = tw.attr(default=False)

    @tw.primary
    def key(self, patient: str, *, day: int) -> None:
        """One visit."""

    @tw.index("table")
    def of_patient(self, patient: str, *, day: int = tw.ANY) -> None:
        """The table's own key."""

    @tw.index("gsi1", casing="upper", collection="ward")
    def in_room(self, room: str, *, urgent: bool = tw.ANY, day: int = tw.ANY) -> None:
        """Upper case, in a collection."""

    @tw.index("gsi2", pk="Room#{room}", sk="{day}|{urgent}!")
    def templated(self, room: str, *, day: int = tw.ANY, urgent: bool = tw.ANY) -> None:
        """Templates."""

    @tw.index("gsi3", sort=False)
    def by_day(self, day: int) -> None:
        """No sort key."""

    @tw.index("gsi4", pk="{room}", sk="{day}")
    def bare(self, room: str, *, day: int = tw.ANY) -> None:
        """Keys without any text of their own; the sort key is a number."""


def leading(data: st.DataObject, choices: list[tuple[str, Any]]) -> dict[str, Any]:
    count = data.draw(st.integers(0, len(choices)))
    return {name: data.draw(each) for name, each in choices[:count]}


TEXT, DAY = st.text(max_size=4), st.integers(0, 9999)
PATTERNS = {
    "of_patient": (TEXT, [("day", DAY)]),
    "in_room": (TEXT, [("urgent", st.booleans()), ("day", DAY)]),
    "templated": (TEXT, [("day", DAY), ("urgent", st.booleans())]),
    "by_day": (DAY, []),
    "bare": (TEXT, [("day", DAY)]),
}


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=st.data())
def test_plain_requests_say_what_the_general_way_says(pattern: str, data: st.DataObject) -> None:
    first, rest = PATTERNS[pattern]
    query = getattr(Visit, pattern)(data.draw(first), **leading(data, rest))
    condition = data.draw(st.sampled_from([None, Visit.urgent == True, (Visit.room == "a") | Visit.day.exists()]))  # noqa: E712 - a condition
    query = conditioned(query, condition)
    general = query.with_options(compare="exact")  # asks for what is the default, but not for the short way
    assert meaning(query.params()) == meaning(general.params())


def test_the_plain_way_refuses_incomplete_partition_keys_alike() -> None:
    query: Any = Visit.in_room(tw.ANY)
    for each in (query, query.with_options(compare="exact")):
        with pytest.raises(tw.RequestError, match="missing: room"):
            each.params()


def test_placeholders_of_conditions_do_not_collide_with_those_of_shapes() -> None:
    key = Parcel.key("d", number=1)
    for _ in range(2):
        params = key.patch(Parcel.views.set(1)).where(Parcel.views == 2, Parcel.views < 9).params()
        values = params["ExpressionAttributeValues"]
        assert sorted(value for name, value in values.items() if name.startswith(":views")) == [1, 2, 9]
