"""What was recorded and what Node gave, in one form.

Order counts in every answer: the generated functions read in the order of keys, as the proof's client does. Two items
whose sort keys are equal may come in either order where several partitions are merged; then they are compared as a
set. `grouped`: the package gives items of several entities by entity.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tablewright.design.steps.compile import compile_design
from tablewright.design.steps.lists import limit_of, lists_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.design.model import Design, PatternDesign
    from tablewright.design.steps.model import Read
    from tests.codegen.replay import Call


def pattern_of(design: Design, id_: str) -> PatternDesign:
    return next(each for each in design.patterns if each.id == id_)


def expected_of(design: Design, calls: Sequence[Call], *, grouped: bool = False) -> list[Any]:
    return [expected(pattern_of(design, each.pattern), each, grouped) for each in calls]


def expected(pattern: PatternDesign, call: Call, grouped: bool) -> Any:
    if call.answer is None:
        return said(call, call.outcome)
    if pattern.aggregate:
        return said(call, call.answer.number)
    items = [[each.entity, each.item] for each in call.answer.items]
    return said(call, ordered(pattern, items[:1] if pattern.kind == "get" else items, grouped))


def answers_of(design: Design, calls: Sequence[Call], results: Sequence[Any], *, grouped: bool = False) -> list[Any]:
    pairs = zip(calls, results, strict=True)
    return [answer(pattern_of(design, call.pattern), call, result, grouped) for call, result in pairs]


def answer(pattern: PatternDesign, call: Call, result: Any, grouped: bool) -> Any:
    if "error" in result:
        return said(call, result)
    if call.answer is None:
        return said(call, result.get("outcome"))
    if pattern.aggregate:
        return said(call, result.get("number", {"NULL": True}))
    only = pattern.entities[0]
    items = [[each.get("entity", only), returned(pattern, each["item"])] for each in result["items"]]
    return said(call, ordered(pattern, items, grouped))


def said(call: Call, what: Any) -> list[Any]:
    """With the question in front, so that a difference explains itself."""
    return [call.pattern, call.inputs, what]


def returned(pattern: PatternDesign, item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name in pattern.returns} if pattern.returns else item


def ordered(pattern: PatternDesign, items: list[Any], grouped: bool) -> list[Any]:
    """As they came; where partitions are merged or maps unfolded, in the order asked for and then in any one order."""
    if not any(step.shards > 1 or step.for_each or step.unfold for step in pattern.reads):
        return sorted(items, key=lambda each: each[0]) if grouped else items
    names = [name for name, _ in pattern.sorted_by]
    order = [[each[1].get(name) for name in names] for each in items]
    return [order, sorted(items, key=json.dumps)]


def in_pages(
    design: Design, calls: Sequence[Call], results: Sequence[Any], size: int, *, grouped: bool = False
) -> list[Any]:
    """The same, after a look at the pages: each is full but the last. Pages go on where the pattern has its limit."""
    reads = compile_design(design).reads
    for call, result in zip(calls, results, strict=True):
        sizes = result.get("sizes")
        if sizes is None:
            is_limited = any(step.limit is not None for step in reads[call.pattern])
            result.update(cut_entities(call, result) if grouped and is_limited else {})
            continue
        lists = lists_of(reads[call.pattern])
        if len(lists) > 1:  # a page has of each so many, and all of those that have no limit
            result["items"] = cut_lists(reads[call.pattern], lists, result["items"])
            continue
        uncounted = {step.beside for step in reads[call.pattern]}
        beside = [each for each in result["items"] if each.get("entity") in uncounted]
        sizes[:1] = [each - len(beside) for each in sizes[:1]]  # the one that no limit counts is on the first page
        assert all(each <= size for each in sizes), (call, sizes)
        limit = limit_of(reads[call.pattern], lists[0])
        if any(step.counts_gone for step in reads[call.pattern]):
            result["items"] = cut_entries(call, result["items"], sizes, size, limit)
            continue
        assert all(each == size for each in sizes[:-1]), (call, sizes)
        result["items"] = result["items"][: limit if limit is None else limit + len(beside)]
    return answers_of(design, calls, results, grouped=grouped)


def cut_entities(call: Call, result: dict[str, Any]) -> dict[str, Any]:
    """Pages by entity go on behind the limit too: of each entity the first ones, as many as are expected.

    A limit that counts several entities says nothing of each; how many there are is told by the answer alone.
    """
    if "items" not in result or call.answer is None:
        return {}
    wanted = [each.entity for each in call.answer.items]
    found = {name: [each for each in result["items"] if each.get("entity", name) == name] for name in set(wanted)}
    return {"items": [each for name in sorted(found) for each in found[name][: wanted.count(name)]]}


def cut_entries(call: Call, items: list[Any], sizes: list[int], size: int, limit: int | None) -> list[Any]:
    """Pages and limit count entries: what the limit lets through lies on the first pages, however few these have."""
    assert call.answer is not None
    answered = len(call.answer.items)
    if limit is not None:
        assert sum(sizes[: limit // size]) <= answered <= sum(sizes[: -(-limit // size)]), (call, sizes)
    return items[:answered] if limit is not None else items


def cut_lists(steps: tuple[Read, ...], lists: list[list[int]], items: list[Any]) -> list[Any]:
    """One list behind the other, each as long as its limit; items say by their entities which one is theirs."""
    entities = [{name for at in each for name in steps[at].entities} for each in lists]
    assert sum(map(len, entities)) == len(set[str]().union(*entities))
    found = ([item for item in items if item["entity"] in each] for each in entities)
    return [item for each, own in zip(lists, found, strict=True) for item in own[: limit_of(steps, each)]]
