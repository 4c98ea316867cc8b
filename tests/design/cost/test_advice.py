from __future__ import annotations

from tablewright.design.cost.breakeven import recommend
from tablewright.design.cost.modes import ModeCost


def mode(name, usd, table_class="standard", upfront=0.0):
    return ModeCost(
        mode=name,
        table_class=table_class,
        read_usd_per_month=0.0,
        write_usd_per_month=usd,
        storage_usd_per_month=0.0,
        other_usd_per_month=0.0,
        usd_per_month=usd,
        upfront_usd=upfront,
        utilisation=0.5 if name == "provisioned" else None,
    )


def test_provisioning_must_save_a_tenth():
    assert (
        recommend((mode("on-demand", 100.0), mode("provisioned", 91.0)), rates_are_said=True, day_is_said=True).mode
        == "on-demand"
    )
    found = recommend((mode("on-demand", 100.0), mode("provisioned", 89.0)), rates_are_said=True, day_is_said=True)
    assert found.mode == "provisioned"
    assert "saves 11%" in found.because


def test_assumed_rates_are_no_reason_to_provision():
    found = recommend(
        (mode("on-demand", 100.0), mode("provisioned", 10.0), mode("reserved-1-year", 5.0, upfront=1.0)),
        rates_are_said=False,
        day_is_said=True,
    )
    assert (found.mode, found.committed_mode) == ("on-demand", None)


def test_the_table_class_is_chosen_with_the_mode():
    modes = (mode("on-demand", 100.0), mode("on-demand", 60.0, "standard-ia"), mode("provisioned", 90.0))
    found = recommend(modes, rates_are_said=True, day_is_said=True)
    assert (found.mode, found.table_class, found.usd_per_month) == ("on-demand", "standard-ia", 60)


def test_a_commitment_is_shown_when_it_saves():
    modes = (mode("on-demand", 100.0), mode("provisioned", 95.0), mode("reserved-1-year", 50.0, upfront=300.0))
    found = recommend(modes, rates_are_said=True, day_is_said=True)
    assert (found.committed_mode, found.committed_usd_per_month, found.committed_upfront_usd) == (
        "reserved-1-year",
        50,
        300,
    )


def test_a_day_that_is_assumed_is_no_reason_to_provision_and_is_named_beside_the_saving():
    modes = (mode("on-demand", 100.0), mode("provisioned", 40.0), mode("reserved-1-year", 20.0, upfront=100.0))
    found = recommend(modes, rates_are_said=True, day_is_said=False)
    assert (found.mode, found.usd_per_month, found.day_is_assumed) == ("on-demand", 100, True)
    (saving,) = (each for each in found.because.split(";") if "$40.00" in each)
    assert "if every day were the usual one that is assumed" in saving


def test_ways_of_paying_without_prices_are_not_compared():
    found = recommend((mode("on-demand", 100.0),), rates_are_said=True, day_is_said=True)
    assert (found.mode, found.committed_mode) == ("on-demand", None)
    assert "its prices here are not known" in found.because
