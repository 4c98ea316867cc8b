"""An entity with an index of every kind, for tests that write it in every way."""

from __future__ import annotations

from typing import Any, Literal

from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr

depot = tw.Service("depot", table="depot")
Status = Literal["open", "sent", "lost"]


class Address(tw.Map):
    city: Attr[str]
    lines: Attr[list[str]] = attr(default_factory=list, field="ls")


class Parcel(tw.Entity, service=depot, name="parcel"):
    """Something on its way."""

    depot: Attr[str]
    number: Attr[int] = attr(padding=(4, "0"))
    customer: Attr[str | None] = attr(default=None, name="customerId")
    region: Attr[str | None] = attr(default=None)
    status: Attr[Status] = attr(default="open")
    placed: Attr[str | None] = attr(default=None, name="placedAt", field="pl")
    shelf: Attr[str | None] = attr(default=None)
    weight: Attr[int | None] = attr(default=None)
    views: Attr[int] = attr(default=0)
    tags: Attr[set[str]] = attr(default_factory=set)
    notes: Attr[list[str] | None] = attr(default=None)
    address: Attr[Address | None] = attr(default=None)
    extra: Attr[dict[str, int] | None] = attr(default=None)
    free: Attr[Any] = attr(default=None)

    @tw.primary
    def key(self, depot: str, *, number: int) -> None:
        """One parcel."""

    @tw.index("gsi1")
    def by_customer(self, customer: str, *, status: str = ANY, placed: str = ANY) -> None:
        """Dense."""

    @tw.index("gsi2", condition=lambda parcel: (parcel.weight or 0) > 5, depends_on=["weight"])
    def heavy(self, region: str, *, status: str = ANY) -> None:
        """Sparse by an attribute that is in no key."""

    @tw.index("lsi1", fields=("pk", "lsi1sk"))
    def on_shelf(self, depot: str, *, shelf: str = ANY) -> None:
        """In the partition of the table."""

    @tw.index("gsi3", fields=("sk", "pk"))
    def by_number(self, number: int, *, depot: str = ANY) -> None:
        """The table's key, reversed."""

    @tw.index("gsi4", fields=("gsi4pk", "gsi1sk"))
    def by_region(self, region: str, *, status: str = ANY, placed: str = ANY) -> None:
        """Shares its sort key with by_customer."""

    @tw.index("gsi5", sort=False)
    def by_shelf(self, shelf: str, region: str) -> None:
        """Without sort key."""


def shout(_: Any, order: Any) -> str:
    return (order.title or "nothing").upper()


class Crate(tw.Entity, service=depot, name="crate"):
    """An index key that a watcher writes, and a setter and a validator besides."""

    crate: Attr[str]
    title: Attr[str | None] = attr(default=None)
    loud: Attr[str | None] = attr(default=None, watch=["title"], set=shout)
    code: Attr[str | None] = attr(default=None, set=str.upper, validate=lambda code: code != "bad")
    size_: Attr[int | None] = attr(default=None, name="size")

    @tw.primary
    def key(self, crate: str) -> None:
        """One crate."""

    @tw.index("gsi1")
    def by_loud(self, loud: str, *, code: str = ANY) -> None:
        """By what the watcher says."""


PLACES = {
    "gsi1": ("gsi1pk", "gsi1sk"),
    "gsi2": ("gsi2pk", "gsi2sk"),
    "lsi1": ("pk", "lsi1sk"),
    "gsi3": ("sk", "pk"),
    "gsi4": ("gsi4pk", "gsi1sk"),
    "gsi5": ("gsi5pk",),
}


def placed_in(item: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Where an item stands in each index it is in: an item that lacks one of its keys is not."""
    return {
        index: tuple(item[field] for field in fields)
        for index, fields in PLACES.items()
        if all(field in item for field in fields)
    }


TEXT = st.sampled_from(["a", "b", "C d"])
OPTIONAL = {
    "customer": TEXT,
    "region": TEXT,
    "placed": TEXT,
    "shelf": TEXT,
    "weight": st.integers(1, 10),
    "notes": st.lists(TEXT, max_size=2),
    "address": st.builds(Address, city=TEXT, lines=st.lists(TEXT, max_size=2)),
    "extra": st.dictionaries(TEXT, st.integers(0, 3), max_size=2),
    "free": st.integers(0, 3) | TEXT | st.lists(TEXT, max_size=1),
}
ALWAYS = {
    "status": st.sampled_from(["open", "sent", "lost"]),
    "views": st.integers(0, 3),
    "tags": st.sets(TEXT, max_size=2),
}
CONTENT = {**{name: st.none() | each for name, each in OPTIONAL.items()}, **ALWAYS}
PARCELS = st.builds(Parcel, depot=st.just("d"), number=st.just(7), **CONTENT)


def _setting(name: str) -> st.SearchStrategy[Any]:
    return ({**OPTIONAL, **ALWAYS}[name]).map(getattr(Parcel, name).set)


PLAIN_CHANGES = st.sampled_from([*OPTIONAL, *ALWAYS]).flatmap(_setting)
OTHER_CHANGES = st.sampled_from(
    [
        *(getattr(Parcel, name).remove() for name in (*OPTIONAL, "tags", "status")),
        Parcel.views.add(1),
        Parcel.views.subtract(2),
        Parcel.views.add(1, default=5),
        Parcel.views.set(Parcel.weight),
        Parcel.weight.add(4),
        Parcel.weight.if_not_exists(9),
        Parcel.placed.set(Parcel.shelf),
        Parcel.notes.append("x"),
        Parcel.tags.add({"a"}),
        Parcel.tags.delete({"a", "b"}),
        Parcel.tags.add(set()),
        Parcel.address.inside.city.set("Rome"),
        Parcel.address.inside.lines[0].set("first"),
        Parcel.address.inside.lines.append("last"),
        Parcel.extra["a"].set(3),
        Parcel.extra["a"].remove(),
        Parcel.free.delete(["a"]),
        Parcel.free.add(1),
    ]
)
CHANGES = st.lists(PLAIN_CHANGES | OTHER_CHANGES, min_size=1, max_size=3)
CONDITIONS = st.sampled_from(
    [
        None,
        Parcel.views > 1,
        (Parcel.status == "open") | (Parcel.placed == "a"),
        ~Parcel.customer.exists(),
        (Parcel.address.inside.city == "a") & (Parcel.tags.size() < 2),
        Parcel.placed == Parcel.shelf,
    ]
)
TOLD = st.fixed_dictionaries(
    {}, optional={name: CONTENT[name] for name in ("customer", "region", "status", "placed", "shelf", "weight")}
)
