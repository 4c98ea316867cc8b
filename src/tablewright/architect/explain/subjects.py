"""One pattern, entity or index explained: all that a design says of it, gathered from where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.architect.explain.advice import (
    Decision,
    Difference,
    NewPattern,
    Question,
    RelationshipNote,
    WriteNote,
)
from tablewright.errors import DesignError
from tablewright.schema.places import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.architect.design.model import Design, ItemType, PatternDesign

SubjectKind: TypeAlias = Literal["pattern", "entity", "index"]


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern that has to do with the subject."""

    pattern: str
    description: str
    requests: tuple[str, ...]  # the operations, and where
    why: str
    usd_per_month: float


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one subject; what does not apply is empty."""

    subject: str
    kind: SubjectKind
    summary: str
    keys: Mapping[str, str] = {}  # by item type and place
    patterns: tuple[Reader, ...] = ()
    decisions: tuple[Decision, ...] = ()
    price: Difference | None = None  # what the design would save without the pattern
    usd_per_month: float = 0.0
    questions: tuple[Question, ...] = ()
    relationships: tuple[RelationshipNote, ...] = ()
    writes: tuple[WriteNote, ...] = ()
    evolution: tuple[NewPattern, ...] = ()


def explain_subject(design: Design, subject: str) -> Explanation:
    """A pattern by its id, an entity or an index by its name, or the word table; upper and lower case are the same."""
    found = subjects_of(design)
    by_word = {name.lower(): name for name in reversed(found)}
    name = subject if subject in found else by_word.get(subject.lower())
    if name is None:
        hint = nearest(subject, found)
        known = ", ".join(found)
        raise DesignError(
            f'there is no pattern, entity or index "{subject}" in {design.name}.{hint} There are: {known}.'
        )
    return EXPLAIN[found[name]](design, name)


def subjects_of(design: Design) -> dict[str, SubjectKind]:
    """Where names are the same, the pattern goes before the entity and the entity before the index."""
    found: dict[str, SubjectKind] = {each.id: "pattern" for each in design.patterns}
    found |= {each.entity: "entity" for each in design.items if each.entity not in found}
    found |= {name: "index" for name in ("table", *index_names(design)) if name not in found}
    return found


def index_names(design: Design) -> Iterator[str]:
    for table in design.tables:
        yield from (each.name for each in (*table.gsis, *table.lsis))


# ---- the three kinds ------------------------------------------------------------------------------------------------


def explain_pattern(design: Design, name: str) -> Explanation:
    pattern = next(each for each in design.patterns if each.id == name)
    advice = design.advice
    return Explanation(
        subject=name,
        kind="pattern",
        summary=f"{pattern.description or name}: {'; '.join(requests_of(pattern))}.",
        keys={place: text for item in design.items if item.entity in pattern.entities for place, text in keys_of(item)},
        patterns=(reader(pattern),),
        decisions=tuple(each for each in advice.decisions if name in (each.subject, *each.patterns)),
        price=advice.pattern_prices.get(name),
        usd_per_month=pattern.predicted.usd_per_month,
        questions=tuple(each for each in advice.questions if mentions(each, name)),
        writes=tuple(each for each in advice.writes if each.pattern == name),
    )


def explain_entity(design: Design, name: str) -> Explanation:
    items, advice = [each for each in design.items if each.entity == name], design.advice
    cost = next((each.usd_per_month for each in design.cost.entities if each.entity == name), 0.0)
    patterns = [each for each in design.patterns if name in each.entities]
    ids = {each.id for each in patterns}
    return Explanation(
        subject=name,
        kind="entity",
        summary=f"{name}, told apart by {', '.join(items[0].id)}: about {items[0].expected_count:,.0f} items of"
        f" {items[0].expected_bytes:,} bytes.",
        keys={place: text for item in items for place, text in keys_of(item)},
        patterns=tuple(map(reader, patterns)),
        decisions=tuple(each for each in advice.decisions if each.subject == name),
        usd_per_month=cost,
        questions=tuple(each for each in advice.questions if mentions(each, name)),
        relationships=tuple(each for each in advice.relationships if name in each.relationship),
        writes=tuple(each for each in advice.writes if each.pattern in ids),
        evolution=tuple(each for each in advice.evolution if each.entity == name),
    )


def explain_index(design: Design, name: str) -> Explanation:
    index = None if name == "table" else name
    patterns = [each for each in design.patterns if any(step.index == index for step in each.reads)]
    keys = {place: text for item in design.items for place, text in keys_of(item) if place.endswith(f" in {name}")}
    cost = next((each.usd_per_month for each in design.cost.places if each.place == name), 0.0)
    entities = sorted({item.entity for item in design.items for each in item.keys if each.index == index})
    told = [each for each in design.advice.decisions if about_index(each, name)]
    readers = ", ".join(each.id for each in patterns) or "nothing"
    return Explanation(
        subject=name,
        kind="index",
        summary=f"{name} holds {', '.join(entities)} and is read by {readers}.",
        keys=keys,
        patterns=tuple(map(reader, patterns)),
        decisions=tuple(told),
        usd_per_month=cost,
    )


EXPLAIN: Mapping[SubjectKind, Callable[[Design, str], Explanation]] = {
    "pattern": explain_pattern,
    "entity": explain_entity,
    "index": explain_index,
}


# ---- parts ----------------------------------------------------------------------------------------------------------


def keys_of(item: ItemType) -> Iterator[tuple[str, str]]:
    for each in item.keys:
        parts = [f"{key.field} = {key.template}" for key in (*each.pk, *each.sk)]
        yield f"{item.name} in {each.index or 'table'}", ", ".join(parts)


def reader(pattern: PatternDesign) -> Reader:
    return Reader(
        pattern=pattern.id,
        description=pattern.description,
        requests=requests_of(pattern),
        why=pattern.why,
        usd_per_month=pattern.predicted.usd_per_month,
    )


def requests_of(pattern: PatternDesign) -> tuple[str, ...]:
    reads = (f"{each.operation} on {each.index or 'the table'}" for each in pattern.reads)
    return (*reads, *(f"{each.operation} of {each.item}" for each in pattern.writes))


def mentions(question: Question, name: str) -> bool:
    """By a part of its id or of its place: `count:Order`, `access_patterns.AP3.limit`."""
    words = question.id.replace(":", ".").replace("+", ".").split(".") + question.place.split(".")
    return name in words


def about_index(decision: Decision, name: str) -> bool:
    if name == "table":
        return decision.kind in ("table-key", "copy")
    return decision.subject == name or decision.id.endswith(f":{name}")
