"""What CreateTable and UpdateTable refuse, in the service's words and, in each function, in its order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import invalid_parameters, validation
from tablewright.wire.limits import (
    MAX_GSIS,
    MAX_HASH_ATTRIBUTES_OF_GSI,
    MAX_LSIS,
    MAX_PROJECTED_ATTRIBUTES,
    MAX_RANGE_ATTRIBUTES_OF_GSI,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

Params = dict[str, Any]
MAX_UNITS = 10**12


def names_of(schema: Sequence[Params]) -> list[str]:
    return [each["AttributeName"] for each in schema]


def _listed(names: Collection[str]) -> str:
    return f"[{', '.join(names)}]"


def check_new_table(params: Params) -> None:
    """Everything about keys and indexes of a table that is to be."""
    definitions, schema = names_of(params["AttributeDefinitions"]), params["KeySchema"]
    _check_billing(params)
    check_distinct(definitions)
    if len(schema) > len(definitions):
        raise validation("Invalid KeySchema: Some index key attribute have no definition")
    _check_key_schema(schema, definitions)
    lsis, gsis = params.get("LocalSecondaryIndexes"), params.get("GlobalSecondaryIndexes")
    if lsis is None and gsis is None and len(schema) != len(definitions):
        mismatch = "does not exactly match number of attributes defined in AttributeDefinitions"
        raise invalid_parameters(f"Number of attributes in KeySchema {mismatch}")
    seen: set[str] = set()
    if lsis is not None:
        _check_lsis(lsis, schema, definitions, seen)
    if gsis is not None:
        _check_gsis(gsis, definitions, seen, on_demand=is_on_demand(params))
    _check_projected_total([*(lsis or ()), *(gsis or ())])
    _check_all_used(definitions, [schema, *(each["KeySchema"] for each in [*(lsis or ()), *(gsis or ())])])


def is_on_demand(params: Params) -> bool:
    return params.get("BillingMode") == "PAY_PER_REQUEST"


def _check_billing(params: Params) -> None:
    """A table is paid for in one way: units that are given, or none."""
    units = params.get("ProvisionedThroughput")
    if is_on_demand(params):
        if units is not None:
            raise neither_can_be_specified()
    elif units is None:
        raise invalid_parameters(
            "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
        )
    else:
        check_units(units)


def neither_can_be_specified() -> Exception:
    return invalid_parameters(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
    )


def check_units(units: Mapping[str, int], index: str | None = None) -> None:
    where = "" if index is None else f" for index {index}"
    for name in ("ReadCapacityUnits", "WriteCapacityUnits"):
        if units[name] > MAX_UNITS:
            raise validation(f"Given value {units[name]} for {name} is out of bounds{where}")


def check_distinct(definitions: Sequence[str]) -> None:
    for name, times in Counter(definitions).items():
        if times > 1:
            raise validation(f"Attribute Name is duplicated: {name}")


def check_defined(keys: Sequence[str], definitions: Sequence[str]) -> None:
    if not set(keys) <= set(definitions):
        told = f"Keys: {_listed(keys)}, AttributeDefinitions: {_listed(definitions)}"
        raise invalid_parameters(f"Some index key attributes are not defined in AttributeDefinitions. {told}")


def _check_key_schema(schema: Sequence[Params], definitions: Sequence[str]) -> None:
    """The keys of a table or local index: HASH, then perhaps RANGE."""
    check_defined(names_of(schema), definitions)
    _check_same_name(schema)
    if schema[0]["KeyType"] != "HASH":
        raise _not_a_hash_key()
    if len(schema) > 1 and schema[1]["KeyType"] != "RANGE":
        raise validation("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")


def _not_a_hash_key() -> Exception:
    return validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")


def _check_same_name(schema: Sequence[Params]) -> None:
    if len({*names_of(schema)}) < len(schema):
        if len(schema) == 2:
            raise validation("Both the Hash Key and the Range Key element in the KeySchema have the same name")
        raise validation("The KeySchema contains multiple key attributes with the same name")


def check_gsi_key_schema(schema: Sequence[Params], definitions: Sequence[str]) -> None:
    """The keys of a global index: up to four of each kind, all HASH before any RANGE."""
    check_defined(names_of(schema), definitions)
    _check_same_name(schema)
    kinds = [each["KeyType"] for each in schema]
    if kinds[0] != "HASH":
        raise _not_a_hash_key()
    if sorted(kinds) != kinds:
        raise invalid_parameters("All HASH key attributes must precede RANGE key attributes in the KeySchema")
    for kind, most in (("HASH", MAX_HASH_ATTRIBUTES_OF_GSI), ("RANGE", MAX_RANGE_ATTRIBUTES_OF_GSI)):
        if kinds.count(kind) > most:
            raise invalid_parameters(f"The KeySchema exceeds the maximum allowed number of {kind} key attributes")


def _check_lsis(lsis: Sequence[Params], schema: Sequence[Params], definitions: Sequence[str], seen: set[str]) -> None:
    if not lsis:
        raise invalid_parameters("List of LocalSecondaryIndexes is empty")
    if len(schema) != 2:
        needed = "which is required when specifying a LocalSecondaryIndex"
        raise invalid_parameters(f"Table KeySchema does not have a range key, {needed}")
    for lsi in lsis:
        _check_lsi_keys(lsi, schema[0]["AttributeName"], definitions)
        check_projection(lsi["Projection"])
        _check_new_name(lsi["IndexName"], seen)
    if len(lsis) > MAX_LSIS:
        raise invalid_parameters(f"Number of LocalSecondaryIndexes exceeds per-table limit of {MAX_LSIS}")


def _check_lsi_keys(lsi: Params, table_hash: str, definitions: Sequence[str]) -> None:
    name, schema = lsi["IndexName"], lsi["KeySchema"]
    _check_key_schema(schema, definitions)
    if len(schema) != 2:
        raise invalid_parameters(f"Index KeySchema does not have a range key for index: {name}")
    index_hash = schema[0]["AttributeName"]
    if index_hash != table_hash:
        raise invalid_parameters(
            f"Index KeySchema does not have the same leading hash key as table KeySchema for index: {name}."
            f" index hash key: {index_hash}, table hash key: {table_hash}"
        )


def _check_gsis(gsis: Sequence[Params], definitions: Sequence[str], seen: set[str], *, on_demand: bool) -> None:
    if not gsis:
        raise invalid_parameters("List of GlobalSecondaryIndexes is empty")
    for gsi in gsis:
        check_gsi_key_schema(gsi["KeySchema"], definitions)
        check_projection(gsi["Projection"])
        if on_demand and "ProvisionedThroughput" in gsi:
            where = f"for index: {gsi['IndexName']} when BillingMode is PAY_PER_REQUEST"
            raise invalid_parameters(f"ProvisionedThroughput should not be specified {where}")
        _check_new_name(gsi["IndexName"], seen)
    if len(gsis) > MAX_GSIS:
        raise invalid_parameters(f"GlobalSecondaryIndex count exceeds the per-table limit of {MAX_GSIS}")
    if not on_demand:
        _check_gsi_units(gsis)


def _check_gsi_units(gsis: Sequence[Params]) -> None:
    for gsi in gsis:
        units = gsi.get("ProvisionedThroughput")
        if units is None:
            raise invalid_parameters(f"ProvisionedThroughput is not specified for index: {gsi['IndexName']}")
        check_units(units, gsi["IndexName"])


def check_projection(projection: Params) -> None:
    kind, included = projection.get("ProjectionType"), projection.get("NonKeyAttributes")
    if kind is None:
        raise invalid_parameters("Unknown ProjectionType: null")
    if included is not None and kind != "INCLUDE":
        raise invalid_parameters(f"ProjectionType is {kind}, but NonKeyAttributes is specified")
    if included is None and kind == "INCLUDE":
        raise invalid_parameters(f"ProjectionType is {kind}, but NonKeyAttributes is not specified")
    for name, times in Counter(included or ()).items():
        if times > 1:
            raise invalid_parameters(f"Duplicate element in NonKeyAttributes: {name}")


def _check_new_name(name: str, seen: set[str]) -> None:
    if name in seen:
        raise invalid_parameters(f"Duplicate index name: {name}")
    seen.add(name)


def _check_projected_total(indexes: Sequence[Params]) -> None:
    total = sum(len(each["Projection"].get("NonKeyAttributes", ())) for each in indexes)
    if total > MAX_PROJECTED_ATTRIBUTES:
        raise too_many_projected(total)


def too_many_projected(total: int) -> Exception:
    told = f"Number of NonKeyAttributes over all indexes exceeds the limit of {MAX_PROJECTED_ATTRIBUTES}: {total}"
    return invalid_parameters(told)


def _check_all_used(definitions: Sequence[str], schemas: Sequence[Sequence[Params]]) -> None:
    used = {name: None for schema in schemas for name in names_of(schema)}
    if len(used) < len(definitions):
        told = f"AttributeDefinitions: {_listed(sorted(definitions))}, keys used: {_listed(sorted(used))}"
        raise invalid_parameters(f"Some AttributeDefinitions are not used. {told}")
