"""An update never leaves a stale index key: the item stands where a fresh put of it would put it, or it is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr
from tests.runtime.depot import CHANGES, CONDITIONS, PARCELS, TOLD, Crate, Parcel, placed_in
from tests.runtime.store import Store

KEY = Parcel.key("d", number=7)


def parcel(**values: Any) -> Parcel:
    return Parcel(depot="d", number=7, **values)


def only_item(store: Store) -> dict[str, Any]:
    [item] = store.items.values()
    return item


def read(item: dict[str, Any]) -> Any:
    found = Parcel.parse(item)
    assert found is not None
    return found


def partly(item: dict[str, Any], names: frozenset[str]) -> Any:
    """The item as a projection would have it."""
    layout = Parcel.__tablewright_layout__()
    values = {each.name: item[each.field] for each in layout.attributes.values() if each.field in item}
    wanted = {"depot", "number", *names}
    return layout.make({name: value for name, value in values.items() if name in wanted}, wanted)


def tried(store: Store, make: Any) -> bool:
    """Whether the operation could be made at all; what DynamoDB itself would refuse counts as not."""
    try:
        return store.run(make())
    except (tw.RequestError, ValueError):
        return False


STEPS = st.one_of(
    st.tuples(st.just("put"), PARCELS),
    st.tuples(st.just("upsert"), PARCELS, st.just([]) | CHANGES),
    st.tuples(st.just("through the item"), CHANGES, CONDITIONS),
    st.tuples(st.just("through an old item"), PARCELS, CHANGES),
    st.tuples(st.just("through part of the item"), st.frozensets(st.sampled_from(["status", "customerId"])), CHANGES),
    st.tuples(st.just("through the key"), CHANGES, TOLD, CONDITIONS),
    st.tuples(st.just("through the key, told the truth"), CHANGES),
)


def operation(step: Any, stored: dict[str, Any]) -> Any:
    match step:
        case ("put", item):
            return item.put()
        case ("upsert", item, changes):
            return item.upsert(*changes)
        case ("through the item", changes, None):
            return read(stored).patch(*changes)
        case ("through the item", changes, condition):
            return read(stored).patch(*changes).where(condition)
        case ("through an old item", item, changes):
            return item.patch(*changes)
        case ("through part of the item", names, changes):
            return partly(stored, names).update(*changes)
        case ("through the key", changes, told, condition):
            made = KEY.patch(*changes).composite(**told)
            return made if condition is None else made.where(condition)
        case ("through the key, told the truth", changes):
            item = read(stored)
            names = ("customer", "region", "status", "placed", "shelf", "weight")
            return KEY.update(*changes).composite(**{name: getattr(item, name) for name in names})
    raise AssertionError(step)


@settings(max_examples=300)
@given(PARCELS, st.lists(STEPS, max_size=5))
def test_items_stand_where_a_fresh_put_would_put_them(first: Parcel, steps: list[Any]) -> None:
    store = Store()
    if not tried(store, first.put):
        return
    for step in steps:
        before = only_item(store)
        tried(store, lambda step=step, before=before: operation(step, before))
        after = only_item(store)
        fresh = read(after).put().params()["Item"]
        assert placed_in(after) == placed_in(fresh), (step, before, after)


def crates(store: Store) -> list[Any]:
    return [item.get("gsi1pk") for item in store.items.values()]


def test_index_keys_follow_watchers_and_setters() -> None:
    store = Store()
    crate = Crate(crate="c", title="tea", code="x")
    assert store.run(crate.put())
    assert crates(store) == ["$depot#loud_TEA"]
    assert store.run(crate.patch(Crate.title.set("milk")).composite(code="X"))
    assert crates(store) == ["$depot#loud_MILK"]
    assert store.run(Crate.key("c").patch(Crate.title.remove()).composite(code="X"))
    assert crates(store) == ["$depot#loud_NOTHING"]


# ---- one by one ----------------------------------------------------------------------------------------------------


def actions(operation: Any) -> str:
    params = operation.params()
    text: str = params["UpdateExpression"]
    for placeholder, name in sorted(params["ExpressionAttributeNames"].items(), key=lambda pair: -len(pair[0])):
        text = text.replace(placeholder, name)
    return text


def removed(operation: Any) -> set[str]:
    _, _, section = actions(operation).partition("REMOVE ")
    return {name for name in section.split(", ") if name}


def demanded(operation: Any) -> set[str]:
    """What the update's condition looks at, beside the table key."""
    params = operation.params()
    condition = params.get("ConditionExpression", "")
    names = params["ExpressionAttributeNames"].items()
    return {name for placeholder, name in names if placeholder in condition.replace(")", " ").split()} | {
        name for placeholder, name in names if f"({placeholder})" in condition and name not in ("pk", "sk")
    }


def test_removing_a_partition_composite_needs_nothing_else() -> None:
    assert removed(KEY.patch(Parcel.customer.remove())) == {"customerId", "gsi1pk"}  # gsi1sk is by_region's too
    assert removed(KEY.patch(Parcel.region.remove())) == {"region", "gsi2pk", "gsi2sk", "gsi4pk", "gsi5pk"}
    assert demanded(parcel(customer="c", status="sent").patch(Parcel.customer.remove())) == set()


def test_a_partition_composite_known_to_be_absent_needs_nothing_else() -> None:
    update = parcel(region=None, weight=9).patch(Parcel.weight.set(3))
    assert removed(update) == {"gsi2pk", "gsi2sk"}
    assert demanded(update) == {"region"}
    assert removed(KEY.patch(Parcel.weight.set(3)).composite(region=None)) == {"gsi2pk", "gsi2sk"}


def test_changing_a_sort_composite_needs_the_sort_key_alone() -> None:
    update = KEY.patch(Parcel.placed.set("b")).composite(status="open")
    assert "gsi1sk = " in actions(update)
    assert "gsi1pk" not in actions(update)
    assert demanded(update) == {"status"}


def test_the_sort_key_is_cut_at_an_absent_composite() -> None:
    item = parcel(customer="c", status="sent").put().params()["Item"]
    assert item["gsi1sk"] == "$parcel_1#status_sent#placedAt_"
    update = parcel(customer="c", placed="p").patch(Parcel.placed.remove())
    assert "$parcel_1#status_open#placedAt_" in update.params()["ExpressionAttributeValues"].values()


def test_table_keys_are_never_changed_through_an_index_that_shares_them() -> None:
    item = parcel(shelf="s").put().params()["Item"]
    assert item["lsi1sk"] == "$parcel_1#shelf_s"
    update = parcel(shelf="s").patch(Parcel.shelf.remove())
    assert not {"pk", "sk"} & removed(update)
    assert "$parcel_1#shelf_" in update.params()["ExpressionAttributeValues"].values()


def test_the_condition_of_a_sparse_index_decides() -> None:
    assert "gsi2pk" in parcel(region="r", weight=6).put().params()["Item"]
    assert "gsi2pk" not in parcel(region="r", weight=5).put().params()["Item"]
    assert "gsi2pk = " in actions(parcel(region="r", weight=1).patch(Parcel.weight.set(8)))
    assert {"gsi2pk", "gsi2sk"} <= removed(parcel(region="r", weight=8).patch(Parcel.weight.set(1)))


@pytest.mark.parametrize(
    ("changes", "told", "missing"),
    [
        ([Parcel.customer.set("c")], {}, "status, placed"),
        ([Parcel.status.set("sent")], {}, "placed, region, weight"),
        ([Parcel.status.set("sent")], {"region": None}, "placed"),
        ([Parcel.weight.set(9)], {"region": "r"}, "status"),
        ([Parcel.region.set("r")], {"shelf": None, "status": "open"}, "weight, placed"),
        ([Parcel.shelf.set("s")], {}, "region"),
    ],
)
def test_what_must_be_known_is_told_in_the_callers_words(changes: Any, told: Any, missing: str) -> None:
    with pytest.raises(tw.RequestError, match=f"for which {missing} must be known") as refused:
        KEY.patch(*changes).composite(**told).params()
    assert ".composite(...)" in str(refused.value)
    assert "placedAt" not in str(refused.value)


def test_a_gap_in_a_sort_key_is_refused() -> None:
    class Shelf(tw.Entity, service=tw.Service("s", table="t")):
        shelf: Attr[str]
        row: Attr[str | None] = attr(default=None, alias="rowName")
        column: Attr[str | None] = attr(default=None)

        @tw.primary
        def key(self, shelf: str) -> None:
            """One."""

        @tw.index("gsi1")
        def by_place(self, shelf: str, *, row: str = ANY, column: str = ANY) -> None:
            """By place."""

    for operation in (
        Shelf(shelf="s", column="c").put(),
        Shelf(shelf="s", row="r", column="c").patch(Shelf.row.remove()),
    ):
        with pytest.raises(tw.RequestError, match="row is absent, but column behind it in the sort key is not"):
            operation.params()


@pytest.mark.parametrize(
    "change",
    [
        Parcel.weight.add(1),
        Parcel.weight.if_not_exists(1),
        Parcel.weight.set(Parcel.views),
        Parcel.placed.set(Parcel.shelf),
        Parcel.customer.if_not_exists("c"),
    ],
)
def test_values_only_dynamodb_will_know_cannot_decide_about_index_keys(change: Any) -> None:
    item = parcel(customer="c", region="r", weight=1, placed="p", shelf="s")
    with pytest.raises(tw.RequestError, match="is part of an index key or decides about one"):
        item.patch(change).params()


def test_nested_changes_of_what_a_condition_reads_are_refused() -> None:
    class Box(tw.Entity, service=tw.Service("s", table="t")):
        box: Attr[str]
        sizes: Attr[dict[str, int]] = attr(default_factory=dict)

        @tw.primary
        def key(self, box: str) -> None:
            """One."""

        @tw.index("gsi1", condition=lambda box: "big" in box.sizes, depends_on=["sizes"])
        def big(self, box: str) -> None:
            """Big ones."""

    with pytest.raises(tw.RequestError, match=r"Box\.sizes is part of an index key or decides about one"):
        Box.key("b").patch(Box.sizes["big"].set(1)).params()
    assert "gsi1pk = " in actions(Box.key("b").patch(Box.sizes.set({"big": 1})))


def test_a_condition_sees_only_what_it_depends_on() -> None:
    class Box(tw.Entity, service=tw.Service("s", table="t")):
        box: Attr[str]
        size_: Attr[int] = attr(default=0)

        @tw.primary
        def key(self, box: str) -> None:
            """One."""

        @tw.index("gsi1", condition=lambda box: box.size_ > 3, depends_on=["box"])
        def big(self, box: str) -> None:
            """Big ones."""

    with pytest.raises(AttributeError, match="size_"):
        Box(box="b", size_=9).put().params()


def test_a_default_that_an_index_rests_on_cannot_be_removed() -> None:
    with pytest.raises(tw.ValidationError, match="status: reads as its default when it is absent"):
        parcel(customer="c").patch(Parcel.status.remove()).params()


def test_an_upsert_leaves_nothing_stored_that_contradicts_its_index_keys() -> None:
    store = Store()
    assert store.run(parcel(customer="c", placed="p", notes=["kept"]).put())
    assert store.run(parcel().upsert())
    item = only_item(store)
    assert not {"customerId", "gsi1pk", "pl"} & set(item)
    assert item["notes"] == ["kept"]
