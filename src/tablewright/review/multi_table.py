"""The advice of several tables put together: notes side by side, sums where a number is about all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.advice import (
    Advice,
    Check,
    Difference,
    LoadStage,
    Monitoring,
    RelationshipNote,
    Testing,
    WriteNote,
)
from tablewright.design.multi_table.places import place_in
from tablewright.design.wording import an, concat, tally
from tablewright.review import sources
from tablewright.review.upkeep.children import Side, sides_of
from tablewright.spec.volumes import matching

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tablewright.design.advice import Alternative, Decision, Question
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import RelationshipSpec

MOST_ALTERNATIVES = 4
WORDS = ("uniqueness", "conditions", "transaction", "idempotency", "concurrency", "cascade")


def merge_advice(facts: Facts, given: Mapping[str, Advice], tables: Mapping[str, str]) -> Advice:
    """`given` by table; `tables` says which one an entity is in."""
    parts = list(given.values())
    return Advice(
        decisions=tuple(_in_table(each, table) for table, said in given.items() for each in said.decisions),
        pattern_prices=_merge_prices([each.pattern_prices for each in parts]),
        why_not_fewer=_by_table({table: each.why_not_fewer for table, each in given.items()}),
        alternatives=_merge_alternatives({table: each.alternatives for table, each in given.items()}),
        questions=_merge_questions(parts),
        relationships=_merge_relationships(facts, parts, tables),
        writes=_merge_writes(facts, parts),
        evolution=tuple(each for said in parts for each in said.evolution),
        capped=_by_table({table: each.capped for table, each in given.items()}),
        monitoring=_merge_monitoring({table: each.monitoring for table, each in given.items()}),
        savings=tuple(each for said in parts for each in said.savings),
        hot_reads=tuple(
            msgspec.structs.replace(each, place=place_in(table, each.place))
            for table, said in given.items()
            for each in said.hot_reads
        ),
        testing=_merge_testing({table: each.testing for table, each in given.items()}),
        critique=merge_checks({table: each.critique for table, each in given.items()}),
        reconsidered={
            rule: _by_table({table: each.reconsidered.get(rule, "") for table, each in given.items()})
            for rule in sorted({rule for each in parts for rule in each.reconsidered})
        },
        tradeoffs=tuple(each for said in parts for each in said.tradeoffs),
        naming=tuple(_distinct(each for said in parts for each in said.naming)),
        sources=tuple(sorted({each for said in parts for each in said.sources})),
    )


def _by_table(said: Mapping[str, str]) -> str:
    return " ".join(f"{table}: {text}" for table, text in said.items() if text)


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))


def _in_table(decision: Decision, table: str) -> Decision:
    """Indexes of several tables have the same names."""
    subject = place_in(table, decision.subject)
    if subject == decision.subject:
        return decision
    id_ = decision.id.replace(decision.subject, subject)
    return msgspec.structs.replace(decision, id=id_, subject=subject)


def _merge_prices(given: Sequence[Mapping[str, Difference]]) -> dict[str, Difference]:
    """A write over several tables is left out in all of them."""
    found: dict[str, Difference] = {}
    for prices in given:
        for pattern, saved in prices.items():
            found[pattern] = _add(found[pattern], saved) if pattern in found else saved
    return found


def _add(one: Difference, other: Difference) -> Difference:
    names = ("usd_per_month", "gsis", "copies", "requests")
    sums: dict[str, Any] = {name: getattr(one, name) + getattr(other, name) for name in names}
    return Difference(possible=one.possible and other.possible, **sums)


def _merge_questions(parts: Iterable[Advice]) -> tuple[Question, ...]:
    """Once each, the most valuable first."""
    found: dict[str, Question] = {}
    for each in (each for said in parts for each in said.questions):
        if each.id not in found or found[each.id].value < each.value:
            found[each.id] = each
    return tuple(sorted(found.values(), key=lambda each: -each.value))


def _merge_relationships(
    facts: Facts, parts: Iterable[Advice], tables: Mapping[str, str]
) -> tuple[RelationshipNote, ...]:
    """In the order of the spec; one that crosses tables says in which the other side is."""
    inside = {each.relationship: each for said in parts for each in said.relationships}
    crossing = {each.relationship: each for each in _crossing_notes(facts, tables)}
    return tuple({**inside, **crossing}.values())


def _merge_writes(facts: Facts, parts: Sequence[Advice]) -> tuple[WriteNote, ...]:
    notes: dict[str, list[WriteNote]] = {}
    for note in (note for said in parts for note in said.writes):
        notes.setdefault(note.pattern, []).append(note)
    order = [each.id for each in (*facts.spec.patterns, *facts.implied) if each.id in notes]
    return tuple(_merge_notes(notes[id_]) for id_ in order)


def _merge_notes(notes: list[WriteNote]) -> WriteNote:
    if len(notes) == 1:
        return notes[0]
    words = {name: " ".join(_distinct(getattr(each, name) for each in notes)) for name in WORDS}
    crossing = f"One TransactWriteItems writes {len(notes)} tables, at the price and with the limit of one."
    words["transaction"] = " ".join(_distinct((crossing, words["transaction"])))
    cited = tuple(dict.fromkeys(page for each in notes for page in each.sources))
    return WriteNote(pattern=notes[0].pattern, sources=cited, **words)


def _merge_monitoring(given: Mapping[str, Monitoring]) -> Monitoring:
    """What is about the account is there once."""
    alarms = {each.name: each for said in given.values() for each in reversed(said.alarms)}
    order = _distinct(each.name for said in given.values() for each in said.alarms)
    return Monitoring(
        alarms=tuple(alarms[name] for name in order),
        metrics=tuple(f"{table}: {text}" for table, said in given.items() for text in said.metrics),
        contributor_insights=tuple(
            place_in(table, each) for table, said in given.items() for each in said.contributor_insights
        ),
        contributor_insights_why=_by_table({table: said.contributor_insights_why for table, said in given.items()}),
        sources=tuple(dict.fromkeys(page for said in given.values() for page in said.sources)),
    )


def _merge_testing(given: Mapping[str, Testing]) -> Testing:
    parts = list(given.values())
    return Testing(
        strategy=tuple(_distinct(text for each in parts for text in each.strategy)),
        key_distributions={name: text for each in parts for name, text in each.key_distributions.items()},
        stages=tuple(_merge_stages(alike) for alike in zip(*(each.stages for each in parts), strict=False)),
    )


def _merge_stages(alike: tuple[LoadStage, ...]) -> LoadStage:
    """All tables under load at once, as they will be."""
    return msgspec.structs.replace(
        alike[0],
        minutes=max(each.minutes for each in alike),
        rates={pattern: rate for each in alike for pattern, rate in each.rates.items()},
        expected_rcu=sum(each.expected_rcu for each in alike),
        expected_wcu=sum(each.expected_wcu for each in alike),
        abort_when=" ".join(_distinct(each.abort_when for each in alike)),
    )


def merge_checks(given: Mapping[str, tuple[Check, ...]]) -> tuple[Check, ...]:
    """A rule holds when it holds in every table."""
    if len(given) == 1:
        return next(iter(given.values()))
    found: dict[str, dict[str, Check]] = {}
    for table, checks in given.items():
        for check in checks:
            found.setdefault(check.id, {})[table] = check
    return tuple(
        msgspec.structs.replace(
            next(iter(checks.values())),
            passed=all(each.passed for each in checks.values()),
            remains=_by_table({table: each.remains for table, each in checks.items()}),
        )
        for checks in found.values()
    )


# ---- other designs --------------------------------------------------------------------------------------------------


def _merge_alternatives(given: Mapping[str, tuple[Alternative, ...]]) -> tuple[Alternative, ...]:
    """The chosen design of all tables, then the cheapest of those that differ in one."""
    chosen = {table: next((each for each in found if each.chosen), None) for table, found in given.items()}
    known = {table: each for table, each in chosen.items() if each is not None}
    if len(known) < len(given):
        return ()
    others = [
        msgspec.structs.replace(
            _combine({**known, table: each}), name=f"{table}: {each.name}", gains=each.gains, costs=each.costs
        )
        for table, found in given.items()
        for each in found
        if not each.chosen
    ]
    return (_combine(known), *sorted(others, key=lambda each: (each.usd_per_month, each.gsis))[:MOST_ALTERNATIVES])


def _combine(tables: Mapping[str, Alternative]) -> Alternative:
    """All tables together; requests on average over the tables."""
    first, found = next(iter(tables.values())), list(tables.values())
    return msgspec.structs.replace(
        first,
        gsis=sum(each.gsis for each in found),
        copies=sum(each.copies for each in found),
        tables=len(found),
        usd_per_month=sum(each.usd_per_month for each in found),
        requests_per_pattern=sum(each.requests_per_pattern for each in found) / len(found),
        hottest_share=max(each.hottest_share for each in found),
        keys={entity: key for each in found for entity, key in each.keys.items()},
        chosen=all(each.chosen for each in found),
    )


# ---- relationships over tables --------------------------------------------------------------------------------------


def _crossing_notes(facts: Facts, tables: Mapping[str, str]) -> Iterator[RelationshipNote]:
    for each in facts.spec.relationships:
        sides = [side for side in sides_of(facts, each) if tables[side.parent] != tables[side.child]]
        if sides:
            yield _crossing_note(facts, each, sides, tables)


def _crossing_note(
    facts: Facts, each: RelationshipSpec, sides: list[Side], tables: Mapping[str, str]
) -> RelationshipNote:
    return RelationshipNote(
        relationship=f"{each.source} -> {each.target}" + (f" via {each.via}" if each.via else ""),
        kind=each.kind,
        held=" ".join(_describe_reference(side, tables) for side in sides),
        in_step="No read asks for both sides, so nothing of one is stored with the other.",
        on_delete=" ".join(_describe_delete(facts, side, tables) for side in sides),
        sources=(sources.TRANSACTIONS,),
    )


def _describe_reference(side: Side, tables: Mapping[str, str]) -> str:
    names = concat(f"{side.child}.{name}" for name in side.names) if side.names else "no attribute"
    return f"By reference over tables: {names} tells the {side.parent}, which is in {tables[side.parent]}."


def _describe_delete(facts: Facts, side: Side, tables: Mapping[str, str]) -> str:
    if not side.names:
        return f"No key is known to find the {side.child} items of {an(side.parent)}."
    children = matching(facts, side.child, side.names)
    return (
        f"Deleting {an(side.parent)} leaves about {tally(children, f'{side.child} item')} in {tables[side.child]}"
        " that still name it; a transaction reaches both tables, at the same price."
    )
