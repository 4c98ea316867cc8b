"""Why there is no design: a smallest set of patterns that get in each other's way, and changes that help.

Nothing here is a rule of thumb. Patterns are left out until none can be spared without the conflict being gone: the
spec with nothing but these has no design, and with any one of them less it has. Every change that is offered was made
in the whole spec and solved for, in every form that the spec may be stored in. Where several conflicts stand in the
way, no single change helps: then one change for each of them is offered, and all of them were tried together.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.architect.search.model import Model
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.serving.absent import may_lack
from tablewright.errors import DesignError
from tablewright.spec.facts import assume
from tablewright.spec.listing import as_list
from tablewright.spec.model import PatternSpec, Spec
from tablewright.spec.read import read_spec
from tablewright.spec.write import spec_data
from tablewright.wire.limits import MAX_GSIS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from tablewright.architect.plans.values import Candidates, Variable

CanServe: TypeAlias = "Callable[[Spec], bool]"
"""Whether some design serves a spec, whatever it costs."""
MOST_REMEDIES = 6
MOST_CONFLICTS = 4
"""Conflicts that are told; what is left in the way after these is not looked for."""


class _Remedy(msgspec.Struct, frozen=True):
    """A change of the spec: the field to change, what that means, and the spec as it is then."""

    place: str
    change: str
    spec: Spec


class PatternConflict(msgspec.Struct, frozen=True, kw_only=True):
    """Patterns that cannot be served together, or one that cannot be served at all."""

    max_gsis: int
    patterns: tuple[PatternSpec, ...]
    alone: bool  # no number of indexes helps


class Conflicts(msgspec.Struct, frozen=True, kw_only=True):
    """All that stands in the way. `remedies`: any one helps, or where there are several conflicts, all together."""

    found: tuple[PatternConflict, ...]
    remedies: tuple[_Remedy, ...]


class _Relaxation(msgspec.Struct, frozen=True):
    """What a pattern could do without."""

    field: str
    fields: dict[str, Any]
    change: str
    unless: str = ""  # a field that would make no sense without it
    where: dict[str, Any] = {}  # what it must say for this to mean nearly the same


RELAXATIONS = (
    _Relaxation(
        "kind",
        {"kind": "get", "limit": None},
        "get, without the limit: the first alone, which no cursor goes on from, so that a small item can name it",
        where={"kind": "query", "limit": 1},
    ),
    _Relaxation("consistency", {"consistency": "eventual"}, "eventual: an index can answer, a moment behind the table"),
    _Relaxation("filter_must_be_key", {"filter_must_be_key": False}, "false: more is read than is returned"),
    _Relaxation("sort", {"sort": ()}, "left out: the application sorts the answer", unless="limit"),
    _Relaxation("absent", {"absent": "omit"}, "omit: items without what is sorted by are left out of the answer"),
    _Relaxation("limit", {"limit": None}, "left out: the whole answer is read, and what is not wanted filtered out"),
    _Relaxation("sort and limit", {"sort": (), "limit": None}, "left out: the application reads all, sorts and cuts"),
    _Relaxation("range", {"range": None}, "left out: the application picks what lies in the range"),
    _Relaxation("tenant", {"tenant": None}, "left out: partitions then hold items of several tenants"),
)


# ---- finding it ----------------------------------------------------------------------------------------------------


def conflicts_of(spec: Spec, can_serve: CanServe) -> Conflicts:
    """What stands between a spec and a design; `spec` has none."""
    found: list[PatternConflict] = []
    steps: list[_Remedy] = []
    while len(found) < MOST_CONFLICTS:
        ids = _in_conflict(spec, can_serve)
        found.append(_conflict(spec, ids, can_serve))
        helping = list(islice(_remedies(spec, ids, can_serve), 1 if steps else MOST_REMEDIES))
        if helping:
            return Conflicts(found=tuple(found), remedies=(*steps, *helping))
        ending = _ending(spec, ids, can_serve)
        if ending is None:
            break
        steps.append(ending)
        spec = ending.spec
    return Conflicts(found=tuple(found), remedies=())


def _in_conflict(spec: Spec, can_serve: CanServe) -> list[str]:
    """Patterns of which none can be spared."""
    return smallest([each.id for each in spec.patterns], lambda left: can_serve(with_only(spec, left)))


def _ending(spec: Spec, ids: Sequence[str], can_serve: CanServe) -> _Remedy | None:
    """What ends this conflict, others aside: at least leaving out one of its patterns does, if any other is left."""
    return next(_remedies(spec, ids, lambda then: can_serve(with_only(then, ids))), None)


def smallest(ids: Sequence[str], fine: Callable[[Sequence[str]], bool]) -> list[str]:
    """A part of what is not fine of which nothing can be left out: large pieces are tried first, then one by one."""
    left = list(ids)
    size = max(1, len(left) // 2)
    while True:
        at = 0
        while at < len(left):
            fewer = left[:at] + left[at + size :]
            if fine(fewer):
                at += size
            else:
                left = fewer
        if size == 1:
            return left
        size = max(1, size // 2)


def with_only(spec: Spec, ids: Collection[str]) -> Spec:
    kept = tuple(each for each in spec.patterns if each.id in ids or each.cascade_of in ids)
    return msgspec.structs.replace(spec, patterns=kept)


def _conflict(spec: Spec, ids: Sequence[str], can_serve: CanServe) -> PatternConflict:
    most = _with_constraint(with_only(spec, ids), "max_gsis", MAX_GSIS)
    return PatternConflict(
        max_gsis=spec.constraints.max_gsis,
        patterns=tuple(each for each in spec.patterns if each.id in ids),
        alone=len(ids) == 1 and not can_serve(most),
    )


def feasible(candidates: Candidates, max_gsis: int, forbid: Collection[Variable] = ()) -> bool:
    program = Model(candidates, US_EAST_1, max_gsis).program
    program.forbid(frozenset(forbid))
    return program.minimise({}) is not None


# ---- what helps ----------------------------------------------------------------------------------------------------


def _remedies(spec: Spec, ids: Sequence[str], can_serve: CanServe) -> Iterator[_Remedy]:
    """Changes after which there is a design; leaving out one of the patterns comes last."""
    yield from _more_indexes(spec, can_serve)
    for field, value, change in CONSTRAINTS:
        then = _with_constraint(spec, field, value)
        if then != spec and can_serve(then):
            yield _Remedy(f"constraints.{field}", change, then)
    for id_ in ids:
        yield from _relaxed_patterns(spec, id_, can_serve)
    for id_ in ids:
        then = with_only(spec, [each.id for each in spec.patterns if each.id != id_])
        if then.patterns and can_serve(then):
            yield _Remedy(f"access_patterns.{id_}", "left out", then)


def _more_indexes(spec: Spec, can_serve: CanServe) -> Iterator[_Remedy]:
    """As few more as it takes."""
    now = spec.constraints.max_gsis
    if now >= MAX_GSIS or not can_serve(_with_constraint(spec, "max_gsis", MAX_GSIS)):
        return
    for more in range(now + 1, MAX_GSIS + 1):
        then = _with_constraint(spec, "max_gsis", more)
        if more == MAX_GSIS or can_serve(then):
            yield _Remedy("constraints.max_gsis", f"{more} instead of {now}", then)
            return


CONSTRAINTS: tuple[tuple[str, Any, str], ...] = (
    ("lsis", True, "true: a local index, which limits every item collection of the table to 10 GB"),
    ("copies", "any", "any: second items, which are written in transactions"),
)


def _with_constraint(spec: Spec, field: str, value: Any) -> Spec:
    return msgspec.structs.replace(spec, constraints=msgspec.structs.replace(spec.constraints, **{field: value}))


def _relaxed_patterns(spec: Spec, id_: str, can_serve: CanServe) -> Iterator[_Remedy]:
    """What one of the patterns could do without; two things at once only where neither helps alone."""
    found: set[str] = set()
    for each in RELAXATIONS:
        then = _relaxed(spec, id_, each)
        if then is None or any(field in found for field in each.fields):
            continue
        place = f"access_patterns.{id_}.{each.field}"
        if can_serve(then):
            found.update(each.fields)
            yield _Remedy(place, each.change, then)
        elif each.field == "consistency":
            yield from (
                _Remedy(f"{place} and {more.place}", f"eventual, and {more.change}", more.spec)
                for more in _more_indexes(then, can_serve)
            )
    yield from _made_present(spec, id_, can_serve)


def _relaxed(spec: Spec, id_: str, relaxation: _Relaxation) -> Spec | None:
    """None where the pattern does not ask for all of it in the first place, or where nobody could write it so."""
    patterns = {each.id: each for each in spec.patterns}
    now = patterns[id_]
    asked = not relaxation.unless or getattr(now, relaxation.unless) is None
    asked = asked and all(getattr(now, name) == value for name, value in relaxation.where.items())
    if not asked or any(getattr(now, name) == value for name, value in relaxation.fields.items()):
        return None
    patterns[id_] = msgspec.structs.replace(now, **relaxation.fields)
    return _readable(msgspec.structs.replace(spec, patterns=tuple(patterns.values())))


def _readable(spec: Spec) -> Spec | None:
    try:
        read_spec(spec_data(spec))
    except DesignError:
        return None
    return spec


def _made_present(spec: Spec, id_: str, can_serve: CanServe) -> Iterator[_Remedy]:
    """Attributes of an order that items may lack: a key has no place for these but before all others."""
    asked, facts = spec.pattern(id_), assume(spec)
    assert asked is not None
    pattern = as_list(spec, asked)
    lacking = {name: sorted(may_lack(facts, pattern, name)) for name in pattern.entities} if pattern.is_read else {}
    places = [f"entities.{name}.attributes.{attr}.required" for name, attrs in lacking.items() for attr in attrs]
    then = _readable(_with_required(spec, lacking)) if places else None
    if then is not None and can_serve(then):
        yield _Remedy(" and ".join(places), "true: every item has a place in the order", then)


def _with_required(spec: Spec, names: Mapping[str, Iterable[str]]) -> Spec:
    entities = dict(spec.entities)
    for name, attrs in names.items():
        attributes = dict(entities[name].attributes)
        for attr in attrs:
            attributes[attr] = msgspec.structs.replace(attributes[attr], required=True, presence=None)
        entities[name] = msgspec.structs.replace(entities[name], attributes=attributes)
    return msgspec.structs.replace(spec, entities=entities)


# ---- saying it -----------------------------------------------------------------------------------------------------

SEARCH = (
    "words are not found by keys. It belongs to a search engine that follows the table's stream (OpenSearch, for"
    " example); ask that, and take the pattern out of the spec"
)
AT_MOST = {0: "without an index", 1: "with at most one index"}


def describe_conflicts(conflicts: Conflicts) -> str:
    lines = [line for each in conflicts.found for line in _lines_of(each)]
    if conflicts.remedies:
        several = len(conflicts.found) > 1
        lines.append("  all of these together would help:" if several else "  any one of these would help:")
    return "\n".join([*lines, *(f"    {each.place}: {each.change}" for each in conflicts.remedies)])


def _lines_of(found: PatternConflict) -> Iterator[str]:
    if found.alone:
        yield f"no key can serve {_title_of(found.patterns[0])}{_reason(found.patterns[0])}"
        return
    indexes = AT_MOST.get(found.max_gsis, f"with at most {found.max_gsis} indexes")
    together = "this access pattern" if len(found.patterns) == 1 else "these access patterns together"
    yield f"no design {indexes} serves {together}:"
    yield from (f"  {_title_of(each)}" for each in found.patterns)


def _title_of(pattern: PatternSpec) -> str:
    return f"{pattern.id}: {pattern.description}" if pattern.description else pattern.id


def _reason(pattern: PatternSpec) -> str:
    if pattern.search is not None:
        return f"; it searches {pattern.search} for words, and {SEARCH}"
    if pattern.tenant is not None and pattern.tenant not in pattern.by:
        return f"; tenants are kept apart by {pattern.tenant}, which must then be among its inputs (by)"
    if pattern.through is not None:
        return (
            f"; what its list names is fetched by whole keys of the table, which must follow from the id of"
            f" {pattern.entity}, and the list itself needs a key"
        )
    if pattern.kind == "batch":
        return "; many items are fetched at once by whole keys of the table, which must follow from the ids given (by)"
    if len({each.order for each in pattern.sort}) > 1:
        return "; a key is read in one direction, and its order goes both up and down"
    if pattern.range and pattern.sort and pattern.sort[0].attr != pattern.range.attr:
        return f"; a key is either in order of {pattern.sort[0].attr} or compared by {pattern.range.attr}"
    return ""
