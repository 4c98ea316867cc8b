"""Prices of a region, from a dated table that a file can override. USD; a month has 730 hours, a GB has 2^30 bytes.

What a file leaves out is the table's price of that region. A price that neither knows for the region is that of
us-east-1, and is named in `assumed`; without the two prices of request units nothing is priced.

Tables with replicas have one value too, so that all who price need not know of regions: a write or a GB costs what it
costs in all of them together (`IN_EVERY_REGION`), a read what it costs on average (`IN_ONE_REGION`), and what is done
at home what it costs there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.design.cost.regions import DATE, REGIONS
from tablewright.design.wording import concat
from tablewright.errors import DesignError
from tablewright.schema.form.kinds import quoted
from tablewright.schema.places import nearest
from tablewright.wire import limits

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.spec.model import Spec

GB = limits.GB
HOURS_PER_MONTH = 730
HOURS_PER_YEAR = 8760
SECONDS_PER_MONTH = HOURS_PER_MONTH * 3600
MOST_PRICE = 1_000_000_000
RESERVED_BLOCK = 100
"""Reserved capacity is bought in blocks of so many units."""


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """What AWS charges in one region, or for one table with replicas in several."""

    region: str = "us-east-1"
    date: str = DATE
    # on demand, for a million request units
    write_per_million: float = 0.625
    read_per_million: float = 0.125
    ia_write_per_million: float = 0.78
    ia_read_per_million: float = 0.155
    replicated_write_per_million: float = 0.625
    ia_replicated_write_per_million: float = 0.78
    # provisioned, for a unit and an hour
    wcu_hour: float = 0.00065
    rcu_hour: float = 0.00013
    ia_wcu_hour: float = 0.00081
    ia_rcu_hour: float = 0.00016
    # reserved, for a block of 100 units of Standard: once, and for every hour
    reserved_1_year_wcu_upfront: float = 150.0
    reserved_1_year_wcu_hour: float = 0.0128
    reserved_1_year_rcu_upfront: float = 30.0
    reserved_1_year_rcu_hour: float = 0.0025
    reserved_3_years_wcu_upfront: float = 180.0
    reserved_3_years_wcu_hour: float = 0.0081
    reserved_3_years_rcu_upfront: float = 36.0
    reserved_3_years_rcu_hour: float = 0.0016
    # storage and copies of it, for a GB
    storage_gb_month: float = 0.25
    ia_storage_gb_month: float = 0.10
    free_storage_gb: float = 25.0  # Standard, for a whole account
    pitr_gb_month: float = 0.20
    backup_gb_month: float = 0.10
    restore_gb: float = 0.15
    export_gb: float = 0.10
    import_gb: float = 0.15
    # change capture
    stream_reads_per_100_000: float = 0.02
    free_stream_reads: float = 2_500_000.0
    kinesis_per_million: float = 0.10
    # cache
    dax_node: str = "r5.large"
    dax_node_hour: float = 0.255
    # not confirmed for the region: the figures of us-east-1
    assumed: tuple[str, ...] = ()
    # of which these are put together, home first; empty where there is one region
    regions: tuple[Prices, ...] = ()

    @property
    def parts(self) -> tuple[Prices, ...]:
        """Those of every region."""
        return self.regions or (self,)


US_EAST_1 = Prices()
NEEDED = ("write_per_million", "read_per_million")
OF_AN_ACCOUNT = ("free_storage_gb", "free_stream_reads")
"""What every account has free, wherever it is: no price of a region."""
PRICED = tuple(
    each.name for each in msgspec.structs.fields(Prices) if each.type is float and each.name not in OF_AN_ACCOUNT
)
FIELDS = tuple(each for each in Prices.__struct_fields__ if each not in ("assumed", "regions"))
REPLICATED_WRITES = {
    "replicated_write_per_million": "write_per_million",
    "ia_replicated_write_per_million": "ia_write_per_million",
}
"""A replicated write unit costs what a plain one costs in its region, in both table classes."""
IN_EVERY_REGION = (
    *REPLICATED_WRITES.keys(),
    *REPLICATED_WRITES.values(),
    *("wcu_hour", "ia_wcu_hour", "storage_gb_month", "ia_storage_gb_month", "pitr_gb_month", "dax_node_hour"),
)
IN_ONE_REGION = ("read_per_million", "ia_read_per_million", "rcu_hour", "ia_rcu_hour")
OFFER = "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonDynamoDB/current/{region}/index.json"


def load_prices(file: str | Path | Mapping[str, Any] | None = None, /, **overrides: Any) -> Prices:
    """The table of a region with what a file and then keywords put in its place; without a file, of us-east-1."""
    where = _name_of(file)
    given: dict[str, Any] = {} if file is None else {"date": "undated", **_price_fields(file)}
    _check_fields({**given, **overrides}, where)
    if file is not None and not given.get("region"):
        raise DesignError(f"{where}: say which region these prices are of, such as region: eu-central-1")
    return _priced({**given, **overrides}, where)


def load_region_prices(file: str | Path | Mapping[str, Any]) -> dict[str, Prices]:
    """By region: a file has the prices of one, or under `regions` those of several."""
    given, where = _price_fields(file), _name_of(file)
    if "regions" not in given:
        found = load_prices(file)
        return {found.region: found}
    several = given["regions"]
    if not isinstance(several, Mapping) or not several or set(given) - {"regions", "date"}:
        raise DesignError(
            f"{where}: a file of several regions has a date and regions alone, with fields such as"
            " eu-west-1: {write_per_million: 0.705} there"
        )
    date = {"date": given["date"]} if "date" in given else {}
    return {
        str(name): _one_of_several(str(name), fields, date, f"{where}: regions.{name}")
        for name, fields in cast("Mapping[str, Any]", several).items()
    }


def _one_of_several(region: str, fields: Any, date: Mapping[str, Any], where: str) -> Prices:
    said = {"date": "undated", **date, "region": region, **_mapping_of(fields, where)}
    _check_fields(said, where)
    if said["region"] != region:
        raise DesignError(f"{where}: these are said to be of {said['region']} as well; leave `region` out")
    return _priced(said, where)


def prices_of(spec: Spec) -> Prices:
    """Those of the spec's region or regions: from the file it names, else from the table."""
    file = spec.billing.prices
    given = {} if file is None else load_region_prices(file)
    if len(given) > 1 and spec.region is None and not spec.regions:
        raise DesignError(
            f"region: {file} has the prices of {concat(given)}; say which of them with `region`, or list them in"
            " `regions`"
        )
    wanted = spec.regions or ((spec.region or next(iter(given), US_EAST_1.region)),)
    if given and not {*wanted} & {*given}:
        raise DesignError(
            f"region: the spec runs in {concat(wanted)}, and {file} has the prices of {concat(given)};"
            " name the file of that region, or change `region`"
        )
    return combine_prices([given.get(name) or _region_prices(name) for name in wanted])


def combine_prices(parts: Sequence[Prices]) -> Prices:
    """One value for a table with a replica in each of these regions, the first of which is home."""
    home, *others = parts
    if not others:
        return home
    for each in parts:
        _check_replicated(each)
    sums = {name: sum(getattr(each, name) for each in parts) for name in IN_EVERY_REGION}
    means = {name: sum(getattr(each, name) for each in parts) / len(parts) for name in IN_ONE_REGION}
    return msgspec.structs.replace(
        home,
        region=" + ".join(each.region for each in parts),
        date=" and ".join(dict.fromkeys(each.date for each in parts)),
        assumed=tuple(name for name in PRICED if any(name in each.assumed for each in parts)),
        regions=tuple(parts),
        **sums,
        **means,
    )


def _check_replicated(prices: Prices) -> None:
    """Entries of indexes take plain units in every replica, items replicated ones: a write has one price for both."""
    for replicated, plain in REPLICATED_WRITES.items():
        if getattr(prices, replicated) != getattr(prices, plain):
            raise DesignError(
                f"prices of {prices.region}: {replicated} is {getattr(prices, replicated):g} and {plain}"
                f" {getattr(prices, plain):g}; AWS charges the same for both: leave {replicated} out"
            )


def price_text(prices: Prices, name: str) -> str:
    """A price as it stands in a sum, with where it is from if that is another region."""
    if prices.regions and name in IN_EVERY_REGION:
        each = " + ".join(f"{price_text(part, name)} in {part.region}" for part in prices.regions)
        return f"${getattr(prices, name):g} ({each})"
    return f"${getattr(prices, name):g}" + (f" (the price of {US_EAST_1.region})" if name in prices.assumed else "")


def _region_prices(region: str) -> Prices:
    return US_EAST_1 if region == US_EAST_1.region else _priced({"region": region}, "region")


def _price_fields(file: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    from tablewright.spec.read import open_source

    return _mapping_of(open_source(file).content, str(file))


def _mapping_of(content: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(content, Mapping):
        raise DesignError(f"{where}: a price file holds fields such as write_per_million: 0.625")
    return cast("Mapping[str, Any]", content)


def _name_of(file: str | Path | Mapping[str, Any] | None) -> str:
    return "prices" if file is None or isinstance(file, Mapping) else str(file)


def _check_fields(given: Mapping[str, Any], where: str) -> None:
    for name, value in given.items():
        if name not in FIELDS:
            raise DesignError(
                f'{where}: there is no price "{name}".{nearest(name, FIELDS)} See tablewright.design.cost.prices'
            )
        if isinstance(value, int | float) and not 0 <= value <= MOST_PRICE:
            raise DesignError(f"{where}: {name} is {quoted(value)}; a price is at least 0 and at most {MOST_PRICE:,}")


def _priced(given: Mapping[str, Any], where: str) -> Prices:
    try:
        return msgspec.convert(_completed(given, where), Prices)
    except msgspec.ValidationError as error:
        raise DesignError(f"{where}: {error}; prices are numbers in USD") from None


def _completed(given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """With the table's prices of the region; what is left is taken from us-east-1, by name."""
    region = str(given.get("region", US_EAST_1.region))
    if region == US_EAST_1.region:
        return {**msgspec.structs.asdict(US_EAST_1), **_with_replicated(given)}
    known = _with_replicated({**REGIONS.get(region, {}), **given})
    missing = [name for name in NEEDED if name not in known]
    if missing:
        raise DesignError(f"{where}: {_how_to_give(region, missing)}")
    return {**known, "assumed": tuple(name for name in PRICED if name not in known)}


def _with_replicated(known: Mapping[str, Any]) -> dict[str, Any]:
    """With the prices of replicated writes, where nothing else is said."""
    return {**{name: known[plain] for name, plain in REPLICATED_WRITES.items() if plain in known}, **known}


def _how_to_give(region: str, missing: Iterable[str]) -> str:
    priced = sorted([US_EAST_1.region, *(name for name, known in REGIONS.items() if {*NEEDED} <= {*known})])
    return (
        f"the prices of {region} are not known ({', '.join(missing)}); known are those of {', '.join(priced)}."
        f' Give a file, by "billing: {{prices: FILE}}" in the spec or by --prices FILE, with region: {region}, with'
        f" {' and '.join(NEEDED)} (USD for a million request units), and with what else you know; a file of several"
        f" has the fields of each under regions: {{{region}: ...}}."
        f" AWS publishes them at {OFFER.format(region=region)}"
    )
