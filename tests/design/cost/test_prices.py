from __future__ import annotations

import pytest

from tablewright import tasks
from tablewright.design.cost.prices import US_EAST_1, load_prices, prices_of
from tablewright.errors import DesignError
from tablewright.spec.read import read_spec
from tests.design.cost.shop import GET, ORDER


def test_keywords_override():
    found = load_prices(write_per_million=0.7)
    assert (found.write_per_million, found.region, found.assumed) == (0.7, "us-east-1", ())
    assert found.read_per_million == US_EAST_1.read_per_million


def test_a_file_overrides_and_keywords_win(tmp_path):
    file = tmp_path / "eu.yaml"
    file.write_text("region: eu-central-1\nread_per_million: 0.15\nwrite_per_million: 0.75\n")
    found = load_prices(file, write_per_million=1)
    assert (found.region, found.read_per_million, found.write_per_million) == ("eu-central-1", 0.15, 1)
    # what the file leaves out is the price of its own region, not of another
    assert (found.storage_gb_month, found.wcu_hour, found.date) == (0.306, 0.000793, "undated")


def test_json_is_read_as_well(tmp_path):
    file = tmp_path / "us.json"
    file.write_text('{"region": "us-east-1", "storage_gb_month": 0.306}')
    assert load_prices(file).storage_gb_month == 0.306


def test_a_file_says_which_region_it_is_of(tmp_path):
    file = tmp_path / "eu.json"
    file.write_text('{"storage_gb_month": 0.306}')
    with pytest.raises(DesignError, match=r"eu\.json: say which region these prices are of"):
        load_prices(file)


def spec_in(region=None, prices=None):
    billing = {"billing": {"prices": str(prices)}} if prices else {}
    return read_spec({"entities": {"Order": ORDER}, "access_patterns": [GET], "region": region, **billing})


def test_a_spec_names_its_region_or_its_price_file(tmp_path):
    file = tmp_path / "eu.yaml"
    file.write_text("region: eu-central-1\n")
    assert prices_of(spec_in(prices=file)).region == "eu-central-1"
    assert prices_of(spec_in("eu-central-1", file)).region == "eu-central-1"
    assert prices_of(spec_in()) is prices_of(spec_in("us-east-1")) is US_EAST_1


def test_a_file_of_another_region_is_refused(tmp_path):
    file = tmp_path / "eu.yaml"
    file.write_text("region: eu-central-1\n")
    for region in ("eu-west-1", "us-east-1"):
        with pytest.raises(DesignError, match=f"runs in {region}, and .*eu.yaml has the prices of eu-central-1"):
            prices_of(spec_in(region, file))


@pytest.mark.parametrize(
    ("region", "write", "read", "storage", "recovery", "hour"),
    [
        ("us-east-2", 0.625, 0.125, 0.25, 0.20, 0.00065),
        ("eu-west-1", 0.705, 0.1415, 0.283, 0.22, 0.000735),
        ("eu-central-1", 0.7625, 0.1525, 0.306, 0.2448, 0.000793),
        ("ap-northeast-1", 0.715, 0.1425, 0.285, 0.228, 0.000742),
        ("ap-south-1", 0.71, 0.1425, 0.285, 0.228, 0.00074),
        ("ap-southeast-2", 0.71, 0.1425, 0.285, 0.228, 0.00074),
    ],
)
def test_the_table_of_regions(region, write, read, storage, recovery, hour):
    found = prices_of(spec_in(region))
    assert (found.region, found.write_per_million, found.read_per_million) == (region, write, read)
    assert (found.storage_gb_month, found.pitr_gb_month, found.wcu_hour) == (storage, recovery, hour)
    assert found.replicated_write_per_million == write
    assert not {"storage_gb_month", "pitr_gb_month", "wcu_hour"} & {*found.assumed}


def test_what_is_not_confirmed_is_taken_from_us_east_1_by_name():
    oregon, london, mumbai = (prices_of(spec_in(each)) for each in ("us-west-2", "eu-west-2", "ap-south-1"))
    assert (oregon.storage_gb_month, "storage_gb_month" in oregon.assumed) == (0.25, True)
    assert "pitr_gb_month" not in oregon.assumed
    assert (london.pitr_gb_month, "pitr_gb_month" in london.assumed) == (0.20, True)
    assert "storage_gb_month" not in london.assumed
    assert {"reserved_3_years_wcu_upfront", "reserved_3_years_rcu_hour"} <= {*mumbai.assumed}
    assert "reserved_1_year_wcu_upfront" not in mumbai.assumed


@pytest.mark.parametrize("region", ["sa-east-1", "ap-southeast-1", "ca-central-1", "mars-1"])
def test_a_region_without_known_prices_is_refused_with_how_to_give_them(region):
    with pytest.raises(DesignError) as refused:
        prices_of(spec_in(region))
    said = str(refused.value)
    assert f"the prices of {region} are not known (write_per_million, read_per_million)" in said
    assert '"billing: {prices: FILE}"' in said
    assert "--prices FILE" in said
    assert f"region: {region}" in said
    assert f"AmazonDynamoDB/current/{region}/index.json" in said
    assert "eu-central-1, eu-west-1" in said


def test_no_design_is_made_with_prices_of_another_region():
    spec = {"name": "orders", "entities": {"Order": ORDER}, "access_patterns": [GET], "region": "sa-east-1"}
    with pytest.raises(DesignError, match="the prices of sa-east-1 are not known"):
        tasks.design(spec)
    made = tasks.design({**spec, "region": "eu-west-2"}, quick=True)
    # 100 reads a second of half a unit
    assert made.cost.read_usd_per_month == pytest.approx(50 * 2.628 * 0.1487)


def test_a_file_makes_up_for_it_and_the_rest_is_assumed_by_name(tmp_path):
    file = tmp_path / "sa.yaml"
    file.write_text("region: sa-east-1\nwrite_per_million: 0.94\nread_per_million: 0.19\n")
    found = prices_of(spec_in("sa-east-1", file))
    # hours are in the table, storage is not
    assert (found.write_per_million, found.wcu_hour, found.storage_gb_month) == (0.94, 0.000975, 0.25)
    assert "storage_gb_month" in found.assumed
    assert "wcu_hour" not in found.assumed
    file.write_text("region: sa-east-1\nwrite_per_million: 0.94\n")
    with pytest.raises(DesignError, match=r"sa-east-1 are not known \(read_per_million\)"):
        prices_of(spec_in("sa-east-1", file))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"region": "us-east-1", "write_per_milion": 1}, 'Did you mean "write_per_million"'),
        ({"region": "us-east-1", "write_per_million": "dear"}, "prices are numbers"),
        ({"region": "us-east-1", "write_per_million": -1}, "at least 0"),
        ({"region": "us-east-1", "assumed": ["wcu_hour"]}, 'there is no price "assumed"'),
    ],
)
def test_faults_name_the_field(given, words):
    with pytest.raises(DesignError, match=words):
        load_prices(given)


def test_a_file_that_is_no_table(tmp_path):
    file = tmp_path / "eu.yaml"
    file.write_text("- 1\n")
    with pytest.raises(DesignError, match="holds fields"):
        load_prices(file)


@pytest.mark.parametrize("price", [float("nan"), float("inf"), 10**400, 10**5000, 1e10], ids=range(5))
def test_a_price_that_nobody_pays_is_refused(price):
    with pytest.raises(
        DesignError, match=r"prices: write_per_million is .+; a price is at least 0 and at most 1,000,000,000"
    ):
        load_prices(write_per_million=price)
