"""Doubts about what is read, how it is keyed and what is always there, in the order in which they are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.architect.explain.questions.asking import OpenQuestion, Reply
from tablewright.architect.search.keep import keys_of
from tablewright.design.wording import concat, number
from tablewright.spec.listing import asked_reads
from tablewright.spec.writes import unread_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tablewright.architect.assembly.solution import Solution
    from tablewright.spec.model import AttributeSpec, EntitySpec, PatternSpec

# ---- what is read and listed ----------------------------------------------------------------------------------------


def _addressed_by_id(solution: Solution) -> Iterator[OpenQuestion]:
    """Entities whose table key holds more than their id, and that nobody reads or changes by it."""
    for name, entity in solution.origin.entities.items():
        base = solution.choice.base.get(name)
        known = any(
            set(each.by) == set(entity.id) and name in each.entities
            for each in (*asked_reads(solution.origin), *solution.origin.writes)
            if each.op != "put"
        )
        if known or base is None or set(base.attributes) <= set(entity.id):
            continue
        pattern = {"kind": "get", "entity": name, "by": list(entity.id)}
        yield OpenQuestion(
            id=f"by-id:{name}",
            source="by-id",
            place="access_patterns",
            question=f"Is one {name} ever read or changed by its {concat(entity.id)} alone?",
            assumed="No, no pattern says so",
            others=(Reply(f"Yes, given {concat(entity.id)}", {f"access_patterns.get-{name}": pattern}),),
        )


def _both_directions(solution: Solution) -> Iterator[OpenQuestion]:
    """Entities that join others and are not listed from every side."""
    for name, entity in solution.origin.entities.items():
        sides = _sides_of(solution, entity)
        unlisted = [attr for attr in sides if not _lists_by(solution, name, attr)]
        if len(sides) < 2 or not unlisted:
            continue
        changes = {
            f"access_patterns.list-{name}-by-{attr}": {"kind": "query", "entity": name, "by": [attr]}
            for attr in unlisted
        }
        yield OpenQuestion(
            id=f"lists:{name}",
            source="lists",
            place="access_patterns",
            question=f"Is {name} also listed by {concat(unlisted)}?",
            assumed="No, no pattern says so",
            others=(Reply(f"Yes, by {concat(unlisted)}{' each' if len(unlisted) > 1 else ''}", changes),),
        )


def _sides_of(solution: Solution, entity: EntitySpec) -> list[str]:
    """What it refers to, and the whole id of what holds a many-to-many relationship."""
    joins = any(each.via == entity.name for each in solution.origin.relationships)
    names = [*(entity.id if joins else ()), *solution.asked.references[entity.name]]
    return [name for name in dict.fromkeys(names) if (name,) != entity.id]


def _lists_by(solution: Solution, entity: str, attr: str) -> bool:
    return any(entity in each.entities and each.by == (attr,) for each in asked_reads(solution.origin))


LARGE_ANSWER = 200
PAGE = 50


def _large_answers(solution: Solution) -> Iterator[OpenQuestion]:
    """Reads that bring more than anybody looks at."""
    for pattern in solution.origin.reads:
        items = _answer_items_of(solution, pattern)
        if pattern.limit or pattern.items or pattern.aggregate or items < LARGE_ANSWER:
            continue
        place = f"access_patterns.{pattern.id}.limit"
        yield OpenQuestion(
            id=f"limit:{pattern.id}",
            source="limit",
            place=place,
            question=f"Does {pattern.id} need all of its about {number(items)} items at once?",
            assumed=f"Yes, all {number(items)}",
            others=(Reply(f"No, {PAGE} at a time", {place: PAGE}),),
        )


def _answer_items_of(solution: Solution, pattern: PatternSpec) -> float:
    if pattern.id in solution.choice.plans:
        return solution.choice.plans[pattern.id].serving.returned_items
    if pattern.id not in solution.choice.collections:
        return 0.0
    gathering, _ = solution.choice.collections[pattern.id]
    return sum(next(iter(found.values())).returned_items for found in gathering.parts.values())


# ---- attributes -----------------------------------------------------------------------------------------------------


def _asked_attributes(solution: Solution) -> Mapping[str, tuple[EntitySpec, ...]]:
    """Attributes by which something is found, ranged or sorted, with the entities whose id they are no part of."""
    found: dict[str, dict[str, EntitySpec]] = {}
    for each in asked_reads(solution.origin):
        names = [*each.by, *(sort.attr for sort in each.sort), *([each.range.attr] if each.range else [])]
        for entity in (solution.origin.entities[name] for name in each.entities):
            for attr in names:
                if attr in entity.attributes and attr not in entity.id:
                    found.setdefault(attr, {})[entity.name] = entity
    return {attr: tuple(entities.values()) for attr, entities in found.items()}


def _presence_of_attributes(solution: Solution) -> Iterator[OpenQuestion]:
    """Asked once for all entities that have the attribute."""
    for attr, entities in _asked_attributes(solution).items():
        silent = [each.name for each in entities if _is_silent(each.attributes[attr])]
        for always in (True, False):
            names = [name for name in silent if (attr in solution.asked.present[name]) is always]
            if names:
                yield _presence_of(attr, names, always=always)


def _is_silent(attribute: AttributeSpec) -> bool:
    return attribute.required is None and attribute.presence is None


def _presence_of(attr: str, names: list[str], *, always: bool) -> OpenQuestion:
    places = [f"entities.{name}.attributes.{attr}.required" for name in names]
    words = ("Yes", "No, it may be absent")
    return OpenQuestion(
        id=f"present:{'+'.join(names)}.{attr}",
        source="present",
        place=places[0],
        question=f"Does every {concat(names)} have {attr} from the start?",
        assumed=words[0] if always else words[1],
        others=(Reply(words[1] if always else words[0], dict.fromkeys(places, not always)),),
    )


def _change_of_attributes(solution: Solution) -> Iterator[OpenQuestion]:
    """Of attributes in keys, asked once for all entities that have it there."""
    keys = keys_of(solution.choice)
    for attr, entities in _asked_attributes(solution).items():
        held = [
            each
            for each in entities
            if any(key.shape.entity == each.name and attr in key.shape.attributes for key in keys)
        ]
        unsaid = [each for each in held if each.attributes[attr].immutable is None]
        silent = [each for each in unsaid if not _is_changed(solution, each, attr)]
        for may in (True, False):
            found = [each for each in silent if (attr in solution.asked.changing[each.name]) is may]
            if found:
                yield _change_of(attr, found, may=may)


def _is_changed(solution: Solution, entity: EntitySpec, attr: str) -> bool:
    """Whether an update says that it changes it."""
    writes = [each for each in solution.origin.writes if entity.name in each.entities]
    return any(attr in (each.changed_of(entity.name) or ()) for each in writes)


def _change_of(attr: str, entities: list[EntitySpec], *, may: bool) -> OpenQuestion:
    names = [each.name for each in entities]
    fixed = {f"entities.{name}.attributes.{attr}.immutable": True for name in names}
    moves = {f"access_patterns.change-{each.name}-{attr}": _update_of(each, attr) for each in entities}
    return OpenQuestion(
        id=f"changes:{'+'.join(names)}.{attr}",
        source="changes",
        place=next(iter(fixed)),
        question=f"Can {attr} of {concat(names, last='or')} change after it was written?",
        assumed="Yes, a write may change it" if may else "No, puts only create, and no update changes it",
        others=(Reply("No, never", fixed) if may else Reply("Yes", moves),),
    )


def _update_of(entity: EntitySpec, attr: str) -> dict[str, Any]:
    return {"kind": "write", "op": "update", "entity": entity.name, "by": [*entity.id, attr], "changes": [attr]}


def _references(solution: Solution) -> Iterator[OpenQuestion]:
    """Relationships whose child does not say which attribute names its parent."""
    spec = solution.origin
    for at, each in enumerate(spec.relationships):
        child, parent = spec.entities.get(each.via or each.target), spec.entities.get(each.source)
        if child is None or parent is None or child is parent or each.by or each.kind == "many-to-many":
            continue
        likely = [attr for attr in child.attributes if _is_likely(attr, parent) and attr not in child.id[-1:]]
        if likely and parent.name not in solution.asked.references[child.name].values():
            yield OpenQuestion(
                id=f"reference:{child.name}:{parent.name}",
                source="reference",
                place=f"relationships[{at}].by",
                question=f"Which attribute of {child.name} names its {parent.name}?",
                assumed="None was recognised, so none is known to be there always",
                others=tuple(Reply(attr, {f"relationships[{at}].by": [attr]}) for attr in likely[:2]),
            )


def _is_likely(attr: str, parent: EntitySpec) -> bool:
    return attr in parent.id or parent.name.lower() in attr.lower() or attr.lower().endswith("id")


def _conditions_in_words(solution: Solution) -> Iterator[OpenQuestion]:
    """Words that nobody could read are no condition that a database can check; only the answer tells what they mean."""
    for pattern in solution.origin.writes:
        for words in unread_of(solution.asked, pattern):
            yield OpenQuestion(
                id=f"condition:{pattern.id}",
                source="condition",
                place=f"access_patterns.{pattern.id}.when",
                question=f'What does "{words}" of {pattern.id} mean as a condition on attributes?',
                assumed="It is left to the application: the database does not check it, and nothing proves it",
                always=True,
            )


DOUBTS: tuple[Callable[[Solution], Iterator[OpenQuestion]], ...] = (
    _conditions_in_words,
    _addressed_by_id,
    _both_directions,
    _large_answers,
    _references,
    _presence_of_attributes,
    _change_of_attributes,
)
