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


def sensors(rate: float | dict[str, float], *patterns: dict[str, Any], **top: Any) -> Any:
    entity = {**READING, **top.pop("entity", {})}
    put = {"id": "put", "kind": "write", "op": "put", "entity": "Reading", "by": ["sensor", "at"], "rate": rate}
    get = {"id": "get", "kind": "get", "entity": "Reading", "by": ["sensor", "at"], "rate": rate}
    made = design({"name": "sensors", "entities": {"Reading": entity}, "access_patterns": [put, get, *patterns], **top})
    (table,) = made.tables
    return table


def test_nothing_is_provisioned_for_rates_that_nobody_said() -> None:
    (table,) = case_design("online-shop").tables
    assert (table.billing_mode, table.provisioned) == ("PAY_PER_REQUEST", {})
    assert "rates are assumed" in table.why["billing_mode"]


def test_steady_traffic_is_provisioned_from_its_quietest_hour_to_twice_its_busiest() -> None:
    table = sensors({"avg": 700.0, "peak": 800.0}, billing={**STEADY, "utilisation": 0.7})
    assert table.billing_mode == "PROVISIONED"
    bounds = table.provisioned["table"]
    # 700 writes of one unit, 700 eventually consistent reads of half a unit, at 70 per cent
    assert (bounds.min_wcu, bounds.max_wcu) == (1000, 2000)
    assert (bounds.min_rcu, bounds.max_rcu) == (500, 1000)
    assert bounds.target_utilisation == 0.7


def test_a_peak_above_twice_the_busiest_hour_is_within_the_bounds() -> None:
    table = sensors({"avg": 700.0, "peak": 2100.0}, billing=STEADY)
    # 2,100 writes of one unit and 2,100 reads of half a unit, at 70 per cent
    assert (table.provisioned["table"].max_wcu, table.provisioned["table"].max_rcu) == (3000, 1500)


def test_the_minimum_is_near_the_average_whatever_the_quietest_hour() -> None:
    """From a minimum of one unit autoscaling would climb for hours."""
    table = sensors({"avg": 4815.0, "peak": 9630.0}, billing={"profile": [0] * 12 + [1] * 12})
    bounds = table.provisioned["table"]
    # 4,815 writes of one unit and as many reads of half a unit on average; 9,630 in twelve hours, at 70 per cent
    assert (bounds.min_wcu, bounds.min_rcu) == (4815, 2408)
    assert (bounds.max_wcu, bounds.max_rcu) == (2 * 13_758, 2 * 6879)
    assert "from the average" in table.why["provisioned"]


def test_the_quietest_hour_is_the_minimum_where_it_takes_more_than_the_average() -> None:
    table = sensors({"avg": 700.0, "peak": 770.0}, billing={"profile": [9] * 12 + [11] * 12})
    # 630 writes in the quietest hours, at 70 per cent
    assert table.provisioned["table"].min_wcu == 900


def test_no_more_than_a_table_may_have_without_asking() -> None:
    """40,000 units: twice the busiest hour only as far as that, and what is needed beyond is said to be asked for."""
    table = sensors({"avg": 21_000.0, "peak": 21_000.0}, billing=STEADY)
    assert (table.provisioned["table"].min_wcu, table.provisioned["table"].max_wcu) == (30_000, 40_000)
    assert "quota" not in table.why
    large = sensors({"avg": 63_000.0, "peak": 63_000.0}, billing=STEADY)
    assert (large.provisioned["table"].min_wcu, large.provisioned["table"].max_wcu) == (90_000, 90_000)
    assert large.why["quota"].split("; ask")[0] == (
        "45,000 read units a second provisioned in the busiest hour: more than the 40,000 of a table"
    )
    assert (
        "90,000 write units a second provisioned in the busiest hour:"
        " more than the 40,000 of a table and than the 80,000 of an account; ask for a higher quota first"
    ) in large.why["quota"]


def test_a_local_index_has_the_capacity_of_its_table() -> None:
    """What is generated has bounds for the table and for every global index, and for nothing else."""
    strong = {"kind": "query", "entity": "Reading", "by": ["sensor"], "limit": 10, "consistency": "strong", "rate": 7}
    lists = [{**strong, "id": "newest", "sort": "at desc"}, {**strong, "id": "highest", "sort": "value desc"}]
    change = {"id": "change", "kind": "write", "op": "update", "entity": "Reading", "by": ["sensor", "at"], "rate": 7}
    value = {**READING["attributes"], "value": {"type": "number", "required": True}}
    entity = {"attributes": value, "growth_per_month": 0}  # a collection that stays below 10 GB
    top = {"billing": STEADY, "constraints": {"lsis": True}}
    table = sensors({"avg": 693.0, "peak": 693.0}, *lists, change, entity=entity, **top)
    assert table.lsis
    assert {*table.provisioned} == {"table", *(each.name for each in table.gsis)}
    # 693 puts of one unit in the table and one in its local index, seven updates that move an entry: 1, and 2
    assert table.provisioned["table"].min_wcu == (693 * 2 + 7 * 3) * 10 / 7


def test_a_day_that_nobody_described_is_no_reason_to_provision() -> None:
    table = sensors({"avg": 700.0, "peak": 700.0})
    assert (table.billing_mode, table.provisioned) == ("PAY_PER_REQUEST", {})
    assert "if every day were the usual one that is assumed" in table.why["billing_mode"]


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
