"""The explanation of one pattern, entity or index: all parts of a design about it, as data and as blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.advice import Decision, Difference, NewPattern, Question, RelationshipNote, WriteNote
from tablewright.design.cost.lines import EntityCost, PatternCost, PlaceCost
from tablewright.design.heat.findings import Finding
from tablewright.design.heat.load import HeatTerm, PartitionHeat
from tablewright.design.model import Index, ItemType, PatternDesign, PatternProof
from tablewright.design.multi_table.places import place_name
from tablewright.design.wording import amount, money, plural, size, units
from tablewright.errors import DesignError
from tablewright.report import advice
from tablewright.report.blocks import Grid, Heading, Text, bullets, code, column, number
from tablewright.report.keys import field_text, item_rows, projection_text
from tablewright.report.patterns import COLUMNS, pattern_detail, pattern_row
from tablewright.schema.places import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design
    from tablewright.report.blocks import Block

SubjectKind: TypeAlias = Literal["pattern", "entity", "index"]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Parts of a design that concern its subject; what does not apply to its kind is empty."""

    subject: str
    kind: SubjectKind
    description: str = ""
    index: Index | None = None
    items: tuple[ItemType, ...] = ()
    patterns: tuple[PatternDesign, ...] = ()
    decisions: tuple[Decision, ...] = ()
    leaving_out: Difference | None = None  # what a design without the pattern would save
    pattern_cost: PatternCost | None = None
    entity_cost: EntityCost | None = None
    place_cost: PlaceCost | None = None
    heat: tuple[HeatTerm, ...] = ()
    partitions: tuple[PartitionHeat, ...] = ()
    findings: tuple[Finding, ...] = ()
    relationships: tuple[RelationshipNote, ...] = ()
    writes: tuple[WriteNote, ...] = ()
    questions: tuple[Question, ...] = ()
    evolution: tuple[NewPattern, ...] = ()
    proof: PatternProof | None = None


def explain_subject(design: Design, subject: str) -> Explanation:
    """Patterns by id, entities and item types by name, places by the name of the index or `table`."""
    for known, explain in (
        ([each.id for each in design.patterns], _explain_pattern),
        ([*(each.name for each in design.items), *(each.entity for each in design.items)], _explain_entity),
        (_find_places(design), _explain_index),
    ):
        for name in known:
            if name.lower() == subject.lower():
                return explain(design, name)
    names = [*(each.id for each in design.patterns), *(each.name for each in design.items), *_find_places(design)]
    raise DesignError(
        f'the design has no pattern, entity or index "{subject}".{nearest(subject, names)} It has: {", ".join(names)}.'
    )


def _find_places(design: Design) -> dict[str, tuple[str, str | None]]:
    """By name: the table and the index; with several tables a place is called after its table."""
    found = [
        (table.name, index)
        for table in design.tables
        for index in (None, *(each.name for each in (*table.gsis, *table.lsis)))
    ]
    return {place_name(design, table, index): (table, index) for table, index in found}


def _explain_pattern(design: Design, name: str) -> Explanation:
    pattern = next(each for each in design.patterns if each.id == name)
    proofs = design.proof.patterns if design.proof else ()
    return Explanation(
        subject=name,
        kind="pattern",
        description=pattern.description,
        items=tuple(each for each in design.items if each.entity in _entities_read(pattern)),
        patterns=(pattern,),
        decisions=tuple(each for each in design.advice.decisions if name == each.subject or name in each.patterns),
        leaving_out=design.advice.pattern_prices.get(name),
        pattern_cost=next((each for each in design.cost.patterns if each.pattern == name), None),
        heat=tuple(each for each in design.heat.patterns if each.pattern == name),
        findings=tuple(each for each in design.heat.findings if name in each.patterns),
        writes=tuple(each for each in design.advice.writes if each.pattern == name),
        questions=tuple(each for each in design.advice.questions if _is_about(each, name)),
        proof=next((each for each in proofs if each.pattern == name), None),
    )


def _entities_read(pattern: PatternDesign) -> set[str]:
    """Those of the answer, and that of the list which leads to it."""
    is_listed = any(step.counts_gone for step in pattern.reads)
    return {*pattern.entities, *(name for step in pattern.reads if is_listed for name in step.entities)}


def _explain_entity(design: Design, name: str) -> Explanation:
    items = tuple(each for each in design.items if name in (each.entity, each.name))
    entity = items[0].entity
    return Explanation(
        subject=name,
        kind="entity",
        description=items[0].notes,
        items=items,
        patterns=tuple(each for each in design.patterns if entity in _entities_read(each)),
        decisions=tuple(each for each in design.advice.decisions if each.subject == entity),
        entity_cost=next((each for each in design.cost.entities if each.entity == entity), None),
        partitions=tuple(each for each in design.heat.partitions if entity in each.entities),
        findings=tuple(each for each in design.heat.findings if entity in each.entities),
        relationships=tuple(each for each in design.advice.relationships if entity in each.relationship.split()),
        questions=tuple(each for each in design.advice.questions if _is_about(each, entity)),
        evolution=tuple(each for each in design.advice.evolution if each.entity == entity),
    )


def _explain_index(design: Design, name: str) -> Explanation:
    place = _find_places(design)[name]
    table, index = place
    indexes = [each for found in design.tables if found.name == table for each in (*found.gsis, *found.lsis)]
    return Explanation(
        subject=name,
        kind="index",
        index=next((each for each in indexes if each.name == index), None),
        items=tuple(
            msgspec.structs.replace(item, keys=tuple(each for each in item.keys if each.index == index))
            for item in design.items
            if item.table == table and any(each.index == index for each in item.keys)
        ),
        patterns=tuple(
            each for each in design.patterns if any((step.table, step.index) == place for step in each.reads)
        ),
        decisions=tuple(each for each in design.advice.decisions if _is_about_index(each, name)),
        place_cost=next((each for each in design.cost.places if each.place == name), None),
        partitions=tuple(each for each in design.heat.partitions if each.place == name),
        findings=tuple(each for each in design.heat.findings if each.place == name),
    )


def _is_about(question: Question, name: str) -> bool:
    """By a part of its id or of its place: `count:Order`, `access_patterns.AP3.limit`."""
    words = question.id.replace(":", ".").replace("+", ".").split(".") + question.place.split(".")
    return name in words


def _is_about_index(decision: Decision, name: str) -> bool:
    if name == "table":
        return decision.kind in ("table-key", "copy")
    return decision.subject == name or decision.id.endswith(f":{name}")


# ---- for readers ----------------------------------------------------------------------------------------------------


def explanation_blocks(found: Explanation) -> tuple[Block, ...]:
    return tuple(block for section in SECTIONS for block in section(found))


def _title_blocks(found: Explanation) -> Iterator[Block]:
    yield Heading(f"{found.subject}{f': {found.description}' if found.description else ''}", 1)
    if found.index is not None:
        keys = f"{field_text(found.index.pk)} | {field_text(found.index.sk)}"
        yield Text(f"{keys}, projection {projection_text(found.index)}")


def _request_blocks(found: Explanation) -> Iterator[Block]:
    if found.kind == "pattern":
        yield from pattern_detail(found.patterns[0])
    elif found.patterns:
        yield Heading("Patterns")
        yield Grid(COLUMNS, tuple(pattern_row(each) for each in found.patterns))


def _key_blocks(found: Explanation) -> Iterator[Block]:
    if found.items:
        yield Heading("Keys")
        yield Grid(
            (column("item"), column("place"), code("partition key"), code("sort key"), number("items"), number("size")),
            tuple(row for item in found.items for row in item_rows(item)),
        )


def _decision_blocks(found: Explanation) -> Iterator[Block]:
    if found.decisions or found.leaving_out:
        yield Heading("Why")
    for each in found.decisions:
        yield from advice.decision(each, with_why=found.kind != "pattern" or each.kind != "plan")
    if found.leaving_out:
        yield Text(f"It makes the whole design dearer by {_price_text(found.leaving_out)}.")


def _price_text(price: Difference) -> str:
    gsis = f" and {plural(price.gsis, 'GSI')}" if price.gsis > 0 else ""
    return f"{money(price.usd_per_month)} a month{gsis}"


def _cost_blocks(found: Explanation) -> Iterator[Block]:
    said: list[str] = []
    if found.pattern_cost is not None:
        each = found.pattern_cost
        said.append(
            f"{units(each.avg_per_second)} a second on average, {units(each.peak_per_second)} at peak:"
            f" {amount(each.rcu_per_month)} RCU and {amount(each.wcu_per_month)} WCU a month,"
            f" {money(each.usd_per_month)}"
        )
        if each.index_usd_per_month:
            said.append(f"of which {money(each.index_usd_per_month)} keeps indexes in step")
    if found.entity_cost is not None:
        own = found.entity_cost
        said.append(f"{size(own.item_bytes)} an item, {own.gb:.2f} GB, of which {own.index_gb:.2f} in indexes")
        said.append(
            f"{money(own.usd_per_month)} a month: reads {money(own.read_usd_per_month)}, writes"
            f" {money(own.write_usd_per_month)}, storage {money(own.storage_usd_per_month)}"
        )
    if found.place_cost is not None:
        place = found.place_cost
        said.append(f"{money(place.usd_per_month)} a month, {place.gb:.2f} GB")
    if said:
        yield Heading("Cost")
        yield bullets(*said)


def _heat_blocks(found: Explanation) -> Iterator[Block]:
    if not (found.heat or found.partitions or found.findings):
        return
    yield Heading("Heat")
    terms = [f"{each.partition_key} ({each.place}): {each.arithmetic}; {each.share_source}" for each in found.heat]
    terms += [
        f"{each.partition_key} ({each.place}): {units(each.rcu_per_second)} RCU and {units(each.wcu_per_second)} WCU"
        f" a second at peak, {each.verdict}"
        for each in found.partitions
    ]
    yield bullets(*terms, *(f"{each.severity}: {each.what}. {each.remedy}" for each in found.findings))


def _integrity_blocks(found: Explanation) -> Iterator[Block]:
    if found.relationships or found.writes:
        yield Heading("Keeping it right")
    for note in found.relationships:
        yield from advice.relationship(note)
    for each in found.writes:
        yield from advice.write_note(each)


def _advice_blocks(found: Explanation) -> Iterator[Block]:
    yield from advice.question_blocks(found.questions)
    yield from advice.evolution_blocks(found.evolution)


def _proof_blocks(found: Explanation) -> Iterator[Block]:
    if found.proof is not None:
        each = found.proof
        yield Heading("Proof")
        yield Text(f"ran {each.runs} times, {each.wrong} wrong answers", "bad" if each.wrong else "good")


SECTIONS = (
    _title_blocks,
    _request_blocks,
    _key_blocks,
    _decision_blocks,
    _cost_blocks,
    _heat_blocks,
    _integrity_blocks,
    _advice_blocks,
    _proof_blocks,
)
