"""What to keep in mind when values go into keys, and what the runtime's service does not do as the design says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.encoding import DECIMALS, DIGITS
from tablewright.design.service import collections_in, is_typed
from tablewright.design.serving.trailing import usual_delay
from tablewright.design.tables import trailing, window_of
from tablewright.design.wording import concat
from tablewright.spec.conditions import describe_when
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, ItemKeys, ItemType


def notes_of(design: Design) -> tuple[str, ...]:
    style = _electro_notes if design.key_style == "electrodb" else _plain_notes
    return (
        *style(design),
        *_sparse_notes(design),
        *_cascade_notes(design),
        *_refresh_notes(design),
        *_followed_notes(design),
        *_trailing_notes(design),
        *_service_notes(design),
    )


def _places(design: Design) -> Iterator[tuple[ItemType, ItemKeys, str]]:
    """Every item type in every place, and how to say that; of copies the first speaks for all."""
    for item in design.items:
        for keys in (each for each in item.keys if each.copy <= 1):
            yield item, keys, f"{item.name} in {keys.index or 'the table'}"


def _of_type(item: ItemType, names: tuple[str, ...], *types: str) -> list[str]:
    kinds = {each.name: each for each in item.attributes}
    return [name for name in names if name in kinds and kinds[name].type in types and not kinds[name].values]


def _numbers_in_keys(design: Design) -> list[str]:
    """Those that stand in texts."""
    return sorted(
        {
            f"{item.name}.{name}"
            for item, keys, _ in _places(design)
            for name in _of_type(item, (*keys.partition, *keys.lead, *keys.rest), "number")
            if not keys.native
        }
    )


def _sparse_notes(design: Design) -> Iterator[str]:
    for item, keys, _ in _places(design):
        if keys.when:
            yield (
                f"{keys.index} holds {item.name} only {describe_when(keys.when)}: who writes items in other ways than"
                " by the patterns has to set and to remove its key fields accordingly."
            )


def _cascade_notes(design: Design) -> Iterator[str]:
    """What may be seen while a delete goes on."""
    for pattern in design.patterns:
        if pattern.cascade:
            along = concat(dict.fromkeys(each.entity for each in pattern.cascade))
            job = " That can be more than a call should do: run it as a job." if pattern.as_job else ""
            again = (
                "a run that was stopped is finished by running it again"
                if pattern.resumes
                else "a run that was stopped leaves it: a second one does not find the item"
            )
            yield (
                f"{pattern.id}: what names the deleted item ({along}) goes after it, in requests of its own; until then"
                f" it can be read without it, and {again}.{job}"
            )


def _refresh_notes(design: Design) -> Iterator[str]:
    """What else must be kept in step with an update, by whoever writes in other ways."""
    for pattern in design.patterns:
        if pattern.refreshes:
            keeping = concat(dict.fromkeys(each.entity for each in pattern.refreshes))
            yield (
                f"{pattern.id}: writes every {keeping} that keeps copies of the item, in one transaction. It is refused"
                " where one comes or goes meanwhile, or where an index does not show one yet: call it again. Who writes"
                " in other ways than by the patterns has to set the copies and their number too."
            )


def _followed_notes(design: Design) -> Iterator[str]:
    """What no write keeps in step."""
    found = [(pattern.entities[0], each.entity) for pattern in design.patterns for each in pattern.followed]
    for parent, child in dict.fromkeys(found):
        delay = usual_delay(window_of(read_spec(design.spec), design.items))
        yield (
            f"{child}: what it keeps of its {parent} is set by the function that `generate --to lambda` makes, up to"
            f" about {delay} s behind the writes, and further while it fails. Deploy it with the table."
        )


def _trailing_notes(design: Design) -> Iterator[str]:
    """What is kept by nobody who writes."""
    kept = trailing(design.items)
    if not kept:
        return
    spec = read_spec(design.spec)
    for table in dict.fromkeys(each.table for each in kept):
        own = [each for each in kept if each.table == table]
        delay = usual_delay(window_of(spec, own))
        yield (
            f"{concat(each.name for each in own)}: kept by the function that `generate --to lambda` makes, up to about"
            f" {delay} s behind the writes, and further while it fails. Deploy it with the table: without it nothing is"
            f" {_kept_how(own)}, and a table that has items already must be {_kept_how(own)} once."
        )


def _kept_how(kept: list[ItemType]) -> str:
    totals, lists = any(each.top is None for each in kept), any(each.top is not None for each in kept)
    return "counted and listed" if totals and lists else "listed" if lists else "counted"


# ---- ElectroDB's keys -----------------------------------------------------------------------------------------------


def _electro_notes(design: Design) -> Iterator[str]:
    numbers = _numbers_in_keys(design)
    if numbers:
        yield (
            f"Numbers in keys ({', '.join(numbers)}): whole ones from 0 on are padded as ElectroDB does it; decimals"
            " and numbers below zero stand in a form that sorts with them, which ElectroDB writes in the generated"
            " package only."
        )
    ordered = {name for each in design.patterns for name in _ordered_by(design, each.id)}
    for item, keys, where in _places(design):
        if keys.native:
            continue
        texts = [name for name in _of_type(item, (*keys.lead, *keys.rest)[:-1], "string") if name in ordered]
        if texts:
            yield (
                f"{where}: answers are in the order of {', '.join(texts)}, and more of the sort key follows it; values"
                " with spaces, ! or quotation marks sort wrongly, which the plain style avoids."
            )


def _ordered_by(design: Design, pattern: str) -> Iterator[str]:
    """The attributes that a pattern sorts or ranges by."""
    found = next(each for each in design.patterns if each.id == pattern)
    yield from (name for name, _ in found.sorted_by)
    yield from (each.attribute for each in found.parameters if each.attribute and each.name in ("from", "to", "value"))


def _plain_notes(design: Design) -> Iterator[str]:
    numbers = _numbers_in_keys(design)
    yield "Plain keys escape what would break their order, so that any text may stand in them." + (
        f" Numbers there ({', '.join(numbers)}) have at most {DIGITS} digits before the point and {DECIMALS} behind it."
        if numbers
        else ""
    )


# ---- the service ----------------------------------------------------------------------------------------------------


def _service_notes(design: Design) -> Iterator[str]:
    for item, keys, where in _places(design):
        required = {each.name for each in item.attributes if each.required}
        optional = [name for name in (*keys.partition, *keys.lead) if name not in required]
        if optional and keys.index is not None and not keys.native:
            yield (
                f"{where}: an item without {', '.join(optional)} is not in the index by the design; a service that is"
                f" loaded (like ElectroDB) indexes it under an empty value, or refuses it."
            )
        cut = [name for name in keys.rest if name not in required]
        if cut and len(keys.rest) > 1 and keys.index is not None and not keys.native:
            yield f"{where}: a loaded service refuses an item that has some but not all of {', '.join(keys.rest)}."
        demanded = keys.when.required if keys.when else {}
        absent = [name for name, value in demanded.items() if value is None]
        if absent:
            yield (
                f"{where}: a loaded service (like ElectroDB) keeps items without {', '.join(absent)} in the index,"
                " apart from those that have it; answers are the same, and more is written and stored."
            )
        if keys.shards > 1 and _of_type(item, item.id, "number"):
            yield f"{where}: the service counts other shards, because numbers of the id are not padded for that."
        if is_typed(design, keys):
            yield f"{where}: no access pattern in the service, because the item's type is a part of the key."
        if keys.collections and not collections_in(design, keys):
            why = "cannot be sharded" if keys.shards > 1 else "need keys of the same types in all entities"
            yield f"{where}: no collection in the service, whose collections {why}; query each type."
    along = [
        f"{each.name} ({each.kind} of {each.entity})"
        for each in design.items
        if each.is_written_along and not each.is_second_item
    ]
    if along:
        yield (
            f"{', '.join(along)}: an entity of its own in the service, which does not write it along; write it in the"
            " same transaction, as the design's patterns do."
        )
    inside = [f"{each.name} (in {each.holder})" for each in design.items if each.kind == "embedded"]
    inside += [f"{each.name} (in the items of its periods)" for each in design.items if each.kind == "packed"]
    if inside:
        yield f"No entities of the service, because they lie inside of others: {', '.join(inside)}."
