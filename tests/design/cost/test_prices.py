from __future__ import annotations

import pytest

from tablewright.design.cost.prices import US_EAST_1, load_prices, prices_of
from tablewright.errors import DesignError
from tests.design.cost.shop import GET, PUT, shop


def test_keywords_override():
    found = load_prices(write_per_million=0.7, region="here")
    assert (found.write_per_million, found.region) == (0.7, "here")
    assert found.read_per_million == US_EAST_1.read_per_million


def test_a_file_overrides_and_keywords_win(tmp_path):
    file = tmp_path / "eu.yaml"
    file.write_text("region: eu-central-1\nread_per_million: 0.1525\nwrite_per_million: 0.7625\n")
    found = load_prices(file, write_per_million=1)
    assert (found.region, found.read_per_million, found.write_per_million) == ("eu-central-1", 0.1525, 1)


def test_json_is_read_as_well(tmp_path):
    file = tmp_path / "eu.json"
    file.write_text('{"storage_gb_month": 0.306}')
    assert load_prices(file).storage_gb_month == 0.306


def test_a_spec_names_its_price_file(tmp_path):
    file = tmp_path / "eu.yaml"
    file.write_text("region: eu-central-1\n")
    assert prices_of(shop(GET, PUT, billing={"prices": str(file)}).spec).region == "eu-central-1"
    assert prices_of(shop(GET, PUT).spec) is US_EAST_1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"write_per_milion": 1}, 'Did you mean "write_per_million"'),
        ({"write_per_million": "dear"}, "prices are numbers"),
        ({"write_per_million": -1}, "at least 0"),
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
