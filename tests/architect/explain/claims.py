"""What explanations say of requests, read back from their sentences and held against the requests beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.advice import Decision
    from tablewright.design.model import Design, PatternDesign, ReadStep

Said: TypeAlias = "Iterator[str]"
"""What is said and is not so."""

INDEX = re.compile(r"\b[gl]si\d+\b")


def false_claims(made: Design) -> list[str]:
    """Of every pattern and every decision; empty where all that could be read back is true."""
    found = [f"{each.id}: {text} | {each.why}" for each in made.patterns for text in _false_of(made, each)]
    for decision in made.advice.decisions:
        found += [f"{decision.id}: {text} | {decision.chosen}: {decision.why}" for text in _decided(made, decision)]
    return found


def _false_of(made: Design, pattern: PatternDesign) -> Said:
    if not pattern.why:
        yield "nothing is said"
    if pattern.kind == "write":
        yield from _of_write(made, pattern)
    else:
        for check in (_requests, _places, _consistency, _direction, _range, _filters):
            yield from check(pattern)
        yield from _sparse(made, pattern)


# ---- reads ----------------------------------------------------------------------------------------------------------


def _requests(pattern: PatternDesign) -> Said:
    """`one` means one: no shards, no values asked for one by one, no pages, nothing fetched afterwards."""
    said, steps = pattern.why, pattern.reads
    in_steps = "Step 1:" in said
    for operation in ("GetItem", "Query"):
        if f"one {operation}" not in said:
            continue
        own = [each for each in steps if each.operation == operation]
        if not own or (not in_steps and len(own) > 1):
            yield f"{len(own)} of {operation}"
        if in_steps and said.count(f"one {operation}") > len(own):
            yield f"only {len(own)} of {operation}"
        if not in_steps and any(_asked_often(each) for each in own):
            yield f"{operation} is sent several times"
        if not in_steps and "pages" not in said and round(pattern.predicted.requests) > len(steps):
            yield f"{pattern.predicted.requests} requests are predicted"
    if "requests are made and merged" in said and not any(_asked_often(each) for each in steps):
        yield "nothing is merged"
    if "BatchGetItem" in said and not any(each.operation == "BatchGetItem" for each in steps):
        yield "there is no BatchGetItem"
    if "a request of their own" in said and not any(each.continues or each.merges for each in steps):
        yield "there is no request of their own"


def _asked_often(step: ReadStep) -> bool:
    return (step.shards > 1 and step.operation == "Query") or bool(step.for_each)


def _places(pattern: PatternDesign) -> Said:
    read = {each.index for each in pattern.reads}
    for name in INDEX.findall(pattern.why):
        if name not in read:
            yield f"{name} is not read"
    if "no index" in pattern.why and "Step 1:" not in pattern.why and read != {None}:
        yield "an index is read"
    for name in read:
        if name is not None and name not in pattern.why:
            yield f"{name} is read, and not named"


def _consistency(pattern: PatternDesign) -> Said:
    claimed = "strongly consistent" in pattern.why
    if claimed and not all(each.consistent for each in pattern.reads):
        yield "not every read is consistent"
    if any(each.consistent for each in pattern.reads) and not claimed:
        yield "reads are consistent, and nothing is said of it"


def _direction(pattern: PatternDesign) -> Said:
    queries = [each for each in pattern.reads if each.operation == "Query"]
    for word, backwards in (("backwards", True), ("forwards", False)):
        if f"read {word}" in pattern.why and all(each.backwards is not backwards for each in queries):
            yield f"nothing is read {word}"
    for count in re.findall(r"reading stops after ([\d,]+) items?", pattern.why):
        if all(each.limit != int(count.replace(",", "")) for each in queries):
            yield f"no limit of {count}"


def _range(pattern: PatternDesign) -> Said:
    attributes = {each.name: each.attribute or each.name for each in pattern.parameters}
    for name in re.findall(r"[Tt]he range on (\w+) is part of the key condition", pattern.why):
        compared = [
            part
            for step in pattern.reads
            for each in step.sk
            for part in (*each.low.names, *(each.high.names if each.high else ()))
        ]
        buckets = [step.bucket for step in pattern.reads if step.bucket is not None]
        if not any(attributes.get(part, part) == name for part in compared) and not buckets:
            yield f"{name} is not compared"


def _filters(pattern: PatternDesign) -> Said:
    filtered = {name for step in pattern.reads for each in step.filters for name in each.attributes}
    if re.search(r"a filter|comes after reading|filtered out", pattern.why) and not filtered:
        yield "there is no filter"
    queried = {
        name for step in pattern.reads if step.operation == "Query" for each in step.filters for name in each.attributes
    }
    for name in sorted(queried):
        if name not in pattern.why and "filtered out" not in pattern.why:
            yield f"a filter on {name} is not told"
    if "nothing is read in vain" in pattern.why and queried:
        yield f"{sorted(queried)} are filtered"


def _sparse(made: Design, pattern: PatternDesign) -> Said:
    for names in re.findall(r"none but those that pass the filter on ([\w, ]+)\.", pattern.why):
        read = {each.index for each in pattern.reads}
        held = [keys.when for item in made.items for keys in item.keys if keys.index in read and keys.when is not None]
        for name in re.split(r", | and ", names):
            if not any(name in each.attributes for each in held):
                yield f"the index has items of any {name}"


# ---- writes ---------------------------------------------------------------------------------------------------------


def _of_write(made: Design, pattern: PatternDesign) -> Said:
    said = pattern.why
    if "Step 1:" not in said and "nothing has to be read first" in said and pattern.reads:
        yield f"{len(pattern.reads)} reads come first"
    told = re.search(r"(?<!to be )read first|looked up in .* first", said)
    if told and not pattern.reads:
        yield "nothing is read"
    if pattern.reads and not told:
        yield "reads are not told"
    for name in re.findall(r"looked up in ([gl]si\d+)", said):
        if all(each.index != name for each in pattern.reads):
            yield f"{name} is not read"
    if "same transaction" in said and not (pattern.transaction or any(each.transaction for each in pattern.cascade)):
        yield "there is no transaction"
    entities = {*pattern.entities, *(each.entity for each in pattern.cascade)}
    kept = {keys.index for item in made.items if item.entity in entities for keys in item.keys}
    for name in INDEX.findall(said.partition("DynamoDB ")[2]):
        if name not in kept:
            yield f"{name} has none of it"
    for names in re.findall(r"DynamoDB brings (.*?) in step a moment later", said):
        if "lsi" in names:
            yield "a local index is in step at once"


# ---- decisions ------------------------------------------------------------------------------------------------------

ONE_QUERY = re.compile(r"([\w, -]+?) (?:is|are each) one Query\b")
ONE_GET = re.compile(r"([\w, -]+?) gives? the whole key, so one GetItem answers")
STRONG = re.compile(r"([\w, -]+?) must see the last write")


def _decided(made: Design, decision: Decision) -> Said:
    patterns = {each.id: each for each in made.patterns}
    if decision.kind == "plan" and decision.subject in patterns:
        yield from _plan(decision, patterns[decision.subject])
    for sentence in decision.why.split(". "):
        for id_ in _named(ONE_QUERY, sentence, patterns):
            yield from (f"{id_}: {text}" for text in _is_one(patterns[id_], "Query"))
        for id_ in _named(ONE_GET, sentence, patterns):
            yield from (f"{id_}: {text}" for text in _is_one(patterns[id_], "GetItem"))
        for id_ in _named(STRONG, sentence, patterns):
            if patterns[id_].consistency != "strong":
                yield f"{id_} asks for no such thing"


def _plan(decision: Decision, pattern: PatternDesign) -> Said:
    """`Query on gsi1: ...; then BatchGetItem on the table: ...` are the requests, in their order."""
    said = [
        (operation, None if place == "the table" else place)
        for operation, place in re.findall(r"(GetItem|BatchGetItem|Query) on (the table|\w+):", decision.chosen)
    ]
    made = [(each.operation, each.index) for each in pattern.reads]
    if pattern.kind != "write" and said != made:
        yield f"the requests are {made}"


def _named(claim: re.Pattern[str], sentence: str, patterns: dict[str, PatternDesign]) -> list[str]:
    return [
        id_ for names in claim.findall(sentence) for id_ in patterns if id_ in re.split(r", | and |: ", names.strip())
    ]


def _is_one(pattern: PatternDesign, operation: str) -> Said:
    if pattern.kind == "write":
        return
    if [each.operation for each in pattern.reads] != [operation]:
        yield f"the requests are {[each.operation for each in pattern.reads]}, not one {operation}"
    elif any(map(_asked_often, pattern.reads)):
        yield f"{operation} is sent several times"
