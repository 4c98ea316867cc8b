"""Settings of the table follow from its bill, and say why."""

from __future__ import annotations

from typing import Any

from tablewright.architect.designer import design
from tests.architect.designs import case_design

STEADY = {"profile": [1] * 24}
READING: dict[str, Any] = {
    "id": ["sensor", "at"],
    "attributes": {"sensor": "string", "at": "timestamp", "value": "number"},
    "count": 1_000_000,
}


def sensors(rate: float, **top: Any) -> Any:
    entity = {**READING, **top.pop("entity", {})}
    put = {"id": "put", "kind": "write", "op": "put", "entity": "Reading", "by": ["sensor", "at"], "rate": rate}
    get = {"id": "get", "kind": "get", "entity": "Reading", "by": ["sensor", "at"], "rate": rate}
    made = design({"name": "sensors", "entities": {"Reading": entity}, "access_patterns": [put, get], **top})
    (table,) = made.tables
    return table


def test_nothing_is_provisioned_for_rates_that_nobody_said() -> None:
    (table,) = case_design("online-shop").tables
    assert (table.billing_mode, table.provisioned) == ("PAY_PER_REQUEST", {})
    assert "rates are assumed" in table.why["billing_mode"]


def test_steady_traffic_is_provisioned_from_its_quietest_hour_to_twice_its_busiest() -> None:
    table = sensors(700.0, billing={**STEADY, "utilisation": 0.7})
    assert table.billing_mode == "PROVISIONED"
    bounds = table.provisioned["table"]
    # 700 writes of one unit, 700 eventually consistent reads of half a unit, at 70 per cent
    assert (bounds.min_wcu, bounds.max_wcu) == (1000, 2000)
    assert (bounds.min_rcu, bounds.max_rcu) == (500, 1000)
    assert bounds.target_utilisation == 0.7


def test_seldom_read_tables_are_stored_in_the_cheaper_class() -> None:
    table = sensors(0.001, entity={"count": 10**9, "size_bytes": 2000})
    assert table.table_class == "STANDARD_INFREQUENT_ACCESS"
    assert "Standard-IA" in table.why["table_class"]


def test_a_table_has_one_attribute_for_expiry() -> None:
    assert sensors(1, entity={"ttl": "90d"}).ttl_attribute == "expiresAt"
    said = {"ttl": {"days": 90, "attribute": "gone"}, "attributes": {**READING["attributes"], "gone": "number"}}
    assert sensors(1, entity=said).ttl_attribute == "gone"
    text = {"ttl": {"days": 90, "attribute": "at"}}
    assert sensors(1, entity=text).ttl_attribute == "expiresAt"
    assert sensors(1).ttl_attribute is None


def test_streams_and_recovery_are_on_where_somebody_wants_them() -> None:
    plain = sensors(1)
    assert (plain.stream, plain.kinesis, plain.pitr, plain.deletion_protection) == (None, False, True, True)
    assert plain.why["stream"] == "off: nothing in this design needs it"
    assert sensors(1, billing={"streams": "lambda"}).stream == "NEW_AND_OLD_IMAGES"
    kinesis = sensors(1, billing={"streams": "kinesis"})
    assert (kinesis.stream, kinesis.kinesis) == (None, True)
    assert not sensors(1, billing={"pitr": False}).pitr
