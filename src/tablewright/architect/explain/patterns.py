"""Access patterns: why each is read as it is, what each costs the design, and which of them force its indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.explain.keys import inputs, keyed, place_name, readers_of
from tablewright.architect.explain.resolve import Baseline, difference, elsewhere, outcome
from tablewright.architect.plans.readers import key_of, keys_together
from tablewright.architect.plans.registry import PLACE_OF, VARIANTS
from tablewright.architect.search.conflict import smallest, with_only
from tablewright.architect.solution import can_serve, solve
from tablewright.design.cost.predict import predict
from tablewright.design.cost.units.following import window_in
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.serving.trailing import usual_delay, window_seconds
from tablewright.design.values.buckets import Bucket
from tablewright.design.wording import concat, difference_text, in_order, number, sentence, tally, units
from tablewright.spec.intervals import ends_by
from tablewright.spec.listing import asked_reads
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from tablewright.architect.assembly.requests import ReadRequest
    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.explain.resolve import PricedSolution
    from tablewright.architect.plans.values import CollectionPlan, ReadPlan
    from tablewright.design.advice import Difference
    from tablewright.design.layout.forms import ReadPart
    from tablewright.design.serving.serving import Serving
    from tablewright.spec.model import PatternSpec, Spec

# ---- why so ---------------------------------------------------------------------------------------------------------


def why(solution: Solution, pattern_id: str) -> str:
    """Why a pattern is served the way it is, in a few sentences."""
    known = {each.id: each for each in (*solution.spec.patterns, *solution.facts.implied)}
    steps = [
        _in_sentences(_clauses(solution, known[id_], several=several))
        for id_, several in steps_of(solution, pattern_id)
        if id_ in known
    ]
    return steps[0] if len(steps) == 1 else " ".join(f"Step {at}: {step}" for at, step in enumerate(steps, 1))


def steps_of(solution: Solution, pattern_id: str) -> Iterator[tuple[str, bool]]:
    """The patterns of the spec as it is stored, each with whether it is done for several items that were found."""
    parts = solution.rewritten.reads.get(pattern_id)
    if parts is None:
        yield pattern_id, False
        return
    for part in parts:
        before = None if part.keys_from is None else solution.requests.get(parts[part.keys_from].pattern)
        yield part.pattern, before is not None and before.operation != "GetItem"


def _in_sentences(clauses: Iterable[str]) -> str:
    return " ".join(map(sentence, clauses))


def _clauses(solution: Solution, pattern: PatternSpec, *, several: bool = False) -> Iterator[str]:
    """`several`: done for each of the items that the step before it found."""
    if not pattern.is_read:
        yield from _write_clauses(solution, pattern)
        yield from _packed_clauses(solution, pattern)
        yield from _followed_clauses(solution, pattern)
        return
    request = solution.requests[pattern.id]
    part = next((each for parts in solution.rewritten.reads.values() for each in parts if _takes(each, pattern)), None)
    kept = solution.rewritten.copies.get(pattern.entity, {})
    if part is not None and not kept.keys() >= set(part.takes.values()):
        found = solution.spec.entities[pattern.entity]
        latest = found.of if found.kind == "latest" else ""
        yield _where_parents(pattern, part, latest, several=several, strong=request.consistent)
        return
    if pattern.id in solution.choice.plans:
        plan = solution.choice.plans[pattern.id]
        yield _where(solution, pattern, plan, several=several)
        yield from _newest_clauses(solution, pattern)
        yield from _key_clauses(pattern, plan.serving, request, solution.names.type_field)
        yield from _variant_clauses(solution, pattern, plan)
    elif pattern.id in solution.choice.collections:
        yield from _collection_clauses(solution, pattern)
    yield from _page_clauses(solution, pattern, several=several)
    yield from _packed_clauses(solution, pattern)
    yield from _delay_clauses(solution, pattern)
    if part is not None:
        yield f"the item holds {concat(part.takes)} itself, {_how_kept(solution, pattern, part)}"


def _how_kept(solution: Solution, pattern: PatternSpec, part: ReadPart) -> str:
    """What becomes of a copy when its source changes."""
    kept = solution.rewritten.copies.get(pattern.entity, {})
    changing = [kept[name] for name in part.takes.values() if kept[name].kept]
    if not changing:
        return "a copy of what never changes"
    parents = concat(dict.fromkeys(each.entity for each in changing))
    if changing[0].kept == "stream":
        own = [each for each in solution.origin.reads if each.entity == pattern.entity]
        window = window_seconds(min(each.stale for each in own if each.stale is not None))
        return (
            f"a copy that a function sets which follows the stream: it is up to about {usual_delay(window)} s behind"
            f" {parents}, and further while the function fails"
        )
    return f"a copy that updates of {parents} set in their own transaction, so that it never differs"


def _packed_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    """Of what lies in the items of periods: what an item has, and how it is written or taken out."""
    packed = solution.spec.entities[pattern.entity].packed
    if packed is None:
        return
    period, many = Bucket(packed.attr, packed.length).period, number(round(packed.entries))
    if pattern.is_read:
        yield f"an item has all {pattern.entity} of its {period}, about {many}: what is asked for is taken out of it"
    else:
        yield (
            f"the {pattern.entity} is an attribute of the item of its {period}, which has about {many} in the end: one"
            " update sets it, and makes the item where there is none; it pays for all that is in the item by then"
        )


def _newest_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    """What an item of a group says of the newest."""
    found = solution.spec.entities[pattern.entity]
    if found.kind == "latest":
        does = "names" if len(solution.rewritten.parts(pattern.id)) > 1 else "is a copy of"
        yield f"it {does} the newest {found.of} by {found.newest_by} and is kept by every put, in one transaction"


def _followed_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    """What a write does not do itself, and still costs."""
    found = predict(solution.layout, pattern.id)
    if found.followed_wcu or found.followed_rcu:
        kept = [each for each in solution.spec.entities.values() if each.kind == "trailing"]
        names = concat(each.name for each in kept if each.of in pattern.entities)
        read = f" and {units(found.followed_rcu)} RCU" if found.followed_rcu else ""
        taken = f"{units(found.followed_wcu)} WCU{read}"
        yield f"a function that follows the stream adds it to {names}, for about {taken} more, in its price"


def _delay_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    """Of what the stream keeps: how far it is behind."""
    window, kept = window_in(solution.facts), solution.spec.entities[pattern.entity]
    if kept.kind == "trailing" and pattern.stale is not None:
        what = "number" if kept.top is None else "list"
        yield (
            f"a function that follows the stream keeps it: it collects the changes of {window} s, so that the {what} is"
            f" up to about {usual_delay(window)} s behind ({pattern.stale:g} s are allowed), and further while the"
            " function fails"
        )


def _takes(part: ReadPart, pattern: PatternSpec) -> bool:
    return part.pattern == pattern.id and bool(part.takes)


def _where_parents(pattern: PatternSpec, part: ReadPart, latest: str, *, several: bool, strong: bool) -> str:
    """Of the items that an answer names: what names them is the item's own. `latest`: whose newest is named there."""
    named = concat(part.given.get(name, name) for name in pattern.by)
    if not part.joins and latest:
        return (
            f"the {pattern.entity} of the same {named} is read first: a newer {latest} is written there in the same"
            " transaction, unless somebody has written one that is newer still"
        )
    if not part.joins:
        copied = concat(part.takes.values())
        return f"the {pattern.entity} that the item names ({named}) is read first, and its {copied} copied"
    how = f"BatchGetItem, {MAX_BATCH_GET_ITEMS} at a time and each once" if several else "one GetItem"
    consistent = STRONG if strong else ""
    come = "comes" if len(part.takes) == 1 else "come"
    return f"{concat(part.takes)} {come} from the {pattern.entity} that an item names ({named}): {how}{consistent}"


def _where(solution: Solution, pattern: PatternSpec, plan: ReadPlan, *, several: bool) -> str:
    key, entity = key_of(solution.choice, plan), plan.shape.entity
    strong = STRONG if solution.requests[pattern.id].consistent else ""
    place = PLACE_OF[key.place]
    if plan.serving.is_get:
        item = place.item_text.format(entity=entity)
        if several or pattern.kind == "batch":
            batch = f"BatchGetItem, {MAX_BATCH_GET_ITEMS} at a time"
            if pattern.fetched_for:
                return (
                    f"the entries of the list name {item}, whose whole keys follow ({inputs(pattern)}): {batch}{strong}"
                )
            return f"the whole keys of {item} are given ({inputs(pattern)}): {batch}{strong}"
        return f"the whole key of {item} is given ({inputs(pattern)}): one GetItem{strong}"
    base = keyed(solution.choice.base[entity])
    text = place.query_text.format(entity=entity, keys=keyed(plan.shape), base=base, place=place_name(key))
    often = several or any(variant.loops(solution.facts, plan) for variant in VARIANTS)
    many = often or solution.requests[pattern.id].shards > 1 or solution.requests[pattern.id].rest is not None
    return f"{text.replace('one Query', 'a Query') if many else text}{strong}"


def _page_clauses(solution: Solution, pattern: PatternSpec, *, several: bool) -> Iterator[str]:
    """Of one Query whose answer is larger than one page; what asks several times says so itself."""
    request = solution.requests[pattern.id]
    once = request.shards == 1 and not request.for_each and request.then is None and request.rest is None
    if request.operation == "Query" and once and not several:
        requests = predict(solution.layout, pattern.id).requests
        if round(requests) > 1:
            yield f"its answer takes about {number(round(requests))} pages, a request each"


STRONG = " and may be strongly consistent"


def _key_clauses(pattern: PatternSpec, serving: Serving, request: ReadRequest, type_field: str) -> Iterator[str]:
    """What the key does for the range, the order and the inputs, and what is left to a filter."""
    queried = request.filters if request.operation == "Query" else ()
    filtered = {name for each in queried for name in each.attributes}
    if serving.ranged and pattern.overlaps is not None:
        said = pattern.overlaps
        yield (
            f"what overlaps began at most {said.longest} before what is asked for, so the key is read from there on by"
            f" {said.start}, and a filter on {said.end} drops what had ended: about {number(serving.read_items)} items"
            f" are read for {number(serving.returned_items)} returned"
        )
    elif serving.ranged and pattern.range is not None:
        own = pattern.range.attr
        strict = pattern.range.op == "lt"  # BETWEEN includes its end
        end = "; a filter drops what equals its end" if strict else "" if filtered else ", so nothing is read in vain"
        yield f"the range on {own} is part of the key condition{end}"
    sorts = [each.attr for each in pattern.sort if each.attr not in pattern.by]
    if sorts:
        first = f", and reading stops after {tally(request.limit, 'item')}" if request.limit else ""
        direction = "backwards" if serving.backwards else "forwards"
        yield f"the sort key has them by {concat(sorts)}, read {direction}{first}"
    left = [name for name in serving.filters if not serving.is_get]
    if left:
        read, kept = number(serving.read_items), number(serving.returned_items)
        yield f"only a filter applies {concat(left)}: about {read} items are read for {kept} returned"
    asked = [name for name in pattern.filter if name not in serving.keyed and not serving.is_get]
    asked = [name for name in asked if not (serving.ranged and ends_by(pattern, name))]
    later = [name for name in asked if name in filtered]
    if later:
        yield f"the filter on {concat(later)} comes after reading, so that what it leaves out is paid for all the same"
    if asked and not later:
        yield f"the index has none but those that pass the filter on {concat(asked)}"
    if serving.by_type or type_field in filtered:
        yield "types share one order here, so the others are read and filtered out"


def _collection_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    collection, _ = solution.choice.collections[pattern.id]
    key = keys_together(solution.choice, pattern.id)[0]
    entities = concat(pattern.entities)
    place = place_name(key)
    one = " + ".join(collection.signature[0]) or "kind"
    request = solution.requests[pattern.id]
    often = "a Query of each shard" if request.shards > 1 else "one Query"
    strong = f",{STRONG}" if request.consistent else ""
    if pattern.beside:
        (children,) = (each for each in pattern.entities if each != pattern.beside)
        side, direction = ("behind", "backwards") if request.backwards else ("before", "forwards")
        order = concat(each.attr for each in pattern.sort)
        yield (
            f"{pattern.beside} lies {side} its {children} items in one partition of {place}, in the order of {order}:"
            f" {often}, read {direction} from there, has it and the first {number(request.limit or 1)} of them{strong}"
        )
        return
    yield (
        f"{entities} of one {one} lie in one partition of {place}: {often} instead of"
        f" {tally(len(pattern.entities), 'request')}{strong}"
    )
    serving = collection.parts[pattern.entity][solution.choice.shapes_together(pattern.id)[pattern.entity]]
    yield from _key_clauses(pattern, serving, request, solution.names.type_field)
    yield from _variant_clauses(solution, pattern, collection)


def _variant_clauses(solution: Solution, pattern: PatternSpec, plan: ReadPlan | CollectionPlan) -> Iterator[str]:
    for variant in VARIANTS:
        yield from variant.explain(plan, solution.requests[pattern.id].shards)


def _write_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    found = [(entity, plan) for (write, entity), plan in solution.choice.located.items() if write == pattern.id]
    for entity, plan in found:
        key = key_of(solution.choice, plan)
        place = place_name(key)
        yield (
            f"the table key of {entity} ({keyed(solution.choice.base[entity])}) does not follow from {inputs(pattern)},"
            f" so it is looked up in {place} first: {number(plan.units)} read units, and a condition for the race"
        )
    if not found:
        yield _first_read(solution, pattern)
    yield from _upkeep_clauses(solution, pattern)
    parts = solution.rewritten.reads.get(pattern.id, ())
    keeping = dict.fromkeys(each.refreshes for each in parts if each.is_followed)
    if keeping:
        yield f"a function that follows the stream sets what {concat(keeping)} items keep of it, which is in its price"
    if any(each.refreshes and not each.is_followed for each in parts):
        yield (
            f"all {concat(dict.fromkeys(each.refreshes for each in parts if each.refreshes))} items that keep copies of"
            " it are found and written in the same transaction, which demands that their number is the one that was"
            " found"
        )


def _first_read(solution: Solution, pattern: PatternSpec) -> str:
    """What a write that knows the ids has to know besides."""
    seen = [each for each in estimate(solution.layout).located_items.get(pattern.id, {}) if each in pattern.entities]
    pointed = [each.subject for each in solution.rewrites if each.kind == "pointer" and each.subject in seen]
    if pointed:
        return f"a small item by its id says where {concat(pointed)} is, and is read first"
    if seen:
        return f"the key of {concat(seen)} is known; the item is read first, because other keys follow from it"
    return f"the whole table key of {concat(pattern.entities)} is known: nothing has to be read first"


def _upkeep_clauses(solution: Solution, pattern: PatternSpec) -> Iterator[str]:
    keys = [key for key in readers_of(solution.choice) if key.shape.entity in pattern.entities]
    later = sorted({place_name(key) for key in keys if key.place == "index"})
    if later:
        yield f"DynamoDB brings {concat(later)} in step a moment later"
    at_once = sorted({place_name(key) for key in keys if key.is_index and key.place != "index"})
    if at_once:
        yield f"DynamoDB writes {concat(at_once)} with the item, at once"
    for key in keys:
        if key.shape.copies:
            yield (
                f"all {key.shape.copies} read copies of {key.shape.entity} are written in the same transaction,"
                " at twice the units"
            )
    copied = sorted({key.shape.entity for key in keys if key.is_second_item and not key.shape.copies})
    if copied:
        yield f"the second item of {concat(copied)} is written in the same transaction, at twice the units"


# ---- what each costs ------------------------------------------------------------------------------------------------


def without_patterns(start: Baseline) -> Mapping[str, PricedSolution]:
    """By read pattern: the design without it."""
    ids = [each.id for each in start.facts.spec.patterns]
    found: dict[str, PricedSolution] = {}
    for pattern in start.solution.origin.reads[: start.allowed]:
        own = start.solution.stored_ids(pattern.id)
        kept = with_only(start.facts.spec, [each for each in ids if each not in own])
        left = elsewhere(start, msgspec.structs.replace(start.facts, spec=kept))
        if left is not None:
            found[pattern.id] = left
    return found


def pattern_prices(start: Baseline, without: Mapping[str, PricedSolution] | None = None) -> Mapping[str, Difference]:
    """By read pattern: what the design would save without it."""
    left = without_patterns(start) if without is None else without
    return {pattern: difference(each, start.now) for pattern, each in left.items()}


# ---- why not fewer indexes ------------------------------------------------------------------------------------------


def why_not_fewer(start: Baseline) -> str:
    now, fewer = start.now, start.now.gsis - 1
    if not now.gsis:
        copies = f" with {tally(now.copies, 'second item')}" if now.copies else ""
        return f"The table alone serves every pattern{copies}; there is no GSI to do without."
    origin = start.solution.origin
    few = msgspec.structs.replace(origin, constraints=msgspec.structs.replace(origin.constraints, max_gsis=fewer))
    if can_serve(few):
        other = outcome(solve(few, aim="cost"))
        return sentence(
            f"{tally(fewer, 'GSI')} would do: {difference_text(difference(now, other), nothing='at no cost')}"
        )
    ids = [each.id for each in origin.patterns]
    asked = sorted(smallest(ids, lambda left: can_serve(with_only(few, left))), key=in_order)
    verb = "needs" if len(asked) == 1 else "need"
    text = f"{_forcing(origin, asked)}{concat(asked)} alone {verb} {tally(now.gsis, 'GSI')}"
    return sentence(f"{text}, whatever else is left out")


def _forcing(spec: Spec, needed: Collection[str]) -> str:
    """The entity that all of them ask for in different ways, where there is one."""
    patterns = [each for each in asked_reads(spec) if each.id in needed]
    common = [name for name in spec.entities if all(name in each.entities for each in patterns)]
    if len(patterns) < 2 or not common:
        return ""
    wanted = list(dict.fromkeys(f"by {' + '.join(each.by)}" if each.by else "as a whole" for each in patterns))
    return f"{common[0]} is asked for {concat(wanted)}, and an index holds one key of an entity: "
