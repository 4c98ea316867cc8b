"""Words for faults: what is changed in a design, and where. A fault that finds nothing to change is no fault.

An edit is a function from a design to the same with one thing changed. `read("of-customer", limit=6)` changes the read
steps of a pattern, `write("join", of("sentinel"), condition=None)` the write steps on sentinels; a value that is a
function gets the step (or key) and gives the new value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from msgspec.structs import replace

from tablewright.design.model import ReadStep
from tablewright.design.values.templates import KeyTemplate, Template
from tablewright.spec.conditions import Predicate, join

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import (
        Design,
        Index,
        ItemKeys,
        ItemType,
        PatternDesign,
        SortCondition,
        WriteStep,
    )

T = TypeVar("T")
Edit: TypeAlias = "Callable[[Design], Design]"
Selector: TypeAlias = "Callable[[Design, WriteStep], bool]"


class NothingToBreakError(AssertionError):
    """The design has no such thing: the fault says nothing about the proof."""


def _changed(each: Any, fields: dict[str, Any]) -> Any:
    return replace(each, **{name: value(each) if callable(value) else value for name, value in fields.items()})


def _some(old: Iterable[T], new: Iterable[T], what: str) -> tuple[T, ...]:
    found = tuple(new)
    if found == tuple(old):
        raise NothingToBreakError(what)
    return found


def one_after_the_other(*edits: Edit) -> Edit:
    """Several changes that are one fault, each of which must have something to change."""

    def change(made: Design) -> Design:
        for each in edits:
            made = each(made)
        return made

    return change


# ---- patterns and their reads ---------------------------------------------------------------------------------------


def pattern_of(made: Design, id_: str) -> PatternDesign:
    found = [each for each in made.patterns if each.id == id_]
    if not found:
        raise NothingToBreakError(f"no pattern {id_}")
    return found[0]


def pattern(id_: str, **fields: Any) -> Edit:
    """Other fields of a pattern."""

    def change(made: Design) -> Design:
        own = pattern_of(made, id_)
        new = (_changed(each, fields) if each is own else each for each in made.patterns)
        return replace(made, patterns=_some(made.patterns, new, f"{id_} stays as it is"))

    return change


def steps(id_: str, which: str, edit: Callable[[tuple[Any, ...]], Iterable[Any]]) -> Edit:
    """The `reads`, `writes` or `cascade` of a pattern as a whole."""
    return pattern(id_, **{which: lambda own: tuple(edit(getattr(own, which)))})


def read(id_: str, at: int | None = None, **fields: Any) -> Edit:
    """Other fields of the read steps of a pattern, or of the one at that place."""

    def edit(found: tuple[ReadStep, ...]) -> Iterable[ReadStep]:
        return (_changed(each, fields) if at in (None, number) else each for number, each in enumerate(found))

    return steps(id_, "reads", edit)


def sort_key(id_: str, at: int | None = None, **fields: Any) -> Edit:
    """Other fields of the conditions on the sort key."""

    def conditions(step: ReadStep) -> tuple[SortCondition, ...]:
        return tuple(_changed(each, fields) for each in step.sk)

    return read(id_, at, sk=conditions)


def flipped(step: ReadStep) -> bool:
    return not step.backwards


def one_more(step: ReadStep) -> int:
    return _limit(step) + 1


def one_less(step: ReadStep) -> int:
    return _limit(step) - 1


def _limit(step: ReadStep) -> int:
    if step.limit is None:
        raise NothingToBreakError("no limit")
    return step.limit


# ---- writes ---------------------------------------------------------------------------------------------------------


def of(kind: str = "", operation: str = "", entity: str = "") -> Selector:
    """Write steps on items of that kind or entity, by that operation."""

    def select(made: Design, step: WriteStep) -> bool:
        item = made.item(step.item)
        return kind in ("", item.kind) and operation in ("", step.operation) and entity in ("", item.entity)

    return select


EVERY_STEP = of()


def write(id_: str, where: Selector = EVERY_STEP, **fields: Any) -> Edit:
    """Other fields of those write steps of a pattern that are selected."""

    def change(made: Design) -> Design:
        def edit(found: tuple[WriteStep, ...]) -> Iterable[WriteStep]:
            return (_changed(each, fields) if where(made, each) else each for each in found)

        return steps(id_, "writes", edit)(made)

    return change


def left_out(id_: str, where: Selector) -> Edit:
    """Those write steps of a pattern are forgotten."""

    def change(made: Design) -> Design:
        return steps(id_, "writes", lambda found: (each for each in found if not where(made, each)))(made)

    return change


def repeated(id_: str, where: Selector, **fields: Any) -> Edit:
    """Those write steps of a pattern are there once more, with other fields."""

    def change(made: Design) -> Design:
        def edit(found: tuple[WriteStep, ...]) -> Iterable[WriteStep]:
            return (*found, *(_changed(each, fields) for each in found if where(made, each)))

        return steps(id_, "writes", edit)(made)

    return change


def one_by_one(id_: str) -> Edit:
    """What should be a transaction is single writes."""
    return pattern(id_, transaction=False)


def without(text: str) -> Callable[[WriteStep], Predicate | None]:
    """The condition of a step without those parts that have this text in them."""

    def shorter(step: WriteStep) -> Predicate | None:
        parts = () if step.condition is None else step.condition.parts
        return join(*(each for each in parts if text not in str(each)))

    return shorter


def unset(*names: str) -> Callable[[WriteStep], Any]:
    """What a step sets, without these attributes (a `*` in front: those that end so)."""

    def fewer(step: WriteStep) -> Any:
        return {path: value for path, value in step.set.items() if not any(map(_is_like(path.name), names))}

    return fewer


def _is_like(name: str) -> Callable[[str], bool]:
    return lambda wanted: name.endswith(wanted[1:]) if wanted.startswith("*") else name == wanted


def in_key(step: WriteStep | ReadStep, edit: Callable[[str], str]) -> tuple[KeyTemplate, ...]:
    keys = step.pk if isinstance(step, ReadStep) else step.key
    return tuple(replace(each, template=Template.parse(edit(str(each.template)))) for each in keys)


# ---- items, keys and indexes ----------------------------------------------------------------------------------------


def item(name: str, **fields: Any) -> Edit:
    """Other fields of an item type: that of the entity, or the entity's of another kind as `Follow copy`."""
    entity, _, kind = name.partition(" ")

    def change(made: Design) -> Design:
        def is_meant(each: ItemType) -> bool:
            return each.entity == entity and each.kind == (kind or "entity")

        new = (_changed(each, fields) if is_meant(each) else each for each in made.items)
        return replace(made, items=_some(made.items, new, f"no {name} to change"))

    return change


def index_of(made: Design, id_: str) -> str | None:
    """Where a pattern reads; a write is about the table."""
    own = pattern_of(made, id_)
    return None if own.kind == "write" else own.reads[0].index


def keys(name: str, serving: str, **fields: Any) -> Edit:
    """Other fields of the keys of an item type in the place that a pattern reads."""

    def change(made: Design) -> Design:
        place = index_of(made, serving)

        def edit(own: ItemType) -> tuple[ItemKeys, ...]:
            return tuple(_changed(each, fields) if each.index == place else each for each in own.keys)

        return item(name, keys=edit)(made)

    return change


def index(serving: str, **fields: Any) -> Edit:
    """Other fields of the index that a pattern reads."""

    def change(made: Design) -> Design:
        place = index_of(made, serving)

        def edit(found: tuple[Index, ...]) -> tuple[Index, ...]:
            return tuple(_changed(each, fields) if each.name == place else each for each in found)

        tables = (replace(each, gsis=edit(each.gsis), lsis=edit(each.lsis)) for each in made.tables)
        return replace(made, tables=_some(made.tables, tables, f"{serving} reads no index"))

    return change


# ---- templates, wherever they stand ---------------------------------------------------------------------------------


def rewritten(field: str, edit: Callable[[str], str], *, item: str = "") -> Edit:
    """The template of a key field, in item types (or one of them) and in every step: a consistent fault.

    `edit` gets the written form, also of the ends of ranges.
    """

    def change(made: Design) -> Design:
        def key(each: KeyTemplate) -> KeyTemplate:
            return replace(each, template=_rewrite(each.template, edit)) if each.field == field else each

        items = tuple(_rewrite_item(each, key) if item in ("", each.name) else each for each in made.items)
        patterns = tuple(_rewrite_pattern(each, field, edit, key, item) for each in made.patterns)
        return replace(
            made,
            items=_some(made.items, items, f"{field} stays as it is"),
            patterns=patterns,
        )

    return change


def _rewrite(template: Template, edit: Callable[[str], str]) -> Template:
    return Template.parse(edit(str(template)))


def _rewrite_item(each: ItemType, key: Callable[[KeyTemplate], KeyTemplate]) -> ItemType:
    found = (replace(k, pk=tuple(map(key, k.pk)), sk=tuple(map(key, k.sk))) for k in each.keys)
    return replace(each, keys=tuple(found))


def _rewrite_pattern(
    own: PatternDesign,
    field: str,
    edit: Callable[[str], str],
    key: Callable[[KeyTemplate], KeyTemplate],
    item: str,
) -> PatternDesign:
    def end(each: SortCondition) -> SortCondition:
        high = None if each.high is None else _rewrite(each.high, edit)
        return replace(each, low=_rewrite(each.low, edit), high=high) if each.field == field else each

    def reading(step: ReadStep) -> ReadStep:
        if item and item not in step.items:
            return step
        return replace(step, pk=tuple(map(key, step.pk)), sk=tuple(map(end, step.sk)))

    def writing(step: WriteStep) -> WriteStep:
        if item not in ("", step.item):
            return step
        known = {path: _rewrite(value, edit) if path.name == field else value for path, value in step.set.items()}
        return replace(step, key=tuple(map(key, step.key)), set=known)

    return replace(own, reads=tuple(map(reading, own.reads)), writes=tuple(map(writing, own.writes)))
