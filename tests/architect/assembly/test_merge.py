"""Several tables as one design: everything of each, sums of all, and places that cannot be mistaken."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.codegen.infrastructure.resources import infrastructure_of
from tablewright.design.model import Design
from tablewright.design.read import design_json
from tablewright.design.reports import cost_report, heat_report
from tablewright.errors import DesignError
from tablewright.report.document import document
from tablewright.report.explanation import explain_subject
from tablewright.report.markdown import markdown
from tablewright.schema.load import load
from tests.architect.test_tables import SHOP, shop_with

ARCHIVE = shop_with(count=60_000_000, size_bytes=5_000)
CHILDREN = {
    "id": "receive",
    "kind": "write",
    "op": "transact",
    "entities": ["Order", "Receipt"],
    "by": ["orderId", "customerId"],
    "rate": 1,
}


def with_patterns(*patterns: dict[str, Any]) -> dict[str, Any]:
    return {**SHOP, "access_patterns": [*SHOP["access_patterns"], *patterns]}


@pytest.fixture(scope="module")
def archive() -> Design:
    return design(ARCHIVE, tables="any")


def test_any_takes_what_is_clearly_better_and_says_by_how_much(archive: Design) -> None:
    note = archive.advice.tables
    assert [each.name for each in archive.tables] == ["shop-Customer", "shop-Receipt"]
    assert note is not None
    assert note.recommended == "several"
    saved = note.single_usd_per_month - note.several_usd_per_month
    assert f"Several save ${saved:,.2f} a month" in note.why or f"Several save {saved:,.2f} USD a month" in note.why


def test_every_table_has_its_own_class(archive: Design) -> None:
    assert [each.table_class for each in archive.tables] == ["STANDARD", "STANDARD_INFREQUENT_ACCESS"]
    assert archive.cost.recommended.because.count("a month") == len(archive.tables)


def test_one_table_says_that_several_would_be_better() -> None:
    note = design(ARCHIVE).advice.tables
    assert note is not None
    assert note.recommended == "several"
    assert note.several_usd_per_month < note.single_usd_per_month


def test_any_stays_with_one_where_several_save_nothing() -> None:
    made = design(SHOP, tables="any")
    assert len(made.tables) == 1
    assert made.advice.tables is not None
    assert made.advice.tables.recommended == "single"


def test_the_bill_is_the_sum_of_the_tables() -> None:
    """The same keys in the same class: requests do not care which table they go to."""
    one, many = design(SHOP), design(SHOP, tables="several")
    assert many.cost.usd_per_month == pytest.approx(one.cost.usd_per_month, rel=1e-6)
    assert [each.pattern for each in many.cost.patterns] == [each.pattern for each in one.cost.patterns]
    assert sum(each.usd_per_month for each in many.cost.places) == pytest.approx(
        many.cost.usd_per_month - many.cost.pitr_usd_per_month
    )


def test_places_are_called_after_their_tables(archive: Design) -> None:
    places = {"shop-Customer", "shop-Receipt"}
    assert {each.place for each in archive.cost.places} == places
    assert {each.place for each in archive.heat.peaks} == places
    assert explain_subject(archive, "shop-Receipt").place_cost is not None
    assert explain_subject(archive, "shop-Receipt").patterns[0].id == "receipts"


def test_a_write_over_tables_is_one_transaction_with_all_children() -> None:
    one, many = design(with_patterns(CHILDREN)), design(with_patterns(CHILDREN), tables="several")
    before, after = (next(each for each in made.patterns if each.id == "receive") for made in (one, many))
    assert [each.table for each in after.writes] == ["shop-Customer", "shop-Receipt"]
    assert after.transaction
    assert after.parameters == before.parameters
    assert after.predicted == before.predicted  # two receipts an order, all of it twice
    assert after.predicted.wcu == 6.0


def test_warm_throughput_is_that_of_its_own_table() -> None:
    busy = {"id": "busy", "kind": "query", "entity": "Receipt", "by": ["orderId"], "rate": {"avg": 1, "peak": 60_000}}
    made = design(with_patterns(busy), tables="several")
    by_request = tuple(msgspec.structs.replace(each, billing_mode="PAY_PER_REQUEST") for each in made.tables)
    tables = infrastructure_of(msgspec.structs.replace(made, tables=by_request)).tables
    warm = [any(place.warm is not None for place in (each, *each.gsis)) for each in tables]
    assert warm == [False, True]


def test_relationships_over_tables_name_the_other_table(archive: Design) -> None:
    note = next(each for each in archive.advice.relationships if each.relationship == "Order -> Receipt")
    assert "which is in shop-Customer" in note.held
    assert "in shop-Receipt" in note.on_delete


def test_documents_show_every_table(archive: Design) -> None:
    text = markdown(document(archive))
    assert "shop-Customer" in text
    assert "shop-Receipt" in text


def test_the_runtime_gets_one_service_of_several_tables(archive: Design) -> None:
    service = load(archive.service)
    assert {name: each.table for name, each in service.entities.items()} == {
        "Customer": "shop-Customer",
        "Order": "shop-Customer",
        "Receipt": "shop-Receipt",
    }


def test_reports_at_another_traffic_have_all_tables(archive: Design) -> None:
    ten = cost_report(archive, traffic=10.0)
    assert ten.read_usd_per_month == pytest.approx(10 * archive.cost.read_usd_per_month)
    assert {each.place for each in heat_report(archive, traffic=10.0).peaks} == {"shop-Customer", "shop-Receipt"}


def test_two_runs_give_the_same_bytes(archive: Design) -> None:
    assert design_json(design(ARCHIVE, tables="any")) == design_json(archive)


def test_explanations_cover_all_tables() -> None:
    made = design(SHOP, tables="several", explain=True)
    assert {each.subject for each in made.advice.decisions} >= {"Customer", "Order", "Receipt"}
    assert made.advice.alternatives[0].chosen
    assert made.advice.alternatives[0].tables == len(made.tables)


# ---- keeping --------------------------------------------------------------------------------------------------------


def test_kept_tables_keep_their_keys() -> None:
    earlier = design(SHOP, tables="several")
    by_total = {"id": "by-total", "kind": "query", "entity": "Order", "by": ["total"], "rate": 5}
    made = design(with_patterns(by_total), keep=earlier)
    assert [each.name for each in made.tables] == [each.name for each in earlier.tables]
    assert made.change is not None
    assert made.change.added == ("Order in gsi1",)
    assert made.change.moved == ()
    assert made.change.steps[0].startswith("create shop-Customer/gsi1")


def test_a_read_over_kept_tables_is_refused() -> None:
    join = {"id": "join", "kind": "query", "entities": ["Order", "Receipt"], "by": ["orderId"]}
    with pytest.raises(DesignError, match=r"the design to keep has in 2 tables \(shop-Customer, shop-Receipt\)"):
        design(with_patterns(join), keep=design(SHOP, tables="several"))


def test_one_table_is_not_parted_while_it_is_kept() -> None:
    with pytest.raises(DesignError, match="the design to keep has one table"):
        design(SHOP, keep=design(SHOP), tables="several")
