"""Hostile values: equal keys mean equal composites, and a question finds exactly the items that it asks for.

Values are made of what keys are made of: labels, separators, literal text of templates, beginnings of them, letters in
both cases. A value that would be ambiguous may be refused; what is taken must be found again, and nothing else.
"""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr

PARTS = [
    "#",
    "b",
    "_",
    "#b_",
    "#B_",
    "#c_",
    "x",
    "X",
    "",
    "1",
    "#end",
    "#END",
    "#two_1",
    "#one_1",
    "-",
    "$",
    "ß",
    "İ",
    "σ",
]
HOSTILE = st.lists(st.sampled_from(PARTS), max_size=4).map("".join)
CASINGS = ["none", "default", "lower", "upper"]
Row = tuple[str, str, str, str | None]
ROWS = st.lists(
    st.tuples(HOSTILE, HOSTILE, HOSTILE, st.none() | HOSTILE), min_size=2, max_size=6, unique_by=lambda row: row[:3]
)


def declared(casing: Any, *, templated: bool) -> tuple[tw.Service, type[Any], type[Any], type[Any]]:
    """Two entities whose keys hold up to three texts, and a clustered collection of both."""
    service = tw.Service("svc", table="svc", casing=casing)
    table: Any = {"pk": "A#{a}#b_{b}", "sk": "C#{c}#END"} if templated else {}
    first: Any = {"pk": "D|{d}", "sk": "{b}#C{c}"} if templated else {}

    class One(tw.Entity, service=service, name="one"):
        a: Attr[str]
        b: Attr[str]
        c: Attr[str]
        d: Attr[str | None] = attr(default=None)

        @tw.primary(**table)
        def key(self, a: str, b: str, *, c: str) -> None: ...

        @tw.index("table")
        def of(self, a: str, b: str, *, c: tw.Range[str] = ANY) -> None: ...

        @tw.index("gsi1", **first)
        def by_d(self, d: str, *, b: tw.Range[str] = ANY, c: tw.Range[str] = ANY) -> None: ...

        @tw.index("gsi2", collection="both", kind="clustered")
        def by_a(self, a: str, *, b: str = ANY, c: str = ANY) -> None: ...

        @tw.index("gsi3")
        def by_b(self, b: str, *, a: str = ANY, d: str = ANY) -> None: ...

    class Two(tw.Entity, service=service, name="two"):
        a: Attr[str]
        b: Attr[str]
        n: Attr[int] = attr(default=1)

        @tw.primary
        def key(self, a: str, *, b: str) -> None: ...

        @tw.index("gsi2", collection="both", kind="clustered")
        def by_a(self, a: str, *, b: str = ANY, n: int = ANY) -> None: ...

    class Both(tw.Collection, service=service, name="both"):
        ones: list[One]
        twos: list[Two]

        @tw.index("gsi2")
        def of(self, a: str, *, b: str = ANY) -> None: ...

    Both.__annotations__ = {
        "ones": list[One],
        "twos": list[Two],
    }  # the classes are local, which annotations cannot name
    return service, One, Two, Both


CLASSES = {
    (casing, templated): declared(casing, templated=templated) for casing in CASINGS for templated in (False, True)
}


def folded(text: str | None, casing: str) -> str | None:
    if text is None or casing == "none":
        return text
    return text.upper() if casing == "upper" else text.lower()


@pytest.mark.parametrize("templated", [False, True])
@pytest.mark.parametrize("casing", CASINGS)
@settings(max_examples=60, deadline=None)
@given(rows=ROWS)
def test_equal_keys_mean_equal_composites(rows: list[Row], casing: str, templated: bool) -> None:
    """Up to letter case, where that is folded; of every key, whole or cut."""
    _, one, _, _ = CLASSES[casing, templated]
    seen: dict[Any, Any] = {}
    for a, b, c, d in rows:
        try:
            item = one(a=a, b=b, c=c, d=d).put().params()["Item"]
        except tw.ValidationError:
            continue
        keys = {"table": (("pk", "sk"), (a, b, c)), "gsi1": (("gsi1pk", "gsi1sk"), (d, b, c))}
        keys |= {"gsi2": (("gsi2pk", "gsi2sk"), (a, b, c)), "gsi3": (("gsi3pk", "gsi3sk"), (b, a, d))}
        for name, (fields, composites) in keys.items():
            key = (name, *(item.get(field) for field in fields))
            if None in key:
                continue
            meant = tuple(folded(each, casing) for each in composites)
            assert seen.setdefault(key, meant) == meant


def asked(found: Any) -> list[Any]:
    return sorted((each.a, each.b, each.c, each.d or "", each.d is None) for each in found)


@pytest.mark.parametrize("templated", [False, True])
@pytest.mark.parametrize("casing", CASINGS)
@settings(max_examples=25, deadline=None)
@given(rows=ROWS, data=st.data())
def test_questions_find_exactly_what_they_ask_for(
    rows: list[Row], data: st.DataObject, casing: str, templated: bool
) -> None:
    service, one, two, both = CLASSES[casing, templated]
    with tw.Database.embedded() as db:
        db.create(service)
        stored = store(db, one, rows)
        others = {key: item for a, b, _, _ in rows if (item := put(db, two(a=a, b=b))) for key in [two_key(item)]}
        others = {key: item for key, item in others.items() if db.run(two.key(item.a, b=item.b).get()) is not None}
        a, b, c, d = data.draw(st.sampled_from(rows) | st.tuples(HOSTILE, HOSTILE, HOSTILE, HOSTILE))
        questions: list[tuple[Any, Any]] = [
            (lambda: one.of(a, b), lambda row: row[:2] == (a, b)),
            (lambda: one.of(a, b, c=c), lambda row: row[:3] == (a, b, c)),
            (lambda: one.of(a, b, c=tw.begins_with(c)), lambda row: row[:2] == (a, b) and row[2].startswith(c)),
            (lambda: one.by_a(a), lambda row: row[0] == a),
            (lambda: one.by_a(a, b=b), lambda row: row[:2] == (a, b)),
            (lambda: one.by_a(a, b=b, c=c), lambda row: row[:3] == (a, b, c)),
            (lambda: one.by_b(b, a=a), lambda row: (row[1], row[0]) == (b, a)),
        ]
        if d is not None:
            questions += [
                (lambda: one.by_d(d), lambda row: row[3] == d),
                (lambda: one.by_d(d, b=b), lambda row: (row[3], row[1]) == (d, b)),
                (lambda: one.by_d(d, b=b, c=c), lambda row: (row[3], row[1], row[2]) == (d, b, c)),
                (lambda: one.by_d(d, b=tw.begins_with(b)), lambda row: row[3] == d and row[1].startswith(b)),
                (lambda: one.by_b(b, a=a, d=d), lambda row: (row[1], row[0], row[3]) == (b, a, d)),
            ]
        for make, wanted in questions:
            with contextlib.suppress(tw.ValidationError):
                query = make()
                expected = sorted((*row[:3], row[3] or "", row[3] is None) for row in stored if wanted(row))
                assert asked(db.iter(query)) == expected
                assert db.run(query.total()) == len(expected)
        for make, picks in ((lambda: both.of(a), 1), (lambda: both.of(a, b=b), 2)):
            with contextlib.suppress(tw.ValidationError):
                found = db.run(make())
                assert len(found.ones) == sum(row[:picks] == (a, b)[:picks] for row in stored)
                assert len(found.twos) == sum((item.a, item.b)[:picks] == (a, b)[:picks] for item in others.values())
        with contextlib.suppress(tw.ValidationError):
            got = db.run(one.key(a, b, c=c).get())
            assert (got is not None) is any(row[:3] == (a, b, c) for row in stored)


def two_key(item: Any) -> tuple[str, str]:
    return item.a, item.b


def put(db: tw.Database, item: Any) -> Any:
    try:
        db.run(item.put())
    except tw.ValidationError:
        return None
    return item


def store(db: tw.Database, one: type[Any], rows: list[Row]) -> list[Row]:
    """The rows that are there in the end: a later spelling takes the place of an earlier one, where keys fold."""
    by_key: dict[Any, Row] = {}
    for row in rows:
        item = put(db, one(**dict(zip("abcd", row, strict=True))))
        if item is not None:
            by_key[tuple(item.key.values().values())] = row
    return list(by_key.values())
