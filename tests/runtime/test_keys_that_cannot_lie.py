"""Two different items never share a key, and a read answers what it was asked for: through the public door."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal
from uuid import UUID

import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr

app = tw.Service("app", table="app")


class Pair(tw.Entity, service=app, name="pair"):
    a: Attr[str]
    b: Attr[str]
    c: Attr[str | None] = attr(default=None)
    n: Attr[int] = attr(default=0)

    @tw.primary(sort=True)
    def key(self, a: str, *, b: str) -> None: ...

    @tw.index("gsi1")
    def by_both(self, n: int, *, a: str = ANY, b: tw.Range[str] = ANY) -> None: ...

    @tw.index("gsi2")
    def by_c(self, n: int, *, c: tw.Range[str] = ANY) -> None: ...


class Doc(tw.Entity, service=app, name="doc"):
    org: Attr[str]
    doc: Attr[str]
    text: Attr[str] = attr(default="")

    @tw.primary
    def key(self, org: str, doc: str) -> None: ...


@pytest.fixture(name="db")
def database() -> Any:
    with tw.Database.embedded() as db:
        db.create(app)
        yield db


def refusal(make: Any) -> str:
    with pytest.raises(tw.ValidationError) as told:
        make()
    return str(told.value)


# ---- ambiguous values ------------------------------------------------------------------------------------------------


AMBIGUOUS = {
    "put": lambda: Doc(org="acme#doc_x", doc="y").put().params(),
    "create": lambda: Doc(org="acme#doc_x", doc="y").create().params(),
    "upsert": lambda: Doc(org="acme#doc_x", doc="y").upsert().params(),
    "get": lambda: Doc.key("acme#doc_x", "y").get().params(),
    "update": lambda: Doc.key("acme#doc_x", "y").update(Doc.text.set("t")).params(),
    "patch": lambda: Doc(org="acme#doc_x", doc="y").patch(Doc.text.set("t")).params(),
    "delete": lambda: Doc.key("acme#doc_x", "y").delete().params(),
    "check": lambda: tw.transact(Doc.key("acme#doc_x", "y").check(Doc.org.exists())).params(),
    "find": lambda: Doc.find(org="acme#doc_x", doc="y").params(),
    "match": lambda: Doc.match(org="acme#doc_x", doc="y").params(),
    "batch_get": lambda: tw.batch_get(Doc.key("acme#doc_x", "y").get()).params(),
    "batch_write": lambda: tw.batch_write(Doc(org="acme#doc_x", doc="y").put()).params(),
    "transact": lambda: tw.transact(Doc(org="acme#doc_x", doc="y").put()).params(),
    "transact_get": lambda: tw.transact_get(Doc.key("acme#doc_x", "y").get()).params(),
    "query": lambda: Pair.by_both(0, a="1#b_x").params(),
    "whole query": lambda: Pair.by_both(0, a="1#b_x", b="y").params(),
    "range": lambda: Pair.by_both(0, a="1#b_x", b=tw.gte("y")).params(),
    "index key of a put": lambda: Pair(a="1#b_x", b="y").put().params(),
    "total": lambda: Pair.by_both(0, a="1#b_x").total().params(),
    "delete_all": lambda: tw.delete_all(Pair.by_both(0, a="1#b_x")).params(),
}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_an_ambiguous_value_is_refused_everywhere(name: str) -> None:
    told = refusal(AMBIGUOUS[name])
    entity, attribute, stop = ("pair", "a", "#b_") if "1#b_x" in told else ("doc", "org", "#doc_")
    assert f"{entity}: {attribute}: " in told
    assert repr(stop) in told
    assert f"keep {stop!r} out of it" in told


def test_what_would_overwrite_another_is_refused_when_it_runs(db: tw.Database) -> None:
    """The compiled writer and the generic one say the same."""
    db.run(Doc(org="acme", doc="x#doc_y").put())  # the last one is free
    with pytest.raises(tw.ValidationError, match="another item could have the same"):
        db.run(Doc(org="acme#doc_x", doc="y").put())
    assert db.run(Doc.key("acme", "x#doc_y").get()) == Doc(org="acme", doc="x#doc_y")


def test_an_update_that_would_make_an_ambiguous_index_key_is_refused() -> None:
    tagged = tw.Service("tagged", table="tagged")

    class Note(tw.Entity, service=tagged, name="note"):
        note: Attr[str]
        tag: Attr[str]
        at: Attr[str]

        @tw.primary
        def key(self, note: str) -> None: ...

        @tw.index("gsi1")
        def by_tag(self, tag: str, at: str) -> None: ...

    told = refusal(lambda: Note.key("n").patch(Note.tag.set("x#at_1")).composite(at="2").params())
    assert "'#at_'" in told
    told = refusal(lambda: Note(note="n", tag="x", at="1").patch(Note.tag.set("x#at_1")).params())
    assert "note: tag: " in told


def test_empty_and_absent_have_different_keys(db: tw.Database) -> None:
    db.run(Pair(a="1", b="x").put())
    assert "leave it out (None)" in refusal(lambda: Pair(a="2", b="x", c="").put().params())
    assert "leave it out (None)" in refusal(lambda: Pair.by_c(0, c="").params())
    assert "leave it out (None)" in refusal(lambda: Pair.key("1", b="x").patch(Pair.c.set("")).composite(n=0).params())


@pytest.mark.parametrize("hostile", ["x#", "x#b", "x#b_"])
def test_beginnings_do_not_run_into_what_follows(db: tw.Database, hostile: str) -> None:
    service = tw.Service("lane", table="lane")

    class Lane(tw.Entity, service=service, name="lane"):
        n: Attr[int]
        a: Attr[str]
        b: Attr[str]

        @tw.primary
        def key(self, n: int, *, a: str, b: str) -> None: ...

        @tw.index("table")
        def of(self, n: int, *, a: tw.Range[str] = ANY, b: tw.Range[str] = ANY) -> None: ...

    db.create(service)
    for a in ("x", "x#", "x#b", "x#bc", "xy"):
        db.run(Lane(n=1, a=a, b="y").put())
    found = [lane.a for lane in db.run(Lane.of(1, a=tw.begins_with(hostile)))]
    assert found == sorted(a for a in ("x", "x#", "x#b", "x#bc", "xy") if a.startswith(hostile))


# ---- declarations ----------------------------------------------------------------------------------------------------


def declared(pk: str | None, kinds: dict[str, Any], *, casing: Any = None, pads: dict[str, Any] | None = None) -> Any:
    """An entity with these composites in its partition key."""
    service = tw.Service("svc", table="svc")
    names = ", ".join(kinds)
    scope: dict[str, Any] = {}
    exec(f"def key(self, {names}) -> None: ...", scope)
    body: dict[str, Any] = {
        "__annotations__": {name: Attr[kind] for name, kind in kinds.items()},
        "__module__": __name__,
    }
    body.update({name: attr(padding=padding) for name, padding in (pads or {}).items()})
    body["key"] = tw.primary(pk=pk, casing=casing)(scope["key"])
    return type("Made", (tw.Entity,), body, service=service, name="made")  # type: ignore[call-overload]


def test_composites_that_touch_are_refused() -> None:
    with pytest.raises(tw.SchemaError, match='nothing stands between "a" and the composite behind it') as told:
        declared("K#{a}{b}", {"a": str, "b": str}).key("1", "2").values()
    assert 'Put text between them, or give "a" a padding' in str(told.value)


def test_composites_of_one_width_may_touch() -> None:
    day, code = date(2026, 1, 2), UUID(int=1)
    made = declared("{day}{code}{rest}", {"day": date, "code": UUID, "rest": str})
    assert made.key(day, code, "x").values()["pk"] == f"2026-01-02{code}x"
    padded = declared("{n}{rest}", {"n": int, "rest": str}, pads={"n": (4, "0")})
    assert padded.key(7, "x").values()["pk"] == "0007x"
    assert "more than its padding of 4" in refusal(lambda: padded.key(12345, "x").values())
    same = declared("{kind}{rest}", {"kind": Literal["ab", "cd"], "rest": str})
    assert same.key("ab", "x").values()["pk"] == "abx"
    with pytest.raises(tw.SchemaError, match="nothing stands between"):
        declared("{kind}{rest}", {"kind": Literal["ab", "abc"], "rest": str}).key("ab", "x").values()


def test_dates_may_hold_what_follows_them() -> None:
    """They have one width, so that there is no doubt where they end."""
    assert declared("{day}-{x}", {"day": date, "x": str}).key(date(2026, 1, 2), "y").values()["pk"] == "2026-01-02-y"


def test_numbers_are_asked_where_their_text_could_hold_what_follows() -> None:
    made = declared("{a}-{b}", {"a": int, "b": int})
    assert made.key(1, -2).values()["pk"] == "1--2"
    assert "contains '-'" in refusal(lambda: made.key(-1, 2).values())


def test_a_stop_that_overlaps_itself_is_seen_at_the_end_of_a_value() -> None:
    made = declared("{a}##{b}", {"a": str, "b": str})
    assert made.key("x", "#y").values()["pk"] == "x###y"
    assert "contains '##'" in refusal(lambda: made.key("x#", "y").values())


def test_literal_text_behind_the_last_composite_ends_it() -> None:
    made = declared("U#{a}#END", {"a": str})
    assert "contains '#END'" in refusal(lambda: made.key("x#END").values())


@pytest.mark.parametrize("casing", ["default", "lower", "upper"])
def test_letter_case_hides_nothing(casing: Any) -> None:
    made = declared("{a}#b_{b}", {"a": str, "b": str}, casing=casing)
    assert "ends it inside its key" in refusal(lambda: made.key("x#B_y", "z").values())


def test_constants_are_judged_by_the_declaration() -> None:
    with pytest.raises(tw.SchemaError, match="'x#b_y', in which '#b_' ends it"):
        declared("{a}#b_{b}", {"a": Literal["x", "x#b_y"], "b": str}).key("x", "1").values()
    with pytest.raises(tw.SchemaError, match="'a' and 'A', which have the same key"):
        declared(None, {"a": Literal["a", "A"]}, casing="lower").key("a").values()
    with pytest.raises(tw.SchemaError, match=r"two constants that are both '1' in its key\. Use constants") as told:
        declared(None, {"a": Literal[1, "1"]}).key(1).values()
    assert "casing" not in str(told.value)


def test_padding_does_not_make_two_texts_one() -> None:
    made = declared("C#{code}", {"code": str}, pads={"code": (4, "0")})
    assert made.key("7").values()["pk"] == "C#0007"
    assert made.key("0").values()["pk"] == "C#0000"
    for same in ("07", "0007", ""):
        assert "leave the padding to the key" in refusal(lambda same=same: made.key(same).values())


def test_a_key_cast_to_a_number_takes_no_text_that_only_begins_with_it() -> None:
    service = tw.Service("cast", table=tw.Table("cast", pk="n", sk="s"))

    class Cast(tw.Entity, service=service, name="cast"):
        code: Attr[str]

        @tw.primary(pk="{code}", cast={"code": "number"}, sort=False)
        def key(self, code: str) -> None: ...

    assert Cast.key("12").values() == {"n": 12}
    for same in ("12x", "012", "0xC", "+12"):
        assert "like other texts" in refusal(lambda same=same: Cast.key(same).values())


@pytest.mark.parametrize(
    "names",
    [{"name": "a#b"}, {"name": "a$b"}, {"version": "1#x"}, {"service": "s#x"}, {"collection": "c#x"}, {"scope": "x#y"}],
)
def test_names_in_keys_hold_no_separators(names: dict[str, str]) -> None:
    service = tw.Service(names.get("service", "svc"), table="svc")

    class Made(tw.Entity, service=service, name=names.get("name", "made"), version=names.get("version", "1")):
        a: Attr[str]

        @tw.primary(collection=names.get("collection", ()), scope=names.get("scope", ""))
        def key(self, a: str) -> None: ...

    with pytest.raises(tw.SchemaError, match="which separates the parts of a key"):
        Made.schema()


def test_two_entities_do_not_come_out_with_the_same_text() -> None:
    service = tw.Service("svc", table="svc")

    class Task(tw.Entity, service=service, name="task", version="1_1"):
        a: Attr[str]

        @tw.primary
        def key(self, a: str) -> None: ...

    class Other(tw.Entity, service=service, name="task_1", version="1"):
        a: Attr[str]

        @tw.primary
        def key(self, a: str) -> None: ...

    assert Task.schema is not Other.schema
    with pytest.raises(tw.SchemaError, match="its keys begin like those of"):
        Other.key("x")


def test_a_collection_is_not_called_like_an_entity_with_its_version() -> None:
    service = tw.Service("svc", table="svc")

    class Task(tw.Entity, service=service, name="task", version="1"):
        a: Attr[str]
        b: Attr[str]

        @tw.primary
        def key(self, a: str, *, b: str) -> None: ...

    class Note(tw.Entity, service=service, name="b", version="1"):
        a: Attr[str]
        x: Attr[str]

        @tw.primary(collection="task_1")
        def key(self, a: str, *, x: str) -> None: ...

    with pytest.raises(tw.SchemaError, match='the collection "task_1" is called like an entity'):
        Task.key("1", b="2")
    assert Note.__name__


# ---- templates side by side ------------------------------------------------------------------------------------------


def side_by_side() -> tuple[tw.Service, type[Any], type[Any]]:
    service = tw.Service("orders", table="orders")

    class Order(tw.Entity, service=service, name="order"):
        customer: Attr[str]
        order: Attr[str]
        note: Attr[str] = attr(default="")

        @tw.primary(pk="CUSTOMER#{customer}", sk="ORDER#{order}")
        def key(self, customer: str, *, order: str) -> None: ...

    class Line(tw.Entity, service=service, name="line"):
        customer: Attr[str]
        order: Attr[str]
        line: Attr[str]

        @tw.primary(pk="CUSTOMER#{customer}", sk="ORDER#{order}#LINE#{line}")
        def key(self, customer: str, *, order: str, line: str) -> None: ...

    return service, Order, Line


def test_an_order_is_not_written_over_a_line(db: tw.Database) -> None:
    service, order, line = side_by_side()
    db.create(service)
    db.run(line(customer="c", order="1", line="2").put())
    for make in (
        lambda: db.run(order(customer="c", order="1#LINE#2").put()),
        lambda: order(customer="c", order="1#LINE#2").put().params(),
        lambda: order.key("c", order="1#LINE#2").update(order.note.set("x")).params(),
        lambda: order.key("c", order="1#LINE#2").delete().params(),
        lambda: order.key("c", order="1#LINE#2").get().params(),
    ):
        told = refusal(make)
        assert "order: order: " in told
        assert "gives the key of line" in told
    assert db.run(line.key("c", order="1", line="2").get()) is not None
    db.run(order(customer="c", order="1#LINE").put())
    db.run(order(customer="c", order="1").put())
    assert db.run(order.key("c", order="1").get()) is not None


def test_the_same_templates_twice_are_refused() -> None:
    service = tw.Service("twice", table="twice")

    class One(tw.Entity, service=service, name="one"):
        a: Attr[str]

        @tw.primary(pk="A#{a}", sk="A")
        def key(self, a: str) -> None: ...

    class Two(tw.Entity, service=service, name="two"):
        b: Attr[str]

        @tw.primary(pk="A#{b}", sk="A")
        def key(self, b: str) -> None: ...

    for make in (lambda: One.key("1").values(), lambda: Two.key("1").values()):
        with pytest.raises(tw.SchemaError, match="have the same templates for the table's own key"):
            make()


def test_constants_tell_templates_apart() -> None:
    service = tw.Service("kinds", table="kinds")

    class One(tw.Entity, service=service, name="one"):
        kind: Attr[Literal["one"]]
        a: Attr[str]

        @tw.primary(pk="{kind}#{a}", sk="x")
        def key(self, kind: Literal["one"], a: str) -> None: ...

    class Two(tw.Entity, service=service, name="two"):
        kind: Attr[Literal["two", "three"]]
        a: Attr[str]

        @tw.primary(pk="{kind}#{a}", sk="x")
        def key(self, kind: Literal["two", "three"], a: str) -> None: ...

    assert One.key("one", "1").values()["pk"] == "one#1"
    assert Two.key("two", "1").values()["pk"] == "two#1"


def test_nobody_writes_over_what_features_keep() -> None:
    service = tw.Service("bare", table="bare")

    class Bare(tw.Entity, service=service, name="bare"):
        a: Attr[str]
        b: Attr[str]

        @tw.primary(pk="{a}", sk="{b}")
        def key(self, a: str, *, b: str) -> None: ...

    assert Bare.key("x", b="y").values() == {"pk": "x", "sk": "y"}
    told = refusal(lambda: Bare.key('__unique__#bare#user#email#["x"]', b="__unique__").values())
    assert "the items that features write along" in told
