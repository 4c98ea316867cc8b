"""The advice of several tables: notes side by side, sums where a number is about all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.advice import (
    Advice,
    Check,
    Difference,
    LoadStage,
    Monitoring,
    Testing,
    WriteNote,
)
from tablewright.design.multi_table.places import place_in
from tablewright.review.multi_table.alternatives import merged_alternatives
from tablewright.review.multi_table.relationships import across

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tablewright.design.advice import Decision, Question, RelationshipNote
    from tablewright.spec.facts import Facts

WORDS = ("uniqueness", "conditions", "transaction", "idempotency", "concurrency", "cascade")


def merged_advice(facts: Facts, given: Mapping[str, Advice], tables: Mapping[str, str]) -> Advice:
    """`given` by table; `tables` says which one an entity is in."""
    parts = list(given.values())
    return Advice(
        decisions=tuple(decided(each, table) for table, said in given.items() for each in said.decisions),
        pattern_prices=merged_prices([each.pattern_prices for each in parts]),
        why_not_fewer=by_table({table: each.why_not_fewer for table, each in given.items()}),
        alternatives=merged_alternatives({table: each.alternatives for table, each in given.items()}),
        questions=merged_questions(parts),
        relationships=merged_relationships(facts, parts, tables),
        writes=merged_writes(facts, parts),
        evolution=tuple(each for said in parts for each in said.evolution),
        capped=by_table({table: each.capped for table, each in given.items()}),
        monitoring=merged_monitoring({table: each.monitoring for table, each in given.items()}),
        savings=tuple(each for said in parts for each in said.savings),
        testing=merged_testing({table: each.testing for table, each in given.items()}),
        critique=merged_critique({table: each.critique for table, each in given.items()}),
        naming=tuple(distinct(each for said in parts for each in said.naming)),
        sources=tuple(sorted({each for said in parts for each in said.sources})),
    )


def by_table(said: Mapping[str, str]) -> str:
    return " ".join(f"{table}: {text}" for table, text in said.items() if text)


def distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))


def decided(decision: Decision, table: str) -> Decision:
    """Indexes of several tables have the same names."""
    subject = place_in(table, decision.subject)
    if subject == decision.subject:
        return decision
    id_ = decision.id.replace(decision.subject, subject)
    return msgspec.structs.replace(decision, id=id_, subject=subject)


def merged_prices(given: Sequence[Mapping[str, Difference]]) -> dict[str, Difference]:
    """A write over several tables is left out in all of them."""
    found: dict[str, Difference] = {}
    for prices in given:
        for pattern, saved in prices.items():
            found[pattern] = sum_of(found[pattern], saved) if pattern in found else saved
    return found


def sum_of(one: Difference, other: Difference) -> Difference:
    names = ("usd_per_month", "gsis", "copies", "requests")
    sums: dict[str, Any] = {name: getattr(one, name) + getattr(other, name) for name in names}
    return Difference(possible=one.possible and other.possible, **sums)


def merged_questions(parts: Iterable[Advice]) -> tuple[Question, ...]:
    """Once each, the most valuable first."""
    found: dict[str, Question] = {}
    for each in (each for said in parts for each in said.questions):
        if each.id not in found or found[each.id].value < each.value:
            found[each.id] = each
    return tuple(sorted(found.values(), key=lambda each: -each.value))


def merged_relationships(
    facts: Facts, parts: Iterable[Advice], tables: Mapping[str, str]
) -> tuple[RelationshipNote, ...]:
    """In the order of the spec; a parent in another table is told by its table."""
    told = {each.relationship: each for said in parts for each in said.relationships}
    crossing = {each.relationship: each for each in across(facts, tables)}
    return tuple({**told, **crossing}.values())


def merged_writes(facts: Facts, parts: Sequence[Advice]) -> tuple[WriteNote, ...]:
    notes: dict[str, list[WriteNote]] = {}
    for note in (note for said in parts for note in said.writes):
        notes.setdefault(note.pattern, []).append(note)
    order = [each.id for each in (*facts.spec.patterns, *facts.implied) if each.id in notes]
    return tuple(one_note(notes[id_]) for id_ in order)


def one_note(notes: list[WriteNote]) -> WriteNote:
    if len(notes) == 1:
        return notes[0]
    words = {name: " ".join(distinct(getattr(each, name) for each in notes)) for name in WORDS}
    crossing = f"One TransactWriteItems writes {len(notes)} tables, at the price and with the limit of one."
    words["transaction"] = " ".join(distinct((crossing, words["transaction"])))
    cited = tuple(dict.fromkeys(page for each in notes for page in each.sources))
    return WriteNote(pattern=notes[0].pattern, sources=cited, **words)


def merged_monitoring(given: Mapping[str, Monitoring]) -> Monitoring:
    """What is about the account is there once."""
    alarms = {each.name: each for said in given.values() for each in reversed(said.alarms)}
    order = distinct(each.name for said in given.values() for each in said.alarms)
    return Monitoring(
        alarms=tuple(alarms[name] for name in order),
        metrics=tuple(f"{table}: {text}" for table, said in given.items() for text in said.metrics),
        contributor_insights=tuple(
            place_in(table, each) for table, said in given.items() for each in said.contributor_insights
        ),
        contributor_insights_why=by_table({table: said.contributor_insights_why for table, said in given.items()}),
        sources=tuple(dict.fromkeys(page for said in given.values() for page in said.sources)),
    )


def merged_testing(given: Mapping[str, Testing]) -> Testing:
    parts = list(given.values())
    return Testing(
        strategy=tuple(distinct(text for each in parts for text in each.strategy)),
        key_distributions={name: text for each in parts for name, text in each.key_distributions.items()},
        stages=tuple(one_stage(alike) for alike in zip(*(each.stages for each in parts), strict=False)),
    )


def one_stage(alike: tuple[LoadStage, ...]) -> LoadStage:
    """All tables under load at once, as they will be."""
    return msgspec.structs.replace(
        alike[0],
        minutes=max(each.minutes for each in alike),
        rates={pattern: rate for each in alike for pattern, rate in each.rates.items()},
        expected_rcu=sum(each.expected_rcu for each in alike),
        expected_wcu=sum(each.expected_wcu for each in alike),
        abort_when=" ".join(distinct(each.abort_when for each in alike)),
    )


def merged_critique(given: Mapping[str, tuple[Check, ...]]) -> tuple[Check, ...]:
    """A rule holds when it holds in every table."""
    found: dict[str, dict[str, Check]] = {}
    for table, checks in given.items():
        for check in checks:
            found.setdefault(check.id, {})[table] = check
    return tuple(
        msgspec.structs.replace(
            next(iter(checks.values())),
            passed=all(each.passed for each in checks.values()),
            remains=by_table({table: each.remains for table, each in checks.items()}),
        )
        for checks in found.values()
    )
