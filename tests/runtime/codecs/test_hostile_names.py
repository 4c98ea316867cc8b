"""Names that are code, quotes or nonsense are names: nothing of them runs, and items come back as they were."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import attrs
import msgspec
import pydantic
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tablewright.schema.script import is_plain_name

RAN: list[str] = []

CODE = [
    *("boom()", "x if value.boom() else 1", "x, value.boom()", "x) or each.boom() or (each", "f0\n    value.boom()"),
    *(
        "x = value.boom(); y",
        "x: value.boom()",
        "{value.boom()}",
        "x'] or value.boom() or ['",
        'x"] or value.boom() or ["',
    ),
    *(
        "class",
        "None",
        "a b",
        "a\nb",
        "a\\",
        "\\",
        "'",
        '"',
        "'''",
        '"""',
        "{",
        "}",
        "{}",
        "{0}",
        "%s",
        "#",
        "ﬁ",
        "E\u0301",
    ),
    *(
        "value",
        "each",
        "own",
        "made",
        "wire",
        "f0",
        "i0",
        "values",
        "get",
        "item",
        "key",
        "fields",
        "a-b",
        "𝒳",
        "١",
        "a\r",
    ),
    *("lambda: 0", "kind_1", "encode_1", "a=1", "*a", "**a", "a/", "\u2028", "\x7f", 'say "hi"', "c:\\new", "\t", "é"),
]
ANYTHING = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
NAMES = st.lists(st.sampled_from(CODE) | ANYTHING, min_size=1, max_size=4, unique=True)


class Explosive:
    """What generated code holds in its hands has a method that tells of being called."""

    def boom(self) -> str:
        RAN.append("boom")
        return "boom"


class ExplosiveStruct(msgspec.Struct):
    def boom(self) -> str:
        return Explosive.boom(self)  # type: ignore[arg-type]


def key(self: Any, code: str) -> None:
    """One."""


def entity(annotations: dict[str, Any], **declared: Any) -> type[Any]:
    """An entity made at run time, in a service of its own."""
    service = tw.Service("names", table="names")
    body = {"__annotations__": {"code": Attr[str], **annotations}, "key": tw.primary(key), **declared}
    made: type[Any] = type(tw.Entity)("Thing", (Explosive, tw.Entity), body, service=service, name="thing")
    return made


def comes_back(kind: type[Any], item: Any) -> None:
    """Written and read by compiled code, and by a query; nothing ran."""
    RAN.clear()
    layout = kind.__tablewright_layout__()
    with tw.Database.embedded() as db:
        db.create(kind.__tablewright_about__.service)
        db.run(item.put())
        assert db.run(kind.key(code=item.code).get()) == item
        assert db.run(kind.scan()).items == [item]
    assert RAN == []
    assert layout.codec.writing_reason is None
    assert layout.codec.misfits == 0


def free(names: list[str], kind: type[Any]) -> list[str]:
    """Names that an attribute may have."""
    return [
        name for name in names if name not in ("code", "key") and not hasattr(kind, name) and not name.startswith("_")
    ]


def model(names: list[str], kind: Any) -> Any:
    config = pydantic.ConfigDict(protected_namespaces=())
    base = type("Base", (Explosive, pydantic.BaseModel), {"model_config": config})
    return pydantic.create_model("Model", __base__=base, **dict.fromkeys(free(names, base), (kind, ...)))


def struct(names: list[str], kind: Any) -> Any:
    return msgspec.defstruct(
        "Struct",
        [(name, kind) for name in free(names, ExplosiveStruct) if name.isidentifier()],
        bases=(ExplosiveStruct,),
    )


def mapped(names: list[str], kind: Any) -> Any:
    body = {"__annotations__": {name: Attr[kind] for name in free(names, tw.Map) if name not in RESERVED}}
    return type(tw.Map)("Mapped", (Explosive, tw.Map), body)


RESERVED = tw.Map.__tablewright_reserved__


def data(names: list[str], kind: Any) -> Any:
    usable = [name for name in free(names, Explosive) if is_plain_name(name)]
    return dataclasses.make_dataclass("Data", [(name, kind) for name in usable], bases=(Explosive,))


def attrs_class(names: list[str], kind: Any) -> Any:
    usable = [name for name in free(names, Explosive) if is_plain_name(name)]
    return attrs.make_class("Attrs", {name: attrs.field(type=kind) for name in usable}, bases=(Explosive,))


@pytest.mark.parametrize("make", [model, struct, mapped, data, attrs_class])
@settings(max_examples=60, deadline=None)
@given(names=NAMES)
@example(names=["boom()"])
@example(names=["x, value.boom()"])
@example(names=['say "hi"'])
@example(names=["ﬁ"])
def test_fields_of_nested_classes(make: Callable[[list[str], Any], Any], names: list[str]) -> None:
    kind = make(names, str)
    fields = [*getattr(kind, "__annotations__", {})]
    inner = kind(**{name: f"value of {name}" for name in fields})
    thing = entity({"inner": Attr[kind], "many": Attr[list[kind]]})
    comes_back(thing, thing(code="a", inner=inner, many=[inner, inner]))


@settings(max_examples=60, deadline=None)
@given(NAMES)
@example(["boom()", "code\n    made.boom()"])
@example(["ﬁ", "fi"])
def test_attributes_of_entities(names: list[str]) -> None:
    usable = free(names, type("Any", (Explosive, tw.Entity), {}))
    thing = entity(dict.fromkeys(usable, Attr[str]))
    comes_back(thing, thing(code="a", **{name: f"value of {name}" for name in usable}))


TAKEN = ("code", "pk", "sk", "__edb_e__", "__edb_v__")
"""Fields that hold something else already; attributes in them are refused."""


@settings(max_examples=60, deadline=None)
@given(NAMES)
@example(['say "hi"', "back\\slash"])
def test_names_in_the_table(names: list[str]) -> None:
    declared = {f"a{at}": attr(field=name) for at, name in enumerate(names) if name not in TAKEN}
    thing = entity(dict.fromkeys(declared, Attr[int]), **declared)
    comes_back(thing, thing(code="a", **dict.fromkeys(declared, 7)))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(CODE) | ANYTHING, st.sampled_from(CODE) | ANYTHING)
@example('say "hi"', "b")
def test_identifiers_and_services(one: str, other: str) -> None:
    if len({one, other, "code", "pk", "sk"}) < 5 or {*"#$"} & {*one, *other}:  # these signs are refused in names
        return
    service = tw.Service("s" + one, table="names", identifiers=tw.Identifiers(entity=one, version=other))
    body = {"__annotations__": {"code": Attr[str]}, "key": tw.primary(key)}
    thing: Any = type(tw.Entity)(
        "Thing", (Explosive, tw.Entity), body, service=service, name=other, version=one, key_version=one
    )
    comes_back(thing, thing(code="a"))


@pytest.mark.parametrize("name", CODE)
def test_functions_that_are_called_something(name: str) -> None:
    def pattern(self: Any, code: str) -> None:
        """One."""

    pattern.__name__ = name
    service = tw.Service("names", table="names")
    body = {"__annotations__": {"code": Attr[str]}, "key": tw.primary(pattern)}
    thing: Any = type(tw.Entity)("Thing", (Explosive, tw.Entity), body, service=service, name="thing")
    comes_back(thing, thing(code="a"))


def test_a_lambda_is_a_pattern() -> None:
    service = tw.Service("names", table="names")
    body = {"__annotations__": {"code": Attr[str]}, "key": tw.primary(lambda self, code: None)}
    thing: Any = type(tw.Entity)("Thing", (tw.Entity,), body, service=service, name="thing")
    assert thing.key(code="a").values()["pk"] == "$names#code_a"


@pytest.mark.parametrize("name", ["__class__", "__dict__", "__module__", "__weakref__", "__own__"])
def test_names_of_python_itself_are_refused(name: str) -> None:
    with pytest.raises(tw.SchemaError, match=r"such names are Python's own; .*attr\(name="):
        entity({name: Attr[str]})


def test_composites_with_underscores_keep_apart_from_the_words_of_the_function() -> None:
    def deep(self: Any, ___any: str, ____given: str) -> None:
        """One."""

    service = tw.Service("names", table="names")
    body = {"__annotations__": {"___any": Attr[str], "____given": Attr[str]}, "key": tw.primary(deep)}
    thing: Any = type(tw.Entity)("Thing", (tw.Entity,), body, service=service, name="thing")
    assert thing.key("a", "b").values()["pk"] == "$names#___any_a#____given_b"
