"""Tables with replicas: what every region pays, by hand, and what the search makes of it."""

from __future__ import annotations

import msgspec
import pytest

from tablewright import tasks
from tablewright.design.cost.prices import US_EAST_1, combine_prices, load_region_prices, price_text, prices_of
from tablewright.design.cost.report import table_cost
from tablewright.design.read import design_data, read_design
from tablewright.errors import DesignError
from tablewright.spec.read import read_spec
from tests.design.cost.shop import GET, OF_CUSTOMER, ORDER, PAY, PUT, shop

BOTH = ["us-east-1", "eu-west-1"]


def spec_in(*regions, **top):
    return read_spec({"entities": {"Order": ORDER}, "access_patterns": [GET], "regions": list(regions), **top})


# ---- prices ---------------------------------------------------------------------------------------------------------


def test_writes_and_storage_are_paid_everywhere_and_reads_where_they_are_asked():
    both = prices_of(spec_in(*BOTH))
    assert both.region == "us-east-1 + eu-west-1"
    assert both.date == US_EAST_1.date
    assert both.write_per_million == pytest.approx(0.625 + 0.705)
    assert both.storage_gb_month == pytest.approx(0.25 + 0.283)
    assert both.pitr_gb_month == pytest.approx(0.20 + 0.22)
    assert both.wcu_hour == pytest.approx(0.00065 + 0.000735)
    assert both.read_per_million == pytest.approx((0.125 + 0.1415) / 2)
    assert both.rcu_hour == pytest.approx((0.00013 + 0.000147) / 2)
    assert both.restore_gb == US_EAST_1.restore_gb  # a restore is made at home
    assert [each.region for each in both.parts] == BOTH
    assert price_text(both, "storage_gb_month") == "$0.533 ($0.25 in us-east-1 + $0.283 in eu-west-1)"


def test_one_region_in_a_list_is_a_region():
    assert prices_of(spec_in("eu-west-1")) == prices_of(read_spec({**_plain(), "region": "eu-west-1"}))
    assert prices_of(spec_in("us-east-1")) is US_EAST_1
    assert not spec_in("eu-west-1").is_global


def _plain():
    return {"entities": {"Order": ORDER}, "access_patterns": [GET]}


def test_what_is_assumed_of_any_region_is_told_of_that_one():
    found = tasks.design({"name": "orders", **_plain(), "regions": ["us-east-1", "us-west-2"]}, quick=True)
    said = {each.place: each.taken for each in found.cost.assumptions}
    assert said["billing.prices.storage_gb_month"] == "0.25, as in us-east-1: that of us-west-2 is not known"
    assert "billing.prices.backup_gb_month" not in said  # backups are made at home
    assert said["regions"] == "each region asks for the same share of the reads"
    assert "billing.transfer" in said
    assert "region" not in said


def test_a_region_without_prices_needs_a_file_which_may_have_several(tmp_path):
    with pytest.raises(DesignError, match=r"the prices of sa-east-1 are not known .* under regions: \{sa-east-1"):
        prices_of(spec_in("us-east-1", "sa-east-1"))
    file = tmp_path / "prices.yaml"
    file.write_text(
        "date: 2026-11\nregions:\n"
        "  sa-east-1: {write_per_million: 0.94, read_per_million: 0.19}\n"
        "  us-east-1: {storage_gb_month: 0.2}\n"
    )
    found = prices_of(spec_in("us-east-1", "sa-east-1", "eu-west-1", billing={"prices": str(file)}))
    assert found.write_per_million == pytest.approx(0.625 + 0.94 + 0.705)
    assert found.storage_gb_month == pytest.approx(0.2 + 0.25 + 0.283)
    assert "storage_gb_month" in found.assumed
    assert [each.date for each in found.regions] == ["2026-11", "2026-11", "2026-11"]


def test_a_file_of_one_region_is_that_of_a_replica(tmp_path):
    file = tmp_path / "sa.yaml"
    file.write_text("region: sa-east-1\nwrite_per_million: 0.94\nread_per_million: 0.19\n")
    found = prices_of(spec_in("us-east-1", "sa-east-1", billing={"prices": str(file)}))
    assert found.write_per_million == pytest.approx(0.625 + 0.94)
    with pytest.raises(
        DesignError, match=r"runs in us-east-1 and eu-west-1, and .*sa\.yaml has the prices of sa-east-1"
    ):
        prices_of(spec_in(*BOTH, billing={"prices": str(file)}))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"regions": ["eu-west-1"]}, "a file of several regions has a date and regions alone"),
        ({"regions": {}}, "a file of several regions has a date and regions alone"),
        (
            {"regions": {"eu-west-1": {}}, "write_per_million": 1},
            "a file of several regions has a date and regions alone",
        ),
        ({"regions": {"eu-west-1": 5}}, r"regions\.eu-west-1: a price file holds fields"),
        ({"regions": {"eu-west-1": {"write": 5}}}, r'regions\.eu-west-1: there is no price "write"'),
        ({"regions": {"eu-west-1": {"region": "eu-west-2"}}}, r"regions\.eu-west-1: .*leave `region` out"),
        ({"regions": {"mars-north-1": {}}}, r"regions\.mars-north-1: the prices of mars-north-1 are not known"),
    ],
)
def test_faults_of_a_file_name_the_region(given, words):
    with pytest.raises(DesignError, match=words):
        load_region_prices(given)


def test_of_several_regions_in_a_file_a_spec_says_which(tmp_path):
    file = tmp_path / "prices.yaml"
    file.write_text("regions: {eu-west-1: {}, eu-central-1: {}}")
    with pytest.raises(DesignError, match=r"has the prices of eu-west-1 and eu-central-1; say which"):
        prices_of(spec_in(billing={"prices": str(file)}))
    assert prices_of(spec_in("eu-central-1", billing={"prices": str(file)})).region == "eu-central-1"


def test_a_replicated_write_has_no_price_of_its_own():
    dear = msgspec.structs.replace(US_EAST_1, replicated_write_per_million=1.0)
    assert combine_prices([dear]) is dear
    with pytest.raises(DesignError, match=r"replicated_write_per_million is 1 and write_per_million 0\.625; .* leave"):
        combine_prices([dear, US_EAST_1])


# ---- the bill -------------------------------------------------------------------------------------------------------


def test_the_bill_of_two_regions_by_hand():
    layout = shop(GET, OF_CUSTOMER, PUT, PAY, regions=BOTH)
    alone = {region: table_cost(shop(GET, OF_CUSTOMER, PUT, PAY, region=region), foresee=False) for region in BOTH}
    both = table_cost(layout, foresee=False)
    assert [each.region for each in both.regions] == BOTH
    for each in both.regions:
        own = alone[each.region]
        assert each.write_usd_per_month == pytest.approx(own.write_usd_per_month)
        assert each.storage_usd_per_month == pytest.approx(own.storage_usd_per_month)
        assert each.pitr_usd_per_month == pytest.approx(own.pitr_usd_per_month)
        assert each.read_usd_per_month == pytest.approx(own.read_usd_per_month / 2)
    assert sum(each.usd_per_month for each in both.regions) == pytest.approx(both.usd_per_month)
    assert both.expiry_usd_per_month == 0


def test_a_bill_of_one_region_has_no_split():
    found = table_cost(shop(GET, PUT), foresee=False)
    assert found.regions == ()
    assert found.prices.regions == ()


def test_deletes_by_ttl_are_replicated_writes_elsewhere():
    expiring = {"ttl": {"days": 28.416666666666668}, "size_bytes": 1500}  # with two days more: a month of 730 hours
    layout = shop(GET, PUT, order=expiring, regions=BOTH)
    found = table_cost(layout, foresee=False)
    # a million items a month, of two units each, free in one of two regions
    assert found.expiry_usd_per_month == pytest.approx(2 * (0.625 + 0.705) / 2, rel=1e-6)
    assert sum(each.usd_per_month for each in found.regions) == pytest.approx(found.usd_per_month)
    assert any("expiry in other regions" in line for line in found.explained)
    assert table_cost(shop(GET, PUT, order=expiring), foresee=False).expiry_usd_per_month == 0


def test_a_lifetime_that_is_not_said_is_not_priced_and_told():
    order = {"attributes": {**ORDER["attributes"], "goneAt": "number"}, "ttl": {"attribute": "goneAt"}}
    found = table_cost(shop(GET, PUT, order=order, regions=BOTH), foresee=False)
    assert found.expiry_usd_per_month == 0
    assert (
        "deletes by TTL of Order are not counted"
        in {each.place: each.taken for each in found.assumptions}["billing.expiry"]
    )


def test_nothing_is_reserved_for_replicated_writes():
    found = table_cost(shop(GET, PUT, regions=["us-east-1", "us-east-2"]), foresee=False)
    assert {each.mode for each in found.modes} == {"on-demand", "provisioned"}
    assert not [each for each in found.break_evens if "reserved" in each.cheaper]
    assert found.recommended.committed_mode is None


def test_changes_are_read_at_home():
    layout = shop(GET, PUT, regions=BOTH, billing={"streams": "application"})
    alone = shop(GET, PUT, region="us-east-1", billing={"streams": "application"})
    found = table_cost(layout, foresee=False)
    assert found.streams_usd_per_month == table_cost(alone, foresee=False).streams_usd_per_month > 0
    assert [each.streams_usd_per_month for each in found.regions] == [found.streams_usd_per_month, 0]


# ---- designs --------------------------------------------------------------------------------------------------------

OF_SHOP = {"id": "of-shop", "kind": "query", "entity": "Order", "by": ["customerId", "shop"], "rate": 20}
IN_SHOPS = {"type": "string", "cardinality": 8, "required": True, "immutable": True}


def test_the_search_weighs_what_the_bill_shows():
    """An index is kept in every region and a filter is paid in one: the more regions, the dearer the index."""
    order = {"attributes": {**ORDER["attributes"], "shop": IN_SHOPS}}
    regions = ["us-east-1", "us-east-2", "us-west-2"]
    alone, all_three = (
        shop(GET, OF_CUSTOMER, OF_SHOP, PUT, PAY, order=order, regions=each) for each in (regions[:1], regions)
    )
    assert (alone.gsis, all_three.gsis) == (2, 1)
    prices = prices_of(all_three.spec)
    assert _usd(all_three, prices) < _usd(alone, prices)
    assert _usd(alone, US_EAST_1) < _usd(all_three, US_EAST_1)


def _usd(layout, prices):
    return table_cost(layout, prices=prices, foresee=False).usd_per_month


def test_a_design_with_replicas_is_read_back_with_its_regions():
    made = tasks.design({"name": "shop", **_plain(), "regions": BOTH}, quick=True)
    assert made.tables[0].stream == "NEW_AND_OLD_IMAGES"
    assert "replicates" in made.tables[0].why["stream"]
    again = read_design(design_data(made))
    assert again == made
    assert tasks.cost(again).regions == made.cost.regions


@pytest.mark.parametrize("regions", [[], BOTH[:1], ["us-east-1", 'x"${evil}']])
def test_a_design_whose_regions_are_not_those_of_its_spec_is_refused(regions):
    data = design_data(tasks.design({"name": "shop", **_plain(), "regions": BOTH}, quick=True))
    split = data["cost"]["regions"]
    data["cost"]["regions"] = [{**each, "region": name} for each, name in zip(split, regions, strict=False)]
    with pytest.raises(DesignError, match=r"cost\.regions: are not those of the spec \(us-east-1, eu-west-1\)"):
        read_design(data)


def test_tables_are_added_up_by_region():
    user = {"id": "userId", "attributes": {"name": "string"}, "count": 1000}
    get = {"id": "user", "kind": "get", "entity": "User", "by": "userId", "rate": 10}
    given = {"name": "shop", "entities": {"Order": ORDER, "User": user}, "access_patterns": [GET, PUT, get]}
    made = tasks.design({**given, "regions": BOTH}, tables="several", quick=True)
    assert len(made.tables) == 2
    assert [each.region for each in made.cost.regions] == BOTH
    assert sum(each.usd_per_month for each in made.cost.regions) == pytest.approx(made.cost.usd_per_month)
    assert all(each.stream == "NEW_AND_OLD_IMAGES" for each in made.tables)
