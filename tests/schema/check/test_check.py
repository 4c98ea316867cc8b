"""Rules beyond ElectroDB's, on model values; ElectroDB's own are in test_against_recordings.py."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tablewright.errors import SchemaError
from tablewright.schema.check import check_entity
from tablewright.schema.electro import load_entity
from tablewright.schema.model import Entity, KeySide
from tablewright.schema.types import BINARY, STRING, Attribute, MapOf, OneOf, RecordOf, Scalar
from tests.schema.samples import EMPLOYEE, is_open

ENTITY = load_entity(EMPLOYEE)


def with_attribute(kind: Any, **options: Any) -> Entity:
    return replace(ENTITY, attributes=(*ENTITY.attributes, Attribute(name="x", type=kind, field="x", **options)))


def fault(entity: Entity) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        check_entity(entity)
    return caught.value


def test_a_sound_entity_passes() -> None:
    check_entity(ENTITY)
    check_entity(with_attribute(BINARY))


def test_a_condition_depends_on_attributes() -> None:
    primary, second = ENTITY.patterns
    sound = replace(second, condition=is_open, depends_on=("name",))
    check_entity(replace(ENTITY, patterns=(primary, sound)))
    error = fault(replace(ENTITY, patterns=(primary, replace(sound, depends_on=("nam",)))))
    assert error.code == 1009
    assert 'depends on "nam"' in error.message


def test_binary_is_no_part_of_composed_keys() -> None:
    entity = with_attribute(BINARY)
    primary, second = entity.patterns
    error = fault(replace(entity, patterns=(primary, replace(second, sk=KeySide(field="s", composite=("x",))))))
    assert error.code == 1008
    assert '"binary"' in error.message


def test_a_composite_index_may_stand_on_binary() -> None:
    entity = with_attribute(BINARY)
    primary, second = entity.patterns
    sides = {"pk": KeySide(field="", composite=("employee",)), "sk": KeySide(field="", composite=("x",))}
    check_entity(replace(entity, patterns=(primary, replace(second, kind="composite", **sides))))


def unknown(name: str) -> Attribute:
    return Attribute(name=name, type=Scalar("string"), field=name, watch=("nobody",))


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        (RecordOf(Attribute(name="*", type=MapOf((unknown("p"),)), field="*")), "x[*].p"),
        (OneOf("kind", (("a", MapOf((unknown("p"),))),)), "x.p"),
    ],
)
def test_attributes_are_checked_inside_every_type(kind: Any, path: str) -> None:
    error = fault(with_attribute(kind))
    assert error.code == 1016
    assert f'attribute "{path}"' in error.message


def test_two_properties_cannot_share_a_field() -> None:
    twins = MapOf((Attribute(name="p", type=STRING, field="f"), Attribute(name="q", type=STRING, field="f")))
    error = fault(with_attribute(twins))
    assert error.code == 1008
    assert 'attribute "x.q"' in error.message


def test_filters_cannot_hide_methods() -> None:
    assert fault(replace(ENTITY, filters={"where": is_open})).code == 1011
