"""Measures both key styles on the examples and published applications; `python -m benchmarks keys`.

Each spec is designed twice, and nothing but the style of its keys is asked for. Bills are those of the designs. How
well a key is read is measured by what it takes to say the same: the bytes of the table's key in every type's sample
item, and how many of them are values.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.report import table
from tablewright.architect.designer import design
from tablewright.design.encoding import key_text
from tablewright.design.values.templates import SHARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, ItemType

ROOT = Path(__file__).parents[1]
SPECS = [
    *sorted((ROOT / "examples" / "specs").glob("*.yaml")),
    *sorted((ROOT / "tests" / "architect" / "cases").glob("*.yaml")),
]
HEADER = ("application", "electrodb", "plain", "less", "GSIs", "key bytes", "of them values")


def main() -> str:
    """The table; a bill that nobody gave rates for is none."""
    rows = [_row(path.stem, design(path, key_style="electrodb"), design(path, key_style="plain")) for path in SPECS]
    return table("Key styles: bills a month, and the table's keys in sample items (electrodb / plain)", HEADER, rows)


def _row(name: str, electro: Design, plain: Design) -> tuple[str, ...]:
    before, after = electro.cost.usd_per_month, plain.cost.usd_per_month
    keys = [[*_key_bytes(each)] for each in (electro, plain)]
    whole = [sum(each for each, _ in one) / len(one) for one in keys]
    values = [sum(each for _, each in one) / sum(each for each, _ in one) for one in keys]
    return (
        name,
        f"${before:,.2f}",
        f"${after:,.2f}",
        f"{1 - after / before:.1%}" if before else "-",
        f"{_gsis(electro)} / {_gsis(plain)}",
        f"{whole[0]:.0f} / {whole[1]:.0f}",
        f"{values[0]:.0%} / {values[1]:.0%}",
    )


def _gsis(made: Design) -> int:
    return sum(len(each.gsis) for each in made.tables)


def _key_bytes(made: Design) -> Iterator[tuple[int, int]]:
    """By item type: the bytes of its sample's table key, and those of the values in it."""
    for item in made.items:
        if item.sample and item.keys:
            fields = [each.field for each in (*item.table_keys.pk, *item.table_keys.sk)]
            whole = sum(len(str(item.sample.get(field, "")).encode()) for field in fields)
            yield whole, _value_bytes(made, item)


def _value_bytes(made: Design, item: ItemType) -> int:
    names = [name for each in (*item.table_keys.pk, *item.table_keys.sk) for name in each.template.names]
    known = [item.sample[name] for name in names if name != SHARD and name in item.sample]
    return sum(len(key_text(each, made.key_style).encode()) for each in known)
