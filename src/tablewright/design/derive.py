"""The layout of a design, from the design alone: one that was just made and one that was read give the same.

`layout_of(design)` is that of a design with one table, `layouts_of(design)` has one for every table. A view is read
from the keys of an item type; how it answers a pattern follows from its shape (`design.serving`), so that a design
need not say it. A design of an earlier version lacks `stored` where its spec was rewritten; `tasks` completes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.layout.forms import ReadPart, Rewritten, facts_of
from tablewright.design.layout.layout import Layout, Located, ReadOperation, StoredRead
from tablewright.design.layout.views import Keys, View, groups_of, local_groups
from tablewright.design.model import ItemKeys, ItemType, PatternDesign, TableDesign
from tablewright.design.multi_table.parts import part_named
from tablewright.design.serving.cascades import read_id
from tablewright.design.serving.filters import to_json
from tablewright.design.serving.serving import part_of_collection, serve
from tablewright.design.serving.shapes import Shape
from tablewright.design.serving.writes import as_question
from tablewright.design.values.templates import KeyTemplate, Template, slot
from tablewright.errors import DesignError
from tablewright.spec.facts import Facts, assume
from tablewright.spec.model import KeyStyle, Spec
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.layout.forms import Rewrite
    from tablewright.design.model import Design, ReadStep, SortCondition
    from tablewright.design.serving.serving import Serving
    from tablewright.spec.model import PatternSpec


class TableParts(msgspec.Struct, frozen=True, kw_only=True):
    """One table of a design, as far as a layout is made of it; the patterns are those of the whole design."""

    form: Rewritten
    style: KeyStyle
    table: TableDesign
    items: Sequence[ItemType]
    patterns: Sequence[PatternDesign]


def layout_of(design: Design) -> Layout:
    """The layout of a design that has one table."""
    return next(iter(layouts_of(design).values()))


def layouts_of(design: Design) -> dict[str, Layout]:
    """By table."""
    facts = facts_in(design)
    return {
        table.name: derive_layout(
            TableParts(
                form=_form_in(design, facts, table.name),
                style=design.key_style,
                table=table,
                items=[item for item in design.items if item.table == table.name],
                patterns=design.patterns,
            )
        )
        for table in design.tables
    }


# ---- the spec -------------------------------------------------------------------------------------------------------


def facts_in(design: Design) -> Facts:
    """Of the spec as it was written."""
    if not design.spec:
        raise DesignError(f"the design of {design.name} holds no spec; make it again from its spec")
    return assume(read_spec(design.spec))


def _form_in(design: Design, facts: Facts, table: str) -> Rewritten:
    """The spec of one table, as it is stored there."""
    asked = asked_in(design, facts, table)
    stored = design.stored.get(table)
    if stored is not None:
        return stored.form(asked, rewrites_in(design, asked))
    if rewrites_in(design, asked):
        raise DesignError(
            f"the design of {design.name} does not say how {table} is stored; make it again from its spec"
        )
    return Rewritten(asked=asked, spec=asked.spec)


def asked_in(design: Design, facts: Facts, table: str) -> Facts:
    """Of the part of the spec that is in a table."""
    if len(design.tables) == 1:
        return facts
    members = {item.entity for item in design.items if item.table == table}
    part = part_named(facts, tuple(name for name in facts.spec.entities if name in members), table)
    going_on = {"", *(each.id for each in design.patterns if each.cascade)}  # not in designs of an earlier version
    kept = tuple(each for each in part.patterns if each.cascade_of in going_on)
    return assume(msgspec.structs.replace(part, patterns=kept))


def rewrites_in(design: Design, asked: Facts) -> tuple[Rewrite, ...]:
    """The rewrites of one table's part of the spec: of its entities and of its patterns."""
    if len(design.tables) == 1:
        return design.rewrites
    subjects = {*asked.spec.entities, *(each.id for each in asked.spec.patterns)}
    return tuple(each for each in design.rewrites if each.subject in subjects)


# ---- views ----------------------------------------------------------------------------------------------------------


def stored_keys(items: Iterable[ItemType]) -> Iterator[tuple[ItemType, ItemKeys]]:
    """What lies inside of other items has no keys of its own."""
    yield from ((item, keys) for item in items if item.kind != "embedded" for keys in item.keys)


def view_of(item: ItemType, keys: ItemKeys, entity: str = "") -> View:
    """`entity`: what the spec as it is stored calls it, where that does not follow from the item type."""
    name = entity or (item.entity if item.is_second_item else item.name)
    number = int("".join(filter(str.isdigit, keys.index))) - 1 if keys.index else None
    is_local = keys.index is not None and keys.index.startswith("lsi")
    return View(
        name,
        None if is_local else number,
        Shape(name, keys.partition, keys.lead, keys.rest, _bucket_of(item, keys), _when(keys), _copies(keys)),
        is_copy=item.is_second_item,
        lsi=number if is_local else None,
        number=keys.copy,
    )


def _bucket_of(item: ItemType, keys: ItemKeys) -> str:
    """What of a time divides partitions: the period of packed items stands in their keys where the time would."""
    return "" if item.kind == "packed" else str(keys.bucket or "")


def _copies(keys: ItemKeys) -> int:
    return keys.copies if keys.copies > 1 else 0


def _when(keys: ItemKeys) -> tuple[tuple[str, str], ...]:
    required = keys.when.required if keys.when else {}
    return tuple((name, "" if value is None else to_json(value)) for name, value in required.items())


def _stored_entity(spec: Spec, item: ItemType) -> str:
    """The entity of the stored spec: a second item has the attributes of the first."""
    if not item.is_second_item:
        return item.name
    attributes = {each.name for each in item.attributes}
    alike = (
        name
        for name, each in spec.entities.items()
        if item.entity in (name, each.of) and each.id == item.id and set(each.attributes) == attributes
    )
    return next(alike, item.entity)


def _order(view: View) -> tuple[int, int, str]:
    """The table's views, second items, global indexes, local ones; entities by name."""
    if view.lsi is not None:
        return 3, view.lsi, view.entity
    return (1 if view.is_copy else 0, 0, view.entity) if view.slot is None else (2, view.slot, view.entity)


def _keys(keys: ItemKeys) -> Keys:
    return Keys(_template(keys.pk), _template(keys.sk), native=keys.native)


def _template(fields: Sequence[KeyTemplate]) -> KeyTemplate:
    """A key of several attributes is shown as their list."""
    if len(fields) == 1:
        return fields[0]
    parts = [part for each in fields for part in (", ", *each.template.parts)]
    return KeyTemplate(", ".join(each.field for each in fields), Template(*parts[1:]))


# ---- the layout -----------------------------------------------------------------------------------------------------


class _Views(msgspec.Struct, frozen=True):
    """The views of a table, found by item type and index."""

    facts: Facts
    stored: Mapping[View, tuple[ItemType, ItemKeys]]

    def named(self, item: str, index: str | None) -> View | None:
        return next((view for view, (it, _) in self.stored.items() if it.name == item and view.index == index), None)

    def read_by(self, step: ReadStep, pattern: PatternSpec) -> dict[str, View]:
        """By entity of a stored pattern: the view that a step reads."""
        named = [view for name in step.items if (view := self.named(name, step.index)) is not None]
        found = {view.entity: view.first for view in named}
        return {name: found.get(name) or self._matching(step, name, pattern) for name in pattern.entities}

    def _matching(self, step: ReadStep, entity: str, pattern: PatternSpec) -> View:
        """For steps that do not name their items: the view with the same texts in its partition key.

        A second item may lie in the partition of the item itself; then the sort keys tell them apart.
        """
        views = [view for view in self.stored if view.entity == entity and view.index == step.index]
        alike = [view for view in views if _texts(self.stored[view][1].pk) == _texts(step.pk)] or views
        if not alike:
            raise DesignError(f"{pattern.id} reads {entity} from {step.index or 'the table'}, where it is not")
        return next((view for view in alike if _begins_alike(self.stored[view][1].sk, step.sk)), alike[0])


def _texts(fields: Sequence[KeyTemplate]) -> list[str]:
    return [part for each in fields for part in each.template.parts if isinstance(part, str)]


def _begins_alike(key: Sequence[KeyTemplate], asked: Sequence[SortCondition]) -> bool:
    if not key or not asked:
        return not asked
    own, wanted = key[0].template.stem, asked[0].low.stem
    return own.startswith(wanted) or wanted.startswith(own)


def derive_layout(drawn: TableParts) -> Layout:
    facts = facts_of(drawn.form)
    pairs = {
        view_of(item, keys, _stored_entity(facts.spec, item)): (item, keys) for item, keys in stored_keys(drawn.items)
    }
    views = _Views(facts, {view: pairs[view] for view in sorted(pairs, key=_order)})
    reads = dict(_stored_reads(drawn, views))
    together = [each.views.values() for each in reads.values() if len(each.views) > 1]
    groups = groups_of([view for view in views.stored if view.lsi is None], together)
    groups += local_groups(tuple(views.stored), groups)
    return Layout(
        facts=facts,
        form=drawn.form,
        style=drawn.style,
        keys={view: _keys(keys) for view, (_, keys) in views.stored.items()},
        groups={view: group for group in groups for view in group},
        shards={view: keys.shards for view, (_, keys) in views.stored.items()},
        tags={view: item.name for view, (item, _) in views.stored.items()},
        projections={
            each.name: each.projection.attributes for each in drawn.table.gsis if each.projection.type != "ALL"
        },
        reads=reads,
        located=dict(_located(drawn, views)),
    )


def _stored_reads(drawn: TableParts, views: _Views) -> Iterator[tuple[str, StoredRead]]:
    """Of every read as it was written: its steps, each with the stored pattern that it answers."""
    bare = {each.name for each in drawn.table.gsis if each.projection.type == "KEYS_ONLY"}
    own = {each.id for each in drawn.form.origin.reads}
    for pattern in drawn.patterns:
        steps = pattern.reads
        lists: list[int] = []  # by part: how many steps find its items
        for part in drawn.form.parts(pattern.id) if pattern.id in own else ():
            if not steps:
                raise DesignError(f"{pattern.id} lacks the step that answers {part.pattern}")
            fetches = steps[0].index in bare or _is_fetched(steps) or _sees_again(views.facts, part, steps)
            read = _stored_read(views, part, steps[0], fetches=fetches)
            yield part.pattern, read
            several = len(read.entities) == 1 and _is_in_two(read.servings[read.entities[0]], steps[1:])
            lists.append((2 if several else 1) * (1 if part.keys_from is None else lists[part.keys_from]))
            steps = steps[lists[-1] * (2 if fetches else 1) :]
        for part in drawn.form.parts(pattern.id)[1:] if pattern.id not in own else ():
            for step in pattern.reads if part.takes else ():
                if step.takes == part.takes and step.table == drawn.table.name:
                    yield part.pattern, _stored_read(views, part, step, fetches=False)
        for cascade in pattern.cascade:
            if cascade.reads[0].table == drawn.table.name:
                part = ReadPart(pattern=read_id(pattern.id, cascade.of, cascade.entity, cascade.by))
                yield part.pattern, _stored_read(views, part, cascade.reads[0], fetches=len(cascade.reads) > 1)
        for refresh in (*pattern.refreshes, *pattern.followed):
            if refresh.reads[0].table == drawn.table.name:
                part = ReadPart(pattern=read_id(pattern.id, pattern.entities[0], refresh.entity, refresh.by))
                yield part.pattern, _stored_read(views, part, refresh.reads[0], fetches=len(refresh.reads) > 1)


def _is_fetched(steps: Sequence[ReadStep]) -> bool:
    """Whether the items follow by the keys that an index has of them, although it holds more than those."""
    return steps[0].index is not None and len(steps) > 1 and [each.template for each in steps[1].pk] == [slot("pk")]


def _sees_again(facts: Facts, part: ReadPart, steps: Sequence[ReadStep]) -> bool:
    """Whether what a delete goes on to is fetched by its keys, whatever its index holds."""
    pattern = facts.spec.pattern(part.pattern)
    return pattern is not None and bool(pattern.cascade_of) and len(steps) > 1


def _is_in_two(serving: Serving, behind: Sequence[ReadStep]) -> bool:
    """Whether a list comes from two requests; designs of earlier versions left out what belongs into the second."""
    return serving.lacking in ("before", "behind") and any(each.continues for each in behind)


def _stored_read(views: _Views, part: ReadPart, step: ReadStep, *, fetches: bool) -> StoredRead:
    facts = views.facts
    pattern = facts.spec.pattern(part.pattern)
    if pattern is None:
        raise DesignError(f"there is no access pattern {part.pattern} in the spec that is stored")
    found = views.read_by(step, pattern)
    servings = {name: _serving(facts, pattern, view) for name, view in found.items()}
    first = pattern.entity
    single: ReadOperation = "BatchGetItem" if pattern.kind == "batch" else "GetItem"
    return StoredRead(
        operation=single if servings[first].is_get else "Query",
        index=step.index,
        filters=step.filters[: len(step.filters) - len(part.only) - (part.within is not None)],
        backwards=step.backwards,
        limit=step.limit,
        consistent=step.consistent,
        entities=pattern.entities,
        shards=views.stored[found[first]][1].shards,
        for_each=step.for_each,
        fetches=fetches,
        views=found,
        servings=servings,
    )


def _serving(facts: Facts, pattern: PatternSpec, view: View) -> Serving:
    if len(pattern.entities) > 1:
        found = part_of_collection(facts, pattern, view.shape)
    else:
        found = serve(facts, pattern, view.shape, in_table=view.index is None)
    if found is None:
        raise DesignError(
            f"the keys of {view.entity} in {view.index or 'the table'} do not serve {pattern.id} as its spec is read;"
            " make the design again from the spec"
        )
    return found


def _located(drawn: TableParts, views: _Views) -> Iterator[tuple[tuple[str, str], Located]]:
    """Writes that look for their items by a query; a GetItem only looks at an item whose key is known."""
    writes = {each.id: each for each in views.facts.spec.writes}
    for pattern in drawn.patterns:
        for step in pattern.reads if pattern.id in writes else ():
            if step.table == drawn.table.name and step.operation == "Query":
                (entity,) = step.entities
                asked = as_question(views.facts, writes[pattern.id], entity)
                view = views.read_by(step, asked)[entity]
                yield (pattern.id, entity), Located(view, _serving(views.facts, asked, view))
