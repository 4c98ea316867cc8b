"""Attributes: names, defaults, callbacks, and the declarations that are refused."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr
from tests.runtime.store import Store

shop = tw.Service("shop", table="shop")


class Timestamps(tw.Entity):
    """Shared by entities; it belongs to no service."""

    created: Attr[str] = attr(default="now", read_only=True)
    note: Attr[str | None] = attr(default=None)


def longer(value: str | None, item: Any) -> str | None:
    return None if item.first_name is None else f"{item.first_name} {item.last_name or ''}".strip()


class Person(Timestamps, service=shop, name="person"):
    person_id: Attr[str] = attr(alias="personId", default_factory=lambda: "p1")
    first_name: Attr[str] = attr(name="firstName", field="fn")
    last_name: Attr[str | None] = attr(default=None, alias="lastName")
    full_name: Attr[str | None] = attr(default=None, watch=["first_name", "last_name"], set=longer, name="fullName")
    shown: Attr[str | None] = attr(default=None, get=lambda value: value.upper() if value else "?", field="sh")
    pin: Attr[str | None] = attr(default=None, hidden=True, validate=r"^\d{4}$")
    age: Attr[int | None] = attr(default=None, validate=lambda age: age >= 0)
    code: Attr[str] = attr(default="c", label="k", padding=(4, "-"))

    @tw.primary
    def key(self, person_id: str) -> None:
        """One person."""

    @tw.index("gsi1")
    def by_code(self, code: str, *, last_name: str = ANY) -> None:
        """By code."""


def stored(person: Person) -> dict[str, Any]:
    item: dict[str, Any] = person.put().params()["Item"]
    return item


def test_names_in_keys_fields_in_items_and_both_in_the_constructor() -> None:
    one = Person(personId="x", first_name="Ann", lastName="Lee")
    other = Person(person_id="x", first_name="Ann", last_name="Lee")
    assert one == other
    item = stored(one)
    assert item["pk"] == "$shop#personId_x"
    assert item["fn"] == "Ann"
    assert item["gsi1pk"] == "$shop#k_---c"
    assert item["gsi1sk"] == "$person_1#lastName_Lee"


def test_a_name_is_no_parameter_of_the_constructor() -> None:
    with pytest.raises(
        TypeError, match=r"Person\(\) does not fit its attributes; missing: first_name; unknown: firstName"
    ):
        Person(firstName="Ann")


def test_defaults_and_factories() -> None:
    person = Person(first_name="Ann")
    assert (person.person_id, person.created, person.last_name, person.code) == ("p1", "now", None, "c")


def test_attributes_of_a_base_without_service_are_shared() -> None:
    assert Person.schema().attributes[0].name == "created"
    assert stored(Person(first_name="A", note="n"))["note"] == "n"
    with pytest.raises(tw.SchemaError, match="Timestamps belongs to no service"):
        Timestamps.scan()


class Lent:
    """A plain class that lends its attributes."""

    size_: Attr[int]
    unit: Attr[str] = attr(default="cm")


def test_plain_classes_can_lend_attributes() -> None:
    class Plank(Lent, tw.Entity, service=tw.Service("s", table="t")):
        plank: Attr[str]

        @tw.primary
        def key(self, plank: str) -> None:
            """One."""

    item = Plank(plank="p", size_=3)
    assert Plank.parse(item.put().params()["Item"]) == item
    assert item.put().params()["Item"]["size_"] == 3


def test_equality_and_repr() -> None:
    person = Person(first_name="Ann")
    assert person == Person(first_name="Ann")
    assert person != Person(first_name="Bob")
    assert person != object()
    assert repr(person).startswith("Person(created='now', note=None, person_id='p1', first_name='Ann'")
    with pytest.raises(TypeError, match="unhashable"):
        hash(person)


def test_watchers_see_python_names() -> None:
    assert stored(Person(first_name="Ann", last_name="Lee"))["fullName"] == "Ann Lee"
    store = Store()
    store.run(Person(first_name="Ann", last_name="Lee").put())
    store.run(Person.key("p1").patch(Person.first_name.set("Eve")))
    assert next(iter(store.items.values()))["fullName"] == "Eve"  # an update knows no more than it is told


def test_getters_run_on_the_way_out() -> None:
    found: Any = Person.parse(stored(Person(first_name="Ann", shown="x")))
    assert found.shown == "X"


def test_hidden_attributes_are_stored_and_never_read() -> None:
    item = stored(Person(first_name="Ann", pin="1234"))
    assert item["pin"] == "1234"
    found: Any = Person.parse(item)
    with pytest.raises(AttributeError, match=r"Person\.pin has no value on this item: it was not read"):
        found.pin  # noqa: B018 - the mistake
    assert "#pin = :pin0" in Person.by_code("c").where(Person.pin == "1234").params()["FilterExpression"]


@pytest.mark.parametrize(
    ("values", "path", "reason"),
    [({"pin": "12"}, "pin", "does not match"), ({"age": -1}, "age", "refused by its validator")],
)
def test_validators(values: dict[str, Any], path: str, reason: str) -> None:
    with pytest.raises(tw.ValidationError, match=reason) as refused:
        Person(first_name="Ann", **values).put().params()
    assert [fault.path for fault in refused.value.fields] == [path]
    [(name, value)] = values.items()
    with pytest.raises(tw.ValidationError, match=reason):
        Person.key("p1").patch(getattr(Person, name).set(value)).params()


def test_faults_are_told_in_python_names() -> None:
    person = Person(first_name=5, last_name=6)
    with pytest.raises(tw.ValidationError) as refused:
        person.put()
    assert [fault.path for fault in refused.value.fields] == ["first_name", "last_name"]
    missing = Person(first_name="Ann")
    missing.first_name = None
    with pytest.raises(tw.ValidationError, match="first_name: is required"):
        missing.put().params()
    with pytest.raises(tw.ValidationError, match="first_name: must be text"):
        Person.first_name.set(5)


def test_read_only_attributes() -> None:
    with pytest.raises(tw.ValidationError, match="created: is read-only"):
        Person.key("p1").patch(Person.created.set("then")).params()
    assert (
        "#created = if_not_exists(#created, :created0)" in Person(first_name="A").upsert().params()["UpdateExpression"]
    )


@pytest.mark.parametrize("empty", [set(), None])
def test_setting_nothing_removes_what_is_stored(empty: Any) -> None:
    class Bag(tw.Entity, service=tw.Service("s", table="t")):
        bag: Attr[str]
        things: Attr[set[str]] = attr(default_factory=set)

        @tw.primary
        def key(self, bag: str) -> None:
            """One."""

    store = Store()
    store.run(Bag(bag="b", things={"a"}).put())
    store.run(Bag.key("b").patch(Bag.things.set(empty)))
    [item] = store.items.values()
    assert "things" not in item
    assert Bag.parse(item) == Bag(bag="b")


def test_none_cannot_be_set_where_a_value_is_required() -> None:
    with pytest.raises(tw.ValidationError, match="first_name: is required and cannot be removed"):
        Person.key("p1").patch(Person.first_name.set(None)).params()


# ---- declarations that are refused -----------------------------------------------------------------------------------


def declared(attributes: dict[str, Any], annotations: dict[str, Any]) -> type[tw.Entity]:
    """An entity whose body holds these attributes beside its key."""

    def key(self: Any, id: str) -> None:  # noqa: A002 - the attribute's name
        """One."""

    body = {"id": attr(), "key": tw.primary(key), **attributes}
    body |= {"__annotations__": {"id": Attr[str], **annotations}, "__module__": __name__}
    return type("Thing", (tw.Entity,), body, service=tw.Service("s", table="t"))  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize("name", ["put", "create", "update", "patch", "upsert", "delete", "remove", "scan", "find"])
def test_attributes_must_not_hide_methods(name: str) -> None:
    with pytest.raises(tw.SchemaError, match=rf"Thing\.{name} would hide a method of that name; call it {name}_"):
        declared({}, {name: Attr[str]})
    with pytest.raises(tw.SchemaError, match="would hide a method"):
        declared({name: attr(default="x")}, {name: Attr[str]})


def test_attributes_must_not_hide_access_patterns() -> None:
    with pytest.raises(tw.SchemaError, match=r"Thing\.key would hide an access pattern"):
        declared({}, {"key": Attr[str]})
    with pytest.raises(tw.SchemaError, match=r"Sub\.by_code would hide an access pattern"):

        class Sub(Person, service=tw.Service("s", table="t")):
            by_code: Attr[str]


def test_attributes_may_override_attributes() -> None:
    class Sub(Timestamps, service=tw.Service("s", table="t")):
        note: Attr[str] = attr(default="always")

        @tw.primary
        def key(self, note: str) -> None:
            """One."""

    assert Sub().note == "always"


def test_attributes_of_maps_must_not_hide_what_a_path_can_do() -> None:
    with pytest.raises(tw.SchemaError, match=r'Dimensions\.size would hide a method.*attr\(name="size"\)'):

        class Dimensions(tw.Map):
            size: Attr[int]


def test_a_plain_default_is_refused_with_the_remedy() -> None:
    with pytest.raises(tw.SchemaError, match=r"Thing\.status is assigned 'open'; write status: Attr\[...\] = attr\("):
        declared({"status": "open"}, {"status": Attr[str]})


def test_a_plain_list_as_default_is_refused_with_what_works() -> None:
    with pytest.raises(tw.SchemaError, match=r"write tags: Attr\[...\] = attr\(default_factory=list\)"):
        declared({"tags": []}, {"tags": Attr[list[str]]})


@pytest.mark.parametrize("annotation", ["str", str, "list[str]", "tw.Path[str]"])
def test_what_looks_like_an_attribute_and_is_none_is_refused(annotation: Any) -> None:
    with pytest.raises(tw.SchemaError, match=r"Thing\.name: .* is stored nowhere; write name: Attr\["):
        declared({}, {"name": annotation})


@pytest.mark.parametrize("annotation", ["ClassVar[str]", ClassVar[str], "typing.ClassVar[str]", "Final"])
def test_what_all_items_share_is_no_attribute(annotation: Any) -> None:
    declared({"kind": "thing"}, {"kind": annotation, "_cache": "str"})


def test_an_attribute_that_is_not_declared_cannot_be_set() -> None:
    class Note(tw.Entity):
        title: Attr[str]

        @property
        def shout(self) -> str:
            return self.title.upper()

        @shout.setter
        def shout(self, text: str) -> None:
            self.title = text.lower()

        @tw.primary
        def key(self, title: str) -> None:
            """One note."""

    note: Any = Note(title="a")
    with pytest.raises(AttributeError, match=r"Note has no attribute titel; did you mean title\?"):
        note.titel = "b"
    note.shout, note._seen = "B", 1
    assert note.title == "b"


def test_an_index_without_a_name_is_refused() -> None:
    bare: Any = tw.index

    def by_title(self: Any, title: str) -> None:
        """By title."""

    with pytest.raises(tw.SchemaError, match=r'by_title: say which index it is: @tw.index\("gsi1"\)'):
        bare(by_title)


def test_attr_alone_says_nothing_of_its_type() -> None:
    with pytest.raises(tw.SchemaError, match=r"Thing\.name: Attr does not say what is stored; write name: Attr\[str\]"):
        declared({}, {"name": Attr})


def test_a_map_as_default_would_be_shared_as_well() -> None:
    class Place(tw.Map):
        city: Attr[str]

    for default in (Place(city="Ulm"), ["a"]):
        with pytest.raises(tw.SchemaError, match="would share one default; write default_factory=lambda: "):
            declared({"home": attr(default=default)}, {"home": Attr[Any]})


def test_a_default_that_all_items_would_share_is_refused() -> None:
    with pytest.raises(
        tw.SchemaError, match=r"Thing\.tags: all items would share one default; write default_factory=set"
    ):
        declared({"tags": attr(default=set())}, {"tags": Attr[set[str]]})


def test_a_default_of_the_wrong_type_is_refused() -> None:
    thing = declared({"size": attr(default="big")}, {"size": Attr[int]})
    with pytest.raises(tw.SchemaError, match=r"Thing\.size: its default must be a whole number"):
        thing.schema()


def test_an_attribute_without_annotation_is_refused() -> None:
    with pytest.raises(tw.SchemaError, match=r"Thing\.size has no annotation"):
        declared({"size": attr()}, {}).schema()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"padding": ("3", "0")}, "padding is a length"),
        ({"padding": (3, "")}, "padding is a length"),
        ({"validate": 5}, "validate is a function or a regular expression"),
        ({"watch": ["nobody"], "set": str}, "nobody"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(tw.SchemaError, match=reason):
        declared({"size": attr(**options)}, {"size": Attr[str]}).schema()
