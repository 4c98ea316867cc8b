"""All rules in one table, and a design checked by them.

An id stays with its rule for good; a rule that is dropped leaves its number unused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.design.advice import Check, Source
from tablewright.review import sources
from tablewright.review.case import Case, Remark, cases_of
from tablewright.review.critique import keys, regions, requests, sizes
from tablewright.review.multi_table import merge_checks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design

Finder: TypeAlias = Callable[[Case], Iterable[str | Remark]]


class _Rule(msgspec.Struct, frozen=True, kw_only=True):
    """`find` yields what is wrong, one sentence for each place; nothing when the table passes."""

    id: str
    check: str
    find: Finder
    why: str
    sources: tuple[Source, ...] = ()
    applies: Callable[[Case], bool] = lambda _: True  # elsewhere it is not asked at all


def critique(design: Design) -> tuple[Check, ...]:
    """Every rule, in the order of the ids; with several tables a rule holds when it holds in each."""
    return merge_checks({table: check_table(case) for table, case in cases_of(design).items()})


def check_table(case: Case) -> tuple[Check, ...]:
    return tuple(apply_rule(rule, case) for rule in RULES if rule.applies(case))


def avoidable(case: Case) -> Iterator[tuple[str, Remark]]:
    """What another design might do without, with the id of the rule."""
    for rule in (each for each in RULES if each.applies(case)):
        yield from ((rule.id, each) for each in rule.find(case) if isinstance(each, Remark))


def apply_rule(rule: _Rule, case: Case) -> Check:
    remains = "; ".join(each.text if isinstance(each, Remark) else each for each in rule.find(case))
    return Check(
        id=rule.id,
        check=rule.check,
        passed=not remains,
        remains=f"{remains}." if remains else "",
        why=rule.why,
        sources=rule.sources,
    )


RULES = (
    _Rule(
        id="TW101",
        check="Every read asks by a key; nothing scans",
        find=requests.scans,
        why="A Scan reads and bills the whole table for every answer.",
        sources=(sources.QUERY_AND_SCAN,),
    ),
    _Rule(
        id="TW102",
        check="Partition keys take many values",
        find=keys.few_partitions,
        why="A partition serves 3,000 read and 1,000 write units a second, however large the table is.",
        sources=(sources.PARTITION_KEYS, sources.UNIFORM_LOAD),
    ),
    _Rule(
        id="TW103",
        check="No busy partition grows only at its end",
        find=keys.hot_end,
        why="All writes meet at the newest key, and splitting the partition does not spread them.",
        sources=(sources.TIME_SERIES, sources.BURST_AND_ADAPTIVE),
    ),
    _Rule(
        id="TW104",
        check="Item collections stay below 10 GB for three years",
        find=sizes.growing_collections,
        why="A collection without bounds is read slower every month, and a local index would stop it at 10 GB.",
        sources=(sources.ITEM_COLLECTIONS,),
    ),
    _Rule(
        id="TW105",
        check="Items stay far from 400 KB",
        find=sizes.large_items,
        why="A write beyond 400 KB is refused, and every write of a large item bills all of it.",
        sources=(sources.LARGE_ITEMS, sources.ITEM_SIZES),
    ),
    _Rule(
        id="TW106",
        check="Filters return at least half of what is read",
        find=requests.over_reading,
        why="What a filter throws away is read and billed all the same.",
        sources=(sources.FILTERS,),
    ),
    _Rule(
        id="TW107",
        check="Every index earns its keep",
        find=sizes.rare_indexes,
        why="An index is written with every item and stored a second time, whether it is read or not.",
        sources=(sources.SECONDARY_INDEXES, sources.UNUSED_RESOURCES),
    ),
    _Rule(
        id="TW108",
        check="Indexes hold what their readers need",
        find=sizes.unused_projections,
        why="Attributes that nobody reads from an index are stored there and written with every change.",
        sources=(sources.SECONDARY_INDEXES, sources.GSI),
    ),
    _Rule(
        id="TW109",
        check="Point-in-time recovery is on",
        find=sizes.no_recovery,
        why="A faulty release can overwrite every item; only a restore brings them back.",
        sources=(sources.PITR,),
    ),
    _Rule(
        id="TW110",
        check="Deletion protection is on",
        find=sizes.no_deletion_protection,
        why="A stack that replaces its table deletes the old one.",
        sources=(sources.DELETION_PROTECTION,),
    ),
    _Rule(
        id="TW111",
        check="Collections with a local index stay below half of 10 GB",
        find=sizes.local_index_growth,
        why="With a local index a collection that reaches 10 GB takes no more writes.",
        sources=(sources.LSI, sources.ITEM_COLLECTIONS),
    ),
    _Rule(
        id="TW112",
        check="The tenant stands in every partition key that is read for one",
        find=keys.no_tenant,
        why="Only a partition key that holds the tenant lets a policy keep tenants apart (dynamodb:LeadingKeys).",
        sources=(sources.LEADING_KEYS, sources.BUILDING_BLOCKS),
    ),
    _Rule(
        id="TW113",
        check="Nothing that is ordered as a number is text",
        find=keys.numbers_as_text,
        why='Text is ordered character by character: "9" comes behind "10".',
        sources=(sources.DATA_TYPES, sources.SORT_KEYS),
    ),
    _Rule(
        id="TW114",
        check="Money is not a float",
        find=keys.money,
        why="DynamoDB keeps 38 decimal digits exactly; a float in a program rounds before they get there.",
        sources=(sources.DATA_TYPES,),
    ),
    _Rule(
        id="TW115",
        check="Times of expiry are numbers",
        find=sizes.expiry_types,
        why="TTL reads a number of seconds since 1970 and leaves items with anything else alone.",
        sources=(sources.TTL_COMPUTING,),
    ),
    _Rule(
        id="TW116",
        check="Strong reads ask the table",
        find=requests.strong_from_index,
        why="A global index is always a moment behind and refuses consistent reads.",
        sources=(sources.READ_CONSISTENCY, sources.GSI),
    ),
    _Rule(
        id="TW117",
        check="No query's sort key condition matches another type",
        find=keys.prefix_collisions,
        why="ORDER is the beginning of ORDER_ITEM: without an end to the prefix both come back.",
        sources=(sources.SORT_KEYS,),
    ),
    _Rule(
        id="TW118",
        check="The table key keeps every id unique",
        find=keys.id_not_unique,
        why="A key with more than the id accepts the same id once for every value of the rest.",
        sources=(sources.CONDITIONS, sources.TRANSACTIONS),
    ),
    _Rule(
        id="TW119",
        check="Transactions stay within 100 actions",
        find=requests.large_transactions,
        why="TransactWriteItems refuses more than 100 actions or 4 MB.",
        sources=(sources.TRANSACT_WRITE,),
    ),
    _Rule(
        id="TW120",
        check="Answers fit one page",
        find=requests.long_answers,
        why="A Query ends after 1 MB; what is longer takes several requests, one after the other.",
        sources=(sources.PAGINATION,),
    ),
    _Rule(
        id="TW121",
        check="No read asks more than ten partitions",
        find=requests.fan_outs,
        why="Every partition asked costs at least half a unit, and the slowest one decides.",
        sources=(sources.WRITE_SHARDING, sources.GSI_SHARDING),
    ),
    _Rule(
        id="TW122",
        check="No partition is asked for more than it serves",
        find=keys.hot_partitions,
        why="Beyond its limit a partition throttles, whatever the table's capacity.",
        sources=(sources.BURST_AND_ADAPTIVE, sources.WRITE_SHARDING),
    ),
    _Rule(
        id="TW123",
        check="Writes do not find their item through a lagging index",
        find=requests.stale_look_ups,
        why="Between the look-up and the write the item may have changed, moved or gone.",
        sources=(sources.OPTIMISTIC_LOCKING, sources.READ_CONSISTENCY),
    ),
    _Rule(
        id="TW130",
        check="Recovery is paid for data that lasts",
        find=sizes.recovery_of_short_lived,
        why="Point-in-time recovery is billed by the size of the table, however soon its items expire.",
        sources=(sources.PITR,),
    ),
    _Rule(
        id="TW131",
        check="No two regions write the same item",
        find=regions.lost_writes,
        why="Replicas take writes each for itself; of two the later wins, and nobody is told of the other.",
        sources=(sources.GLOBAL_TABLES, sources.TRANSACTIONS),
        applies=regions.is_global,
    ),
)
