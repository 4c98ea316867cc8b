from __future__ import annotations

from typing import Any

import pytest

from tablewright.errors import SchemaError
from tablewright.schema.electro import load_entity
from tablewright.schema.model import Index, KeyAttribute, Table
from tablewright.schema.table import check_one_table, derive_table


def entity(indexes: dict[str, Any], name: str = "thing") -> Any:
    attributes = {
        "a": "string",
        "n": {"type": "number", "field": "num"},
        "level": {"type": [1, 2]},
        "flag": "boolean",
        "z": {"type": "string", "field": "zed"},
    }
    primary = {"pk": {"field": "pk", "composite": ["a"]}, "sk": {"field": "sk", "composite": ["n"]}}
    model = {"service": "s", "entity": name, "version": "1"}
    return load_entity({"model": model, "attributes": attributes, "indexes": {"main": primary, **indexes}})


def index(pk: dict[str, Any], sk: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    return {"index": "i", "pk": pk, **({"sk": sk} if sk else {}), **options}


def keys(*pairs: tuple[str, Any]) -> tuple[KeyAttribute, ...]:
    return tuple(KeyAttribute(field=field, type=kind) for field, kind in pairs)


def test_the_table_and_its_own_key() -> None:
    primary = Index(name=None, pk=keys(("pk", "S")), sk=keys(("sk", "S")), kind="table")
    assert derive_table([entity({})], name="app") == Table(name="app", primary=primary)


@pytest.mark.parametrize(
    ("sort", "kind"),
    [
        ({"field": "isk", "composite": ["n"]}, "S"),
        ({"field": "isk", "template": "${n}"}, "N"),
        ({"field": "isk", "template": "n${n}"}, "S"),
        ({"field": "isk", "template": "${a}"}, "S"),
        ({"field": "isk", "template": "${level}"}, "N"),
        ({"field": "isk", "template": "${n}", "cast": "string"}, "S"),
        ({"field": "isk", "composite": ["n"], "cast": "number"}, "N"),
        ({"field": "num", "template": "${n}"}, "N"),
        ({"field": "level", "composite": ["level"]}, "N"),
        ({"field": "isk", "composite": []}, "S"),
    ],
)
def test_key_types(sort: dict[str, Any], kind: str) -> None:
    table = derive_table([entity({"other": index({"field": "ipk", "composite": ["z"]}, sort)})])
    assert table.indexes[0].sk == keys((sort["field"], kind))
    assert table.indexes[0].kind == "gsi"


def test_an_index_on_the_tables_own_partition_key_is_local() -> None:
    local = index({"field": "pk", "composite": ["a"]}, {"field": "isk", "composite": ["z"]})
    assert derive_table([entity({"other": local})]).indexes[0].kind == "lsi"


def test_a_composite_index_stands_on_the_attributes_themselves() -> None:
    found = derive_table([entity({"other": index({"composite": ["a", "n"]}, {"composite": ["z"]}, type="composite")})])
    assert found.indexes[0].pk == keys(("a", "S"), ("num", "N"))
    assert found.indexes[0].sk == keys(("zed", "S"))


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("keys_only", "keys_only", "keys_only"),
        ("all", "keys_only", "all"),
        (["n"], "keys_only", ("num",)),
        (["n", "a"], ["a", "z"], ("num", "a", "zed")),
    ],
)
def test_an_index_projects_what_any_entity_needs(one: Any, other: Any, both: Any) -> None:
    def build(name: str, projection: Any) -> Any:
        return entity({"other": index({"field": "ipk", "composite": ["z"]}, projection=projection)}, name)

    assert derive_table([build("x", one), build("y", other)]).indexes[0].projection == both


def test_entities_that_disagree_on_a_key_are_refused() -> None:
    text = entity({"other": index({"field": "ipk", "composite": ["z"]})}, "text")
    number = entity({"other": index({"field": "ipk", "template": "${n}"})}, "number")
    check_one_table({"text": text, "again": text})
    with pytest.raises(
        SchemaError, match=r'"number", access pattern "other": index "i" has the key ipk \(N\)'
    ) as caught:
        check_one_table({"text": text, "number": number})
    assert caught.value.code == 1009
