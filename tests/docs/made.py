"""Markdown made from the program itself, which pages take their tables from: fields of specs, commands and options."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.cli.main import build_parser
from tablewright.codegen.targets import TARGETS
from tablewright.design.cost.prices import FIELDS, US_EAST_1
from tablewright.design.cost.regions import REGIONS
from tablewright.schema.form.kinds import REQUIRED
from tablewright.spec.fields import (
    ATTRIBUTE,
    BILLING,
    CONSTRAINTS,
    ENTITY,
    EXPIRY,
    OVERLAPS,
    PATTERN,
    RANGE,
    RATE,
    RELATIONSHIP,
    VALIDATION,
)
from tablewright.spec.kinds import ENTITY_WRITE, SKEW, SORT
from tablewright.spec.model import REWRITES
from tablewright.spec.read import TOP_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from tablewright.schema.form.kinds import Record

Command: TypeAlias = tuple[argparse.ArgumentParser, str]

MOST_WORDS = 10
"""More are told on the page itself, with their other words."""
RECORDS: dict[str, Record] = {
    "Entities": ENTITY,
    "Attributes": ATTRIBUTE,
    "Rules of values": VALIDATION,
    "Expiry": EXPIRY,
    "Relationships": RELATIONSHIP,
    "Access patterns": PATTERN,
    "Transactions": ENTITY_WRITE,
    "Ranges": RANGE,
    "What overlaps": OVERLAPS,
    "Sorting": SORT,
    "Rates": RATE,
    "Skew": SKEW,
    "Constraints": CONSTRAINTS,
    "Billing": BILLING,
}


def write_made(folder: Path) -> None:
    for name, text in MADE.items():
        (folder / name).write_text(text())


def table(header: str, rows: Iterable[tuple[str, ...]]) -> str:
    names = header.split(", ")
    lines = [names, ["---"] * len(names), *rows]
    return "".join(f"| {' | '.join(line)} |\n".replace("|  |", "| |") for line in lines)


def section(heading: str, body: str) -> str:
    return f"## {heading}\n\n{body}\n"


# ---- specs ----------------------------------------------------------------------------------------------------------


def spec_fields() -> str:
    """A section for every kind of record in a spec."""
    top = table("field, meaning", ((f"`{name}`", words) for name, words in TOP_FIELDS.items()))
    records = (section(heading, fields_of(record)) for heading, record in RECORDS.items())
    return section("The whole", top) + "".join(records)


def fields_of(record: Record) -> str:
    return table(
        "field, default, meaning",
        ((f"`{each.name}`", default(each.default), f"{each.doc}{allowed(each.kind.schema)}") for each in record.fields),
    )


def allowed(schema: Mapping[str, Any]) -> str:
    """The words that a field may have, where these are not many."""
    ways = [each for each in schema.get("anyOf", (schema,)) if each != {"type": "null"}]
    words = ways[0].get("enum", ()) if len(ways) == 1 else ()
    shown = [f"`{each}`" for each in words if each is not None]
    return f" One of {', '.join(shown)}." if 0 < len(shown) <= MOST_WORDS else ""


def default(value: Any) -> str:
    if value is REQUIRED:
        return "required"
    if value == REWRITES:
        return "`all`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value}`" if value or value == 0 else ""


def prices() -> str:
    """The table of prices, a row for each."""
    rows = ((f"`{name}`", f"{getattr(US_EAST_1, name)}") for name in FIELDS)
    return section("Regions", regions()) + section("Prices", table("field, price", rows))


def regions() -> str:
    """What is confirmed of each region, the regions that a spec may name first."""
    every = {US_EAST_1.region: msgspec.structs.asdict(US_EAST_1), **REGIONS}
    names = ("write_per_million", "read_per_million", "storage_gb_month", "pitr_gb_month", "wcu_hour", "rcu_hour")
    rows = ((f"`{region}`", *(f"{known.get(name, '')}" for name in names)) for region, known in every.items())
    return table("region, write (a million), read (a million), storage, recovery, WCU-hour, RCU-hour", rows)


# ---- commands -------------------------------------------------------------------------------------------------------


def command_line() -> str:
    return "".join(section(f"tablewright {name}", told(*found)) for name, found in commands(build_parser()))


def commands(parser: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, Command]]:
    """Every command with what it does, and the commands of a group in its place."""
    for name, (each, words) in choices(parser).items():
        if choices(each):
            yield from commands(each, f"{before}{name} ")
        else:
            yield f"{before}{name}", (each, words)


def choices(parser: argparse.ArgumentParser) -> dict[str, Command]:
    found = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    helps = {each.dest: each.help or "" for group in found for each in group._choices_actions}
    return {name: (each, helps.get(name, "")) for group in found for name, each in group.choices.items()}


def told(parser: argparse.ArgumentParser, words: str) -> str:
    described = " ".join((parser.description or f"{words[:1].upper()}{words[1:]}.").split())
    rows = [(f"`{spelled(each)}`", meaning(each)) for each in parser._actions if "-h" not in each.option_strings]
    return f"{described}\n\n{table('argument, meaning', rows)}"


def spelled(action: argparse.Action) -> str:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices:
        name = "\\|".join(map(str, action.choices))
    if not action.option_strings:
        return f"[{name}]" if action.nargs == "?" else name
    value = "" if action.nargs == 0 else f" {name}"
    return ", ".join(action.option_strings) + value


def meaning(action: argparse.Action) -> str:
    words = " ".join((action.help or "").split()).replace("|", "\\|").replace("%(default)s", str(action.default))
    return f"{words} (required)" if action.required and action.option_strings else words


def targets() -> str:
    rows = ((f"`{name}`", each.about, "by name only" if each.optional else "yes") for name, each in TARGETS.items())
    return section("Targets", table("target, what it makes, with `all`", rows))


MADE = {"spec-fields.md": spec_fields, "prices.md": prices, "command-line.md": command_line, "targets.md": targets}
